"""What questions put by verbs, shares and sums, and tables whose headers are repeated or stand in the corner."""

from __future__ import annotations

import pytest

from citewell import ask, read


def page(body, title="Tarn Mills, Inc."):
    return read(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(), name="page.html")


def rows(*lines):
    return "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)


def heads(*names):
    return f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"


INCOME = (
    ("Net sales", "4,000", "3,200"),
    ("Cost of sales", "2,600", "2,240"),
    ("Selling and marketing", "330", "310"),
    ("Research and development", "200", "190"),
    ("Operating income", "870", "460"),
    ("Interest expense", "60", "55"),
    ("Income before income taxes", "810", "405"),
    ("Income tax expense", "160", "85"),
    ("Net income", "650", "320"),
)
BALANCE = (
    ("Cash and cash equivalents", "140", "95"),
    ("Inventories", "330", "300"),
    ("Total current assets", "900", "800"),
    ("Land, buildings and equipment", "2,111", "2,040"),
    ("Total assets", "3,900", "3,700"),
    ("Short-term debt", "120", "80"),
    ("Total current liabilities", "500", "450"),
    ("Long-term debt", "880", "940"),
    ("Total liabilities", "1,900", "1,950"),
    ("Additional paid-in capital - common stock", "1,234", "1,222"),
    ("Total shareholders' equity", "2,000", "1,750"),
)
CASH = (
    ("Operating activities",),
    ("Net income", "650", "320"),
    ("Net cash provided by operating activities", "820", "510"),
    ("Investing activities",),
    ("Purchases of land, buildings and equipment", "(210)", "(175)"),
    ("Acquisitions of businesses", "(45)", "(12)"),
    ("Financing activities",),
    ("Proceeds from issuance of long-term debt", "150", "95"),
    ("Repayment of long-term debt", "(205)", "(60)"),
    ("Purchases of common stock for treasury", "(310)", "(120)"),
    ("Redemption of preferred stock", "(31)", "(8)"),
    ("Payments for dividends and dividend equivalents", "(97)", "(88)"),
    ("Net cash used in financing activities", "(493)", "(181)"),
)


def statement(name, over, body):
    return f"<h2>{name}</h2><p>(In millions)</p><table>{heads('', f'{over}2023', f'{over}2022')}{rows(*body)}</table>"


