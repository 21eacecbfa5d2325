"""Twenty questions that the example report answers, and twenty with one thing changed that it does not answer."""

from pathlib import Path

import pytest

import citewell
from citewell.pipeline import Pipeline

REPORT = Path(__file__).resolve().parents[2] / "examples/annual-report.pdf"
ANSWERED = """
What was revenue in 2025?
How many members did the cooperative have at the end of 2025?
When did MV Eider enter service?
Who is the finance director?
Where is the cooperative registered?
How many passengers were carried in 2025?
Why did emissions fall?
What does a membership share cost?
Which route grew most?
How many ships does the fleet have?
When did the charging tower at Innis fail?
Who audits the accounts?
What was the surplus in 2024?
How long is the crossing from Harrow Sound to Skelby?
What was staff in 2023?
How many journeys did Vale Island have in 2025?
Who chairs the board?
When will the general assembly be held?
What was the price of MV Eider?
How many injuries were there in 2024?
""".strip().splitlines()
CHANGED = """
When did MV Eider leave service?
Who is the former finance director?
Where is the cooperative not registered?
How many members did the cooperative have at the end of 1950?
When did the charging tower at Skelby fail?
Why did emissions rise?
What does a membership share not cost?
Which route shrank most?
Who audited the accounts in 2010?
How long is the crossing from Harrow Sound to Oslo?
Who chairs the union?
When was the general assembly cancelled?
What was the price of MV Titan?
How many injuries were there in 2012?
Who sold MV Bracken?
What dividend does the cooperative pay?
Which harbour stayed open during Halva?
When did the cooperative go bankrupt?
How many captains does MV Alder have?
Who did not attend the assembly?
""".strip().splitlines()


@pytest.fixture(scope="module")
def report():
    return citewell.read(REPORT)


def answers(report, questions):
    return [answer for answer in (Pipeline().run([report], question) for question in questions) if not answer.abstained]


@pytest.mark.long
def test_most_questions_are_answered_and_of_those_with_one_thing_changed_a_third(report):
    assert (len(ANSWERED), len(CHANGED)) == (20, 20)
    assert len(answers(report, ANSWERED)) >= 17
    assert len(answers(report, CHANGED)) <= 7


def test_a_sentence_answers_where_no_column_of_a_row_is_asked_for(report):
    (answer,) = answers(report, ["What was the price of MV Eider?"])
    assert "€14.8 million" in answer.value.text  # no year of a column


@pytest.mark.parametrize(
    "question", ["Where is the cooperative not registered?", "Who chairs the union?", "Why did emissions rise?"]
)
def test_what_is_withheld_shows_three_places_with_their_pages(report, question):
    abstention = Pipeline(abstain=1.0).run([report], question).abstention
    assert len(abstention.nearest) == 3
    assert all(near.citation.page for near in abstention.nearest)
    assert any(near.lacks for near in abstention.nearest)
