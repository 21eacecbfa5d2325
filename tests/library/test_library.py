"""A library: what is taken in is found and answered from, what is taken out is gone, whatever happens in between."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import citewell
from citewell import Document
from citewell.errors import InUseError, LibraryError, SchemaVersionError, UsageError
from citewell.library.library import Library
from citewell.library.store.database import FILE

HARBOUR = "# Harbour report 2023\n\nThe harbour froze in January. Dredging cost 4.2 million euros.\n"
FERRY = "# Ferry report 2024\n\nThe Eider line lost 1.1 million euros in 2024. The Alk line earned money.\n"


@pytest.fixture
def reports(tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "harbour.md").write_text(HARBOUR)
    (folder / "ferry.md").write_text(FERRY)
    return folder


@pytest.fixture
def library(tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        yield library


def titles(library, **keep):
    return [entry.title for entry in library.entries(**keep)]


def best(library, question):
    return [entry.title for entry, _ in library.search(question, 1)]


def test_a_question_finds_its_document_and_is_answered_from_it(library, reports):
    assert library.add([reports]).added == 2
    answer = library.ask("Which line lost money in 2024?")
    (citation,) = answer.citations[:1]
    document = library.document(citation.document_id)
    assert document.title == "Ferry report 2024"
    assert document.text[citation.start : citation.end] == citation.quote
    assert "Eider" in citation.quote


def test_what_is_there_as_it_is_is_left(library, reports):
    library.add([reports])
    numbers = [entry.number for entry in library.entries()]
    added = library.add([reports])
    assert (added.added, added.replaced, added.unchanged) == (0, 0, 2)
    assert [entry.number for entry in library.entries()] == numbers


def test_a_part_of_a_library_is_added_again_without_the_rest_being_lost(library, reports):
    library.add([reports])
    library.add([reports / "ferry.md"])
    assert len(library.entries()) == 2


def test_a_changed_file_takes_the_place_of_the_old_one(library, reports):
    library.add([reports])
    (reports / "harbour.md").write_text(HARBOUR.replace("January", "February"))
    assert library.refresh().replaced == 1
    assert library.search("January", 5) == []
    assert best(library, "February") == ["Harbour report 2023"]


def test_a_file_that_is_gone_goes_with_a_refresh(library, reports):
    library.add([reports])
    (reports / "ferry.md").unlink()
    assert library.refresh().removed == 1
    assert titles(library) == ["Harbour report 2023"]


def test_of_a_removed_document_nothing_is_left_on_the_disk(library, reports, tmp_path):
    library.add([reports])
    assert library.remove(["ferry.md"]) == 1
    assert library.search("Eider", 5) == []
    library.close()
    left = b"".join(path.read_bytes() for path in Path(library.place).rglob("*") if path.is_file())
    assert b"eider" not in left
    assert b"Eider" not in left


def test_two_files_of_one_content_share_it_and_one_may_go(library, reports):
    (reports / "copy.md").write_text(FERRY)
    library.add([reports])
    library.remove([str(reports / "copy.md")])
    assert library.ask("Which line lost money in 2024?").citations[0].document_id == library.document("ferry.md").id


def test_what_cannot_be_read_is_told_and_tried_again(library, reports):
    (reports / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    added = library.add([reports])
    assert added.added == 2
    assert [(Path(failure.source).name, failure.type) for failure in added.failed] == [
        ("bad.pdf", "CorruptDocumentError")
    ]
    assert len(library.failures()) == 1
    (reports / "bad.pdf").write_bytes((Path(__file__).parents[2] / "examples" / "annual-report.pdf").read_bytes())
    library.refresh()
    assert library.failures() == []
    assert len(library.entries()) == 3


def test_rectangles_are_found_without_the_file(library, tmp_path):
    report = tmp_path / "report.pdf"
    report.write_bytes((Path(__file__).parents[2] / "examples" / "annual-report.pdf").read_bytes())
    read = citewell.read(report)
    library.add([report])
    report.unlink()
    kept = library.document(read.id)
    assert kept.text == read.text
    assert kept.locate(100, 150) == read.locate(100, 150) != ()
    assert kept.tables() == read.tables()


def test_a_caller_sees_only_what_the_labels_allow(reports, tmp_path):
    place = tmp_path / "library"
    with Library(place, create=True) as library:
        library.add([reports / "harbour.md"])
        plain = library.search("cost of dredging", 5)
    with Library(place) as library:
        library.add([reports / "ferry.md"], labels=["board", "finance"])
    with Library(place, labels=["finance"]) as library:
        assert titles(library) == ["Harbour report 2023"]
        assert [hit for _, hit in library.search("cost of dredging", 5)] == [hit for _, hit in plain]
        assert library.search("Eider", 5) == []
        with pytest.raises(LibraryError, match="no document"):
            library.document("ferry.md")
    with Library(place, labels=["finance", "board"]) as library:
        assert best(library, "Eider") == ["Ferry report 2024"]


def test_fields_of_ones_own_are_kept_until_others_are_given(library, reports):
    library.add([reports], data={"region": "north", "volume": 3})
    library.add([reports / "ferry.md"], data={"region": "south"})
    library.add([reports])
    assert titles(library, where="region = north") == ["Harbour report 2023"]
    assert titles(library, where="volume >= 3") == ["Harbour report 2023"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("year >= 2024", ["Ferry report 2024"]),
        ("title ~ HARBOUR", ["Harbour report 2023"]),
        ("not title ~ harbour", ["Ferry report 2024"]),
        ("title ~ 'ferry report' or year = 2023", ["Harbour report 2023", "Ferry report 2024"]),
        ("(year = 2023 or year = 2024) and source !~ ferry", ["Harbour report 2023"]),
        ("pages >= 1", []),
        ("pages != 1", ["Harbour report 2023", "Ferry report 2024"]),
        ("added >= 2020-01-01", ["Harbour report 2023", "Ferry report 2024"]),
    ],
)
def test_conditions_choose_documents(library, reports, where, expected):
    library.add([reports / "harbour.md", reports / "ferry.md"])
    assert titles(library, where=where) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("year", "ends where =, !=, <, <=, >, >=, ~ or !~ is expected"),
        ("year > ", "ends where a value is expected"),
        ("= 3", "'=' at character 1 is in place of a field"),
        ("(year > 3", "ends where a closing bracket is expected"),
        ("year > 3 title ~ x", "'title' at character 10 is in place of and, or, or the end"),
        ("title ~ 'x", "cannot be read"),
        ("not " * 60 + "year > 3", "nests more than 50"),
    ],
)
def test_a_condition_that_cannot_be_read_is_told_where(library, where, message):
    with pytest.raises(UsageError) as caught:
        library.entries(where)
    assert message in str(caught.value)


def test_a_condition_that_no_document_meets_is_an_error_of_the_question(library, reports):
    library.add([reports])
    with pytest.raises(UsageError, match="no document where year > 2030"):
        library.ask("Which line lost money?", where="year > 2030")


def test_only_one_process_changes_a_library_at_a_time(library, reports):
    with library.database.alone(), Library(library.place) as other, pytest.raises(InUseError):
        other.add([reports])


def test_readers_go_on_while_one_writes(library, reports):
    library.add([reports / "harbour.md"])
    with Library(library.place) as reader:
        assert len(reader.entries()) == 1
        with library.database.writing():
            assert best(reader, "dredging") == ["Harbour report 2023"]
        library.add([reports / "ferry.md"])
        assert best(reader, "Eider") == ["Ferry report 2024"]


def test_a_snapshot_outlives_the_files_of_its_segments(library, reports):
    library.add([reports / "harbour.md"])
    snapshot = library.snapshot()
    before = snapshot.search("dredging", 3)
    library.remove(["harbour.md"])
    assert snapshot.search("dredging", 3) == before


def test_many_small_additions_become_few_segments_with_the_same_scores(tmp_path):
    documents = [
        Document.from_text(f"Ship {number} sailed to port {number % 7}.", title=f"Ship {number}")
        for number in range(20)
    ]
    with Library(tmp_path / "slow", create=True) as slow, Library(tmp_path / "fast", create=True) as fast:
        for document in documents:
            slow.add([document])
        fast.add(documents)
        assert len(slow.snapshot().segments) <= 8
        result = [[(entry.id, hit.score) for entry, hit in item.search("port 3 ship", 9)] for item in (slow, fast)]
    assert result[0] == result[1]


def test_there_is_no_library_where_none_was_made(tmp_path):
    with pytest.raises(LibraryError, match="is no library: make one with citewell library add"):
        Library(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / FILE).write_bytes(b"not a database at all, but long enough to be read as one" * 100)
    with pytest.raises(LibraryError, match="damaged, or no library"):
        Library(tmp_path)


def test_tables_of_a_newer_version_are_refused(library):
    library.close()
    with sqlite3.connect(Path(library.place) / FILE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SchemaVersionError, match="newer citewell .tables 9999, this one knows 0008"):
        Library(library.place)


OPEN = "import sys; from citewell.library.library import Library; Library(sys.argv[1], create=True).close()"


@pytest.mark.rare
@pytest.mark.slow
def test_several_processes_may_make_a_library_at_once(tmp_path):
    ends = [subprocess.Popen([sys.executable, "-c", OPEN, str(tmp_path / "one")]) for _ in range(3)]
    assert [end.wait(60) for end in ends] == [0, 0, 0]
    with Library(tmp_path / "one") as library:
        assert library.entries() == []


ADD = """
import sys
from citewell.library import library, writing
writing._BATCH = 3
with library.Library(sys.argv[1], create=True) as opened:
    opened.add([sys.argv[2]], tell=lambda done, total: print(done, flush=True))
