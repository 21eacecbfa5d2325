"""Questions about figures: the right cell of a statement, with its headers, or an abstention that says what there is."""

import json
from dataclasses import replace

import pytest
from tests.statements import LAYOUTS, make

from citewell import Answer, ask, read
from citewell.audit.verify import verify
from citewell.export import terminal
from citewell.generators.extractive.cells.asking import figure_question
from citewell.generators.extractive.cells.coverage import cell_period


@pytest.fixture(scope="module")
def statement():
    return read(make(LAYOUTS["ended"])[0], name="statement.pdf")


@pytest.mark.parametrize(
    ("question", "printed", "scale"),
    [
        ("What was net income in 2022?", "844.4", 1_000_000),
        ("What was the net profit in FY2021?", "833.7", 1_000_000),
        ("How high were COGS in 2023?", "(2,801.4)", 1_000_000),
        ("What was operating profit in 2022?", "1,085.3", 1_000_000),
        ("What was EPS in 2021?", "1.64", 1),
        ("What were basic earnings per share in 2023?", "2.11", 1),
        ("What was total revenue in 2021?", "4,525.0", 1_000_000),
        ("What was revenue from services in 2022?", "1,101.3", 1_000_000),
        ("What were SG&A expenses in 2021?", "(1,050.7)", 1_000_000),
    ],
)
def test_the_right_cell_answers(statement, question, printed, scale):
    answer = ask(statement, question)
    assert answer.value is not None
    assert answer.value.text.replace("$ ", "") == printed
    assert answer.value.scale == scale
    cited = answer.citations[answer.value.citations[0]]
    assert (cited.granularity, cited.page) == ("cell", 1)
    assert cited.quote == statement.text[cited.start : cited.end] == answer.value.text
    assert answer.text[cited.answer_start : cited.answer_end] == cited.quote
    assert [part.label for part in answer.statements] == ["quoted"]


def test_a_cell_says_what_it_is(statement):
    answer = ask(statement, "What was net income in 2022?")
    cell = answer.citations[answer.value.citations[0]].cell
    assert cell.row_path == ("Net income",)
    assert cell.column_path == ("Year ended December 31,", "2022")
    assert (cell.value, cell.unit, cell.scale) == (844.4, "USD", 1_000_000)
    assert [statement.text[start:end] for start, end in cell.headers] == [
        "Net income",
        "Year ended December 31,",
        "2022",
        "(in millions",
    ]
    # The figure, its label, both headers and the scale lie on the page, each in its own place.
    assert len({rect.y0 for rect in answer.citations[answer.value.citations[0]].rects}) == 4


def test_the_terminal_shows_the_figure_first(statement):
    answer = ask(statement, "What was net income in 2022?")
    lines = terminal.render(answer, [statement], width=200).splitlines()
    assert lines[2] == (
        "Net income, Year ended December 31, 2022: $ 844.4 (in millions) · CONSOLIDATED STATEMENTS OF INCOME · page 1"
    )


def test_an_answer_with_a_cell_survives_its_json(statement):
    answer = ask(statement, "What was net income in 2022?")
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


def test_a_year_that_the_table_does_not_have_is_not_answered(statement):
    answer = ask(statement, "What was net income in 2012?")
    assert answer.abstained
    assert answer.value is None
    assert answer.abstention.nearest[0].lacks == "gives 2023, 2022, 2021, not 2012"


def test_an_item_that_the_table_does_not_have_is_not_answered(statement):
    assert ask(statement, "What was the goodwill in 2022?").abstained
    assert ask(statement, "What were total assets in 2022?").abstained


def test_a_question_is_taken_apart():
    question = figure_question("What was Acme's capex in the third quarter of FY21? Answer in millions.")
    assert question.years == (2021,)
    assert (question.part, question.period.months, question.period.number) == (True, 3, 3)
    assert question.sayings == ("capit expenditur",)
    assert set(question.kinds) == {"cash"}


@pytest.mark.parametrize(
    ("question", "formula", "printed", "kind"),
    [
        # 2,554.3 / 5,355.7 and so on, by hand from the statement's rows.
        ("What was the gross margin in 2023?", "gross margin = 2,554.3 / 5,355.7", "47.7%", "percent"),
        ("What was the operating margin in FY2022?", "operating margin = 1,085.3 / 4,991.3", "21.7%", "percent"),
        ("When you look at the statement, what is the FY2022 operating margin?", None, "21.7%", "percent"),
        ("What was net income as a percentage of revenue in 2021?", None, "18.4%", "percent"),
        ("How much did total revenue change from 2021 to 2022?", "change = 4,991.3 − 4,525.0", "466.3", "money"),
        ("What was the growth in operating income in 2023?", "growth = 1,344.3 / 1,085.3 − 1", "23.9%", "percent"),
        ("What was the average net income for 2022 and 2023?", "average = (1,042.7 + 844.4) / 2", "943.55", "money"),
    ],
)
def test_a_figure_is_computed_from_cited_cells(statement, question, formula, printed, kind):
    answer = ask(statement, question)
    assert answer.value is not None
    assert (answer.value.text, answer.value.kind) == (printed, kind)
    assert formula in (None, answer.value.formula)
    operands = [answer.citations[number] for number in answer.value.citations]
    assert len(operands) == 2
    for cited in operands:
        assert cited.granularity == "cell"
        assert cited.quote == statement.text[cited.start : cited.end]
        assert (cited.answer_start, cited.answer_end) == (0, answer.text.index("\n"))
    assert [part.label for part in answer.statements][:2] == ["supported", "quoted"]
    assert answer.statements[0].citations == answer.value.citations  # the sentence stands on its operands
    assert {part.label for part in answer.statements[1:]} == {"quoted"}


