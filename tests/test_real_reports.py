"""What the first version got wrong about real reports, one kind a test; each fails on it (docs/reports.md has the table).

Only what both versions have is used: `read`, `ask`, `attribute`, `check`, and the texts and quotes that they give.
"""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas
from tests.filings import report
from tests.statements import LAYOUTS, make

from citewell import Document, ask, attribute, check, read

PAPER = Document.from_text(
    "The ferries of Aldersund carried 2,310 people a day. The harbour was dredged in 2019, and sales reached the target. "
    "The board accepted the offer of Lindholm Yards. No ship was sold in 2020."
)


def quotes(answer):
    return [citation.quote.strip() for citation in answer.citations]


@pytest.fixture(scope="module")
def acme():
    return report()


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What was net income in 2023?", "Net earnings | 180"),  # the investee has a row "Net income"
        ("What were total assets in 2023?", "Total assets | 760"),  # not the current ones, nor the investee's
        ("What was EPS in 2023?", "Diluted | 1.76"),
        ("What was net income in Q3 2023?", "Net earnings | 40 | 42 | 48"),
    ],
)
def test_b1_the_row_is_that_of_the_item_of_the_company_and_of_the_period(acme, question, right):
    rows = [quote for quote in quotes(ask(acme, question)) if " | " in quote]
    assert len(rows) == 1
    assert rows[0].startswith(right)


def test_b2_the_cell_of_the_year_is_cited_under_headers_of_two_lines():
    statement = read(make(LAYOUTS["ended"])[0], name="statement.pdf")
    assert "844.4" in [quote.replace("$ ", "") for quote in quotes(ask(statement, "What was net income in 2022?"))]


@pytest.mark.parametrize("claim", ["Net sales were about 1.0 billion in 2023.", "Net sales were 0.88 billion in 2022."])
def test_b2_a_figure_is_read_in_the_scale_of_its_table(acme, claim):
    (verdict,) = check(acme, [claim])
    assert verdict.label == "supported"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How high was COGS in FY2021?", "(500)"),
        ("How much did Acme spend on capex in 2022?", "(75)"),
        ("What was D&A in 2021?", "40"),
        ("What was PP&E in 2022?", "360"),
        ("What was the quick ratio in 2023?", "120"),  # an operand
        ("Did net sales increase in 2022?", "880"),
    ],
)
def test_b3_analysts_words_find_the_cell(acme, question, expected):
    assert expected in quotes(ask(acme, question))


def test_b3_an_abstention_shows_three_places_each_with_what_it_lacks(acme):
    nearest = ask(acme, "What were total assets in 2012?").abstention.to_dict()["nearest"]
    assert len(nearest) == 3
    assert all(near["lacks"] for near in nearest)


@pytest.mark.parametrize(
    "question",
    [
        "When was the harbour not dredged?",
        "Did the board reject the offer of Lindholm Yards?",
        "Who rejected the offer of Lindholm Yards?",
    ],
)
def test_b4_falsified_and_negated_questions_get_no_plain_answer(question):
    answer = ask(PAPER, question)
    assert answer.abstained or (answer.value is not None and answer.value.text == "No")


def test_b5_a_company_that_is_named_answers_whatever_else_is_given(acme):
    other = report("Bellweather Industries", "bellweather.html", times=3)
    answer = ask([acme, other], "What was Acme's net income in 2023?")
    assert {citation.document_id for citation in answer.citations} == {acme.id}
    assert "180" in quotes(answer)


def test_b6_no_formula_date_or_address_set_in_bold_is_shown_as_the_section_of_a_sentence():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    lines = [
        ("Fleet", "Helvetica-Bold", 16),
        ("We run nine ships on the inland lakes of the north in every month.", "Times-Roman", 10),
    ]
    lines += [("E = mc2 + 4.5 (x - y)", "Times-Bold", 10), ("March 4, 2023", "Times-Bold", 10)]
    lines += [("The oldest of them was launched in 1931 at the yard of Lindholm in Aldersund.", "Times-Roman", 10)]
    y = 780
    for result, font, size in lines:
        canvas.setFont(font, size)
        canvas.drawString(72, y, result)
        y -= 30
    canvas.save()
    document = read(buffer.getvalue(), name="fleet.pdf")
    headings = [document.text[block.start : block.end] for block in document.blocks if block.kind == "heading"]
    assert headings == ["Fleet"]


def test_b7_statements_in_other_words_find_their_evidence():
    document = Document.from_text(
        "The museum purchased the painting from a Dutch merchant.\n\nA regional train stops here.\n\n"
        "Repairing the roof cost 735 thousand dollars.\n\nAn old map hangs in the store.\n\n"
        "Sixteen guards watch the galleries at night.\n\nThe restaurant serves only regional dishes.\n\n"
        "Thieves stole a necklace in daylight.\n\nThe watchmen went home."
    )
    settings = {
        "They bought a picture.": "The museum purchased",
        "They paid $735,000 for the repair.": "Repairing the roof",
        "At night 16 watchmen are there.": "Sixteen guards",
        "A theft of jewelry in broad daylight.": "Thieves stole",
    }
    cited = {claim: quotes(attribute(document, claim)) for claim in settings}
    assert all(cited[claim] and cited[claim][0].startswith(setting) for claim, setting in settings.items())
