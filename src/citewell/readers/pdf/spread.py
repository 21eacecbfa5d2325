"""Headers over several columns: how far one extends if lower headers have no header above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from citewell.text.figures import is_year
from citewell.types import Slot

_GROUPS = 2  # headers of a row that name groups, at least
_MOST = 12  # columns that one header reaches over, at most


def spread(slots: Sequence[Slot], boxes: Mapping[Slot, tuple[float, float]], heads: int) -> list[Slot]:
    """The slots with headers widened over the columns below that have a lower header but none of their own.

    `boxes` has the left and right edge of each header. A header stands at the left edge or in the middle of what it
    reaches over: the widths are those that fit all headers of a row best.
    """
    rows = [[slot for slot in slots if slot.row == number] for number in range(heads)]
    wider: dict[Slot, Slot] = {}
    for number, row in enumerate(rows[:-1]):
        below = {
            c: boxes[slot]
            for later in rows[number + 1 :]
            for slot in later
            for c in _columns(slot)
            if slot.columns == 1
        }
        columns = {c for slot in row for c in _columns(slot)}
        above = {
            c for earlier in rows[:number] for slot in earlier if slot.rows > number - slot.row for c in _columns(slot)
        }
        free = set(below) - columns - above - {0}
        if free:
            wider.update(_widened(row, boxes, below, free))
    return [wider.get(slot, slot) for slot in slots]


def groups(slots: Sequence[Slot], boxes: Mapping[Slot, tuple[float, float]], heads: int, text: str) -> list[Slot]:
    """The slots with headers widened, in rows of which each header names a group and all columns belong to one.

    The first lines of headers that go on below ("Accumulated" over "other comprehensive loss") are none of a group;
    over years headers stand in the middle, and are placed before.
    """
    result = spread(slots, boxes, heads)
    for number in range(heads - 1):
        row = [slot for slot in result if slot.row == number]
        lower = [slot for slot in result if number < slot.row < heads]
        covered = {column for slot in row for column in _columns(slot)}
        goes_on = any(not _opens(text[slot.start : slot.end]) for slot in lower)
        if len(row) < _GROUPS or goes_on or {c for slot in lower for c in _columns(slot)} - covered - {0}:
            result = [old if old.row == number else new for old, new in zip(slots, result, strict=True)]
    return result


def _opens(text: str) -> bool:
    """Whether a header begins with its line, as far as its first character tells, and is no year."""
    return text[:1].isalnum() and not text[:1].islower() and not is_year(text)


def _columns(slot: Slot) -> range:
    return range(slot.column, slot.column + slot.columns)


def _widened(
    row: Sequence[Slot],
    boxes: Mapping[Slot, tuple[float, float]],
    below: Mapping[int, tuple[float, float]],
    free: set[int],
) -> dict[Slot, Slot]:
    result = {}
    taken = 0
    for number, slot in enumerate(row):
        end = row[number + 1].column if number + 1 < len(row) else max(below) + 1
        firsts = [slot.column]
        while firsts[-1] - 1 in free and firsts[-1] - 1 >= taken:
            firsts.append(firsts[-1] - 1)
        lasts = [slot.column + slot.columns]
        while lasts[-1] in free and lasts[-1] < end:
            lasts.append(lasts[-1] + 1)
        choices = [(first, last) for first in firsts for last in lasts if last - first <= _MOST]
        if len(choices) > 1 and slot.column in below:
            first, last = min(choices, key=lambda choice: _away(boxes[slot], below, choice))
            taken = last
            if (first, last) != (slot.column, slot.column + slot.columns):
                result[slot] = slot._replace(column=first, columns=last - first)
        else:
            taken = slot.column + slot.columns
    return result


def _away(
    box: tuple[float, float], below: Mapping[int, tuple[float, float]], reach: tuple[int, int]
) -> tuple[float, int]:
    """How far a header is from the left edge or the middle of the lower headers; of equals the widest."""
    edges = [below[column] for column in range(*reach) if column in below]
    left, right = edges[0][0], edges[-1][1]
    middle = abs((left + right) / 2 - (box[0] + box[1]) / 2)
    flush = abs(left - box[0])
    return round(min(middle, flush)), reach[0] - reach[1]
