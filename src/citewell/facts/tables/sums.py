"""Rows that are sums of the rows above them, and the cells that this confirms or casts doubt on.

A row adds up if the rows right above it, subtotals counting for what they sum, come to its figures in every column;
or if the first of them less the others does ("Gross profit" under "Revenue" and "Cost of sales").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from citewell.facts.tables.wording import says
from citewell.text.figures import worth
from citewell.text.spans import cut
from citewell.types import Slot

_LEAST, _MOST = 2, 40  # rows that one sum adds up
_TELLING = 3  # digits of a figure whose sum is no chance
_STEP = 1.0  # points of an indent, at least
_ROUNDED = 3  # rows from which on roundings may come to one unit of the last place

Figures = Mapping[int, Decimal]
"""The figures of a row by column."""


class Sum(NamedTuple):
    """A row that adds up: the rows that it sums, and the columns in which it does and does not."""

    rows: tuple[int, ...]
    right: frozenset[int]
    wrong: frozenset[int]


class _Line(NamedTuple):
    row: int
    indent: float
    figures: Figures


def sums(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str, labels: int) -> dict[int, Sum]:
    """The rows that are sums of rows above them under the same headers, by their number."""
    result: dict[int, Sum] = {}
    open_: list[_Line] = []
    for number, row in enumerate(rows):
        if marks[number]:
            open_ = []
            continue
        figures = _figures(row, text, labels)
        if not figures:
            continue
        labelled = row[0].column < labels
        total = labelled and says("total").search(cut(text, row[0]).lower()) is not None
        line = _Line(number, row[0].indent if labelled else 0.0, figures)
        for count, sign in _candidates(open_, line):
            if found_sum := _stated_sum(open_[-count:], figures, sign, total=total):
                result[number] = found_sum
                del open_[-count:]
                break
        open_.append(line)
        del open_[:-_MOST]
    return result


def parts(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], text: str, labels: int) -> dict[int, int]:
    """For each row that sums the rows right below it, which are indented further: the last of these."""
    result: dict[int, int] = {}
    for number, row in enumerate(rows):
        figures = {} if marks[number] or not row or row[0].column else _figures(row, text, labels)
        if not any(map(_telling, figures.values())):
            continue
        below = []
        for part in range(number + 1, min(len(rows), number + 1 + _MOST)):
            if marks[part] or not rows[part] or rows[part][0].column or rows[part][0].indent < row[0].indent + _STEP:
                break
            below.append(part)
        first = rows[below[0]][0].indent + _STEP if below else 0.0
        direct = [part for part in below if rows[part][0].indent <= first]
        lines = [_Line(part, 0.0, _figures(rows[part], text, labels)) for part in direct]
        if len(lines) >= _LEAST and _stated_sum(lines, figures, 1, total=False):
            result[number] = below[-1]
    return result


def _figures(row: Sequence[Slot], text: str, labels: int) -> dict[int, Decimal]:
    """The figures of a row that may be summed: shares of a whole are not."""
    result = {}
    for slot in row:
        label = cut(text, slot)
        value = worth(label) if slot.column >= labels and "%" not in label else None
        if value is not None:
            whole = value.is_integer() and "." not in label
            result[slot.column] = Decimal(int(value)) if whole else Decimal(repr(value))
    return result


def _candidates(open_: Sequence[_Line], line: _Line) -> Iterator[tuple[int, int]]:
    """How many of the last rows may come to a row, by its first telling column; 1 adds them up, -1 takes them off."""
    column = max(line.figures, key=lambda column: abs(line.figures[column]))
    wanted = line.figures[column]
    if not _telling(wanted):
        return
    total = Decimal(0)
    for count, above in enumerate(reversed(open_), 1):
        value = above.figures.get(column, Decimal(0))
        slack = _slack(wanted, count)
        remainder = line.indent <= above.indent + _STEP  # what is indented is a part of what stands above it
        if count >= _LEAST and value and remainder and abs(value - total - wanted) <= slack:
            yield count, -1
        total += value
        if count >= _LEAST and abs(total - wanted) <= slack:
            yield count, 1


def _telling(value: Decimal) -> bool:
    return len(value.normalize().as_tuple().digits) >= _TELLING or abs(value) >= 10 ** (_TELLING - 1)


def _slack(value: Decimal, count: int) -> Decimal:
    """One unit of the last place, where several rows were rounded."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(min(0, exponent if isinstance(exponent, int) else 0)) if count >= _ROUNDED else Decimal(0)


def _stated_sum(above: Sequence[_Line], figures: Figures, sign: int, *, total: bool) -> Sum | None:
    """What a row's other columns say of a sum that its first one makes likely; None where most deny it.

    Half of them may where the row is called a `total`.
    """
    right: set[int] = set()
    wrong: set[int] = set()
    for column, wanted in figures.items():
        values = [row.figures.get(column, Decimal(0)) for row in above]
        added = values[0] + sign * sum(values[1:], Decimal(0))
        (right if abs(added - wanted) <= _slack(wanted, len(above)) else wrong).add(column)
    proven = sum(any(row.figures.get(column) for row in above) for column in right)
    alone = proven == 1 and len(figures) > 1 and not wrong  # the other columns are empty
    if not proven or len(wrong) + (not total) > len(right) or (alone and not total):
        return None
    return Sum(tuple(row.row for row in above), frozenset(right), frozenset(wrong))


def proofs(
    rows: Sequence[Sequence[Slot]], text: str, labels: int, added: Mapping[int, Sum]
) -> dict[tuple[int, int], bool]:
    """By row and column the cells that sums prove (True) or put in doubt (False).

    The assets and the liabilities and equity of a balance sheet are a sum too, each of the other.
    """
    proved: dict[tuple[int, int], bool] = {}
    for row, part in added.items():
        proved |= {(number, column): True for number in (*part.rows, row) for column in part.right}
    for row, part in added.items():
        proved |= {(row, column): False for column in part.wrong}
    for side, other in _sides(rows, text, labels):
        left, right = _figures(rows[side], text, labels), _figures(rows[other], text, labels)
        proved |= {(row, c): left[c] == right[c] for row in (side, other) for c in left.keys() & right.keys()}
    return proved


def _sides(rows: Sequence[Sequence[Slot]], text: str, labels: int) -> list[tuple[int, int]]:
    """The rows of a balance sheet's two sides."""
    named: dict[str, int] = {}
    for number, row in enumerate(rows):
        if len(row) > 1 and row[0].column < labels:
            label = " ".join(cut(text, row[0]).lower().split())
            named |= {side: number for side in ("assets", "claims") if says(side).search(label)}
    return [(named["assets"], named["claims"])] if len(named) > 1 else []
