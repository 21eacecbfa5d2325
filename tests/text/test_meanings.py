"""Words of like meaning: the table, and what a reader makes of it."""

import numpy as np
import pytest

import citewell
from citewell.generators.extractive.candidates import read
from citewell.text.meanings import meanings

LEASE = """# Lease

The tenant keeps a dog. The estimated total price is 4,000 crowns. The physician must issue a certificate. Both parties
sign in March. The landlord repairs the roof.
"""


def lease():
    return citewell.read(LEASE.encode(), name="lease.md")


@pytest.mark.parametrize(
    ("word", "near", "far"), [("cost", "price", "roof"), ("doctor", "physician", "tenant"), ("hire", "employ", "sign")]
)
def test_words_of_like_meaning_have_like_vectors(word, near, far):
    word, near, far = meanings().of((word, near, far))
    assert word @ near > 0.5 > word @ far


def test_vectors_have_length_one_and_unknown_words_none():
    known, unknown = meanings().of(("price", "xqzzy"))
    assert np.isclose(known @ known, 1)
    assert not unknown.any()


@pytest.mark.parametrize(
    ("question", "says"),
    [("How much does this cost?", "The estimated total price"), ("Is a doctor needed?", "The physician must")],
)
def test_a_sentence_in_other_words_ranks_first_though_it_has_no_word_of_the_question(question, says):
    reading = read(question, [lease()])
    best = int(reading.candidates[0])
    assert reading.sentences.segments[best].text.startswith(says)
    assert not reading.soft[:, 0].any()
    assert reading.alike[0, :, 0].any()


def test_what_a_sentence_says_itself_is_not_counted_as_alike():
    reading = read("What is the total price?", [lease()])
    assert (reading.alike[0] >= reading.soft).all()
    assert np.allclose(reading.alike[0][reading.soft == 1], 1)


def test_function_words_and_unlike_words_are_not_alike():
    reading = read("Whose zeppelin explodes?", [lease()])
    assert not len(reading.candidates)


def test_a_document_in_another_language_is_read_by_its_words_alone():
    german = "Der Mieter hebt die Hand. Der Winter dauert lange. Beide Seiten unterschreiben im März den Vertrag."
    reading = read("Wie lang ist der Arm?", [citewell.read(german.encode(), name="mietvertrag.txt")])
    assert np.array_equal(reading.alike[0], reading.soft)
