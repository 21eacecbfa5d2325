"""Calibration of the scores of runs: calibration errors as a table, reliability diagrams as a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from citewell_lab.bench import records
from citewell_lab.bench.judged import Flags, Names, Scores
from citewell_lab.bench.kinds.base import Task
from citewell_lab.bench.metrics.reliability import Reliability, reliability
from citewell_lab.bench.records import Good
from citewell_lab.bench.run import Result
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.beside import Row, Standings
from citewell_lab.report import plots
from citewell_lab.report.plots import Panel, Plot, Series
from citewell_lab.report.table import Table

COLUMNS = ("mean_score", "share_right", "ece", "ece_by_chance", "ece_refitted")
_HALF = 0.5  # an answer whose F1 with the gold answer is below is wrong
_TITLE = "Are scores probabilities?"
_NOTES = (
    "ece: distance between score and share right over ten equal steps of the score (Guo et al. 2017)",
    "ece_by_chance: what scores that are probabilities would have on so many items",
    "ece_refitted: what is left where the shares of right items of other folds take its place (isotonic regression)",
)


class Scored(NamedTuple):
    """Scores of a run, of each whether it is right what it is of, and what items hang together."""

    what: str
    scores: Scores
    right: Flags
    sources: Names


def scored(task: Task[Any], kept: Sequence[Good]) -> Scored | None:
    """The scores of a run that claim to be probabilities; None where it has none."""
    rows = [(what, score, right, task.source(record)) for record in kept for what, score, right in _pairs(record)]
    if not rows or not all(0 <= score <= 1 for _, score, _, _ in rows):
        return None
    names = [source for _, _, _, source in rows]
    right = np.array([right for _, _, right, _ in rows], dtype=bool)
    return Scored(rows[0][0], np.array([score for _, score, _, _ in rows]), right, np.array(names))


def _pairs(record: Any) -> Iterator[tuple[str, float, bool]]:
    """What a score is of, the score, and whether it is so."""
    if "loss" in record:
        good = not record["unanswerable"] and record["loss"] <= _HALF
        yield "answer", record["confidence"], record.get("holds", good)
    elif "annotated" in record:
        gold = Counter(record["annotated"]).most_common(1)[0][0]
        scores = record.get("scores", {})
        whole = {"supported": scores["supported"]} if "supported" in scores else scores  # one statement for two labels
        yield from (("claim", score, label == gold) for label, score in whole.items())
    elif "gold" in record and "score" in record:
        if record["label"] not in ("no_claim", "unverified"):
            yield "claim", record["score"], record["gold"]
    elif record.get("token_scores") and "token_gold" in record:
        pairs = zip(record["token_scores"], record["token_gold"], strict=True)
        yield from (("copied token", score, flag == "1") for score, flag in pairs if score)  # 0: it was given none


def _read(results: Sequence[Result]) -> Iterator[tuple[Result, Scored, Reliability]]:
    for result in results:
        if result.out is None:
            continue
        pairs = scored(find_task(result.task), records.good(records.counted(result.out)[1]))
        if pairs is not None:
            yield result, pairs, reliability(pairs.scores, pairs.right, pairs.sources)


def standings(results: Sequence[Result]) -> Standings | None:
    """A row for each run with scores that claim to be probabilities; None where no run has any."""
    rows = []
    for result, pairs, figures in _read(results):
        values = (
            float(pairs.scores.mean()),
            float(pairs.right.mean()),
            figures.ece,
            figures.by_chance,
            figures.refitted,
        )
        name = f"{result.task}: {result.method} ({pairs.what})"
        rows.append(Row(name, "ours", values, figures.n, split=result.split, published=str(result.standing)))
    return Standings("reliability", _TITLE, "", COLUMNS, tuple(rows), _NOTES) if rows else None


def plot(results: Sequence[Result]) -> list[Plot]:
    """A reliability diagram for each task; none without scores.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    panels: dict[str, list[Series]] = {}
    numbers = []
    for result, pairs, figures in _read(results):
        points = [(100 * step.score, 100 * step.right, 0.0, 0.0) for step in figures.steps]
        title = f"{result.task} ({pairs.what}), ECE {100 * figures.ece:.1f}, n {figures.n}"
        panels.setdefault(title, []).append(Series(result.method, points))
        numbers += [(result.task, result.method, *step) for step in figures.steps]
    if not panels:
        return []
    whole = Series("score = share right", [(0.0, 0.0, 0.0, 0.0), (100.0, 100.0, 0.0, 0.0)], dashed=True)
    drawn = [Panel(title, [*series, whole]) for title, series in panels.items()]
    svg = plots.curves("reliability", drawn, ("score (%)", "right (%)"), limits=(-2, 102))
    table = Table("reliability", _TITLE, ("task", "run", "score", "right", "n"), tuple(cast("Any", numbers)))
    caption = "The share that is right of what has a score, in ten steps; on the dashed line scores are probabilities."
    return [Plot("reliability", _TITLE, caption, svg, table)]
