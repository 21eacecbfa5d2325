"""How segments cover statements, with every figure worked out by hand."""

import numpy as np
import pytest

from citewell.document import Document
from citewell.text import coverage
from citewell.text.coverage import Alignment, Claim, Matcher, highest
from citewell.text.index import index
from citewell.types import Span


def matcher(source, text, weights=None):
    """A matcher in which the words of the text weigh what is said."""
    result = Matcher(index([Document.from_text(source)]), text)
    if weights:
        result._weights = np.array(weights, dtype=np.float32)
    return result


def whole(text):
    return Span(0, len(text))


def test_a_function_word_weighs_a_tenth_of_what_its_rarity_says(monkeypatch):
    monkeypatch.setattr(coverage, "settings", lambda _: {"function_word": 0.1})
    built = matcher("the fox", "the fox")
    rarity = built.index.weights(built.query)
    assert built._weights == pytest.approx([0.1 * rarity[0], rarity[1]])


def test_a_claim_knows_its_words_one_by_one():
    text = "the 15 foxes sleep"
    claim = matcher("The fox has 15 hens.", text).claim(whole(text))
    assert claim.starts.tolist() == [0, 4, 7, 13]
    assert claim.ends.tolist() == [3, 6, 12, 18]
    assert claim.content.tolist() == [False, True, True, True]
    assert claim.numbers.tolist() == [False, True, False, False]
    assert claim.known.tolist() == [True, True, True, False]
    assert claim.inside.all()


def test_the_words_in_question_are_those_that_the_target_touches():
    text = "red fox hen"
    built = matcher("red fox hen", text)
    assert built.claim(whole(text), Span(4, 7)).inside.tolist() == [False, True, False]
    assert built.claim(whole(text), Span(3, 8)).inside.tolist() == [False, True, False]
    assert built.claim(whole(text), Span(2, 9)).inside.tolist() == [True, True, True]
    assert built.claim(Span(4, 11)).starts.tolist() == [4, 8]
    assert built.claim(Span(0, 8)).starts.tolist() == [0, 4]


def test_a_word_said_twice_shares_its_weight():
    text = "fox fox hen"
    claim = matcher("fox hen", text, [4, 4, 3]).claim(whole(text))
    assert claim.weights.tolist() == [2, 2, 3]
    assert claim.total == 7


def test_cover_is_the_share_of_weight_of_the_statement_and_of_the_words_in_question():
    text = "red fox sleeps"
    built = matcher("Red fox jumps. Blue fox. A hen.", text, [3, 2, 5])
    assert built.cover(built.claim(whole(text))).statement == pytest.approx([0.5, 0.2, 0])
    question = built.cover(built.claim(whole(text), Span(0, 7)))
    assert question.statement == pytest.approx([0.5, 0.2, 0])
    assert question.span == pytest.approx([1, 0.4, 0])
    unknown = built.cover(built.claim(whole(text), Span(8, 14)))
    assert unknown.span.tolist() == [0, 0, 0]


def test_a_word_said_twice_is_found_with_its_whole_weight():
    text = "fox fox hen"
    built = matcher("Fox. Hen.", text, [4, 4, 6])
    assert built.cover(built.claim(whole(text))).statement == pytest.approx([0.4, 0.6])


def test_the_rest_of_the_text_is_what_the_claim_does_not_say():
    text = "Red fox. Blue hen, red cow."
    built = matcher("Red fox. Blue hen. Cow.", text, [4, 2, 3, 1, 4, 4])
    # Without red and fox there are blue 3, hen 1, cow 4.
    assert built.cover_rest(built.claim(Span(0, 8))) == pytest.approx([0, 0.5, 0.5])
    # Without blue, hen, red and cow there is fox 2.
    assert built.cover_rest(built.claim(Span(9, 27))) == pytest.approx([1, 0, 0])
    assert built.cover_rest(built.claim(whole(text))).tolist() == [0, 0, 0]


def test_shares_do_not_depend_on_how_much_the_words_weigh():
    text = "Red fox. Blue hen, red cow."
    for scale in (1, 0.01):
        built = matcher("Red fox. Blue hen. Cow.", text, [scale * weight for weight in (4, 2, 3, 1, 4, 4)])
        rest = built.cover_rest(built.claim(Span(0, 8)))
        assert rest == pytest.approx([0, 0.5, 0.5])
        assert rest.dtype == np.float32
        claim = built.claim(Span(0, 8))
        assert built.cover(claim).statement[0] == built.cover(claim).span[0] == pytest.approx(1)
        assert built.alignment(claim, [0]).score(claim)[0] == pytest.approx((2 + 0.5) / 3)


