"""Header paths of a grid: which headers stand over a column, which labels and sections a row belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from citewell.facts.tables.wording import says
from citewell.text.figures import is_measured, is_year
from citewell.types import Grid, Slot

_TIME = re.compile(
    r"\b(?:ended|ending|months|weeks|years?|quarter|fiscal|as (?:of|at)|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|(?:19|20)\d\d)\b|%|\bper\b",
    re.IGNORECASE,
)


class Heads(NamedTuple):
    """The headers over the rows from `first` on: for each column its headers, the widest first."""

    first: int
    over: tuple[tuple[Slot, ...], ...]


def lines(grid: Grid) -> list[list[Slot]]:
    """The slots of each row, from left to right."""
    by_row: list[list[Slot]] = [[] for _ in range(grid.rows)]
    for slot in grid.slots:
        by_row[slot.row].append(slot)
    return [sorted(row, key=lambda slot: slot.column) for row in by_row]


def header_rows(grid: Grid, rows: Sequence[Sequence[Slot]], text: str) -> list[bool]:
    """Which rows are headers: the first ones without figures, and further down those of years or periods alone."""
    plain = [_has_figures(row, text) for row in rows]
    heads = grid.heads
    if heads < 0:
        heads = next((number for number, has in enumerate(plain) if has), 0)
        while heads and _label_alone(rows[heads - 1]):
            heads -= 1
    marks = [number < heads for number in range(grid.rows)]
    for number in range(max(1, heads), grid.rows):
        beside = [slot for slot in rows[number] if slot.column > 0]
        years = [slot for slot in beside if is_year(text[slot.start : slot.end])]
        labelled = any(slot.column == 0 for slot in rows[number])
        if len(years) > 1 and len(years) == len(beside) and not (labelled and any(plain[:number])):
            marks[number] = True
    return marks


def _has_figures(row: Sequence[Slot], text: str) -> bool:
    said = [text[slot.start : slot.end] for slot in row if slot.column > 0]
    figures = [cell for cell in said if is_measured(cell)]
    return bool(figures) and not all(is_year(cell) for cell in figures)


def _label_alone(row: Sequence[Slot]) -> bool:
    return len(row) == 1 and row[0].column == 0 and row[0].columns == 1


def heads_over(grid: Grid, rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str) -> list[Heads]:
    """Each block of header rows with what stands over each column; an empty one where the table begins without."""
    result: list[Heads] = []
    number = 0
    if not marks or not marks[0]:
        result.append(Heads(0, tuple(() for _ in range(grid.columns))))
    while number < grid.rows:
        if not marks[number]:
            number += 1
            continue
        stop = next((after for after in range(number, grid.rows) if not marks[after]), grid.rows)
        over: list[list[Slot]] = [[] for _ in range(grid.columns)]
        for row in rows[number:stop]:
            for slot in row:
                if (
                    slot.columns > 1
                    and slot.columns >= grid.columns - 1
                    and not _TIME.search(text[slot.start : slot.end])
                ):
                    continue  # over the whole table: a title
                for column in range(slot.column, min(slot.column + slot.columns, grid.columns)):
                    over[column].append(slot)
        result.append(Heads(stop, tuple(map(tuple, over))))
        number = stop
    return result


def column_path(over: Sequence[Slot], text: str) -> tuple[str, ...]:
    """The headers of a column as text: lines that stand over the same columns are one header."""
    path: list[str] = []
    for _, group in groupby(over, key=lambda slot: (slot.column, slot.columns)):
        path.append(" ".join(" ".join(text[slot.start : slot.end].split()) for slot in group))
    return tuple(path)


def _goes_down(row: Sequence[Slot], text: str) -> bool:
    """Whether a row without a label begins with words and goes on with figures: the label above is its own too."""
    said = [text[slot.start : slot.end] for slot in row]
    return len(said) > 1 and row[0].column == 1 and not is_measured(said[0]) and any(map(is_measured, said[1:]))


class Section(NamedTuple):
    """A label that rows below it belong to, how far it is indented, and whether rows below it were indented further."""

    indent: float
    label: str
    deeper: bool = False


def stub(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str) -> int:
    """How many columns hold labels: a second one does where its cells are words in rows whose first place is free."""
    body = [row for row, head in zip(rows, marks, strict=True) if row and not head]
    second = [(row, slot) for row in body for slot in row if slot.column == 1]
    reached = {
        n
        for number, row in enumerate(rows)
        for slot in row[:1]
        if slot.column == 0
        for n in range(number, number + slot.rows)
    }
    indented = second and all(
        row[0] is slot and len(row) > 1 and slot.row not in reached and not is_measured(text[slot.start : slot.end])
        for row, slot in second
    )
    return 2 if indented and any(slot.column == 0 for row in body for slot in row[:1]) else 1


def row_paths(
    rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str, labels: int, open_: list[Section]
) -> Mapping[int, tuple[str, ...]]:
    """For each row of the body its sections and its own label, told by indents, labels alone, and totals.

    The first `labels` columns hold labels; what stands in the second is indented. `open_` holds the sections that are
    open before the first row, and afterwards those behind the last.

    A label without figures opens a section; what is indented further belongs to it, and what stands flush with it too
    as long as nothing was indented. A total closes the section that it adds up.
    """
    paths: dict[int, tuple[str, ...]] = {}
    spanning: dict[int, str] = {}  # the label of a row that reaches down to it from above
    for number, row in enumerate(rows):
        if marks[number] or not row or row[0].column >= labels:
            if not marks[number]:
                sections = tuple(section.label for section in open_)
                if number in spanning:
                    paths[number] = (*sections, spanning[number])
                else:
                    paths[number] = paths[number - 1] if number - 1 in paths and _goes_down(row, text) else sections
            continue
        label = " ".join(text[row[0].start : row[0].end].split())
        spanning.update(dict.fromkeys(range(number + 1, number + row[0].rows), label.rstrip(":")))
        indent, alone = row[0].indent + _SECOND * row[0].column, len(row) == 1
        while open_ and _closes(open_[-1], indent, alone=alone):
            open_.pop()
        if open_ and indent > open_[-1].indent + _STEP:
            open_[-1] = open_[-1]._replace(deeper=True)
        paths[number] = (*(section.label.rstrip(":") for section in open_), label.rstrip(":"))
        if alone:
            open_.append(Section(indent, label))
        elif open_ and says("total").search(label.lower()):
            while open_ and indent <= open_[-1].indent + _STEP:
                open_.pop()
            if open_ and not _more_below(rows, marks, number, indent):
                open_.pop()
    return paths


_SECOND = 10.0  # points: the least indent of labels in a column of their own
_STEP = 1.0  # points (or levels, which differ by more): smaller differences are no indent


def _closes(section: Section, indent: float, *, alone: bool) -> bool:
    """Whether a row at this indent lies outside the section."""
    if indent < section.indent - _STEP:
        return True
    flush = indent <= section.indent + _STEP
    return flush and (alone or section.deeper)


def _more_below(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], number: int, indent: float) -> bool:
    """Whether the next row with figures stands at the same indent or deeper, so that the section goes on."""
    rest: Iterable[int] = range(number + 1, len(rows))
    after = next((rows[n] for n in rest if not marks[n] and rows[n] and rows[n][0].column == 0), None)
    return after is not None and len(after) > 1 and after[0].indent >= indent - _STEP
