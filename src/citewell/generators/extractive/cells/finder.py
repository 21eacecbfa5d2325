"""The cell that answers a question about a figure: rows by what they are called, columns by the time they are about.

Every value cell of every table is weighed by features that are learned weights' business (`weights.json`): how much of
what is asked its labels say, how much they say that was not asked, whether both stand for the same item in the
vocabulary, whether its table is the statement in which that item stands, and whether its period is the one asked for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from citewell.document import Document
from citewell.generators.extractive.cells import coverage
from citewell.generators.extractive.cells.asking import Asked, asked, pattern, quarter_told
from citewell.generators.extractive.cells.wordings import PACKAGE, aside_terms, concepts, item_terms, likeness, sayings
from citewell.text.data import read_json, words
from citewell.text.index import Floats
from citewell.types import Cell, Table

NAMES = (
    "asked_said", "label_asked", "path_asked", "exact", "tags", "other_item", "kind", "other_kind", "whole", "apart",
    "total", "total_unasked", "year", "other_year", "newest", "columns_asked", "columns_unasked", "part",
    "quarter", "other_quarter", "percent", "text_value", "change", "missed", "smaller", "first",
)  # fmt: skip


_WHOLE, _COLUMNS = NAMES.index("whole"), NAMES.index("columns_asked")
_CLOSE = 0.5  # of scores: cells that differ by less differ by where they stand
_SHOWN = 12  # cells among which those with different figures are looked for
_LEAD = 3.0  # of the best cell: more says no more
_OTHER = 0.1  # of meanings: below, two known wordings name different items
_MOSTLY = 0.5  # of the statements in which an item stands: there no row is a mere change of it
_NEARLY = 0.98  # of the greatest magnitude: less is that of a part
_ALIKE = 0.2  # of meanings: a row that is less alike and has no word of the question is not weighed


class _Row(NamedTuple):
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


class Index(NamedTuple):
    """The rows of a document's tables and what is known over all of them.

    Attributes:
        rows: of every table.
        tables: in order.
        rarity: of each term in labels.
        names: the terms of what the document is called.
        largest: the greatest magnitude that stands under a wording for a year and a unit, and the table where it
            stands: that of the whole company, where other tables have those of its parts.
        newest: the last year of each table.
    """

    rows: tuple[_Row, ...]
    tables: tuple[Table, ...]
    rarity: Mapping[str, float]
    names: frozenset[str]
    largest: Mapping[tuple[str, int | None, str], tuple[float, int]]
    newest: Mapping[int, int]


class Pick(NamedTuple):
    """A cell that may answer: where it stands, its score, its features, the terms of the question that it lacks."""

    document: int
    table: Table
    cell: Cell
    score: float
    features: Floats
    missing: frozenset[str] = frozenset()


def index(document: Document) -> Index:
    """The rows of a document's tables; made once."""
    return document.memo("cells", lambda: _index(document))


def _index(document: Document) -> Index:
    tables = document.tables()
    rows: list[_Row] = []
    seen: Counter[str] = Counter()
    for number, table in enumerate(tables):
        by_row: dict[int, list[Cell]] = {}
        for cell in table.values():
            by_row.setdefault(cell.row, []).append(cell)
        for row, cells in by_row.items():
            path = cells[0].row_path
            label = _label(path[-1]).item if path else ()
            whole = [term for part in path for term in _label(part).item]
            tags = _meaning(label, whole)
            heads = tuple(_terms(cell.column_path) for cell in cells)
            asides = frozenset(term for part in path for term in _label(part).asides).difference(whole)
            place = (number, row, frozenset(label), frozenset(whole), asides, " ".join(label), tags)
            rows.append(_Row(*place, tuple(cells), heads))
            seen.update({*whole, *asides, *(term for head in heads for term in head)})
    count = max(1, len(rows))
    rarity = {term: math.log(1 + count / times) for term, times in seen.items()}
    largest: dict[tuple[str, int | None, str], tuple[float, int]] = {}
    newest: dict[int, int] = {}
    for entry in rows:
        for cell in entry.cells:
            key = (entry.wording, cell.year, cell.unit)
            if cell.year and cell.unit != "percent":
                newest[entry.table] = max(newest.get(entry.table, 0), cell.year)
            largest[key] = max(largest.get(key, (0.0, 0)), (_size(cell), entry.table))
    return Index(tuple(rows), tables, rarity, coverage.own_names(document), largest, newest)


