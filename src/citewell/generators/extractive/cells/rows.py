"""The rows of a document's tables for matching with questions: labels, sections, headers, periods."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.calendar.fiscal import FiscalYears, fiscal_years
from citewell.facts.calendar.period import TypedPeriod, without_period
from citewell.facts.tables.paths import is_time
from citewell.facts.tables.wording import titles
from citewell.generators.extractive.cells import coverage
from citewell.generators.extractive.cells.breakdowns import breakdowns
from citewell.generators.extractive.cells.shares import Share, shares
from citewell.generators.extractive.cells.statements import introductions, primary
from citewell.generators.extractive.cells.wordings import PACKAGE, aside_terms, concepts, item_terms, sayings
from citewell.text.data import words
from citewell.types import Cell, Table

_ROUNDED = 0.01  # of a figure: a table in billions has it less exactly
_OTHERWISE = 2  # rows of a table whose figures are others than in the own statements


class Row(NamedTuple):
    """A row of a table with what it is called."""

    table: int
    number: int
    label: frozenset[str]
    path: frozenset[str]
    asides: frozenset[str]
    wording: str
    tags: Mapping[int, float]
    cells: tuple[Cell, ...]
    heads: tuple[frozenset[str], ...]
    periods: tuple[TypedPeriod, ...]


class About(NamedTuple):
    """What stands around a table: the terms of its title and of what introduces it that no row tells apart.

    `part` is whether it tells of a part, or of another company: what it has of the own statements' rows is otherwise.
    """

    title: frozenset[str]
    introduced: frozenset[str]
    primary: bool
    part: bool = False


class Index(NamedTuple):
    """The rows of a document's tables and what is known over all of them.

    Attributes:
        rows: of every table.
        tables: in order.
        about: what stands around each table.
        years: how the document names its fiscal years.
        rarity: of each term in labels.
        names: the terms of what the document is called.
        largest: the greatest magnitude that stands under a wording for a year and a unit, and the table where it
            stands: that of the whole company, where other tables have those of its parts. Adjusted ones do not count.
        newest: the last year of each table.
        abbreviations: what the document writes short, by its term, with the terms that it stands for.
        shares: the columns that are parts of a whole, by the starts of their tables and their numbers.
    """

    rows: tuple[Row, ...]
    tables: tuple[Table, ...]
    about: tuple[About, ...]
    years: FiscalYears
    rarity: Mapping[str, float]
    names: frozenset[str]
    largest: Mapping[tuple[str, int | None, str], tuple[float, int]]
    newest: Mapping[int, int]
    abbreviations: Mapping[str, frozenset[str]]
    shares: Mapping[tuple[int, int], Share]


def index(document: Document) -> Index:
    """The rows of a document's tables; made once."""
    return document.memo("cells", lambda: _index(document))


def _index(document: Document) -> Index:
    tables = document.tables()
    rows: list[Row] = []
    for number, table in enumerate(tables):
        by_row: dict[int, list[Cell]] = {}
        corners = _corners(table)
        for cell in table.values():
            by_row.setdefault(cell.row, []).append(cell)
        for row, cells in by_row.items():
            path = cells[0].row_path
            label = _label(path[-1]).item if path else ()
            whole = [term for part in path if part is path[-1] or not is_time(part) for term in _label(part).item]
            tags = _meaning(label, whole)
            heads = tuple(_apart_from_time(cell.column_path) for cell in cells)
            corner = _over(corners, row)
            asides = frozenset(term for part in path for term in _label(part).asides)
            asides = (asides | corner).difference(whole)
            place = (number, row, frozenset(label), frozenset(whole), asides, " ".join(label), tags)
            periods = tuple(coverage.cell_period(table, cell) for cell in cells)
            rows.append(Row(*place, tuple(cells), heads, periods))
    _name_schedules(rows, tables)
    counts = Counter(term for row in rows for term in row.path.union(row.asides, *row.heads))
    count = max(1, len(rows))
    rarity = {term: math.log(1 + count / times) for term, times in counts.items()}
    largest: dict[tuple[str, int | None, str], tuple[float, int]] = {}
    newest: dict[int, int] = {}
    based = {
        number for number, table in enumerate(tables) if any(basis.search(table.title) for basis in coverage.bases())
    }
    for entry in rows:
        for cell in entry.cells:
            key = (entry.wording, cell.year, cell.unit)
            if cell.year and cell.unit != "percent":
                newest[entry.table] = max(newest.get(entry.table, 0), cell.year)
            if entry.table not in based:
                largest[key] = max(largest.get(key, (0.0, 0)), (size(cell), entry.table))
    about = _about(document, tables, rows)
    own_statements = frozenset(number for number, around in enumerate(about) if around.primary)
    for number, item in breakdowns(rows, own_statements).items():
        rows[number] = rows[number]._replace(asides=rows[number].asides | (item - rows[number].path))
    # The figure of the whole company stands in its statements; other tables have those of its parts.
    for entry in rows:
        if about[entry.table].primary:
            for cell in entry.cells:
                largest[entry.wording, cell.year, cell.unit] = (size(cell), entry.table)
    years = document.memo("fiscal years", lambda: fiscal_years(document.text))
    names, short = coverage.own_names(document), _abbreviations(document.text)
    return Index(tuple(rows), tables, about, years, rarity, names, largest, newest, short, shares(tables, names))


_LATER = frozenset(item_terms("thereafter"))


