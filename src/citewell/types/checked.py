"""The verdicts of a check together: as one object, and as one answer, whose statements are the claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from citewell.types.answers import SCHEMA_VERSION, Answer, digest
from citewell.types.documents import DocumentInfo
from citewell.types.evidence import Citation
from citewell.types.statements import Statement, Verdict


class Known(Protocol):
    """What the object tells of a document."""

    @property
    def info(self) -> DocumentInfo:
        """Which it is."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What its reader could not do."""
        ...


def to_dict(
    verdicts: Sequence[Verdict], documents: Sequence[Known] = (), how: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The JSON form: the verdicts with their documents, with `how` they came about and with a digest of it all."""
    payload = {
        "schema_version": SCHEMA_VERSION,
        "verdicts": [verdict.to_dict() for verdict in verdicts],
        "documents": [document.info.to_dict() for document in documents],
        "warnings": list(dict.fromkeys(warning for document in documents for warning in document.warnings)),
    }
    usage = {"pipeline": how} if how else {}
    return {**payload, "usage": {**usage, "digest": digest({**payload, "usage": usage})}}


def as_answer(verdicts: Sequence[Verdict], documents: Sequence[DocumentInfo] = ()) -> Answer:
    """Claims become the statements of one text, a line each, and their offsets move along."""
    statements: list[Statement] = []
    citations: list[Citation] = []
    position = 0
    for verdict in verdicts:
        numbers = tuple(range(len(citations), len(citations) + len(verdict.citations)))
        end = position + len(verdict.claim)
        reasons = tuple(
            replace(reason, start=reason.start + position, end=reason.end + position) for reason in verdict.reasons
        )
        statements.append(Statement(verdict.claim, position, end, verdict.label, verdict.score, numbers, reasons))
        citations += [
            replace(item, answer_start=item.answer_start + position, answer_end=item.answer_end + position)
            for item in verdict.citations
        ]
        position = end + 1
    return Answer(
        text="\n".join(verdict.claim for verdict in verdicts),
        statements=tuple(statements),
        citations=tuple(citations),
        documents=tuple(documents),
        method=" | ".join(dict.fromkeys(verdict.method for verdict in verdicts if verdict.method)),
        warnings=tuple(dict.fromkeys(warning for verdict in verdicts for warning in verdict.warnings)),
    )
