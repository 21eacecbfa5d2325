"""What stands around a figure tells what it is of, also in other words: "net sales" below "Revenues", of its title."""

from __future__ import annotations

import pytest

import citewell
from citewell.document import Document

REPORT = """# Annual report 2024 of Cedar Motors

## Regions

The following table presents revenues by geographic area (in millions):

| | 2024 | 2023 |
|---|---|---|
| Norway | 4,130 | 4,020 |
| Portugal | 3,390 | 3,140 |

The following table presents long-lived assets by geographic area (in millions):

| | 2024 | 2023 |
|---|---|---|
| Norway | 880 | 820 |
| Malta | 410 | 390 |

| | Sales 2024 | Operating income 2024 |
|---|---|---|
| Trucks | 2,120 | 310 |
| Buses | 1,870 | 160 |

What the company tells of revenues by ship (in millions):

| | Operating income 2024 | Operating income 2023 |
|---|---|---|
| Ferries | 150 | 140 |
| Barges | 70 | 60 |

## Consolidated statements of operations

In millions

| | 2024 | 2023 |
|---|---|---|
| Revenues | | |
| Vehicle deliveries | 7,210 | 6,890 |
| Charging points | 310 | 270 |
| Cost of revenues | | |
| Vehicle deliveries | 5,140 | 5,020 |
| Charging points | 240 | 210 |
| Battery leases | 61 | 55 |
"""


@pytest.fixture(scope="module")
def report() -> Document:
    return citewell.read(REPORT.encode(), name="report.md")


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What were net sales of charging points in 2024?", 310),
        ("What were net sales of Portugal in 2023?", 3140),
        ("What were net sales of Norway in fiscal 2024?", 4130),
        ("What were net sales of trucks in 2024?", 2120),
        ("What was net revenue of buses in 2024?", 1870),
    ],
)
def test_a_section_a_header_or_the_title_says_an_item_in_other_words(report, question, figure):
    answer = citewell.ask(report, question)
    assert not answer.abstained
    assert answer.value is not None
    assert answer.value.number == figure


@pytest.mark.parametrize(
    "question",
    [
        "What were net sales of battery leases in 2024?",  # a cost
        "What were net sales of Malta in 2024?",  # assets
        "What were net sales of ferries in 2024?",  # the title has them, and the column something else
        "What was net income of trucks in 2024?",  # operating income is another
    ],
)
def test_the_nearest_item_is_that_of_the_figure(report, question):
    assert citewell.ask(report, question).abstained
