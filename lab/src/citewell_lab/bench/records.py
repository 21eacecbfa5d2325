"""Records: the JSON line of an item, one type per kind of task, with one reader and one writer.

A record holds everything that its metrics need, so that a report never reads the data again. `value` is the item's own
figure (the mean of the task's main metric over items), for comparisons. `cut` marks a language model's reply
that its limit of tokens cut off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast, final

from citewell.errors import InputError
from citewell.text import safe
from citewell_lab.bench.items import Item
from citewell_lab.bench.spec import Spec, read


@final
class Failed(TypedDict):
    """An item that broke, and why."""

    id: str
    group: str
    failed: str


@final
class SpanRecord(TypedDict):
    """Numbers of the gold and the predicted passage of each marked span, and the tokens, by words and by the model's.

    Of each token whether it was copied (0 or 1), its score, and whether the method takes it for copied. `unread`
    counts what of a language model's replies names no passage.
    """

    id: str
    gold: list[int]
    predicted: list[int | None]
    token_gold: str
    token_scores: list[float] | None
    token_marks: str
    model_token_gold: str
    model_token_scores: list[float] | None
    model_token_marks: str
    unread: NotRequired[dict[str, int]]
    value: float | None


@final
class RankRecord(TypedDict):
    """Positions of the gold and, best first, of the predicted segments of each sentence; how many were left out.

    `unread` counts what of a language model's replies names no passage.
    """

    id: str
    gold: list[list[int]]
    ranked: list[list[int]]
    verbatim: int
    unmatched: int
    unread: NotRequired[dict[str, int]]
    value: float | None


class Annotated(TypedDict, total=False):
    """The labels that people gave one by one, a checker's reasons, a text that stands in no data set: where known."""

    annotations: list[str]
    reasons: list[dict[str, Any]]
    claim: str


@final
class ClaimRecord(Annotated):
    """Whether people found a claim supported, and what a checker said of it."""

    id: str
    group: str
    gold: bool
    label: str
    score: float
    value: float


@final
class LabelRecord(TypedDict):
    """The label and the positions of the evidence, predicted and by the annotation that fits best.

    `scores` and `reasons` are the checker's by label, `answer` is a language model's reply. `called` are the labels
    whose statements the checker calls supported, each statement once.
    """

    id: str
    group: str
    gold: str
    annotated: list[str]
    label: str | None
    scores: NotRequired[dict[str, float]]
    called: NotRequired[list[str]]
    reasons: NotRequired[dict[str, list[dict[str, Any]]]]
    answer: NotRequired[str]
    evidence: NotRequired[list[int]]
    evidence_f1: NotRequired[float]
    evidence_f1_first: NotRequired[float]
    evidence_f1_union: NotRequired[float]
    evidence_gold_label: NotRequired[list[int]]
    evidence_f1_gold_label: NotRequired[float]
    cut: NotRequired[bool]
    value: NotRequired[float]


@final
class AnswerRecord(TypedDict):
    """An answer or a summary, how good it and its evidence are, and what it costs to give it (`loss`).

    `withheld` is what it would have answered where it abstains. `holds` is whether what it cites, or would cite were it
    not withheld, holds evidence of a gold answer.

    `attributable` is 1 for each statement that its evidence supports, else 0; `support` is the probability of that, and
    `claims` are the statements as they were judged, each with the positions of the segments that were cited for it;
    `recalled` is how far what was cited supports each, `precise` whether each citation is to the point, `lengths` are
    their tokens.
    """

    id: str
    group: str
    answer: str
    abstained: bool
    confidence: float
    references: NotRequired[list[str]]
    unanswerable: NotRequired[bool]
    answer_f1: NotRequired[float]
    exact_match: NotRequired[float]
    rouge_l: NotRequired[float]
    evidence: NotRequired[list[int]]
    evidence_f1: NotRequired[float]
    withheld: NotRequired[str]
    loss: NotRequired[float]
    holds: NotRequired[bool]
    cut: NotRequired[bool]
    value: NotRequired[float]
    attributable: NotRequired[list[int]]
    support: NotRequired[list[float]]
    claims: NotRequired[list[tuple[str, list[int]]]]
    recalled: NotRequired[list[float]]
    precise: NotRequired[list[float]]
    lengths: NotRequired[list[float]]


_Recalls = TypedDict("_Recalls", {"page_recall@1": float, "page_recall@5": float, "evidence_token_recall@5": float})


@final
class PageRecord(_Recalls):
    """An answer, how sure the system is of it, the pages of its evidence, best first, and the gold pages."""

    id: str
    group: str
    answer: str
    abstained: bool
    confidence: NotRequired[float]
    reference: str
    spans: NotRequired[list[tuple[int, int]]]
    pages: list[int]
    gold_pages: list[int]
    cut: NotRequired[bool]
    value: float


Good = SpanRecord | RankRecord | ClaimRecord | LabelRecord | AnswerRecord | PageRecord
Record = Good | Failed


def line(record: Record) -> bytes:
    """The record as a line of `items.jsonl`; half of a character, which UTF-8 cannot hold, as its escape."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


def counted(folder: Path) -> tuple[Spec, list[Record]]:
    """The spec of a run and the records that count: those beyond its limit do not.

    Raises:
        InputError: the folder is not a run, or damaged.
    """
    spec = read(folder)
    return spec, items(folder)[: spec.limit]


def good(records: Iterable[Record]) -> list[Good]:
    """The records that did not fail."""
    return [record for record in records if "failed" not in record]


def broken(records: Iterable[Record]) -> list[Failed]:
    """The records that did."""
    return [cast("Failed", record) for record in records if "failed" in record]  # the other types lack the key


def items(folder: Path) -> list[Record]:
    """The records of a run, in order; a line that was cut off at the end is left out.

    Raises:
        InputError: the folder is not a run, or a line in the middle is damaged.
    """
    path = folder / "items.jsonl"
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise InputError(f"{folder} is not a run: {error}") from error
    records: list[Record] = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(json.loads(line))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}") from error
    return records


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of what a run's figures are made from; `summary.json` keeps them, so that a change is noticed."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("spec.json", "items.jsonl")}


def failure(error: Exception) -> str:
    """One line about what broke."""
    message = safe.clean(safe.scrub(" ".join(str(error).split())))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def failed(item: Item, why: Exception | str) -> Failed:
    """The record of an item that broke."""
    return {"id": item.id, "group": item.group, "failed": why if isinstance(why, str) else failure(why)}
