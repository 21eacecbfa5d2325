"""The tables of a library's database, the same in SQLite and PostgreSQL, declared in `tables.json`.

A column is declared by its type (`text64` is a text of at most 64 characters) and by what else it is. `since` is the
version of the tables with which a table or column came: migrations make what came with theirs.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

from citewell.text.data import read_json

DECLARED: dict[str, dict[str, Any]] = read_json(__package__, "tables.json")
_TYPES: dict[str, Any] = {
    "bytes": LargeBinary,
    "flag": Boolean,
    "integer": Integer,
    "json": JSON,
    # SQLite numbers rows by itself only in a column of exactly its own kind of integer.
    "number": BigInteger().with_variant(Integer, "sqlite"),
    "text": Text,
    "time": DateTime(timezone=True),
}


def since(words: str) -> int:
    """The version with which a column came, 0 where it came with its table."""
    return int(words.partition("since:")[2] or 0)


def column(name: str, words: str, *, indexed: bool = True) -> Column[Any]:
    """A column as it is declared."""
    kind, *flags = words.split()
    also = dict(flag.partition(":")[::2] for flag in flags)
    cascade = also.get("cascade")
    keys = [ForeignKey(cascade, ondelete="CASCADE")] if cascade else [ForeignKey(also["of"])] if "of" in also else []
    default = also.get("default")
    return Column(
        name,
        _TYPES.get(kind) or String(int(kind.removeprefix("text"))),
        *keys,
        primary_key="key" in also,
        autoincrement="numbered" not in also and "auto",
        nullable="null" in also,
        unique="unique" in also or None,
        index=("index" in also and indexed) or None,
        server_default=false() if default == "false" else default,
    )


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str) -> Table:
    declared = DECLARED[name]
    indexes = (Index(index, *columns) for index, columns in declared.get("indexes", {}).items())
    return Table(name, metadata, *(column(*each) for each in declared["columns"].items()), *indexes)


state, segments, documents, contents = map(_table, ("state", "segments", "documents", "contents"))
failures, encoder, users = map(_table, ("failures", "encoder", "users"))
histories, history_sources = map(_table, ("histories", "history_sources"))
corrections, correction_sources = map(_table, ("corrections", "correction_sources"))
collections, collection_documents = map(_table, ("collections", "collection_documents"))
FILE, OBJECT, GONE = "file", "object", "gone"  # kinds of `contents`


def zoned(when: dt.datetime) -> dt.datetime:
    """A time as a row holds it, in UTC where it has no zone: SQLite keeps none."""
    return when if when.tzinfo else when.replace(tzinfo=dt.UTC)
