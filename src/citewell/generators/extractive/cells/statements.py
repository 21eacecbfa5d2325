"""Identifies the company's own statements, and the introduction of each table."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import product

from citewell.document import Document
from citewell.types import Table

_KINDS = ("income", "balance", "cash")
_LEAST_ROWS = 8  # of a whole statement
_MOST_ROWS = 60  # more rows say no more
_SPREAD = 60_000  # characters between the first and the last of a company's statements, at most
_APART = 3_000  # characters of distance that weigh as much as a row
_GOES_ON = 2_500  # characters behind a statement in which its last rows may stand as a table of their own
_AGAIN = 8  # labels of a piece for each that the other piece of its statement has as well ("Deferred income taxes")
_NAMED = 5  # characters of a label at least: "Basic", "Other" are those of many rows
_CANDIDATES = 12  # tables of a kind that are weighed, those of most rows
_CONSOLIDATED = re.compile(r"^(?!.*\breconcil).*\bconsolidated\b", re.IGNORECASE | re.DOTALL)
LEADS = re.compile(r"\b(?:following|as follows|below|tables?|presented|summari[sz]e[sd]?)\b", re.IGNORECASE)
_RUN_IN = re.compile(r"([A-Z][\w’'&-]*(?: [\w’'&-]+){0,4})\.\s")  # a heading before its text: "Gross Bookings. We"
_BLOCKS = 4  # blocks above a table that may introduce it
_LONG = 500  # characters of such a block, at most
_ROUND = 1_200  # characters above a table in which they stand


def primary(tables: Sequence[Table]) -> frozenset[int]:
    """The numbers of the tables that are the company's statements: three that stand together and have most rows.

    Reports print statements of a parent, of guarantors and of parts as well; those are shorter, or stand alone.
    """
    by_kind = []
    for kind in _KINDS:
        candidates = [number for number, table in enumerate(tables) if table.kind == kind and table.rows >= _LEAST_ROWS]
        by_kind.append(sorted(candidates, key=lambda number: -tables[number].rows)[:_CANDIDATES])
    best: tuple[float, tuple[int, ...]] | None = None
    for numbers in product(*by_kind):
        starts = [tables[number].start for number in numbers]
        spread = max(starts) - min(starts)
        if spread > _SPREAD:
            continue
        rows = sum(min(_MOST_ROWS, tables[number].rows) for number in numbers)
        called = 10 * sum(_CONSOLIDATED.search(tables[number].title) is not None for number in numbers)
        worth = rows + called - spread / _APART - min(starts) / 1e9
        if best is None or worth > best[0]:
            best = worth, numbers
    if best is None:
        return frozenset()
    chosen = set(best[1])
    for number in best[1]:
        names = set(_labels(tables[number]))
        for step in (-1, 1):
            place = number + step
            while 0 <= place < len(tables) and _goes_on(tables[place - step], tables[place], names):
                chosen.add(place)
                names.update(_labels(tables[place]))
                place += step
    return frozenset(chosen)


def _goes_on(piece: Table, other: Table, names: AbstractSet[str]) -> bool:
    """Whether a table goes on with a statement beside a piece of it: its rows are other than `names` but for some few.

    The last row of a page may be carried over to the next.
    """
    first, second = (piece, other) if piece.start < other.start else (other, piece)
    if second.start - first.end >= _GOES_ON or second.kind != first.kind or second.title != first.title:
        return False
    here = _labels(other)
    carried = _labels(first)[-1:] == _labels(second)[:1]
    return (len(names & set(here)) - carried) * _AGAIN <= min(len(names), len(here))


def _labels(table: Table) -> tuple[str, ...]:
    """What the rows of a table are called: a part of a statement that repeats them tells of what they include."""
    names = (cell.text.lower() for cell in table.cells if cell.role == "label" and len(cell.text) > _NAMED)
    return tuple(dict.fromkeys(names))


def introductions(document: Document, tables: Sequence[Table]) -> tuple[str, ...]:
    """For each table the text that leads to it: the short blocks above it, and the headings of its section."""
    starts = [block.start for block in document.blocks]
    result = []
    for table in tables:
        place = bisect_right(starts, table.start) - 1
        collected = []
        for block in reversed(document.blocks[max(0, place - _BLOCKS) : place]):
            if block.kind == "table_row" or block.end < table.start - _ROUND:
                break
            text = document.text[block.start : block.end].strip()
            named = _RUN_IN.match(text)
            if block.kind in ("heading", "caption") or text.endswith(":") or LEADS.search(text):
                collected.append(text[-_LONG:])
            elif named and not collected:
                collected.append(named[1])
        result.append(" ".join(reversed(collected)))
    return tuple(result)
