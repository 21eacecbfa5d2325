"""Choosing retrievers and checkers by experiment, as LAB does (tables 2 and 21 to 23).

A retriever is chosen by what answers become with it: the mean of the task's metrics on a development split. A checker
is chosen by how well it tells supported claims from others: against people's labels, or, where the data has gold
evidence, against claims with their evidence and with as many other segments drawn at random.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.errors import BackendError, InputError, MissingExtraError, UsageError
from citewell.protocols import Checker, Pair
from citewell.types import Span, Verdict
from citewell_lab.bench.datasets import files
from citewell_lab.bench.everything import slug
from citewell_lab.bench.items import Broken, ClaimItem, EvidenceItem, Item, QuestionItem
from citewell_lab.bench.kinds.base import mean
from citewell_lab.bench.kinds.questions import claim_of, evidence_of
from citewell_lab.bench.metrics.agreement import cohen
from citewell_lab.bench.metrics.labels import accuracy, balanced_accuracy
from citewell_lab.bench.run import REPLIES, run
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.beside import Row, Standings
from citewell_lab.papers.published import published

RETRIEVERS = ("bm25", "sbert", "contriever", "dragon", "gtr")
CHECKERS = ("lexical",)
_TABLES = {
    "retrieve-then-read": "lab-21",
    "reduced-citation": "lab-22",
    "reduced-post-hoc": "lab-22",
    "post-hoc": "lab-23",
}
_SMALLEST = 10  # segments for each that is drawn, so that a drawn one hardly shows the claim too (as LAB's own code)
_BATCH = 64


class Case(NamedTuple):
    """A claim as checkers of words and models get it, its evidence, whether it supports the claim, and for whom."""

    words: str
    sentence: str
    evidence: tuple[Document, ...]
    supported: bool
    annotators: tuple[bool, ...] = ()


def retrievers(
    name: str, data: str | Path, split: str, approach: str, specs: Sequence[str], out: Path, **options: Any
) -> Standings:
    """Run a task once with each retriever; the best mean of the metrics wins.

    Runs that lie in `out` go on; all share the model's replies, so that what a retriever does not change is asked once.

    Raises:
        UsageError: the approach does not retrieve.
        BackendError: no retriever could be run.
    """
    if approach not in _TABLES:
        raise UsageError(f"the approach {approach!r} uses no retriever; these do: {', '.join(_TABLES)}")
    paper = next(row for row in published() if row["id"] == _TABLES[approach])
    columns = [column.partition(".")[2] for column in paper["columns"] if column.startswith(f"{name}.")]
    if not columns:
        raise UsageError(f"LAB has no task {name!r}")
    rows = []
    for row in paper["rows"]:
        pairs = zip(paper["columns"], row["values"], strict=True)
        values = [value for column, value in pairs if column.startswith(f"{name}.")]
        rows.append(Row(row["name"], "paper", (*values, mean(values)), paper["n"], split="dev", published="published"))

    def answered(spec: str) -> Row:
        place = out / "-".join((name, approach, slug(spec)))
        result = run(name, data, split, approach=approach, retriever=spec, out=place, replies=out / REPLIES, **options)
        figures = [result.scores.metrics.get(column) for column in columns]
        values = (*figures, mean([value for value in figures if value is not None]))
        counts = (result.n, result.scores.abstained, result.failed)
        return Row(spec, "ours", values, *counts, split, str(result.standing))

    ours, best, left_out = _tried(specs, answered)
    title = f"Retrievers for {name} with {approach} ({paper['table']})"
    notes = (best, "mean is over the metrics of the row", *left_out)
    return Standings(f"{paper['id']}-{name}", title, paper["paper"], (*columns, "mean"), (*rows, *ours), notes)


def _tried(specs: Sequence[str], measure: Callable[[str], Row]) -> tuple[list[Row], str, list[str]]:
    """A row for each back end that can be run, the best by its last figure in words, and why others have no row."""
    rows: list[Row] = []
    left_out = []
    for spec in specs:
        try:
            rows.append(measure(spec))
        except (MissingExtraError, BackendError) as error:
            left_out.append(f"{spec} was not run: {error}")
    if not rows:
        raise BackendError(f"nothing could be run: {'; '.join(left_out)}")
    return rows, f"best: {max(rows, key=_last).name}", left_out


def _last(row: Row) -> float:
    """The last figure of a row, which is of one run."""
    value = row.values[-1]
    return value if isinstance(value, float) else 0.0


def checkers(
    name: str,
    data: str | Path,
    split: str,
    specs: Sequence[str],
    *,
    annotations: Path | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Standings:
    """Judge claims with each checker; the best balanced accuracy wins.

    `annotations` is a file of labelled claims instead of the task's data: JSON lines with `claim`, `evidence` (a
    text) and `attributable` (true or false, or a list with each annotator's: most decide, and their agreement is told).

    Raises:
        UsageError: the data of the task has neither labels nor gold evidence.
        InputError: the annotations cannot be read.
        BackendError: no checker could be run.
    """
    if annotations is not None:
        cases = list(_annotated(annotations))
    else:
        source = find_task(name).data
        cases = list(_cases(source.items(source.files(Path(data), split), split), random.Random(seed)))  # noqa: S311  (no secret)
    paper = next(row for row in published() if row["id"] == "lab-2")
    agreement = _agreement(cases, paper.get("agreement", {}).get(name))
    cases = [case for case in cases if not case.annotators or 2 * sum(case.annotators) != len(case.annotators)][:limit]
    if not cases:
        raise UsageError(f"the data of {name!r} marks neither attributable claims nor gold evidence")
    gold = [row.supported for row in cases]
    rows = []
    for row in paper["rows"] if f"{name}.accuracy" in paper["columns"] else ():
        first = paper["columns"].index(f"{name}.accuracy")
        rows.append(Row(row["name"], "paper", tuple(row["values"][first : first + 2]), None, published="published"))

    def judged(spec: str) -> Row:
        predicted = _judged(registry.build("checker", spec), cases, words=registry.parse(spec).name == "lexical")
        values = accuracy(gold, predicted), balanced_accuracy(gold, predicted)
        missing = sum(label is None for label in predicted)
        return Row(spec, "ours", values, len(cases), missing, missing, split)

    ours, best, left_out = _tried(specs, judged)
    note = f"{sum(gold)} of {len(gold)} claims are supported"
    title, columns = f"Checkers for {name} (as {paper['table']})", ("accuracy", "balanced_accuracy")
    notes = (best, note, *agreement, *_kind(name, annotations), *left_out)
    return Standings(f"lab-2-{name}", title, paper["paper"], columns, (*rows, *ours), notes)


def _kind(name: str, annotations: Path | None) -> list[str]:
    if annotations is not None or name in ("salad", "attributionbench"):
        return []
    return ["claims are made from gold answers, with their gold evidence and with as many other segments at random"]


def _agreement(cases: Sequence[Case], paper: float | None) -> list[str]:
    """Cohen's kappa, the mean over pairs of annotators, where there are several."""
    columns = list(zip(*(case.annotators for case in cases), strict=False))
    kappas = [kappa for pair in itertools.combinations(columns, 2) if (kappa := cohen(*pair)) is not None]
    if not kappas:
        return []
    beside = "" if paper is None else f" (the paper's annotators: {paper:.2f})"
    split = sum(2 * sum(case.annotators) == len(case.annotators) for case in cases)
    left_out = f"; {split} claims on which they are split in halves are left out" if split else ""
    return [f"agreement of {len(columns)} annotators: Cohen's kappa {mean(kappas):.2f}{beside}{left_out}"]


def _judged(checker: Checker, cases: Sequence[Case], *, words: bool) -> list[bool | None]:
    """Whether each claim is supported; None where the checker failed, which counts as wrong.

    Without evidence nothing is supported, whoever judges.
    """
    judged_cases = [case for case in cases if case.evidence]
    verdicts: list[Verdict] = []
    for first in range(0, len(judged_cases), _BATCH):
        batch = judged_cases[first : first + _BATCH]
        verdicts += checker.check([Pair(case.words if words else case.sentence, case.evidence) for case in batch])
    replies = iter(None if verdict.failed else verdict.label == "supported" for verdict in verdicts)
    return [next(replies) if case.evidence else False for case in cases]


def _annotated(path: Path) -> Iterator[Case]:
    for number, row in files.parsed(path):
        if isinstance(row, Broken):
            raise InputError(f"{path}, line {number + 1}: {row.reason}")
        try:
            claim, evidence, supported = row["claim"], row["evidence"], row["attributable"]
            documents = (Document.from_text(evidence),) if evidence.strip() else ()
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}, line {number + 1}: claim, evidence and attributable are wanted") from error
        labels = tuple(supported) if isinstance(supported, list) else (supported,)
        if not labels or not all(isinstance(label, bool) for label in labels):
            raise InputError(f"{path}, line {number + 1}: attributable is true or false, not {supported!r}")
        yield Case(claim, claim, documents, 2 * sum(labels) > len(labels), labels)


