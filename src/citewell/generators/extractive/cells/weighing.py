"""Features of a cell for a question: its labels, its statement, its period and its unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from citewell.facts.tables.paths import is_time
from citewell.generators.extractive.cells import coverage
from citewell.generators.extractive.cells.asking import FigureQuestion, pattern
from citewell.generators.extractive.cells.rows import About, Index, Row, label_terms, size
from citewell.generators.extractive.cells.statements import LEADS
from citewell.generators.extractive.cells.wordings import concepts, item_terms, kin, likeness, sayings, short_forms
from citewell.text.index import Floats
from citewell.types import Cell, Table

NAMES = (
    "asked_said", "label_asked", "path_asked", "exact", "tags", "other_item", "kind", "other_kind", "whole", "apart",
    "total", "total_unasked", "year", "other_year", "newest", "columns_asked", "columns_unasked", "part",
    "quarter", "other_quarter", "percent", "text_value", "missed", "smaller", "first", "primary",
    "sections_unasked", "introduced",
)  # fmt: skip


_OTHER = 0.1  # of meanings: below, two known wordings name different items
_MOSTLY = 0.5  # of the statements in which an item stands: there no row is a mere change of it
_NEARLY = 0.98  # of the greatest magnitude: less is that of a part
_ALIKE = 0.2  # of meanings: a row that is less alike and has no word of the question is not weighed
_SAME = 0.6  # of meanings: above, two wordings name the same item
_SECTIONS = 4  # terms of sections that are not asked for: more say no more


class _Query(NamedTuple):
    """A question beside the rows of a document.

    Attributes:
        wanted: the question taken apart.
        items: its terms that can name an item, without the names of the company.
        present: what each of them weighs that some label has.
        weight: of all of them together.
        needed: those that a cell must say.
        asked_for: the items, with what tables of quarters are called where a quarter is asked for.
        exact: wordings that name the item.
        kin: for terms that other terms say as well, those.
        related: the items with all of these.
        names: the terms of the company's names.
    """

    wanted: FigureQuestion
    items: frozenset[str]
    present: Mapping[str, float]
    weight: float
    needed: frozenset[str]
    asked_for: frozenset[str]
    exact: frozenset[str]
    kin: Mapping[str, frozenset[str]]
    related: frozenset[str]
    names: frozenset[str]

    def items_in(self, terms: frozenset[str]) -> frozenset[str]:
        """The items that terms of labels say, by themselves or by their kin."""
        items = self.items & terms
        if self.related.isdisjoint(terms):
            return items
        return items | {term for term, others in self.kin.items() if term not in items and others & terms}


def _query(wanted: FigureQuestion, known: Index) -> _Query:
    # The company is in every report's title: "Corning's net income" asks for net income.
    meant_by = {term for wording in wanted.sayings for term in wording.split()}
    # "The Harbour segment" of Harbour Ltd. is a part by that name; "General Harbour's Pet segment" is not.
    names = known.names - wanted.parts if wanted.parts <= known.names else known.names
    items = frozenset(wanted.item) - (names - meant_by) or frozenset(wanted.item)
    # A word of a known wording that no label has may be meant by other words; another may be a company's name.
    common = max(known.rarity.values(), default=1.0)
    related = {term: kin()[term] for term in items if term in kin()}
    for short, full in (*short_forms().items(), *known.abbreviations.items()):
        if full - names <= items:
            related |= {term: related.get(term, frozenset()) | {short} for term in full}
    present = {
        term: known.rarity.get(term, common)
        for term in items
        if term in known.rarity or term in meant_by or not related.get(term, frozenset()).isdisjoint(known.rarity)
    }
    asked_for = items | (label_terms(("quarterly unaudited selected",)) if wanted.part else frozenset())
    needed = coverage.needed(items - set(wanted.implied), names)
    # "Total revenue" may be printed as "Revenues".
    exact = frozenset((*wanted.sayings, *(wording.removeprefix("total ") for wording in wanted.sayings)))
    weight = sum(present.values()) or 1.0
    others = frozenset[str]().union(*related.values())
    return _Query(wanted, items, present, weight, needed, asked_for, exact, related, others, names)


def weighed(wanted: FigureQuestion, known: Index) -> Iterator[tuple[Table, Cell, Floats, frozenset[str]]]:
    """Cells of rows that share a term or a meaning with the question: their features by NAMES, the terms they lack."""
    query = _query(wanted, known)
    for row in known.rows:
        same = likeness(wanted.tags, row.tags) if wanted.tags else 0.0
        items = query.items_in(row.path | row.asides) or any(query.items & head for head in row.heads)
        if same < _ALIKE and not items:
            continue
        table, about = known.tables[row.table], known.about[row.table]
        base = _of_row(query, known, row, about, same)
        meant = _meant(wanted, row, in_statement=bool(wanted.kinds.get(table.kind)))
        for place, cell in enumerate(row.cells):
            values, missing = _of_cell(query, known, row, about, place, meant)
            yield table, cell, np.array([values.get(name, base.get(name, 0.0)) for name in NAMES]), missing


def _of_row(query: _Query, known: Index, row: Row, about: About, same: float) -> dict[str, float]:
    """The features that all cells of a row share; `same` is how alike the row and the question are in meaning."""
    wanted, items, rarity, table = query.wanted, query.items | query.related, known.rarity, known.tables[row.table]
    own_terms = row.label - {"total"}
    path_weight = sum(rarity[term] for term in row.path) or 1.0
    sure = same * (1 + min(1.0, sum(row.tags.values()))) / 2  # less of a row that only a part of its words names
    named = row.wording in " ".join(wanted.terms) and len(row.label) > 1
    return {
        "label_asked": max(sure, _share(own_terms, items, rarity)),
        "path_asked": sum(rarity[t] * (1.0 if t in items else same * (t in own_terms)) for t in row.path) / path_weight,
        "exact": float(row.wording in query.exact or named),
        "tags": same,
        "other_item": float(bool(wanted.tags) and bool(row.tags) and same < _OTHER),
        "kind": wanted.kinds.get(table.kind, 0.0),
        "other_kind": float(bool(table.kind) and bool(wanted.kinds) and not wanted.kinds.get(table.kind)),
        "whole": float(bool(table.kind) and pattern("whole").search(table.title) is not None),
        "apart": float(_is_apart(query, about, table.title, within=_asks_section(query, row))),
        "total": float("total" in row.label and (wanted.total or not own_terms - items)),
        "total_unasked": float("total" in row.label and not wanted.total),
        "first": 1 - row.table / max(1, len(known.tables)),
        "primary": float(about.primary) * wanted.kinds.get(table.kind, 0.0),
        "sections_unasked": min(1.0, len(row.path - row.label - items - about.title) / _SECTIONS),
    }


def _share(terms: frozenset[str], items: frozenset[str], rarity: Mapping[str, float]) -> float:
    """The weighted share of terms that are asked for."""
    return sum(rarity[term] for term in terms & items) / (sum(rarity[term] for term in terms) or 1.0)


def _asks_section(query: _Query, row: Row) -> bool:
    """Whether a question asks for most of what the sections of a row are called: it is no part by chance."""
    sections = row.path - row.label
    return 2 * len(sections & (query.items | query.related)) > len(sections)


def _is_apart(query: _Query, about: About, title: str, *, within: bool) -> bool:
    """Whether a table is of something apart that is not asked for, as its figures or its name say.

    What is asked for `within` a section of its rows is of that.

    A sentence that leads to a table is of its subject: "Information for the joint ventures is as follows:".
    """
    if about.part and not within and not query.asked_for & about.title:
        return True
    subject = LEADS.split(title, maxsplit=1)[0]
    named = [
        *pattern("apart").finditer(subject),
        *(match for basis in coverage.bases() for match in basis.finditer(title)),
    ]
    return any(not query.asked_for & label_terms((match[0],)) for match in named)


def _of_cell(
    query: _Query, known: Index, row: Row, about: About, place: int, meant: Mapping[str, float]
) -> tuple[dict[str, float], frozenset[str]]:
    """The features of one cell of a row, and the terms of the question that it lacks."""
    wanted, items, needed = query.wanted, query.items, query.needed
    cell, heads, period = row.cells[place], row.heads[place], row.periods[place]
    path = query.items_in(row.path | row.asides | heads | about.title)
    if needed - path and sum(row.tags.values()) <= _NEARLY:
        path |= needed & _said_otherwise(
            wanted.sayings, cell.column_path, cell.row_path[:-1], known.tables[row.table].title
        )
    unsaid = needed - path
    led = about.introduced if needed & (row.label | heads) else frozenset[str]()
    introduced, unsaid = unsaid & led, unsaid - led
    plain = heads - {str(cell.year), "total"} - query.names
    number = known.years.number(period) if wanted.period.number and period.is_part else 0
    most, where = known.largest.get((row.wording, cell.year, cell.unit), (0.0, row.table))
    apart = where != row.table and not wanted.part and not about.primary and not _asks_section(query, row)
    dated = cell.year is not None
    named = coverage.is_named_by(cell, wanted.years)
    in_year = cell.year in wanted.years or named or coverage.same_day(wanted.period, period)
    values = {
        "asked_said": sum(w * (1.0 if t in path else meant.get(t, 0.0)) for t, w in query.present.items())
        / query.weight,
        "introduced": len(introduced) / max(1, len(needed)),
        "missed": sum(1 - min(1.0, meant.get(term, 0.0)) for term in unsaid) / max(1, len(needed)),
        "columns_asked": float(bool(plain & items)),
        "columns_unasked": len(plain - items) / (1 + len(plain)),
        "year": float(bool(wanted.years) and in_year),
        "other_year": float(bool(wanted.years) and dated and not in_year),
        "newest": float(not wanted.years and dated and cell.year == known.newest.get(row.table)),
        "part": float(period.is_part != wanted.part),
        "quarter": float(bool(number) and number == wanted.period.number),
        "other_quarter": float(bool(number) and number != wanted.period.number),
        "percent": float((cell.unit == "percent") != wanted.percent),
        "smaller": float(apart and size(cell) < most * _NEARLY),
        "text_value": float(cell.value is None),
    }
    if cell.row_path and is_time(cell.row_path[-1]):  # the columns of rows of times have the items
        values |= dict.fromkeys(("label_asked", "path_asked"), _share(plain, items | query.related, known.rarity))
    return values, frozenset(term for term in unsaid if meant.get(term, 0.0) < _ALIKE)


def _meant(wanted: FigureQuestion, row: Row, *, in_statement: bool) -> dict[str, float]:
    """For each term of a known wording of the question how surely a row means that by other words.

    A row "Services" means revenue from services in a statement that has revenue, not in a table of the backlog.
    """
    shares: dict[str, float] = {}
    known = sum(row.tags.values()) > _NEARLY  # the whole label is a wording
    for wording in wanted.sayings:
        alike, parts = likeness(concepts(wording), row.tags), frozenset(wording.split())
        short = row.label < parts or (not known and bool(row.label & parts))
        for term in parts & row.label if short and not in_statement else parts:
            shares[term] = max(shares.get(term, 0.0), alike)
    return shares


@lru_cache(maxsize=8192)
def _said_otherwise(
    wordings: tuple[str, ...], heads: tuple[str, ...], sections: tuple[str, ...], title: str
) -> frozenset[str]:
    """The terms of known wordings that mean what stands around a cell: "Net sales" below "Revenues", or in its title.

    What stands nearest tells what a figure is of: of "Revenues" and "Cost of revenues" the section that it is in.
    """
    for phrase in (*reversed(heads), *reversed(sections), title):
        around = [meanings for wording in sayings(item_terms(phrase)) if (meanings := concepts(wording))]
        if around:
            alike = (w for w in wordings if any(likeness(concepts(w), other) >= _SAME for other in around))
            return frozenset(term for wording in alike for term in wording.split())
    return frozenset()
