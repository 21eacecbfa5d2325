"""The row or column with the most or least of something: all its cells are compared, the winner is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.calendar.period import TypedPeriod, read_period
from citewell.generators.extractive.cells.asking import figure_question, in_years, part_asked, pattern
from citewell.generators.extractive.cells.computed import printed
from citewell.generators.extractive.cells.coverage import cell_period, idle
from citewell.generators.extractive.cells.finder import Pick, best
from citewell.generators.extractive.cells.rows import index
from citewell.generators.extractive.cells.wordings import PACKAGE, in_full, item_terms
from citewell.text.data import read_json, words
from citewell.types import Cell, Table

_TIMES = ("quarter", "year")
_BELOW = 2  # of a path: the label of a section and that of a row
_VERBS = ("be", "aux", "verb", "participle")
_WHICH = re.compile(r"^\W*(?:in )?(?:which|what) (?:of the )?", re.IGNORECASE)


class Wanted(NamedTuple):
    """What a question for the greatest or least asks.

    Attributes:
        noun: the terms of what is compared: routes, segments, quarters.
        most: whether the greatest is asked for, else the least.
        measures: the terms of what it has most of, by any one of which it may be called.
        years: the years that are asked for.
        period: the period that is asked for.
    """

    noun: frozenset[str]
    most: bool
    measures: tuple[frozenset[str], ...]
    years: tuple[int, ...]
    period: TypedPeriod


class Winner(NamedTuple):
    """The name of the row or column that has most, or least; its cell; the figures that were compared; a sentence."""

    name: str
    pick: Pick
    formula: str
    sentence: str
    confidence: float


class _Field(NamedTuple):
    """Cells of one measure by the names of what has them, and how many words over them nobody asked for."""

    table: Table
    cells: tuple[tuple[str, Cell], ...]
    called: str
    beside: int


@cache
def _known() -> tuple[re.Pattern[str], dict[str, tuple[bool, str]]]:
    """The pattern of superlatives, and for each which end it asks for and what it implies."""
    data = read_json(PACKAGE, "words.json")["superlatives"]
    known = {word: (sign == "most", implied) for sign in ("most", "least") for word, implied in data[sign].items()}
    listed = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.compile(rf"\b(?:{listed})\b", re.IGNORECASE), known


def wanted(question: str) -> Wanted | None:
    """What a question for the greatest or least of several asks, None where it asks for no such thing."""
    superlatives, known = _known()
    text = in_years(in_full(question)).strip().rstrip("?")
    asking = _WHICH.match(text)
    match = superlatives.search(text, asking.end()) if asking else None
    if asking is None or match is None:
        return None
    before, after = text[asking.end() : match.start()], text[match.end() :]
    most, implied = known[match[0].lower()]
    if match[0].lower() in words(PACKAGE, "words.json", "ends") and after.strip():
        return None  # "the first quarter" is not the first of several
    from citewell.generators.extractive.phrases.words import CLASSES  # few questions ask so: WordNet stays unread
    from citewell.generators.extractive.phrases.words import words as read_words

    spelled = read_words(before)
    verb = next((n for n, kind in enumerate(spelled.classes) if CLASSES[kind] in _VERBS), len(spelled.classes))
    if verb == 0 and before.lower().split()[1:] == ["the"]:  # "What is the largest route by ..."
        sort, _, after = after.strip().partition(" ")
        before = ""
    else:
        sort = before[: spelled.starts[verb]] if verb < len(spelled.starts) else ""
        before = before[len(sort) :]
    noun = frozenset(item_terms(sort.partition(" of ")[0]))
    named = _content(pattern("at_a_time").split(after, maxsplit=1)[0]) or _content(before)
    measures = (named,) if named else tuple(frozenset(item_terms(part)) for part in implied.split("|") if part)
    wanted_figure = figure_question(question)
    if "segment" in noun:  # whatever they are called by
        noun -= words(PACKAGE, "words.json", "of_segments")
    return Wanted(noun, most, measures, wanted_figure.years, wanted_figure.period) if noun else None


def _content(text: str) -> frozenset[str]:
    """The terms of a text that can name a measure."""
    return frozenset(term for term in item_terms(text) if term not in idle() and not term[0].isdigit())


def winner(question: str, documents: Sequence[Document]) -> Winner | None:
    """The row or column that has most or least of what is asked for, None where the tables do not tell."""
    asking = wanted(question)
    if asking is None or not asking.measures:
        return None
    names = frozenset(name for document in documents for name in index(document).names)
    asking = asking._replace(noun=(asking.noun - names) or asking.noun)
    fields: list[tuple[int, _Field]] = []
    for number, document in enumerate(documents):
        fields += [(number, field) for table in index(document).tables for field in _fields(asking, table)]
    if not fields:
        return None
    least = min(field.beside for _, field in fields)
    firsts = [(number, field) for number, field in fields if field.beside == least]
    winners = {_first(asking, field)[0] for _, field in firsts}
    number, field = firsts[0]
    name, cell = _first(asking, field)
    if len(winners) > 1 or not name:
        return None
    part = f" in Q{read_period(name).number}" if "quarter" in asking.noun else part_asked(question)
    of = "" if asking.noun & set(_TIMES) else f" of {' '.join(cell.row_path)}"
    year = f" in {cell.year}" if cell.year else ""
    sure = best(f"What was {field.called}{of}{part}{year}?", (documents[number],))
    if sure is None or not _agree(sure.picks[0].cell, cell):
        return None
    end = "greatest" if asking.most else "least"
    formula = f"{field.called}: {end} of {', '.join(other.text.strip() for _, other in field.cells)}"
    pick = sure.picks[0]._replace(document=number, table=field.table, cell=cell)
    superlative = "highest" if asking.most else "lowest"
    sentence = f"{name} has the {superlative} of {len(field.cells)}: {printed(pick, dated=bool(cell.year))}."
    return Winner(name, pick, formula, sentence, sure.confidence)


def _agree(first: Cell, second: Cell) -> bool:
    """Whether two cells have the same figure of the same year, wherever they stand."""
    return (_size(first), first.year) == (_size(second), second.year)


def _first(asking: Wanted, field: _Field) -> tuple[str, Cell]:
    """The name and cell of the greatest or least; no name where two are equal."""
    ranked = sorted(field.cells, key=lambda named: _size(named[1]), reverse=asking.most)
    tied = _size(ranked[0][1]) == _size(ranked[1][1])
    return ("" if tied else ranked[0][0]), ranked[0][1]


def _size(cell: Cell) -> float:
    return (cell.value or 0.0) * cell.scale


def _fields(asking: Wanted, table: Table) -> Iterator[_Field]:
    """The columns, or rows, of a table that have the measure for each of what is compared."""
    corner = [cell.text for cell in table.cells if cell.role == "head" and cell.column == 0]
    around = frozenset(item_terms(" ".join((table.title, *corner))))
    values = [cell for cell in table.values() if cell.row_path]
    if asking.noun & set(_TIMES):
        yield from _over_times(asking, table, values)
        return
    if asking.noun <= around:
        yield from _over_rows(asking, table, values, around)
    yield from _over_sections(asking, table, values, around)


def _over_rows(asking: Wanted, table: Table, values: Sequence[Cell], around: frozenset[str]) -> Iterator[_Field]:
    """Columns with the measure, one of its year, where each row has a figure."""
    rows = {cell.row for cell in values if not pattern("not_a_part").search(cell.row_path[-1])}
    columns: dict[int, list[Cell]] = {}
    for cell in values:
        if cell.row in rows:
            columns.setdefault(cell.column, []).append(cell)
    for cells in _of_year(asking, list(columns.values())):
        heads = frozenset(term for part in cells[0].column_path for term in item_terms(part))
        item = heads - idle() - {str(cells[0].year)}
        for measure in asking.measures:
            if not measure <= heads | around or (item and not measure & heads):
                continue
            figures = [cell for cell in cells if cell.value is not None and any(char.isdigit() for char in cell.text)]
            if len(figures) == len(rows) > 1 and len({cell.unit for cell in figures}) == 1:
                called = " ".join(cells[0].column_path) if item else table.title
                yield _Field(table, tuple((cell.row_path[-1], cell) for cell in figures), called, len(item - measure))


def _over_sections(asking: Wanted, table: Table, values: Sequence[Cell], around: frozenset[str]) -> Iterator[_Field]:
    """Columns of the rows below a label that is the measure: "Net sales by reportable segment:"."""
    sections: dict[tuple[str, int], list[Cell]] = {}
    for cell in values:
        below = [part.rstrip(": ") for part in cell.row_path]
        part = cell_period(table, cell)
        of_time = part.is_part == asking.period.is_part and (not part.is_part or part.months == asking.period.months)
        if len(below) == _BELOW and of_time and not pattern("not_a_part").search(below[-1]):
            sections.setdefault((below[0], cell.column), []).append(cell)
    for (label, _), cells in sections.items():
        heads = frozenset(item_terms(label))
        figures = _of_year(asking, [cells])
        if not figures or len(cells) < _BELOW or not asking.noun <= heads | around:
            continue
        counted = all(cell.value is not None for cell in cells) and len({cell.unit for cell in cells}) == 1
        for measure in asking.measures:
            if counted and measure <= heads:
                beside = len(heads - measure - asking.noun - idle())
                yield _Field(table, tuple((cell.row_path[-1], cell) for cell in cells), label, beside)


def _over_times(asking: Wanted, table: Table, values: Sequence[Cell]) -> Iterator[_Field]:
    """Rows with the measure, with the cells of their quarters or years."""
    quarters = "quarter" in asking.noun
    by_row: dict[int, list[Cell]] = {}
    for cell in values:
        by_row.setdefault(cell.row, []).append(cell)
    for cells in by_row.values():
        path = frozenset(item_terms(" ".join(cells[0].row_path)))
        years = {cell.year for cell in cells if cell.year}
        year = max(asking.years or tuple(years), default=None)
        named = []
        for cell in cells:
            head = next((head for head in cell.column_path if read_period(head).number), "")
            part = head if quarters else str(cell.year)
            if part and cell.value is not None and (not quarters or cell.year == year):
                named.append((part, cell))
        for measure in asking.measures:
            if measure <= path and len({name for name, _ in named}) == len(named) > 1:
                yield _Field(table, tuple(named), " ".join(cells[0].row_path), len(path - measure - idle()))


def _of_year(asking: Wanted, columns: Sequence[list[Cell]]) -> list[list[Cell]]:
    """The columns of the year that is asked for, else of the last year, and those of no year."""
    if asking.years:
        return [cells for cells in columns if cells[0].year in asking.years]
    newest = max((cells[0].year for cells in columns if cells[0].year), default=None)
    return [cells for cells in columns if cells[0].year in (None, newest)]
