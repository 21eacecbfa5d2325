"""Thresholds with a statistical guarantee on the risk, evaluated on held-out items.

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
from typing import Any

import numpy as np

from citewell.errors import InputError
from citewell.pipeline.promise import BINS, WRONG, Promise, fingerprint
from citewell_lab.bench.judged import Flags, Judged, Names, Scores
from citewell_lab.bench.metrics import risk as risks
from citewell_lab.report.correlation import scipy_stats

GRID = np.linspace(1, 0, BINS + 1)  # thresholds, strict to loose; fixed, so that no look at the data is spent on them
CHAINS = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """What the promise came to on items left out, over many random halves.

    Attributes:
        splits: how many halves; `kept` in how many a threshold was found.
        risk: mean share of wrong items among those given, where some were.
        above: share of the halves in which it was above what is allowed, in any group where items are grouped: the
            promise and the chance of a small half.
        coverage: mean share of the items that were given, none where no threshold was found.
    """

    splits: int
    kept: int
    risk: float | None
    above: float
    coverage: float


def fewest(risk: float, confidence: float) -> int:
    """How many given items, none of them wrong, are needed at least to promise this."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - risk))


def choose(scores: Scores, wrong: Flags, risk: float, confidence: float, groups: Names | None = None) -> float | None:
    """The loosest threshold of the grid whose promise holds; None where there is none.

    Args:
        scores: of the items, 0 to 1.
        wrong: of each, whether it is wrong to give it.
        risk: the greatest share of wrong items among those given.
        confidence: how sure this has to be.
        groups: of each, the group in which the promise has to hold; "it is broken in some group" is rejected where it
            is in each, so that groups cost no level (an intersection-union test).

    Raises:
        MissingExtraError: scipy is not installed.
    """
    if not len(scores):
        return None
    names, place = np.unique(np.zeros(len(scores)) if groups is None else groups, return_inverse=True)
    reached = np.searchsorted(-GRID, -scores - 1e-12)  # the first threshold of the grid that gives the item
    shape = (len(names), len(GRID) + 1)
    kept, errors = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    np.add.at(kept, (place, reached), 1)
    np.add.at(errors, (place, reached), wrong)
    kept, errors = kept.cumsum(axis=1)[:, :-1], errors.cumsum(axis=1)[:, :-1]
    level = (1 - confidence) / CHAINS
    rejected = (scipy_stats().binom.cdf(errors, kept, risk) <= level).all(axis=0)
    least, smallest, loosest = kept.min(axis=0), fewest(risk, 1 - level), -1
    for start in np.geomspace(smallest, max(smallest, int(least[-1]) / 2), CHAINS):
        at = int(np.searchsorted(least, start))
        while at < len(GRID) and rejected[at]:
            loosest = max(loosest, at)
            at += 1
    return None if loosest < 0 else round(float(GRID[loosest]), 6)


def promise(items: Judged, risk: float, confidence: float, method: str, tasks: Sequence[str], by: str = "") -> Promise:
    """The threshold with its promise, in every group where the items are grouped.

    Raises:
        InputError: the items cannot carry the promise.
        MissingExtraError: scipy is not installed.
    """
    if items.error != "any" and not items.wrong.any():
        raise InputError(f"none of the {len(items.scores)} {items.of} is {WRONG[items.error]}: they cannot show this")
    least = choose(items.scores, items.wrong, risk, confidence, items.groups)
    if least is None:
        raise InputError(_refused(items, risk, confidence))
    content = np.stack([items.scores, items.wrong.astype(np.float64)]).astype("<f8").tobytes()
    groups = {name: _counts(items.part(items.groups == name), least) for name in items.names}
    counted, reached, wrong = _counts(items, least)
    return Promise(
        of=items.of,
        threshold=least,
        error=items.error,
        risk=risk,
        confidence=confidence,
        method=method,
        weights=fingerprint(method),
        tasks=list(tasks),
        by=by if groups else "",
        groups=groups,
        items=counted,
        given=reached,
        wrong=wrong,
        data=hashlib.sha256(content).hexdigest(),
        scores=np.histogram(one_each(items), BINS, (0, 1))[0].tolist(),
        version=metadata.version("citewell"),
    )


