"""Decides whether a grid is a table of contents: its rows end in rising page numbers."""

from __future__ import annotations

import re
from itertools import pairwise

from citewell.text.figures import is_measured
from citewell.types import Grid

_LEAST = 4  # entries
_BEFORE = 60  # characters before a grid among which "Page" may stand
_PAGE = re.compile(r"\d{1,4}|[ivxl]{1,6}|[A-Z]-\d{1,3}")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}|(?:· ?){4,}")
_HEADER = re.compile(r"\bpages?\b|\bcontents\b", re.IGNORECASE)
_ENTRY = re.compile(r"(?:part|item|chapter|section|note|appendix|annex)\b|(?:\d{1,2}|[A-Z])\.\d*\s", re.IGNORECASE)


def is_contents(grid: Grid, text: str) -> bool:
    """Whether the rows name sections and where they begin; what they hold are no values."""
    rows: dict[int, list[str]] = {}
    for slot in grid.slots:
        rows.setdefault(slot.row, []).append(text[slot.start : slot.end])
    several = [row for row in rows.values() if len(row) > 1]
    entries = [row for row in several if _is_entry(row)]
    if len(entries) < _LEAST or 4 * len(entries) < 3 * len(several):
        return False
    pages = [int(row[-1]) for row in entries if row[-1].isdecimal()]
    if 10 * sum(after < before for before, after in pairwise(pages)) > len(pages):
        return False
    matched = sum(_ENTRY.match(row[0]) is not None for row in entries)
    above = text[max(0, grid.start - _BEFORE) : grid.start] + " ".join(several[0])
    return 2 * matched > len(entries) or any(map(_HEADER.search, (above, *rows[0]))) or _dotted(entries)


def _is_entry(row: list[str]) -> bool:
    """Whether a row is words and a page."""
    return (
        _PAGE.fullmatch(row[-1]) is not None
        and any(map(str.isalpha, "".join(row[:-1])))
        and not any(map(is_measured, row[1:-1]))
    )


def _dotted(entries: list[list[str]]) -> bool:
    """Whether dots lead from most titles to their pages."""
    return 2 * sum(any(map(_LEADERS.search, row)) for row in entries) > len(entries)
