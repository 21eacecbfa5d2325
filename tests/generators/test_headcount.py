"""How many people a company employs: which sentence counts all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.generators.extractive.prose.headcount import headcount

OTHERS = (
    "Oriel Lines runs ferries. We hired 4,000 employees in the year. About 2,100 of our employees are in a union. "
    "The Freight segment employed approximately 1,900 people. Some 300 employees joined the share plan. "
)


def report(*sentences):
    return citewell.read(f"# Oriel Lines report 2024\n\n{OTHERS}\n\n{' '.join(sentences)}\n".encode(), name="oriel.md")


@pytest.mark.parametrize(
    ("sentence", "people"),
    [
        ("As of June 30, 2024, we had approximately 5,200 employees.", 5200),
        ("At year end the Company employed 5,200 people worldwide.", 5200),
        ("Oriel Lines and its subsidiaries employed more than 2.2 million associates.", 2_200_000),
        ("Our 640 full- and part-time employees work in nine ports.", 640),
        ("The number of employees was 5,200 at the end of the year.", 5200),
        ("The group had a skilled workforce made up of about 12,000 people.", 12_000),
    ],
)
@pytest.mark.parametrize(
    "question",
    ["How many people work for Oriel Lines?", "How many employees does the company have?", "What is the headcount?"],
)
def test_the_number_of_all_people_is_the_short_answer(sentence, people, question):
    answer = citewell.ask(report(sentence), question)
    assert answer.value.number * answer.value.scale == people
    assert answer.statements[0].text == sentence
    cited = answer.citations[answer.value.citations[0]]
    assert cited.quote == answer.value.text


@pytest.mark.parametrize(
    "sentence",
    [
        "We had 9,000 employees covered by collective bargaining agreements.",
        "Our 9,000 employees enrolled in the training.",
        "The company had 6,000 full-time and 3,000 part-time employees.",
        "Tarrow employed 9,000 people.",
        "We had 4 employees.",
        "We granted 9,000 shares to people who work here.",
    ],
)
def test_a_part_of_the_people_is_not_the_number_of_all(sentence):
    assert headcount("How many employees are there?", "", [report(sentence)]) is None


def test_the_year_that_the_question_names_is_counted():
    document = report("As of May 31, 2023, we had 5,000 employees.", "As of May 31, 2024, we had 5,600 employees.")
    count = headcount("How many employees were there in May 2023?", "", [document])
    assert count.people == 5000
    assert count.segment.text[slice(*count.number)] == "5,000"
    assert headcount("How many employees were there in 2021?", "", [document]) is None


@pytest.mark.parametrize(
    "question",
    [
        "How many employees are women?",
        "How many people work in Norway?",
        "How many people were on board?",
        "How many people work for Tarrow?",
        "What was the cost of employees?",
    ],
)
def test_a_question_about_some_of_the_people_goes_another_way(question):
    document = report("As of June 30, 2024, we had approximately 5,200 employees.")
    assert "5,200" not in citewell.ask(document, question).text


@given(st.text(alphabet="wehad our0123456789,. employees", max_size=120))
def test_a_count_stands_where_it_says(text):
    count = headcount("How many employees are there?", "", [citewell.Document.from_text(f"Report. {text}")])
    if count is not None:
        assert count.segment.text[slice(*count.number)][0].isdigit()
