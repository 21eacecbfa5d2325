"""Derives a figure that the company's own statements hold without printing it: from two lines, or from its parts.

Gross profit is what sales leave of their cost; what stands under a heading of a balance sheet makes it up. Only lines
of the company's own statements count, and the answer shows the formula.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from citewell.document import Document
from citewell.generators.extractive.cells import coverage
from citewell.generators.extractive.cells.asking import FigureQuestion, figure_question
from citewell.generators.extractive.cells.computed import Computed, Term
from citewell.generators.extractive.cells.finder import Pick, Sure, best, find, judged
from citewell.generators.extractive.cells.formulas import LEAST, worked_out
from citewell.generators.extractive.cells.rows import index
from citewell.generators.extractive.cells.weighing import NAMES
from citewell.generators.extractive.cells.wordings import PACKAGE, concepts, item_terms, likeness
from citewell.text.data import read_json

_EXACT, _TAGS, _APART, _PRIMARY, _TOTAL = (NAMES.index(n) for n in ("exact", "tags", "apart", "primary", "total"))
_NAMED = 0.6  # of meanings: a row that is more alike is called by the item
_PARTS = 2  # lines of which a heading is the sum, at least
_PROVEN = 0.8  # confidence of a sum whose lines a greater sum bears out


def derived(question: str, documents: Sequence[Document], picked: Sure | None) -> Computed | None:
    """What the company's own statements make of an item for which no row of the whole company is called."""
    wanted = figure_question(question)
    if (picked and _names_it(picked)) or wanted.part or wanted.percent or wanted.change or not wanted.kinds:
        return None
    result = _from_lines(wanted, documents) or _from_parts(question, wanted, documents)
    return result._replace(named=True) if result else None


def _names_it(picked: Sure) -> bool:
    """Whether a row of no part of the company is called by what is asked for."""
    features = picked.picks[0].features
    return not picked.lacks[0] and not features[_APART] and _called(picked.picks[0])


def _called(pick: Pick) -> bool:
    return bool(pick.features[_EXACT] or pick.features[_TAGS] >= _NAMED)


@cache
def _formulas() -> tuple[tuple[frozenset[str], dict[str, Any]], ...]:
    """What is derived from two lines, each with the terms of its name."""
    formulas = read_json(PACKAGE, "formulas.json")["derived"]
    return tuple((coverage.needed(frozenset(item_terms(each["name"])), frozenset()), each) for each in formulas)


def _from_lines(wanted: FigureQuestion, documents: Sequence[Document]) -> Computed | None:
    """An item as the difference of two lines."""
    names = frozenset[str]().union(*(index(document).names for document in documents))
    items = coverage.needed(frozenset(wanted.item), names)
    formula = next((formula for terms, formula in _formulas() if terms == items), None)
    if formula is None or _too_many(formula["unless"], documents):
        return None
    result = worked_out(formula, wanted.years, lambda text, kind: _line(best(text, documents, kind)))
    return result if result.number is not None else None


def _too_many(unless: Mapping[str, Any], documents: Sequence[Document]) -> bool:
    """Whether the own statement has more lines of a kind, without a total, than leave the two lines right."""
    matches = re.compile(unless["lines"], re.IGNORECASE).search
    lines = [
        row
        for known in map(index, documents)
        for row in known.rows
        if known.about[row.table].primary and known.tables[row.table].kind == unless["statement"]
        if any(cell.value for cell in row.cells) and matches(" ".join(row.cells[0].row_path[-1:]))
    ]
    return len(lines) > unless["most"] and not any("total" in row.label for row in lines)


def _line(sure: Sure | None) -> Sure | None:
    """A line of the own statements that is called by its item and is the only one, or the total, of that meaning."""
    if sure is None or sure.lacks[0] or not sure.main.features[_PRIMARY] or not _called(sure.main):
        return None
    others = [pick for pick, lacks in zip(sure.picks[1:], sure.lacks[1:], strict=True) if not lacks]
    several = any(pick.features[_PRIMARY] and _called(pick) for pick in others)
    return None if several and not sure.main.features[_TOTAL] else sure


def _from_parts(question: str, wanted: FigureQuestion, documents: Sequence[Document]) -> Computed | None:
    """An item as the sum of the lines under its heading in the own balance sheet, if a greater sum bears them out."""
    under = [
        pick
        for pick in find(question, documents)
        if pick.features[_PRIMARY] and pick.table.kind == "balance" and _heads(wanted, pick)
    ]
    parts = [pick for pick, lacks in judged(question, under, documents) if not lacks]
    if len({(pick.table.start, pick.cell.row_path[:-1], pick.cell.column) for pick in parts}) != 1:
        return None
    parts.sort(key=lambda pick: pick.cell.start)
    if len(parts) < _PARTS or not all(pick.cell.adds_up for pick in parts):
        return None
    heading = parts[0].cell.row_path[-2].rstrip(": ")
    terms = tuple(Term(1.0, pick.cell.row_path[-1], (pick,), signed=True) for pick in parts)
    return Computed(heading, "money", sum(term.worth for term in terms), terms, (), max(_PROVEN, LEAST))


def _heads(wanted: FigureQuestion, pick: Pick) -> bool:
    """Whether the heading right above a row is called by what is asked for."""
    heading = " ".join(item_terms(" ".join(pick.cell.row_path[-2:-1])))
    return heading in wanted.sayings or likeness(concepts(heading), wanted.tags) >= _NAMED
