"""Relatives of questions that reports were answered wrongly on: symbols, days, scales, moves, shares, segments."""

from __future__ import annotations

import pytest
from tests.generators.test_reports_unseen import page, table

from citewell import ask, check, read
from citewell.facts.calendar.fiscal import fiscal_years
from citewell.facts.calendar.period import Ending

BALANCE = [
    ("Cash and cash equivalents", "412", "377"),
    ("Inventories", "1,905", "2,044"),
    ("Goodwill", "640", "655"),
    ("Total current assets", "3,120", "3,011"),
    ("Total assets", "7,480", "7,212"),
    ("Total current liabilities", "2,380", "2,206"),
    ("Total liabilities", "4,415", "4,390"),
    ("Total shareholders’ equity", "3,065", "2,822"),
]
FLOWS = [
    ("Net cash provided by operating activities", "905", "871"),
    ("Additions to property, plant and equipment", "(310)", "(295)"),
    ("Repurchases of common stock", "(118)", "(64)"),
    ("Cash, cash equivalents and restricted cash at end of year", "440", "398"),
]
INCOME = [
    ("Sales from owned shops", "3,100", "2,900"),
    ("Revenues from licensed shops", "1,900", "1,700"),
    ("Total revenues", "5,000", "4,600"),
    ("(Loss)/earnings from operations", "(210)", "330"),
    ("Income/(loss) from operating investments, net", "15", "(8)"),
    ("Net income", "402", "436"),
]
DAYS = ("December 31, 2023", "December 31, 2022")


def report(*parts):
    return page(
        "<p>Common Stock, $1 Par Value | TRNQ | New York Stock Exchange</p>"
        "<p>Our fiscal year ends on December 31.</p>"
        f"<h2>Consolidated Statements of Income</h2><p>($ in millions)</p>{table(('2023', '2022'), INCOME)}"
        f"<h2>Consolidated Balance Sheets</h2><p>($ in millions)</p>{table(DAYS, BALANCE)}"
        f"<h2>Consolidated Statements of Cash Flows</h2><p>($ in millions)</p>{table(('2023', '2022'), FLOWS)}"
        + "".join(parts),
        title="Tern Quay Holdings annual report 2023",
    )


@pytest.fixture(scope="module")
def tern():
    return report()


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("What were TRNQ's inventories at December 31, 2022?", "2,044"),
        ("In 2022, what was net income?", "436"),
        ("What was net income in 2022, in millions?", "436"),
        ("What was the carrying amount of goodwill at the end of 2023?", "640"),
        ("What was goodwill on the balance sheet at December 31, 2022?", "655"),
        ("How much cash did Tern Quay generate from operating activities in 2023?", "905"),
        ("How much did TRNQ spend on property, plant and equipment in 2022?", "(295)"),
        ("What were cash and cash equivalents at the end of 2023?", "412"),
        ("What was operating income in 2023?", "(210)"),
    ],
)
def test_the_cell_is_found_by_other_words_for_it(tern, question, printed):
    answer = ask(tern, question)
    assert answer.value is not None, answer.abstention
    assert answer.value.text.replace("$", "").strip() == printed


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "Was net income higher in 2023 than in 2022?",
            "No: Net income fell from $436 million in 2022 to $402 million",
        ),
        ("Did inventories go down in 2023?", "Yes: Inventories fell from $2,044 million"),
        ("Did goodwill rise or fall during 2023?", "Goodwill fell from $655 million"),
        (
            "Did total assets go up in 2023, and by how much?",
            "Yes: Total assets rose by $268 million, from $7,212 million",
        ),
        ("How fast did total revenues grow in 2023, in percent?", "Total revenues rose by 8.7%, from $4,600 million"),
        ("How much did net income change from 2022 to 2023?", "Net income fell by $34 million, from $436 million"),
    ],
)
def test_what_moved_is_told_as_a_sentence_above_its_row(tern, question, begins):
    answer = ask(tern, question)
    assert answer.text.startswith(begins)
    assert [statement.label for statement in answer.statements] == ["supported"] + ["quoted"] * (
        len(answer.statements) - 1
    )
    sources = {source.id: source for source in (tern,)}
    assert all(sources[c.document_id].text[c.start : c.end] == c.quote for c in answer.citations)