def _cases(items: Iterable[Item], draw: random.Random) -> Iterator[Case]:
    for item in items:
        if isinstance(item, ClaimItem) and item.documents:
            yield Case(item.claim, item.claim, item.documents, item.supported)
        elif isinstance(item, QuestionItem) and item.question:
            gold = next(
                (reference for reference in item.references if reference.evidence and not reference.unanswerable), None
            )
            if gold is not None:
                forms = [claim_of(item.question, gold.text, framed=framed) for framed in (False, True)]
                yield from _both(forms, item.document, item.segments, gold.evidence or frozenset(), draw)
        elif isinstance(item, EvidenceItem):
            reference = item.annotations[0]
            gold_set = next((evidence_set for evidence_set in reference.sets if evidence_set), frozenset())
            if reference.label in item.statements and reference.label != "partially_supported":
                claim = item.statements[reference.label]
                yield from _both([claim, claim], item.document, item.segments, gold_set, draw)


def _both(
    forms: Sequence[str], document: Document, segments: Sequence[Span], gold: frozenset[int], draw: random.Random
) -> Iterator[Case]:
    """A claim with its evidence, and with as many other segments; nothing where the document is too short for that."""
    others = [i for i, (a, b) in enumerate(segments) if i not in gold and document.text[a:b].strip()]
    if not gold or len(others) < _SMALLEST * len(gold):
        return
    for positions, supported in ((gold, True), (draw.sample(others, len(gold)), False)):
        evidence = evidence_of(document, [segments[i] for i in positions])
        yield Case(forms[0], forms[1], (evidence,) if evidence else (), supported)
