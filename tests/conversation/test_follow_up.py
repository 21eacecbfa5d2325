"""Follow-ups as whole questions; what stands alone is never changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.conversation.follow_up import Turn, rewrite
from citewell.conversation.frames import frame

BEFORE_AFTER = [
    ("What was the fare income in 2018?", "And in 2019?", "What was the fare income in 2019?"),
    ("What was the fare income in 2018?", "2017?", "What was the fare income in 2017?"),
    ("What was the fare income in 2018?", "the year before?", "What was the fare income in 2017?"),
    ("How many ships sailed in Norway?", "and in Denmark?", "How many ships sailed in Denmark?"),
    ("How many ships does Oriel own?", "And Tarrow?", "How many ships does Tarrow own?"),
    ("What was Oriel's fare income in 2018?", "and Tarrow's?", "What was Tarrow's fare income in 2018?"),
    ("What was fare income in 2018?", "What about fuel costs?", "What was fuel costs in 2018?"),
    ("Did the number of passengers fall in 2018?", "Why?", "Why did the number of passengers fall in 2018?"),
    ("By how much did fares rise in 2018?", "why is that?", "Why did fares rise in 2018?"),
    ("When did the storm end?", "Where?", "Where did the storm end?"),
    ("What were fuel costs in 2018?", "as a percentage of fare income?",
     "What was fuel costs as a percentage of fare income in 2018?"),
    ("What is TideNet?", "Who built it?", "Who built TideNet?"),
    ("What is the notice period?", "Does it apply to both parties?", "Does the notice period apply to both parties?"),
    ("What does the company do?", "Where is it based?", "Where is the company based?"),
    ("What are the risks?", "Tell me more", "What does the document say about risks?"),
]  # fmt: skip
WHOLE = [
    "What was net income in 2022?",
    "Is it true that fares fell?",
    "How long does it take to reach Innis?",
    "When was the pier built and who owned it?",
    "What is this document about?",
    "Is there a limit on claims?",
    "Who wrote that this method fails?",
    "Which ships does Oriel own?",
    "List the members of the board.",
]


@pytest.mark.parametrize(("before", "question", "whole"), BEFORE_AFTER)
def test_a_follow_up_becomes_a_whole_question(before, question, whole):
    assert rewrite(question, [Turn(before)]) == whole


@pytest.mark.parametrize("question", WHOLE)
@pytest.mark.parametrize("before", ["What was revenue in 2021?", "Who is the chair?", "Did costs rise?"])
def test_a_whole_question_is_never_changed(before, question):
    assert rewrite(question, [Turn(before, "Ada Kestrel", "2021", "name")]) == question


@given(st.text(max_size=120))
def test_the_first_question_is_never_changed(question):
    assert rewrite(question, []) == question


SUBJECT = st.sampled_from(["revenue", "the fleet", "operating costs", "the number of ships", "Oriel"])
YEAR = st.integers(1950, 2049).map(str)


@given(SUBJECT, YEAR, SUBJECT, YEAR)
def test_questions_of_their_own_stay(first, year, second, other):
    question = f"What was {second} worth in {other}?"
    assert rewrite(question, [Turn(f"What was {first} in {year}?", "12", year, "money")]) == question


@given(SUBJECT, YEAR, YEAR)
def test_another_year_is_put_in_the_place_of_the_first(subject, year, other):
    before = f"What was {subject} in {year}?"
    assert rewrite(f"And in {other}?", [Turn(before)]) == f"What was {subject} in {other}?"


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=30))
def test_no_text_breaks_the_rules(before, question, reply):
    whole = rewrite(question, [Turn(before, reply)])
    assert isinstance(whole, str)
    assert bool(whole.strip()) == bool(question.strip())


def test_a_person_is_who_was_answered():
    turns = [Turn("Who is the chair of the board?", "Ada Kestrel", "", "name")]
    assert rewrite("When was she appointed?", turns) == "When was Ada Kestrel appointed?"


def test_follow_ups_build_on_each_other():
    turns = [Turn("What was revenue in 2020?")]
    for question, whole in (
        ("And in 2021?", "What was revenue in 2021?"),
        ("and net income?", "What was net income in 2021?"),
        ("the year after?", "What was net income in 2022?"),
    ):
        turns.append(Turn(rewrite(question, turns)))
        assert turns[-1].question == whole


@given(SUBJECT, YEAR)
def test_a_frame_is_its_question(subject, year):
    question = f"What was {subject} in {year}"
    assert "".join(frame(question)) == question
