"""A table that a reader cut in pieces: the rows of one that goes on with the table before it on the same page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from citewell.text.figures import is_measured
from citewell.text.spans import cut, on_one_line
from citewell.types import Block, Cell, Span, Table

_SHORT = 80  # characters of a label, at most


def labels_between(text: str, blocks: Sequence[Block], starts: Sequence[int], between: Span) -> tuple[Span, ...] | None:
    """The labels that a reader left between a table and the rows that go on with it, "Earnings per share:".

    None where anything else stands between them.
    """
    inside = blocks[bisect_left(starts, between.start) : bisect_left(starts, between.end)]
    return tuple(Span(b.start, b.end) for b in inside) if all(_is_label(text, block) for block in inside) else None


def _is_label(text: str, block: Block) -> bool:
    label = on_one_line(text, block)
    short = 0 < len(label) <= _SHORT and "|" not in label and not is_measured(label)
    return short and block.kind in ("paragraph", "heading")


def joined(text: str, before: Table, table: Table, labels: Sequence[Span]) -> Table:
    """One table of two pieces, the labels between them rows of it."""
    cells, number = [*before.cells], before.rows
    for label in labels:
        path = (on_one_line(text, label).rstrip(":"),)
        cells.append(Cell(number, 0, 1, 1, *label, cut(text, label), "label", path))
        cells += (Cell(number, column, 1, 1, label.end, label.end, "", "empty") for column in range(1, before.columns))
        number += 1
    cells += (replace(cell, row=cell.row + number) for cell in table.cells)
    return replace(before, end=table.end, rows=number + table.rows, cells=tuple(cells))
