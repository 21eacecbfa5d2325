"""A figure that the company's own statements hold without printing it is derived from their lines, or is withheld."""

import pytest
from tests.generators.test_tables_of_parts import REPORT

import citewell
from citewell.generators.extractive.cells.wordings import item_terms

NO_TOTAL = REPORT.replace(
    "| Total liabilities | $ 660 | $ 682 |",
    "| Total current liabilities | 210 | 207 |\n| Total shareholders’ equity | 1,252 | 1,198 |",
)
PARTS = REPORT.replace(
    "| Raw materials and goods, net | 205 | 188 |",
    "| Inventories, net: | | |\n| Raw materials | 85 | 80 |\n| Finished goods | 120 | 108 |",
)
VENTURE = "Summary information for the joint ventures is as follows (in millions):"


def document(text, introduction=VENTURE):
    return citewell.read(text.format(introduction=introduction).encode(), name="alder.md")


def told(text, question):
    answer = citewell.ask(document(text), question)
    return None if answer.abstained else answer.value.text.strip("$ ")


@pytest.mark.parametrize(("year", "profit"), [("2022", "330"), ("2021", "331")])
def test_gross_profit_is_what_sales_leave_of_their_cost_and_not_that_of_a_venture(year, profit):
    text = REPORT.replace("| Gross margin |", "| Gross profit |")
    assert told(text, f"What was gross profit in {year}?") == profit
    assert told(text, f"What was Alder's gross profit in {year}?") == profit


def test_gross_profit_that_a_row_gives_is_read_and_not_derived():
    text = REPORT.replace("| Selling expenses |", "| Gross profit | 331 | 330 |\n| Selling expenses |")
    assert told(text, "What was gross profit in 2022?") == "331"


def test_gross_profit_of_a_part_is_not_that_of_the_whole():
    assert told(REPORT, "What was the gross profit of the Birch segment in 2022?") != "330"


@pytest.mark.parametrize(("total", "profit"), [("| Total cost of sales | 700 | 690 |", "330"), ("", "150")])
def test_nothing_is_derived_from_one_of_several_costs_without_their_total(total, profit):
    costs = "| Cost of products sold | 500 | 500 |\n| Cost of services sold | 200 | 190 |"
    text = REPORT.replace("| Cost of sales | 700 | 690 |", f"{costs}\n{total}".strip())
    assert told(text.replace("| Gross margin |", "| Gross profit |"), "What was gross profit in 2022?") == profit


@pytest.mark.parametrize(("year", "liabilities"), [("2022", "660"), ("2021", "682")])
def test_total_liabilities_are_what_equity_leaves_of_the_assets(year, liabilities):
    answer = citewell.ask(document(NO_TOTAL), f"What were total liabilities in {year}?")
    assert answer.value.text == liabilities
    assert answer.value.formula.startswith("total liabilities = ")


def test_what_is_neither_a_liability_nor_equity_leaves_total_liabilities_open():
    row = "| Redeemable noncontrolling interests | {} | {} |\n| Total shareholders’ equity |"
    for figures, liabilities in ((("40", "35"), None), (("—", "—"), "660")):
        text = NO_TOTAL.replace("| Total shareholders’ equity |", row.format(*figures))
        assert told(text, "What were total liabilities in 2022?") == liabilities


@pytest.mark.parametrize("label", ["Total derivative liabilities", "Total accrued liabilities", "Lease liabilities"])
def test_liabilities_of_a_kind_are_not_the_total(label):
    text = REPORT.replace("| Total liabilities | $ 660 | $ 682 |", "| Deferred tax | 20 | 19 |")
    assert told(text.replace("| Inventories |", f"| {label} |"), "What were total liabilities in 2022?") != "31"


@pytest.mark.parametrize(("year", "inventories"), [("2022", "205"), ("2021", "188")])
def test_what_stands_under_a_heading_of_the_balance_sheet_makes_it_up(year, inventories):
    assert told(PARTS, f"What were inventories in {year}?") == inventories