def test_a_ratio_without_all_its_figures_is_not_computed(statement):
    answer = ask(statement, "What was the return on assets in 2023?")
    assert answer.abstained
    assert answer.abstention.message == "return on assets cannot be computed: total assets of 2023 was not found"


@pytest.mark.parametrize(
    "question", ["What was net income in 2022?", "What was the gross margin in 2023?", "What was net income in 2012?"]
)
def test_a_saved_answer_with_cells_verifies(statement, question):
    saved = Answer.from_dict(json.loads(json.dumps(ask(statement, question).to_dict())))
    assert verify(saved, [statement]).ok
    wrong = replace(saved, citations=tuple(replace(cited, rects=cited.rects[:1]) for cited in saved.citations))
    assert saved.abstained or not verify(wrong, [statement]).ok


def test_a_figure_that_its_total_denies_comes_after_one_that_nothing_denies():
    printed = """
| (in millions) | 2022 | 2021 | 2020 |
|---|---|---|---|
| Harbour dues | 120 | 100 | 90 |
| Pilots | 45 | 50 | 41 |
| Total dues | 165 | {} | 131 |

The dues of the port, as reported.
"""
    boats = "".join(
        f"\n| Boats | 2022 | 2021 |\n|---|---|---|\n| Nets {n} | 5{n} | 6{n} |\n\nNets.\n" for n in range(6)
    )
    document = read((printed.format("151") + printed.format("150") + boats).encode(), name="port.md")
    answer = ask(document, "What were total dues in 2021?")
    assert answer.value.text == "150"


def test_a_row_that_ended_on_a_day_tells_the_length_of_its_cells():
    text = "# Oriel\n\n## Results\n\n| in millions | 2023 |\n|---|---|\n| Three months ended March 31 | 12 |\n| Year | 50 |\n"
    (table,) = read(text.encode(), name="oriel.md").tables()
    period = cell_period(table, next(cell for cell in table.values() if cell.text == "12"))
    assert (period.months, period.ending.month, period.years) == (3, 3, (2023,))


@pytest.mark.parametrize(("quarter", "value"), [("second", "150"), ("third", None)])
def test_a_balance_answers_for_the_quarter_that_its_day_ends(quarter, value):
    rows = "| Cash | 12 | 11 |\n| Total assets | 150 | 145 |\n| Total liabilities | 50 | 45 |\n| Total equity | 100 | 100 |\n"
    head = "| in millions | June 30, 2023 | December 31, 2022 |\n|---|---|---|\n"
    report = read(f"# Oriel\n\n## Consolidated balance sheets\n\n{head}{rows}".encode(), name="oriel.md")
    answer = ask(report, f"What were total assets at the end of the {quarter} quarter of 2023?")
    assert (answer.value and answer.value.text) == value
    if value is None:
        assert answer.abstention.nearest[0].lacks == "gives the end of quarter 2"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was revenue in the first six months of 2023?", "360"),
        ("What was revenue in the second quarter of 2023?", "182"),
    ],
)
def test_a_title_of_quarters_makes_no_quarter_of_half_a_year(question, value):
    table = (
        "# Oriel\n\n## Quarterly results\n\n"
        "| | Six months ended June 30, 2023 | Three months ended June 30, 2023 |\n|---|---|---|\n| Revenue | 360 | 182 |\n"
    )
    assert ask(read(table.encode(), name="oriel.md"), question).value.text == value


def test_a_word_of_the_title_tells_no_column_from_those_that_have_it_too():
    table = (
        "# Oriel\n\n## Sales of boats and nets in 2023\n\n(in millions)\n\n"
        "| | Boats | Nets |\n|---|---|---|\n| North | 182 | 187 |\n| South | 190 | 95 |\n"
    )
    document = read(table.encode(), name="oriel.md")
    boats, nets = (ask(document, f"What were the sales of {item} in the South in 2023?") for item in ("boats", "nets"))
    assert (boats.value.text, nets.value.text) == ("190", "95")
    assert boats.confidence == nets.confidence
