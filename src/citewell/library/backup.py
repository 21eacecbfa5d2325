"""Copies one consistent state of a library: backup, restore, and moving to or from a server.

Everything is read in one transaction, so that others may write meanwhile. The copy is a library itself.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.errors import LibraryError, of_files
from citewell.library.index import FOLDER
from citewell.library.library import Library
from citewell.library.search import arrays
from citewell.library.store import objects, records, tables
from citewell.library.store.database import Database, is_address

if TYPE_CHECKING:
    import sqlalchemy as sa

_TRIES = 5  # a segment's file may go between the reading of its name and of its bytes
_ROWS = 64  # that are held at once


class Copied(NamedTuple):
    """What a copy holds: documents, and the generation of the library that it is of."""

    documents: int
    generation: int


def copy(source: Library, place: str) -> Copied:
    """Copy a library, with kept results, corrections and users, to a folder or server that has none yet.

    A folder appears when it is whole. What is copied are bytes: `verify` says whether they were damaged before. Raises
    LibraryError: there is a library at the place, or one cannot be made there; or the source's index is damaged.
    """
    if is_address(place):
        with Library(place) as library:
            return _filled(source.database, library.database)
    target = Path(place)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise LibraryError(f"{place} is there already: name a folder that is not")
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with of_files(f"{place} cannot be written", LibraryError):
            with Library(part, create=True) as library:
                copied = _filled(source.database, library.database)
            if target.exists():
                target.rmdir()
            part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return copied


def _filled(source: Database, target: Database) -> Copied:
    for tried in range(_TRIES):
        try:
            return _once(source, target)
        except FileNotFoundError as error:  # a writer merged segments in between: begin with the state that is now
            if tried == _TRIES - 1:
                raise LibraryError(f"{error.filename} is gone: citewell library repair rebuilds the index") from error
    raise AssertionError


def _once(source: Database, target: Database) -> Copied:
    with source.reading() as reader, target.writing() as writer:
        if records.entries(writer) or records.segments(writer):
            raise LibraryError(f"{target} has documents: restore into an empty database")
        segments = [kept.name for kept in records.segments(reader)]
        data = {name: _segment(source, target, reader, name) for name in segments}
        for table in tables.metadata.sorted_tables:
            writer.execute(table.delete())
            for rows in _rows(reader, table):
                named = [row | {"data": data[row["name"]]} for row in rows] if table is tables.segments else rows
                if table is tables.contents:
                    named = [row if row["kind"] != tables.OBJECT else _file(reader, row) for row in rows]
                    named = [row for row in named if row["kind"] != tables.GONE]
                if named:
                    writer.execute(table.insert(), named)
        return Copied(len(records.entries(reader)), records.generation(reader))


def _file(reader: sa.Connection, row: dict[str, Any]) -> dict[str, Any]:
    """An object of a store as a row with its bytes: a copy lives without the store of what it was copied from."""
    return row | {"kind": tables.FILE, "data": objects.file(reader, row["content"])}


def _segment(source: Database, target: Database, reader: sa.Connection, name: str) -> bytes | None:
    """A segment's bytes for a server; beside SQLite they become a file."""
    if source.sqlite:
        data = (source.folder / FOLDER / f"{name}{arrays.SUFFIX}").read_bytes()
    else:
        data = records.segment_data(reader, name) or b""
    if arrays.name_of(data) != name:
        raise LibraryError(f"{source} is damaged: citewell library repair rebuilds the index")
    if not target.sqlite:
        return data
    arrays.keep(target.folder / FOLDER, data)
    return None


def _rows(reader: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    """The rows of a table by their keys, in portions: a driver holds a whole result. No segment's bytes."""
    import sqlalchemy as sa

    keys = list(table.primary_key)
    query = sa.select(*(column for column in table.c if column is not tables.segments.c.data)).order_by(*keys)
    query = query.limit(_ROWS)
    portion = query
    while rows := list(reader.execute(portion).mappings()):
        yield [{name: _utc(value) for name, value in row.items()} for row in rows]
        last = (sa.literal(rows[-1][key.name], key.type) for key in keys)
        portion = query.where(sa.tuple_(*keys) > sa.tuple_(*last))


def _utc(value: Any) -> Any:
    """A time with its zone: SQLite keeps none, and each server shows its own."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)
    return value
