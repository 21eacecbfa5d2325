"""Plans over several documents and years: which cells, and what is made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.generators.extractive.plans import plan
from citewell.generators.extractive.subquestions import answer_each, subquestions
from citewell.types import Abstention, Draft, Span, Value


def report(name, figures):
    rows = "\n".join(f"| {label} | {now} | {before} |" for label, now, before in figures)
    text = f"# {name} annual report 2020\n\n## Results\n\n| in millions of dollars | 2020 | 2019 |\n|---|---|---|\n{rows}\n"
    return citewell.read(text.encode(), name=f"{name.lower()}-2020.md")


@pytest.fixture(scope="module")
def oriel():
    return report(
        "Oriel Lines", [("Total revenue", "120", "100"), ("Net income", "12", "9"), ("Fuel costs", "30", "25")]
    )


@pytest.fixture(scope="module")
def tarrow():
    return report("Tarrow Freight", [("Total revenue", "90", "95"), ("Net income", "15", "14")])


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which company had higher revenue in 2020?", "Oriel Lines"),
        ("Which company had the lowest net income in 2020?", "Oriel Lines"),
        ("Which of the two had higher net income in 2020?", "Tarrow Freight"),
    ],
)
def test_the_company_with_most_or_least(oriel, tarrow, question, value):
    answer = citewell.ask([oriel, tarrow], question)
    assert answer.value.text.startswith(value)
    assert {each.document_id for each in answer.citations} == {oriel.id, tarrow.id}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What was the combined revenue of Oriel Lines and Tarrow Freight in 2020?", 210),
        ("What is the difference between the net income of Oriel Lines and Tarrow Freight in 2020?", 3),
    ],
)
def test_figures_are_added_and_held_apart(oriel, tarrow, question, number):
    answer = citewell.ask([oriel, tarrow], question)
    assert answer.value.number == number
    assert "Oriel" in answer.value.formula
    assert "Tarrow" in answer.value.formula


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which company had higher revenue in 2020?",
         "Oriel Lines: $120 million in 2020, more than Tarrow Freight with $90 million."),
        ("Was net income higher at Oriel Lines than at Tarrow Freight in 2020?",
         "No. Tarrow Freight: $15 million in 2020, more than Oriel Lines with $12 million."),
        ("Was the net income of Oriel Lines lower than that of Tarrow Freight in 2020?",
         "Yes. Oriel Lines: $12 million in 2020, less than Tarrow Freight with $15 million."),
        ("What was the total revenue of Oriel Lines and Tarrow Freight in 2020?",
         "$210 million together: $120 million (Oriel Lines) and $90 million (Tarrow Freight)."),
        ("How much more net income did Tarrow Freight have than Oriel Lines in 2020?",
         "$3 million: $15 million (Tarrow Freight) against $12 million (Oriel Lines)."),
    ],
)  # fmt: skip
def test_a_sentence_says_what_the_figures_make_and_cites_each(oriel, tarrow, question, text):
    answer = citewell.ask([oriel, tarrow], question)
    first = answer.statements[0]
    assert first.text == text
    assert first.label == "supported"
    cited = [each for each in answer.citations if (each.answer_start, each.answer_end) == (first.start, first.end)]
    ahead = "Tarrow" in text.partition(" than ")[0] and " than " in text  # what is ahead is cited first
    assert [each.document_id for each in cited] == ([tarrow.id, oriel.id] if ahead else [oriel.id, tarrow.id])


def test_each_company_in_a_list(oriel, tarrow):
    answer = citewell.ask([oriel, tarrow], "What was the net income of Oriel Lines and of Tarrow Freight in 2020?")
    assert "12" in answer.value.text
    assert "15" in answer.value.text
    for each in answer.citations:
        document = oriel if each.document_id == oriel.id else tarrow
        assert document.text[each.start : each.end] == each.quote


def test_each_year_in_a_list(oriel):
    answer = citewell.ask(oriel, "What was net income in 2019 and in 2020?")
    assert answer.value.text == "2019: $9 million; 2020: $12 million"


def test_a_change_between_two_years(oriel):
    answer = citewell.ask(oriel, "How did revenue change from 2019 to 2020?")
    assert answer.value.text == "+20.0%"
    assert {"100", "120"} <= {each.quote for each in answer.citations}


def test_nothing_is_compared_where_one_document_has_no_figure(oriel, tarrow):
    answer = citewell.ask([oriel, tarrow], "Which company had higher fuel costs in 2020?")
    assert answer.abstained
    assert "Tarrow" in answer.abstention.message


def test_a_question_that_is_two_is_answered_in_parts(oriel):
    answer = citewell.ask(oriel, "What were revenue and net income in 2020?")
    assert {"120", "12"} <= {each.quote for each in answer.citations}


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("Who signed it and when was the pier built?", ["Who signed it?", "When was the pier built?"]),
        ("What were fares and fuel costs in 2020?", ["What were fares in 2020?", "What were fuel costs in 2020?"]),
        ("Who is the chair and what does she earn?", ["Who is the chair?", "What does she earn?"]),
        ("When and where did the board meet?", ["When did the board meet?", "Where did the board meet?"]),
        ("Who wrote this and when?", ["Who wrote this?", "When was this written?"]),
        ("When was it opened, and by whom?", ["When was it opened?", "By whom was it opened?"]),
        ("What is the difference between the first pier and the second pier?", []),
        ("What was revenue?", []),
    ],
)
def test_the_parts_of_a_question(question, whole):
    assert subquestions(question) == whole


PIER = """# The pier of Hallow