def _name_schedules(rows: list[Row], tables: Sequence[Table]) -> None:
    """Give rows that are called by a time alone, or "Thereafter", what the total below them is called.

    Where neither a total nor a header names them, that is what the table is called.
    """
    named: frozenset[str] = frozenset()
    plain, below = words(PACKAGE, "words.json", "times"), -1
    for place in reversed(range(len(rows))):
        row = rows[place]
        named = named if row.table == below else frozenset()
        below = row.table
        if row.cells[0].row_path and (row.label == _LATER or is_time(row.cells[0].row_path[-1])):
            over = frozenset[str]() if any(row.heads) else label_terms((tables[row.table].title,)) - plain
            label = (row.label & _LATER) | (named or over)
            rows[place] = row._replace(label=label, path=row.path | label, wording=" ".join(sorted(label)))
        else:
            named = frozenset(term for term in row.label - {"total"} - plain - _LATER if not term[0].isdigit())


_DEFINED = re.compile(r"((?:[A-Za-z][\w-]*[ \n]){1,8})\(?[“\"(]{1,2}([A-Z]{2,6})s?[”\")]{1,2}")


def _abbreviations(text: str) -> Mapping[str, frozenset[str]]:
    """Abbreviations that a text defines behind their words: gross merchandise volume ("GMV")."""
    defined: dict[str, frozenset[str]] = {}
    for match in _DEFINED.finditer(text):
        named = [word for word in match[1].split() if item_terms(word)][-len(match[2]) :]  # not "and", "of"
        if "".join(word[0] for word in named).upper() == match[2]:
            (short, *_) = item_terms(match[2]) or [""]
            defined.setdefault(short, frozenset(item_terms(" ".join(named))))
    return defined


def _corners(table: Table) -> Mapping[int, frozenset[str]]:
    """What the headers over the labels say, by their rows: "Net sales (Millions)" names what stands below."""
    heads = (cell for cell in table.cells if cell.role == "head" and not cell.column)
    return {cell.row: _apart_from_time((cell.text,)) for cell in heads}


def _over(corners: Mapping[int, frozenset[str]], row: int) -> frozenset[str]:
    """What the headers right above a row say over the labels, on however many lines."""
    last = max((place for place in corners if place < row), default=-1)
    first = next((place for place in range(last, -1, -1) if place - 1 not in corners), last)
    return frozenset[str]().union(*(corners[place] for place in range(first, last + 1) if place in corners))


def _about(document: Document, tables: Sequence[Table], rows: Sequence[Row]) -> tuple[About, ...]:
    """What stands around each table. A term by which rows or columns differ says nothing of those without it."""
    apart: list[set[str]] = [set() for _ in tables]
    for row in rows:
        apart[row.table] |= row.path - row.label
        for head in row.heads:
            apart[row.table] |= head
    main, introduced = primary(tables), introductions(document, tables)
    parts = _parts(rows, main)
    result = []
    for number, table in enumerate(tables):
        title = label_terms((_without_statement(table),))
        own_terms = title - apart[number]
        terms = frozenset(item_terms(introduced[number])) - apart[number]
        result.append(About(own_terms, terms - own_terms, number in main, number in parts))
    return tuple(result)


def _parts(rows: Sequence[Row], main: frozenset[int]) -> frozenset[int]:
    """Tables that have rows of the company's own statements, each with other figures of the same years."""
    whole, same, other = dict[tuple[str, int, str], set[float]](), Counter[int](), Counter[int]()
    for row in rows:
        if row.table in main:
            for key, figure in _yearly(row):
                whole.setdefault(key, set()).add(figure)
    for row in rows:
        if row.table not in main:
            stated = [(figure, whole[key]) for key, figure in _yearly(row) if key in whole]
            again = any(abs(figure - each) <= _ROUNDED * each for figure, figures in stated for each in figures)
            same[row.table] += again
            other[row.table] += bool(stated) and not again
    return frozenset(table for table, count in other.items() if count >= _OTHERWISE and not same[table])


def _yearly(row: Row) -> list[tuple[tuple[str, int, str], float]]:
    """The figures of a row that are of whole years or their ends, by what they are of."""
    pairs = zip(row.cells, row.periods, strict=True)
    return [
        ((row.wording, cell.year, cell.unit), size(cell))
        for cell, period in pairs
        if cell.year and cell.value and cell.unit and cell.unit != "percent" and not period.is_part
    ]


def _without_statement(table: Table) -> str:
    """A title without the statement's name: rows of a "Statement of Income" are not income for that."""
    name = titles().get(table.kind)
    return name.sub(" ", table.title.lower()) if name else table.title


def size(cell: Cell) -> float:
    """The magnitude of a cell, its scale applied."""
    return abs(cell.value or 0.0) * cell.scale


class _Label(NamedTuple):
    """The terms of a label, and of its asides."""

    item: tuple[str, ...]
    asides: tuple[str, ...]


@lru_cache(maxsize=4096)
def _label(text: str) -> _Label:
    return _Label(tuple(item_terms(text)), tuple(aside_terms(text)))


@lru_cache(maxsize=4096)
def label_terms(path: tuple[str, ...]) -> frozenset[str]:
    """The terms of all parts of a path."""
    return frozenset(term for part in path for term in item_terms(part))


@lru_cache(maxsize=4096)
def _apart_from_time(path: tuple[str, ...]) -> frozenset[str]:
    """The terms of headers that tell more than a time."""
    return frozenset(item_terms(without_period(" ".join(path)))) - words(PACKAGE, "words.json", "times")


def _meaning(label: Sequence[str], path: Sequence[str]) -> Mapping[int, float]:
    """What a row's label stands for: its whole wording where that is known, else that with its section, else parts."""
    for wording in (" ".join(label), " ".join(path)):
        known = concepts(wording)
        if known:
            return known
    parts = sayings(label)
    longest = max(parts, key=len, default="")
    share = len(longest.split()) / max(1, len(label))
    return {tag: value * share for tag, value in concepts(longest).items()} if longest else {}
