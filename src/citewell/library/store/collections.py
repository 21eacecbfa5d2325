"""Named sets of documents in a library's database, within the caller's transaction."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from citewell.library.store import histories, tables
from citewell.text import safe

_MANY = 500  # sources in one statement


class Named(NamedTuple):
    """A named set of documents."""

    id: str  # of the set; ids begin with the time
    labels: tuple[str, ...]  # that a caller must carry to see it
    who: str  # owns it
    name: str  # in the owner's words
    members: tuple[str, ...]  # who see it too, and put documents in and take them out
    shared: bool  # whether all who carry the labels see it
    created: dt.datetime  # when
    sources: frozenset[str] = frozenset()  # of its documents


def visible(connection: sa.Connection, labels: Collection[str]) -> list[Named]:
    """The sets whose labels are all among these, in the order in which they were made."""
    table, members = tables.collections, tables.collection_documents
    rows = sa.select(table).where(table.c.labels.in_(histories.visible(labels))).order_by(table.c.id)
    found = list(connection.execute(rows).mappings())
    inside = defaultdict[str, set[str]](set)
    for name, source in connection.execute(
        sa.select(members.c.collection, members.c.source).where(members.c.collection.in_([row["id"] for row in found]))
    ):
        inside[name].add(source)
    return [_named(row, inside[row["id"]]) for row in found]


def insert(connection: sa.Connection, named: Named) -> None:
    """Put a set in, with its documents."""
    row = named._replace(labels=(), members=())._asdict()
    del row["sources"]
    values = {"labels": histories.key(named.labels), "members": list(named.members)}
    connection.execute(sa.insert(tables.collections).values(**{**row, **values}))
    _add(connection, named.id, named.sources)


def change(connection: sa.Connection, before: Named, after: Named) -> None:
    """Make a set what it is now."""
    table, members = tables.collections, tables.collection_documents
    values = {"name": after.name, "members": list(after.members), "shared": after.shared}
    connection.execute(sa.update(table).where(table.c.id == before.id).values(**values))
    gone = sorted(before.sources - after.sources)
    for start in range(0, len(gone), _MANY):
        some = members.c.source.in_(gone[start : start + _MANY])
        connection.execute(sa.delete(members).where((members.c.collection == before.id) & some))
    _add(connection, before.id, after.sources - before.sources)


def delete(connection: sa.Connection, name: str) -> None:
    """Take a set out; its documents stay where they are."""
    connection.execute(sa.delete(tables.collections).where(tables.collections.c.id == name))


def _add(connection: sa.Connection, name: str, sources: Iterable[str]) -> None:
    rows = [{"collection": name, "source": source} for source in sorted(sources)]
    if rows:
        connection.execute(sa.insert(tables.collection_documents), rows)


def _named(row: Mapping[Any, Any], sources: Collection[str]) -> Named:
    lists = {"labels": tuple(safe.loads(row["labels"])), "members": tuple(row["members"])}
    return Named(**{**row, **lists, "created": tables.zoned(row["created"]), "sources": frozenset(sources)})
