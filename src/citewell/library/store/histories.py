"""Saved results and corrections in a library's database, within the caller's transaction.

A row carries the labels of who made it, as one text, and is there for callers that carry all of them. Ids begin with
the time, so that the newest are the greatest, and end with chance, so that they tell nothing of other rows.
"""

from __future__ import annotations

import itertools
import json
import secrets
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from citewell.library.kept import Correction, KeptResult, Summary
from citewell.library.store import tables
from citewell.text import safe


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


class View(NamedTuple):
    """Which rows a caller sees and may change."""

    labels: str  # the key of exactly the caller's labels
    keys: Collection[str]  # the keys of all labels that the caller carries
    owner: str | None  # the caller's name, None for one who sees and changes the rows of everybody with these labels

    def editable(self, table: sa.Table) -> sa.ColumnElement[bool]:
        """The rows that the caller may change."""
        rows = table.c.labels == self.labels
        return rows if self.owner is None else rows & (table.c.who == self.owner)

    def results(self) -> sa.ColumnElement[bool]:
        """The kept results that the caller sees: their own, and those that are shared."""
        table = tables.histories
        rows = table.c.labels.in_(self.keys)
        return rows if self.owner is None else rows & ((table.c.who == self.owner) | table.c.shared)

    def corrections(self) -> sa.ColumnElement[bool]:
        """The corrections that the caller sees: their own, and those of results that they see."""
        table = tables.corrections
        rows = table.c.labels.in_(self.keys)
        if self.owner is None:
            return rows
        results = sa.select(tables.histories.c.id).where(self.results())
        return rows & ((table.c.who == self.owner) | table.c.history.in_(results))


def there(connection: sa.Connection, sources: Collection[str]) -> bool:
    """Whether all the documents are in the library, and stay there until this transaction ends."""
    table = tables.documents
    rows = sa.select(table.c.source).where(table.c.source.in_(sorted(set(sources)))).with_for_update(read=True)
    return set(connection.scalars(rows)) == set(sources)


def keep(connection: sa.Connection, row: Mapping[str, Any], sources: Collection[str]) -> None:
    """Put a result in, with the documents that it goes with."""
    _put(connection, tables.histories, tables.history_sources, "history", row, sources)


def _put(
    connection: sa.Connection,
    table: sa.Table,
    of_sources: sa.Table,
    named: str,
    row: Mapping[str, Any],
    sources: Collection[str],
) -> None:
    connection.execute(sa.insert(table).values(**row))
    if rows := [{named: row["id"], "source": source} for source in sorted(set(sources))]:
        connection.execute(sa.insert(of_sources), rows)


def summaries(
    connection: sa.Connection,
    view: View,
    words: Sequence[str],
    limit: int,
    before: str | None,
    thread: str | None = None,
) -> list[Summary]:
    """The newest results that have all the words, older than one of them and of one thread where these are named."""
    table = tables.histories
    rows = sa.select(*_summary()).where(view.results())
    for word in words:
        rows = rows.where(table.c.words.contains(word, autoescape=True))
    if before is not None:
        rows = rows.where(table.c.id < before)
    if thread is not None:
        rows = rows.where(table.c.thread == thread)
    matches = connection.execute(rows.order_by(table.c.id.desc()).limit(limit))
    return [Summary(*row)._replace(created=tables.zoned(row.created)) for row in matches]


def entry(connection: sa.Connection, view: View, name: str) -> KeptResult | None:
    """A result with what was asked, None where there is none."""
    table = tables.histories
    wanted = sa.select(*_summary(), table.c.request, table.c.result)
    row = connection.execute(wanted.where((table.c.id == name) & view.results())).first()
    if row is None:
        return None
    *payload, request, result = row
    summary = Summary(*payload)._replace(created=tables.zoned(row.created))
    return KeptResult(summary, safe.loads(request), safe.loads(result))


def _summary() -> list[sa.Column[Any]]:
    """The columns of what is listed."""
    table = tables.histories
    return [table.c["counts" if name == "labels" else name] for name in Summary._fields]


def count(connection: sa.Connection, table: sa.Table, labels: str, owner: str) -> int:
    """How many rows of an owner have exactly these labels."""
    rows = (table.c.labels == labels) & (table.c.who == owner)
    return int(connection.scalar(sa.select(sa.func.count()).where(rows)) or 0)


def share(connection: sa.Connection, view: View, name: str, *, shared: bool) -> int:
    """Let all who carry the labels of a result see it, or only its owner; how many results there are of this id."""
    table = tables.histories
    rows = sa.update(table).where(view.editable(table) & (table.c.id == name)).values(shared=shared)
    return connection.execute(rows).rowcount


def delete(connection: sa.Connection, table: sa.Table, view: View, name: str | None = None) -> int:
    """Take out the rows that the caller may change, or one of them; how many."""
    rows = sa.delete(table).where(view.editable(table))
    if name is not None:
        rows = rows.where(table.c.id == name)
    return connection.execute(rows).rowcount


def correct(connection: sa.Connection, row: Mapping[str, Any], sources: Collection[str]) -> None:
    """Put a correction in, with the documents that it goes with."""
    _put(connection, tables.corrections, tables.correction_sources, "correction", row, sources)


def corrections(connection: sa.Connection, view: View, history: str | None) -> list[Correction]:
    """Corrections in the order in which they were made: of one result, or all."""
    table = tables.corrections
    rows = sa.select(*(table.c[name] for name in Correction._fields)).where(view.corrections())
    if history is not None:
        rows = rows.where(table.c.history == history)
    matches = connection.execute(rows.order_by(table.c.id))
    return [Correction(*row)._replace(created=tables.zoned(row.created)) for row in matches]
