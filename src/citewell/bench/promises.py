"""Thresholds with a promise: chosen so that the risk of what is given is held, and tried on items left out.

The risk is the share of wrong items among those that are given, those with a score of the threshold or more. For one
threshold "the risk is above what is allowed" is rejected by the binomial tail of the errors seen. Thresholds are tried
from strict to loose and the first that cannot be rejected ends a chain, so that no level of error is spent on the
others (fixed-sequence testing). Several chains start at stricter and looser thresholds, each with its part of the
level, since the strictest may hold too few items to prove anything.

Sources: Angelopoulos, Bates, Candès, Jordan and Lei, Learn then Test: Calibrating Predictive Algorithms to Achieve Risk
Control (2021), section 3; Geifman and El-Yaniv, Selective Classification for Deep Neural Networks (2017), for the risk
of what is given.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from citewell.abstain.promise import Promise
from citewell.bench.kinds.base import Task
from citewell.bench.kinds.claims import Claims
from citewell.bench.kinds.questions import Questions
from citewell.bench.records import AnswerRecord, ClaimRecord, Good
from citewell.errors import InputError, UsageError
from citewell.report.correlation import scipy_stats

GRID = np.linspace(1, 0, 201)  # thresholds, strict to loose; fixed, so that no look at the data is spent on them
CHAINS = 4
ERRORS = ("any", "unanswerable")
_FITTING = (
    "a promise needs a task of claims (attributionbench, salad, flips), or with questions that have no answer (squad2, "
    "clapnq), which alone have the error unanswerable"
)
_HALF = 0.5  # an answer whose F1 with the gold answer is below is wrong

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Judged(NamedTuple):
    """Items with their scores, and whether it is wrong to give them; `of` is what they are."""

    of: str
    scores: Scores
    wrong: Flags
    error: str = "any"


@dataclass(frozen=True, slots=True)
class Trial:
    """What the promise came to on items left out, over many random halves.

    Attributes:
        splits: how many halves; `kept` in how many a threshold was found.
        risk: mean share of wrong items among those given, where some were.
        above: share of the halves in which it was above what is allowed: the promise and the chance of a small half.
        coverage: mean share of the items that were given, none where no threshold was found.
    """

    splits: int
    kept: int
    risk: float | None
    above: float
    coverage: float


def hold(task: Task[Any], error: str = "any") -> None:
    """Refuse what could carry no promise, before anything is run.

    Raises:
        UsageError: the task has neither claims nor questions without an answer, or no such error.
        MissingExtraError: scipy is not installed.
    """
    scipy_stats()
    if error not in ERRORS:
        raise UsageError(f"an error is {' or '.join(ERRORS)}, not {error!r}")
    if not (isinstance(task, Questions) and task.curve) and not (isinstance(task, Claims) and error == "any"):
        raise UsageError(_FITTING)


def judged(records: Sequence[Good], error: str = "any") -> Judged:
    """The items of a run: claims that are called supported, or answers, those that were withheld too.

    Args:
        records: of the run.
        error: what counts as wrong: `any`, which of an answer is an F1 with the gold answers below one half, or
            `unanswerable`, any answer where there is none.

    Raises:
        UsageError: the records have neither.
    """
    if error == "any" and records and all("gold" in record and "score" in record for record in records):
        claims = [record for record in cast("Sequence[ClaimRecord]", records) if record["label"] == "supported"]
        return Judged(
            "claims",
            np.array([one["score"] for one in claims]),
            np.array([not one["gold"] for one in claims], dtype=bool),
        )
    if records and all("loss" in record for record in records):
        answers = cast("Sequence[AnswerRecord]", records)
        none = np.array([one["unanswerable"] for one in answers], dtype=bool)
        poor = np.array([one["loss"] for one in answers]) > _HALF
        wrong = none | poor if error == "any" else none
        return Judged("answers", np.array([one["confidence"] for one in answers]), wrong, error)
    raise UsageError(_FITTING)


def joined(parts: Sequence[Judged]) -> Judged:
    """Several tasks' items as one.

    Raises:
        UsageError: some are answers, others claims.
    """
    if len({(part.of, part.error) for part in parts}) != 1:
        raise UsageError("answers and claims have scores of their own: calibrate them apart")
    return Judged(
        parts[0].of,
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.wrong for part in parts]),
        parts[0].error,
    )


def fewest(risk: float, confidence: float) -> int:
    """How many given items, none of them wrong, are needed at least to promise this."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - risk))