def test_a_scale_in_the_name_of_a_row_is_not_told_twice():
    rows = [("Revenue (€ million)", "41.3", "38.4")]
    answer = ask(page(table(("2023", "2022"), rows)), "Did revenue rise in 2023?")
    assert answer.text.startswith("Yes: Revenue rose from €38.4 million in 2022 to €41.3 million in 2023 (+7.6%).")


def test_a_share_of_a_whole_is_computed_from_both(tern):
    answer = ask(tern, "What share of total 2023 revenues came from licensed shops?")
    assert answer.value is not None, answer.abstention
    assert answer.value.text == "38.0%"


def test_a_balance_at_the_beginning_or_of_another_day_is_not_that_of_the_end():
    equity = [("Total equity, beginning balance", "2,822", "2,610"), ("Dividends declared", "(90)", "(85)")]
    document = page(f"<h2>Consolidated Statements of Equity</h2><p>(in millions)</p>{table(('2023', '2022'), equity)}")
    assert ask(document, "What was total equity at the end of 2023?").abstained
    quarterly = page(
        "<p>Results of the second quarter of fiscal 2024 ended July 31, 2023.</p><h2>Consolidated Balance Sheets</h2>"
        f"<p>(in millions)</p>{table(('July 31, 2023', 'January 31, 2023'), BALANCE)}"
    )
    for day, printed in (("January 31, 2023", "655"), ("July 31, 2023", "640")):
        answer = ask(quarterly, f"What was goodwill at {day}?")
        assert answer.value is not None, answer.abstention
        assert answer.value.text == printed


def test_a_balance_at_the_beginning_of_a_year_is_that_of_the_end_of_the_one_before():
    rows = [
        ("Cash at beginning of year", "410", "220"),
        ("Paid to suppliers", "(5)", "(4)"),
        ("Cash at end of year", "590", "410"),
    ]
    document = page(
        f"<h2>Consolidated Statements of Cash Flows</h2><p>(in millions)</p>{table(('2024', '2023'), rows)}"
    )
    for asked, printed in (
        ("at the beginning of 2024", "410"),
        ("at the beginning of 2023", "220"),
        ("at the end of 2023", "410"),
        ("at the end of 2024", "590"),
    ):
        answer = ask(document, f"What was cash {asked}?")
        assert answer.value is not None, answer.abstention
        assert answer.value.text == printed
        assert check(document, [f"Cash {asked} was $999 million."])[0].label == "contradicted"
        assert check(document, [f"Cash {asked} was {printed} million."])[0].label == "supported"


@pytest.mark.parametrize(
    ("naming", "month", "name"),
    [
        ("its second quarter fiscal 2024 ended July 31, 2023", 1, 2024),
        ("the first quarter of fiscal 2023 ended September 30, 2022", 6, 2023),
        ("our third quarter of fiscal year 2021, which ended on June 30, 2021", 9, 2021),
    ],
)
def test_a_quarter_that_is_named_with_its_last_day_tells_the_year(naming, month, name):
    years = fiscal_years(f"The company announced results for {naming}.")
    assert years.month == month
    day = years.ends[0]
    assert years.name(day) == name
    assert years.name(Ending(day.year - 1, day.month, 28)) == name - 1


def test_a_segment_that_leads_is_told_from_the_rows_below_a_label():
    rows = [
        ("Revenues by reportable segment:",),
        ("North", "$2,100", "$1,900"),
        ("Islands", "1,700", "1,650"),
        ("Mainland", "1,200", "1,050"),
        ("Total revenues", "$5,000", "$4,600"),
    ]
    document = report(f"<h2>Segments</h2><p>(in millions)</p>{table(('2023', '2022'), rows)}")
    for question, name in (
        ("Which segment had the lowest revenues in 2023?", "Mainland"),
        ("Which TRNQ reportable segment had the highest revenues in 2022?", "North"),
    ):
        answer = ask(document, question)
        assert answer.value is not None, answer.abstention
        assert answer.value.text == name
        assert answer.text.startswith(name)


