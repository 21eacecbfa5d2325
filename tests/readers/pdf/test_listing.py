"""Tables of contents are no tables of values."""

from __future__ import annotations

import pytest

from citewell.readers.pdf.listing import is_contents
from citewell.types import Grid, Slot


def grid_of(rows):
    text, slots = "", []
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            slots.append(Slot(number, column, len(text), len(text) + len(cell), 1, 1, 0.0))
            text += cell + " "
    return Grid(0, len(text), len(rows), max(map(len, rows)), tuple(slots), -1), text


@pytest.mark.parametrize(
    "rows",
    [
        [
            ("Item 1.", "Business", "3"),
            ("Item 2.", "Properties", "17"),
            ("Item 3.", "Legal", "17"),
            ("Item 4.", "Mines", "18"),
        ],
        [("", "Page"), ("Letter", "ii"), ("Results", "2"), ("Risks", "9"), ("Glossary", "30"), ("Index", "41")],
        [("Letter ......", "1"), ("Results ......", "2"), ("Risks ......", "9"), ("Glossary ......", "30")],
    ],
)
def test_titles_with_rising_pages_are_contents(rows):
    assert is_contents(*grid_of(rows))


@pytest.mark.parametrize(
    "rows",
    [
        [("Year", "Payments"), ("2023", "100"), ("2024", "150"), ("2025", "200"), ("2026", "250")],
        [("", "Stores"), ("North", "12"), ("South", "40"), ("East", "51"), ("West", "60")],
        [("Item 1.", "9"), ("Item 2.", "3"), ("Item 3.", "7"), ("Item 4.", "1")],
        [("Note 1.", "5", "7"), ("Note 2.", "6", "8"), ("Note 3.", "7", "9"), ("Note 4.", "8", "9")],
    ],
)
def test_rows_of_figures_are_no_contents(rows):
    assert not is_contents(*grid_of(rows))
