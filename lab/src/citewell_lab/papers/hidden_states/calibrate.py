"""Chooses an attributor's settings on development data, with all figures and the value of the choice.

A figure that was chosen and measured on the same answers is too good. So each choice is also made without a fifth of
the questions and measured on that fifth; both figures are given. Layers and thresholds are chosen as in Phukan et al.
2024, sections 6.1 and 6.2 and appendix A.3: the layer by span accuracy, the threshold of tokens by F1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell import registry
from citewell.errors import UsageError
from citewell_lab.bench.items import Item
from citewell_lab.bench.kinds.spans import MARKED, Spans
from citewell_lab.bench.metrics import tokens
from citewell_lab.bench.metrics.labels import Counts
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers import source
from citewell_lab.papers.hidden_states import draws, grid
from citewell_lab.papers.hidden_states.observe import Observed, Point, observe
from citewell_lab.report.intervals import share
from citewell_lab.report.table import Table
from citewell_lab.report.values import Interval, percent, ranged

AIMS = ("span_accuracy", "token_f1")
EACH = "span_accuracy, tokens by token_f1"  # a layer for each sub-task


class Choice(NamedTuple):
    """The position of the setting for spans, that for tokens, and its threshold, None where it has none."""

    setting: int
    tokens: int
    threshold: float | None


class HeldOut(NamedTuple):
    """Choices that never saw what they are measured on: pooled figures, and the setting that each fold chose."""

    span_accuracy: Interval | None
    precision: float | None
    recall: float | None
    f1: float | None
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Calibration:
    """What `citewell calibrate` found.

    Attributes:
        method: the method as it was given.
        task: the data.
        split: of the data.
        by: what the setting was chosen by.
        observed: everything that was seen.
        points: in-sample figures of every setting, thresholds of the best F1 where the method has one.
        best: the choice.
        held_out: the cross-validated figures of choosing in this way.
        spec: the spec to use.
        record: checksums and versions.
    """

    method: str
    task: str
    split: str
    by: str
    observed: Observed
    points: tuple[Point, ...]
    best: Choice
    held_out: HeldOut
    spec: str
    record: dict[str, Any]

    @property
    def marked_all(self) -> Point:
        """The tokens where all are marked, which any F1 has to be seen beside."""
        gold = np.concatenate(self.observed.gold)
        rate = float(gold.mean()) if len(gold) else 0.0
        return Point(0, None, 0, -1.0, rate, 1.0, 2 * rate / (1 + rate), rate)

    def curve(self) -> list[tokens.Point]:
        """Precision, recall and F1 of the setting chosen for tokens at every threshold; empty without their scores."""
        points = self.observed.tokens(self.best.tokens)
        return tokens.curve(points[0].tolist(), points[1].tolist()) if points else []

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: everything that the table shows, and the whole curve of the chosen setting."""
        chosen = self.points[self.best.setting]
        held_out = self.held_out
        return {
            "method": self.method,
            "task": self.task,
            "split": self.split,
            "by": self.by,
            "items": len(self.observed.items),
            "questions": len(set(self.observed.groups)),
            "spans": chosen.n,
            "tokens": int(sum(len(gold) for gold in self.observed.gold)),
            "failed": list(self.observed.failed),
            "spec": self.spec,
            "in_sample": chosen._asdict(),
            "in_sample_tokens": self.points[self.best.tokens]._asdict(),
            "cross_validated": {
                "span_accuracy": held_out.span_accuracy._asdict() if held_out.span_accuracy else None,
                "token_precision": held_out.precision,
                "token_recall": held_out.recall,
                "token_f1": held_out.f1,
                "chosen": list(held_out.chosen),
            },
            "all_marked": self.marked_all._asdict(),
            "settings": [
                {"name": setting.name, **dict(setting.params), "control": setting.control, **point._asdict()}
                for setting, point in zip(self.observed.settings, self.points, strict=True)
            ],
            "curve": [gold._asdict() for gold in self.curve()],
            "work": self.observed.counts,
            "warnings": list(self.observed.warnings),
            "record": self.record,
        }


