"""The scale of the lexical checker's scores: hand-computed, invertible, of the weights that ship, and no label moves."""

from __future__ import annotations

import hashlib
import math
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.checkers.lexical import LexicalChecker
from citewell.checkers.scale import Scale, shipped
from citewell.document import Document
from citewell.protocols import Pair
from citewell.text.data import read_json

SCALE = Scale(knot=0.5, constant=-2.0, below=2.0, above=6.0)
TEXT = "Sales rose to 40 million euros in 2020. Sales did not reach the target. The board met in Turku."
CLAIMS = (
    "Sales rose to 40 million euros in 2020.",
    "Sales rose to 41 million euros in 2020.",
    "Sales reached the target.",
    "The board met in Turku and rejected the merger with Orion.",
    "The weather was fine.",
)


def test_log_odds_rise_in_two_lines_that_meet_at_the_knot():
    # -2 at 0, -2 + 2 * 0.25 at 0.25, -1 at the knot, -1 + 6 * 0.5 = 2 at 1
    for raw, odds in ((0.0, -2.0), (0.25, -1.5), (0.5, -1.0), (0.75, 0.5), (1.0, 2.0)):
        assert SCALE.score(raw) == pytest.approx(1 / (1 + math.exp(-odds)))


@given(st.floats(0, 1))
def test_a_score_leads_back_to_its_raw_score(raw):
    assert SCALE.raw(SCALE.score(raw)) == pytest.approx(raw, abs=1e-9)
    assert shipped().raw(shipped().score(raw)) == pytest.approx(raw, abs=1e-9)


def test_a_threshold_that_no_score_reaches_or_that_all_reach_is_an_end_of_the_raw_scores():
    assert SCALE.raw(SCALE.score(0.0) - 0.01) == 0.0
    assert SCALE.raw(SCALE.score(1.0) + 0.01) == 1.0


def test_the_scale_that_ships_was_fitted_on_the_weights_that_ship():
    weights = resources.files("citewell.facts").joinpath("data/checker.npz").read_bytes()
    assert read_json("citewell.checkers", "scale.json")["weights"] == hashlib.sha256(weights).hexdigest()


def test_the_scale_moves_scores_and_no_label():
    document = Document.from_text(TEXT)
    pairs = [Pair(claim, (document,)) for claim in CLAIMS]
    weights = Path(str(resources.files("citewell.facts").joinpath("data/checker.npz")))
    raw = LexicalChecker(weights=str(weights)).check(pairs)
    told = LexicalChecker().check(pairs)
    assert [verdict.label for verdict in told] == [verdict.label for verdict in raw]
    assert raw[-1].score == 0  # nothing of the claim was read: a score of its own
    scores = [shipped().score(verdict.score) if verdict.score else 0.0 for verdict in raw]
    assert [verdict.score for verdict in told] == pytest.approx(scores, abs=1e-5)


def test_a_threshold_is_held_against_the_scores_that_are_told():
    document = Document.from_text(TEXT)
    pair = Pair(CLAIMS[0], (document,))
    score = LexicalChecker().check([pair])[0].score
    assert LexicalChecker(threshold=score - 0.001).check([pair])[0].label == "supported"
    assert LexicalChecker(threshold=score + 0.001).check([pair])[0].label != "supported"
