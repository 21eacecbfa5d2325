"""A sheet of judged statements for review: a sample to annotate, or the least attributable ones.

Source: LAB, section 4.2.3 (200 responses of post-hoc with BM25, annotated by two people) and 5.3 (the 50 responses
with the lowest attributability). A row is a statement with what was cited for it; `attributable` is left to people.
`select-checker --annotations` reads the rows back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from citewell.errors import UsageError
from citewell_lab.bench import records
from citewell_lab.bench.items import EvidenceItem, Item, QuestionItem
from citewell_lab.bench.kinds.questions import evidence_of
from citewell_lab.bench.records import Good
from citewell_lab.papers.lab.rows import Row, load
from citewell_lab.report.table import Table

COLUMNS = ("id", "question", "answer", "gold", "quality", "attributability", "claim", "evidence", "attributable")


class Line(NamedTuple):
    """A statement as people judge it.

    Attributes:
        quality: of the whole response.
        attributability: the checker's probability that the evidence supports the statement.
        evidence: the cited segments, a line each; empty where nothing was cited.
    """

    id: str
    question: str
    answer: str
    gold: str
    quality: float | None
    attributability: float
    claim: str
    evidence: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, with the place for people's judgement."""
        return {**self._asdict(), "attributable": None}


def sheet(
    run: Path, *, size: int, least: bool = False, data: Path | None = None, checker: Any = "lexical", seed: int = 0
) -> list[Line]:
    """Statements of a run: a seeded sample in the order of the data, or with `least` those of lowest attributability.

    Raises:
        UsageError: the data is not there, or no statement was judged.
    """
    analysed, items = load(run, data, checker)
    if not items:
        raise UsageError(f"the sheet needs the data that the run read: {analysed.notes[0]}")
    rows = {row.id: row for row in analysed.rows}
    scored = records.good(records.counted(run)[1])
    lines = [line for record in scored for line in _lines(record, rows[record["id"]], items) if record["id"] in rows]
    if not lines:
        raise UsageError(f"{run} has no statements that need evidence")
    if least:
        return sorted(lines, key=lambda line: line.attributability)[:size]
    drawn = sorted(lines, key=lambda line: hashlib.sha256(f"{seed}:{line.id}:{line.claim}".encode()).digest())[:size]
    return [line for line in lines if line in drawn]


def _lines(record: Good, row: Row, items: Mapping[str, Item]) -> Iterator[Line]:
    item = items.get(record["id"])
    if "claims" in record and isinstance(item, QuestionItem):
        gold = " | ".join(record.get("references") or [reference.text for reference in item.references])
        for (claim, cited), support in zip(record["claims"], record.get("support", ()), strict=False):
            yield Line(record["id"], item.prompt_text, record["answer"], gold, row.response, support, claim,
                       _evidence(item, cited))  # fmt: skip
    elif "annotated" in record and isinstance(item, EvidenceItem) and row.attributability is not None:
        label = record["label"] or ""
        yield Line(record["id"], item.question, label, record["gold"], row.response, row.attributability,
                   item.statements.get(label, ""), _evidence(item, record.get("evidence", ())))  # fmt: skip


def _evidence(item: QuestionItem | EvidenceItem, cited: Sequence[int]) -> str:
    document = evidence_of(item.document, [item.segments[number] for number in cited])
    return document.text if document else ""


def whole(lines: Sequence[Line]) -> Table:
    """The statements with everything that people need, and an empty column for their judgement."""
    return Table("sheet", "Statements to judge", COLUMNS, tuple((*line, None) for line in lines))


def table(lines: Sequence[Line]) -> Table:
    """The statements as they are printed: shortened; their mean quality stands below."""
    rows = [(line.id, line.quality, line.attributability, _short(line.claim), _short(line.evidence)) for line in lines]
    known = [line.quality for line in lines if line.quality is not None]
    notes = [f"{len(lines)} statements, {sum(not line.evidence for line in lines)} without evidence"]
    notes += [f"mean quality of their responses: {100 * fmean(known):.1f}"] if known else []
    columns = ("id", "quality", "attributability", "statement", "evidence")
    return Table("sheet", "Statements to judge", columns, tuple(rows), notes=tuple(notes), source="LAB, 4.2.3 and 5.3")


def _short(text: str, size: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= size else f"{flat[: size - 1]}…"
