"""A library whose disk is full, whose database is locked, or whose tables are of another version: told, and nothing lost."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from citewell import Document
from citewell.cli import main
from citewell.errors import InputError, InUseError, LibraryError, SchemaVersionError
from citewell.library.library import Library
from citewell.library.store import database
from citewell.library.store.database import FILE

SHIPS = [Document.from_text(f"Ship {n} sailed to port {n % 7}. " * 40, title=f"Ship {n}") for n in range(20)]


def hits_of(library):
    return [(entry.title, hit.ordinal, hit.score) for entry, hit in library.search("ship port 3", 9)]


@pytest.fixture
def whole(tmp_path):
    """What a library of all ships finds that nothing happened to."""
    with Library(tmp_path / "whole", create=True) as library:
        library.add(SHIPS)
        return hits_of(library)


@pytest.fixture
def pragma():
    """Say something to each new connection to SQLite, until it is taken back."""
    calls = []

    def connected(connection, _record):
        for words in calls:
            connection.execute(f"PRAGMA {words}")

    sa.event.listen(sa.Engine, "connect", connected)
    yield calls
    sa.event.remove(sa.Engine, "connect", connected)


def test_a_disk_that_is_full_under_the_database_is_told_and_the_rest_is_added_later(tmp_path, whole, pragma):
    with Library(tmp_path / "lib", create=True) as library:
        library.add(SHIPS[:3])
        pages = (tmp_path / "lib" / FILE).stat().st_size // 4096
    pragma.append(f"max_page_count = {pages + 4}")
    with Library(tmp_path / "lib") as library:
        with pytest.raises(LibraryError, match="lib is full: database or disk is full"):
            library.add(SHIPS)
        assert len(library.entries()) == 3
        assert library.failures() == []  # not the documents' fault
    pragma.clear()
    with Library(tmp_path / "lib") as library:
        assert library.add(SHIPS).added == 17
        assert hits_of(library) == whole


@pytest.mark.skipif(sys.platform != "linux", reason="what is synced is told by /proc")
def test_a_disk_that_is_full_under_the_index_is_told_and_the_rest_is_added_later(tmp_path, whole, monkeypatch):
    sync = os.fsync

    def full(handle):
        if Path(f"/proc/self/fd/{handle}").readlink().suffix == ".tmp":
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    with Library(tmp_path / "lib", create=True) as library:
        library.add(SHIPS[:3])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(InputError, match="arrays cannot be written: No space left on device"):
                library.add(SHIPS)
        assert len(library.entries()) == 3
        assert library.add(SHIPS).added == 17
        assert hits_of(library) == whole


def test_a_database_that_another_program_holds_is_told_in_the_end(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(database, "_WAIT", 0.05)
    with Library(tmp_path / "lib", create=True) as library:
        library.add(SHIPS[:3])
        other = sqlite3.connect(tmp_path / "lib" / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InUseError, match="lib is being written to for more than"):
            library.add(SHIPS)
        assert len(library.entries()) == 3  # who reads is not hindered
        other.close()
        assert library.add(SHIPS).added == 17
        assert hits_of(library) == whole


def older(place):
    """Make the tables those of the version before the last one, as far as their number goes."""
    with sqlite3.connect(place / FILE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
    connection.close()


def test_older_tables_that_may_not_be_changed_name_the_command_that_does(tmp_path, pragma):
    with Library(tmp_path / "lib", create=True) as library:
        newest = library.tables
    older(tmp_path / "lib")
    pragma.append("query_only = ON")
    with pytest.raises(SchemaVersionError) as caught:
        Library(tmp_path / "lib")
    assert str(caught.value) == (
        f"{tmp_path}/lib was written by an older citewell (tables 0002, this one needs {newest}) and may not be changed "
        f"with this access: someone who may runs citewell library migrate --library {tmp_path}/lib"
    )


def test_the_command_that_migrates_tells_the_version(tmp_path, capsys):
    with Library(tmp_path / "lib", create=True) as library:
        newest = library.tables
    assert main(["library", "migrate", "--library", str(tmp_path / "lib")]) == 0
    assert capsys.readouterr().out == f"tables of version {newest}\n"
    with sqlite3.connect(tmp_path / "lib" / FILE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert main(["library", "migrate", "--library", str(tmp_path / "lib")]) == 2
    assert "was written by a newer citewell (tables 9999, this one knows" in capsys.readouterr().err


@pytest.fixture
def small_disk(tmp_path):
    """A file system of two megabytes, where this process may make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if (
        mount is None
        or os.geteuid() != 0
        or subprocess.run([mount, *options], check=False, capture_output=True).returncode
    ):
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_stops_writing_and_not_reading(small_disk, capsys):
    place = small_disk / "lib"
    with Library(place, create=True) as library:
        library.add(SHIPS)
        wanted = hits_of(library)
    with (small_disk / "rest").open("wb", buffering=0) as rest, suppress(OSError):
        while rest.write(b"x" * 4096):
            pass
    assert shutil.disk_usage(small_disk).free == 0
    with Library(place) as library:
        assert hits_of(library) == wanted
        assert "port 3" in library.ask("Where did ship 3 sail to?").text
        for change in (
            lambda: library.add([Document.from_text("One more ship.")]),
            lambda: library.remove([SHIPS[0].id]),
        ):
            with pytest.raises((InputError, LibraryError), match="No space left|no space left"):
                change()
        assert len(library.entries()) == len(SHIPS)
    assert main(["ask", "--library", str(place), "Where did ship 3 sail to?"]) == 0
    assert "port 3" in capsys.readouterr().out
    assert main(["library", "remove", SHIPS[0].id, "--library", str(place)]) == 2
    assert "pace left" in capsys.readouterr().err
    (small_disk / "rest").unlink()
    with Library(place) as library:
        assert library.remove([SHIPS[0].id]) == 1
        assert len(library.entries()) == len(SHIPS) - 1