def calibrate(
    method: str,
    task: str,
    data: str | Path,
    split: str = "dev",
    *,
    by: str | None = None,
    values: Mapping[str, tuple[Any, ...]] | None = None,
    folds: int = 5,
    seed: int = 0,
    limit: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Calibration:
    """Choose the settings of an attributor.

    What `method` fixes stays as it is, save what the grid varies: `values`, else every layer, or floors and gains.
    Without `by` a layer is chosen by span accuracy, and one for copied tokens by their F1, as in the paper; other
    settings are chosen by the tokens' F1.

    Raises:
        UsageError: no such task, aim or grid.
        InputError: the data is not there.
        BackendError: the method cannot run.
    """
    items, kept = marked_spans(task, data, split, limit)
    observed = observe(items, grid.settings(method, values), progress=progress)
    kept["standing"] = stand(task, split, observed, kept, limited=limit is not None)
    free = grid.has_layers(method)
    aim = by or (EACH if free else "token_f1")
    if aim not in (*AIMS, EACH):
        raise UsageError(f"a setting is chosen by {' or '.join(AIMS)}, not {aim!r}")
    if aim == "token_f1" and all(observed.tokens(s) is None for s in range(len(observed.settings))):
        raise UsageError(f"{method} gives no scores of tokens: choose by span_accuracy")
    points = tuple(observed.point(s, threshold=None if free else MARKED) for s in range(len(observed.settings)))
    best = choose(observed, aim, free=free)
    return Calibration(
        registry.canonical("attributor", method),
        task,
        split,
        aim,
        observed,
        points,
        best,
        _held_out(observed, aim, free=free, count=folds, seed=seed),
        _spec(method, observed, best),
        {**kept, "seed": seed, "folds": folds, "limit": limit},
    )


def marked_spans(name: str, data: str | Path, split: str, limit: int | None) -> tuple[Iterator[Item], dict[str, Any]]:
    """The items of a task with marked spans, and the record of the files they come from.

    Raises:
        UsageError: the task has no marked spans.
        InputError: the data is not there.
    """
    if not isinstance(find_task(name), Spans):
        raise UsageError(f"the task {name!r} has no marked spans: take verifiability-granular or quotesum")
    return source.read(name, data, split, limit)


def stand(name: str, split: str, observed: Observed, kept: Mapping[str, Any], *, limited: bool) -> str:
    """Whether the split is the published one."""
    size = len(observed.items) + len(observed.failed)
    state, why = find_task(name).data.standing(split, size, kept["checksums"], limited=limited)
    return f"{state} ({why})"


def choose(observed: Observed, aim: str, within: Sequence[int] | None = None, *, free: bool) -> Choice:
    """The best setting by the aim, of equals that with the better other figure, then the first.

    Only items `within` are looked at; with `free` the threshold is chosen too, by F1. By `EACH` the settings of spans
    and of tokens are chosen apart.
    """
    if aim == EACH:
        spans, copied = (choose(observed, aim, within, free=free) for aim in AIMS)
        return Choice(spans.setting, copied.tokens, copied.threshold)
    best: tuple[tuple[float, float], Choice] | None = None
    for number, setting in enumerate(observed.settings):
        if setting.control:
            continue
        point = observed.point(number, within, None if free else MARKED, area=False)
        values = (round(point.span_accuracy or 0.0, 9), round(point.f1 or 0.0, 9))
        rank = values if aim == "span_accuracy" else (values[1], values[0])
        if best is None or rank > best[0]:
            best = rank, Choice(number, number, point.threshold if free else None)
    if best is None:
        raise UsageError("every setting is a control: give --grid with a layer above 0")
    return best[1]


def _held_out(observed: Observed, aim: str, *, free: bool, count: int, seed: int) -> HeldOut:
    groups = observed.groups
    every = range(len(observed.items))
    hits, totals = [0.0] * len(groups), [0.0] * len(groups)
    marked = np.zeros(3)  # hits, predicted, wanted
    chosen = []
    parts = draws.folds(groups, count, seed)
    scored = False
    for part in parts if len(parts) > 1 else []:
        best = choose(observed, aim, sorted(set(every) - set(part)), free=free)
        at = MARKED if best.threshold is None else best.threshold
        threshold = f", threshold={best.threshold:.3f}" if best.threshold is not None else ""
        apart = f", tokens {observed.settings[best.tokens].name}" if best.tokens != best.setting else ""
        chosen.append(observed.settings[best.setting].name + apart + threshold)
        for i in part:
            right = observed.predictions[best.setting][i].right
            hits[i], totals[i] = float(right.sum()), float(len(right))
        points = observed.tokens(best.tokens, part)
        if points is not None:
            scored = True
            flags = points[1] >= at
            marked += (points[0] & flags).sum(), flags.sum(), points[0].sum()
    accuracy = share(hits, totals, groups, seed=seed)
    if not scored:
        return HeldOut(accuracy, None, None, None, tuple(chosen))
    hit, predicted, wanted = map(int, marked)
    counts = Counts(hit, predicted - hit, wanted - hit)
    return HeldOut(accuracy, counts.precision, counts.recall, counts.f1, tuple(chosen))


def _spec(method: str, observed: Observed, best: Choice) -> str:
    parsed = registry.parse(method)
    params = dict(parsed.params) | dict(observed.settings[best.setting].params)
    if "layer" in dict(observed.settings[best.setting].params):
        params.pop("token_layer", None)
    if best.tokens != best.setting:
        params["token_layer"] = dict(observed.settings[best.tokens].params)["layer"]
    if best.threshold is not None:
        params["threshold"] = round(best.threshold, 6)
    return registry.canonical("attributor", str(registry.Spec(parsed.name, tuple(params.items()))))


def table(calibration: Calibration) -> Table:
    """The settings side by side: layers in their order, others best first."""
    layered = any("layer" in dict(setting.params) for setting in calibration.observed.settings)
    order = list(range(len(calibration.points)))
    if layered:
        order.sort(key=lambda i: tuple(str(v).zfill(4) for _, v in calibration.observed.settings[i].params))
    else:
        by_accuracy = calibration.by != "token_f1"
        order.sort(
            key=lambda i: -((calibration.points[i].span_accuracy if by_accuracy else calibration.points[i].f1) or 0)
        )
    rows = []
    for i in order:
        setting, point = calibration.observed.settings[i], calibration.points[i]
        name = (
            setting.label
            + (" *" if i == calibration.best.setting else "")
            + (" †" if i == calibration.best.tokens else "")
        )
        between = ranged(calibration.observed.accuracy(i))
        rows.append(
            (name, point.span_accuracy, between, point.threshold, point.precision, point.recall, point.f1, point.pr_auc)
        )
    columns = ("setting", "span_accuracy", "95%", "threshold", "token_precision", "token_recall", "token_f1", "pr_auc")
    rate = calibration.marked_all
    rows.append(("all tokens marked", None, None, None, rate.precision, rate.recall, rate.f1, None))
    return Table("settings", _title(calibration), columns, tuple(rows), ("threshold",), _notes(calibration))


def _title(calibration: Calibration) -> str:
    observed = calibration.observed
    spans = calibration.points[0].n
    questions = len(set(observed.groups))
    size = f"{len(observed.items)} answers to {questions} questions, {spans} spans"
    return f"{calibration.method} on {calibration.task} {calibration.split}: {size}, failed {len(observed.failed)}"


def _notes(calibration: Calibration) -> tuple[str, ...]:
    point, copied = calibration.points[calibration.best.setting], calibration.points[calibration.best.tokens]
    held_out = calibration.held_out
    name = calibration.observed.settings[calibration.best.setting].name
    notes = [f"data: {calibration.record['standing']}", f"* chosen by {calibration.by}: {name}"]
    notes.append(f"† for copied tokens: {calibration.observed.settings[calibration.best.tokens].name}")
    notes += [
        f"control, never chosen: {why}"
        for why in dict.fromkeys(s.control for s in calibration.observed.settings)
        if why
    ]
    if calibration.points and any(
        dict(s.params).get("layer") == 0 and not s.control for s in calibration.observed.settings
    ):
        notes.append("layer 0 is the control; this model's embeddings hold the position, so that it may be chosen")
    for key, value in calibration.observed.settings[calibration.best.setting].params:
        known = {dict(setting.params)[key] for setting in calibration.observed.settings}
        if key != "layer" and len(known) > 2 and value in (min(known), max(known)):
            notes.append(
                f"{key}={value} is at the edge of its grid: --grid {key}=... with further values may give more"
            )
    if copied.threshold == -1.0:
        notes.append("threshold -1: marking every token has the best F1, so that only the curve says anything")
    notes.append(
        "in sample (chosen and measured on the same answers, too good): "
        f"span accuracy {percent(point.span_accuracy)}, token F1 {percent(copied.f1)}"
    )
    if held_out.chosen:
        inside = held_out.span_accuracy
        between = f" (95% {ranged(inside)})" if inside else ""
        notes.append(
            f"cross-validated by question ({len(held_out.chosen)} folds): "
            f"span accuracy {percent(inside.mean if inside else None)}{between}, token F1 {percent(held_out.f1)}"
        )
        notes.append("the folds chose: " + "; ".join(held_out.chosen))
    else:
        notes.append("not cross-validated: there is one question only")
    return tuple(notes)
