"""Analysts' questions about a whole report: the company's own figure, a figure computed from cited cells, or none."""

import pytest
from tests.filings import report, table

from citewell import Pipeline, ask
from citewell.export import html, terminal


@pytest.fixture(scope="module")
def acme():
    return report()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was net income in 2023?", "180"),  # not the investee's
        ("What was the bottom line in FY2022?", "153"),
        ("What were net earnings in 2021?", "123"),
        ("What was the top line in FY2023?", "1,000"),  # not the segment's total
        ("What were total assets at the end of 2022?", "640"),  # not the current ones, nor the investee's
        ("What was EPS in 2023?", "1.76"),
        ("What was basic EPS in 2022?", "1.53"),
        ("How high was COGS in FY2021?", "(500)"),
        ("How much did Acme spend on capex in 2022?", "(75)"),
        ("What was D&A in 2021?", "40"),
        ("What was PP&E in 2022?", "360"),
        ("What were SG&A expenses in FY22?", "(140)"),
        ("What was net income in Q3 2023?", "48"),
        ("What were net sales in the second quarter of 2023?", "240"),
        ("What was footwear revenue in 2023?", "380"),  # not one segment's
        ("What was the effective tax rate in 2022?", "25.0%"),
        ("How much was paid in dividends in 2023?", "(45)"),
        ("How many full-time equivalents did Acme have in 2022?", "1,190"),
    ],
)
def test_the_companys_own_figure_answers(acme, question, expected):
    answer = ask(acme, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == expected
    cited = answer.citations[answer.value.citations[0]]
    assert cited.quote == acme.text[cited.start : cited.end] == expected


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("What was revenue per store in 2023?", "store of 2023 was not found"),
        ("What was cloud revenue in 2023?", "does not say “cloud”"),
        ("What were net sales of the Beverages segment in 2023?", "does not say “Beverages”"),
        ("What was Zenith's net income in 2023?", "does not say “Zenith”"),
        ("What was operating income in Q3 2023?", "gives the year, not quarter 3"),
        ("What was net income in 2018?", "not 2018"),
        ("What were total assets in 2021?", "not 2021"),
        ("What was the net loss in 2023?", "gives a profit, not a loss"),
    ],
)
def test_what_no_row_says_is_not_answered_with_a_neighbour(acme, question, lacks):
    answer = ask(acme, question)
    assert answer.abstained
    assert answer.value is None
    assert any(lacks in near.lacks for near in answer.abstention.nearest)


@pytest.mark.parametrize("question", ["How much did Acme lose in 2023?", "What were the fines in 2023?"])
def test_a_row_of_something_else_does_not_answer_for_a_figure(acme, question):
    assert ask(acme, question).abstained


@pytest.mark.parametrize(
    ("question", "formula", "expected"),
    [
        ("What was footwear revenue growth in 2023?", "growth = 380 / 350 − 1", "8.6%"),
        ("What was the YoY growth of net sales in 2023?", "growth = 1,000 / 880 − 1", "13.6%"),
        ("What was free cash flow in FY2023?", "free cash flow = 240 − (90)", "150"),
        ("What was the quick ratio in 2023?", "quick ratio = (320 − 120) / 160", "1.25"),
        ("What was the net margin in Q3 2023?", "net margin = 48 / 260", "18.5%"),  # not of the year
        ("How much did net sales grow in 2023?", "change = 1,000 − 880", "120"),
        (
            "By how much did net sales fall in 2023?",
            "Total net sales = 1,000 against 880",
            "Total net sales rose from 880 million in 2022 to 1,000 million in 2023 (+13.6%).",
        ),
        # 365 times the average payables of 50, by the cost of sales of 600.
        ("What was the DPO in 2023?", "days payable outstanding = (365 × (60 + 40) / 2) / (600)", "30.42"),
    ],
)
def test_figures_are_computed_of_the_item_that_is_asked_for(acme, question, formula, expected):
    answer = ask(acme, question)
    assert answer.value is not None, answer.abstention
    assert (answer.value.formula, answer.value.text) == (formula, expected)


