"""Verbs of a question that no label says: a row is named by what there is, not by its standing there."""

import pytest

from citewell.generators.extractive.cells.coverage import verbs


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("How much goodwill stood on the balance sheet of Oriel?", {"stood"}),
        ("What profit did the Freight segment bring Oriel in 2020?", {"bring"}),
        ("How much did Oriel owe its banks?", {"owe"}),
    ],
)
def test_irregular_pasts_and_verbs_behind_their_subject_are_unsaid(question, unsaid):
    assert unsaid <= verbs(question)


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("What was deferred revenue in 2020?", "defer"),
        ("What were Oriel's operating costs?", "oper"),
        ("What was the rent of Oriel?", "rent"),
        ("How many warrants were there?", "warrant"),
    ],
)
def test_words_that_tell_items_apart_are_none_of_them(question, item):
    assert item not in verbs(question)