def _size(cell: Cell) -> float:
    return abs(cell.value or 0.0) * cell.scale


class _Label(NamedTuple):
    """The terms of a label, and of its asides."""

    item: tuple[str, ...]
    asides: tuple[str, ...]


@lru_cache(maxsize=4096)
def _label(text: str) -> _Label:
    return _Label(tuple(item_terms(text)), tuple(aside_terms(text)))


@lru_cache(maxsize=4096)
def _terms(path: tuple[str, ...]) -> frozenset[str]:
    return frozenset(term for part in path for term in item_terms(part))


def _meaning(label: Sequence[str], path: Sequence[str]) -> Mapping[int, float]:
    """What a row's label stands for: its whole wording where that is known, else that with its section, else parts."""
    for wording in (" ".join(label), " ".join(path)):
        known = concepts(wording)
        if known:
            return known
    parts = sayings(label)
    said = max(parts, key=len, default="")
    share = len(said.split()) / max(1, len(label))
    return {tag: value * share for tag, value in concepts(said).items()} if said else {}


def find(question: str, documents: Sequence[Document]) -> list[Pick]:
    """The cells that may answer, best first; empty where no label has any word of what is asked."""
    wanted = asked(question)
    picks: list[Pick] = []
    weights = fitted()
    for number, document in enumerate(documents):
        known = index(document)
        for table, features in _weighed(wanted, known):
            for cell, values, missing in features:
                picks.append(Pick(number, table, cell, float(values @ weights), values, missing))
    return sorted(picks, key=lambda pick: -pick.score)


class Sure(NamedTuple):
    """The best cells of different figures, and the probability that the first one answers.

    `lacks` says of each what it lacks, empty where it lacks nothing. Where the first lacks something it cannot be the
    answer, and the probability is 0. `main` is the cell of a consolidated statement that has the figure of the first,
    where there is one.
    """

    picks: tuple[Pick, ...]
    confidence: float
    lacks: tuple[str, ...]
    main: Pick


def best(question: str, documents: Sequence[Document], kind: str = "") -> Sure | None:
    """The cells that answer best, None where no cell may. A cell that lacks what is asked answers not.

    `kind` is the statement to which they must belong, where the documents have one of that kind that may answer.
    """
    picks = find(question, documents)
    picks = [pick for pick in picks if pick.table.kind == kind] or picks if kind else picks
    if not picks:
        return None
    told = {id(pick): coverage.lacks(question, pick.table, pick.cell, pick.missing) for pick in picks[:_SHOWN]}
    picks = [*sorted(picks[:_SHOWN], key=lambda pick: bool(told[id(pick)])), *picks[_SHOWN:]]
    if not asked(question).quarter:
        picks = _whole_first(picks, [pick for pick in picks[:_SHOWN] if not told[id(pick)]])
    picks = _undoubted_first(picks, [pick for pick in picks[:_SHOWN] if not told[id(pick)]])
    different: dict[str, Pick] = {}
    for pick in picks[:_SHOWN]:
        different.setdefault(_figure(pick), pick)
    shown = tuple(different.values())
    lacks = tuple(told[id(pick)] for pick in shown)
    if lacks[0]:
        return Sure(shown, 0.0, lacks, shown[0])
    weights = read_json(PACKAGE, "weights.json")["confidence"]
    value = weights["constant"] + sum(weights[name] * signal for name, signal in signals(picks).items())
    return Sure(shown, 1 / (1 + math.exp(-min(30.0, max(-30.0, value)))), lacks, _main(picks))


def _main(picks: Sequence[Pick]) -> Pick:
    same = [pick for pick in picks[:_SHOWN] if _figure(pick) == _figure(picks[0])]
    return next((pick for pick in same if pick.features[_WHOLE]), same[0])


