"""Comparisons in a claim that two cells decide: "A brought in more than B", "higher in 2022 than in 2021"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from citewell.facts.comparisons import Sides, sides
from citewell.facts.extract import Facts
from citewell.facts.tables.cell_facts import name, printed
from citewell.facts.tables.fits import Fit, Source, Subject, fits, subject
from citewell.facts.tables.readings import NAMED, CellReading, Point, dated
from citewell.facts.types import Period

_MOST = 12  # cells of each side that are held against each other


def compared(claim: Facts, sources: Sequence[Source]) -> CellReading | None:
    """What cells say of a claim's comparison; None where they have not both of its sides, or it tells a figure."""
    both = sides(claim)
    if both is None or claim.quantities:
        return None
    pair = _pair(claim, both, sources)
    if pair is None:
        return None
    first, second = pair
    unsaid = first.unsaid | second.unsaid
    if (_worth(first) - _worth(second)) * both.sign > 0:
        return CellReading((), pair, unsaid)
    start, end = claim.tokens.span(both.word)
    message = (
        f"says “{claim.text[start:end]}”; {name(first.cell)} is {printed(first.cell)}, "
        f"{name(second.cell)} {printed(second.cell)}"
    )
    return CellReading((Point("number", start, end, message, first),), pair, unsaid)


def _pair(claim: Facts, both: Sides, sources: Sequence[Source]) -> tuple[Fit, Fit] | None:
    """The cells of both sides: of one table, unit and column, or of one row and two years."""
    than = claim.tokens.starts[min(both.right)]
    times = dated(claim)
    before, after = [time for time in times if time.start < than], [time for time in times if time.start >= than]
    left, right = (subject(claim, sorted(places)) for places in (both.left, both.right))
    first = _ranked(claim, left, before or after, sources)
    if right.keys:
        second = _ranked(claim, right, after or before, sources)
    else:
        second = _ranked(claim, left, after, sources) if before and after else []
    pairs = [
        (left, other)
        for left, other in product(first[:_MOST], second[:_MOST])
        if left.source == other.source
        and left.row.table is other.row.table
        and left.cell.unit == other.cell.unit
        and (left.cell.column == other.cell.column if right.keys else left.row is other.row)
        and left.cell is not other.cell
    ]
    return max(pairs, key=lambda pair: (pair[0].score + pair[1].score, _year(pair[0])), default=None)


def _ranked(claim: Facts, of: Subject, times: Sequence[Period], sources: Sequence[Source]) -> list[Fit]:
    """The cells of one side that have all of its words, of the latest year first."""
    time = times[-1] if times else None
    ranked = fits(claim, of, time, sources)
    whole = [fit for fit in ranked if not fit.off and fit.named >= NAMED and (time is None or fit.dated)]
    return sorted(whole, key=lambda fit: (-fit.score, -_year(fit)))


def _year(fit: Fit) -> int:
    return fit.cell.year or 0


def _worth(fit: Fit) -> float:
    return abs((fit.cell.value or 0.0) * fit.cell.scale)
