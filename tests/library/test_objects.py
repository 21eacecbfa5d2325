"""Files of documents in an S3 store: whole wherever a process ends, removed with their document, missed when it is lost."""

import socket
import time

import pytest
import sqlalchemy as sa

pytest.importorskip("sqlalchemy")

import s3_server
from citewell.errors import LibraryError, MissingExtraError, StoreUnreachableError, UsageError
from citewell.library import addresses, backup
from citewell.library.library import Library
from citewell.library.store import objects, records

pytestmark = [pytest.mark.rare, pytest.mark.slow, *(pytest.mark.filterwarnings(line) for line in s3_server.WARNINGS)]
FOLDER = "s3://bucket/reports"
FERRY, SHIP = b"The ferry lost $3 million in 2024.\n", b"The ship sailed north in 2021.\n"


@pytest.fixture
def bucket(monkeypatch):
    with s3_server.bucket(monkeypatch) as started:
        yield started


@pytest.fixture
def paths(tmp_path):
    for name, data in (("ferry.txt", FERRY), ("ship.txt", SHIP)):
        (tmp_path / name).write_bytes(data)
    return [tmp_path / "ferry.txt", tmp_path / "ship.txt"]


def kinds(library):
    with library.database.reading() as connection:
        table = sa.Table("contents", sa.MetaData(), autoload_with=connection)
        return sorted(kind for kind in connection.scalars(sa.select(table.c.kind)) if not kind.startswith("document"))


@pytest.mark.parametrize("server", [False, True])
def test_files_lie_in_the_store_until_their_document_is_removed(bucket, paths, tmp_path, request, server):
    place = request.getfixturevalue("postgres").database() if server else str(tmp_path / "library")
    with Library(place, create=True, files=FOLDER) as library:
        library.add(paths)
        assert kinds(library) == ["object", "object"]
        assert sorted(map(bucket.store.cat_file, bucket.names("bucket/reports"))) == [FERRY, SHIP]
        assert library.add(paths).unchanged == 2
        assert library.ask("What did the ferry lose in 2024?").statements
    with Library(place) as library:  # whoever opens it finds them: their addresses stand in the database
        assert {library.file(entry) for entry in library.entries()} == {FERRY, SHIP}
        assert library.verify() == []
        library.remove(["ferry.txt"])
        assert list(map(bucket.store.cat_file, bucket.names("bucket/reports"))) == [SHIP]
        backup.copy(library, str(tmp_path / "backup"))
        library.remove(["ship.txt"])
        assert bucket.names("bucket/reports") == []
        assert kinds(library) == []
    with Library(tmp_path / "backup") as library:  # and a backup is whole without the store
        assert kinds(library) == ["file"]
        assert library.verify() == []
        assert library.file(library.entries()[0]) == SHIP


def test_a_library_that_has_files_gives_them_to_the_store(bucket, paths, tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        library.add(paths)
        assert kinds(library) == ["file", "file"]
    with Library(tmp_path / "library", files=FOLDER) as library:
        library.database.settle()
        assert kinds(library) == ["object", "object"]
        assert {library.file(entry) for entry in library.entries()} == {FERRY, SHIP}


class Killed(BaseException):
    """The end of a process."""


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("where", ["_write", "_remove", "moved_out"])
def test_whenever_a_process_ends_no_file_is_lost_and_no_object_left(
    bucket, paths, tmp_path, monkeypatch, where, written
):
    """Killed before a step, or between the step in the store and its row in the database."""
    of = records if where == "moved_out" else objects
    true = getattr(of, where)

    def step(*values):
        if written:
            true(*values)
        raise Killed

    with Library(tmp_path / "library", create=True, files=FOLDER) as library:
        if where == "_remove":
            library.add(paths)
        monkeypatch.setattr(of, where, step)
        change, sources = (library.remove, ["ship.txt"]) if where == "_remove" else (library.add, paths)
        with pytest.raises(Killed):
            change(sources)
    monkeypatch.setattr(of, where, true)
    with Library(tmp_path / "library", files=FOLDER) as library:
        left = {FERRY} if where == "_remove" else {FERRY, SHIP}
        assert {library.file(entry) for entry in library.entries()} == left
        library.database.settle()
        assert set(map(bucket.store.cat_file, bucket.names("bucket/reports"))) == left
        assert len(bucket.names("bucket/reports")) == len(left)
        assert kinds(library) == ["object"] * len(left)
        library.remove([entry.source for entry in library.entries()])
        assert bucket.names("bucket/reports") == []


def test_a_lost_store_loses_nothing(bucket, paths, tmp_path):
    with Library(tmp_path / "library", create=True, files=FOLDER) as library:
        objects.begin(FOLDER)
        assert objects.answers(FOLDER)
        library.add(paths[:1])
        bucket.lose()
        assert not objects.answers(FOLDER)
        with pytest.raises(StoreUnreachableError, match=r"^s3://bucket/reports/\w+-\w+ cannot be read: "):
            library.file(library.entries()[0])
        with pytest.raises(StoreUnreachableError, match="cannot be reached"):
            library.remove(["ferry.txt"])
        assert library.add(paths[1:]).added == 1  # its file waits in the database
        assert kinds(library) == ["file", "gone", "object"]
        assert library.file(library.entries()[1]) == SHIP
        library.remove(["ship.txt"])
        bucket.start()
        library.add(paths[1:])
        assert kinds(library) == ["object", "object"]
        assert sorted(map(bucket.store.cat_file, bucket.names("bucket/reports"))) == [FERRY, SHIP]


def test_a_store_that_takes_requests_and_never_answers_is_waited_for_a_moment(bucket, monkeypatch):
    monkeypatch.setattr(objects, "_S3", {**objects._S3, "read_timeout": 0.2})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        began = time.monotonic()
        assert not objects.answers(FOLDER)
    assert time.monotonic() - began < 5  # two tries, not ten with pauses that grow


def test_a_lost_object_is_damage_that_adding_its_file_mends(bucket, paths, tmp_path):
    with Library(tmp_path / "library", create=True, files=FOLDER) as library:
        library.add(paths[:1])
        bucket.store.rm(bucket.names("bucket/reports")[0])
        with pytest.raises(LibraryError, match="is not in its store any more"):
            library.file(library.entries()[0])
        assert [damage.part for damage in library.verify()] == ["file"]
        library.remove(["ferry.txt"])
        library.add(paths[:1])
        assert library.verify() == []


def test_only_a_folder_of_a_store_that_can_be_written_to_is_taken(bucket, monkeypatch):
    for wrong in ("files", "hf://datasets/files"):
        with pytest.raises(UsageError, match=f"files are kept at s3://BUCKET/PREFIX .* not at {wrong}"):
            objects.begin(wrong)
    with pytest.raises(StoreUnreachableError, match=r"^s3://other/x/citewell cannot be written: The specified bucket"):
        objects.begin("s3://other/x")
    monkeypatch.setattr(addresses, "find_spec", lambda name: None if name == "s3fs" else True)
    with pytest.raises(MissingExtraError) as error:
        objects.begin(FOLDER)
    assert str(error.value) == "an address of s3:// needs the package 's3fs': pip install 'citewell[s3]'"