def _whole_first(picks: list[Pick], complete: Sequence[Pick]) -> list[Pick]:
    """Picks with the figure of the whole first where the best is that of a part: of segments' tables, for instance.

    That is the greatest of those that say the same, are of the same time, and are nearly as good.
    """
    if not complete or complete[0].features[_WHOLE] or complete[0].features[_COLUMNS]:
        return picks
    first = complete[0]
    alike = _alike(first, complete)
    most = max(alike, key=lambda pick: _size(pick.cell))
    return [most, *(pick for pick in picks if pick is not most)] if _size(most.cell) > _size(first.cell) else picks


def _undoubted_first(picks: list[Pick], complete: Sequence[Pick]) -> list[Pick]:
    """Picks with one that no sum puts in doubt first, where the best is in doubt and another says nearly as well."""
    if not complete or complete[0].cell.adds_up is not False:
        return picks
    first = complete[0]
    other = next((pick for pick in _alike(first, complete) if pick.cell.adds_up is not False), first)
    return [other, *(pick for pick in picks if pick is not other)]


def _alike(first: Pick, picks: Sequence[Pick]) -> list[Pick]:
    """Picks that say the same as one, are of the same time, and nearly as good."""
    return [
        pick
        for pick in picks
        if pick.score > first.score - _CLOSE
        and (pick.cell.row_path[-1:], pick.cell.year, pick.cell.unit)
        == (first.cell.row_path[-1:], first.cell.year, first.cell.unit)
    ]


def signals(picks: Sequence[Pick]) -> dict[str, float]:
    """What tells whether the best cell answers: its features, and its lead over cells with another figure."""
    first = picks[0]
    other = next((pick.score for pick in picks if _figure(pick) != _figure(first)), first.score - _LEAD)
    again = sum(_figure(pick) == _figure(first) for pick in picks[1:6])
    named = dict(zip(NAMES, first.features.tolist(), strict=True))
    del named["path_asked"]  # a cell deep in its sections is no less likely
    return {
        **named,
        "lead": min(_LEAD, max(-_LEAD, first.score - other)) / _LEAD,
        "again": again / 5,
        "no_year": float(not named["year"] and not named["other_year"] and not named["newest"]),
    }


def says(pick: Pick, name: str) -> bool:
    """Whether a cell's row is called by a name."""
    return set(item_terms(name)) <= set(item_terms(" ".join(pick.cell.row_path)))


def _figure(pick: Pick) -> str:
    return "".join(char for char in pick.cell.text if char.isdigit()) or pick.cell.text


