"""Several documents at once: a name selects, a year chooses, several answers are told apart, equal files are known."""

from dataclasses import replace
from functools import cache

import pytest

import citewell
from citewell.document import Document
from citewell.export import terminal
from citewell.generators.extractive.companies import named
from citewell.generators.extractive.stacked import stack
from citewell.readers import read
from citewell.types import Citation, Draft, Span
from statements import LAYOUTS, make


@cache
def report(company, times, layout="plain"):
    return read(make(LAYOUTS[layout], company, times)[0], name=f"{company.split()[0].lower()}_report.pdf")


@cache
def page(company, figure):
    rows = f"<tr><th>Item</th><th>2023</th><th>2022</th></tr><tr><td>Net income</td><td>{figure}</td><td>7.5</td></tr>"
    head = f"<html><head><title>{company}: Annual report 2023</title></head>"
    body = f"<body><h1>{company}</h1><p>Income in millions.</p><table>{rows}</table></body></html>"
    return read((head + body).encode(), name="report.html")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("company", "figure"),
    [("Kestrel Freight, Inc.", 1042.7), ("Lumen Dairies plc", 2085.4), ("Ostrava Steel", 31.4)],
)
def test_the_company_that_is_named_answers_whatever_else_is_given(company, figure, order):
    arguments = [
        report("Kestrel Freight, Inc.", 1.0),
        report("Lumen Dairies plc", 2.0, "ended"),
        page("Ostrava Steel", "31.4"),
    ][::order]
    spoken = company.removesuffix(", Inc.").removesuffix(" plc")
    answer = citewell.ask(arguments, f"What was {spoken}'s net income in 2023?")
    assert answer.value is not None
    assert answer.value.number == figure
    assert {citation.document_id for citation in answer.citations} == {
        next(item.id for item in arguments if company.split()[0] in item.title)
    }
    assert company.split()[0] in terminal.render(answer, arguments, width=200)


def test_without_a_name_each_document_answers_for_itself_and_the_warning_says_so():
    arguments = [report("Kestrel Freight, Inc.", 1.0), report("Lumen Dairies plc", 2.0, "ended")]
    answer = citewell.ask(arguments, "What was net income in 2023?")
    assert [statement.label for statement in answer.statements] == ["quoted", "quoted"]
    assert {citation.document_id for citation in answer.citations} == {item.id for item in arguments}
    assert {citation.cell.value for citation in answer.citations if citation.cell} == {1042.7, 2085.4}
    warning = next(warning for warning in answer.warnings if "2 documents answer" in warning)
    assert "Kestrel Freight, Inc." in warning
    assert "Lumen Dairies plc" in warning
    for citation in answer.citations:
        document = next(item for item in arguments if item.id == citation.document_id)
        assert document.text[citation.start : citation.end] == citation.quote
        assert citation.quote in answer.text


def test_a_document_that_cannot_answer_stays_silent():
    other = Document.from_text("The harbour was dredged to nine metres by the Lumen crew.", "Lumen Dairies plc")
    answer = citewell.ask([other, report("Kestrel Freight, Inc.", 1.0)], "What was net income in 2023?")
    assert answer.value is not None
    assert answer.value.number == 1042.7
    assert not any("documents answer" in warning for warning in answer.warnings)


def test_the_same_file_given_twice_is_read_once():
    once = report("Kestrel Freight, Inc.", 1.0)
    again = read(make(LAYOUTS["plain"], "Kestrel Freight, Inc.", 1.0)[0], name="copy.pdf")
    answer = citewell.ask([once, again], "What was net income in 2023?")
    assert answer.value is not None
    assert answer.value.number == 1042.7
    assert [info.id for info in answer.documents] == [once.id]
    assert any("passed twice as copy.pdf" in warning for warning in answer.warnings)