@pytest.mark.parametrize(
    ("question", "formula", "expected", "number"),
    [
        ("What were net sales per shop in 2023?", "(1,000 × 1,000,000) / 320", "3,125,000.00", 1000e6 / 320),
        ("What was SG&A per shop in 2022?", "((140) × 1,000,000) / 280", "500,000.00", 140e6 / 280),
        ("What was the ratio of total liabilities to total assets in 2023?", "410 / 760", "0.54", 410 / 760),
    ],
)
def test_a_figure_for_each_of_something_is_computed_from_two_cells(question, formula, expected, number):
    shops = table("Our shops", ("2023", "2022"), [("Shops at year end (number)", (320, 280))])
    answer = ask(report(extra=shops), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.formula.endswith(formula)
    assert answer.value.text == expected
    assert answer.value.number == pytest.approx(number)
    assert len(answer.value.citations) == 2


LOANS = [("Long-term debt", (190, 198)), ("Short-term borrowings", (27, 29)), ("Segment profit", (66, 61))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was long-term debt in 2023?", "190"),
        ("What was total debt in 2023?", None),  # no row is all of it
        ("What was debt in 2023?", None),
        ("What was the profit in 2023?", "180"),  # not gross profit, nor that of segments
        ("What was gross profit in 2023?", "400"),
        ("What were total costs in 2023?", None),  # the cost of sales is a part
    ],
)
def test_a_part_does_not_answer_for_the_whole(question, expected):
    answer = ask(report(extra=table("Loans", ("2023", "2022"), LOANS)), question)
    assert (answer.value and answer.value.text) == expected
    if expected is None:
        assert any("a part or a kind of it" in near.lacks for near in answer.abstention.nearest)


def test_what_something_is_is_not_told_by_one_of_its_figures():
    heads = ("Opened", "Looms", "Staff")
    extra = table("Mills", heads, [("Thornby", (1904, 61, 210)), ("Wexcombe", (1988, 48, 95))])
    answer = ask(report(extra=extra), "What is Thornby?")
    assert answer.value is None
    answer = ask(report(extra=extra), "How many looms does Thornby have?")
    assert answer.value.text == "61"


def test_what_is_counted_is_no_amount_of_money():
    extra = table("Other non-current assets", ("2023", "2022"), [("Employee benefit assets", ("$ 67", "$ 89"))])
    answer = ask(report(extra=extra), "How many employee benefits does Acme have in 2023?")
    assert answer.abstained
    assert answer.abstention.nearest[0].lacks == "gives an amount of money, not a number"


def test_a_figure_among_those_of_quarters_is_not_of_the_year():
    rows = [("Backlog", (40, 42, 48, 50))]
    extra = table("Summarized quarterly data follows", ("2023", "2023", "2023", "2023"), rows)
    answer = ask(report(extra=extra), "What was the backlog in 2023?")
    assert answer.abstained
    assert answer.abstention.nearest[0].lacks == "gives a quarter, not the year"


def test_growth_may_be_negative():
    extra = table("Revenue by region", ("2023", "2022"), [("Overseas revenue", (90, 120))])
    answer = ask(report(extra=extra), "What was the growth in overseas revenue in 2023?")
    assert answer.value is not None
    assert answer.value.text == "-25.0%"


def test_three_months_do_not_answer_for_the_full_year():
    rows = [("Orders taken", (29, 51))]
    extra = table("Orders", ("Three months ended June 30, 2023", "Six months ended June 30, 2023"), rows)
    answer = ask(report(extra=extra), "What were the orders taken in the full year 2023?")
    assert answer.abstained
    assert answer.abstention.nearest[0].lacks == "gives a quarter, not the year"


def test_why_is_answered_by_a_sentence_not_by_figures():
    acme = report(extra="<p>In 2023 the gross margin rose because of lower freight costs.</p>")
    answer = ask(acme, "Why did the gross margin rise in 2023?")
    assert answer.text == "In 2023 the gross margin rose because of lower freight costs."


