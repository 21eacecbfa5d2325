"""Annotations: planted shares and agreement are found, chance agreement is near 0, errors are counted."""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell_lab.papers.lfqa import agreement, supportedness
from citewell_lab.papers.lfqa.data import SUPPORT
from papers.lfqadata import annotated, study

pytestmark = pytest.mark.slow
pytest.importorskip("nltk", reason="alpha needs nltk: pip install 'citewell-lab[bench]'")


def labelled(make):
    return study(30, lambda g, n: {"annotated": (annotated("m", None, "mine", make(g)),)})


def noisy(generator, noise):
    true = generator.choices(SUPPORT, (6, 1, 3))[0]
    return tuple(generator.choice(SUPPORT) if generator.random() < noise else true for _ in range(3))


def test_annotators_who_mostly_agree_have_a_high_alpha_and_guessing_ones_none():
    good = agreement.agreement(labelled(lambda g: [noisy(g, 0.1) for _ in range(8)]))[0]
    chance = agreement.agreement(labelled(lambda g: [noisy(g, 1.0) for _ in range(8)]))[0]
    assert good.nominal > 0.7
    assert abs(chance.nominal) < 0.1
    assert abs(chance.interval) < 0.1
    assert good.all_agree + good.most_agree + good.none_agree == pytest.approx(1)


def test_same_labels_by_all_are_full_agreement_and_one_label_alone_has_no_alpha():
    assert agreement.alpha([("supported",) * 3, ("not_supported",) * 3]) == pytest.approx(1)
    assert agreement.alpha([("supported",) * 3] * 4) is None


labels = st.lists(st.tuples(*[st.sampled_from(SUPPORT)] * 3), min_size=2, max_size=12)


@given(labels, st.booleans())
def test_alpha_is_what_its_definition_says(rated, steps):
    values = [[SUPPORT.index(label) for label in row] for row in rated]
    everything = [value for row in values for value in row]

    def apart(a, b):
        return (a - b) ** 2 if steps else float(a != b)

    def mean(pairs):
        pairs = list(pairs)
        return sum(apart(a, b) for a, b in pairs) / len(pairs)

    observed = sum(mean(combinations(row, 2)) for row in values) / len(values)
    expected = mean(combinations(everything, 2))
    result = agreement.alpha(rated, steps=steps)
    if expected == 0:
        assert result is None
    else:
        assert result == pytest.approx(1 - observed / expected)


def test_patterns_count_labels_in_whatever_order():
    rows = [
        ("supported", "not_supported", "supported"),
        ("not_supported", "supported", "supported"),
        ("partially_supported", "not_supported", "supported"),
    ]
    patterns = agreement.patterns(study(1, lambda g, n: {"annotated": (annotated("m", None, "mine", rows),)}))
    assert [(pattern.pattern, pattern.sentences) for pattern in patterns] == [("SSN", 2), ("SPN", 1)]


def test_shares_of_majority_labels_are_found_and_ties_discarded():
    def make(generator, number):
        good = ["supported"] * 8 + ["not_supported"] * 2
        bad = ["supported"] * 2 + ["partially_supported"] + ["not_supported"] * 7 + [SUPPORT]
        return {"annotated": (annotated("good", "mine", "mine", good), annotated("bad", None, "mine", bad))}

    good, bad, everything = supportedness.supportedness(study(20, make))
    assert good.supported.mean == pytest.approx(0.8)
    assert bad.not_supported.mean == pytest.approx(0.7)
    assert bad.discarded == 20
    assert good.supported.low > bad.supported.high
    assert everything.sentences == 400
    assert everything.supported.mean == pytest.approx(0.5)


def test_settings_that_are_labelled_alike_have_intervals_that_overlap():
    def make(generator, number):
        draw = random.Random(number)
        return {"annotated": tuple(annotated(m, None, "mine", draw.choices(SUPPORT, k=8)) for m in "ab")}

    a, b, _ = supportedness.supportedness(study(30, make))
    assert a.supported.low <= b.supported.high
    assert b.supported.low <= a.supported.high


def test_categories_of_errors_are_counted_once_a_sentence():
    def make(generator, number):
        wrong = annotated(
            "m", None, "mine", ["not_supported"], errors=("hallucination", "retrieval failure", "hallucination")
        )
        return {"annotated": (wrong, annotated("m", None, "mine", ["not_supported", "supported"]))}

    errors = supportedness.errors(study(4, make))
    assert [(error.category, error.sentences, error.categorised, error.unsupported) for error in errors] == [
        ("hallucination", 4, 4, 8),
        ("retrieval failure", 4, 4, 8),
    ]
    assert supportedness.errors(labelled(lambda g: ["supported"])) == []
