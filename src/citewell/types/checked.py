"""The verdicts of a check as one answer, whose statements are the claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell.types.answers import Answer
from citewell.types.documents import DocumentInfo
from citewell.types.evidence import Citation
from citewell.types.statements import Statement, Verdict


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