"""


@pytest.mark.rare
@pytest.mark.slow
def test_an_addition_that_is_killed_goes_on_where_it_was(tmp_path, monkeypatch):
    after = 4  # two of these were read and not published
    folder, place = tmp_path / "ships", tmp_path / "library"
    folder.mkdir()
    for number in range(10):
        (folder / f"{number}.md").write_text(f"# Ship {number}\n\nShip {number} sailed to port {number % 3}.\n")
    with subprocess.Popen([sys.executable, "-c", ADD, str(place), str(folder)], stdout=subprocess.PIPE) as process:
        for _ in range(after):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    read, really = [], citewell.read
    monkeypatch.setattr(
        "citewell.library.writing.readers.read",
        lambda data, *, name: read.append(name) or really(data, name=name),
    )
    with Library(place) as library:
        assert len(library.add([folder]).failed) == 0
        assert sorted(titles(library)) == [f"Ship {number}" for number in range(10)]
        assert len(read) <= 10 - after
        result = [(entry.title, hit.score) for entry, hit in library.search("ship port 2", 10)]
    with Library(tmp_path / "fresh", create=True) as fresh:
        fresh.add([folder])
        assert sorted((entry.title, hit.score) for entry, hit in fresh.search("ship port 2", 10)) == sorted(result)


def test_a_segment_that_is_damaged_is_named(library, reports):
    library.add([reports])
    (path,) = (Path(library.place) / "segments").iterdir()
    path.write_bytes(path.read_bytes()[:-100])
    with Library(library.place) as again:
        with pytest.raises(LibraryError, match="damaged.*library repair"):
            again.search("Eider", 3)
        assert again.rebuild() == 2
        assert best(again, "Eider") == ["Ferry report 2024"]


def test_a_library_that_is_changed_while_it_is_opened_is_opened_as_it_became(tmp_path, monkeypatch):
    changing = Library(tmp_path / "library", create=True)
    changing.add([Document.from_text("The harbour froze.", source="a"), Document.from_text("Two ferries.", source="b")])
    reading = Library(tmp_path / "library")
    opened, times = reading._index.opened, []

    def late(connection, name):
        times.append(name)
        if len(times) == 1:
            changing.remove(["a"])  # writes the segment anew, and takes the old file away
        return opened(connection, name)

    monkeypatch.setattr(reading._index, "opened", late)
    assert [entry.source for entry in reading.entries()] == ["b"]
    assert len(times) == 2
    changing.close()
    reading.close()


def test_a_file_of_the_index_that_is_gone_without_a_change_is_told(tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        library.add([Document.from_text("The harbour froze.", source="a")])
    for path in (tmp_path / "library").rglob("*"):
        if path.is_file() and path.parent != tmp_path / "library":
            path.unlink()
    with Library(tmp_path / "library") as library, pytest.raises(LibraryError, match="repair"):
        library.entries()
