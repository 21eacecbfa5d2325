"""Kinds of faults that reports were once answered with, one relative or more of each that no other test has."""

from __future__ import annotations

import pytest
from tests.generators.test_reports_unseen import page, table

from citewell import ask
from citewell.export.markdown import render
from citewell.facts.extract import extract

PRODUCTS = [("Sketchbook", "412", "388"), ("Lumen", "97", "81"), ("Total", "509", "469")]


@pytest.mark.parametrize(
    "text",
    [
        "We tried 50 real-world queries.",
        "The set has 120 real-life cases.",
        "It has 30 crown-shaped lamps.",
        "They sold 12 euro-area bonds.",
    ],
)
def test_a_compound_that_begins_like_a_currency_is_none(text):
    assert {quantity.currency for quantity in extract(text).quantities} == {""}


@pytest.mark.parametrize(
    ("lead", "question", "printed"),
    [
        (
            "The following table presents revenue by product (in millions):",
            "What was Sketchbook revenue in 2022?",
            "388",
        ),
        ("Subscription revenue by product was as follows (in millions):", "What was revenue from Lumen in 2023?", "97"),
    ],
)
def test_what_introduces_a_table_counts_as_what_its_rows_are_of(lead, question, printed):
    answer = ask(page(f"<h2>Products</h2><p>{lead}</p>{table(('2023', '2022'), PRODUCTS)}"), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_a_statement_is_filed_under_its_own_title_and_its_cell_and_row_are_one_source():
    rows = [("Net sales", "5,000", "4,600"), ("Income taxes", "90", "84"), ("Net income", "402", "436")]
    document = page(
        "<h2>Forward-Looking Statements</h2><p>Actual results may differ.</p>"
        f"<h2>Consolidated Statements of Income</h2><p>(in millions)</p>{table(('2023', '2022'), rows)}"
    )
    answer = ask(document, "What was net income in 2022?")
    cited = [citation.cell for citation in answer.citations if citation.cell is not None]
    assert {cell.table for cell in cited} == {"Consolidated Statements of Income"}
    shown = render(answer, [document])
    assert "|" not in shown.split("\n")[0]
    assert "Forward-Looking" not in shown
    assert shown.count("[2]") == 0
