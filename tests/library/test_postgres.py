"""A library on a PostgreSQL server: the same documents, scores and answers as in a folder, and its own faults."""

import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from citewell import Document, readers
from citewell.errors import InUseError, LibraryError, SchemaVersionError, UnreachableError
from citewell.library import writing
from citewell.library.library import Library
from citewell.library.store import database
from citewell.library.writing import Writer

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"
SHIPS = [Document.from_text(f"Ship {n} sailed to port {n % 7}.", title=f"Ship {n}") for n in range(20)]


@pytest.fixture
def address(postgres):
    return postgres.database()


def hits_of(library, question):
    return [(entry.id, hit.ordinal, hit.score) for entry, hit in library.search(question, 9)]


def test_a_server_finds_what_a_folder_finds_to_the_bit(address, tmp_path):
    report = EXAMPLES / "annual-report.pdf"
    with Library(address) as server, Library(tmp_path / "lib", create=True) as folder:
        for library in (server, folder):
            library.add([report, *SHIPS], data={"fleet": "north\x00"}, labels=["crew"])
    with Library(address, labels=["crew"]) as server, Library(tmp_path / "lib", labels=["crew"]) as folder:
        for question in ("port 3", "How many passengers in 2025?", "Eider"):
            assert hits_of(server, question) == hits_of(folder, question) != []
        answers = [library.ask("How many ships?").to_dict() for library in (server, folder)]
        for answer in answers:
            answer["usage"].pop("seconds")
        assert answers[0] == answers[1]
        assert server.document("annual-report.pdf").locate(100, 150) == folder.document("annual-report.pdf").locate(
            100, 150
        )
        assert len(server.entries("fleet ~ north")) == 21
    with Library(address) as server:
        assert server.entries() == []


@dataclass(frozen=True)
class Lengths:
    """An encoder that looks at how often some letters stand in a text."""

    name: ClassVar[str] = "lengths"

    def embed(self, texts, *, passages=False):
        return np.array([[text.count(letter) + 1 for letter in "0123456"] for text in texts], np.float32)


def test_vectors_are_kept_on_a_server_and_fetched_from_it(address, tmp_path, monkeypatch):
    with Library(tmp_path / "lib", create=True, encoder=Lengths(), retrieval="hybrid") as folder:
        folder.add(SHIPS)
        with Library(address, encoder=Lengths()) as writer:
            writer.add(SHIPS)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
        with Library(address, encoder=Lengths(), retrieval="hybrid") as reader:
            assert hits_of(reader, "ship 3 port") == hits_of(folder, "ship 3 port") != []


def test_another_machine_fetches_the_index_and_what_was_removed_is_gone(address, monkeypatch, tmp_path):
    with Library(address) as writer:
        writer.add(SHIPS)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
        with Library(address) as reader:
            assert hits_of(reader, "port 3") == hits_of(writer, "port 3") != []
            writer.remove([SHIPS[3].id])
            assert hits_of(reader, "ship 3") == hits_of(writer, "ship 3")
            with pytest.raises(LibraryError):
                reader.document(SHIPS[3].id)


