"""A language model as judge: it reads numbered evidence and a claim, and returns the deciding sentences and a verdict.

The reply must have the form that the prompt asks for. One that has not is no verdict: the claim is stated as failed,
and benchmarks count it so. The score is the verdict's rank (1, 0.5, 0), not a calibrated probability.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from citewell.checkers.numbered import Line, cite, lines, windows
from citewell.errors import BackendError, notes
from citewell.llm.asking import SINGLE, AsksModel, complete_each
from citewell.llm.prompts import Prompt, chosen
from citewell.protocols import Completion, Pair
from citewell.text.claims import makes_claim, support_labels
from citewell.text.replies import thinking
from citewell.text.tokens import estimate
from citewell.types import Citation, Label, Verdict

RANKS: dict[Label, float] = {"supported": 1.0, "partially_supported": 0.5, "not_supported": 0.0, "contradicted": 0.0}

_REPLY = re.compile(
    r"(?:Reason:[^\n]*\n+)?Evidence:[ \t]*+(?P<evidence>none|\[?\d+\]?(?:[ \t]*+,[ \t]*+\[?\d+\]?)*)"
    r"[ \t]*+\.?[ \t]*+\n+Verdict:[ \t]*+(?P<label>[^\n]+)",
    re.IGNORECASE,
)


class Ruling(NamedTuple):
    """A reply that was understood: the label, and the numbers of the sentences that decide."""

    label: Label
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Judge(AsksModel):
    """A verdict by a language model in one of three labels; a reply may also say that the evidence contradicts.

    Attributes:
        room: most tokens of evidence in a request, by the model's count or an estimate; longer evidence is read in
            windows of whole sentences, and the best verdict of them counts.
        max_tokens: most tokens of a reply.
        prompt: a file with a prompt of your own; it must have the gaps `{evidence}` and `{claim}`.
    """

    room: int = 6000
    max_tokens: int = 400
    prompt: str | None = None
    name: ClassVar[str] = "judge"

    def __post_init__(self) -> None:
        if self.room < 1 or self.max_tokens < 1:
            raise ValueError("room and max_tokens are at least 1")

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the model is asked with, for the record of a run."""
        return (chosen("citewell.checkers", "judge", self.prompt),)

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; citations are the sentences that the model named, where it was not given any.

        A claim whose reply cannot be read, or is refused, is `unverified`, and `failed` says why.

        Raises:
            BackendError: the model cannot be used at all.
            UsageError: a pair has no documents.
        """
        llm, (prompt,) = self.model, self.prompts
        size = getattr(llm, "count_tokens", estimate)
        read = [windows(lines(pair), size, self.room) if makes_claim(pair.claim) else [] for pair in pairs]
        requests = [
            prompt.request(self.max_tokens, evidence=_numbered(window), claim=pair.claim.strip())
            for pair, premises_of_pair in zip(pairs, read, strict=True)
            for window in premises_of_pair
        ]
        replies = iter(complete_each(llm, requests, keep=SINGLE))
        return [
            self._verdict(pair, premises_of_pair, [next(replies) for _ in premises_of_pair])
            for pair, premises_of_pair in zip(pairs, read, strict=True)
        ]

    def _verdict(
        self, pair: Pair, read: Sequence[Sequence[Line]], replies: Sequence[Completion | BackendError]
    ) -> Verdict:
        if not read:
            label: Label = "not_supported" if makes_claim(pair.claim) else "no_claim"
            return Verdict(pair.claim, label, 0.0, pair.citations or (), method=self.name)
        rulings = [_ruling(reply) for reply in replies]
        failed = [ruling for ruling in rulings if isinstance(ruling, str)]
        good = [(n, ruling) for n, ruling in enumerate(rulings) if isinstance(ruling, Ruling)]
        place, best = max(good, key=lambda numbered: RANKS[numbered[1].label], default=(0, None))
        # A window that failed could only have raised the verdict, so nothing is missing beside the best of all.
        for why in failed:
            notes.warn(f"{pair.claim[:60]!r}: {why}")
        if best is None or (failed and best.label != "supported"):
            return Verdict(
                pair.claim, "unverified", 0.0, pair.citations or (), method=self.name,
                warnings=tuple(failed), failed=failed[0],
            )  # fmt: skip
        score = RANKS[best.label]
        citations, warnings = _named(best, read[place], pair, score)
        return Verdict(
            pair.claim, best.label, score, citations if pair.citations is None else pair.citations,
            method=self.name, warnings=(*failed, *warnings),
        )  # fmt: skip


def parse(text: str) -> Ruling | None:
    """The ruling of a reply that has the form asked for; None for any other."""
    match = _REPLY.fullmatch(thinking.apart(text)[0].replace("\r\n", "\n").strip())
    if not match:
        return None
    labels = set(support_labels(match["label"]))
    numbers = tuple(dict.fromkeys(int(number) for number in re.findall(r"\d+", match["evidence"])))
    return Ruling(labels.pop(), numbers) if len(labels) == 1 else None


def _ruling(reply: Completion | BackendError) -> Ruling | str:
    """What a reply says, or why it says nothing."""
    if isinstance(reply, BackendError):
        return f"not judged: {reply}"
    if reply.finish == "refused":
        return "not judged: the model refused to answer"
    if reply.finish == "length":
        return f"not judged: the reply was cut off at {reply.output_tokens or 'its limit of'} tokens"
    return parse(reply.text) or f"not judged: the reply has not the form asked for: {reply.text.strip()[:120]!r}"


def _numbered(window: Sequence[Line]) -> str:
    parts: list[str] = []
    title: str | None = None
    for number, line in enumerate(window, 1):
        if line.title and line.title != title:
            parts.append(f"From: {line.title}")
        title = line.title
        parts.append(f"[{number}] {' '.join(line.text.split())}")
    return "\n".join(parts)


def _named(ruling: Ruling, window: Sequence[Line], pair: Pair, score: float) -> tuple[tuple[Citation, ...], list[str]]:
    """The sentences that a ruling names, where it supports anything; numbers that no sentence has are told."""
    wrong = [number for number in ruling.numbers if not 1 <= number <= len(window)]
    warnings = [f"the judge named sentence {number}, which does not exist; it was left out" for number in wrong]
    if ruling.label == "not_supported":
        return (), warnings
    named = [window[number - 1] for number in sorted(ruling.numbers) if number not in wrong]
    return tuple(citation for line in named for citation in cite(line, pair.claim, score, Judge.name)), warnings
