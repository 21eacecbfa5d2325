"""Which row or column has most of something: all cells of the column are compared, the winner is cited, or nothing."""

import pytest
from tests.filings import report, table

from citewell import ask

HEADS = ("Passengers 2023 (thousand)", "Passengers 2022 (thousand)", "Opened", "Late trains 2023 (%)")
LINES = [
    ("Moor line", (912, 955, 1871, 7.4)),
    ("Coast line", (1304, 1288, 1904, 9.1)),
    ("Quarry line", (88, 91, 1863, 2.5)),
    ("All lines", (2304, 2334, None, 8.1)),
]
EXTRA = table(
    "Lines of our railway", HEADS, [(name, tuple("" if v is None else v for v in row)) for name, row in LINES]
)


@pytest.fixture(scope="module")
def railway():
    return report(extra=EXTRA)


@pytest.mark.parametrize(
    ("question", "name", "figure", "formula"),
    [
        ("Which line carried the most passengers?", "Coast line", "1,304", "greatest of 912, 1,304, 88"),
        ("Which line carried the fewest passengers in 2022?", "Quarry line", "91", "least of 955, 1,288, 91"),
        ("Which line is the oldest?", "Quarry line", "1,863", "least of 1,871, 1,904, 1,863"),
        ("Which line had the lowest percentage of late trains?", "Quarry line", "2.50", "least of 7.40, 9.10, 2.50"),
        ("What is the largest line by passengers in 2023?", "Coast line", "1,304", "greatest of 912, 1,304, 88"),
        ("In which quarter of 2023 were net sales highest?", "Q4 2023", "270", "greatest of 230, 240, 260, 270"),
        ("In which year was operating income highest?", "2023", "250", "greatest of 250, 200, 170"),
    ],
)
def test_the_row_or_column_with_most_or_least_answers_with_its_cell(railway, question, name, figure, formula):
    answer = ask(railway, question)
    assert answer.value is not None, answer.abstention
    assert (answer.value.text, answer.value.kind) == (name, "name")
    assert answer.value.formula.endswith(formula)
    cited = answer.citations[answer.value.citations[0]]
    assert (cited.granularity, cited.quote) == ("cell", figure)
    assert cited.quote == railway.text[cited.start : cited.end]


@pytest.mark.parametrize(
    "question",
    [
        "Which line carried the most freight?",  # no column says it
        "Which line carried the most passengers in 2019?",  # nor that year
        "Which station had the most passengers?",  # the rows are no stations
        "Which line is the largest?",  # of what is not asked
    ],
)
def test_what_no_column_tells_of_all_rows_is_withheld(railway, question):
    assert ask(railway, question).abstained


def test_equal_figures_have_no_greatest():
    rows = [("Moor line", (912, 7)), ("Coast line", (912, 9))]
    extra = table("Lines of our railway", ("Passengers 2023 (thousand)", "Stations"), rows)
    assert ask(report(extra=extra), "Which line carried the most passengers in 2023?").abstained
