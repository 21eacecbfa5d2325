"""Handles statements that the evidence does not support; the same policy for every verb and surface.

mark      each stays, with its label and the reason behind it, and carries no citation (see `types.labels.mark`)
drop      each is taken out, and the answer says how many were
refuse    one of them turns the answer into an abstention
rewrite   the model is told once what is wrong and writes again; what is still unsupported is marked

Labels that count are partially_supported, not_supported, contradicted and unverified.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from citewell.abstain.threshold import against
from citewell.types import QUIET, Abstention, Answer, Citation, Partial, Removed, Statement, Value

Policy = Literal["mark", "drop", "refuse", "rewrite"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


def unsupported(answer: Answer) -> tuple[Statement, ...]:
    """The statements that their evidence does not support."""
    return tuple(statement for statement in answer.statements if statement.label not in QUIET)


def applied(answer: Answer, policy: Policy) -> Answer:
    """The answer under a policy; for `rewrite` what the model has written already is marked."""
    weak = unsupported(answer)
    if not weak or answer.abstained or policy in ("mark", "rewrite"):
        return answer
    return _refused(answer, weak) if policy == "refuse" else _dropped(answer)


class Dropping:
    """Takes unsupported statements out of an answer as they come; what was passed on stands.

    Attributes:
        text: the answer so far.
        removed: what was taken out.
        citations: those of the statements that stay.
        moved: the new numbers of these by their old ones.
    """

    def __init__(self) -> None:
        self.text = ""
        self.removed = list[Removed]()
        self.citations = list[Citation]()
        self.moved = dict[int, int]()
        self._between = ""

    def __call__(self, part: Partial) -> Partial | None:
        """The statement where it stays, in its new place; None where it is taken out."""
        statement = part.statement
        if statement.label not in QUIET:
            self.removed.append(Removed(statement.text, statement.label, statement.mark))
            self._between = max(part.before, self._between, key=lambda blank: blank.count("\n"))
            return None
        between = max(part.before, self._between, key=lambda blank: blank.count("\n"))
        if self.removed and not self.text:
            between = between.lstrip()
        self._between = ""
        shift = len(self.text) + len(between) - statement.start
        first = len(self.citations)
        members = tuple(
            replace(cited, answer_start=cited.answer_start + shift, answer_end=cited.answer_end + shift)
            for cited in part.citations
        )
        reasons = tuple(
            replace(reason, start=reason.start + shift, end=reason.end + shift) for reason in statement.reasons
        )
        start, end = statement.start + shift, statement.end + shift
        numbers = tuple(range(first, first + len(members)))
        self.moved |= dict(zip(statement.citations, numbers, strict=True))
        self.citations += members
        self.text += between + statement.text
        moved = replace(statement, start=start, end=end, citations=numbers, reasons=reasons)
        return Partial(between, moved, members)


def _dropped(answer: Answer) -> Answer:
    """The answer without its unsupported statements; an abstention where no claim is left."""
    dropping = Dropping()
    kept = [part.statement for each in Partial.each(answer) if (part := dropping(each)) is not None]
    removed = tuple(dropping.removed)
    if all(statement.label == "no_claim" for statement in kept):
        return replace(_refused(answer, unsupported(answer)), removed=removed)
    last = answer.statements[-1]
    tail = answer.text[last.end :] if last.label in QUIET else ""
    return replace(
        answer,
        text=dropping.text + tail,
        statements=tuple(kept),
        citations=tuple(dropping.citations),
        value=_moved(answer.value, dropping.moved),
        removed=removed,
    )


def _moved(value: Value | None, numbers: dict[int, int]) -> Value | None:
    """The short answer with the new numbers of its citations, None where one of them is gone."""
    if value is None or not all(number in numbers for number in value.citations):
        return None
    return replace(value, citations=tuple(numbers[number] for number in value.citations))


def _refused(answer: Answer, weak: tuple[Statement, ...]) -> Answer:
    """The abstention that names the weakest statement, with the evidence that was looked at for it."""
    weakest = min(weak, key=lambda statement: statement.score)
    message = f"a statement is not supported by the documents: {' '.join(weakest.text.split())[:200]} {weakest.mark}"
    withheld = Abstention("unsupported", weakest.score, None, message, tuple(against(answer, weakest)))
    return replace(answer, text="", statements=(), citations=(), value=None, confidence=None, abstention=withheld)
