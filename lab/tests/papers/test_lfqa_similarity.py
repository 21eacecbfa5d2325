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


def value(found, first, second, measure="bigram overlap"):
    return next(one.value for one in found.pairs if (one.measure, one.first, one.second) == (measure, first, second))


def bound(found, name):
    return next(one.value for one in found.bounds if one.bound == name)


def test_the_setting_whose_answers_hardly_change_is_the_nearest():
    found = similarity.measure(study(20, near))
    assert value(found, "no documents", "random").low > value(found, "no documents", "webgpt").high
    assert bound(found, "upper").mean > 0.8
    assert bound(found, "lower").mean < 0.1
    assert not found.missing


def test_unrelated_answers_are_at_the_lower_bound():
    found = similarity.measure(
        study(40, lambda g, _: {"responses": (response("m", None, text(g)), response("m", "webgpt", text(g)))})
    )
    between, lower = value(found, "no documents", "webgpt"), bound(found, "lower")
    assert between.low <= lower.high
    assert lower.low <= between.high


def test_one_sample_a_question_gives_no_upper_bound_and_says_so():
    found = similarity.measure(
        study(3, lambda g, _: {"responses": (response("m", None, text(g)), response("m", "webgpt", text(g)))})
    )
    assert [one.bound for one in found.bounds] == ["lower"]
    assert "upper bound of m" in found.missing[0]


class Letters:
    """Embeds a text by how often each letter stands in it."""

    def embed(self, texts, *, passages=False):
        return np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)


def test_an_encoder_adds_the_cosine():
    found = similarity.measure(study(20, near), Letters())
    assert value(found, "no documents", "random", "embedding cosine").mean > 0.98
    one, other = "embedding cosine", "no documents"
    assert value(found, other, "random", one).low > value(found, other, "webgpt", one).high


def test_a_retriever_without_embeddings_is_refused():
    with pytest.raises(UsageError, match="no embeddings"):
        similarity.measure(study(2, near), object())


@given(st.text(alphabet="ab .", max_size=40), st.text(alphabet="ab .", max_size=40))
def test_overlap_is_symmetric_between_0_and_1_and_1_for_the_same(a, b):
    one, two = similarity.bigrams(a), similarity.bigrams(b)
    assert similarity.overlap(one, two) == similarity.overlap(two, one)
    assert 0 <= similarity.overlap(one, two) <= 1
    assert similarity.overlap(one, one) == (1 if one else 0)
