"""Reports of kinds that answers went wrong on: fiscal years, segments, unnamed filers, bases, operands, forms of asking."""

from __future__ import annotations

import pytest

from citewell import ask, check, read
from citewell.export.markdown import render

HEADS = ("January 28, 2023", "January 29, 2022")


def page(body, title="Lark Stores, Inc."):
    return read(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(), name="page.html")


def table(heads, rows, over=""):
    top = f'<tr><th></th><th colspan="{len(heads)}">{over}</th></tr>' if over else ""
    named = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join(
        f"<tr><td>{label}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for label, *cells in rows
    )
    return f"<table>{top}<tr><th></th>{named}</tr>{body}</table>"


INCOME = [
    ("Net sales", "10,208", "8,630"),
    ("Operating income", "1,638", "1,297"),
    ("Income tax expense", "396", "311"),
    ("Net income", "1,242", "985"),
]


def retailer(defined, over="52 Weeks Ended", heads=HEADS):
    return page(
        f"<p>{defined}</p><h2>Consolidated Statements of Income</h2><p>(In millions)</p>{table(heads, INCOME, over)}"
    )


NAMING = 'The fifty-two weeks ended January 28, 2023 ("fiscal 2022") are compared with those ended January 29, 2022.'


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What was net income in fiscal 2022?", "1,242"),
        ("What were net sales in fiscal 2021?", "8,630"),
        ("What was operating income in FY22?", "1,638"),
        ("What was net income for the year ended January 28, 2023?", "1,242"),
        ("What were net sales for the 52 weeks ended January 29, 2022?", "8,630"),
    ],
)
def test_a_retailers_year_goes_by_its_own_name(question, printed):
    answer = ask(retailer(NAMING), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


@pytest.mark.parametrize(
    "question",
    [
        "What was net income in fiscal 2023?",
        "What was net income for the 13 weeks ended January 28, 2023?",
        "What was net income in the fourth quarter of fiscal 2022?",
        "What was net income for the trailing twelve months?",
    ],
)
def test_another_year_a_quarter_and_trailing_months_are_not_answered_by_a_year(question):
    assert ask(retailer(NAMING), question).abstained


def test_a_quarter_does_not_answer_for_a_year():
    document = retailer(NAMING, over="13 Weeks Ended")
    assert ask(document, "What was net income in fiscal 2022?").abstained
    answer = ask(document, "What was net income in the fourth quarter of fiscal 2022?")
    assert answer.value is not None
    assert answer.value.text == "1,242"


def test_where_the_document_does_not_name_its_years_both_are_told_with_a_hedge():
    document = retailer("The 52 weeks ended January 28, 2023 were good.")
    answer = ask(document, "What was net income in fiscal 2022?")
    assert answer.value is not None
    assert answer.confidence <= 0.6
    assert any("985" in warning and "1,242" in warning for warning in answer.warnings)


def test_a_claim_is_checked_by_the_same_calendar():
    document = retailer(NAMING)
    right, wrong, dated = check(
        document,
        [
            "Net income in fiscal 2022 was $1,242 million.",
            "Net income in fiscal 2022 was $985 million.",
            "Net sales for the year ended January 28, 2023 were $10,208 million.",
        ],
    )
    assert (right.label, wrong.label, dated.label) == ("supported", "contradicted", "supported")


SEGMENTS = [
    ("Mills", ""),
    ("Net sales", "141", "170"),
    ("Operating income", "7", "9"),
    ("Ferries", ""),
    ("Net sales", "25", "35"),
    ("Operating income", "4", "6"),
    ("Consolidated", ""),
    ("Net sales", "166", "205"),
    ("Operating income", "11", "15"),
]


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What was the operating income of Ferries in 2018?", "4"),
        ("What were the net sales of the Mills segment in 2019?", "170"),
        ("What was the operating income of Mills in 2019?", "9"),
        ("What was operating income in 2019?", "15"),
    ],
)
def test_a_segment_that_is_named_is_the_one_and_none_means_the_whole(question, printed):
    body = "<h2>Note 10 — Segment information</h2><h3>Ferries</h3><p>The Ferries segment sails.</p>"
    body += f"<p>Segments are as follows (in millions):</p>{table(('2018', '2019'), SEGMENTS)}"
    answer = ask(page(body, "Rill, Inc. — Annual report 2019"), question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text == printed


def test_a_segment_that_no_row_has_is_not_answered_by_its_heading():
    rows = [row for row in SEGMENTS if row[0] not in ("Ferries", "Mills")][-3:]
    body = f"<h3>Cloud</h3>{table(('2018', '2019'), rows)}"
    assert ask(page(body, "Rill, Inc."), "What was the operating income of Harbours in 2018?").abstained


def test_naming_a_filer_that_no_title_names_does_not_block():
    body = "<h2>Consolidated Statements of Earnings</h2><p>(in millions)</p>"
    body += table(("2021", "2020"), [("Net sales", "67,044", "65,398"), ("Net earnings", "6,315", "6,833")])
    body += "<p>Gannet Holm builds ships. In 2021 Gannet Holm delivered nine ferries to Gannet Holm Lines.</p>"
    document = read(f"<html><body>{body}</body></html>".encode(), name="page.html")
    assert ask(document, "What were Gannet Holm's net sales in 2021?").value.text == "67,044"
    assert ask(document, "What were the net sales of Orlo Steel in 2021?").abstained


SHARES = [
    ("Net income", "1,933", "4,240"),
    ("Adjusted net income", "2,100", "4,400"),
    ("Basic earnings per share", "1.19", "2.56"),
    ("Weighted-average shares outstanding, basic", "1,623", "1,657"),
]


def test_an_amount_per_share_is_no_number_of_shares_and_the_other_way_round():
    body = f"<h2>Consolidated Statements of Income</h2><p>(in millions, except per share data)</p>{table(('2018', '2017'), SHARES)}"
    document = page(body, "Nape, Inc.")
    assert ask(document, "What were basic earnings per share in 2018?").value.text == "1.19"
    counted = ask(document, "How many weighted average basic shares were outstanding in 2018?")
    assert counted.value is not None, counted.abstention
    assert (counted.value.text, counted.value.scale) == ("1,623", 1e6)
    only_counts = page(f"<h2>Shares</h2>{table(('2018', '2017'), SHARES[-1:])}", "Nape, Inc.")
    assert ask(only_counts, "What were basic earnings per share in 2018?").abstained


def test_an_adjusted_figure_and_the_plain_one_are_never_swapped():
    plain = page(f"<h2>Consolidated Statements of Income</h2>{table(('2018', '2017'), SHARES[:1])}", "Nape, Inc.")
    assert ask(plain, "What was adjusted net income in 2018?").abstained
    both = page(f"<h2>Results</h2>{table(('2018', '2017'), SHARES[:2])}", "Nape, Inc.")
    assert ask(both, "What was net income in 2018?").value.text == "1,933"
    assert ask(both, "What was adjusted net income in 2018?").value.text == "2,100"


def test_how_an_answer_is_to_look_is_no_part_of_what_is_asked():
    document = retailer(NAMING)
    for question in (
        "Provide net income for fiscal 2022, in USD millions.",
        "What was net income in fiscal 2022 (in millions)? Answer with a number only.",
        "What was net income in fiscal 2022? If it is not reported, then state that and explain why.",
        "Report the net income of Lark Stores in fiscal 2022. Round to one decimal place.",
    ):
        answer = ask(document, question)
        assert answer.value is not None, question
        assert answer.value.text == "1,242"


def test_whether_a_figure_rose_is_told_from_two_different_cells():
    document = retailer(NAMING)
    answer = ask(document, "Did net sales grow in fiscal 2022?")
    assert answer.value is not None
    assert answer.value.text == "Yes: Net sales rose from 8,630 million in 2021 to 10,208 million in 2022 (+18.3%)."
    assert len({answer.citations[number].start for number in answer.value.citations}) == 2
    one_year = page(f"<h2>Results</h2>{table(('2018',), [('Net sales', '166')])}", "Rill, Inc.")
    assert ask(one_year, "Did net sales grow in 2018?").abstained


def test_an_unsure_cell_is_told_with_a_hedge_and_a_sure_one_is_not():
    open_, named = retailer("The 52 weeks ended January 28, 2023 were good."), retailer(NAMING)
    unsure, sure = (ask(document, "What was net income in fiscal 2022?") for document in (open_, named))
    assert sure.confidence >= 0.8
    assert "Perhaps" in render(unsure, [open_])
    assert "Perhaps" not in render(sure, [named])


def test_what_a_scale_excepts_is_not_scaled():
    rows = [
        ("Membership revenue", "4,184", "3,912"),
        ("Revenue per membership", "58", "55"),
        ("Net income", "900", "800"),
    ]
    body = "<h2>Consolidated Statements of Income</h2><p>(in thousands, except revenue per membership and per share data)</p>"
    document = page(body + table(("2021", "2020"), rows), "Quay Clubs, Inc.")
    scales = {cell.row_path[-1]: cell.scale for cell in document.tables()[0].values()}
    assert scales == {"Membership revenue": 1000, "Revenue per membership": 1, "Net income": 1000}


@pytest.mark.parametrize(
    "corner",
    ["In millions except per share data; years ended May 31", "Millions, except per-share amounts; years ended May 31"],
)
def test_what_a_scale_excepts_in_a_corner_says_nothing_of_the_columns(corner):
    rows = [("NET SALES", "$ 10,208", "$ 8,630"), *INCOME[1:], ("Diluted earnings per share", "$ 4.12", "$ 3.30")]
    body = "".join(
        f"<tr><td>{label}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for label, *cells in rows
    )
    report = page(
        "<h2>Consolidated Statements of Earnings</h2>"
        f"<table><tr><th>{corner}</th><th>2023</th><th>2022</th></tr>{body}</table>"
    )
    answer = ask(report, "What was operating income in 2022?")
    assert answer.value is not None
    assert (answer.value.number, answer.value.scale, answer.value.period) == (
        1297,
        1_000_000,
        "years ended May 31 2022",
    )
    per_share = ask(report, "What were diluted earnings per share in 2023?").value
    assert per_share is not None
    assert (per_share.number, per_share.scale) == (4.12, 1)
    assert "18.3%" in ask(report, "By how many percent did net sales grow from 2022 to 2023?").text
