"""Compares a claim's figures with table cells: the same value, another value of the same item, or nothing.

The cell is found by the claim's words and time alone, and only then held against its figure: that an equal number
stands in some cell is no agreement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.changes import role
from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.kinship import Word
from citewell.facts.quantities import scale_stated
from citewell.facts.relations import compare
from citewell.facts.tables.cell_facts import amount, name, printed, sense
from citewell.facts.tables.fits import Fit, Source, Subject, fits, previous, subject
from citewell.facts.tables.rows import ASIDE, Keys, heads, stem
from citewell.facts.types import Period, Quantity, Relation
from citewell.facts.wordnet import VERB, wordnet
from citewell.types import Cell

_UNLEVEL = frozenset(("ordinal", "multiplier", "points"))  # kinds of figures that no cell gives
_NEAR = 0.15  # of scores: cells that fit a claim's words as well as the best
_CLAIMED_SHARE = 0.6  # the least share of a claim's words that a cell must have for it to contradict
NAMED = 0.999  # a label that is said whole
_ROUND = 2  # digits of a figure that "about" leaves open further than its last place
_BESIDE = 2  # words between a share and the word of the change that it is the amount of
_MOST = 8  # figures of a claim that are looked up
_BE = frozenset("be is are was were been being".split())  # "are expected to reach" says no amount
_HUNDRED = Decimal(100)


class Point(NamedTuple):
    """A difference between a claim and a cell: its kind, the place in the claim, a plain sentence, the cell."""

    kind: str
    start: int
    end: int
    message: str
    fit: Fit


class CellReading(NamedTuple):
    """What cells say of a claim: the cells, and where they say otherwise; nothing of that where they bear it out.

    `unsaid` are the stems of the claim that the cells say nothing of.
    """

    points: tuple[Point, ...]
    cells: tuple[Fit, ...]
    unsaid: Keys


def read_cells(claim: Facts, sources: Sequence[Source]) -> CellReading | None:
    """What cells say of all figures of a claim, or of the direction that it tells; None where they settle nothing."""
    # "Three months" is the column's time, no figure of a cell.
    figures = [q for q in claim.quantities[:_MOST] if q.kind != "identifier" and q.family != "time"]
    if any(q.kind in _UNLEVEL or q.modifier == "range" for q in figures):
        return None
    readings: list[CellReading] = []
    for part in _Reading(claim, sources, _turning(claim, sources)).each(figures):
        if part is None:
            return None
        readings.append(part)
    if not readings:
        return None
    points = tuple(point for part in readings for point in part.points)
    unsaid = frozenset.intersection(*(part.unsaid for part in readings))
    verbs = frozenset(
        word.key
        for word, lower in zip(claim.tokens.known, claim.tokens.lower, strict=True)
        if (lower.endswith("ed") or _acts(word)) and not _BE & set(claim.tokens.lower)
    )
    if not points and unsaid <= verbs and len(unsaid) == 1:
        unsaid = frozenset()  # what is done with an amount that the row names: "spent", "invested"
    return CellReading(points, tuple(fit for part in readings for fit in part.cells), unsaid)


def _acts(word: Word) -> bool:
    """Whether a word may be a verb."""
    return any(wordnet().pos[sense] == VERB for sense in word.senses)


def denies(claim: Facts) -> bool:
    """Whether a claim denies something."""
    return not lists.words("reporting", "denials").isdisjoint(claim.tokens.lower)


def dated(claim: Facts) -> list[Period]:
    """The years of a claim, and what is told more exactly."""
    return [time for time in claim.periods if time.year and time.kind == "period" and time.granularity != "years"]


def _turning(claim: Facts, sources: Sequence[Source]) -> Mapping[int, int]:
    """The places of the words by which a claim says that something rises (1) or falls (-1), those of a label aside."""
    tokens = claim.tokens
    whole = subject(claim, range(len(tokens))).keys
    return {
        n: 1 - 2 * side
        for n in range(len(tokens))
        for axis, side in tokens.known[n].sides
        if axis == "change"
        and not any(
            row.label <= whole for source in sources for row in source.rows.named(frozenset((stem(tokens, n),)))
        )
    }


@dataclass(frozen=True, slots=True)
class _Reading:
    """A claim beside the rows that it is held against; `turning` are its words of change by their places."""

    claim: Facts
    sources: Sequence[Source]
    turning: Mapping[int, int]

    def each(self, figures: Sequence[Quantity]) -> Iterator[CellReading | None]:
        """What cells say of each figure that is a level, then of the change that the claim tells."""
        levels = [figure for figure in figures if not self.is_change(figure)]
        dates = self.dates(levels)
        for figure in levels:
            yield self.level(figure, self.subject_of(figure, levels), dates[figure.start])
        if self.turning or len(levels) < len(figures):
            yield self.change([figure for figure in figures if figure not in levels], self.latest())

    def is_change(self, figure: Quantity) -> bool:
        """Whether a figure is that of a change: "by 5 million", "grew 6.9%"."""
        if role(self.claim, figure) == "by":
            return True
        here = self.claim.tokens.between(figure.start, figure.end)
        return figure.kind == "percent" and any(abs(n - place) <= _BESIDE for n in self.turning for place in here)

    def plain_subject(self) -> Subject:
        """The words of the claim without those of change."""
        return subject(self.claim, [n for n in range(len(self.claim.tokens)) if n not in self.turning])

    def subject_of(self, figure: Quantity, levels: Sequence[Quantity]) -> Subject:
        """The words of a figure's own clause where the claim has several figures, each with such words; else all."""
        if len(levels) > 1:
            tokens, number = self.claim.tokens, clauses(self.claim.text)
            clauses_of = {q.start: frozenset(number[n] for n in tokens.between(q.start, q.end)) for q in levels}
            places = [n for n in range(len(tokens)) if n not in self.turning]
            parts = {
                q.start: subject(self.claim, [n for n in places if number[n] in clauses_of[q.start]]) for q in levels
            }
            if all(part.keys for part in parts.values()) and len(set(clauses_of.values())) > 1:
                return parts[figure.start]
        return self.plain_subject()

    def latest(self) -> Period | None:
        """The latest year of the claim."""
        return max(dated(self.claim), key=lambda time: time.year or 0, default=None)

    def dates(self, levels: Sequence[Quantity]) -> Mapping[int, Period | None]:
        """The time of each figure by its start. As many times as figures go in pairs, else the nearest."""
        times = dated(self.claim)
        if len(times) == len(levels):
            return {figure.start: time for figure, time in zip(levels, times, strict=True)}
        result: dict[int, Period | None] = {}
        for figure in levels:
            near = min(times, key=lambda time: abs(time.start - figure.start), default=None)
            earlier = len(times) == 1 and role(self.claim, figure) == "from"
            result[figure.start] = None if earlier else near
        return result

    def level(self, figure: Quantity, of: Subject, time: Period | None) -> CellReading | None:
        """What cells say of one figure."""
        ranked = fits(self.claim, of, time, self.sources)
        named = [fit for fit in ranked if fit.named >= NAMED]
        ranked = [fit for fit in ranked if not _of_another_row(fit, of, named)]
        right = [fit for fit in ranked if not fit.off]
        if not right:
            return self.of_another_time(figure, ranked)
        best = right[0]
        near = [fit for fit in right if fit.score >= best.score - _NEAR]
        agreeing = [fit for fit in near if self.agrees(figure, fit)]
        if agreeing:
            same = next((fit for fit in agreeing if self.sign(figure, fit, of) is None), agreeing[0])
            point = self.sign(figure, same, of)
            open_time = time is not None and same.dated is None
            return None if open_time else CellReading((point,) if point else (), (same,), same.unsaid)
        sure = best.named >= NAMED and best.claimed_share >= _CLAIMED_SHARE and (time is None or bool(best.dated))
        if not sure or any(self.relation(figure, fit).outcome == "incomparable" for fit in near):
            return None
        if any(
            self.agrees(figure, fit)
            for fit in right[len(near) :]
            if fit.claimed_share >= best.claimed_share - _NEAR / 3
        ):
            return None  # a row whose label says more than the claim: perhaps what is meant
        aspect = self.relation(figure, best).aspect
        if self.of_another_sort(figure, best) or self.is_rate(best):
            return None
        kind: str = aspect if aspect in ("magnitude", "unit") else "number"
        message = f"says {self.claimed(figure)}; {name(best.cell)} is {printed(best.cell)}"
        other = next((fit for fit in ranked if fit.off and fit.row is best.row and self.agrees(figure, fit)), None)
        if other is not None:
            kind, message = "date", f"{message}, {' '.join(other.cell.column_path)} is {printed(other.cell)}"
        cells = (best, other) if other else (best,)
        return CellReading((Point(kind, figure.start, figure.end, message, best),), cells, best.unsaid)

    def of_another_time(self, figure: Quantity, ranked: Sequence[Fit]) -> CellReading | None:
        """A figure that a row has, of another time than the claim's, which no column of such a row has."""
        best = next(iter(ranked), None)
        if best is None or best.named < NAMED or best.claimed_share < _CLAIMED_SHARE:
            return None
        near = (fit for fit in ranked if fit.score >= best.score - _NEAR)
        same = next((fit for fit in near if self.agrees(figure, fit)), None)
        if same is None:
            return None
        message = f"gives {self.claimed(figure)} for another time; it is that of {name(same.cell)}"
        return CellReading((Point("date", figure.start, figure.end, message, same),), (same,), same.unsaid)

    def claimed(self, figure: Quantity) -> str:
        """A figure as the claim writes it."""
        return self.claim.text[figure.start : figure.end]

    def agrees(self, figure: Quantity, fit: Fit) -> bool:
        """Whether a cell has the claim's figure, signs aside."""
        return self.relation(figure, fit).outcome == "agrees"

    def of_another_sort(self, figure: Quantity, fit: Fit) -> bool:
        """A share or a count beside an amount, or an amount beside a share: perhaps nothing of what the row tells."""
        share = (figure.kind == "percent") != (fit.cell.unit == "percent")
        tokens = self.claim.tokens
        behind = tokens.between(figure.start, figure.end).stop
        counted = behind < len(tokens) and tokens.content[behind] and not tokens.numbers[behind]
        count = figure.kind == "cardinal" and figure.scale == 1 and fit.cell.scale != 1 and counted
        return (share or count) and abs(figure.value) != abs(amount(replace(fit.cell, scale=1)).value)

    def is_rate(self, fit: Fit) -> bool:
        """Whether the claim tells an amount per something of which the cell says nothing: "net income per share"."""
        tokens = self.claim.tokens
        return any(tokens.lower[n - 1] == "per" and stem(tokens, n) in fit.unsaid for n in range(1, len(tokens)))

    def relation(self, figure: Quantity, fit: Fit) -> Relation:
        """How a claim's figure stands to a cell, signs aside."""
        cell, stated = amount(fit.cell), scale_stated(self.claim.text)
        scale = stated.factor if stated else Decimal(1)
        percent = figure.kind == "percent"
        if percent != (cell.kind == "percent"):
            return Relation("conflicts", "unit")
        low, high = sorted((abs(figure.low), abs(figure.high)))
        unscaled = replace(figure, low=low, high=high)
        if figure.modifier == "about" and sum(map(str.isdigit, self.claim.text[slice(*figure.numeral)])) > _ROUND:
            unscaled = replace(unscaled, modifier="")  # "about 138.8 million" is as exact as it is written
        if not percent and (figure.kind != "money" or _per(fit.cell)):
            unscaled = replace(unscaled, kind="cardinal", unit="", family="", factor=Decimal(1), currency="")
        if scale != 1 and unscaled.scale == 1 and not percent:
            unscaled = replace(
                unscaled, low=low * scale, high=high * scale, tolerance=unscaled.tolerance * scale, scale=scale
            )
        relation = compare(unscaled, cell)
        bare = unscaled.scale == 1 and not unscaled.currency and fit.cell.scale != 1
        as_printed = compare(unscaled, amount(replace(fit.cell, scale=1))) if bare else relation
        return as_printed if as_printed.outcome == "agrees" else relation

    def sign(self, figure: Quantity, fit: Fit, of: Subject) -> Point | None:
        """A loss told of a gain, or the other way round."""
        path = [part.lower() for part in fit.cell.row_path]
        if path[-1].startswith("less") or any(part.startswith("adjustment") for part in path[:-1]):
            return None  # what is taken from or added back to a result has the other sign
        words = sense(" ".join(self.claim.tokens.lower[n] for n in of.places))
        claimed = words.sign(negative=figure.negative) or -figure.negative
        label, negative = sense(fit.cell.row_path[-1]), (fit.cell.value or 0) < 0
        if label.loss and not label.gain and figure.negative:
            return None  # a loss of minus five is one
        if not (label.loss or label.gain or figure.negative):
            return None  # a row without such a word tells its costs as they are
        cell_sense = sense(ASIDE.sub(" ", fit.cell.row_path[-1]))
        if label.gain and cell_sense.loss and not cell_sense.gain:
            label, negative = label._replace(loss=False), not negative  # of a "(gain) loss" the loss is plain
        cell = label.sign(negative=negative) or (1 if claimed < 0 and not negative else 0)
        if not claimed or not cell or claimed == cell:
            return None
        message = f"says {self.claimed(figure)}; {name(fit.cell)} is {printed(fit.cell)}"
        return Point("sign", figure.start, figure.end, message, fit)

    def change(self, amounts: Sequence[Quantity], time: Period | None) -> CellReading | None:
        """What two cells of a row say of a change and of its amounts."""
        ranked = [fit for fit in fits(self.claim, self.plain_subject(), time, self.sources) if not fit.off]
        best = next(iter(ranked), None)
        ways = set(self.turning.values())
        if best is None or best.named < NAMED or best.claimed_share < _CLAIMED_SHARE or len(ways) != 1:
            return None
        fit = best
        if time is None:
            fit = max((fit for fit in ranked if fit.row is best.row), key=lambda fit: fit.cell.year or 0)
        before = previous(fit)
        if before is None or (time is not None and not fit.dated):
            return None
        first, last = ((cell.value or 0.0) * cell.scale for cell in (before, fit.cell))
        label = sense(fit.cell.row_path[-1])
        if max(first, last) < 0 or (min(first, last) < 0 and label.loss and not label.gain):
            return None  # whether a loss that grows rises is open
        both = fit, fit._replace(cell=before)
        row = f"{name(fit.cell)} is {printed(fit.cell)}, {name(before)} {printed(before)}"
        if (last > first) - (last < first) != ways.pop():
            start, end = self.claim.tokens.span(min(self.turning))
            message = f"says “{self.claim.text[start:end]}”; {row}"
            return CellReading((Point("direction", start, end, message, fit),), both, fit.unsaid)
        for figure in amounts:
            bounds = _change_bounds(figure, fit.cell, before)
            if bounds is None:
                return None
            size, slack = abs(figure.value), figure.tolerance + (abs(figure.value) / 20 if figure.modifier else 0)
            if size + slack < bounds[0] or size - slack > bounds[1]:
                message = f"says {self.claimed(figure)}; {row}"
                return CellReading((Point("number", figure.start, figure.end, message, fit),), both, fit.unsaid)
        return CellReading((), both, fit.unsaid)


def _per(cell: Cell) -> bool:
    """Whether a cell without a unit is an amount per something: "Earnings per share"."""
    return not cell.unit and any(" per " in f" {part.lower()} " for part in cell.row_path)


def _of_another_row(fit: Fit, of: Subject, named: Sequence[Fit]) -> bool:
    """Whether a claim names another row whole by words that this cell lacks: the total, beside "sales of Coatings"."""
    lacks = of.keys - fit.row.label - fit.row.around - heads(fit.cell.column_path)
    return any(other.row.label & lacks for other in named if other.source == fit.source)


def _change_bounds(figure: Quantity, cell: Cell, before: Cell) -> tuple[Decimal, Decimal] | None:
    """Between what the change of a row lies, in percent where the figure is a share, as far as its roundings tell."""
    last, first = amount(cell), amount(before)
    change, slack = abs(last.value - first.value), last.tolerance + first.tolerance
    if figure.kind != "percent":
        return change - slack, change + slack
    if cell.unit == "percent" or first.value <= first.tolerance:
        return None
    return (
        (change - slack) / (first.value + first.tolerance) * _HUNDRED,
        (change + slack) / (first.value - first.tolerance) * _HUNDRED,
    )
