"""Reports outside the United States: the words of IFRS, currencies and scales in headers, the names of the filer."""

import pytest

import citewell
from citewell import Document

INCOME = """
<tr><td>Turnover</td><td>4</td><td>45,120</td><td>40,010</td></tr>
<tr><td>Cost of sales</td><td></td><td>(30,000)</td><td>(27,500)</td></tr>
<tr><td>Staff costs</td><td>5</td><td>(8,100)</td><td>(7,900)</td></tr>
<tr><td>Finance costs</td><td>7</td><td>(520)</td><td>(410)</td></tr>
<tr><td>Profit before taxation</td><td></td><td>6,500</td><td>4,200</td></tr>
<tr><td>Taxation</td><td>8</td><td>(1,500)</td><td>(900)</td></tr>
<tr><td>Profit for the year</td><td></td><td>5,000</td><td>3,300</td></tr>"""
BALANCE = """
<tr><td>Trade and other receivables</td><td>12</td><td>8,200</td><td>7,700</td></tr>
<tr><td>Cash at bank and in hand</td><td>13</td><td>3,100</td><td>2,050</td></tr>
<tr><td>Total assets</td><td></td><td>33,300</td><td>30,750</td></tr>
<tr><td>Trade and other payables</td><td>14</td><td>6,100</td><td>6,000</td></tr>
<tr><td>Total liabilities</td><td></td><td>15,100</td><td>15,500</td></tr>
<tr><td>Total equity</td><td></td><td>18,200</td><td>15,250</td></tr>"""


def report(head: str, name: str = "Harrow") -> Document:
    """An annual report whose figures stand below "2023" and "2022" with `head` behind them."""
    top = f"<tr><td></td><td>Note</td><td>2023 {head}</td><td>2022 {head}</td></tr>"
    return citewell.read(
        f"<html><head><title>{name} annual report 2023</title></head><body><p>{name} makes ladders.</p>"
        "<h2>Statement of profit or loss and other comprehensive income</h2><p>for the year ended 30 June 2023</p>"
        f"<table>{top}{INCOME}</table><h2>Statement of financial position</h2><p>as at 30 June 2023</p>"
        f"<table>{top}{BALANCE}</table></body></html>".encode(),
        name="report.html",
    )


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What was Harrow's revenue in 2023?", 45120),
        ("What was Harrow's net income in 2022?", 3300),
        ("What were the interest expenses in 2023?", -520),
        ("What was the income tax expense in 2022?", -900),
        ("What were the personnel expenses in 2023?", -8100),
        ("What were total assets in 2022?", 30750),
        ("What was total shareholders' equity in 2023?", 18200),
        ("How much cash did Harrow hold at the end of 2023?", 3100),
        ("What was Harrow's pre-tax profit in 2023?", 6500),
        ("What profit did Harrow make before tax in 2022?", 4200),
        ("How much did Harrow earn after tax in 2022?", 3300),
    ],
)
def test_items_are_asked_for_in_american_words(question: str, number: float) -> None:
    answer = citewell.ask(report("£'000"), question)
    assert answer.value is not None
    assert (answer.value.number, answer.value.scale, answer.value.unit) == (number, 1000, "GBP")


@pytest.mark.parametrize(
    ("head", "scale", "unit"),
    [
        ("£'000", 1000, "GBP"), ("RM’000", 1000, "MYR"), ("KShs '000", 1000, "KES"), ("€m", 10**6, "EUR"), ("₹ crore", 10**7, "INR"),
        ("(US$ million)", 10**6, "USD"), ("(RM)", 1, "MYR"), ("€", 1, "EUR"), ("SEK m", 10**6, "SEK"), ("(£000)", 1000, "GBP"),
    ],
)  # fmt: skip
def test_the_scale_and_currency_of_a_column_stand_behind_its_year(head: str, scale: int, unit: str) -> None:
    answer = citewell.ask(report(head), "What was the profit for the year in 2023?")
    assert answer.value is not None
    assert (answer.value.number, answer.value.scale or 1, answer.value.unit) == (5000, scale, unit)


def test_a_row_of_scales_below_the_years_and_numbers_of_notes_are_no_figures() -> None:
    page = """<h2>Statement of financial position</h2><table>
    <tr><td></td><td></td><td>2023</td><td>2022</td></tr><tr><td></td><td>Notes</td><td>€000</td><td>€000</td></tr>
    <tr><td>Trade receivables</td><td>13</td><td>75</td><td>197</td></tr>
    <tr><td>Cash</td><td>10</td><td>5,890</td><td>10,556</td></tr>
    <tr><td>Total assets</td><td></td><td>5,965</td><td>10,753</td></tr>
    <tr><td>Total liabilities</td><td></td><td>402</td><td>1,563</td></tr>
    <tr><td>Total equity</td><td></td><td>5,563</td><td>9,190</td></tr>
    <tr><td>Total equity and liabilities</td><td></td><td>5,965</td><td>10,753</td></tr></table>"""
    document = citewell.read(page.encode(), name="page.html")
    (table,) = document.tables()
    assert {cell.text for cell in table.values()}.isdisjoint({"13", "10", "Notes", "€000"})
    for question, number in [
        ("What was total equity in 2022?", 9190),
        ("What were trade receivables in 2023?", 75),
        ("What were total liabilities in 2023?", 402),
    ]:
        value = citewell.ask(document, question).value
        assert value is not None
        assert (value.number, value.scale, value.unit) == (number, 1000, "EUR")


