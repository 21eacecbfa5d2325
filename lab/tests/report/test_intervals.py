"""Intervals, paired differences and correlations, on figures that can be worked out by hand."""

import numpy as np
import pytest

from citewell_lab.report import correlation, intervals


def test_an_interval_of_equal_values_is_a_point():
    assert intervals.interval([0.25, 0.25, 0.25]) == (0.25, 0.25, 0.25)
    with pytest.raises(ValueError, match="at least one value"):
        intervals.interval([])


def test_an_interval_holds_the_draws_of_the_seed_however_they_are_blocked(monkeypatch):
    values = [0.0, 1.0, 1.0, 0.5, 0.25]
    drawn = np.random.default_rng(3).integers(0, 5, (100, 5))
    low, high = np.percentile(np.array(values)[drawn].mean(axis=1), [2.5, 97.5])
    whole = intervals.interval(values, samples=100, seed=3)
    assert whole == pytest.approx((0.55, low, high))
    monkeypatch.setattr(intervals, "_BLOCK", 17)
    assert intervals.interval(values, samples=100, seed=3) == whole


def test_a_share_is_pooled_and_its_interval_grows_when_answers_hang_together():
    hits, totals = [1, 0] * 20, [1] * 40
    apart = intervals.share(hits, totals, [str(n) for n in range(40)])
    together = intervals.share(sorted(hits), totals, [str(n // 10) for n in range(40)])
    assert apart.mean == together.mean == 0.5
    assert together.high - together.low > 1.5 * (apart.high - apart.low)
    assert intervals.share([3, 0], [3, 1], ["a", "b"]).mean == 0.75


def test_a_statistic_of_nothing_is_none():
    assert intervals.grouped([], intervals.ratio) is None
    assert intervals.share([0], [0], ["a"]) is None


def test_draws_without_a_denominator_are_left_out():
    result = intervals.grouped([("a", (1, 2)), ("b", (0, 0))], intervals.ratio)
    assert result == (0.5, 0.5, 0.5)


def test_a_paired_difference_is_tested_against_none():
    result = intervals.paired([0, 0, 1, 0], [1, 1, 1, 1], samples=1000)
    assert result.difference == 0.75
    assert 0 < result.p < 0.1
    assert intervals.paired([1, 0], [1, 0]).p == 1
    with pytest.raises(ValueError, match="same items"):
        intervals.paired([1], [1, 2])


@pytest.mark.slow  # loads scipy
def test_a_perfect_order_of_five_is_not_certain():
    pytest.importorskip("scipy")
    assert correlation.correlate([1, 2, 3, 4, 5], [2, 3, 5, 7, 9], "spearman").p == pytest.approx(2 / 120)
    assert correlation.correlate([1, 2, 3, 4, 5], [1, 1, 1, 1, 1]) is None
    assert correlation.correlate([1, 2], [1, 2]) is None
    assert correlation.Correlation(0.5, 0.009, 9).stars == "**"


@pytest.mark.slow  # loads scipy
def test_shuffling_finds_a_correlation_where_there_is_one_and_not_where_there_is_none():
    pytest.importorskip("scipy")
    generator = np.random.default_rng(4)
    places = generator.random(200)
    assert correlation.correlate(places, places > 0.5, shuffles=500).p < 0.01
    assert correlation.correlate(places, generator.random(200), shuffles=500).p > 0.05
    assert correlation.correlate([0, 1, 2], [0, 1, 2], shuffles=5000).p == pytest.approx(1 / 3, abs=0.03)
