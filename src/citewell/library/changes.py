"""Changes in a library since a given state: the numbers of all documents, the new ones, and the failures."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from citewell.library.store import records, tables
from citewell.library.store.database import Database
from citewell.library.store.records import Entry, Failure

State = tuple[int, int, str]  # the generation, how many failures there are, and the time of the last one


class Changes(NamedTuple):
    """A library as it is now, beside an earlier look at it."""

    state: State  # by which the next look tells whether anything has changed
    numbers: list[int]  # of all documents; one that was read anew or got other labels has a new number
    new: list[Entry]  # documents with a higher number than those of the earlier look
    failures: list[Failure]  # all of them


def since(database: Database, before: State | None, behind: int) -> Changes | None:
    """What has changed since a state, None where nothing has; documents whoever may see them.

    Args:
        database: of the library.
        before: the state of the earlier look, None for the first one.
        behind: the highest number that was seen, 0 for none.
    """
    with database.reading() as connection:
        table = tables.failures
        count, last = connection.execute(sa.select(sa.func.count(), sa.func.max(table.c.at))).one()
        state = (records.generation(connection), int(count), str(last))
        if state == before:
            return None
        numbers = list(connection.scalars(sa.select(tables.documents.c.number).order_by(tables.documents.c.number)))
        return Changes(state, numbers, records.entries_behind(connection, behind), records.failures(connection))
