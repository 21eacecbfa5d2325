"""Withholds answers with low confidence, by the generator's confidence or by their weakest statement.

`least` is the pipeline's threshold. It has the last word: it withholds what a generator gives, and gives what a
generator withheld by a threshold of its own. None leaves that to the generator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from citewell.text import spans
from citewell.types import MAX_NEAREST, Abstention, Answer, Draft, Nearest, Statement


def by_confidence(draft: Draft, least: float | None) -> Draft:
    """The draft, or what it would have been, where its confidence reaches `least`; else an abstention."""
    if least is None or draft.confidence is None:
        return draft
    full = draft.withheld or draft
    if full.abstention:  # there is nothing to give
        return replace(draft, abstention=replace(full.abstention, threshold=least))
    return full if draft.confidence >= least else full.unsure(least)


def by_weakest(answer: Answer, least: float | None) -> Answer:
    """The answer to a question, or an abstention where one of its claims scores below `least`."""
    claims = [statement for statement in answer.statements if statement.label not in ("no_claim", "quoted")]
    if least is None or answer.abstained or answer.question is None or not claims:
        return answer
    weakest = min(claims, key=lambda statement: statement.score)
    if weakest.score >= least:
        return answer
    message = f"a statement is not supported well enough: {' '.join(weakest.text.split())[:200]}"
    unsupported = Abstention("unsupported", weakest.score, least, message, tuple(against(answer, weakest)))
    return replace(answer, text="", statements=(), citations=(), abstention=unsupported)


def against(answer: Answer, weakest: Statement) -> Iterator[Nearest]:
    """The evidence of a statement, with what is said against it at each place."""
    for number in weakest.citations[:MAX_NEAREST]:
        cited = answer.citations[number]
        reasons = [
            reason.message
            for reason in weakest.reasons
            if reason.evidence is None
            or (reason.evidence.document_id == cited.document_id and spans.overlap(cited, reason.evidence))
        ]
        message = f"support: {'; '.join(dict.fromkeys(reasons))}" if reasons else ""
        yield Nearest(replace(cited, answer_start=0, answer_end=0), message)
