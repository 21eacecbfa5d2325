"""The whole flow, one line a stage: question or somebody's answer -> draft -> citations -> labels -> Answer.

Pipeline().run([document], "What was revenue in 2022?")
Pipeline(**approaches.settings("citation", "openai(model=gpt-4o-mini)")).run([document], "What was revenue in 2022?")
Pipeline(attributor="lexical(gain=0.1)").attribute([document], "Revenue rose to $5.9bn.")
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from citewell import notes, registry
from citewell.abstain.declining import Declining
from citewell.attributors.minimal import minimal
from citewell.attributors.repair import claim, repair
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators import approaches
from citewell.generators.streaming import Grounded, Tell, Teller
from citewell.protocols import Pair, Reader
from citewell.text import segments
from citewell.types import Abstention, Answer, Citation, Draft, Granularity, Span, Statement, Verdict

if TYPE_CHECKING:
    from citewell.protocols import LLM, Attributor, Checker, Generator, Reducer

GRANULARITIES = ("sentence", "paragraph", "token")
UNCITED = ("attribute", "leave")


@dataclass(frozen=True)
class Pipeline:
    """Stages by their spec strings (or ready back ends), built on first use and reused.

    Attributes:
        generator: answers a question.
        attributor: finds evidence for statements that come without.
        checker: labels statements and claims.
        granularity: of the evidence: "sentence", "paragraph" or "token".
        k: the most citations a statement, the attributor's own choice where None.
        abstain: the least score of an answer that is given; the generator's own threshold where None.
        minimal: drop evidence without which the checker is as sure (necessary evidence only).
        reducer: chooses what a language model reads.
        verify: check the citations that a language model made; narrow, replace or drop them.
        uncited: what to do with statements without a valid citation of the model that cites: `attribute` or `leave`.
        declining: how a reply that declines is told: `sentences`, `lab` (the paper's phrases anywhere) or `never`.
    """

    generator: str | Generator = "extractive"
    attributor: str | Attributor = "lexical"
    checker: str | Checker = "lexical"
    granularity: Granularity = "sentence"
    k: int | None = None
    abstain: float | None = None
    minimal: bool = False
    reducer: str | Reducer = "whole"
    verify: bool = True
    uncited: str = "attribute"
    declining: str = "sentences"

    def __post_init__(self) -> None:
        if self.granularity not in GRANULARITIES:
            raise UsageError(f"granularity is one of {', '.join(GRANULARITIES)}, not {self.granularity!r}")
        if self.k is not None and self.k < 1:
            raise UsageError(f"k is at least 1, not {self.k}")
        if self.abstain is not None and not 0 <= self.abstain <= 1:
            raise UsageError(f"abstain is a score between 0 and 1, not {self.abstain}")
        if self.uncited not in UNCITED:
            raise UsageError(f"uncited is one of {', '.join(UNCITED)}, not {self.uncited!r}")

    def run(
        self,
        documents: Document | Iterable[Document],
        question: str,
        tell: Tell | None = None,
        query: str | None = None,
    ) -> Answer:
        """Answer a question, or abstain.

        Args:
            documents: one or several.
            question: in words.
            tell: told each statement with its citations as soon as it is final, while a language model still writes.
            query: what the reducer looks for, where it is not the question.

        Raises:
            UsageError: the question is empty, or no document is given.
            BackendError: a model failed.
        """
        started, given = time.perf_counter(), _documents(documents)
        if not question.strip():
            raise UsageError("the question is empty")
        with notes.collect() as noted:
            teller = self._teller(given, tell)
            draft = self._decline(self._generate(question, given, query or question, teller if tell else None))
            grounded = teller.finish(draft)
        return self._answer(draft, grounded, given, noted, started)

    def attribute(
        self,
        documents: Document | Iterable[Document],
        text: str,
        question: str | None = None,
        spans: Iterable[Span] = (),
    ) -> Answer:
        """Find the evidence for an answer that somebody else wrote.

        `spans` are parts of the answer to attribute instead of its statements, each read with its statement.

        Raises:
            UsageError: the answer is empty, or no document is given.
        """
        given = _documents(documents)
        if not text.strip():
            raise UsageError("the answer is empty")
        return self.ground(
            given, Draft(text, question, segments.statements(text), tuple(Span(*span) for span in spans))
        )

    def check(self, documents: Document | Iterable[Document], claims: str | Iterable[str]) -> list[Verdict]:
        """Judge claims against documents, each with the evidence that the attributor found for it.

        Raises:
            UsageError: a claim is empty, or no document is given.
        """
        given, texts = _documents(documents), [claims] if isinstance(claims, str) else list(claims)
        if any(not text.strip() for text in texts):
            raise UsageError("a claim is empty")
        drafts = [Draft(text, None, (Span(0, len(text)),)) for text in texts]
        found = [self._attributor.attribute(draft, given, self.granularity, self.k) for draft in drafts]
        verdicts = self._checker.check([Pair(text, given, cited) for text, cited in zip(texts, found, strict=True)])
        return [replace(verdict, citations=_placed(verdict.citations, given)) for verdict in verdicts]

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """What the checker says of claims and evidence that are given together."""
        return self._checker.check(pairs) if pairs else []

    def ground(self, documents: Document | Iterable[Document], draft: Draft) -> Answer:
        """The answer that a draft becomes: its citations verified, evidence found where there is none, labels.

        Raises:
            UsageError: no document is given.
        """
        started, given = time.perf_counter(), _documents(documents)
        with notes.collect() as noted:
            grounded = self._ground(draft, given)
        return self._answer(draft, grounded, given, noted, started)

    def _generate(self, question: str, documents: tuple[Document, ...], query: str, told: Teller | None) -> Draft:
        generator = self._generator
        if not isinstance(generator, Reader):
            return generator.generate(question, documents)
        passages = self._reducer.reduce(query, documents, generator.unit)
        return generator.answer(question, documents, passages, told)

    def _decline(self, draft: Draft) -> Draft:
        """A reply that declines to answer becomes an abstention, which has no citations."""
        if draft.abstention or not self._declines(draft):
            return draft
        said = Abstention("declined", message="the model declined: " + " ".join(draft.text.split())[:200])
        return replace(draft, statements=(), targets=(), sources=(), abstention=said)

    def _declines(self, draft: Draft) -> bool:
        """Whether a language model wrote a refusal, where its prompt allows one."""
        allowed = isinstance(self._generator, Reader) and getattr(self._generator, "declines", True)
        return allowed and self._declining.declines(draft.text, draft.question)

    def _teller(self, documents: tuple[Document, ...], tell: Tell | None) -> Teller:
        return Teller(lambda draft: self._ground(draft, documents), self._declines, tell)

    def _ground(self, draft: Draft, documents: tuple[Document, ...]) -> Grounded:
        own = self._verified(draft, documents)
        citations = self._attribute(draft, own, documents)
        citations = minimal(draft, citations, self._checker) if self.minimal else citations
        citations = _placed(citations, documents)
        return Grounded(self._label(draft, citations, documents), citations)

    def _answer(
        self, draft: Draft, grounded: Grounded, documents: tuple[Document, ...], noted: notes.Notes, started: float
    ) -> Answer:
        told = (*(w for d in documents for w in d.warnings), *draft.warnings, *noted.warnings)
        answer = Answer(
            text=draft.text,
            statements=grounded.statements,
            citations=grounded.citations,
            documents=tuple(document.info for document in documents),
            question=draft.question,
            abstention=draft.abstention,
            method=" | ".join(part for part in (draft.method, _name(self.attributor)) if part),
            usage={**draft.usage, **noted.counts},
            warnings=tuple(dict.fromkeys(told)),
        )
        return self._judge(answer).with_usage(seconds=round(time.perf_counter() - started, 4))

    def _verified(self, draft: Draft, documents: tuple[Document, ...]) -> tuple[Citation, ...]:
        """The generator's citations: verified and repaired, but where the answer is their quotation."""
        if not self.verify or all(_quotes(draft, one) for one in draft.sources):
            return draft.sources
        return repair(draft, documents, self._attributor, self._checker, self.granularity, self.k)

    def _attribute(
        self, draft: Draft, own: tuple[Citation, ...], documents: tuple[Document, ...]
    ) -> tuple[Citation, ...]:
        """The generator's own citations, and the attributor's for the rest, in the order of the answer."""
        sourced = sorted(source.answer_start for source in draft.sources)
        targets = draft.targets or draft.statements
        bare = tuple(span for span in targets if bisect_left(sourced, span.start) == bisect_left(sourced, span.end))
        if not bare or (self.uncited == "leave" and getattr(self._generator, "cite", "none") != "none"):
            return own
        found = self._attributor.attribute(replace(draft, targets=bare), documents, self.granularity, self.k)
        return tuple(sorted((*own, *found), key=lambda citation: _position(citation, targets)))

    def _label(
        self, draft: Draft, citations: Sequence[Citation], documents: tuple[Document, ...]
    ) -> tuple[Statement, ...]:
        owned = [
            tuple(n for n, c in enumerate(citations) if span.start <= c.answer_start < max(span.end, span.start + 1))
            for span in draft.statements
        ]
        reads = isinstance(self._generator, Reader)
        texts = [draft.text[span.start : span.end] for span in draft.statements]
        pairs = [
            Pair(claim(draft, span) if reads else text, documents, tuple(citations[n] for n in own))
            for span, text, own in zip(draft.statements, texts, owned, strict=True)
        ]
        verdicts = self._checker.check(pairs) if pairs else []
        return tuple(
            Statement(text, span.start, span.end, verdict.label, verdict.score, own)
            for span, own, text, verdict in zip(draft.statements, owned, texts, verdicts, strict=True)
        )

    def _judge(self, answer: Answer) -> Answer:
        """Abstain where the weakest statement of an answer to a question scores below the threshold."""
        if self.abstain is None or answer.abstained or answer.question is None or not answer.statements:
            return answer
        score = min(statement.score for statement in answer.statements)
        if score >= self.abstain:
            return answer
        weakest = min(answer.statements, key=lambda statement: statement.score)
        message = f"a statement is not supported well enough: {' '.join(weakest.text.split())[:200]}"
        said = Abstention("unsupported", score, self.abstain, message)
        return replace(answer, text="", statements=(), citations=(), abstention=said)

    @cached_property
    def _generator(self) -> Generator:
        spec = self.generator
        if self.abstain is not None and isinstance(spec, str) and registry.parse(spec).name == "extractive":
            parsed = registry.parse(spec)
            spec = str(registry.Spec(parsed.name, (*parsed.params, ("threshold", self.abstain))))
        return cast("Generator", registry.build("generator", spec))

    @cached_property
    def _reducer(self) -> Reducer:
        return cast("Reducer", registry.build("reducer", self.reducer))

    @cached_property
    def _declining(self) -> Declining:
        try:
            return Declining(self.declining)
        except ValueError as error:
            raise UsageError(str(error)) from error

    @cached_property
    def _attributor(self) -> Attributor:
        return cast("Attributor", registry.build("attributor", self.attributor))

    @cached_property
    def _checker(self) -> Checker:
        return cast("Checker", registry.build("checker", self.checker))


def ask(
    documents: Document | Iterable[Document],
    question: str,
    *,
    llm: str | LLM | None = None,
    approach: str | None = None,
    prompt: str = "question",
    abstain: float | None = None,
    tell: Tell | None = None,
    **stages: Any,
) -> Answer:
    """Answer a question about one document or several, every statement with its evidence, or abstain.

    Args:
        documents: what `read` returned.
        question: in words.
        llm: the spec of a language model; without one the extractive reader answers.
        approach: how the answer is made; "extractive" without a language model, "citation" with one.
        prompt: the name of one of our prompts, or the path of one's own.
        abstain: the least score, 0 to 1, of an answer that is given.
        tell: told each statement as soon as it is final, while a language model still writes.
        stages: further fields of `Pipeline`.

    Raises:
        UsageError: the question is empty, or a setting is not known.
        SpecError: a back end is not known.
        BackendError: a model failed.
    """
    made = approaches.chosen(llm, approach, prompt=prompt)
    return _pipeline(abstain=abstain, **{**made, **stages}).run(documents, question, tell)


def attribute(
    documents: Document | Iterable[Document],
    answer: str,
    question: str | None = None,
    method: str | Attributor = "lexical",
    granularity: Granularity = "sentence",
    k: int | None = None,
    *,
    spans: Iterable[Span] = (),
    **stages: Any,
) -> Answer:
    """Find the evidence for an answer that somebody else wrote.

    Args:
        documents: what `read` returned, one or several.
        answer: the text; its statements are its sentences, list items one by one.
        question: what it answers, if known.
        method: the spec of an attributor.
        granularity: of the evidence: "sentence", "paragraph" or "token" (exact runs of words).
        k: the most citations a statement.
        spans: offsets of the answer to attribute instead of its statements.
        stages: further fields of `Pipeline`.

    Raises:
        UsageError: the answer is empty, or a setting is out of range.
        SpecError: the method is not known.
    """
    pipeline = _pipeline(attributor=method, granularity=granularity, k=k, **stages)
    return pipeline.attribute(documents, answer, question, spans)


def check(
    documents: Document | Iterable[Document],
    claims: str | Iterable[str],
    checker: str | Checker = "lexical",
    **stages: Any,
) -> list[Verdict]:
    """Judge whether documents support claims; one verdict a claim, in order, with its evidence.

    Raises:
        UsageError: a claim is empty.
        SpecError: the checker is not known.
    """
    return _pipeline(checker=checker, **stages).check(documents, claims)


def _pipeline(**stages: Any) -> Pipeline:
    try:
        return Pipeline(**stages)
    except TypeError as error:
        raise UsageError(f"{error}; a pipeline has: {', '.join(Pipeline.__dataclass_fields__)}") from error


def _documents(documents: Document | Iterable[Document]) -> tuple[Document, ...]:
    given = (documents,) if isinstance(documents, Document) else tuple(documents)
    if not given:
        raise UsageError("no document is given")
    for document in given:
        if not isinstance(document, Document):
            raise UsageError(f"{document!r} is not a Document: read it first with citewell.read")
    return given


def _placed(citations: Sequence[Citation], documents: Sequence[Document]) -> tuple[Citation, ...]:
    by_id = {document.id: document for document in documents}
    return tuple(by_id[citation.document_id].placed(citation) for citation in citations)


def _position(citation: Citation, targets: Sequence[Span]) -> int:
    """The target that a citation belongs to: sorting by it keeps the order inside a target."""
    return next((n for n, span in enumerate(targets) if span.start <= citation.answer_start < span.end), len(targets))


def _name(spec: Any) -> str:
    return spec if isinstance(spec, str) else str(getattr(spec, "name", type(spec).__name__))


def _quotes(draft: Draft, source: Citation) -> bool:
    """Whether a part of the answer is its source, word for word: there is nothing to verify."""
    said = draft.text[source.answer_start : source.answer_end]
    return "".join(said.split()) == "".join(source.quote.split())
