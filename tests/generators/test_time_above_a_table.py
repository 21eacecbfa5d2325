"""The time and the name above a table, and figures that are of plans, charges, shares or effects instead."""

from __future__ import annotations

import pytest

import citewell
from citewell.document import Document
from citewell.facts.tables.times import dates_all


def page(body: str) -> Document:
    return citewell.read(f"<html><body>{body}</body></html>".encode(), name="report.html")


def table(*rows: str) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


BALANCE = table(
    "Cash|41,200", "Receivables|2,310", "Total assets|43,510", "Accounts payable|18,420", "Fund balance|25,090"
)
MONTHS = table(
    "Month|Shares repurchased|Average price", "April|31,200|$ 64.10", "May|20,400|$ 65.20", "June|11,100|$ 66.30"
)


def number(document: Document, question: str) -> float | None:
    answer = citewell.ask(document, question)
    return None if answer.abstained or answer.value is None else answer.value.number


@pytest.mark.parametrize("line", ["June 30, 2021", "As at June 30, 2021", "For the year ended June 30, 2021"])
def test_a_line_that_is_a_time_dates_the_table_below_it(line: str) -> None:
    document = page(f"<h2>Balance sheet</h2><p>Fenwick Water District</p><p>{line}</p>{BALANCE}")
    assert {cell.year for cell in document.tables()[0].values()} == {2021}


@pytest.mark.parametrize("line", ["Founded in 2021", "Cash held prior to 2021 was spent as indicated below."])
def test_a_line_that_tells_more_than_a_time_dates_no_table(line: str) -> None:
    document = page(f"<h2>Balance sheet</h2><p>{line}</p>{BALANCE}")
    assert {cell.year for cell in document.tables()[0].values()} == {None}


def test_the_sentence_that_leads_to_a_table_dates_its_months() -> None:
    lead = "The following table shows our purchases for each month in the quarter ended June 30, 2024."
    document = page(f"<h2>Repurchases of shares</h2><p>{lead}</p>{MONTHS}")
    assert number(document, "How many shares were repurchased in May 2024?") == 20400
    assert number(document, "How many shares were repurchased in May 2023?") is None


def test_a_line_with_a_time_says_that_of_all_below_it() -> None:
    assert dates_all("31 December 2022")
    assert dates_all("The table below gives sales for 2022.")
    assert not dates_all("Sales grew in 2022")


def test_a_short_line_right_above_a_table_names_it() -> None:
    rows = table("|2023|2022", "Less than three months|4,100|3,900", "More than three months|9,200|8,700")
    assert page(f"<p>Our term deposits</p>{rows}").tables()[0].title == "Our term deposits"
    assert page(f"<p>31 May 2023</p>{rows}").tables()[0].title == ""
    assert page(f"<p>(in thousands)</p>{rows}").tables()[0].title == ""


def test_what_came_of_a_plan_is_told_before_the_plan() -> None:
    rows = table(
        "|Final budget 2023|Actual 2023",
        "Salaries|7,400|7,100",
        "Supplies|2,600|2,810",
        "Total expenditures|10,000|9,910",
    )
    document = page(f"<h2>Expenditures</h2>{rows}")
    assert number(document, "What were total expenditures in 2023?") == 9910
    assert number(document, "What total expenditures did the budget have for 2023?") == 10000
    assert number(document, "What total expenditures were planned for 2023?") == 10000


@pytest.mark.parametrize("name", ["Final budget 2023", "Outlook 2023", "Approved 2023"])
def test_a_plan_alone_is_told(name: str) -> None:
    rows = table(f"|{name}|Change", "Salaries|7,400|1", "Supplies|2,600|2", "Total expenditures|10,000|3")
    assert number(page(f"<h2>Expenditures</h2>{rows}"), "What were total expenditures in 2023?") == 10000


def test_cash_paid_is_not_what_was_charged() -> None:
    income = table(
        "|2023|2022", "Revenue|90,100|80,400", "Cost of sales|50,200|44,100", "Profit before tax|16,300|14,100",
        "Income tax|(4,900)|(4,100)", "Net income|11,400|10,000",
    )  # fmt: skip
    cash = table(
        "|2023|2022", "Profit before tax|16,300|14,100", "Income tax paid|(4,300)|(3,800)",
        "Net cash from operating activities|12,000|10,300", "Net cash used in investing activities|(2,000)|(1,000)",
    )  # fmt: skip
    document = page(f"<h2>Statement of income</h2>{income}<h2>Statement of cash flows</h2>{cash}")
    answer = citewell.ask(document, "How much cash was paid in income tax in 2023?")
    assert "4,300" in answer.text
    assert number(document, "What was the income tax in 2022?") == -4100


def test_shares_are_no_people() -> None:
    rows = table("|2023|2022", "Weighted average number of ordinary shares|2,400|2,400", "Earnings per share|4.10|3.90")
    document = page(f"<h2>Earnings per share</h2>{rows}")
    assert number(document, "How many people were employed on average in 2023?") is None
    assert number(document, "What was the weighted average number of ordinary shares in 2023?") == 2400


def test_the_effect_on_something_alone_does_not_tell_it() -> None:
    rows = table("|2023|2022", "Impact of one-off items on revenue|(6)|(9)", "Net income|388|402")
    assert number(page(f"<h2>Results in millions</h2>{rows}"), "What was revenue in 2023?") is None


def test_the_effect_of_something_is_not_the_thing() -> None:
    rows = table(
        "|2023|2022", "Impact of one-off items on revenue|(6)|(9)", "Other revenue|40|41", "Revenue|5,388|5,102"
    )
    document = page(f"<h2>Results in millions</h2>{rows}")
    assert number(document, "What was revenue in 2023?") == 5388
    assert number(document, "What was the impact of one-off items on revenue in 2023?") == -6
