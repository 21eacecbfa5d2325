"""Finds the cell that answers a question about a figure: rows by their names, columns by their times.

Every value cell of every table is weighed by features (`weighing`) with learned weights (`weights.json`). A cell that
lacks what is asked, a year, a scope or a basis, cannot answer, however well it fits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from citewell.document import Document
from citewell.facts.filer import names_asked
from citewell.generators.extractive.cells import coverage
from citewell.generators.extractive.cells.asking import FigureQuestion, acts, figure_question
from citewell.generators.extractive.cells.rows import Index, index, label_terms, size
from citewell.generators.extractive.cells.weighing import NAMES, weighed
from citewell.generators.extractive.cells.wordings import PACKAGE, item_terms
from citewell.generators.extractive.companies import without_long_names
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.questions import analyse
from citewell.text.data import read_json
from citewell.text.index import Floats
from citewell.types import Cell, Table

_WHOLE, _COLUMNS, _PRIMARY, _EXACT, _APART = (
    NAMES.index(name) for name in ("whole", "columns_asked", "primary", "exact", "apart")
)
_DIGIT = re.compile(r"\d")
(_NET,), _SPENT = item_terms("net"), frozenset(item_terms("expense cost"))
_MOSTLY = 0.5  # of the meanings of an item: they stand in this statement
_CLOSE = 0.5  # of scores: cells that differ by less differ by where they stand
_WEIGHED = 60  # cells of which it is told what they lack
_COMPARED = 12  # cells among which those with different figures are looked for
_LEAD = 3.0  # of the best cell: more says no more


class Pick(NamedTuple):
    """A cell that may answer: where it stands, its score, its features, the terms of the question that it lacks."""

    document: int
    table: Table
    cell: Cell
    score: float
    features: Floats
    missing: frozenset[str] = frozenset()


def find(question: str, documents: Sequence[Document]) -> list[Pick]:
    """The cells that may answer, best first; empty where no label has any word of what is asked."""
    picks: list[Pick] = []
    weights = fitted()
    for number, document in enumerate(documents):
        wanted = figure_question(without_long_names(question, document))
        for table, cell, values, missing in weighed(wanted, _known(question, document)):
            picks.append(Pick(number, table, cell, float(values @ weights), values, missing))
    return sorted(picks, key=lambda pick: -pick.score)


def _known(question: str, document: Document) -> Index:
    """The rows of a document, whose names include those by which the question calls what it is about."""
    known = index(document)
    named = frozenset(item_terms(" ".join(names_asked(question, document))))
    return known._replace(names=known.names | named) if named else known


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

    @property
    def stated(self) -> bool:
        """Whether the figure stands in the company's own statement of that kind."""
        return not self.lacks[0] and bool(self.main.features[_PRIMARY] > _MOSTLY)


def best(question: str, documents: Sequence[Document], kind: str = "") -> Sure | None:
    """The cells that answer best, None where no cell may. A cell that lacks what is asked answers not.

    `kind` is the statement to which they must belong, where the documents have one of that kind that may answer.
    """
    picks = find(question, documents)
    if analyse(question).kind in FIGURES:
        picks = [pick for pick in picks if _DIGIT.search(pick.cell.text)]  # words beside words count nothing
    picks = [pick for pick in picks if pick.table.kind == kind] or picks if kind else picks
    if not picks:
        return None
    wanted, weighed = figure_question(question), judged(question, picks, documents)
    complete = [pick for pick, lacks in weighed if not lacks]
    if not complete:
        distinct = _different(weighed[:_COMPARED])
        return Sure(tuple(pick for pick, _ in distinct), 0.0, tuple(lacks for _, lacks in distinct), distinct[0][0])
    if not wanted.part:
        complete = _whole_first(complete)
    complete = _undoubted_first(_plain_first(complete, wanted))
    short = [(pick, lacks) for pick, lacks in weighed if lacks]
    distinct = _different([*((pick, "") for pick in complete), *short][:_COMPARED])
    first = tuple(pick for pick, _ in distinct)
    return Sure(first, certainty(complete), tuple(lacks for _, lacks in distinct), _main(complete))


def judged(question: str, picks: Sequence[Pick], documents: Sequence[Document]) -> list[tuple[Pick, str]]:
    """The best picks with what each lacks of an answer, empty where it lacks nothing."""
    asked = [figure_question(without_long_names(question, document)) for document in documents]
    known = [_known(question, document) for document in documents]

    def lacking(pick: Pick) -> str:
        return _lacks(question, asked[pick.document], pick, known[pick.document])

    def again(before: list[tuple[Pick, str]], left: Callable[[Pick], frozenset[str]]) -> list[tuple[Pick, str]]:
        """The same picks without what a question may leave unsaid, where each of them lacks a word."""
        if not all(lacks for _, lacks in before) or not any(pick.missing for pick, _ in before):
            return before
        bare = [pick._replace(missing=left(pick)) for pick, _ in before]
        return [(pick, lacking(pick)) for pick in bare]

    def rooted(pick: Pick) -> frozenset[str]:
        """What is missing and not said by a noun of its root: "delivered", "Deliveries"."""
        roots, terms = coverage.of_one_root(question), _labels(pick)
        return frozenset(term for term in pick.missing if terms.isdisjoint(roots.get(term, ())))

    def named(pick: Pick) -> frozenset[str]:
        """What is missing but verbs: a row is named by what was spent, not by the spending."""
        unsaid = coverage.verbs(question) - known[pick.document].rarity.keys()
        return pick.missing - acts(question) - unsaid

    direct = [(pick, lacking(pick)) for pick in picks[:_WEIGHED]]
    return again(again(direct, rooted), named)


