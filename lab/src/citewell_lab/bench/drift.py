"""Drift: whether the scores of a user's items still match those on which a promise was calibrated.

The two-sample test of Kolmogorov and Smirnov, on counts in `BINS` equal steps of the score: the greatest distance
between both shares of items up to a score. What falls into one step counts as equal, which makes the test careful: it
raises fewer false alarms than its level says (docs/abstention.md has how many). Claims of one answer or document are
like each other, and many of them look like a change where there is none: one of each is drawn. It sees scores alone:
that they have not moved does not prove that as few of them are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from citewell.errors import InputError
from citewell.pipeline.promise import BINS, Promise
from citewell.text import safe
from citewell_lab.report.correlation import scipy_stats

FEWEST = 30  # scores below which the test would see nothing but a collapse


@dataclass(frozen=True, slots=True)
class Drift:
    """How far scores are from those of a promise.

    Attributes:
        items: how many scores there are now, one of each result; `before` how many they are held against.
        distance: the greatest difference between the shares of items up to a score; `at` which score that is.
        p: how probable so great a distance is where nothing has changed.
        reached: the share of items that reach the threshold now; `reached_before` when the promise was made.
        level: the probability below which the scores are said to have moved.
    """

    items: int
    before: int
    distance: float
    at: float
    p: float
    reached: float
    reached_before: float
    level: float

    @property
    def moved(self) -> bool:
        """Whether the promise no longer speaks of such items."""
        return self.p < self.level

    def words(self) -> str:
        """What was found, in a sentence."""
        figures = (
            f"{self.items} scores against {self.before}: up to {self.at:.2f} the shares differ by {self.distance:.1%}, "
            f"p = {self.p:.2g}; {self.reached:.0%} reach the threshold, {self.reached_before:.0%} did"
        )
        if self.moved:
            return f"The scores have moved: the promise does not speak of such items, calibrate again. {figures}."
        return f"The scores have not moved as far as can be told. {figures}."


def drift(promise: Promise, scores: Sequence[float], level: float = 0.05) -> Drift:
    """Hold scores against those of a promise.

    Raises:
        InputError: there are too few of them, or they are no scores.
        MissingExtraError: scipy is not installed.
    """
    now = np.asarray(scores, dtype=np.float64)
    if len(now) < FEWEST:
        raise InputError(f"{len(now)} scores are too few to tell a drift: {FEWEST} at least")
    if not ((now >= 0) & (now <= 1)).all():
        raise InputError("scores lie between 0 and 1")
    edges = np.linspace(0, 1, BINS + 1)
    steps = [np.repeat(edges[:-1], counts) for counts in (promise.scores, np.histogram(now, edges)[0])]
    test = scipy_stats().ks_2samp(*steps, method="asymp")
    share = float((now >= promise.threshold).mean())
    at = float(test.statistic_location) + 1 / BINS
    before = promise.given / promise.items
    return Drift(len(now), sum(promise.scores), float(test.statistic), at, float(test.pvalue), share, before, level)


def scores(path: str | Path, of: str) -> list[float]:
    """The scores in a file, a JSON value a line: those of answers, or of claims that are called supported.

    Of the claims of one line one is drawn. A line is a number, a result as `--json` prints it, a row of a batch's
    `results.jsonl` or of a run's `items.jsonl`.

    Raises:
        InputError: it cannot be read, or a line is something else.
    """
    try:
        lines = Path(path).expanduser().read_text("utf-8").split("\n")  # not where a text in JSON breaks its lines
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{str(path)!r} cannot be read: {why}") from error
    result, rng = list[float](), np.random.default_rng(0)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                values = list(_scores(safe.loads(line), of))
                result += [values[int(rng.integers(len(values)))]] if values else []
            except (AttributeError, ValueError, TypeError, KeyError) as error:
                raise InputError(f"{str(path)!r}, line {number}: no result with scores of {of}") from error
    return result


def _scores(payload: Any, of: str) -> Iterator[float]:
    """The scores of one value of JSON; what failed has none."""
    if isinstance(payload, int | float) and not isinstance(payload, bool):
        yield float(payload)
    elif not isinstance(payload, dict):
        raise TypeError("neither a number nor an object")
    elif "error" in payload or "failed" in payload:
        return
    elif "result" in payload:
        yield from _scores(payload["result"], of)
    elif of == "answers":
        withheld = payload.get("abstention") or {}
        score = withheld.get("score") if payload.get("confidence") is None else payload["confidence"]
        if score is None:
            raise ValueError("an answer without a confidence")
        yield float(score)
    elif "called" in payload:
        yield from (float(payload["scores"][label]) for label in payload["called"])
    else:
        claims = payload.get("verdicts") or payload.get("statements") or [payload]
        yield from (float(claim["score"]) for claim in claims if claim["label"] == "supported")