def test_a_row_of_the_backlog_is_no_revenue():
    backlog = [
        ("Harbour Services", "9,100", "8,800"),
        ("Ferries", "2,400", "2,350"),
        ("Total backlog", "11,500", "11,150"),
    ]
    document = report(f"<h2>Backlog</h2><p>(in millions)</p>{table(('2023', '2022'), backlog)}")
    assert ask(document, "What were Harbour Services revenues in 2023?").abstained


def test_the_heading_of_the_notes_scales_a_table_that_says_nothing():
    assets = [("North", "$1,204", "$1,100"), ("Islands", "311", "298"), ("Total", "$1,515", "$1,398")]
    staff = [("Staff of the islands", "311", "298", "287")]
    document = page(
        "<h2>Notes to the Consolidated Financial Statements</h2><p>Years ended December 31, 2023 and 2022</p>"
        "<p>(Dollars in millions, except otherwise stated)</p><h3>Note 9 - Assets</h3>"
        f"<p>Segment assets are summarized in the table below.</p>{table(('2023', '2022'), assets)}"
        f"<h3>Note 10 - Staff</h3><p>Employees at the end of the year:</p>{table(('2023', '2022', '2021'), staff)}"
    )
    scales = {cell.text: cell.scale for each in document.tables() for cell in each.cells if cell.value is not None}
    assert scales["$1,204"] == 1_000_000
    assert {cell.scale for cell in document.tables()[1].cells if cell.value is not None} == {1}


def test_a_row_inside_the_table_may_say_its_scale():
    rows = [("(In millions, except par value) ASSETS",), *BALANCE]
    document = page(f"<h2>Consolidated Balance Sheet</h2>{table(('2023', '2022'), rows)}")
    answer = ask(document, "What were inventories in 2023?")
    assert answer.value is not None, answer.abstention
    assert answer.value.scale == 1_000_000


def test_an_average_of_shares_is_not_their_number_at_the_end():
    shares = [("Weighted average common shares outstanding - diluted", "212.4", "215.9")]
    document = report(f"<h2>Shares</h2><p>(in millions)</p>{table(('2023', '2022'), shares)}")
    assert ask(document, "How many shares were outstanding at the end of 2023?").abstained
    answer = ask(document, "What was the weighted average number of diluted shares outstanding in 2023?")
    assert answer.value is not None, answer.abstention
    assert answer.value.text == "212.4"


def test_cash_is_neither_its_change_nor_what_an_exchange_rate_did_to_it():
    flows = [
        ("Effect of exchange rates on cash and cash equivalents", "(7)", "4"),
        ("Net increase in cash and cash equivalents", "35", "21"),
        ("Cash, cash equivalents and restricted cash, end of year", "440", "398"),
    ]
    document = page(
        f"<h2>Consolidated Balance Sheets</h2><p>(in millions)</p>{table(DAYS, BALANCE)}"
        f"<h2>Consolidated Statements of Cash Flows</h2><p>(in millions)</p>{table(('2023', '2022'), flows)}"
    )
    answer = ask(document, "What were cash and cash equivalents in 2023?")
    assert answer.value is not None, answer.abstention
    assert answer.value.text == "412"


def test_the_sentence_of_each_document_cites_its_own_operands():
    rows = {"Altona": ("4,200", "3,900"), "Brandel": ("2,100", "2,400")}
    documents = [
        read(
            f"<title>{name} annual report</title><h1>{name}</h1><h2>Statements of Income</h2><p>(in millions)</p>"
            f"{table(('2023', '2022'), [('Revenue', *figures)])}".encode(),
            name=f"{name}.html",
        )
        for name, figures in rows.items()
    ]
    answer = ask(documents, "Did the revenue of Altona and of Brandel rise in 2023?")
    sentences = [statement for statement in answer.statements if statement.label == "supported"]
    assert [statement.text[:5].rstrip() for statement in sentences] == ["Yes:", "No: R"]
    for statement, document in zip(sentences, documents, strict=True):
        cited = [answer.citations[number] for number in statement.citations]
        assert {citation.document_id for citation in cited} == {document.id}
        assert {citation.quote for citation in cited} == set(rows[document.title.split()[0]])
    (grown,) = [
        s for s in ask(documents[:1], "By how much did revenue grow in 2023?").statements if s.label != "quoted"
    ]
    assert grown.text == "Revenue rose by 300 million, from 3,900 million in 2022 to 4,200 million in 2023."
