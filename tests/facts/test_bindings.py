"""Participants by the words that they stand beside: exchanged, listed, named by a heading, denied nowhere."""

import pytest

from citewell.facts.features import look
from citewell.facts.tokens import tokens


def features(claim, *evidence):
    return look(claim, [tokens(text) for text in evidence]).features


DUO = "The duo earned two platinum and five gold albums."


def test_numbers_that_stand_beside_each_others_nouns_would_fit_better_exchanged():
    # As it is, 5 has "earned" before it and 2 has "gold" behind it. Exchanged, 5 has "earned", "platinum" and, counted
    # half, "and"; 2 has "platinum", half an "and", "gold" and "albums".
    turned = features("They earned 5 platinum and 2 gold albums.", DUO)
    assert turned["exchange_names"] == (1 + 1 + 0.5) + (1 + 0.5 + 1 + 1) - 1 - 1
    assert features("They earned 2 platinum and 5 gold albums.", DUO)["exchange_names"] == 0


def test_small_words_beside_names_count_half():
    # "is" behind Bergen and "in" before Norway.
    assert features("Norway is in Bergen.", "Bergen is a port in Norway.")["exchange_names"] == 0.5 + 0.5
    assert features("Bergen is in Norway.", "Bergen is a port in Norway.")["exchange_names"] == 0


@pytest.mark.parametrize("claim", ["Larsen and Keller taught in Vienna.", "Keller and Larsen taught in Vienna."])
def test_the_order_of_a_list_says_nothing(claim):
    assert features(claim, "Keller and Larsen taught in Vienna.")["exchange"] == 0


def test_nouns_are_compared_with_nouns_and_do_not_count_as_names():
    seen = features("The cat chased the dog.", "A dog often chased a cat.")
    assert seen["exchange"] > 0
    assert seen["exchange_names"] == 0


def test_what_a_heading_alone_names_is_mostly_what_a_claim_begins_with():
    evidence = ("Asta Vindberg", "She produced the film Kumlaheim in 1990.")
    assert features("Kumlaheim produced Asta Vindberg.", *evidence)["topic_late"] == 1
    assert features("Asta Vindberg produced Kumlaheim.", *evidence)["topic_late"] == 0


def test_a_denial_that_no_sentence_has_is_told_from_one_that_a_later_sentence_has():
    lines = ("The output of steel rose in spring.", "The output of paper did not rise.")
    alone, backed = features("The output of steel did not rise.", lines[0]), features("Paper did not rise.", *lines)
    assert (alone["denies_alone"], alone["denies_any"]) == (1, 1)
    assert (backed["denies_alone"], backed["denies_any"]) == (0, 0)


def test_an_opposite_counts_in_whichever_sentence_it_stands():
    lines = ("Halden makes paper in three plants of the town.", "Prices climbed.")
    assert features("Halden makes paper in three plants of the town, prices fell.", *lines)["opposite_any"] == 1
    assert features("Halden makes paper in three plants of the town, prices rose.", *lines)["opposite_any"] == 0


def test_the_rest_is_what_is_there_beside_the_heaviest_word_that_is_not():
    assert features("Halden makes glass.", "Halden makes paper.")["rest"] == pytest.approx(1)