@pytest.fixture(scope="module")
def tarn():
    return page(
        statement("Consolidated Statements of Income", "Year ended December 31, ", INCOME)
        + statement("Consolidated Balance Sheets", "December 31, ", BALANCE)
        + statement("Consolidated Statements of Cash Flows", "Year ended December 31, ", CASH)
    )


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("How much did Tarn Mills sell in 2023?", "4,000"),
        ("What did Tarn Mills spend on buying land, buildings and equipment in 2022?", "(175)"),
        ("How much did Tarn Mills spend on buying back its own shares in 2023?", "(310)"),
        ("How much did Tarn Mills raise by issuing long-term debt in 2022?", "95"),
        ("How much long-term debt did Tarn Mills pay back in 2023?", "(205)"),
        ("How much was spent on acquiring businesses in 2023?", "(45)"),
        ("How much did Tarn Mills pay to redeem preferred stock in 2023?", "(31)"),
        ("How much cash did Tarn Mills pay out in dividends in 2022?", "(88)"),
        ("How much cash did its operating activities generate in 2023?", "820"),
        ("What did marketing and selling cost Tarn Mills in 2022?", "310"),
        ("What was the operating result in 2022?", "460"),
        ("What amount did Tarn Mills return to shareholders through dividends in 2023?", "(97)"),
        ("How much long-term debt did Tarn Mills pay off in 2022?", "(60)"),
        ("What was the shareholders' deficit at the end of 2022?", "1,750"),
        ("At what amount was inventory carried at the end of 2022?", "300"),
    ],
)
def test_what_a_question_puts_by_a_verb_is_the_row_that_is_called_by_a_noun(tarn, question, printed):
    answer = ask(tarn, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("By what percentage did net sales grow in 2023?", "25.0%"),
        ("By how many percent did operating income rise in 2023?", "89.1%"),
        ("What share of its net sales did Tarn Mills spend on research and development in 2023?", "5.0%"),
        ("What share of net sales went into research and development in 2022?", "5.9%"),
        ("What was the gross margin in 2023, as a percentage of net sales?", "35.0%"),
        ("What was the company's total debt, short-term and long-term together, at the end of 2023?", "1,000"),
        ("What proportion of net sales did cost of sales account for in 2022?", "70.0%"),
        ("What was the sum of short-term debt and long-term debt in 2022?", "1,020"),
    ],
)
def test_a_share_a_growth_and_a_sum_are_computed_and_no_amount_answers_for_them(tarn, question, printed):
    answer = ask(tarn, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed
    assert len({citation.start for citation in answer.citations if citation.granularity == "cell"}) == 2


@pytest.mark.parametrize("shrank", ["grow or shrink", "rise or fall"])
def test_whether_a_balance_shrank_is_told_from_two_cells(tarn, shrank):
    text = ask(tarn, f"Did Tarn Mills' long-term debt {shrank} during 2023?").text
    assert text.startswith("Long-term debt fell from $940 million") or "fell from 940 million" in text


def test_more_than_a_year_before_compares_two_cells(tarn):
    answer = ask(tarn, "Did Tarn Mills spend more on research and development in 2023 than in 2022?")
    assert answer.text.startswith("Yes: Research and development rose")


def test_a_country_is_one_term_however_it_is_written_and_tells_segments_apart():
    parts = rows(("U.S. Stores", "$ 310", "$ 290"), ("Stores abroad", "$ 140", "$ 130"))
    over = heads("Net sales (In millions)", "2023", "2022")
    document = page(
        statement("Consolidated Statements of Income", "Year ended December 31, ", INCOME)
        + f"<h2>Segments</h2><table>{over}{parts}</table>"
    )
    assert ask(document, "What were net sales of stores in the United States in 2023?").value.text == "$ 310"
    assert ask(document, "What were U.S. net sales in 2022?").value.text == "$ 290"


def test_a_share_that_only_an_amount_is_printed_for_is_withheld():
    document = page(
        f"<p>(In millions)</p><table>{heads('', '2023', '2022')}{rows(('Hat sales', '$ 40', '$ 38'))}</table>"
    )
    assert ask(document, "What percentage of boot sales were hat sales in 2023?").abstained


QUARTERS = (
    "<h2>Quarterly financial information</h2><table>"
    '<tr><th></th><th colspan="4">Fiscal year ended May 31, 2023</th></tr>'
    + heads("(In millions)", "First (a)", "Second", "Third (b)", "Fourth")
    + rows(("Net sales", "$ 910", "$ 960", "$ 1,010", "$ 1,120"), ("Net income", "140", "150", "165", "195"))
    + '<tr><td></td><td colspan="4">Fiscal year ended May 31, 2022</td></tr>'
    + rows(("", "First (a)", "Second", "Third (b)", "Fourth"))
    + rows(("Net sales", "$ 740", "$ 790", "$ 810", "$ 860"), ("Net income", "60", "75", "85", "100"))
    + "</table>"
)


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What was net income in the second quarter of fiscal 2022?", "75"),
        ("What were net sales in the third quarter of fiscal 2022?", "$ 810"),
        ("What was net income in the third quarter of fiscal 2023?", "165"),
    ],
)
def test_headers_that_a_table_repeats_for_another_year_stand_over_what_is_below(question, printed):
    answer = ask(page(QUARTERS), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_a_period_in_the_corner_is_that_of_the_years_beside_it():
    body = heads("Quarters ended June 30,", "2023", "2022") + rows(*INCOME)
    document = page(f"<h2>Condensed consolidated statement of income</h2><p>(In millions)</p><table>{body}</table>")
    assert ask(document, "What was interest expense in the second quarter of 2023?").value.text == "60"
    assert ask(document, "What was interest expense for the full year 2023?").abstained
    (table,) = document.tables()
    assert table.values()[0].column_path == ("Quarters ended June 30,", "2023")


def test_a_table_of_what_rows_include_is_no_part_of_the_statement():
    parts = rows(("Cost of sales", "12", "11"), ("Selling and marketing", "21", "19"), ("Operating income", "3", "2"))
    over = heads("", "Year ended December 31, 2023", "Year ended December 31, 2022")
    document = page(
        statement("Consolidated Statements of Income", "Year ended December 31, ", INCOME)
        + f"<p>Amounts include stock-based compensation expense, as follows:</p><table>{over}{parts}</table>"
    )
    assert ask(document, "How much did Tarn Mills spend on selling and marketing in 2022?").value.text == "310"


SEGMENTS = (
    '<h2>Operating segments</h2><p>(In millions)</p><table><tr><th></th><th colspan="4">Year ended December 31, 2023</th></tr>'
    + heads("", "Tarn", "Moor", "Elimination of intersegment sales", "Total")
    + rows(("Net sales", "$ 900", "$ 700", "$ (50)", "$ 1,550"), ("Operating income", "90", "60", "(5)", "145"))
    + "</table>"
)


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What was the operating income of the Tarn segment in 2023?", "90"),
        ("How much did the Moor segment sell in 2023?", "$ 700"),
        ("What were the net sales of Tarn Mills in 2023?", "$ 1,550"),
    ],
)
def test_a_segment_may_be_called_as_the_company_is_and_what_is_eliminated_is_none(question, printed):
    answer = ask(page(SEGMENTS), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_an_abbreviation_that_the_document_defines_says_its_words():
    table = f"<table>{heads('(In millions)', '2023', '2022')}{rows(('GRV', ''), ('Harbour', '$ 410', '$ 370'), ('Lake', '$ 90', '$ 80'))}</table>"
    document = page(f"<p>Gross rental volume (“GRV”) is the value of all bookings.</p>{table}")
    assert ask(document, "What was Harbour's gross rental volume in 2023?").value.text == "$ 410"


def test_a_change_in_percent_answers_neither_for_a_number_nor_for_an_amount():
    body = heads("", "2023", "Change", "2022") + rows(("Lantern sales", "$ 410", "11 %", "$ 370"))
    document = page(f"<p>(In millions)</p><table>{body}</table>")
    assert ask(document, "How many lanterns did Tarn Mills sell in 2023?").abstained
    assert ask(document, "What were lantern sales in 2023?").value.text == "$ 410"
