"""Likeness between settings: copies are found, answers that share nothing are at the lower bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.errors import UsageError
from citewell_lab.papers.lfqa import similarity
from papers.lfqadata import response, study, text


def edited(answer):
    head, _, rest = answer.partition(" ")
    return f"Indeed {head.lower()} {rest}"


def near(generator, _):
    base = text(generator)
    return {
        "responses": (
            response("m", None, base, edited(base)),
            response("m", "random", edited(base)),
            response("m", "webgpt", text(generator)),
        )
    }


def value(result, first, second, measure="bigram overlap"):
    return next(
        pair.value for pair in result.pairs if (pair.measure, pair.first, pair.second) == (measure, first, second)
    )


def bound(result, name):
    return next(bound.value for bound in result.bounds if bound.bound == name)


def test_the_setting_whose_answers_hardly_change_is_the_nearest():
    measured = similarity.measure(study(20, near))
    assert value(measured, "no documents", "random").low > value(measured, "no documents", "webgpt").high
    assert bound(measured, "upper").mean > 0.8
    assert bound(measured, "lower").mean < 0.1
    assert not measured.missing


def test_unrelated_answers_are_at_the_lower_bound():
    measured = similarity.measure(
        study(40, lambda g, _: {"responses": (response("m", None, text(g)), response("m", "webgpt", text(g)))})
    )
    between, lower = value(measured, "no documents", "webgpt"), bound(measured, "lower")
    assert between.low <= lower.high
    assert lower.low <= between.high


def test_one_sample_a_question_gives_no_upper_bound_and_says_so():
    measured = similarity.measure(
        study(3, lambda g, _: {"responses": (response("m", None, text(g)), response("m", "webgpt", text(g)))})
    )
    assert [bound.bound for bound in measured.bounds] == ["lower"]
    assert "upper bound of m" in measured.missing[0]


class Letters:
    """Embeds a text by how often each letter stands in it."""

    def embed(self, texts, *, passages=False):
        return np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)


def test_an_encoder_adds_the_cosine():
    measured = similarity.measure(study(20, near), Letters())
    assert value(measured, "no documents", "random", "embedding cosine").mean > 0.98
    text, other = "embedding cosine", "no documents"
    assert value(measured, other, "random", text).low > value(measured, other, "webgpt", text).high


def test_a_retriever_without_embeddings_is_refused():
    with pytest.raises(UsageError, match="no embeddings"):
        similarity.measure(study(2, near), object())


@given(st.text(alphabet="ab .", max_size=40), st.text(alphabet="ab .", max_size=40))
def test_overlap_is_symmetric_between_0_and_1_and_1_for_the_same(a, b):
    bigrams, two = similarity.bigrams(a), similarity.bigrams(b)
    assert similarity.overlap(bigrams, two) == similarity.overlap(two, bigrams)
    assert 0 <= similarity.overlap(bigrams, two) <= 1
    assert similarity.overlap(bigrams, bigrams) == (1 if bigrams else 0)