@pytest.mark.parametrize("table", [0, coverage.TABLE])
def test_pairs_and_triples_are_neighbours_in_both_texts(monkeypatch, table):
    monkeypatch.setattr(coverage, "TABLE", table)
    text = "a red fox jumps high"
    built = matcher("Red fox jumps. Fox red. High. A red cow jumps high.", text)
    claim = built.claim(whole(text))
    aligned = built.alignment(claim, [0, 1, 2, 3])
    assert aligned.segments == (0, 1, 2, 3)
    assert aligned.single.astype(int).tolist() == [[0, 1, 1, 1, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 0, 1, 1]]
    assert aligned.pairs.astype(int).tolist() == [[0, 1, 1, 1, 0], [0] * 5, [0] * 5, [1, 1, 0, 1, 1]]
    assert aligned.triples.astype(int).tolist() == [[0, 1, 1, 1, 0], [0] * 5, [0] * 5, [0] * 5]


@pytest.mark.parametrize("table", [0, coverage.TABLE])
def test_no_run_goes_from_one_segment_into_the_next(monkeypatch, table):
    monkeypatch.setattr(coverage, "TABLE", table)
    text = "red fox jumps"
    built = matcher("Red. Fox jumps.", text)
    aligned = built.alignment(built.claim(whole(text)), [0, 1])
    assert aligned.pairs.tolist() == [[False] * 3, [False, True, True]]
    assert not aligned.triples.any()


def test_words_that_no_document_has_make_no_run():
    text = "red zebra fox"
    built = matcher("Red fox. Red okapi fox.", text)
    aligned = built.alignment(built.claim(whole(text)), [0, 1])
    assert aligned.single.tolist() == [[True, False, True]] * 2
    assert not aligned.pairs.any()


def test_a_claim_of_two_words_has_pairs_and_no_triples():
    text = "red fox"
    built = matcher("Red fox jumps.", text)
    aligned = built.alignment(built.claim(whole(text)), [0])
    assert (aligned.pairs.tolist(), aligned.triples.tolist()) == ([[True, True]], [[False, False]])
    assert built.alignment(built.claim(whole(text)), []).single.shape == (0, 2)


def test_words_that_stand_in_a_range_of_segments():
    text = "fox hen zebra"
    built = matcher("Fox. Cow. Hen.", text)
    claim = built.claim(whole(text))
    assert built.present(claim, 0, 1).tolist() == [True, False, False]
    assert built.present(claim, 0, 3).tolist() == [True, True, False]
    assert built.present(claim, 1, 2).tolist() == [False, False, False]


def test_the_score_is_the_mean_of_four_shares_weighed(monkeypatch):
    monkeypatch.setattr(coverage, "settings", lambda _: {"pair": 0.5, "triple": 0.25})
    weights = np.array([1, 2, 3, 4], dtype=np.float32)
    yes = np.ones(4, dtype=bool)
    claim = Claim(np.arange(4), np.arange(4) + 1, np.arange(4), weights, np.array([0, 0, 1, 1], bool), yes, ~yes, yes)
    single, pairs = np.array([[1, 1, 1, 0], [1, 1, 1, 1]], bool), np.array([[1, 1, 0, 0], [1, 1, 1, 1]], bool)
    triples = np.array([[0, 1, 1, 0], [1, 1, 1, 1]], bool)
    scores = Alignment((0, 1), single, pairs, triples, np.zeros(single.shape)).score(claim)
    # In question 3 of 7, of the statement 6 of 10, in pairs 3 of 10 at a half, in triples 5 of 10 at a quarter.
    assert scores == pytest.approx([(3 / 7 + 0.6 + 0.5 * 0.3 + 0.25 * 0.5) / 2.75, 1])
    assert scores.dtype == np.float32


def test_a_claim_without_weight_scores_nothing():
    none = np.zeros(1, dtype=np.float32)
    yes = np.ones(1, dtype=bool)
    claim = Claim(np.arange(1), np.arange(1) + 1, np.arange(1), none, yes, yes, ~yes, yes)
    assert Alignment((0,), yes[None], yes[None], yes[None], np.zeros(yes[None].shape)).score(claim).tolist() == [0]


@pytest.mark.parametrize(
    ("scores", "count", "positions"),
    [
        ([0.5, 0.2, 0.5, 0.0, 0.5], 2, [0, 2]),
        ([0.5, 0.2, 0.5, 0.0, 0.5], 4, [0, 1, 2, 4]),
        ([0.1, 0.9, 0.3], 1, [1]),
        ([0.9, 0.5, 0.5, 0.5], 2, [0, 1]),
        ([0.5, 0.1, 0.5, 0.9, 0.5, 0.2], 3, [0, 2, 3]),
        ([0.6, 0.5, 0.4, 0.3, 0.2, 0.1], 2, [0, 1]),
        ([0.1, 0.9, 0.3], 3, [0, 1, 2]),
        ([0.0, 0.4, 0.0], 3, [1]),
        ([0.0, 0.4, 0.0, 0.0], 3, [1]),
        ([], 3, []),
    ],
)
def test_the_highest_scores_stand_in_order_of_place_and_nothing_counts_as_high(scores, count, positions):
    assert highest(np.array(scores, dtype=np.float32), count).tolist() == positions
