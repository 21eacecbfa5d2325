"""The files of documents as objects in a store such as S3; the database records their names.

A file is put into the database in one change with what was read from it, and moved by whoever is through with changing
the library. An object stands in the database as one to be removed before it is written, and until it is removed: so a
process may end anywhere, and no row lacks its bytes and no object is forgotten.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from citewell.errors import InputError, LibraryError, StoreUnreachableError, UsageError
from citewell.library import addresses
from citewell.library.store import records
from citewell.library.store.tables import FILE, GONE, OBJECT
from citewell.text import safe

if TYPE_CHECKING:
    import sqlalchemy as sa

    from citewell.library.store.records import Entry

_KINDS = ("s3", "gs")
_MARK = "citewell"  # an object that a start writes, by which the store is known to answer
# The clients' own patience is minutes, in which a request and everybody who changes the library would wait.
_S3 = {"connect_timeout": 3, "read_timeout": 15, "retries": {"total_max_attempts": 2}}


class _Database(Protocol):
    """What names the objects."""

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """One state of it."""

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """One change of it."""


def begin(folder: str) -> None:
    """Hold the address of a folder of objects, and write to it.

    Raises UsageError: it is none; MissingExtraError: the package for such addresses is not installed;
    StoreUnreachableError: it cannot be written to.
    """
    if addresses.scheme(folder) not in _KINDS:
        raise UsageError(f"files are kept at s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, not at {safe.scrub(folder)}")
    _write(f"{folder}/{_MARK}", b"citewell keeps the files of documents here\n")


def answers(folder: str) -> bool:
    """Whether the store of a folder of objects can be reached."""
    try:
        return _is_there(f"{folder}/{_MARK}")
    except StoreUnreachableError:
        return False


def file(connection: sa.Connection, content: str) -> bytes | None:
    """The file with a content, wherever its bytes lie; None where there is none.

    Raises StoreUnreachableError: its store does not answer; LibraryError: its object is gone.
    """
    data = records.content(connection, content, FILE)
    if data is not None:
        return data
    place = records.content(connection, content, OBJECT)
    return None if place is None else _read(place.decode())


def removable(connection: sa.Connection, entries: Sequence[Entry]) -> None:
    """Reach the store of files that are to be removed, so that they stay as a whole where it is lost.

    Raises StoreUnreachableError: it does not answer.
    """
    for entry in entries:
        if (place := records.content(connection, entry.content, OBJECT)) is not None:
            _is_there(place.decode())
            return


def settle(database: _Database, folder: str | None) -> None:
    """Take away objects that no document has any more, and move files out of the database where they have a folder.

    Raises StoreUnreachableError: a store does not answer; the database knows what is left to do.
    """
    with database.reading() as connection:
        gone, files = records.kept_as(connection, GONE), records.kept_as(connection, FILE) if folder else []
    again = set(files)
    if again:
        with database.writing() as connection:
            records.replaced(connection, again)
            gone = records.kept_as(connection, GONE)
    for content in gone:
        with database.reading() as connection:
            place = records.content(connection, content, GONE) or b""
        _remove(place.decode())
        with database.writing() as connection:
            records.forget(connection, content, GONE)
    for content in files:
        place = f"{folder}/{content}-{secrets.token_hex(4)}".encode()
        with database.writing() as connection:
            data = records.content(connection, content, FILE)
            records.keep(connection, content, GONE, place)
        if data is not None:
            _write(place.decode(), data)
        with database.writing() as connection:
            records.moved_out(connection, content)


def _store(place: str) -> tuple[Any, str]:
    if addresses.scheme(place) != "s3":
        return addresses.store(place)
    store, path = addresses.store(place, config_kwargs=_S3)
    store.retries = 1  # s3fs tries around the tries of the client below it
    return store, path


@contextmanager
def _faults(place: str, verb: str) -> Iterator[None]:
    try:
        with addresses.faults(safe.scrub(place), verb):
            yield
    except InputError as error:
        if verb == "read" and isinstance(error.__cause__, FileNotFoundError):
            raise LibraryError(f"{safe.scrub(place)} is not in its store any more") from error
        raise StoreUnreachableError(str(error)) from error


def _read(place: str) -> bytes:
    with _faults(place, "read"):
        store, path = _store(place)
        data: bytes = store.cat_file(path)
        return data


def _is_there(place: str) -> bool:
    with _faults(place, "reached"):
        store, path = _store(place)
        try:
            store.info(path)
        except FileNotFoundError:
            return False
        return True


def _write(place: str, data: bytes) -> None:
    with _faults(place, "written"):
        store, path = _store(place)
        store.pipe_file(path, data)


def _remove(place: str) -> None:
    with _faults(place, "removed"):
        store, path = _store(place)
        try:
            store.rm_file(path)
        except FileNotFoundError:
            return
