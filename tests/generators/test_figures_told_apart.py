"""Figures, dates and names of one sentence or row told apart by their own words, on a made-up report of a zoo."""

import subprocess
import sys

import pytest

from citewell import Document, ask, read

ZOO = Document.from_text(
    "Thorpe Wood Zoo kept 1,830 animals at the end of the year, among them 212 birds and 48 reptiles.\n\n"
    "The zoo made a loss of £2.7 million, after a profit of £0.4 million, as hay cost £6 million more than expected.\n\n"
    "Visits to the aquarium in winter climbed to 88,000 because the heating was mended.\n\n"
    "Our head keeper, Mabel Osei, leaves in March; Anton Rusk will succeed her.",
    title="Thorpe Wood Zoo",
)
TABLES = read(
    b"<html><head><title>Thorpe Wood Zoo</title></head><body>"
    b"<h2>Houses</h2><table><tr><th>House</th><th>Animals</th><th>Opened</th></tr>"
    b"<tr><td>Reptile House</td><td>48</td><td>1927</td></tr><tr><td>Aviary</td><td>212</td><td>1954</td></tr></table>"
    b"<h2>Accounts</h2><table><tr><th></th><th>Year to 30 April 2020</th><th>Year to 30 April 2019</th></tr>"
    b"<tr><td>Hay and straw</td><td>913</td><td>871</td></tr><tr><td>Wages</td><td>4,120</td><td>3,990</td></tr></table>"
    b"<h2>Visits</h2><table><tr><th></th><th>2019/20</th><th>2018/19</th></tr>"
    b"<tr><td>Visitors</td><td>301,400</td><td>322,700</td></tr><tr><td>Members</td><td>8,210</td><td>8,055</td></tr></table>"
    b"</body></html>",
    name="zoo.html",
)


@pytest.mark.parametrize(("question", "count"), [("birds", "212"), ("reptiles", "48"), ("animals", "1,830")])
def test_a_number_counts_the_noun_behind_it_where_nothing_else_tells_them_apart(question, count):
    answer = ask(ZOO, f"How many {question} were kept at the end of the year?")
    assert answer.value.text == count


def test_a_sum_is_that_of_the_noun_that_is_asked_for():
    answer = ask(ZOO, "What was the loss of the zoo?")
    assert answer.value.number == pytest.approx(2.7)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What were wages in 2019/20?", "4,120"),
        ("What were wages in 2018-19?", "3,990"),
        ("What was spent on hay and straw in 2019/2020?", "913"),
        ("How many visitors were there in 2018/19?", "322,700"),
        ("How many members were there in the year to 30 April 2020?", "8,210"),
    ],
)
def test_a_year_over_two_calendar_years_is_that_in_which_it_ends(question, value):
    assert ask(TABLES, question).value.text == value


def test_a_span_of_several_years_is_no_year():
    cells = [cell for table in TABLES.tables() for cell in table.values()]
    assert {cell.year for cell in cells if cell.column_path == ("2019/20",)} == {2020}
    spans = read(
        b"<table><tr><th></th><th>2021-2023</th><th>2024-2026</th></tr><tr><td>Rent due</td><td>7</td><td>9</td></tr></table>",
        name="rent.html",
    )
    assert [cell.year for table in spans.tables() for cell in table.values()] == [2021, 2024]


def test_an_opposite_verb_denies_a_premise():
    answer = ask(ZOO, "Why did visits to the aquarium in winter fall?")
    assert answer.value is None
    assert any("climbed" in warning for warning in answer.warnings)


def test_the_premise_holds_where_the_verb_is_the_same():
    assert "heating" in ask(ZOO, "Why did visits to the aquarium in winter climb?").value.text


def test_an_office_is_no_answer_to_who():
    answer = ask(ZOO, "Who will succeed Mabel Osei?")
    assert answer.value is None or "Rusk" in answer.value.text
    assert "Anton Rusk" in answer.text


@pytest.mark.slow  # a process of its own
def test_a_figure_of_a_table_is_given_without_reading_wordnet_or_other_packages():
    code = (
        "import sys, citewell\n"
        "page = b'<table><tr><th></th><th>2020</th></tr><tr><td>Wages</td><td>4,120</td></tr></table>'\n"
        "answer = citewell.ask(citewell.read(page, name='zoo.html'), 'What were wages in 2020?')\n"
        "assert answer.value.text == '4,120', answer\n"
        "late = {'citewell.facts.wordnet', 'citewell.facts.align', 'citewell.checkers.aligned', 'importlib.metadata'}\n"
        "print(sorted(late & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