By Ada Brennock

4 May 2021

The old pier burnt down in 1987. Tomas Wray designed the new pier, which opened in 1992. Wray had learnt his trade in
Oslo, where he drew bridges. The pier carries four cranes and a weather station. The council sold the cranes in 2019.
"""


def test_the_author_and_the_date_are_told_together():
    answer = citewell.ask(citewell.read(PIER.encode(), name="pier.md"), "Who wrote this and when?")
    assert [each.text for each in answer.statements] == ["By Ada Brennock", "4 May 2021"]
    assert [each.quote for each in answer.citations] == ["By Ada Brennock", "4 May 2021"]


def test_a_pronoun_of_a_later_part_means_the_answer_of_the_first():
    answer = citewell.ask(
        citewell.read(PIER.encode(), name="pier.md"), "Who designed the new pier and where had he learnt his trade?"
    )
    assert "Tomas Wray designed the new pier" in answer.text
    assert "Oslo" in answer.text


def test_a_part_whose_pronoun_nothing_explains_is_not_asked():
    answer = citewell.ask(
        citewell.read(PIER.encode(), name="pier.md"), "Who painted the lighthouse and when did she sell the cranes?"
    )
    assert answer.abstained


def test_when_it_was_written_is_asked_though_no_author_is_named():
    document = citewell.read(b"# The pier\n\n4 May 2021\n\nThe pier burnt down. It was built again.", name="pier.md")
    answer = citewell.ask(document, "Who is the author and when did they write it?")
    assert [each.text for each in answer.statements] == ["4 May 2021"]
    assert answer.warnings == ("not answered: Who is the author?",)


@pytest.mark.parametrize(
    ("question", "kind", "parts"),
    [
        (
            "Who led the band and when did her son leave?",
            "name",
            ["Who led the band?", "When did Ada Holt's son leave?"],
        ),
        ("Who led the band and when did her son leave?", "number", ["Who led the band?"]),
        (
            "Who led it through the war and when did it end?",
            "name",
            ["Who led it through the war?", "When did it end?"],
        ),
    ],
)
def test_only_a_name_stands_for_a_pronoun_that_the_first_part_has_not(question, kind, parts):
    questions = []

    def answer(part, documents):
        questions.append(part)
        return Draft("Ada Holt", part, (Span(0, 8),), value=Value("Ada Holt", kind))

    blank = Draft("", "", abstention=Abstention("no_evidence"))
    answer_each(question, blank, [citewell.read(b"x.", name="x.txt")], answer)
    assert questions == parts


@given(st.text(max_size=150))
def test_any_text_has_parts_or_none(text):
    assert len(subquestions(text)) != 1


@pytest.mark.parametrize(("years", "verb"), [("2019 and 2020", "sum"), ("2018, 2019 and 2020", "sum"), ("2020", None)])
def test_the_years_of_one_report_are_added_where_there_are_two_or_more(oriel, years, verb):
    planned = plan(f"What was the combined net income of {years}?", (oriel,), (oriel,))
    assert (planned and planned.verb) == verb
