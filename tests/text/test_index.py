"""The index of terms, on two documents small enough to count."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.document import Document
from citewell.text import index as module
from citewell.text.index import UNKNOWN, background, index

FIRST = Document.from_text("The fox saw a fox. A red hen.")
SECOND = Document.from_text("Red foxes sleep.")


def test_every_array_of_two_documents():
    position = index([FIRST, SECOND])
    assert [segment.text for segment in position.segments] == ["The fox saw a fox.", "A red hen.", "Red foxes sleep."]
    assert position.documents.tolist() == [0, 0, 1]
    assert position.code == "en"
    assert list(position.term_ids) == ["the", "fox", "saw", "a", "red", "hen", "sleep"]
    assert position.stop.tolist() == [True, False, False, True, False, False, False]
    assert position.df.tolist() == [1, 2, 1, 2, 2, 1, 1]
    assert position.word_terms.tolist() == [0, 1, 2, 3, 1, 3, 4, 5, 4, 1, 6]
    assert position.word_starts.tolist() == [0, 4, 8, 12, 14, 19, 21, 25, 0, 4, 10]
    assert position.word_ends.tolist() == [3, 7, 11, 13, 17, 20, 24, 28, 3, 9, 15]
    assert position.segment_ptr.tolist() == [0, 5, 8, 11]
    assert position.term_ptr.tolist() == [0, 1, 3, 4, 6, 8, 9, 10]
    assert position.posting_segments.tolist() == [0, 0, 2, 0, 0, 1, 1, 2, 1, 2]
    assert position.posting_counts.tolist() == [1, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    assert position.words_of(1) == slice(5, 8)
    assert position.postings(position.term_ids["fox"]).tolist() == [0, 2]
    assert position.presence([]).dtype == bool
    assert position.presence([position.term_ids["hen"], UNKNOWN, 4]).tolist() == [
        [False, True, False],
        [False] * 3,
        [False, True, True],
    ]


def test_the_rarity_of_a_term_is_bm25s_steadied_by_the_background(monkeypatch):
    monkeypatch.setattr(module, "background", lambda code: ({"fox": 0.1}, 0.02))
    monkeypatch.setattr(module, "settings", lambda _: {"background": 50.0})
    position = index([Document.from_text("A fox. The fox. Hen.")])
    # Of 3 + 50 segments the fox is in 2 + 5, the hen in 1 + 1, and a cow, which is in none, in 0 + 1.
    fox, hen, cow = (math.log(1 + (53 - observed + 0.5) / (observed + 0.5)) for observed in (7, 2, 1))
    assert position.idf[[position.term_ids["fox"], position.term_ids["hen"]]] == pytest.approx([fox, hen])
    assert position.idf.dtype == position.weights(position.query("cow")).dtype == np.float32
    assert position.weights(position.query("hens, cows and a fox")) == pytest.approx(
        [hen, cow, math.log(1 + 52.5 / 1.5), position.idf[position.term_ids["a"]], fox]
    )


def test_a_query_has_the_places_terms_and_numbers_of_its_words():
    query = index([FIRST]).query("Foxes saw the cow")
    assert query.terms == ("fox", "saw", "the", "cow")
    assert query.ids.tolist() == [1, 2, 0, UNKNOWN]
    assert query.stop.tolist() == [False, False, True, False]
    assert (query.starts.tolist(), query.ends.tolist()) == ([0, 6, 10, 14], [5, 9, 13, 17])


def test_the_background_is_a_share_of_english_segments_and_of_no_other_language():
    shares, rare = background("en")
    assert 0 < rare <= min(shares.values())
    assert rare * 100 < shares["the"] < 1
    assert background("de") == ({}, 0.0)


def test_an_index_is_made_once_for_the_same_documents_and_units():
    assert index([FIRST, SECOND]) is index([FIRST, SECOND])
    assert index([FIRST]) is not index([FIRST, SECOND])
    assert len(index([FIRST], "paragraph").segments) == 1


def test_words_between_segments_belong_to_the_one_before():
    position = index([Document.from_text("One fox.\n\nTwo hens.")], "paragraph")
    assert position.segment_ptr.tolist() == [0, 2, 4]
    assert np.array_equal(position.documents, [0, 0])


def test_a_word_that_no_document_has_weighs_most():
    position = index([Document.from_text("Ferries carried passengers. Passengers paid fares. The fleet is old.")])
    query = position.query("the passengers of zyzzyva")
    weights = dict(zip(query.terms, position.weights(query).tolist(), strict=True))
    assert weights["zyzzyva"] == max(weights.values())
    assert query.ids[query.terms.index("zyzzyva")] == UNKNOWN
    assert query.stop.tolist() == [True, False, True, False]


@given(st.lists(st.text(alphabet="ab cd.\n9東京", max_size=40), min_size=1, max_size=4))
def test_words_and_postings_agree_for_any_documents(texts):
    documents = [Document.from_text(text) for text in texts if text.strip()]
    if not documents:
        return
    for granularity in ("sentence", "paragraph", "section"):
        position = index(documents, granularity)
        assert position.segment_ptr[-1] == len(position.word_terms) == position.posting_counts.sum()
        for number, segment in enumerate(position.segments):
            where = position.words_of(number)
            assert (position.word_starts[where] >= segment.start).all()
            assert (position.word_ends[where] <= segment.end).all()
