"""Paired permutation of every metric, and its correction, against values computed by hand."""

import pytest

from citewell_lab.bench.compare import holm, permuted


def claims(labels):
    return [
        {"id": str(n), "group": "", "gold": True, "label": label, "score": 0.5, "value": float(label == "supported")}
        for n, label in enumerate(labels)
    ]


def test_holm_multiplies_the_smallest_by_the_most_and_never_falls():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert holm({"a": 0.9, "b": 0.8}) == {"b": 1.0, "a": 1.0}


def test_four_items_that_all_change_have_the_p_value_of_two_of_sixteen_draws():
    tests = permuted("attributionbench", claims(["not_supported"] * 4), claims(["supported"] * 4), samples=4000)
    accuracy = next(test for test in tests if test.metric == "accuracy")
    assert accuracy.difference == 1
    assert accuracy.p == pytest.approx(2 / 16, abs=0.02)
    assert accuracy.holm >= accuracy.p


def test_equal_runs_and_runs_without_common_items():
    same = claims(["supported", "not_supported"])
    assert {test.p for test in permuted("attributionbench", same, same, samples=50)} == {1.0}
    assert permuted("attributionbench", same, []) == ()
