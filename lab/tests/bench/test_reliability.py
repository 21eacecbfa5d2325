"""Reliability: errors computed by hand, and reports that tell them."""

from __future__ import annotations

import numpy as np
import pytest

from citewell_lab.bench.metrics.reliability import ece, isotonic, reliability, steps
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.reliability import scored as scored_of


def scored(kept, name="clapnq"):
    return scored_of(find_task(name), kept)


def test_the_error_is_the_mean_distance_of_score_and_share_right_by_steps():
    scores, right = np.array([0.12, 0.18, 0.9, 0.9, 1.0]), np.array([False, True, True, True, False])
    # 0.1 to 0.2: 0.15 against 1/2; 0.9 to 1: 2.8 / 3 against 2/3. (2 * 0.35 + 3 * 0.2667) / 5 = 0.3
    assert ece(scores, right) == pytest.approx(0.3)
    assert [step.n for step in steps(scores, right)] == [2, 3]


def test_shares_that_fall_are_taken_together():
    # By score: 1, 0, 1, 1. The first two fall: together 1/2.
    at, shares = isotonic(np.array([0.1, 0.2, 0.3, 0.4]), np.array([True, False, True, True]))
    assert at.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert shares.tolist() == [0.5, 0.5, 1.0, 1.0]


def test_probabilities_have_the_error_of_chance_and_others_can_be_mended():
    rng = np.random.default_rng(0)
    scores, names = rng.random(2000), np.arange(2000).astype(str)
    good = reliability(scores, rng.random(2000) < scores, names)
    assert abs(good.ece - good.by_chance) < 0.015
    bad = reliability(scores**3, rng.random(2000) < scores, names)
    assert bad.ece > 0.2
    assert bad.refitted < 0.04
    assert reliability(scores[:5], scores[:5] > 0.5, names[:5]).refitted is None
    with pytest.raises(ValueError, match="an item at least"):
        reliability(scores[:0], scores[:0] > 0.5, names[:0])


def test_what_a_record_says_is_paired_with_whether_it_is_so():
    answer = {"id": "1", "confidence": 0.7, "loss": 0.4, "unanswerable": False}
    assert scored([answer, {**answer, "unanswerable": True}]).right.tolist() == [True, False]
    settings = {**answer, "loss": 0.9, "holds": True}  # a whole sentence that holds a gold answer of two words
    assert scored([settings, {**answer, "holds": False}]).right.tolist() == [True, False]
    claim = {"id": "1", "gold": True, "score": 0.6, "label": "supported"}
    scores = scored([claim, {**claim, "label": "unverified"}])
    assert (scores.what, scores.scores.tolist()) == ("claim", [0.6])
    label = {"id": "dev:1:a", "annotated": ["SUPPORTS"], "scores": {"SUPPORTS": 0.9}}
    assert scored([label], "contract-nli").sources.tolist() == ["dev:1"]
    assert scored([{"id": "1", "token_gold": "10", "token_scores": [0.5, 0.25]}]).right.tolist() == [True, False]
    assert scored([{"id": "1", "token_gold": "101", "token_scores": [12.5, 0.25, 0.5]}]) is None
    assert scored([{"id": "1", "token_gold": "101", "token_scores": [0.5, 0.0, 0.25]}]).scores.tolist() == [0.5, 0.25]
    assert scored([{"id": "1", "pages": []}]) is None