def test_a_copy_that_was_changed_is_told(address, monkeypatch, tmp_path):
    with Library(address) as writer:
        writer.add(SHIPS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    with Library(address) as reader:
        reader.search("port", 1)
    (copy,) = (tmp_path / "other").rglob("*.arrays")
    copy.write_bytes(copy.read_bytes()[:-64])
    with Library(address) as reader:
        assert hits_of(reader, "port 3") != []  # fetched anew


def test_writers_queue_and_one_that_waits_too_long_is_told(address, monkeypatch):
    began, ended = threading.Event(), []

    def second():
        with Library(address) as other:
            began.set()
            other.add(SHIPS[3:6])
            ended.append(len(other.entries()))

    with Library(address) as library:
        with library.database.alone():
            writer = threading.Thread(target=second)
            writer.start()
            assert began.wait(60)
            Writer(library.database, library._index).take(SHIPS[0])
            monkeypatch.setattr(database, "_QUEUE", 1)
            with Library(address) as third, pytest.raises(InUseError, match="by other writers for 1 s"):
                third.add(SHIPS[:1])
            assert not ended
        library.add(SHIPS[:2])
        writer.join(120)
        assert ended
        assert {entry.title for entry in library.entries()} == {f"Ship {n}" for n in (0, 1, 3, 4, 5)}
        assert library.verify() == []


def test_a_restart_in_the_middle_of_an_addition_and_of_questions_is_survived(postgres, tmp_path, monkeypatch):
    address = postgres.database()
    monkeypatch.setattr(writing, "_BATCH", 3)
    restarted = []

    def tell(done, _total):
        if done == 5 and not restarted:
            restarted.append(done)
            postgres.stop()
            postgres.start()

    with Library(address) as library:
        added = library.add(SHIPS[:8], tell=tell)
        assert (added.added, added.unchanged, added.failed) == (8, 0, ())
        postgres.stop()
        back = threading.Thread(target=postgres.start)
        back.start()
        assert "port 3" in library.ask("Where did ship 3 sail to?").text
        back.join()
        with Library(tmp_path / "lib", create=True) as folder:
            folder.add(SHIPS[:8])
            hits = [[(entry.title, hit.score) for entry, hit in item.search("port 2", 9)] for item in (library, folder)]
            assert sorted(hits[0]) == sorted(hits[1]) != []


def test_a_writer_whose_server_forgot_that_it_is_alone_changes_nothing(address):
    with Library(address) as library:
        library.add(SHIPS[:2])

        def change():
            with library.database.alone():
                lock = library.database._lock[1]
                pid = lock.connection.driver_connection.info.backend_pid
                with library.database.engine.connect() as other:
                    other.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")
                with library.database.writing() as connection:
                    connection.exec_driver_sql("DELETE FROM documents")

        with pytest.raises(UnreachableError):
            change()
        assert len(library.entries()) == 2


OPEN = "import sys; from citewell.library.library import Library; Library(sys.argv[1]).close()"


@pytest.mark.rare
def test_several_may_make_a_library_at_once(address):
    ends = [subprocess.Popen([sys.executable, "-c", OPEN, address]) for _ in range(3)]
    assert [end.wait(120) for end in ends] == [0, 0, 0]


def test_a_server_that_goes_away_is_named_without_its_password(postgres, monkeypatch):
    monkeypatch.setattr(database, "_RESTART", 0)
    address = postgres.database().replace("tester@", "tester:hidden-word@")
    with Library(address) as library:
        library.add(SHIPS[:2])
        postgres.stop()
        try:
            with pytest.raises(UnreachableError) as caught:
                library.entries()
        finally:
            postgres.start()
        assert "hidden-word" not in str(caught.value)
        assert len(library.entries()) == 2


def test_an_addition_whose_server_goes_away_in_the_middle_goes_on_where_it_was(postgres, tmp_path, monkeypatch):
    address = postgres.database()
    monkeypatch.setattr(database, "_RESTART", 0)
    files = tmp_path / "ships"
    files.mkdir()
    for number in range(8):
        (files / f"{number}.md").write_text(f"# Ship {number}\n\nShip {number} sailed to port {number % 3}.\n")
    monkeypatch.setattr(writing, "_BATCH", 3)
    with Library(address) as library:

        def tell(done, _total):
            if done == 5:
                postgres.stop()

        try:
            with pytest.raises(UnreachableError):
                library.add([files], tell=tell)
        finally:
            postgres.start()
        assert len(library.entries()) == 3  # those that were published; two more were read
        assert library.failures() == []
        read, really = [], readers.read
        monkeypatch.setattr(
            "citewell.library.ahead.readers.read", lambda data, *, name: read.append(name) or really(data, name=name)
        )
        assert library.add([files]).added == 5
        assert len(read) == 3
        with Library(tmp_path / "lib", create=True) as folder:
            folder.add([files])
            hits = [[(entry.title, hit.score) for entry, hit in item.search("port 2", 9)] for item in (library, folder)]
            assert sorted(hits[0]) == sorted(hits[1]) != []


def test_a_server_whose_disk_is_full_is_told(address):
    text = "could not extend file: No space left on device"
    raises = f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = '{text}'; END $$"
    with Library(address) as library:
        library.add(SHIPS[:2])

        def emptied():
            with library.database.writing() as connection:
                connection.exec_driver_sql("DELETE FROM documents")
                connection.exec_driver_sql(raises)

        with pytest.raises(LibraryError, match="is full: could not extend file"):
            emptied()
        assert len(library.entries()) == 2


def test_tables_that_may_not_be_changed_are_read_and_older_ones_name_the_command_that_does(address):
    with Library(address) as library, library.database.writing() as connection:
        newest = library.tables
        for words in (
            "CREATE ROLE reader LOGIN",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        ):
            connection.exec_driver_sql(words)
    with Library(address) as library:
        library.add(SHIPS)
        found_by_all = hits_of(library, "port 3")
    theirs = address.replace("tester@", "reader@")
    with Library(theirs) as library:
        assert hits_of(library, "port 3") == found_by_all
        with pytest.raises(LibraryError, match="permission denied"):
            library.add([Document.from_text("A ship of theirs.")])
    with Library(address) as library, library.database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(SchemaVersionError, match=rf"tables 0001, this one needs {newest}.*citewell library migrate"):
        Library(theirs)
    with pytest.raises(LibraryError, match="has no tables yet, and none may be made with this access"):
        Library(re.sub("/library[0-9]+", "/postgres", theirs))


def test_there_is_no_server_at_a_wrong_address():
    with pytest.raises(UnreachableError, match="nowhere"):
        Library("postgresql://tester@/nowhere?host=/nowhere")