def choose(scores: Scores, wrong: Flags, risk: float, confidence: float) -> float | None:
    """The loosest threshold of the grid whose promise holds; None where there is none.

    Args:
        scores: of the items, 0 to 1.
        wrong: of each, whether it is wrong to give it.
        risk: the greatest share of wrong items among those given.
        confidence: how sure this has to be.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    given = np.array([(scores >= least).sum() for least in GRID])
    errors = np.array([(wrong & (scores >= least)).sum() for least in GRID])
    rejected = scipy_stats().binom.cdf(errors, given, risk) <= (1 - confidence) / CHAINS
    smallest = fewest(risk, 1 - (1 - confidence) / CHAINS)
    loosest = -1
    for start in np.geomspace(smallest, max(smallest, len(scores) / 2), CHAINS):
        place = int(np.searchsorted(given, start))
        while place < len(GRID) and rejected[place] and given[place]:
            loosest = max(loosest, place)
            place += 1
    return None if loosest < 0 else round(float(GRID[loosest]), 6)


def promise(items: Judged, risk: float, confidence: float, method: str, tasks: Sequence[str]) -> Promise:
    """The threshold with its promise.

    Raises:
        InputError: the items cannot carry the promise.
        MissingExtraError: scipy is not installed.
    """
    least = choose(items.scores, items.wrong, risk, confidence)
    if least is None:
        raise InputError(_refused(items, risk, confidence))
    given = items.scores >= least
    content = np.stack([items.scores, items.wrong.astype(np.float64)]).astype("<f8").tobytes()
    return Promise(
        of=items.of,
        threshold=least,
        error=items.error,
        risk=risk,
        confidence=confidence,
        method=method,
        tasks=list(tasks),
        items=len(items.scores),
        given=int(given.sum()),
        wrong=int((given & items.wrong).sum()),
        data=hashlib.sha256(content).hexdigest(),
        deciles=[round(float(value), 4) for value in np.quantile(items.scores, np.linspace(0, 1, 11))],
        version=metadata.version("citewell"),
    )


def tried(items: Judged, risk: float, confidence: float, *, splits: int = 200, seed: int = 0) -> Trial:
    """Choose on a random half and look at the other, many times."""
    rng, count = np.random.default_rng(seed), len(items.scores)
    risks, coverage, kept = list[float](), 0.0, 0
    for _ in range(splits):
        order = rng.permutation(count)
        ours, others = order[: count // 2], order[count // 2 :]
        least = choose(items.scores[ours], items.wrong[ours], risk, confidence)
        if least is None:
            continue
        kept += 1
        given = items.scores[others] >= least
        coverage += given.mean()
        if given.any():
            risks.append(float(items.wrong[others][given].mean()))
    above = sum(one > risk for one in risks) / splits
    return Trial(splits, kept, sum(risks) / len(risks) if risks else None, above, coverage / splits)


def moved(here: Judged, there: Judged, risk: float, confidence: float) -> dict[str, Any]:
    """What a promise made on some items comes to on others: threshold, share given and share wrong of these."""
    least = choose(here.scores, here.wrong, risk, confidence)
    if least is None:
        return {"threshold": None, "coverage": 0.0, "risk": None}
    given = there.scores >= least
    return {
        "threshold": least,
        "coverage": float(given.mean()),
        "risk": float(there.wrong[given].mean()) if given.any() else None,
    }


def _refused(items: Judged, risk: float, confidence: float) -> str:
    needed = fewest(risk, 1 - (1 - confidence) / CHAINS)
    if len(items.scores) < needed:
        count = len(items.scores)
        return f"{count} {items.of} are too few: a risk of {risk:.0%} at {confidence:.0%} needs {needed} at least"
    order = np.argsort(-items.scores, kind="stable")[:needed]
    share = float(items.wrong[order].mean())
    return (
        f"no threshold keeps a risk of {risk:.0%}: even of the {needed} {items.of} with the highest scores {share:.0%} "
        "are wrong; allow a greater risk, or use a better method"
    )