def _labels(pick: Pick) -> frozenset[str]:
    """The terms of what stands beside and over a cell."""
    return label_terms((*pick.cell.row_path, *pick.cell.column_path, pick.table.title))


def _lacks(question: str, wanted: FigureQuestion, pick: Pick, known: Index) -> str:
    wanted = wanted._replace(item=tuple(term for term in wanted.item if term not in known.names - wanted.parts))
    place = coverage.Place(pick.table, pick.cell, coverage.cell_period(pick.table, pick.cell))
    share = known.shares.get((pick.table.start, pick.cell.column))
    part = f"gives a part of “{share.whole}”" if share and share.terms.isdisjoint(wanted.terms) else ""
    return "; ".join(filter(None, (coverage.lacks(question, wanted, place, pick.missing, known.years), part)))


def _different(weighed: Sequence[tuple[Pick, str]]) -> list[tuple[Pick, str]]:
    """Picks of different figures with what they lack, in order."""
    different: dict[str, tuple[Pick, str]] = {}
    for pick, lacks in weighed:
        different.setdefault(_figure(pick), (pick, lacks))
    return list(different.values())


def certainty(picks: Sequence[Pick]) -> float:
    """The probability that the first of picks that lack nothing answers."""
    weights = read_json(PACKAGE, "weights.json")["confidence"]
    value = weights["constant"] + sum(weights.get(name, 0.0) * signal for name, signal in signals(picks).items())
    return 1 / (1 + math.exp(-min(30.0, max(-30.0, value))))


def _main(picks: Sequence[Pick]) -> Pick:
    same = [pick for pick in picks[:_COMPARED] if _figure(pick) == _figure(picks[0])]
    return next((pick for pick in same if pick.features[_WHOLE]), same[0])


def _whole_first(picks: list[Pick]) -> list[Pick]:
    """Picks with the figure of the whole first where the best is that of a part: of segments' tables, for instance.

    That is the one of the company's statements of those that say the same and are nearly as good, else the greatest.
    """
    first = picks[0]
    if first.features[_PRIMARY] or first.features[_WHOLE] or first.features[_COLUMNS]:
        return picks
    alike = _alike(first, picks)
    main = next((pick for pick in alike if pick.features[_PRIMARY]), None)
    most = main or max(alike, key=lambda pick: size(pick.cell))
    chosen = most if main is not None or size(most.cell) > size(first.cell) else first
    return [chosen, *(pick for pick in picks if pick is not chosen)]


def _plain_first(picks: list[Pick], wanted: FigureQuestion) -> list[Pick]:
    """Picks with the plain expense first, where the best is what it is net of others: "Interest expense, net".

    A table shows that which has both, the plain one by the name that is asked for. Receivables and sales are meant net.
    """
    first = picks[0]
    net = item_terms(" ".join(first.cell.row_path[-1:]))
    if _NET not in net or _NET in wanted.terms or _SPENT.isdisjoint(wanted.terms):
        return picks
    name = [term for term in net if term != _NET]
    for pick in picks[:_COMPARED]:
        if pick.features[_EXACT] and not pick.features[_APART] and item_terms(pick.cell.row_path[-1]) == name:
            below = (c for c in pick.table.values() if c.column == pick.cell.column and c.row > pick.cell.row)
            if _figure(pick) != _figure(first) and _figure(first) in (_digits(cell.text) for cell in below):
                return [pick, *(other for other in picks if other is not pick)]
    return picks


def _undoubted_first(picks: list[Pick]) -> list[Pick]:
    """Picks with one in no doubt first, where the best is in doubt and another says nearly as well.

    A sum puts a figure in doubt where a row of the same name has another, and a dash wherever there is a figure.
    """
    first = picks[0]
    if not _doubted(first):
        return picks
    near = [pick for pick in picks if pick.score > first.score - _CLOSE]
    others = _alike(first, picks) if any(map(str.isdigit, first.cell.text)) else near
    other = next((pick for pick in others if not _doubted(pick)), first)
    return [other, *(pick for pick in picks if pick is not other)]


def _doubted(pick: Pick) -> bool:
    return pick.cell.adds_up is False or not any(char.isdigit() for char in pick.cell.text)


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
    others = (pick.score for pick in picks if _figure(pick) != _figure(first) and not _converted(pick, first))
    other = next(others, first.score - _LEAD)
    again = sum(_figure(pick) == _figure(first) for pick in picks[1:6])
    named = dict(zip(NAMES, first.features.tolist(), strict=True))
    del named["path_asked"]  # a cell deep in its sections is no less likely
    return {
        **named,
        "lead": min(_LEAD, max(-_LEAD, first.score - other)) / _LEAD,
        "again": again / 5,
        "no_year": float(not named["year"] and not named["other_year"] and not named["newest"]),
    }


def _converted(pick: Pick, first: Pick) -> bool:
    """Whether a cell tells the same as another in another currency: of one row, one time, and units that differ."""
    cell, other = pick.cell, first.cell
    place = (pick.document, pick.table.start, cell.row, cell.year, cell.scale)
    units = {cell.unit, other.unit}
    money = len(units) > 1 and all(unit.isupper() for unit in units)
    return money and place == (first.document, first.table.start, other.row, other.year, other.scale)


def says(pick: Pick, name: str, *, itself: bool = False) -> bool:
    """Whether a cell's row is called by a name, with its sections or `itself`."""
    path = pick.cell.row_path[-1:] if itself else pick.cell.row_path
    return set(item_terms(name)) <= set(item_terms(" ".join(path)))


def _figure(pick: Pick) -> str:
    return _digits(pick.cell.text)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit()) or text


@cache
def fitted() -> Floats:
    """The weights that come with the package, by NAMES."""
    data = read_json(PACKAGE, "weights.json")
    return np.array([data["rank"].get(name, 0.0) for name in NAMES])
