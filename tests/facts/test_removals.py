"""Effects of taking something away are not those of the thing itself."""

import pytest

from citewell.facts.extract import extract
from citewell.facts.features import look
from citewell.facts.removals import left_in, removals
from citewell.facts.tokens import tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Blocking the valve prevented rust.", ("blocking", "valve", "prevented")),
        ("Removing the old filter increased the noise.", ("removing", "filter", "increased")),
        ("The loss of the gene reduced growth.", ("loss", "gene", "reduced")),
        ("The removal of the gate widened the road.", ("removal", "gate", "widened")),
        ("The receptor blockade reduced swelling.", ("blockade", "receptor", "reduced")),
        ("The loss of the gene, which reduced growth, is rare.", None),
        ("They were blocking the valve and prevented rust.", None),
        ("A loss reduced growth.", None),
    ],
)
def test_what_is_taken_away_stands_between_the_word_for_it_and_the_verb(text, words):
    read = [tuple(tokens(text).lower[n] for n in removal) for removal in removals(tokens(text))]
    assert read == ([words] if words else [])


@pytest.mark.parametrize(
    ("claim", "left"),
    [
        ("The gene reduced growth.", True),
        ("The gene did reduce growth.", True),
        ("The loss of the gene reduced growth.", False),
        ("Growth was reduced by the gene.", False),
        ("No gene reduced growth.", False),
        ("Growth slowed after the gene was lost.", False),
    ],
)
def test_only_what_a_claim_says_to_act_itself_is_left_in(claim, left):
    alignment = look(claim, [tokens("The loss of the gene reduced growth.")])
    assert bool(list(left_in(extract(claim), alignment.premises, alignment.aligned))) == left
