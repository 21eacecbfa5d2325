"""Runs as rows for all analyses: quality of response and evidence, confidence, positions, length.

Records hold predictions; where gold evidence stands and how long a document is comes from the data that the run read,
whose checksums must be the run's. Without the data the analyses that need neither still work.
Positions are (number of the segment + 0.5) / number of segments: 0 is the document's beginning, 1 its end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citewell import registry
from citewell.errors import InputError, UsageError
from citewell_lab.bench import records
from citewell_lab.bench.items import EvidenceItem, Item, QuestionItem, RankItem, SpanItem
from citewell_lab.bench.kinds.base import mean
from citewell_lab.bench.metrics.answers import NO_ANSWER
from citewell_lab.bench.records import AnswerRecord, ClaimRecord, Good, LabelRecord, PageRecord, RankRecord, SpanRecord
from citewell_lab.bench.run import Result, called, summarise
from citewell_lab.bench.spec import Spec
from citewell_lab.bench.tasks import task
from citewell_lab.papers.lab import needed

# Labels that need no evidence, and what stands for a withheld answer: they have no attributability (LAB 5.3).
WITHOUT_EVIDENCE = frozenset({"not_supported", "NotMentioned", "NOT_ENOUGH_INFO", NO_ANSWER})
ANSWERABLE = "answerable"


@dataclass(frozen=True, slots=True)
class Row:
    """One item of a run, or one sentence or span where those are what is scored.

    Attributes:
        response: quality of the response in [0, 1]; None where the task has none.
        evidence: quality of the evidence: the share of statements that it supports where the task measures that, else
            F1 of the gold evidence.
        attributability: the probability that the predicted evidence supports the response, a mean over its statements;
            None where none is needed or known.
        confidence: the system's own, for risk and coverage.
        loss: what it costs to answer, where a withheld answer is known too; else 1 - response.
        gold: the gold class, `predicted` the predicted one; "unanswerable" or "answerable" for questions.
        abstained: whether the system withheld its prediction.
        gold_at: positions of the gold evidence; `predicted_at` of the predicted one.
        cited: numbers of the predicted segments.
        segments: how many segments the document has; None without the data.
        words: the document's length.
    """

    id: str
    response: float | None = None
    evidence: float | None = None
    attributability: float | None = None
    confidence: float | None = None
    loss: float | None = None
    gold: str | None = None
    predicted: str | None = None
    abstained: bool = False
    gold_at: tuple[float, ...] = ()
    predicted_at: tuple[float, ...] = ()
    cited: frozenset[int] = frozenset()
    segments: int | None = None
    words: int | None = None

    @property
    def classed(self) -> bool:
        """Whether the response is one of a few classes, so that it is scored by their F1."""
        return self.gold is not None and self.gold not in (NO_ANSWER, ANSWERABLE)


@dataclass(frozen=True, slots=True)
class Analysed:
    """A run with its rows; `notes` say what could not be read and whose judgements were used."""

    folder: Path
    result: Result
    checksums: Mapping[str, str]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """What answered, by whoever it was judged."""
        backends = self.result.backends
        answering = {name: spec for name, spec in backends.items() if name != "checker"}
        return called(answering or backends, self.result.preset)

    @property
    def approach(self) -> str:
        """The name of the approach; empty without one."""
        spec = self.result.backends.get("approach", "")
        return registry.parse(spec).name if spec else ""


def read(folder: Path, data: Path | None = None, checker: Any = "lexical") -> Analysed:
    """A run and its rows (see `load`)."""
    return load(folder, data, checker)[0]


def load(folder: Path, data: Path | None = None, checker: Any = "lexical") -> tuple[Analysed, dict[str, Item]]:
    """A run and its rows, and the items of the data, by their ids; none where the data is not there.

    Without `data` it is looked for where the run was made; `checker` judges the evidence of runs whose records lack
    attributability.

    Raises:
        InputError: the folder is not a run.
        UsageError: the data is not what the run read.
    """
    spec, counted = records.counted(folder)
    scored = records.good(counted)
    items, notes = _items(spec, data)
    rows = [row for record in scored for row in of(record, items.get(record["id"]))]
    shares = {
        record["id"]: mean(record["attributable"]) if record["attributable"] else None
        for record in scored
        if "attributable" in record
    }
    if any("attributable" in record for record in scored):  # as in LAB: what was withheld has no evidence to judge
        rows = [replace(row, evidence=None if row.abstained else shares.get(row.id)) for row in rows]
    if items:
        judged, why = needed.attributability(scored, items, checker)
        rows = [replace(row, attributability=judged[row.id]) if row.id in judged else row for row in rows]
        notes += why
    return Analysed(folder, summarise(folder), spec.checksums, tuple(rows), tuple(notes)), items


def _items(spec: Spec, data: Path | None) -> tuple[dict[str, Item], list[str]]:
    """The items that the run read, by their ids."""
    source = task(spec.task).data
    folder = data or Path(spec.given.get("data", ""))
    try:
        paths = source.files(folder, spec.split)
        same = source.checksums(folder, paths) == spec.checksums
    except (InputError, OSError):
        if data is not None:
            raise
        return {}, ["the data is not there: give its folder with --data for positions, lengths and attributability"]
    if not same:
        if data is not None:
            raise UsageError(f"{data} does not hold the data that the run read: the checksums differ")
        return {}, ["the data has changed since the run: give the folder that it read with --data"]
    return {item.id: item for item in source.items(paths, spec.split)}, []


def of(record: Good, item: Item | None) -> Iterator[Row]:
    """The rows of a record; `item` adds what only the data knows."""
    if "ranked" in record:
        yield from _ranked(record, item if isinstance(item, RankItem) else None)
    elif "token_gold" in record:
        yield from _spans(record, item if isinstance(item, SpanItem) else None)
    elif "label" in record:
        yield _labelled(record, item if isinstance(item, EvidenceItem) else None)
    else:
        yield _answered(record, item if isinstance(item, QuestionItem) else None)


def _placed(row: Row, item: EvidenceItem | RankItem | QuestionItem, gold: Collection[int]) -> Row:
    """A row with what only the data knows."""
    count = len(item.segments)
    words = len(item.document.text.split())
    return replace(row, gold_at=at(gold, count), predicted_at=at(row.cited, count), segments=count, words=words)


def at(numbers: Collection[int], segments: int) -> tuple[float, ...]:
    """Positions of segments between 0 and 1."""
    return tuple((number + 0.5) / segments for number in sorted(numbers))


def _labelled(record: ClaimRecord | LabelRecord, item: EvidenceItem | None) -> Row:
    label, cited, evidence = record["label"], frozenset[int](), None
    sure: float | None = None
    if "score" in record:  # claims with two classes
        sure = record["score"] if label == "supported" else 1 - record["score"]
        gold, predicted = ("supported" if right else "unsupported" for right in (record["gold"], label == "supported"))
    else:
        gold, predicted, scores = record["gold"], label or "", record.get("scores")
        if scores:
            sure = scores[label] if label in scores else 1 - max(scores.values()) if label else 0.0
        cited, evidence = frozenset(record.get("evidence") or ()), record.get("evidence_f1")
    row = Row(
        record["id"],
        response=record["value"],
        evidence=evidence,
        confidence=sure,
        gold=gold,
        predicted=predicted or None,
        abstained=label is None or label == "no_claim",
        cited=cited,
    )
    if item is None:
        return row
    right = [annotation for annotation in item.annotations if annotation.label == gold]
    marked = frozenset(number for annotation in right for numbers in annotation.sets for number in numbers)
    return _placed(row, item, marked)


def _answered(record: AnswerRecord | PageRecord, item: QuestionItem | None) -> Row:
    """A question's or a summary's record."""
    abstained = record["abstained"]
    if "pages" in record:
        return Row(record["id"], response=record["value"], abstained=abstained)
    support = record.get("support")
    gold = None
    if "unanswerable" in record:
        gold = NO_ANSWER if record["unanswerable"] else ANSWERABLE
    row = Row(
        record["id"],
        response=record["value"],
        evidence=record.get("evidence_f1"),
        attributability=mean(support) if support and not abstained else None,
        confidence=record["confidence"],
        loss=record.get("loss"),
        gold=gold,
        predicted=None if gold is None else NO_ANSWER if abstained else ANSWERABLE,
        abstained=abstained,
        cited=frozenset(record.get("evidence") or ()),
    )
    if item is None:
        return row
    marked = frozenset(number for reference in item.references for number in reference.evidence or ())
    return _placed(row, item, marked)


def _ranked(record: RankRecord, item: RankItem | None) -> Iterator[Row]:
    """A row a sentence; its evidence is the first source."""
    for number, (gold, ranked) in enumerate(zip(record["gold"], record["ranked"], strict=True)):
        first = frozenset(ranked[:1])
        shared = len(first & set(gold))
        row = Row(
            f"{record['id']}#{number}",
            evidence=2 * shared / (len(first) + len(gold)) if gold else 0.0,
            abstained=not ranked,
            cited=first,
        )
        if item is not None:
            row = _placed(row, item, gold)
        yield row


def _spans(record: SpanRecord, item: SpanItem | None) -> Iterator[Row]:
    """A row a span; its segments are the passages."""
    for number, (gold, predicted) in enumerate(zip(record["gold"], record["predicted"], strict=True)):
        row = Row(f"{record['id']}#{number}", evidence=float(gold == predicted), abstained=predicted is None)
        if item is not None:
            places = {name: place for place, name in enumerate(item.numbers)}
            count = len(item.numbers)
            cited = frozenset(() if predicted is None else (places[predicted],))
            row = replace(
                row,
                cited=cited,
                gold_at=at([places[gold]] if gold in places else [], count),
                predicted_at=at(cited, count),
                segments=count,
                words=len(item.passages.text.split()),
            )
        yield row
