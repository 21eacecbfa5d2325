"""Kept results and corrections in a library's database, read and written inside somebody's transaction.

A row carries the labels of who made it, as one text, and is there for callers that carry all of them. Ids begin with
the time, so that the newest are the greatest, and end with chance, so that they tell nothing of other rows.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
import secrets
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from citewell.library.store import tables


class Summary(NamedTuple):
    """What is listed of a kept result: what was asked, of which documents, and how often each label was given."""

    id: str
    kind: str
    title: str
    created: dt.datetime
    documents: Sequence[Mapping[str, Any]]
    counts: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "created": _zoned(self.created).isoformat(),
            "documents": list(self.documents),
            "labels": dict(self.counts),
        }


class Correction(NamedTuple):
    """What a person says of a statement of a kept result.

    Attributes:
        id: its own.
        history: of the kept result.
        who: made it.
        created: when.
        statement: its position in the result.
        claim: its text.
        was: its label in the result.
        label: the right one, None where only citations or a note are given.
        citations: the evidence: that of the result, or the right one.
        moved: whether the evidence is the person's.
        note: in their words.
    """

    id: str
    history: str
    who: str
    created: dt.datetime
    statement: int
    claim: str
    was: str
    label: str | None
    citations: Sequence[Mapping[str, Any]]
    moved: bool
    note: str | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self._asdict(), "created": _zoned(self.created).isoformat(), "citations": list(self.citations)}


def new_id() -> str:
    """A name that was never given, greater than those that were given earlier."""
    return f"{time.time_ns() // 1000:014x}{secrets.token_hex(9)}"


def key(labels: Iterable[str]) -> str:
    """Labels as one text."""
    return json.dumps(sorted(set(labels)))


def visible(labels: Collection[str]) -> list[str]:
    """The keys of all rows that a caller with these labels may see: no row of others is looked at to tell."""
    ordered = sorted(set(labels))
    sizes = range(len(ordered) + 1)
    return [key(some) for size in sizes for some in itertools.combinations(ordered, size)]


def there(connection: sa.Connection, sources: Collection[str]) -> bool:
    """Whether all the documents are in the library, and stay there until this transaction ends."""
    table = tables.documents
    rows = sa.select(table.c.source).where(table.c.source.in_(sorted(set(sources)))).with_for_update(read=True)
    return set(connection.scalars(rows)) == set(sources)


def keep(connection: sa.Connection, row: Mapping[str, Any], sources: Collection[str]) -> None:
    """Put a result in, with the documents that it goes with."""
    connection.execute(sa.insert(tables.histories).values(**row))
    rows = [{"history": row["id"], "source": source} for source in sorted(set(sources))]
    if rows:
        connection.execute(sa.insert(tables.history_sources), rows)


def summaries(
    connection: sa.Connection, keys: Collection[str], words: Sequence[str], limit: int, before: str | None
) -> list[Summary]:
    """The newest results that have all the words, older than one of them where it is named."""
    table = tables.histories
    rows = sa.select(*(table.c[name] for name in Summary._fields)).where(table.c.labels.in_(keys))
    for word in words:
        rows = rows.where(table.c.words.contains(word, autoescape=True))
    if before is not None:
        rows = rows.where(table.c.id < before)
    return [Summary(*row) for row in connection.execute(rows.order_by(table.c.id.desc()).limit(limit))]


def entry(connection: sa.Connection, keys: Collection[str], name: str) -> sa.RowMapping | None:
    """A result with all of its row, None where there is none."""
    table = tables.histories
    return (
        connection.execute(sa.select(table).where((table.c.id == name) & table.c.labels.in_(keys))).mappings().first()
    )


def count(connection: sa.Connection, table: sa.Table, labels: str) -> int:
    """How many rows have exactly these labels."""
    return int(connection.scalar(sa.select(sa.func.count()).where(table.c.labels == labels)) or 0)


def delete(
    connection: sa.Connection, table: sa.Table, labels: str, who: str | None = None, name: str | None = None
) -> int:
    """Take rows out that have exactly these labels: of one maker, or one row; how many."""
    rows = sa.delete(table).where(table.c.labels == labels)
    if who is not None:
        rows = rows.where(table.c.who == who)
    if name is not None:
        rows = rows.where(table.c.id == name)
    return connection.execute(rows).rowcount


def correct(connection: sa.Connection, row: Mapping[str, Any], sources: Collection[str]) -> None:
    """Put a correction in, with the documents that it goes with."""
    connection.execute(sa.insert(tables.corrections).values(**row))
    rows = [{"correction": row["id"], "source": source} for source in sorted(set(sources))]
    if rows:
        connection.execute(sa.insert(tables.correction_sources), rows)


def corrections(connection: sa.Connection, keys: Collection[str], history: str | None) -> list[Correction]:
    """Corrections in the order in which they were made: of one result, or all."""
    table = tables.corrections
    rows = sa.select(*(table.c[name] for name in Correction._fields)).where(table.c.labels.in_(keys))
    if history is not None:
        rows = rows.where(table.c.history == history)
    return [Correction(*row) for row in connection.execute(rows.order_by(table.c.id))]


def _zoned(when: dt.datetime) -> dt.datetime:
    return when if when.tzinfo else when.replace(tzinfo=dt.UTC)  # SQLite keeps no zone