def test_a_profit_is_no_answer_to_how_much_was_lost() -> None:
    assert citewell.ask(report("£'000"), "How much did Harrow lose in 2022?").abstained


def test_a_column_of_units_says_in_what_a_row_is() -> None:
    page = """<p>Results</p><table><tr><td></td><td>Units</td><td>2022</td><td>2023</td></tr>
    <tr><td>Capital expenditure</td><td>$m</td><td>663</td><td>745</td></tr>
    <tr><td>Water supplied</td><td>GL</td><td>402</td><td>411</td></tr></table>"""
    (table,) = citewell.read(page.encode(), name="page.html").tables()
    cells = {cell.text: (cell.scale, cell.unit) for cell in table.values()}
    assert cells["745"] == (10**6, "USD")
    assert cells["411"][0] == 1


@pytest.mark.parametrize("name", ["Harrow Growth Fund V", "Red Harrow"])
def test_the_name_of_the_filer_asks_for_nothing(name: str) -> None:
    answer = citewell.ask(report("£'000", name), f"How much did {name} spend on finance costs in 2022?")
    assert answer.value is not None
    assert answer.value.number == -410


def test_a_filer_without_a_cover_is_known_by_how_often_the_text_names_it() -> None:
    page = (
        "<p>The Blue Lantern helps sailors. The Blue Lantern is a charity; Green Anchor is a partner.</p><table>"
        "<tr><td></td><td>2023</td><td>2022</td></tr><tr><td>Shore Service</td><td>400</td><td>300</td></tr>"
        "<tr><td>Total expenditure</td><td>900</td><td>800</td></tr></table>"
    )
    document = citewell.read(page.encode(), name="page.html")
    answer = citewell.ask(document, "What was the total expenditure of Blue Lantern in 2023?")
    assert answer.value is not None
    assert answer.value.number == 900
    assert citewell.ask(document, "What was the total expenditure of Green Anchor in 2023?").abstained


def test_years_above_scales_alone_are_the_headers_of_the_table_below() -> None:
    page = """<p>Contract balances</p><table><tr><td>2022</td><td>2021</td></tr><tr><td>£’000</td><td>£’000</td></tr></table>
    <table><tr><td>Contract receivables</td><td>5,804</td><td>8,454</td></tr>
    <tr><td>Contract liabilities</td><td>(5,482)</td><td>(2,052)</td></tr></table>"""
    table = citewell.read(page.encode(), name="page.html").tables()[-1]
    assert [(cell.text, cell.year, cell.scale, cell.unit) for cell in table.values()][:2] == [
        ("5,804", 2022, 1000, "GBP"),
        ("8,454", 2021, 1000, "GBP"),
    ]


def test_a_year_behind_a_noun_is_the_year_of_the_column() -> None:
    page = """<table><tr><td></td><td>Fair value 2022</td><td>Amortised cost 2022</td><td>Amortised cost 2021</td></tr>
    <tr><td>Receivables</td><td>-</td><td>75</td><td>197</td></tr><tr><td>Cash</td><td>-</td><td>5</td><td>9</td></tr></table>"""
    (table,) = citewell.read(page.encode(), name="page.html").tables()
    assert [cell.year for cell in table.values()][:3] == [2022, 2022, 2021]


def test_a_row_of_one_name_is_that_of_what_was_earned_or_spent() -> None:
    page = """<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td>Revenue</td><td></td><td></td></tr>
    <tr><td>Training courses</td><td>310</td><td>295</td></tr><tr><td>Total revenue</td><td>310</td><td>295</td></tr>
    <tr><td>Expense</td><td></td><td></td></tr><tr><td>Training courses</td><td>450</td><td>430</td></tr>
    <tr><td>Total expenditure</td><td>450</td><td>430</td></tr></table>"""
    document = citewell.read(page.encode(), name="page.html")
    for question, number in [
        ("How much did training courses earn in 2023?", 310),
        ("How much was spent on training courses in 2023?", 450),
        ("How much did training courses bring in in 2022?", 295),
    ]:
        value = citewell.ask(document, question).value
        assert value is not None
        assert value.number == number


def test_a_dash_in_a_column_of_figures_is_no_sign_of_the_next_one() -> None:
    page = """<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td>Rent</td><td>-</td><td>75</td></tr>
    <tr><td>Grants</td><td>4</td><td>9</td></tr></table>"""
    (table,) = citewell.read(page.encode(), name="page.html").tables()
    assert [(cell.text, cell.year) for cell in table.values()][:2] == [("-", 2023), ("75", 2022)]


def test_nothing_is_computed_from_one_figure_twice() -> None:
    text = "Fenwick runs ferries. The total costs were EUR 70.3 million. Its staff is friendly."
    answer = citewell.ask(Document.from_text(text), "By how much did Fenwick's total costs rise from 2021 to 2022?")
    assert answer.abstained
