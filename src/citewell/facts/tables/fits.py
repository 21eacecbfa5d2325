"""The cells that match a claim's words and time: rows by their labels, columns by their headers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citewell.facts.calendar.fiscal import FiscalYears
from citewell.facts.calendar.period import OPENING, read_period
from citewell.facts.extract import Facts
from citewell.facts.tables.cell_facts import part, times
from citewell.facts.tables.rows import Keys, Row, Rows, names, plain, stem, weight
from citewell.facts.types import Period
from citewell.types import Cell

HALF_NAMED = 0.5  # the least share of a label that a claim must say
_DATED = 0.5  # what a column of the claim's own time is worth, beside a label said whole
_LABEL = 0.5  # what words of the label itself are worth more than those of its section and title
_UNSAID = 0.3  # what headers that the claim does not say cost


class Source(NamedTuple):
    """The rows of one document that may be read, its first words, and the names of who writes it."""

    rows: Rows
    front: Keys
    years: FiscalYears = FiscalYears()
    writer: Keys = frozenset()


class Subject(NamedTuple):
    """What a claim tells a figure of: the places of its words, their stems, the names among them."""

    places: tuple[int, ...]
    keys: Keys
    names: Keys


class Fit(NamedTuple):
    """A cell that a claim may speak of.

    `named` is the share of the row's label that the claim says, `claimed_share` the share of the claim's words that
    stand there, `unsaid` those that do not, `dated` whether the column has the claim's time (None: it tells none),
    `off` whether it has another.
    """

    source: int
    row: Row
    cell: Cell
    score: float
    named: float
    claimed_share: float
    unsaid: Keys
    dated: bool | None
    off: bool


def subject(claim: Facts, places: Sequence[int]) -> Subject:
    """The words at some places of a claim that name what its figure is of: no figures, times, words of reporting."""
    tokens, known = claim.tokens, plain()
    apart = {n for fact in (*claim.quantities, *claim.periods) for n in tokens.between(fact.start, fact.end)}
    left = tuple(n for n in places if names(tokens, n) and n not in apart and stem(tokens, n) not in known)
    keys = frozenset(stem(tokens, n) for n in left)
    return Subject(left, keys, frozenset(stem(tokens, n) for n in left if tokens.names[n]))


def fits(claim: Facts, of: Subject, time: Period | None, sources: Sequence[Source]) -> list[Fit]:
    """The cells of the rows that a subject names, best first."""
    wanted, whole = part(claim.text), weight(of.keys)
    result = [
        fit
        for number, source in enumerate(sources)
        for row in source.rows.named(of.keys)
        for fit in _cells(number, source, row, of, time, wanted, whole)
    ]
    return sorted(result, key=lambda fit: -fit.score)


def _cells(
    number: int, source: Source, row: Row, of: Subject, time: Period | None, wanted: tuple[int, int], whole: float
) -> Iterator[Fit]:
    named = weight(row.label & of.keys) / weight(row.label)
    if named < HALF_NAMED:
        return
    known = row.label | row.around | (source.front & of.names) | source.writer
    for cell, heads in zip(row.cells, row.heads, strict=True):
        unsaid = of.keys - known - heads
        covered = 1 - weight(unsaid) / whole if whole else 1.0
        extra = heads - of.keys - row.around
        dated = _dated(cell, row, time, source.years)
        off = dated is False or not _same_part(wanted, cell, row)
        label_share = weight(of.keys & row.label) / whole if whole else 0.0
        score = (
            named
            + covered
            + _LABEL * label_share
            + _DATED * bool(dated)
            - _UNSAID * (weight(extra) / weight(heads) if extra else 0.0)
        )
        yield Fit(number, row, cell, score, named, covered, unsaid, dated, off)


def _dated(cell: Cell, row: Row, time: Period | None, years: FiscalYears) -> bool | None:
    """Whether a cell is of a claim's time, both by the company's calendar; None where one of them tells none."""
    if time is None or not time.year:
        return None
    if cell.year is not None and time.month is None:
        number = years.number(read_period(" ".join(cell.column_path))) if time.quarter else 0
        same = (years.year_of(time) or 0) - cell.year in (0, OPENING.search(cell.period) is not None)
        return same and (not number or number == time.quarter)
    dated = [period for period in times(" ".join(cell.column_path)) if period.year]
    dated = dated or [period for period in times(" ".join(cell.row_path)) if period.year]
    if dated:
        return any(_agree(time, period) for period in dated)
    if cell.year is not None:
        return cell.year == time.year
    titled = [period for period in times(row.table.title) if period.year]
    return any(_agree(time, period) for period in titled) if titled else None


def _agree(claim: Period, evidence: Period) -> bool:
    both = ((claim.year, evidence.year), (claim.month, evidence.month), (claim.quarter, evidence.quarter))
    return all(mine is None or theirs is None or mine == theirs for mine, theirs in both)


def _same_part(wanted: tuple[int, int], cell: Cell, row: Row) -> bool:
    """Whether a column is of the claim's part of the year, or both are of the whole."""
    labels = (" ".join(cell.column_path), " ".join(cell.row_path), row.table.title)
    months, number = next(filter(any, map(part, labels)), (0, 0))
    return wanted[0] == months and (not (wanted[1] and number) or wanted[1] == number)


def previous(fit: Fit) -> Cell | None:
    """The cell of the same row and headers for the year before, or for the last one before that the row has."""
    if fit.cell.year is None:
        return None
    heads = dict(zip((cell.column for cell in fit.row.cells), fit.row.heads, strict=True))
    over = part(" ".join(fit.cell.column_path))
    before = [
        cell
        for cell in fit.row.cells
        if cell.year is not None
        and cell.year < fit.cell.year
        and cell.unit == fit.cell.unit
        and heads[cell.column] == heads[fit.cell.column]
        and part(" ".join(cell.column_path)) == over
    ]
    return max(before, key=lambda cell: cell.year or 0, default=None)
