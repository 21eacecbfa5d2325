"""Where an attributor finds copied spans: by layer, threshold, position, repetition and paraphrase.

After Phukan et al. 2024: figures 3 (precision and recall), 4 and 5 (layers), 7 (thresholds), 8 (position in the
answer), 9 (spans that occur several times, with a random choice beside it), table 3 (paraphrased answers).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell import registry
from citewell.errors import UsageError
from citewell_lab.bench import quoted
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import Item, SpanItem
from citewell_lab.bench.metrics import tokens
from citewell_lab.papers.hidden_states import grid, paraphrase, saved
from citewell_lab.papers.hidden_states.calibrate import marked_spans, stand
from citewell_lab.papers.hidden_states.draws import chance
from citewell_lab.papers.hidden_states.observe import Observed, observe
from citewell_lab.report.correlation import correlate
from citewell_lab.report.intervals import share
from citewell_lab.report.table import Report, Table
from citewell_lab.report.values import Value, mean_of, ranged

STUDIES = ("curve", "layers", "thresholds", "positions", "repeated", "paraphrased")
BINS = 5
POINTS = 100  # of a precision-recall curve
THRESHOLDS = tuple(round(0.3 + 0.05 * step, 2) for step in range(15))


class Ran(NamedTuple):
    """A method and what its settings made of the items; the first setting is the method as it was given."""

    name: str
    observed: Observed
    layered: bool

    def by_layer(self) -> list[tuple[int, str]]:
        """The settings in the order of their layers, with what they are called."""
        settings = self.observed.settings
        order = sorted(range(len(settings)), key=lambda s: dict(settings[s].params).get("layer", 0))
        return [(s, settings[s].label if self.layered else "–") for s in order]


def study(
    methods: Sequence[str],
    task: str,
    data: str | Path,
    split: str = "dev",
    which: Sequence[str] = STUDIES,
    *,
    llm: Any = None,
    seed: int = 0,
    limit: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """Run some of the studies.

    The `llm` paraphrases, rules do without one; `progress` is told how many items of a pass are done.

    Raises:
        UsageError: no such study or task.
        InputError: the data is not there.
        BackendError: a method cannot run.
    """
    for name in which:
        if name not in STUDIES:
            raise UsageError(f"no study {name!r}; there are: {', '.join(STUDIES)}")
    every = bool({"layers", "thresholds", "repeated"} & set(which))
    with_tokens = bool({"curve", "layers", "thresholds"} & set(which))
    items, kept = marked_spans(task, data, split, limit)
    known = list(items)
    ran = []
    methods = [quoted.worded(method) for method in methods]
    for method in methods:
        layered = grid.has_layers(method)
        chosen = grid.settings(method) if layered and every else [grid.single(method)]
        observed = observe(known, chosen, with_tokens=with_tokens, progress=progress)
        ran.append(Ran(registry.canonical("attributor", method), observed, layered and every))
    first = ran[0].observed
    after: dict[str, paraphrase.Rewritten | str] = {}
    by = ""
    if "paraphrased" in which:
        after, by = _rewritings(task, data, split, known, llm)
    makers = {
        "curve": lambda: [curve(ran)],
        "layers": lambda: [layers(ran, seed)],
        "thresholds": lambda: [thresholds(ran)],
        "positions": lambda: positions(ran, seed),
        "repeated": lambda: [repeated(ran, seed)],
        "paraphrased": lambda: [paraphrased(ran, methods, after, by, seed, progress)],
    }
    tables = [table for name in dict.fromkeys(which) for table in makers[name]()]
    record = {
        "task": task,
        "split": split,
        "methods": [name.name for name in ran],
        "items": len(first.items),
        "failed": {name.name: list(name.observed.failed) for name in ran if name.observed.failed},
        "standing": stand(task, split, first, kept, limited=limit is not None),
        "seed": seed,
        "limit": limit,
        "llm": None if llm is None else str(llm),
        **({"prompt": paraphrase.prompt().sha256} if llm is not None else {}),
        **kept,
    }
    return Report(tuple(tables), record)


def layers(ran: Sequence[Ran], seed: int = 0) -> Table:
    """Span accuracy and F1 of copied tokens by layer; methods without layers stand beside it with one row."""
    rows: list[tuple[Value, ...]] = []
    for system in ran:
        several = [[count > 1 for count in _several(item)] for item in system.observed.items]
        for s, label in system.by_layer():
            point = system.observed.point(s)
            hard = system.observed.accuracy(s, several, seed=seed)
            between = ranged(system.observed.accuracy(s, seed=seed))
            rows.append((system.name, label, point.n, point.span_accuracy, between, mean_of(hard),
                         point.threshold, point.precision, point.recall, point.f1, point.pr_auc))  # fmt: skip
    columns = ("method", "layer", "spans", "span_accuracy", "95%", "on_repeated_spans", "best_threshold",
               "token_precision", "token_recall", "token_f1", "pr_auc")  # fmt: skip
    controls = dict.fromkeys(s.control for system in ran for s in system.observed.settings if s.control)
    notes = ("the threshold is that of the best F1 on these answers", *(f"control: {why}" for why in controls))
    return Table("layers", "Accuracy and F1 by layer", columns, tuple(rows), ("spans", "best_threshold"), notes)


def curve(ran: Sequence[Ran]) -> Table:
    """Precision and recall of copied tokens at thresholds over the whole range: each method's best layer by F1."""
    rows: list[tuple[Value, ...]] = []
    for system in ran:
        scored = [(s, label) for s, label in system.by_layer() if system.observed.tokens(s) is not None]
        if not scored:
            continue
        free = [pair for pair in scored if not system.observed.settings[pair[0]].control] or scored
        best, label = max(free, key=lambda pair: system.observed.point(pair[0], area=False).f1 or 0.0)
        thinned_points = system.observed.tokens(best)
        points = tokens.curve(thinned_points[0].tolist(), thinned_points[1].tolist()) if thinned_points else []
        step = max(1, -(-len(points) // POINTS))
        thinned = dict.fromkeys([*points[::step], *points[-1:]])
        rows += [(system.name, label, point.threshold, point.precision, point.recall, point.f1) for point in thinned]
    columns = ("method", "layer", "threshold", "token_precision", "token_recall", "token_f1")
    notes = ("the layer is that of the best F1 on these answers; the last point of a method marks every token",)
    return Table("curve", "Copied tokens: precision and recall", columns, tuple(rows), ("threshold",), notes)


def thresholds(ran: Sequence[Ran]) -> Table:
    """Precision, recall and F1 of copied tokens by threshold and layer."""
    rows: list[tuple[Value, ...]] = []
    for system in ran:
        for s, label in system.by_layer():
            points = system.observed.tokens(s)
            if points is None:
                continue
            gold, scores = points[0].tolist(), points[1].tolist()
            for at in THRESHOLDS:
                point = tokens.point(gold, scores, at)
                rows.append((system.name, label, at, point.precision, point.recall, point.f1))
    columns = ("method", "layer", "threshold", "token_precision", "token_recall", "token_f1")
    return Table("thresholds", "Copied tokens by threshold", columns, tuple(rows), ("threshold",))


def positions(ran: Sequence[Ran], seed: int = 0) -> list[Table]:
    """Span accuracy by where the span stands in the answer and its source in the document, with correlations."""
    rows: list[tuple[Value, ...]] = []
    tests: list[tuple[Value, ...]] = []
    for system in ran:
        for name, places in (("answer", _in_answer(system.observed)), ("document", _in_document(system.observed))):
            flat = [place for item_places in places for place in item_places]
            right = [float(flag) for prediction in system.observed.predictions[0] for flag in prediction.right]
            test = correlate(flat, right, shuffles=2000, seed=seed)
            tests.append((system.name, name, len(flat), *((test.r, test.p) if test else (None, None))))
            for number in range(BINS):
                low, high = number / BINS, (number + 1) / BINS
                chosen = [[low <= place < high for place in item_places] for item_places in places]
                inside = system.observed.accuracy(0, chosen, seed=seed)
                count = sum(map(sum, chosen))
                rows.append((system.name, name, f"{low:.1f}-{high:.1f}", count, mean_of(inside),
                             ranged(inside)))  # fmt: skip
    notes = ("answer: the span's first character, by the answer's length; document: the middle of the gold passage",)
    return [
        Table("positions", "Span accuracy by position", ("method", "position_in", "from-to", "spans", "span_accuracy",
              "95%"), tuple(rows), ("spans",), notes),
        Table("positions-correlation", "Does the position matter? Pearson's r of position and being right",
              ("method", "position_in", "spans", "r", "p"), tuple(tests), ("spans", "r", "p"),
              ("p: two-sided, by shuffling; spans of one answer are taken for independent",)),
    ]  # fmt: skip


def repeated(ran: Sequence[Ran], seed: int = 0) -> Table:
    """Span accuracy where the span's words stand in several passages, beside a random choice among these."""
    rows: list[tuple[Value, ...]] = []
    for system in ran:
        several = [_several(item) for item in system.observed.items]
        counts = [m for item_counts in several for m in item_counts if m > 1]
        luck = chance(counts, seed=seed)
        for s, label in system.by_layer():
            hard = system.observed.accuracy(s, [[m > 1 for m in item_counts] for item_counts in several], seed=seed)
            rest = system.observed.accuracy(s, [[m <= 1 for m in item_counts] for item_counts in several], seed=seed)
            rows.append((
                system.name, label, len(counts), float(np.mean(counts)) if counts else None,
                mean_of(hard), ranged(hard), mean_of(luck.range) if luck else None,
                ranged(luck.range) if luck else None,
                luck.p(hard.mean) if luck and hard else None, mean_of(rest),
            ))  # fmt: skip
    columns = ("method", "layer", "spans", "passages", "span_accuracy", "95%", "random", "random_95%", "p", "on_others")
    notes = (
        "spans whose words stand in a row in the gold passage and in at least one other; passages: in how many, mean",
        "random: one of these passages drawn; p: the share of 1,000 draws that are at least as good",
    )
    return Table("repeated", "Spans that occur several times", columns, tuple(rows), ("spans", "passages", "p"), notes)


def paraphrased(
    ran: Sequence[Ran],
    methods: Sequence[str],
    after: Mapping[str, paraphrase.Rewritten | str],
    by: str,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Table:
    """Span accuracy of the same spans before and after they were said in other words, the same words for all."""
    rows: list[tuple[Value, ...]] = []
    notes: list[str] = []
    for system, method in zip(ran, methods, strict=True):
        items = system.observed.items
        rewritings = [after[item.id] for item in items]
        kept = [(i, rewriting) for i, rewriting in enumerate(rewritings) if isinstance(rewriting, paraphrase.Rewritten)]
        lost = [rewriting for rewriting in rewritings if isinstance(rewriting, str)]
        if lost:
            notes.append(f"{len(lost)} answers were not paraphrased and are left out, the first because {lost[0]}")
        if not kept:
            raise UsageError(f"no answer was paraphrased: {lost[0]}")
        later = observe(
            [rewriting.item for _, rewriting in kept], [grid.single(method)], with_tokens=False, progress=progress
        )
        again = {item.id: prediction for item, prediction in zip(later.items, later.predictions[0], strict=True)}
        both = [(i, rewriting) for i, rewriting in kept if rewriting.item.id in again]
        groups = [items[i].question for i, _ in both]
        for label, only in (("all spans", False), ("changed spans", True)):
            before_hits, after_hits, totals = [], [], []
            for i, rewriting in both:
                mask = np.array(rewriting.changed, dtype=bool) if only else np.ones(len(rewriting.changed), dtype=bool)
                before_hits.append(float((system.observed.predictions[0][i].right & mask).sum()))
                after_hits.append(float((again[rewriting.item.id].right & mask).sum()))
                totals.append(float(mask.sum()))
            old, new = (share(hits, totals, groups, seed=seed) for hits in (before_hits, after_hits))
            change = [late - early for late, early in zip(after_hits, before_hits, strict=True)]
            difference = share(change, totals, groups, seed=seed)
            rows.append((system.name, label, int(sum(totals)), mean_of(old), mean_of(new),
                         mean_of(difference), ranged(difference)))  # fmt: skip
        words, fresh = sum(rewriting.words for _, rewriting in both), sum(rewriting.new_words for _, rewriting in both)
        spans = [flag for _, rewriting in both for flag in rewriting.changed]
        changed = f"{100 * sum(spans) / max(1, len(spans)):.0f}% of spans"
        note = f"{by}: {changed} and {100 * fresh / max(1, words):.0f}% of their words are new"
        notes += [note] if note not in notes else []
    columns = ("method", "of", "spans", "original", "paraphrased", "difference", "difference_95%")
    return Table("paraphrased", "Spans said in other words", columns, tuple(rows), ("spans",), tuple(notes))


def _rewritings(
    task: str, data: str | Path, split: str, items: Sequence[Item], llm: Any
) -> tuple[dict[str, paraphrase.Rewritten | str], str]:
    """The items in other words by their ids, and by whom: the saved set where there is one, else made now, once."""
    usable = [item for item in items if isinstance(item, SpanItem)]
    kept = saved.known(task, data, split, usable)
    rewritings, by = kept or (paraphrase.rewritten(usable, llm), str(llm or "rules"))
    return dict(zip((item.id for item in usable), rewritings, strict=True)), f"{by}, saved" if kept else by


def _several(item: SpanItem) -> list[int]:
    """In how many passages the words of each target stand in a row; 0 where the gold passage is none of them."""
    passages = {number: Words(item.passages.text[a:b]) for number, (a, b) in item.places.items()}
    result = []
    for (start, end), gold in zip(item.targets, item.gold, strict=True):
        quote = item.text[start:end]
        holding = {number for number, words in passages.items() if words.find(quote)}
        result.append(len(holding) if gold in holding else 0)
    return result


def _in_answer(observed: Observed) -> list[list[float]]:
    return [[target.start / max(1, len(item.text)) for target in item.targets] for item in observed.items]


def _in_document(observed: Observed) -> list[list[float]]:
    result = []
    for item in observed.items:
        length = max(1, len(item.passages.text))
        middles = {number: (start + end) / 2 / length for number, (start, end) in item.places.items()}
        result.append([middles[gold] for gold in item.gold])
    return result