def _weighed(wanted: Asked, known: Index) -> Iterator[tuple[Table, list[tuple[Cell, Floats, frozenset[str]]]]]:
    """Rows that share a term or a meaning with the question, with the features of their cells, by NAMES."""
    # The company is in every report's title: "Corning's net income" asks for net income.
    meant_by = {term for wording in wanted.sayings for term in wording.split()}
    items = frozenset(wanted.item) - (known.names - meant_by) or frozenset(wanted.item)
    times = words(PACKAGE, "words.json", "times")
    rarity = known.rarity
    # A word of a known wording that no label has may be meant by other words; another may be a company's name.
    known_terms = {term for wording in wanted.sayings for term in wording.split()}
    common = max(rarity.values(), default=1.0)
    present = {term: rarity.get(term, common) for term in items if term in rarity or term in known_terms}
    asked_for = items | (_terms(("quarterly unaudited selected",)) if wanted.quarter else frozenset())
    needed = coverage.needed(items - set(wanted.implied), known.names)
    whole = sum(present.values()) or 1.0
    count = max(1, len(known.tables))
    said_whole = " ".join(wanted.terms)
    # "Total revenue" may be printed as "Revenues".
    exact = {*wanted.sayings, *(wording.removeprefix("total ") for wording in wanted.sayings)}
    for row in known.rows:
        same = likeness(wanted.tags, row.tags) if wanted.tags else 0.0
        if same < _ALIKE and not items & (row.path | row.asides) and not any(items & head for head in row.heads):
            continue
        table = known.tables[row.table]
        own, title = row.label - {"total"}, _terms((table.title,))
        meant = _meant(wanted, row.tags)
        label_weight = sum(rarity[t] for t in own) or 1.0
        path_weight = sum(rarity[t] for t in row.path) or 1.0
        base = {
            "label_asked": max(same, sum(rarity[t] for t in own & items) / label_weight),
            "path_asked": sum(rarity[t] * (1.0 if t in items else same * (t in own)) for t in row.path) / path_weight,
            "exact": float(row.wording in exact or (row.wording in said_whole and len(row.label) > 1)),
            "tags": same,
            "other_item": float(bool(wanted.tags) and bool(row.tags) and same < _OTHER),
            "kind": wanted.kinds.get(table.kind, 0.0),
            "other_kind": float(bool(table.kind) and bool(wanted.kinds) and not wanted.kinds.get(table.kind)),
            "whole": float(bool(table.kind) and pattern("whole").search(table.title) is not None),
            "apart": float(
                any(not asked_for & _terms((match[0],)) for match in pattern("apart").finditer(table.title))
            ),
            "total": float("total" in row.label and (wanted.total or not own - items)),
            "total_unasked": float("total" in row.label and not wanted.total),
            "change": float(_changed(wanted, table, " ".join(row.cells[0].row_path))),
            "first": 1 - row.table / count,
        }
        features = []
        for cell, heads in zip(row.cells, row.heads, strict=True):
            said = (row.path | row.asides | heads | title) & items
            values = dict(base)
            values["asked_said"] = (
                sum(weight * (1.0 if term in said else meant.get(term, 0.0)) for term, weight in present.items())
                / whole
            )
            unsaid = needed - said
            missing = frozenset(term for term in unsaid if meant.get(term, 0.0) < _ALIKE)
            values["missed"] = sum(1 - min(1.0, meant.get(term, 0.0)) for term in unsaid) / max(1, len(needed))
            plain = heads - times - {str(cell.year), "total"}
            values["columns_asked"] = float(bool(plain & items))
            values["columns_unasked"] = len(plain - items) / (1 + len(plain))
            values["year"] = float(cell.year in wanted.years) if wanted.years else 0.0
            values["other_year"] = float(bool(wanted.years) and cell.year is not None and cell.year not in wanted.years)
            values["newest"] = float(
                not wanted.years and cell.year is not None and cell.year == known.newest.get(row.table)
            )
            over = " ".join(cell.column_path)
            part = pattern("part_shown").search(over) is not None
            values["part"] = float(part != wanted.quarter)
            told = quarter_told(over) if wanted.number else 0
            values["quarter"] = float(told == wanted.number) if told else 0.0
            values["other_quarter"] = float(told != wanted.number) if told else 0.0
            values["percent"] = float((cell.unit == "percent") != wanted.percent)
            most, where = known.largest[row.wording, cell.year, cell.unit]
            apart = where != row.table and not wanted.quarter
            values["smaller"] = float(apart and _size(cell) < most * _NEARLY)
            values["text_value"] = float(cell.value is None)
            features.append((cell, np.array([values[name] for name in NAMES]), missing))
        yield table, features


def _changed(wanted: Asked, table: Table, path: str) -> bool:
    """Whether a row is of a change in an item, of its state at the beginning or not paid, which is not asked for."""
    apart = not wanted.change and wanted.kinds.get(table.kind, 0.0) < _MOSTLY
    opening = pattern("opening").search(path) is not None and "begin" not in wanted.terms
    return opening or (apart and pattern("change").search(path) is not None)


def _meant(wanted: Asked, tags: Mapping[int, float]) -> dict[str, float]:
    """For each term of a known wording of the question how surely a row means that by other words."""
    shares: dict[str, float] = {}
    for wording in wanted.sayings:
        alike = likeness(concepts(wording), tags)
        for term in wording.split():
            shares[term] = max(shares.get(term, 0.0), alike)
    return shares


@cache
def fitted() -> Floats:
    """The weights that come with the package, by NAMES."""
    data = read_json(PACKAGE, "weights.json")
    return np.array([data["rank"].get(name, 0.0) for name in NAMES])
