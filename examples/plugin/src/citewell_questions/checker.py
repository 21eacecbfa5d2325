"""Checking by questions: what the claim says and what the evidence says to the same questions, compared.

Source of the idea: Fabbri et al., QAFactEval: Improved QA-Based Factual Consistency Evaluation for Summarization
(2022): choose answers in the claim, ask for them, answer from the evidence, compare. Each step is pluggable: rules
(`rules`) or a language model. The comparison is the F1 of words, not that paper's learned metric.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from citewell import registry
from citewell.checkers.judge import SINGLE
from citewell.checkers.numbered import OVERHEAD, Line, cite, lines
from citewell.errors import BackendError, ReplyError, notes
from citewell.llm.asking import complete_each
from citewell.llm.prompts import Prompt, builtin
from citewell.protocols import LLM, Completion, Pair, Request
from citewell.text.claims import makes_claim
from citewell.text.tokens import estimate
from citewell.types import Citation, Label, Span, Verdict
from citewell_questions import rules
from citewell_questions.rules import Question, Reply, overlap

RULES = "rules"
_QUESTION_LINE = re.compile(
    r"^\s*(?:[-*•]|\d+[.)])?\s*Q:\s*(?P<question>\S.*?)\s*\|\s*A:\s*(?P<answer>\S.*?)\s*$", re.MULTILINE
)
_ANSWERED = re.compile(r"^\s*(?P<question>\d+)[.):]\s*(?:\[(?P<line>\d+)\]\s*)?(?P<answer>\S.*?)\s*$", re.MULTILINE)
_NONE = re.compile(r"\W*(?:unanswerable|not answerable|none|unknown|n/a)\W*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class QAOverlap:
    """The mean agreement of the claim's answers with those of the evidence. Not a calibrated probability.

    The defaults were chosen on the development data of AttributionBench and WiCE with rules for both steps.

    Attributes:
        ask: `rules`, or the spec of a language model that writes the questions.
        answer: `rules`, or the spec of a language model that answers them.
        threshold: the agreement from which a claim counts as supported.
        partial: the agreement from which it counts as partially supported.
        least: the share of a question's words that a sentence must have to answer it, for `answer=rules`.
        room: most tokens of evidence in a request; of longer evidence the sentences that share most with the claim
            are read, in document order.
    """

    ask: Any = RULES
    answer: Any = RULES
    threshold: float = 0.55
    partial: float = 0.25
    least: float = 0.2
    room: int = 6000
    name: ClassVar[str] = "qa-overlap"

    def __post_init__(self) -> None:
        if not 0 <= self.partial <= self.threshold <= 1:
            raise ValueError("0 <= partial <= threshold <= 1 must hold")

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What models are asked with, for the record of a run."""
        used = (("ask", self.ask), ("answer", self.answer))
        return tuple(builtin("citewell_questions", name) for name, spec in used if spec != RULES)

    @cached_property
    def _asker(self) -> LLM:
        back_end: LLM = registry.build("llm", self.ask)  # once: its limits and connections are kept
        return back_end

    @cached_property
    def _answerer(self) -> LLM:
        asker: LLM = self._asker if self.answer == self.ask else registry.build("llm", self.answer)
        return asker

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; citations are the sentences that answered, where it was not given any.

        A claim for which a model's reply cannot be read has a verdict with `failed` set.

        Raises:
            BackendError: a model cannot be used at all.
            UsageError: a pair has no documents.
        """
        read = [lines(pair) for pair in pairs]
        answer = self._ask([pair.claim if makes_claim(pair.claim) else "" for pair in pairs])
        replies = self._answer(pairs, answer, read)
        return [
            self._verdict(pair, questions, reply, evidence)
            for pair, questions, reply, evidence in zip(pairs, answer, replies, read, strict=True)
        ]

    def _ask(self, claims: Sequence[str]) -> list[list[Question] | BackendError]:
        if self.ask == RULES:
            return [rules.ask(claim) if claim else [] for claim in claims]
        llm, prompt = self._asker, builtin("citewell_questions", "ask")
        requests = [prompt.request(32 * len(claim.split()) + 128, claim=claim.strip()) for claim in claims if claim]
        replies = iter(complete_each(llm, requests, keep=SINGLE))
        return [_parsed(next(replies), partial(_questions, claim)) if claim else [] for claim in claims]

    def _answer(
        self,
        pairs: Sequence[Pair],
        question: Sequence[list[Question] | BackendError],
        read: Sequence[Sequence[Line]],
    ) -> list[list[Reply] | BackendError]:
        if self.answer == RULES:
            return [
                rules.answer(questions, outcome, self.least) if isinstance(questions, list) else []
                for questions, outcome in zip(question, read, strict=True)
            ]
        llm, prompt = self._answerer, builtin("citewell_questions", "answer")
        size = getattr(llm, "count_tokens", estimate)
        rendered = [_closest(pair.claim, outcome, size, self.room) for pair, outcome in zip(pairs, read, strict=True)]
        requests: list[Request | None] = []
        for questions, places, outcome in zip(question, rendered, read, strict=True):
            text = "\n".join(f"[{n}] {' '.join(outcome[place].text.split())}" for n, place in enumerate(places, 1))
            numbered = questions if isinstance(questions, list) else []
            listed = "\n".join(f"{n}. {question.text}" for n, question in enumerate(numbered, 1))
            response = prompt.request(48 * len(numbered) + 64, evidence=text, questions=listed)
            requests.append(response if numbered and places else None)
        replies = iter(complete_each(llm, [request for request in requests if request], keep=SINGLE))
        result: list[list[Reply] | BackendError] = []
        for questions, places, request in zip(question, rendered, requests, strict=True):
            count = len(questions) if isinstance(questions, list) else 0
            if request is None:
                result.append([Reply()] * count)
                continue
            result.append(_parsed(next(replies), partial(_answers, count, places)))
        return result

    def _verdict(
        self,
        pair: Pair,
        questions: list[Question] | BackendError,
        replies: list[Reply] | BackendError,
        read: Sequence[Line],
    ) -> Verdict:
        citations = pair.citations or ()
        for step in (questions, replies):
            if isinstance(step, BackendError):
                why = f"not judged: {step}"
                notes.warn(f"{pair.claim[:60]!r}: {why}")
                return Verdict(
                    pair.claim, "not_supported", 0.0, citations, method=self.name, warnings=(why,), failed=why
                )
        if not makes_claim(pair.claim):
            return Verdict(pair.claim, "no_claim", 0.0, citations, method=self.name)
        agreed = [overlap(question.answer, reply.text) for question, reply in zip(questions, replies, strict=True)]  # type: ignore[arg-type]
        score = sum(agreed) / len(agreed) if agreed else 0.0
        label: Label = "not_supported"
        if score >= self.partial:
            label = "supported" if score >= self.threshold else "partially_supported"
        lacking = tuple(
            question.span
            for question, value in zip(questions, agreed, strict=True)  # type: ignore[arg-type]
            if question.span and value == 0
        )
        cited = pair.citations
        if cited is None:
            cited = self._cite(pair, agreed, replies, read) if label != "not_supported" else ()  # type: ignore[arg-type]
        return Verdict(pair.claim, label, score, cited, lacking, method=self.name)

    def _cite(
        self, pair: Pair, agreed: Sequence[float], replies: Sequence[Reply], read: Sequence[Line]
    ) -> tuple[Citation, ...]:
        """The sentences whose answers agree, each with the share of the questions that it answered."""
        shares: dict[int, float] = {}
        for value, reply in zip(agreed, replies, strict=True):
            if value > 0 and reply.line is not None:
                shares[reply.line] = shares.get(reply.line, 0.0) + value / len(agreed)
        order = sorted(shares, key=lambda place: (-shares[place], place))
        return tuple(
            citation for place in order for citation in cite(read[place], pair.claim, shares[place], self.name)
        )


def _parsed(reply: Completion | BackendError, read: Callable[[str], Any]) -> Any:
    if isinstance(reply, BackendError):
        return reply
    if reply.finish != "stop":
        return ReplyError("the model refused" if reply.finish == "refused" else "the reply was cut off")
    return read(reply.text) or ReplyError(f"the reply has not the form asked for: {reply.text.strip()[:120]!r}")


def _questions(claim: str, text: str) -> list[Question]:
    """Questions of a reply; an answer that is not in the claim would test something else and is left out."""
    result = []
    for match in _QUESTION_LINE.finditer(text):
        start = claim.casefold().find(match["answer"].casefold()) if len(claim) == len(claim.casefold()) else -1
        start = start if start >= 0 else claim.find(match["answer"])
        if start >= 0:
            end = start + len(match["answer"])
            result.append(Question(match["question"], claim[start:end], Span(start, end)))
    return result


def _answers(count: int, places: Sequence[int], text: str) -> list[Reply]:
    """An answer a question; none at all where no line of the reply answers any."""
    mapping: dict[int, Reply] = {}
    for match in _ANSWERED.finditer(text):
        line = int(match["line"]) if match["line"] else 0
        known = places[line - 1] if 1 <= line <= len(places) else None
        reply = Reply() if _NONE.fullmatch(match["answer"]) else Reply(match["answer"], known)
        mapping.setdefault(int(match["question"]), reply)
    return [mapping.get(n, Reply()) for n in range(1, count + 1)] if mapping.keys() & set(range(1, count + 1)) else []


def _closest(claim: str, result: Sequence[Line], size: Callable[[str], int], room: int) -> list[int]:
    """Positions of the lines to show, in document order: all, or those that share most words with the claim."""
    sizes = [size(line.text) + OVERHEAD for line in result]
    if sum(sizes) <= room:
        return list(range(len(result)))
    terms = {word.term for word in rules.read(claim, "en") if not word.small}
    shared = [len(terms & {word.term for word in rules.read(line.text, "en")}) for line in result]
    chosen: list[int] = []
    count = 0
    for place in sorted(range(len(result)), key=lambda n: (-shared[n], n)):
        if count + sizes[place] <= room or not chosen:
            chosen.append(place)
            count += sizes[place]
    return sorted(chosen)
