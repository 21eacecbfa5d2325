"""Which tables are a company's own statements, and what leads to a table."""

import pytest

from citewell import read
from citewell.generators.extractive.cells.statements import introductions, primary

KINDS = {
    "Consolidated statements of income": "Revenue Cost Gross Selling Research Operating Interest Taxes Earnings".split(),
    "Consolidated balance sheets": "Cash Receivables Inventories Property Goodwill Payables Debt Equity Assets".split(),
    "Consolidated statements of cash flows": "Net Depreciation Changes Operations Purchases Sales Dividends Cash".split(),
}
NAMES = {"Revenue": "Total revenue", "Cost": "Cost of sales", "Earnings": "Net income", "Assets": "Total assets",
         "Equity": "Total equity", "Operations": "Net cash from operating activities", "Net": "Net income for cash"}  # fmt: skip


def rows(labels, first=10):
    lines = [f"| {NAMES.get(label, f'{label} of the year')} | {first + number} | {first + 30 + number} |"
             for number, label in enumerate(labels)]  # fmt: skip
    return "\n".join(["| in millions | 2020 | 2019 |", "|---|---|---|", *lines])


def report(*more):
    parts = [f"## {title}\n\n{rows(labels)}" for title, labels in KINDS.items()]
    return read(("# Oriel\n\n" + "\n\n".join([*parts, *more]) + "\n").encode(), name="oriel.md").tables()


def test_three_statements_that_stand_together_are_the_company_s():
    tables = report("## Guarantors\n\n" + rows(["Revenue", "Cost"]))
    assert {table.kind for table in tables[:3]} == {"income", "balance", "cash"}
    assert primary(tables) == {0, 1, 2}


@pytest.mark.parametrize(
    ("between", "labels", "is_part"),
    [
        ("", ["Taxes paid", "Interest paid"], True),
        ("", ["Purchases", "Dividends"], False),  # rows that are there already: another table of the same
        ("## Another statement\n\n", ["Taxes paid", "Interest paid"], False),
        ("A sentence of the notes. " * 150 + "\n\n", ["Taxes paid", "Interest paid"], False),
    ],
)
def test_the_last_rows_of_a_statement_may_stand_apart(between, labels, is_part):
    tables = report(f"{between or 'Amounts that were paid.'}\n\n{rows(labels)}")
    assert (3 in primary(tables)) == is_part


@pytest.mark.parametrize(
    ("assets", "is_whole"),
    [
        ("Cash Receivables Inventories Property Goodwill Leases Taxes Assets", True),
        ("Cash Payables Debt Equity", False),  # a part that repeats the rows
    ],
)
def test_the_first_half_of_a_statement_may_stand_apart(assets, is_whole):
    claims = "Payables Debt Deferred Provisions Pensions Capital Reserves Treasury Taxes Equity".split()
    titles = list(KINDS)
    halves = f"{rows(assets.split())}\n\nLiabilities and equity\n\n{rows(claims, 40)}"
    parts = [rows(KINDS[titles[0]]), halves, rows(KINDS[titles[2]])]
    text = "\n\n".join(f"## {title}\n\n{part}" for title, part in zip(titles, parts, strict=True))
    tables = read(f"# Oriel\n\n{text}\n".encode(), name="oriel.md").tables()
    assert [table.kind for table in tables] == ["income", "balance", "balance", "cash"]
    assert (primary(tables) == {0, 1, 2, 3}) == is_whole


def test_headings_and_leading_sentences_introduce_a_table_in_their_order():
    text = f"# Oriel\n\n## Leases\n\nShips are leased.\n\nThe following table has the payments:\n\n{rows(['Ships'])}\n"
    document = read(text.encode(), name="oriel.md")
    assert introductions(document, document.tables()) == ("Oriel Leases The following table has the payments:",)


def test_a_row_that_is_carried_over_to_the_next_page_goes_on_with_the_statement():
    titles, income = list(KINDS), KINDS["Consolidated statements of income"]
    shares = ["Earnings", *(f"Share{number}" for number in range(12))]
    breakdown = ["Cost", "Selling", "Research"]
    pieces = f"{rows(income)}\n\nThose of the year.\n\n{rows(shares, 19)}\n\nThose of the year.\n\n{rows(breakdown, 5)}"
    parts = [pieces, rows(KINDS[titles[1]]), rows(KINDS[titles[2]])]
    text = "\n\n".join(f"## {title}\n\n{part}" for title, part in zip(titles, parts, strict=True))
    tables = read(f"# Oriel\n\n{text}\n".encode(), name="oriel.md").tables()
    assert [table.kind for table in tables] == ["income", "income", "income", "balance", "cash"]
    assert primary(tables) == {0, 1, 3, 4}
