"""However a library grew, and wherever it was stopped on the way, it is the library of the documents that it has."""

import datetime as dt
import os
import signal
import subprocess
import sys
import tracemalloc
from itertools import count

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from citewell import Document
from citewell.library import index
from citewell.library.library import Library
from citewell.library.search import arrays
from citewell.library.store import collections
from citewell.library.store.database import Database

pytestmark = pytest.mark.rare

WORDS = "ferry harbour froze ticket 12 Ärger burned".split()
PORTS = ("Aal", "Bree", "Cux", "Dorn", "Eck")
NUMBERS = count()


def ship(number, version):
    """The version of a document that is known under one source."""
    text = " ".join(WORDS[(number * 7 + version * 3 + place) % len(WORDS)] for place in range(4 + version))
    return Document.from_text(f"{text} {PORTS[number]}{version}.", title=f"Ship {number}", source=f"ship-{number}")


def hits_of(library):
    """Every hit of some questions; documents by title, since a library numbers them as they come."""
    question = ("ferry harbour 12", "Ärger", *(f"{port}{version}" for port in PORTS for version in range(3)))
    return [sorted((entry.title, hit.start, hit.score) for entry, hit in library.search(text, 99)) for text in question]


STEPS = st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 2)), min_size=1, max_size=8)


@examples(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.booleans())
def test_adding_changing_and_removing_in_any_order_leaves_no_trace(tmp_path, monkeypatch, steps, merging):
    monkeypatch.setattr(index, "TIER", 2 if merging else 99)
    place, there = tmp_path / str(next(NUMBERS)), {}
    with Library(place, create=True) as library:
        for number, version in steps:
            if version >= 0:
                library.add([ship(number, version)])
                there[number] = version
            elif there.pop(number, None) is not None:
                library.remove([f"ship-{number}"])
    with Library(place) as library, Library(tmp_path / f"{place.name}-fresh", create=True) as fresh:
        fresh.add([ship(number, version) for number, version in there.items()])
        assert hits_of(library) == hits_of(fresh)
        assert [entry.title for entry in library.entries()].sort() == [entry.title for entry in fresh.entries()].sort()


class Killed(BaseException):
    """The end of a process, as far as the library can tell."""


class Stops:
    """Ends whoever comes to the n-th step that changes a disk."""

    def __init__(self, after):
        self.left = after

    def step(self, *_):
        self.left -= 1
        if self.left < 0:
            raise Killed


def test_a_change_that_is_stopped_at_any_step_is_there_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    monkeypatch.setattr(index, "TIER", 2)
    before, after = [ship(n, 0) for n in range(3)], [ship(1, 1), ship(3, 0)]
    states = []
    for documents in (before, [*before[::2], *after]):
        with Library(tmp_path / f"state{len(states)}", create=True) as library:
            library.add(documents)
            states.append(hits_of(library))
    values, keep, tidy, after_steps = set(), arrays.keep, index.Index.tidy, 0
    for after_steps in count():
        place, stops = tmp_path / str(after_steps), Stops(after_steps)
        with Library(place, create=True) as library:
            library.add(before)
        with monkeypatch.context() as patch, Library(place) as library:
            patch.setattr(arrays, "keep", lambda folder, data, stops=stops: stops.step() or keep(folder, data))
            patch.setattr(index.Index, "tidy", lambda value, names, stops=stops: stops.step() or tidy(value, names))
            sa.event.listen(library.database.engine, "commit", stops.step)
            try:
                library.add(after)
            except Killed:
                pass
            else:
                break
        with Library(place) as library:
            values.add(states.index(hits_of(library)))
            library.add(after)
            assert hits_of(library) == states[1]
            assert len(library.entries()) == 4
            names = {path.stem for path in (place / "segments").iterdir()}
            assert len(names) == len(library.snapshot().segments)
    assert values == {0, 1}
    assert after_steps > 5


OPEN = "import sys; from citewell.library.library import Library; Library(sys.argv[1]).close()"


@pytest.mark.slow
def test_several_processes_may_bring_old_tables_to_this_version_at_once_and_one_may_be_killed(tmp_path):
    place = tmp_path / "old"
    place.mkdir()
    first, config = Database(str(place), place), Config()
    config.set_main_option("script_location", "citewell.library:migrations")
    with first.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    first.close()
    ends = [subprocess.Popen([sys.executable, "-c", OPEN, str(place)]) for _ in range(3)]
    try:
        ends[0].wait(0.8)  # somewhere on its way, or done
    except subprocess.TimeoutExpired:
        os.kill(ends[0].pid, signal.SIGKILL)
    assert [end.wait(120) for end in ends[1:]] == [0, 0]
    ends[0].wait()
    with Library(place) as library, Library(tmp_path / "new", create=True) as new:
        assert library.tables == new.tables
        library.add([ship(1, 0)])
        assert library.search("ferry ticket harbour", 1)


def test_tables_of_before_there_were_collections_keep_what_they_hold(tmp_path):
    place, config = tmp_path / "old", Config()
    place.mkdir()
    old = Database(str(place), place)
    config.set_main_option("script_location", "citewell.library:migrations")
    with old.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0007")
        at = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
        values = {"source": "/gone.pdf", "type": "DocumentError", "message": "no", "at": at, "labels": ["a"]}
        types = {"at": sa.DateTime(timezone=True), "labels": sa.JSON()}
        table = sa.table("failures", *(sa.column(name, types.get(name, sa.Text())) for name in values))
        connection.execute(sa.insert(table).values(**values))
    old.close()
    with Library(place, labels=["a"]) as library:
        (failure,) = library.failures()
        assert (failure.source, failure.at, failure.labels, failure.data) == ("/gone.pdf", at, ("a",), {})
        with library.database.reading() as connection:
            assert collections.visible(connection, ["a"]) == []


def test_what_is_opened_is_mapped_and_not_read(tmp_path):
    paragraphs = [f"{' '.join(WORDS)} {number} {number * 7} {number * 13}." for number in range(3_000)]
    with Library(tmp_path / "lib", create=True) as library:
        library.add([Document.from_passages(paragraphs, "Ships")])
    size = sum(path.stat().st_size for path in (tmp_path / "lib" / "segments").iterdir())
    with Library(tmp_path / "lib") as library:
        library.entries()  # what every library loads
        library.close()
    with Library(tmp_path / "lib") as library:
        tracemalloc.start()
        library.snapshot()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < size / 3
        assert library.search("2999", 1)[0][1].ordinal == 2999
