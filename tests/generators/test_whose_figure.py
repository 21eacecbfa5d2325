"""Whose figure a question asks for, and of which month, day or owners."""

from __future__ import annotations

import pytest

from citewell import ask, check, read
from citewell.facts.calendar.period import Ending, read_period
from citewell.facts.filer import names_asked
from citewell.generators.extractive.cells.finder import best


def table(*lines):
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
    return f"<table>{rows}</table>"


def page(*parts):
    return read(f"<html><body>{''.join(parts)}</body></html>".encode(), name="page.html")


RESULTS = table(("", "2023", "2022"), ("Revenue", "1,900", "1,700"), ("Distribution expenses", "(310)", "(290)"))


@pytest.fixture(scope="module")
def kestrel():
    """A report without a cover, whose first pages name the company and whose notes list its subsidiaries."""
    owned = table(("Name", "Country", "Held"), ("Kestrel Moor Trading", "Malta", "100%"), ("Kestrel Moor", "Malta", ""))
    return page(
        "<p>Building for a better future.</p><p>The directors of Kestrel Moor Berhad present their report.</p>",
        f"<p>Kestrel Moor sells paints in the North and in Ostland.</p>{'<p>Nothing else is said here.</p>' * 900}",
        f"<h2>Statement of income</h2><p>(in thousands of euros)</p>{RESULTS}<h2>Subsidiaries</h2>{owned}",
    )


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What were the distribution expenses of the Kestrel Moor group in 2022?", "(290)"),
        ("What was Kestrel Moor's revenue in 2023?", "1,900"),
        ("How much revenue did Kestrel Moor report for 2022?", "1,700"),
        ("How high was the revenue of Kestrel Moor Berhad in 2023?", "1,900"),
    ],
)
def test_a_company_that_a_report_names_at_its_beginning_is_the_whole(kestrel, question, printed):
    answer = ask(kestrel, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


@pytest.mark.parametrize(
    "question",
    ["How much revenue did Kestrel Moor earn in Ostland in 2023?", "What was the revenue of Green Anchor in 2023?"],
)
def test_a_place_and_another_company_are_not_the_whole(kestrel, question):
    assert ask(kestrel, question).abstained


def test_a_business_of_the_company_and_what_labels_begin_with_are_parts(kestrel):
    assert names_asked("What was Kestrel Moor's Ostland revenue?", kestrel) == {"Kestrel Moor"}
    parts = table(("", "2023"), ("Ostland Stores", "310"), ("Other stores", "140"))
    document = page("<p>Ostland is large. Ostland is far.</p>", parts)
    assert not names_asked("What were Ostland net sales in 2023?", document)


def test_what_changes_in_something_is_not_placed_in_it():
    parts = table(("", "2023", "Change"), ("Adjusted EBITDA", "34", "31%"))
    document = page("<p>Ostland Adjusted EBITDA is high. Ostland Adjusted EBITDA rose.</p>", parts)
    assert names_asked("What is the change in Ostland Adjusted EBITDA?", document)
    assert not names_asked("What is the price in Ostland Adjusted EBITDA?", document)


def test_what_a_country_owns_is_the_countrys_where_its_budget_speaks_of_nothing_else():
    parts = table(("", "2023-24"), ("Ostland Science Park", "14"), ("Operating expenditure", "689,512"))
    document = page("<p>The budget.</p>", "<p>Ostland must save, and Ostland will.</p>" * 6, parts)
    assert names_asked("How high is Ostland's expenditure?", document) == {"Ostland"}
    assert not names_asked("What is Ostland expenditure?", document)


def test_what_is_attributable_to_the_company_is_not_the_income_of_all_owners():
    document = page(
        "<h2>Consolidated Statements of Income</h2>",
        table(
            ("(in millions)", "2023", "2022"),
            ("Net income", "948", "1,242"),
            ("Less: net income attributable to noncontrolling interests", "74", "80"),
            ("Net income attributable to Larkspur Company", "874", "1,162"),
        ),
    )
    answer = ask(document, "What net income attributable to the company was earned in 2022?")
    assert answer.value.text == "1,162"
    assert ask(document, "What was net income in 2022?").value.text == "1,242"


REPURCHASES = table(
    ("Month", "Total number of shares purchased", "Average price paid per share"),
    ("April 1 through 30, 2023", "900,774", "$ 76.29"),
    ("May 1 through 31, 2023", "1,548,760", "$ 78.95"),
    ("June 1 through 30, 2023", "2,357,602", "$ 76.23"),
    ("Total", "4,807,136", "$ 77.11"),
)


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("How many shares were purchased in May 2023?", "1,548,760"),
        ("What average price was paid per share in June 2023?", "$ 76.23"),
        ("What average price was paid per share between April 1 and April 30, 2023?", "$ 76.29"),
        ("As of May 2023, how many shares had been purchased?", "1,548,760"),
    ],
)
def test_a_month_is_answered_by_its_row(question, printed):
    document = page("<p>Stock repurchases in the three months ended June 30, 2023:</p>", REPURCHASES)
    answer = ask(document, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_the_total_of_a_quarter_is_not_that_of_a_month():
    document = page("<p>Stock repurchases in the three months ended June 30, 2023:</p>", REPURCHASES)
    picked = best("What was the total number of shares purchased in the period of June 2023?", [document])
    assert picked.picks[0].cell.text == "2,357,602"
    assert not picked.lacks[0]


def test_a_month_beside_a_day_asks_for_no_period():
    document = page(
        "<p>Warrants outstanding:</p>",
        table(("Issued", "Outstanding as of December 31, 2019"), ("Jun-2018", "458,202"), ("Aug-2019", "842,000")),
    )
    answer = ask(
        document, "How many warrants were outstanding as of December 31, 2019 that were issued in August 2019?"
    )
    assert answer.value is not None, answer.abstention
    assert answer.value.text == "842,000"


def test_another_month_is_not_answered():
    document = page("<p>Stock repurchases in the three months ended June 30, 2023:</p>", REPURCHASES)
    assert ask(document, "How many shares were purchased in July 2023?").abstained


@pytest.mark.parametrize(
    ("words", "months", "ending"),
    [
        ("April 1 through 30, 2023", 1, Ending(2023, 4, 30)),
        ("Oct. 1 through Oct. 31", 1, Ending(None, 10, 31)),
        ("December 23, 2024 – February 2, 2025", 1, Ending(2025, 2, 2)),
        ("Dec. 29 - Jan. 25", 1, Ending(None, 1, 25)),
        ("from January 1, 2024 to March 31, 2024", 3, Ending(2024, 3, 31)),
        ("between May 4 and May 31, 2025", 1, Ending(2025, 5, 31)),
        ("June 30 and December 31, 2023", 0, Ending(2023, 6, 30)),  # two days
        ("maturity of more than three months", 0, None),
        ("within six months", 0, None),
        ("three months ended June 30, 2024", 3, Ending(2024, 6, 30)),
    ],
)
def test_a_range_of_days_is_a_period_and_a_bare_length_is_none(words, months, ending):
    period = read_period(words)
    assert (period.months, period.ending) == (months, ending)


def test_the_day_on_which_a_quarter_ends_is_answered_by_the_quarters_column():
    document = page(
        "<h2>Segments</h2><p>For the periods ended or at June 30 (in millions):</p>",
        table(
            ("", "Blue", "Pro"),
            ("Second Quarter 2023", "", ""),
            ("Revenues", "25,000", "15,600"),
            ("Total assets", "58,475", "2,754"),
        ),
        "<p>The fiscal year ends on December 31.</p>",
    )
    answer = ask(document, "What were the total assets of Pro on June 30, 2023?")
    assert answer.value is not None, answer.abstention
    assert answer.value.text == "2,754"


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("By what percentage did revenue grow in 2023 compared with the year before?", "11.8%"),
        ("By what percentage was revenue in 2023 above that of 2022?", "11.8%"),
        ("By how much is revenue expected to rise from 2022 to 2023?", "+11.8%"),
    ],
)
def test_growth_over_the_year_before_is_computed(question, printed):
    document = page("<h2>Consolidated statements of income</h2><p>(in millions)</p>", RESULTS)
    answer = ask(document, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_what_something_is_worth_and_brings_in_is_its_row():
    document = page(
        "<h2>Consolidated statements</h2><p>(in millions)</p>",
        table(("", "2023", "2022"), ("Raw materials", "57", "40"), ("Ferry revenue", "205", "118")),
    )
    assert ask(document, "What were the raw materials worth at the end of 2022?").value.text == "40"
    assert ask(document, "What did ferries bring the company in revenue in 2023?").value.text == "205"


def test_a_heading_with_dashes_is_no_figure():
    document = page(
        "<h2>Statement of income</h2>",
        table(
            ("(RM)", "2023", "2022"),
            ("Net income after taxation is made up of the following:", "-", "-"),
            ("Net realised income", "67,017", "92,973"),
        ),
    )
    answer = ask(document, "What was the net income after taxation in 2023?")
    assert answer.abstained or answer.value.text != "-"


def test_apostrophes_and_six_noughts_are_millions():
    document = page(
        "<h2>Balance sheet</h2>",
        table(
            ("(NT$’000,000)", "2023", "2022"), ("Total assets", "2,668", "2,739"), ("Total equity", "1,162", "1,100")
        ),
    )
    answer = ask(document, "What were total assets in 2023?")
    assert (answer.value.text, answer.value.scale) == ("2,668", 1_000_000)


def test_pence_are_figures_of_their_own_unit():
    document = page(
        "<h2>Consolidated income statement</h2><p>(in thousands of pounds)</p>",
        table(("", "2022", "2021"), ("Revenue", "86,614", "82,684"), ("Diluted earnings per share", "37.8p", "(7.5)p")),
    )
    value = ask(document, "What were diluted earnings per share in 2022?").value
    assert (value.number, value.unit, value.scale) == (37.8, "pence", 1)
    assert ask(document, "What were diluted earnings per share in 2021?").value.number == -7.5
    assert check(document, ["Diluted earnings per share were 47.8 pence in 2022."])[0].label == "contradicted"
    assert check(document, ["Diluted earnings per share were 37.8 pence in 2022."])[0].label == "supported"


@pytest.mark.parametrize("years", [("2023", "2024"), ("2024", "2023")])
def test_a_year_that_ends_in_march_is_called_by_its_end_whichever_year_stands_first(years):
    figures = {"2023": "868,687", "2024": "941,168"}
    document = page(
        "<p>Lantern today announced its results for the fiscal year ended March 31, 2024.</p>",
        "<h2>Consolidated income statements</h2><p>(in millions)</p>",
        table(("Year ended March 31,", "", ""), ("", *years), ("Revenue", *(figures[year] for year in years))),
        table(("", *years), ("Operating income", "100", "113")),
    )
    assert ask(document, "What was revenue in fiscal year 2024?").value.text == "941,168"


def test_what_a_country_does_is_the_countrys_as_well():
    parts = table(("", "2023-24"), ("Ostland Science Park", "14"), ("Operating expenditure", "689,512"))
    document = page("<p>The budget.</p>", "<p>Ostland must save, and Ostland will.</p>" * 6, parts)
    assert names_asked("How much does Ostland estimate for health?", document) == {"Ostland"}
