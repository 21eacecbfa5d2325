"""Files read by processes before their turn make the library that one process makes."""

import pytest

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.library import ahead
from citewell.library.ahead import Ahead, Reading
from citewell.library.batch.schedule import Ended
from citewell.library.batch.workers import Crew
from citewell.library.library import Library


class Here:
    """Workers that are no processes; the newest task ends first."""

    def __init__(self, count=3, ends=()):
        self.worker, self.count, self.tasks, self.started, self.ends = Reading().worker(), count, [], [], ends

    def free(self):
        return len(self.tasks) < self.count

    def start(self, task):
        self.tasks.append(task)
        self.started.append(task.rows[0].data["document"])

    def wait(self):
        task = self.tasks.pop()
        if task.rows[0].data["document"].endswith(tuple(self.ends)):
            return [Ended(task, None, "signal SIGSEGV")]
        return [Ended(task, self.worker.lines(task.rows))]

    def close(self):
        assert not self.tasks


@pytest.fixture
def reports(tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    for number in range(12):
        (folder / f"r{number:02}.md").write_text(f"# Report {number}\n\nShip {number} carried {number}00 passengers.\n")
    (folder / "r05.md").write_bytes(b"")
    return folder


def contents(place):
    """All that a library keeps, but for the time."""
    with Library(place) as library:
        entries = [{**entry.to_dict(), "added": None} for entry in library.entries()]
        failures = [(failure.source, failure.type, failure.message) for failure in library.failures()]
        texts = [library.document(entry["id"]).text for entry in entries]
    segments = sorted(path.relative_to(place) for path in (place / "segments").rglob("*"))
    return entries, failures, texts, segments


def test_what_was_read_ahead_makes_the_same_library(tmp_path, reports, monkeypatch):
    with Library(tmp_path / "one", create=True) as library:
        added = library.add([reports])
    here = Here()
    monkeypatch.setattr(Crew, "workers", lambda *_: here)
    monkeypatch.setattr(ahead, "_BLOCK", 5)
    with Library(tmp_path / "many", create=True) as library:
        many = library.add([reports], workers=3)
        assert len(here.started) == 12
        assert library.add([reports], workers=3)._replace(failed=()) == (0, 0, 11, 0, ())
        assert here.started[12:] == [str(reports / "r05.md")]
    assert many._replace(failed=()) == added._replace(failed=()) == (11, 0, 0, 0, ())
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_sources_keep_their_order_and_documents_pass(tmp_path, reports):
    read, mine = Ahead(Here()), Document.from_text("Mine.", "Mine")
    names = [str(reports / f"r{number:02}.md") for number in range(12)]
    arguments = [*names[:3], mine, *names[3:]]
    assert list(read.sources(arguments, lambda name: name != names[7])) == arguments


def test_a_file_that_changed_meanwhile_is_read_as_it_is_now(reports):
    read, name = Ahead(Here()), str(reports / "r01.md")
    list(read.sources([name], lambda _: True))
    document, _ = read.read(b"# Other\n\nAnother text.\n", name)
    assert "Another text." in document.text


def test_a_file_that_cannot_be_read_has_its_own_error(reports):
    read, name = Ahead(Here()), str(reports / "r05.md")
    list(read.sources([name], lambda _: True))
    with pytest.raises(EmptyDocumentError):
        read.read(b"", name)


def test_a_file_that_ends_whoever_reads_it_is_a_failure_and_the_others_are_in(tmp_path, reports, monkeypatch):
    monkeypatch.setattr(Crew, "workers", lambda *_: Here(ends=["r03.md"]))
    with Library(tmp_path / "lib", create=True) as library:
        added = library.add([reports], workers=3)
        (lost, _) = added.failed
        assert added.added == 10
    assert lost.source == str(reports / "r03.md")
    assert "the worker ended 2 times on this row (signal SIGSEGV)" in lost.message


@pytest.mark.slow
def test_processes_make_the_library_that_one_makes(tmp_path, reports):
    for count in (1, 2):
        with Library(tmp_path / str(count), create=True) as library:
            library.add([reports], workers=count)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
