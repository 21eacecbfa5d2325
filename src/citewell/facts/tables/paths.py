"""Header paths of a grid: the headers above a column, and the labels and sections of a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from citewell.facts.calendar.period import read_period
from citewell.facts.dates import periods
from citewell.facts.quantities import scale_stated
from citewell.facts.tables.sums import Sum
from citewell.facts.tables.wording import says
from citewell.text.figures import is_measured, is_year
from citewell.text.spans import cut, on_one_line
from citewell.text.times import TIME_WORDS
from citewell.types import Grid, Slot

_TIME = re.compile(rf"{TIME_WORDS}|%|\bper\b", re.IGNORECASE)


_NO_TIME = re.compile(rf"{TIME_WORDS}|[\W\d_]+", re.IGNORECASE)
_SEVERAL = 2  # years or dates of a row of headers
_MOSTLY = 0.9  # of the labels in columns behind the first: they are the only ones of their rows
_FEW = 2  # times as many figures as words stand in a column of figures
_DATE = 40  # characters of a date, at most


class Heads(NamedTuple):
    """The headers over the rows from `first` on: for each column its headers, the widest first."""

    first: int
    over: tuple[tuple[Slot, ...], ...]


def handed_down(before: Grid, heads: Heads, grid: Grid, rows: Sequence[Sequence[Slot]], text: str) -> Heads | None:
    """The headers of a grid for one without any below it: of as many columns, or of as many figures in a row."""
    if before.columns == grid.columns:
        return heads._replace(first=0)
    alone = heads.first >= before.rows and before.columns + 1 == grid.columns
    if alone:
        return Heads(0, ((), *heads.over))
    over = list(dict.fromkeys(path for path in heads.over if path and path[-1].column))
    figures = ([slot for slot in row if slot.column and is_measured(cut(text, slot))] for row in rows)
    pairs = {(slot.column, n) for row in figures if len(row) == len(over) for n, slot in enumerate(row)}
    places = dict(pairs)
    if len(over) < _SEVERAL or not pairs or len(places) < len(pairs):
        return None
    return Heads(0, tuple(over[places[column]] if column in places else () for column in range(grid.columns)))


def lines(grid: Grid) -> list[list[Slot]]:
    """The slots of each row, from left to right."""
    by_row: list[list[Slot]] = [[] for _ in range(grid.rows)]
    for slot in grid.slots:
        by_row[slot.row].append(slot)
    return [sorted(row, key=lambda slot: slot.column) for row in by_row]


def header_rows(grid: Grid, rows: Sequence[Sequence[Slot]], text: str) -> list[bool]:
    """Which rows are headers: the first ones without figures, and further down those of years or periods alone."""
    plain = [_has_figures(row, text) for row in rows]
    if not any(plain) and all(_is_head(cut(text, slot)) for slot in grid.slots):
        return [True] * grid.rows  # of the table below it
    heads = grid.heads
    if heads < 0:
        heads = next((number for number, has in enumerate(plain) if has), 0)
        while heads and _label_alone(rows[heads - 1]):
            heads -= 1
    marks = [number < heads for number in range(grid.rows)]
    columns = _of_figures([row for row in rows[heads:] if row and row[0].column == 0], text)
    begun = False  # figures stand above
    for number in range(max(1, heads), grid.rows):
        begun |= plain[number - 1]
        marks[number] = _times_alone(rows[number], text, begun=begun)
    for number in range(grid.rows - 2, max(1, heads) - 1, -1):
        row = rows[number]
        if marks[number] or plain[number] or not row:
            continue
        if row[0].column == 0:
            scale = scale_stated(cut(text, row[0]))
            marks[number] = len(row) > 1 and scale is not None and any(plain[:number])
            continue
        over = {column for slot in row for column in range(slot.column, slot.column + slot.columns)}
        passed = (n for n in range(number - 1, -1, -1) if not _heads_alone(rows[n], plain=plain[n]))
        above = next((n for n in passed if not _label_alone(rows[n])), 0)
        labelled = bool(rows[number + 1]) and rows[number + 1][0].column == 0 and plain[above]
        marks[number] = marks[number + 1] or (len(over) > 1 and over <= columns and labelled)
    return marks


def _heads_alone(row: Sequence[Slot], *, plain: bool) -> bool:
    """Whether a row has neither a label nor figures, as the upper one of two rows of headers."""
    return not plain and bool(row) and row[0].column > 0


def _of_figures(rows: Sequence[Sequence[Slot]], text: str) -> set[int]:
    """The columns that hold figures and hardly anything else."""
    figures: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for slot in (slot for row in rows for slot in row[1:]):  # what stands first names its row, be it a code
        (figures if is_measured(cut(text, slot)) else others)[slot.column] += 1
    return {column for column, count in figures.items() if count > _FEW * others[column]}


def _times_alone(row: Sequence[Slot], text: str, *, begun: bool) -> bool:
    """Whether the cells of a row are years or dates; where figures stand above, without a label or below a scale."""
    beside = [slot for slot in row if slot.column > 0]
    if len(beside) < _SEVERAL or not all(is_time(cut(text, slot)) for slot in beside):
        return False
    label = cut(text, row[0]) if row[0].column == 0 else ""
    return not (label and begun) or scale_stated(label) is not None


@lru_cache(maxsize=4096)
def is_time(text: str) -> bool:
    """Whether a cell is a year or a date and nothing else."""
    if is_year(text):
        return True
    times = periods(text) if len(text) <= _DATE else ()
    return bool(times) and times[0].start == 0 and times[-1].end == len(text)


def _is_head(text: str) -> bool:
    """Whether a cell tells a time or a scale, with whatever else."""
    return is_time(text) or scale_stated(text) is not None


def _is_aside(text: str) -> bool:
    """Whether a header says the scale of the table and nothing else."""
    return text[:1] == "(" or ((stated := scale_stated(text)) is not None and stated.start == 0)


def _has_figures(row: Sequence[Slot], text: str) -> bool:
    texts = [cut(text, slot) for slot in row if slot.column > 0]
    figures = [cell for cell in texts if is_measured(cell)]
    notes = len(figures) < len(texts) - len(figures) and all(cell.isdigit() and len(cell) == 1 for cell in figures)
    return bool(figures) and not notes and not all(is_year(cell) for cell in figures)


def _label_alone(row: Sequence[Slot]) -> bool:
    return len(row) == 1 and row[0].column == 0 and row[0].columns == 1


def heads_over(grid: Grid, rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str) -> list[Heads]:
    """Each block of header rows with what stands over each column; an empty one where the table begins without."""
    result: list[Heads] = []
    whole: list[list[Slot]] = [[] for _ in range(grid.columns)]  # the last headers that name every column
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
                if slot.columns > 1 and slot.columns >= grid.columns - 1 and _is_title(slot, row, text):
                    continue
                for column in range(slot.column, min(slot.column + slot.columns, grid.columns)):
                    over[column].append(slot)
        if _stands(over, whole, text):
            whole = over
        else:
            over = [[*above, *path] for above, path in zip(whole, over, strict=True)]
        result.append(Heads(stop, tuple(map(tuple, _with_corner(over, text)))))
        number = stop
    return result


def _with_corner(over: Sequence[Sequence[Slot]], text: str) -> list[Sequence[Slot]]:
    """Headers with the period that the corner tells before bare years: "Quarters ended June 30," "2023"."""
    corner = [slot for slot in over[0] if slot.columns == 1 and _is_length(cut(text, slot))] if over else []
    dated = [bool(path) and path[-1].column > 0 and _is_bare(path, text) for path in over]
    return [[*corner, *path] if bare else path for bare, path in zip(dated, over, strict=True)] if corner else [*over]


def _is_length(text: str) -> bool:
    """Whether a text tells how long a period is or when it ends, and its year not."""
    period = read_period(text)
    return not period.years and (period.months > 0 or period.ending is not None)


def _is_bare(path: Sequence[Slot], text: str) -> bool:
    """Whether headers tell a year and no more of a period."""
    period = read_period(" ".join(cut(text, slot) for slot in path))
    return bool(period.years) and not period.months and period.ending is None


def _is_title(slot: Slot, row: Sequence[Slot], text: str) -> bool:
    """Whether what stands over all columns is a title or says the scale; over the figures alone it is their header."""
    label = cut(text, slot)
    if slot.column == 0:
        return not _TIME.search(label)
    corner = cut(text, row[0]) if row[0].column == 0 else ""
    return _is_aside(label) or bool(corner and not _is_aside(corner) and not _TIME.search(label))


def _stands(over: Sequence[Sequence[Slot]], above: Sequence[Sequence[Slot]], text: str) -> bool:
    """Whether headers further down stand for those above: they tell times, repeat them or name all columns."""
    lowest = (cut(text, path[-1]) for path in over if path and path[-1].column)
    pairs = [(path, before) for path, before in zip(over, above, strict=True) if before and before[0].column]
    again = [(_lowest(path, text), _lowest(before, text)) for path, before in pairs if path]
    return (
        any(map(is_time, lowest))
        or (len(again) > 1 and all(here == there for here, there in again))
        or all(path and min(slot.columns for slot in path) <= min(s.columns for s in before) for path, before in pairs)
    )


def _lowest(path: Sequence[Slot], text: str) -> str:
    """The lowest header over a column."""
    return " ".join(cut(text, path[-1]).lower().split())


def column_path(over: Sequence[Slot], text: str) -> tuple[str, ...]:
    """The headers of a column as text: lines that stand over the same columns are one header."""
    path: list[str] = []
    for _, group in groupby(over, key=lambda slot: (slot.column, slot.columns)):
        path.append(" ".join(on_one_line(text, slot) for slot in group))
    return tuple(path)


class Section(NamedTuple):
    """A label that rows below it belong to: how far it is indented, whether rows below it were further, and its row."""

    indent: float
    label: str
    deeper: bool = False
    row: int = -1

    @property
    def is_time(self) -> bool:
        """Whether the label is nothing but a time: "Year ended December 31, 2024:"."""
        return is_time(self.label.rstrip(":"))


def stub(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str) -> int:
    """How many columns hold labels.

    Further ones do where each row of figures has one label, in whichever of them; and a second one does that has the
    same times for each label.
    """
    body = [row for row, head in zip(rows, marks, strict=True) if row and not head]
    second = [(row, slot) for row in body for slot in row if slot.column == 1]
    counts = Counter(cut(text, slot) for _, slot in second)
    again = len(set(counts.values())) == 1 < min(counts.values()) and any(row[0] is slot for row, slot in second)
    labelled = any(slot.column == 0 for row in body for slot in row[:1])
    if labelled and again and all(map(is_time, counts)):
        return 2
    reached = {n for row in body for slot in row[:1] for n in range(slot.row + 1, slot.row + slot.rows)}
    width = min(_of_figures(body, text), default=1)
    apart = [
        slot is row[0] and slot.row not in reached
        for row in body
        for slot in row
        if 0 < slot.column < width and any(is_measured(cut(text, other)) for other in row[1:])
    ]
    return width if labelled and apart and sum(apart) > _MOSTLY * len(apart) else 1


def row_paths(
    rows: Sequence[Sequence[Slot]],
    marks: Sequence[bool],
    text: str,
    labels: int,
    open_: list[Section],
    added: Mapping[int, Sum] = MappingProxyType({}),
) -> Mapping[int, tuple[str, ...]]:
    """For each row of the body its sections and its own label, told by indents, labels alone, and totals.

    The first `labels` columns hold labels; what stands in the second is indented. `open_` holds the sections that are
    open before the first row, and afterwards those behind the last.

    A label without figures opens a section; what is indented further belongs to it, and what stands flush with it too
    as long as nothing was indented. A total closes the section that it adds up, and a row of `added` that sums what
    stands before a section as well lies outside of it. Headers further down close all. A label over several lines is
    one.
    """
    open_[:] = [section._replace(row=-1) for section in open_]
    paths: dict[int, tuple[str, ...]] = {}
    spanning: dict[int, str] = {}  # the label of a row that reaches down to it from above
    begun: tuple[str, float] | None = None  # the lines of a label that goes on in this row, and their indent
    for number, slots in enumerate(rows):
        row = slots
        if marks[number] and paths:
            open_.clear()
        summed = added[number].rows[0] if number in added else number
        while open_ and summed < open_[-1].row:
            open_.pop()
        if marks[number] or not row or row[0].column >= labels:
            if not marks[number]:
                sections = tuple(section.label for section in open_)
                if not sections and number in added:
                    sections = _corner(rows[:number], marks, text)  # a total without a name, of all above it
                paths[number] = (*sections, spanning[number]) if number in spanning else sections
            continue
        if row[0].column == 0 and len(row) > 1 and 0 < row[1].column < labels:  # a label of several rows, and a time
            while open_ and _closes(open_[-1], row[0].indent, on_one_line(text, row[0]), alone=True, timed=False):
                open_.pop()
            open_.append(Section(row[0].indent, on_one_line(text, row[0]), deeper=True, row=number))
            row = row[1:]
        label = on_one_line(text, row[0])
        spanning.update(dict.fromkeys(range(number + 1, number + row[0].rows), label.rstrip(":")))
        indent, alone = row[0].indent + _SECOND * row[0].column, len(row) == 1
        if begun is not None:
            label, indent = f"{begun[0]} {label}", begun[1]
        below = rows[number + 1][:1] if number + 1 < len(rows) and not marks[number + 1] else ()
        if alone and below and below[0].column == 0 and _wraps(label, on_one_line(text, below[0])):
            begun, paths[number] = (label, indent), (*(section.label.rstrip(":") for section in open_), label)
            continue
        begun = None
        # A label right under another one names a part of it, however they are set: "Assets" above "Current assets".
        timed = alone and is_time(label.rstrip(":"))
        before = next((n for n, section in enumerate(open_) if section.is_time), len(open_))
        if timed and open_[before:] and indent <= open_[before].indent + _STEP:
            del open_[before:]  # one time follows another
        while (
            open_
            and not (alone and open_[-1].row == number - 1)
            and _closes(open_[-1], indent, label, alone=alone, timed=timed)
        ):
            open_.pop()
        if open_ and indent > open_[-1].indent + _STEP:
            open_[-1] = open_[-1]._replace(deeper=True)
        paths[number] = (*(section.label.rstrip(":") for section in open_), label.rstrip(":"))
        if alone and not says("bare").search(label.lower()):
            open_.append(Section(indent, label, row=number))
        elif open_ and says("total").search(label.lower()):
            while open_ and indent <= open_[-1].indent + _STEP and not open_[-1].is_time:
                open_.pop()
            if open_ and not open_[-1].is_time and not _more_below(rows, marks, number, indent):
                open_.pop()
    return paths


def _corner(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str) -> tuple[str, ...]:
    """What the headers right above some rows say over the labels, without times and scales: "Assets"."""
    heads = (row for row, head in zip(reversed(rows), reversed(marks[: len(rows)]), strict=True) if head and row)
    last = next(heads, ())
    label = on_one_line(text, last[0]) if last and last[0].column == 0 else ""
    return (label,) if label and not (_TIME.search(label) or _is_aside(label)) else ()


def below_parts(paths: Mapping[int, tuple[str, ...]], parts: Mapping[int, int]) -> Mapping[int, tuple[str, ...]]:
    """Paths in which rows that sum those right below them, down to a row each, are sections of these."""
    result = dict(paths)
    for number, last in parts.items():
        above = result.get(number, ())
        for row in range(number + 1, last + 1):
            if above and result.get(row, ())[: len(above) - 1] == above[:-1]:
                result[row] = (*above, *result[row][len(above) - 1 :])
    return result


_SECOND = 10.0  # points: the least indent of labels in a column of their own
_STEP = 1.0  # points (or levels, which differ by more): smaller differences are no indent


def _wraps(label: str, below: str) -> bool:
    """Whether a label without figures goes on in the line below: it ends open, or that begins with a small letter."""
    if label.endswith(":") or not _NO_TIME.sub("", label):
        return False
    small = below[:1].islower() and not label[:1].islower() and not says("part_of").match(below)
    return small or says("ends_open").search(label.lower()) is not None or label.count("(") > label.count(")")


def _closes(section: Section, indent: float, label: str, *, alone: bool, timed: bool) -> bool:
    """Whether a row at this indent lies outside the section; a time holds until the next one."""
    if indent < section.indent - _STEP:
        return True
    if section.is_time and not timed:
        return False
    flush = indent <= section.indent + _STEP
    if flush and alone and section.label.isupper() and not label.isupper() and not section.deeper:
        return False  # a label in capitals stands above others, but one with rows of its own is an acronym
    return flush and (alone or section.deeper)


def _more_below(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], number: int, indent: float) -> bool:
    """Whether the next row with figures stands at the same indent or deeper, so that the section goes on."""
    rest: Iterable[int] = range(number + 1, len(rows))
    after = next((rows[n] for n in rest if not marks[n] and rows[n] and rows[n][0].column == 0), None)
    return after is not None and len(after) > 1 and after[0].indent >= indent - _STEP
