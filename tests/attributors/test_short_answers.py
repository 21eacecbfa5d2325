"""What a model wrote in a few words is judged with its question, unless it claims nothing."""

import pytest

from citewell.attributors.targets import claim
from citewell.types import Draft, Span


def joined(question, text):
    return claim(Draft(text, question, origin="written"), Span(0, len(text))) != text


@pytest.mark.parametrize("question", ["What was revenue?", "Did revenue rise?", "Wie hoch war der Umsatz?"])
@pytest.mark.parametrize(
    "text", ["Hello!", "Great question!", "Good morning!", "Happy to help!", "I hope this helps!", "## Overview"]
)
def test_greetings_offers_and_headings_are_not_joined_with_the_question(question, text):
    assert not joined(question, text)


@pytest.mark.parametrize("text", ["Yes.", "No", "Certainly.", "Sure!"])
def test_a_word_that_says_yes_or_no_is_joined_where_that_is_asked(text):
    assert joined("Did revenue rise?", text)
    assert not joined("What was revenue?", text)


@pytest.mark.parametrize("text", ["$5.9bn.", "Ann Lee", "In March", "Correct."])
def test_short_answers_are(text):
    assert joined("What was revenue?", text)
    assert joined("Did revenue rise?", text)
