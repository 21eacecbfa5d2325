"""The header rows of a table: bold, shaded, above a rule; otherwise by their wording and span."""

from __future__ import annotations

import re

import numpy as np

from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rows import Place, TableRow
from citewell.readers.pdf.rules import Rules
from citewell.text.figures import is_measured, is_year

_AMOUNT = re.compile(r"\d[.,]\d")
_BOLD = 2  # the weight of bold words
_SERIES = 3  # whole numbers that count on from 1 are headers, this many at least


def with_heads(page: PageChars, rows: list[TableRow], rules: Rules) -> list[TableRow]:
    """The rows of a table, its headers marked."""
    if len(rows) < 2:
        return rows
    heads = _above_labels(rows, min(_set_apart(rows, rules), _above_amounts(page, rows)))
    if not 0 < heads < len(rows):
        heads = _above_labels(rows, _count_headers(page, rows))
    if not 0 < heads <= geometry().most_heads or heads >= len(rows):
        return rows
    return [row._replace(head=number < heads) for number, row in enumerate(rows)]


def _above_labels(rows: list[TableRow], heads: int) -> int:
    """How many of the first rows are headers: a label alone names the rows below it."""
    while heads and len(rows[heads - 1].cells) == 1 and rows[heads - 1].cells[0][0].column == 0:
        heads -= 1
    return heads


def _set_apart(rows: list[TableRow], rules: Rules) -> int:
    """How many rows are bold above others that are not, or in a shade of their own, or above a rule."""
    bold = [all(bit.weight >= _BOLD for _, bits in row.cells for bit in bits) for row in rows]
    heads = next((number for number, heavy in enumerate(bold) if not heavy), 0)
    return heads or _above_rule(rows, rules)


def _above_amounts(page: PageChars, rows: list[TableRow]) -> int:
    """How many rows stand above the first one of a label and amounts: "Revenues | 4,941 | 4,714" may be bold too."""
    for number, row in enumerate(rows):
        (first, label), *others = [(place, page.text[bits[0].start : bits[-1].end]) for place, bits in row.cells]
        amounts = any(_AMOUNT.search(text) and is_measured(text) for _, text in others)
        if not first.column and amounts and label[:1].isalpha():
            return number
    return len(rows)


def _above_rule(rows: list[TableRow], rules: Rules) -> int:
    """How many rows stand above the first rule through a table that has few of them, 0 where each row has its own."""
    boxes = [[bit for _, bits in row.cells for bit in bits] for row in rows]
    left, right = min(bit.x0 for row in boxes for bit in row), max(bit.x1 for row in boxes for bit in row)
    middles = [sum(bit.middle for bit in row) / len(row) for row in boxes]
    y, x0, x1 = rules.across.T
    whole = y[(np.minimum(x1, right) - np.maximum(x0, left)) > geometry().through * (right - left)]
    places = sorted({int(place) for place in np.searchsorted(middles, whole) if 0 < place < len(rows)})
    return places[0] if places and 3 * len(places) <= len(rows) + 1 else 0


def _count_headers(page: PageChars, rows: list[TableRow]) -> int:
    """How many rows are headers where nothing sets them apart: the first, and what its headers leave open."""
    columns = max(place.column + place.columns for row in rows for place, _ in row.cells)
    texts = [
        [(place, " ".join(page.text[bit.start : bit.end] for bit in bits)) for place, bits in row.cells] for row in rows
    ]
    figures = [any(is_measured(t) and not is_year(t) for p, t in row if p.column) for row in texts]
    first = next((number for number, has in enumerate(figures) if has), len(rows))
    if not first:
        named = [text for place, text in texts[0] if place.column]
        return int(len(named) >= _SERIES and named == [str(number) for number in range(1, len(named) + 1)])
    if first == len(rows) and not _names(texts, columns):
        return 0
    heads = 1
    while heads < len(rows) and heads < geometry().most_heads:
        above, row = texts[heads - 1], texts[heads]
        spans = [p for p, _ in above if p.column and p.columns > 1]
        titled = len(above) == 1 and (above[0][0].columns >= columns - 1 or above[0][0].column > 0)
        free = all(p.column for p, _ in row)
        under = all(any(s.column <= p.column < s.column + s.columns for s in spans) for p, _ in row)
        if heads >= first and not (free and spans and under):
            break
        if not free and not spans and not titled:
            break
        heads += 1
    return heads


def _names(texts: list[list[tuple[Place, str]]], columns: int) -> bool:
    """Whether the first row of a table of words names its columns: one short name for each, that no row has again."""
    names = {place.column: text for place, text in texts[0]}
    again = any(names.get(place.column) == text for row in texts[1:] for place, text in row)
    short = all(len(text) < geometry().name_long and text[-1] not in ".;," for text in names.values())
    return short and not again and sum(place.columns for place, _ in texts[0]) >= columns - 1