def one_each(items: Judged, seed: int = 0) -> Scores:
    """The score of one item of each source, drawn: the others of a document or an answer are too like it to count."""
    order = np.random.default_rng(seed).permutation(len(items.scores))
    return items.scores[order[np.unique(items.sources[order], return_index=True)[1]]]


def _counts(items: Judged, least: float) -> list[int]:
    is_kept = items.scores >= least
    return [len(is_kept), int(is_kept.sum()), int((is_kept & items.wrong).sum())]


def tried(items: Judged, risk: float, confidence: float, *, splits: int = 200, seed: int = 0) -> Trial:
    """Choose on a random half of the sources and look at the items of the others, many times."""
    rng = np.random.default_rng(seed)
    sources, where = np.unique(items.sources, return_inverse=True)
    realised, coverage, kept, above = list[float](), 0.0, 0, 0
    for _ in range(splits):
        mine = np.zeros(len(sources), dtype=bool)
        mine[rng.permutation(len(sources))[: len(sources) // 2]] = True
        ours, others = items.part(mine[where]), items.part(~mine[where])
        least = choose(ours.scores, ours.wrong, risk, confidence, ours.groups)
        if least is None:
            continue
        kept += 1
        passed = others.part(others.scores >= least)
        coverage += len(passed.scores) / len(others.scores)
        if len(passed.scores):
            realised.append(float(passed.wrong.mean()))
            above += any(passed.wrong[passed.groups == name].mean() > risk for name in np.unique(passed.groups))
    mean = sum(realised) / len(realised) if realised else None
    return Trial(splits, kept, mean, above / splits, coverage / splits)


def moved(here: Judged, there: Judged, risk: float, confidence: float) -> dict[str, Any]:
    """What a promise made on some items comes to on others: threshold, share given and share wrong of these."""
    least = choose(here.scores, here.wrong, risk, confidence)
    if least is None:
        return {"threshold": None, "coverage": 0.0, "risk": None}
    is_kept = there.scores >= least
    return {
        "threshold": least,
        "coverage": float(is_kept.mean()),
        "risk": float(there.wrong[is_kept].mean()) if is_kept.any() else None,
    }


def curve(items: Judged) -> list[risks.Covered]:
    """The share of wrong items as more are given, those with the highest scores first."""
    return risks.curve(items.scores.tolist(), items.wrong.astype(float).tolist())


def _refused(items: Judged, risk: float, confidence: float) -> str:
    needed = fewest(risk, 1 - (1 - confidence) / CHAINS)
    parts = {name: items.part(items.groups == name) for name in items.names} or {"": items}
    few = {name: len(part.scores) for name, part in parts.items() if len(part.scores) < needed}
    if few:
        name, count = min(few.items(), key=lambda pair: pair[1])
        message = f"{count} {items.of}{name and f' of {name}'} are too few"
        return f"{message}: a risk of {risk:.0%} at {confidence:.0%} needs {needed} at least"

    def surest(name: str) -> float:
        order = np.argsort(-parts[name].scores, kind="stable")[:needed]
        return float(parts[name].wrong[order].mean())

    worst = max(parts, key=surest)
    if surest(worst) <= risk:
        return f"no threshold can be shown to keep a risk of {risk:.0%}: more items are needed, or a greater risk"
    return (
        f"no threshold keeps a risk of {risk:.0%}{' in each group' if worst else ''}: even of the {needed} {items.of}"
        f"{worst and f' of {worst}'} with the highest scores {surest(worst):.0%} are wrong; allow a greater risk, or "
        "use a better method"
    )
