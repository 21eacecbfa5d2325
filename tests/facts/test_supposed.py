"""Words that suppose, beside what a claim says outright."""

import pytest

from citewell.facts.features import look
from citewell.facts.strength import conditional
from citewell.facts.tokens import tokens


@pytest.mark.parametrize(
    ("claim", "sentence", "supposed"),
    [
        ("The ferry was sold.", "The ferry may be sold.", True),
        ("The ferry was sold.", "The ferry was sold in May 1968.", False),
        ("The ferry was sold.", "If the ferry was sold, the pier would close.", True),
        ("The ferry may be sold.", "The ferry might be sold.", False),
    ],
)
def test_a_sentence_supposes_by_its_words_and_not_by_the_month_of_may(claim, sentence, supposed):
    assert conditional(look(claim, [tokens(sentence)]).aligned[0]) is supposed