def test_parts_that_no_greater_sum_bears_out_are_not_added():
    text = PARTS.replace("| Total current assets | 389 | 377 |", "| Total current assets | 402 | 390 |")
    assert told(text, "What were inventories in 2022?") != "205"


def test_a_share_of_an_amount_is_not_the_amount():
    text = REPORT.replace("| Accounts receivable | 120 | 118 |", "| Receivables | 120 | 118 |")
    text += (
        "\n\nOne customer accounted for:\n\n| | 2022 | 2021 |\n|---|---|---|\n| Accounts receivable | 28 % | 22 % |\n"
    )
    assert told(text, "What were accounts receivable in 2022?") == "120"
    near = citewell.ask(document(text), "What percentage was accounts receivable in 2022?").abstention.nearest
    assert near[0].citation.quote == "28 %"
    assert "percentage" not in near[0].lacks


SHARES = """

## Earnings per share

Shares in millions

| | 2022 | 2021 |
|---|---|---|
| Average number of common shares — basic | 70.2 | 71.4 |
| Incremental shares from options | 1.1 | 1.3 |
| Effect of dilutive shares | 2.2 | 2.4 |
| {} options and units | 8.4 | 9.1 |
| Average number of common shares — diluted | 73.5 | 75.1 |
"""


@pytest.mark.parametrize("options", ["Anti-dilutive", "Antidilutive"])
def test_what_dilution_adds_or_leaves_out_is_not_the_diluted_count(options):
    answer = citewell.ask(
        document(REPORT + SHARES.format(options)), "What were weighted average diluted shares in 2022?"
    )
    first = answer.abstention.nearest[0].citation.quote if answer.abstained else answer.value.text
    assert first == "73.5"


@pytest.mark.parametrize("spelled", ["non-current", "noncurrent", "non current", "Non-Current"])
def test_a_word_with_its_opposite_in_front_is_one_word(spelled):
    assert item_terms(f"{spelled} assets") == item_terms("noncurrent assets")
    assert "current" not in item_terms(spelled)


INTEREST = """

## Interest

In millions

| | 2022 | 2021 |
|---|---|---|
| Interest expense | 15 | 14 |
| Interest income | (3) | (3) |
| {} | 12 | 11 |
"""


@pytest.mark.parametrize(
    ("question", "below", "figure"),
    [
        ("What was interest expense in 2022?", "Interest expense, net", "15"),
        ("What was interest expense in 2021?", "Net interest expense", "14"),
        ("What was net interest expense in 2022?", "Interest expense, net", "12"),
        ("What was interest expense, net, in 2021?", "Interest expense, net", "11"),
    ],
)
def test_what_an_item_is_net_of_others_is_not_the_item_where_a_table_shows_both(question, below, figure):
    text = REPORT.replace("| Interest expense |", "| Interest expense, net |")
    assert told(text + INTEREST.format(below), question) == figure


def test_a_plain_item_of_a_table_without_the_net_one_is_that_of_something_else():
    text = REPORT.replace("| Interest expense |", "| Interest expense, net |")
    other = INTEREST.format("Total").replace("| 12 | 11 |", "| 10 | 9 |").replace("(3)", "(5)")
    assert told(text + other, "What was interest expense in 2022?") == "12"


def test_receivables_are_meant_net_of_their_allowance():
    note = (
        "\n\n## Receivables\n\nIn millions\n\n| | 2022 | 2021 |\n|---|---|---|\n| Accounts receivable | 125 | 122 |\n"
    )
    text = REPORT.replace("| Accounts receivable |", "| Accounts receivable, net |")
    text += f"{note}| Allowance | (5) | (4) |\n| Accounts receivable, net | 120 | 118 |\n"
    assert told(text, "What were accounts receivable in 2022?") == "120"