SHELF = [
    Document.from_text("Text a.", "Tern Airways, Inc. — Annual report (10-K) 2021", source="TERN_2021_10K.pdf"),
    Document.from_text("Text b.", "Tern Airways, Inc. — Annual report (10-K) 2022", source="TERN_2022_10K.pdf"),
    Document.from_text("Text c.", "Tern Airways, Inc. — Current report (8-K) May 2, 2022", source="TERN_8K.pdf"),
    Document.from_text("Text d.", "Common Ground, Inc. — Annual report (10-K) 2022", source="commonground.pdf"),
    Document.from_text("Common | CGD | New York Stock Exchange\n\nText e.", "Circle, Inc. — Annual report (10-K) 2022"),
    Document.from_text("Text f.", "Grebe: a corpus of questions about birds", source="paper.pdf"),
    Document.from_text("Text g.", "Northern Electric Motors plc", source="x.pdf"),
]


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("What was Tern's revenue in 2021?", "a"),
        ("What was Tern Airways' revenue in 2020?", "a"),
        ("What did Tern report in its 8-K?", "c"),
        ("What was revenue at Common Ground?", "d"),
        ("What is a common ground for revenue?", "d"),
        ("What was Circle's revenue?", "e"),
        ("How large is the circle of customers?", "bcdefga"),
        ("What was CGD's revenue?", "e"),
        ("How many questions does Grebe have?", "f"),
        ("What does NEM earn?", "g"),
        ("Compare Circle's revenue with that of Northern Electric Motors.", "eg"),
        ("What was revenue?", "abcdefg"),
    ],
)
def test_names_initials_symbols_files_years_and_forms_select(question, letters):
    assert {item.text[-2] for item in named(question, SHELF)} == set(letters)


def test_one_of_several_named_alike_is_not_meant_by_the_word_that_they_share():
    ford = [Document.from_text("Text a.", "Tarn Motor Company"), Document.from_text("Text b.", "Tarn Credit Company")]
    assert [item.text for item in named("What does Tarn Credit owe?", ford)] == ["Text b."]
    assert len(named("What does Tarn owe?", ford)) == 2


@cache
def yearly(year, *rows):
    cells = "".join(f"<tr><td>Net income</td>{''.join(f'<td>{figure}</td>' for figure in row)}</tr>" for row in rows)
    head = f"<html><head><title>Ostrava Steel: Annual report {year}</title></head>"
    years = f"<tr><th>Item</th><th>{year}</th><th>{year - 1}</th></tr>"
    body = f"<body><h1>Ostrava Steel</h1><p>Income in millions.</p><table>{years}{cells}</table></body></html>"
    return read((head + body).encode(), name=f"ostrava-{year}.html")


def test_a_figure_that_a_later_report_restates_is_shown_with_the_later_one():
    arguments = [yearly(2023, ("31.4", "29.9")), yearly(2024, ("35.0", "30.2"))]
    answer = citewell.ask(arguments, "What was Ostrava Steel's net income in 2023?")
    assert answer.value is not None
    assert answer.value.number == 31.4
    assert {citation.cell.value for citation in answer.citations if citation.cell} == {31.4, 30.2}
    (warning,) = (warning for warning in answer.warnings if "differ" in warning)
    assert "Annual report 2023" in warning
    assert "30.2" in warning


@pytest.mark.parametrize("later", ["31.4", "31.40", "31"])
def test_the_same_figure_told_again_is_no_difference(later):
    answer = citewell.ask(
        [yearly(2023, ("31.4", "29.9")), yearly(2024, ("35.0", later))], "What was Ostrava Steel's net income in 2023?"
    )
    assert [warning for warning in answer.warnings if "differ" in warning] == []
    assert len(answer.statements) == 1


def test_a_row_that_gives_two_years_is_quoted_once_with_the_cells_of_both():
    table = "# Oriel\n\n| € thousand | 2025 | 2024 |\n|---|---|---|\n| Revenue | 41,260 | 38,420 |\n"
    report = read(table.encode(), name="oriel.md")
    answer = citewell.ask(report, "What was revenue in 2024 and 2025?")
    assert answer.text.count("41,260") == 1
    assert answer.value.text == "2024: €38,420 thousand; 2025: €41,260 thousand"
    assert [answer.citations[number].quote for number in answer.value.citations] == ["38,420", "41,260"]
    (statement,) = answer.statements
    assert {answer.citations[number].granularity for number in statement.citations} == {"sentence", "cell"}


def test_drafts_as_one_cite_nothing_twice_and_the_first_keeps_its_places():
    def source(start, end):
        return Citation("d", "s", "sentence", "x", start, end, 0, 3, method="m")

    first = Draft("row", "q", (Span(0, 3),), sources=(source(0, 9), source(0, 9), source(4, 5)))
    second = Draft("row", "q", (Span(0, 3),), sources=(source(0, 9), source(7, 8)))
    whole, places = stack([first, second, replace(second, text="row 2")])
    assert whole.text == "row\nrow 2"
    assert places[0] == (0, 1, 2)
    assert [(s.start, s.answer_start) for s in whole.sources] == [(0, 0), (0, 0), (4, 0), (7, 0), (0, 4), (7, 4)]
    assert [[whole.sources[n].start for n in numbers] for numbers in places] == [[0, 0, 4], [0, 7], [0, 7]]
