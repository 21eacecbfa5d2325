"""Promises: what a file must hold, and which scores one is kept for."""

import json
from dataclasses import replace

import pytest

from citewell.errors import InputError, UsageError
from citewell.pipeline import promise


@pytest.fixture
def shipped():
    return next(promise.shipped())


def kept(payload, tmp_path):
    path = tmp_path / "promise.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    return promise.read(path)


def test_a_promise_comes_back_from_its_file(shipped, tmp_path):
    assert kept(shipped.to_dict(), tmp_path) == shipped


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("threshold", "0.5"), ("threshold", True), ("threshold", 1.5), ("items", True), ("items", 0), ("given", 10**9),
        ("of", "statements"), ("scores", [1]), ("scores", [True] * promise.BINS), ("groups", {"a": ["b"]}), ("error", "none"),
        ("format", 0), ("method", None),
    ],
)  # fmt: skip
def test_what_is_no_promise_is_refused(shipped, tmp_path, field, value):
    with pytest.raises(InputError, match="promise"):
        kept(shipped.to_dict() | {field: value}, tmp_path)


def test_a_number_is_a_threshold_as_it_is():
    assert promise.least(0.7, "extractive", "lexical") == 0.7
    assert promise.least(None, "extractive", "lexical") is None


def test_a_promise_holds_for_the_scores_that_it_was_made_for_alone(shipped):
    promise.hold(shipped, shipped.method)
    with pytest.raises(UsageError, match="not somebody"):
        promise.hold(shipped, "somebody")
    with pytest.raises(UsageError, match="other weights"):
        promise.hold(replace(shipped, weights="0" * 64), shipped.method)


def test_a_promise_names_the_groups_that_it_holds_in(shipped):
    alone, grouped = replace(shipped, groups={}), replace(shipped, groups={"law": [9, 5, 0], "ships": [8, 4, 1]})
    assert "in each of" not in alone.words()
    assert "in each of law, ships. The chance" in grouped.words()
