"""How words stand to each other, by lists and WordNet."""

from __future__ import annotations

import pytest

from citewell.facts.kinship import Kinship, kinship, look_up
from citewell.facts.wordnet import wordnet
from citewell.text.words import terms


@pytest.mark.parametrize(
    ("message", "expected", "kind"),
    [
        ("rose", "rose", Kinship.SAME),
        ("rose", "rising", Kinship.FORM),
        ("decision", "decided", Kinship.DERIVED),
        ("car", "automobile", Kinship.SYNONYM),
        ("grew", "increase", Kinship.KIN),
        ("animal", "dog", Kinship.BROADER),
        ("dog", "animal", Kinship.NARROWER),
        ("soccer", "cricket", Kinship.SIBLING),
        ("canadian", "american", Kinship.SIBLING),
        ("fell", "rose", Kinship.OPPOSITE),
        ("before", "after", Kinship.OPPOSITE),
        ("slower", "faster", Kinship.OPPOSITE),
        ("penguin", "turnover", Kinship.NONE),
    ],
)
def test_a_word_of_the_claim_is_related_to_one_of_the_evidence(message: str, expected: str, kind: Kinship) -> None:
    assert kinship(message, expected) == kind


@pytest.mark.parametrize("pair", [("fell", "rose"), ("car", "automobile"), ("dog", "animal"), ("soccer", "cricket")])
def test_related_words_share_something_that_the_one_asks_and_the_other_offers(pair: tuple[str, str]) -> None:
    assert look_up(pair[0]).asks & look_up(pair[1]).offers


def test_an_unknown_word_has_a_key_and_no_senses() -> None:
    word = look_up("zorblax")
    assert (word.key, word.part, word.senses) == ("zorblax", None, frozenset())


@pytest.mark.long
def test_the_stored_stems_are_those_of_the_stemmer_so_that_forms_lead_to_their_words() -> None:
    net = wordnet()
    assert sorted(set(terms(net.lemmas))) == net.stems
    assert terms(net.lemmas[word] for word in net.stemmed) == net.stems
