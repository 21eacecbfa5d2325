"""Rows that a total of the statements sums are of what the total is called."""

from __future__ import annotations

import pytest

import citewell
from citewell.document import Document
from citewell.generators.extractive.cells.breakdowns import breakdowns
from citewell.generators.extractive.cells.rows import index

STATEMENTS = """<html><body><h1>Marrow Glass Ltd annual report 2023</h1>
<h2>Consolidated Statements of Income</h2><p>(in thousands)</p>
<table><tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Net sales</td><td>9,410</td><td>8,230</td></tr><tr><td>Cost of sales</td><td>5,210</td><td>4,730</td></tr>
<tr><td>Gross profit</td><td>4,200</td><td>3,500</td></tr><tr><td>Selling expenses</td><td>1,100</td><td>1,050</td></tr>
<tr><td>Research expenses</td><td>700</td><td>650</td></tr><tr><td>Operating income</td><td>2,400</td><td>1,800</td></tr>
<tr><td>Interest expense</td><td>200</td><td>180</td></tr><tr><td>Income taxes</td><td>550</td><td>400</td></tr>
<tr><td>Net income</td><td>1,650</td><td>1,220</td></tr></table>
<h2>Consolidated Balance Sheets</h2>
<table><tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Cash</td><td>1,900</td><td>1,500</td></tr><tr><td>Accounts receivable</td><td>1,300</td><td>1,250</td></tr>
<tr><td>Inventories</td><td>1,050</td><td>1,120</td></tr><tr><td>Total current assets</td><td>4,250</td><td>3,870</td></tr>
<tr><td>Property</td><td>3,350</td><td>3,130</td></tr><tr><td>Total assets</td><td>7,600</td><td>7,000</td></tr>
<tr><td>Accounts payable</td><td>1,600</td><td>1,500</td></tr><tr><td>Shareholders' equity</td><td>6,000</td><td>5,500</td></tr>
<tr><td>Total liabilities and equity</td><td>7,600</td><td>7,000</td></tr></table>
<h2>Consolidated Statements of Cash Flows</h2>
<table><tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Net income</td><td>1,650</td><td>1,220</td></tr><tr><td>Depreciation</td><td>410</td><td>390</td></tr>
<tr><td>Net cash provided by operating activities</td><td>2,060</td><td>1,610</td></tr>
<tr><td>Capital expenditures</td><td>(630)</td><td>(600)</td></tr>
<tr><td>Net cash used in investing activities</td><td>(630)</td><td>(600)</td></tr>
<tr><td>Dividends paid</td><td>(1,030)</td><td>(900)</td></tr>
<tr><td>Net cash used in financing activities</td><td>(1,030)</td><td>(900)</td></tr>
<tr><td>Change in cash</td><td>400</td><td>110</td></tr></table>
<h2>Note 9. What customers bought</h2><p>The company serves builders and laboratories (in thousands).</p>
<table><tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Window panes</td><td>4,310</td><td>3,900</td></tr><tr><td>Optical lenses</td><td>2,980</td><td>2,310</td></tr>
<tr><td>Beakers</td><td>{beakers}</td><td>2,020</td></tr><tr><td>Total</td><td>9,410</td><td>8,230</td></tr></table>
</body></html>"""


def report(beakers: str = "2,120") -> Document:
    return citewell.read(STATEMENTS.replace("{beakers}", beakers).encode(), name="report.html")


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What were net sales of optical lenses in 2023?", 2980),
        ("How much did Marrow sell in window panes in 2022?", 3900),
    ],
)
def test_a_row_of_a_table_that_splits_net_sales_answers_for_the_sales_of_its_label(question: str, figure: int) -> None:
    answer = citewell.ask(report(), question)
    assert answer.value is not None
    assert answer.value.number == figure


def test_the_rows_have_the_terms_of_the_total_in_the_statement() -> None:
    rows = {" ".join(row.cells[0].row_path): row for row in index(report()).rows}
    assert rows["Optical lenses"].asides >= rows["Net sales"].label
    assert rows["Inventories"].asides.isdisjoint(rows["Net sales"].label)


def test_rows_that_do_not_come_to_the_total_are_of_nothing() -> None:
    known = index(report("1,120"))
    statements = frozenset(number for number, about in enumerate(known.about) if about.primary)
    assert statements
    assert not breakdowns(known.rows, statements)
    assert breakdowns(index(report()).rows, statements)


def test_another_item_of_such_a_row_is_not_answered_with_its_sales() -> None:
    answer = citewell.ask(report(), "What was the operating income of optical lenses in 2023?")
    assert answer.abstained or answer.value is None or answer.value.number != 2980


def test_parts_of_a_quarter_and_of_a_year_are_told_apart_and_both_are_found() -> None:
    text = STATEMENTS.format(beakers="2,120")
    quarters = text.replace("<td>2023</td><td>2022</td>", "<td>Six months ended June 30, 2023</td><td>2022</td>")
    plain = text.replace("<td>2023</td><td>2022</td>", "<td>Year ended December 31, 2023</td><td>2022</td>", 1)
    for part in (quarters, plain):
        rows = {" ".join(row.cells[0].row_path): row for row in index(citewell.read(part.encode(), name="a.html")).rows}
        assert rows["Optical lenses"].asides >= rows["Net sales"].label
