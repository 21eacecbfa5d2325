"""Figures that are computed from cells: over which years, from which statements, and when none can be made."""

import pytest

from citewell import ask, read
from citewell.generators.extractive.cells import formulas

STATEMENT = """<h1>Brel Mills</h1><h2>Consolidated statements of income</h2><p>(in millions of dollars)</p><table>
<tr><th></th><th>2020</th><th>2021</th><th>2022</th><th>2023</th></tr>
<tr><td>Revenue</td><td>$ 100</td><td>$ 200</td><td>$ 300</td><td>$ 500</td></tr>
<tr><td>Net income</td><td>10</td><td>20</td><td>30</td><td>90</td></tr></table>"""


@pytest.fixture(scope="module")
def statement():
    return read(STATEMENT.encode(), name="brel.html")


@pytest.mark.parametrize(
    ("question", "number", "years"),
    [
        ("What was the 2021 - 2023 3 year average of net income as a % of revenue?", (0.1 + 0.1 + 0.18) / 3, 3),
        ("What was the 2020 - 2022 3 year average of net income as a % of revenue?", 0.1, 3),
    ],
)
def test_an_average_is_over_every_year_of_a_range(statement, question, number, years):
    computed = formulas.compute(question, [statement])
    assert computed.number == pytest.approx(number)
    assert len(computed.parts) == years


@pytest.mark.parametrize(
    ("question", "reply"), [("Did revenue rise in 2023?", "Yes"), ("Did revenue fall in 2023?", "No")]
)
def test_whether_a_figure_moved_as_the_question_says(statement, question, reply):
    assert formulas.compute(question, [statement]).reply == reply


def test_figures_in_different_units_make_no_ratio():
    mixed = read(STATEMENT.replace("$ 300", "€ 300").encode(), name="mixed.html")
    for question in ("What was net income as a percentage of revenue in 2022?", "What was net profit margin in 2022?"):
        assert formulas.compute(question, [mixed]).lacks == "its figures are in different units"
    message = ask(mixed, "What was net profit margin in 2022?").abstention.message
    assert message == "net margin cannot be computed: its figures are in different units"


@pytest.mark.parametrize(
    ("when", "years", "expected"),
    [
        ("now", (2022, 2023), (2023,)),
        ("before", (2021, 2023), (2021,)),
        ("before", (2023,), (2022,)),
        ("before", (), (None,)),
        ("average", (2023,), (2023, 2022)),
    ],
)
def test_the_years_of_an_operand(when, years, expected):
    assert formulas._when(when, years) == expected


def test_what_current_assets_exceed_current_liabilities_by_is_the_working_capital():
    assert "net working capital" in formulas.ratios(
        "By how much did Oriel's current assets exceed its current liabilities in 2023?"
    )
    assert "net working capital" not in formulas.ratios(
        "What were Oriel's current assets and current liabilities in 2023?"
    )


PARTS = """# Oriel

## Results

| (in millions) | 2023 | 2022 |
|---|---|---|
| Revenue | 740 | 700 |
| Change in revenue | | |
| Products | 30 | 12 |
| Gross margin | | |
| Products | 31 % | 30 % |
| Services | 41 % | 42 % |
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the gross margin of services in 2023?", "41 %"),
        ("What was the gross margin of products in 2022?", "30 %"),
        ("What was the change in revenue from 2022 to 2023?", "40"),  # no part of it
    ],
)
def test_a_ratio_that_a_section_names_is_read_and_a_change_computed(question, value):
    assert ask(read(PARTS.encode(), name="oriel.md"), question).value.text == value


SMALL = """# Oriel

## Results

| (in millions) | 2023 | 2022 |
|---|---|---|
| Revenue | 740 | 700 |
| Cost of sales | 600 | 580 |
| Net income | 0 | 30 |
| Total assets | 900 | 880 |
"""


@pytest.mark.parametrize(
    ("question", "value", "message"),
    [
        ("What was the gross margin in 2022?", "17.1%", ""),
        ("What percentage of revenue was cost of sales in 2023?", "81.1%", ""),
        ("What was the growth of net income in 2023?", "-100.0%", ""),
        ("What was return on assets in 2023?", "0.00", ""),
        (
            "What was the ratio of revenue to net income in 2023?",
            "",
            "revenue / net income cannot be computed: its divisor is nil",
        ),
        ("Did pensions rise in 2023?", "", "pensions cannot be computed: pensions of 2023 was not found"),
    ],
)
def test_a_ratio_is_of_the_year_that_is_asked_for_and_never_of_nothing(question, value, message):
    answer = ask(read(SMALL.encode(), name="oriel.md"), question)
    assert (answer.value.text if answer.value else "") == value
    assert (answer.abstention.message if answer.abstention else "") == message