def test_an_item_that_is_not_there_is_not_computed(acme):
    assert ask(acme, "What was cloud revenue growth in 2023?").abstained
    assert ask(acme, "What was the growth of net sales in 2021?").abstained  # 2020 is not there


def test_of_two_reports_the_one_named_answers_and_without_a_name_both_do(acme):
    other = report("Bellweather Industries", "bellweather.html", times=3)
    for name, rendered in (("Acme", "180"), ("Bellweather", "540")):
        answer = ask([acme, other], f"What was {name}'s net income in 2023?")
        assert answer.value is not None
        assert answer.value.text == rendered
    both = ask([acme, other], "What was net income in 2023?")
    assert {citation.quote for citation in both.citations if citation.cell} == {"180", "540"}
    assert any("one answer from each" in warning for warning in both.warnings)
    again = ask([acme, acme], "What was net income in 2023?")
    assert again.value is not None
    assert again.value.text == "180"


@pytest.mark.parametrize(
    ("question", "formula", "expected"),
    [
        (
            "Did the current ratio improve in 2023?",
            "working capital ratio = 320 / 160 against 250 / 140",
            "Working capital ratio rose from 1.79 in 2022 to 2.00 in 2023.",
        ),
        (
            "How much did the effective tax rate change between 2022 and 2023?",
            None,
            "Effective tax rate was unchanged from 25.0% in 2022 to 25.0% in 2023.",
        ),
        (
            "Has the gross margin improved or declined in FY2023?",
            None,
            "Gross margin rose from 38.6% in 2022 to 40.0% in 2023.",
        ),
        (
            "Did net sales increase in 2022?",
            "Total net sales = 880 against 800",
            "Yes: Total net sales rose from 800 million in 2021 to 880 million in 2022 (+10.0%).",
        ),
        # (9.0 + 8.5 + 8.8) / 3, by hand from 90 / 1,000, 75 / 880 and 70 / 800.
        ("What was the 2021 - 2023 3 year average of capex as a % of total revenue?", None, "8.8%"),
    ],
)
def test_a_figure_of_several_years_is_told_beside_the_others(acme, question, formula, expected):
    answer = ask(acme, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == expected
    assert formula in (None, answer.value.formula)
    assert all(answer.citations[number].granularity == "cell" for number in answer.value.citations)


def test_a_ratio_that_cannot_be_computed_shows_the_nearest_cells(acme):
    answer = ask(acme, "What was the interest coverage in 2023?")
    assert answer.abstained
    assert answer.abstention.message == "interest coverage cannot be computed: interest expense of 2023 was not found"
    assert answer.abstention.nearest
    assert all(near.lacks for near in answer.abstention.nearest)


def test_where_a_ratio_cannot_be_computed_the_figure_that_was_located_is_evidence_too(acme):
    weighed = Pipeline(generator="extractive").draft([acme], "What was the interest coverage in 2023?").candidates
    assert weighed[0].quote == "250"  # operating income


def test_a_figure_is_cited_from_the_statement_not_from_data_that_repeat_it():
    copied = table("Consolidated Statements of Earnings Data", ("2023", "2022"), [("Total net sales", (1000, 880))])
    answer = ask(report(before=copied), "What were total net sales in 2023?")
    assert answer.citations[answer.value.citations[0]].cell.table == "Consolidated Statements of Earnings"


def test_what_the_nearest_cells_lack_is_shown_everywhere(acme):
    answer = ask(acme, "What were total assets in 2021?")
    nearest = answer.abstention.nearest[0]
    assert nearest.lacks == "gives 2023, 2022, not 2021"
    assert nearest.citation.quote == acme.text[nearest.citation.start : nearest.citation.end]
    assert nearest.lacks in terminal.render(answer, [acme], width=200)
    assert nearest.lacks in html.render(answer, [acme])
    assert answer.to_dict()["abstention"]["nearest"][0]["lacks"] == nearest.lacks
