"""Notes to statements: schedules of years to come, balances that roll forward, debts that are called by when they are due."""

from __future__ import annotations

import pytest
from tests.generators.test_reports_unseen import page, table

from citewell import ask

LEASES = [
    ("Fiscal 2024", "$ 214"),
    ("Fiscal 2025", "187"),
    ("Fiscal 2026", "160"),
    ("Thereafter", "433"),
    ("Total undiscounted lease payments", "$ 994"),
]
NOTES = [("2.40% notes due 2027", "600"), ("3.55% notes due 2031", "900"), ("Total", "1,500")]
UNITS = [
    ("Nonvested at December 31, 2021", "641", "$ 40.10"),
    ("Granted", "205", "52.30"),
    ("Vested", "(180)", "38.90"),
    ("Nonvested at December 31, 2022", "666", "$ 44.20"),
    ("Granted", "231", "61.70"),
    ("Vested", "(194)", "41.00"),
    ("Nonvested at December 31, 2023", "703", "$ 50.80"),
]


@pytest.fixture(scope="module")
def tern():
    heads = ("Number of RSUs (In thousands)", "Weighted average grant date fair value")
    return page(
        "<p>Our fiscal year ends on December 31.</p>"
        f"<h2>Note 8 - Leases</h2><p>Maturities (in millions):</p>{table(('As of December 31, 2023',), LEASES)}"
        f"<h2>Note 9 - Debt</h2><p>(in millions of dollars)</p>{table(('2023',), NOTES)}"
        f"<h2>Note 10 - RSUs</h2><p>Restricted stock units:</p>{table(heads, UNITS)}",
        title="Tern Quay Holdings annual report 2023",
    )


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What lease payments does Tern Quay expect in fiscal 2025?", "187"),
        ("How large are the undiscounted lease payments of Tern Quay due in 2026?", "160"),
        ("How much lease payments are due after fiscal 2026 at Tern Quay?", "433"),
        ("How much were Tern Quay's 3.55% notes due 2031?", "900"),
        ("How many RSUs did Tern Quay grant in 2023?", "231"),
        ("How many RSUs did Tern Quay grant in 2022?", "205"),
        ("How many RSUs vested at Tern Quay in 2022?", "(180)"),
    ],
)
def test_a_row_of_a_schedule_or_between_two_balances_is_of_its_own_year(tern, question, printed):
    answer = ask(tern, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text.replace("$", "").strip() == printed


def test_a_schedule_has_nothing_for_a_year_that_it_does_not_list(tern):
    assert ask(tern, "What lease payments does Tern Quay expect in fiscal 2031?").abstained
    assert ask(tern, "How many RSUs did Tern Quay grant in 2020?").abstained


def test_rows_between_balances_of_more_than_a_year_have_no_year():
    rows = [("Balance at December 31, 2020", "70"), ("Additions", "9"), ("Balance at December 31, 2022", "79")]
    (found,) = page(table(("Reserve",), rows)).tables()
    assert {cell.text: cell.year for cell in found.values()} == {"70": 2020, "9": None, "79": 2022}


def test_what_a_header_counts_is_no_amount_of_money(tern):
    units = {cell.text: (cell.unit, cell.scale) for table in tern.tables() for cell in table.values()}
    assert units["231"] == ("", 1000)
    assert units["187"] == ("USD", 1_000_000)
