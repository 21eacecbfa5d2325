"""The whole flow, one line a stage: question or somebody's answer -> draft -> citations -> labels -> Answer.

Pipeline().run([document], "What was revenue in 2022?")
Pipeline(**approaches.settings("citation", "openai(model=gpt-4o-mini)")).run([document], "What was revenue in 2022?")
Pipeline(attributor="lexical(gain=0.1)").attribute([document], "Revenue rose to $5.9bn.")
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from citewell import notes, registry
from citewell.abstain.declining import Declining
from citewell.abstain.nearest import helped
from citewell.abstain.promise import Promise, least
from citewell.abstain.threshold import by_confidence, by_weakest
from citewell.attributors.grounding import (
    Grounded,
    completed,
    judged,
    judgements,
    labelled,
    placed,
    placed_abstention,
    placed_value,
    verified,
)
from citewell.attributors.minimal import minimal
from citewell.attributors.streaming import Tell, Teller
from citewell.attributors.targets import statements
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators import approaches
from citewell.llm import deadline
from citewell.llm.costs import total
from citewell.parameters import hold, listed
from citewell.pipeline.settings import refuse, refuse_empty, spans_of
from citewell.protocols import Pair
from citewell.readers.sources import Documents, distinct, opened
from citewell.text import segments
from citewell.text.marks import with_marks, without_marks
from citewell.types import (
    SCORE_DIGITS,
    Answer,
    Citation,
    Draft,
    Granularity,
    Origin,
    Partial,
    Span,
    Statement,
    Verdict,
)

if TYPE_CHECKING:
    from citewell.protocols import LLM, Attributor, Checker, Generator

# In an answer, so that it can be made again.
RECORDED = ("generator", "attributor", "checker", "granularity", "k", "abstain", "minimal", "verify", "uncited")


@dataclass(frozen=True)
class Pipeline:
    """Stages by their spec strings (or ready back ends), each built when it is first used and reused.

    Attributes:
        generator: answers a question.
        attributor: finds evidence for statements that come without.
        checker: labels statements and claims.
        granularity: of the evidence: "sentence", "paragraph", "window" or "token".
        k: the most citations a statement, the attributor's own choice where None.
        abstain: the least confidence, and the least score of a statement, of an answer that is given. It has the last
            word over a threshold of the generator's own, which counts where this is None.
        minimal: drop evidence without which the checker is as sure (necessary evidence only).
        verify: check the citations that a language model gave; narrow, replace or drop them.
        uncited: what to do with statements without a valid citation of the model that cites: `attribute` or `leave`.
        timeout: seconds that one call may take, looked at before each stage, claim and request to a language model; no
            limit where None.
        declining: how a reply that declines is told: `sentences`, `lab` (the paper's phrases anywhere) or `never`.
    """

    generator: str | Generator = "extractive"
    attributor: str | Attributor = "lexical"
    checker: str | Checker = "lexical"
    granularity: Granularity = "sentence"
    k: int | None = None
    abstain: float | None = None
    minimal: bool = False
    verify: bool = True
    uncited: str = "attribute"
    declining: str = "sentences"
    timeout: float | None = None

    def __post_init__(self) -> None:
        refuse(self)

    def run(self, documents: Documents, question: str, tell: Tell | None = None) -> Answer:
        """Answer a question, or abstain.

        Args:
            documents: one or several.
            question: in words.
            tell: told each statement with its citations as soon as it is final, while a language model still writes;
                at the end where `abstain` may withhold the answer.

        Raises:
            UsageError: the question is empty, or no document is given.
            BackendError: a model failed, or the time is over.
        """
        started = time.perf_counter()
        withheld = list[Partial]()
        hear = tell if self.abstain is None else withheld.append
        with notes.collect() as noted, deadline.within(self.timeout), notes.stage("ask") as about:
            sources = distinct(_opened(documents))
            teller = Teller(partial(self._grounded, sources), self._declining.refuses, hear if tell else None)
            draft = self._drafted(sources, question, teller if tell else None)
            answer = self._answer(draft, teller.finish(draft), sources, noted, started)
            about |= {"abstained": answer.abstained, "statements": len(answer.statements)}
        if tell and not answer.abstained:
            for part in withheld:
                tell(part)
        return answer

    def draft(self, documents: Documents, question: str) -> Draft:
        """What the generator says, with its confidence, its candidates and what is withheld; `ground` goes on from it.

        Raises:
            UsageError: the question is empty, or no document is given.
            BackendError: a model failed.
        """
        return self._drafted(distinct(_opened(documents)), question)

    def attribute(
        self, documents: Documents, text: str, question: str | None = None, spans: Iterable[Span] = ()
    ) -> Answer:
        """Find the evidence for an answer that somebody else wrote.

        `spans` are parts of the answer to attribute instead of its statements, each read with its statement.

        Raises:
            UsageError: the answer is empty, or no document is given.
        """
        refuse_empty("the answer", text)
        plain = without_marks(text)
        return with_marks(
            self.ground(documents, Draft(plain, question, segments.statements(plain), spans_of(spans))), text
        )

    def check(self, documents: Documents, claims: str | Iterable[str]) -> list[Verdict]:
        """Judge claims against documents, each with the evidence that the attributor found for it.

        Raises:
            UsageError: a claim is empty, or no document is given.
        """
        texts = [claims] if isinstance(claims, str) else listed("claims", claims)
        for text in texts:
            refuse_empty("a claim", text)
        plain = list(map(without_marks, texts))
        drafts = [Draft(text, None, (Span(0, len(text)),)) for text in plain]
        with deadline.within(self.timeout), notes.stage("check claims", claims=len(texts)):
            sources = _opened(documents)
            with deadline.stage("attribute", method=self._named["attributor"], claims=len(texts)):
                evidence = [self.find(sources, draft) for draft in drafts]
            pairs = [Pair(text, sources, cited) for text, cited in zip(plain, evidence, strict=True)]
            with deadline.stage("check", method=self._named["checker"], claims=len(texts)):
                verdicts = zip(judgements(pairs, self._checker), texts, strict=True)
                return [replace(judged(verdict, sources), claim=text) for verdict, text in verdicts]

    def find(self, documents: Documents, draft: Draft) -> tuple[Citation, ...]:
        """The evidence that the attributor finds for the targets of a draft, grouped by target, best first."""
        deadline.check()
        return self._attributor.attribute(draft, opened(documents), self.granularity, self.k)

    def label(self, documents: Documents, draft: Draft, citations: Sequence[Citation]) -> tuple[Statement, ...]:
        """The statements of a draft with the labels that these citations give them."""
        return labelled(draft, citations, opened(documents), self._checker)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """What the checker says of claims and evidence that are given together."""
        with deadline.within(self.timeout):
            return self._checker.check(pairs) if pairs else []

    def ground(self, documents: Documents, draft: Draft) -> Answer:
        """The answer that a draft becomes: its citations verified, evidence found where there is none, labels.

        Raises:
            UsageError: no document is given.
        """
        started = time.perf_counter()
        with notes.collect() as noted, deadline.within(self.timeout), notes.stage("ground"):
            sources = _opened(documents)
            return self._answer(draft, self._grounded(sources, draft), sources, noted, started)

    def _drafted(self, documents: tuple[Document, ...], question: str, on_draft: Teller | None = None) -> Draft:
        refuse_empty("the question", question)
        with deadline.stage("generate", method=self._named["generator"], documents=len(documents)):
            draft = self._generator.generate(question, documents, on_draft)
        draft = by_confidence(draft, self.abstain)
        return self._declining.apply(draft)

    def _grounded(self, documents: tuple[Document, ...], draft: Draft) -> Grounded:
        if draft.abstention:
            return Grounded()
        draft, how = replace(draft, statements=statements(draft)), (self.granularity, self.k)
        cited, method, checker = draft.sources, self._named["attributor"], self._named["checker"]
        if self.verify and cited:
            with deadline.stage("verify", method=method, checker=checker, citations=len(cited)):
                cited = verified(draft, documents, self._attributor, self._checker, *how)
        with deadline.stage("attribute", method=method, statements=len(draft.statements)) as about:
            if self.uncited == "attribute" or not draft.cites:
                cited = completed(draft, cited, documents, self._attributor, *how)
            if self.minimal:
                cited = minimal(draft, cited, self._checker)
            cited = placed(cited, documents)
            about["citations"] = len(cited)
        with deadline.stage("check", method=checker, claims=len(draft.statements)):
            return Grounded(labelled(draft, cited, documents, self._checker), cited)

    def _answer(
        self, draft: Draft, grounded: Grounded, documents: tuple[Document, ...], noted: notes.Notes, started: float
    ) -> Answer:
        reading = (warning for document in documents for warning in document.warnings)
        answer = Answer(
            text=draft.text,
            statements=grounded.statements,
            citations=grounded.citations,
            documents=tuple(document.info for document in documents),
            question=draft.question,
            abstention=draft.abstention
            and placed_abstention(helped(draft.abstention, draft.question, documents), documents),
            method=" | ".join(part for part in (draft.method, self._named["attributor"]) if part),
            usage={**draft.usage, **noted.counts, **total(draft.usage, noted.costs)},
            warnings=tuple(dict.fromkeys((*reading, *draft.warnings, *noted.warnings))),
            value=placed_value(draft, grounded),
            confidence=None if draft.confidence is None else round(draft.confidence, SCORE_DIGITS),
        )
        targets = {"targets": [list(span) for span in draft.targets]} if draft.targets else {}
        answer = by_weakest(answer, self.abstain).with_usage(pipeline=self.record(draft.origin) | targets)
        return answer.with_usage(seconds=round(time.perf_counter() - started, 4), digest=answer.digest)

    def record(self, origin: Origin | Literal["checked"]) -> dict[str, Any]:
        """How an answer or a check came about, as far as it can be done again: what was given has no generator."""
        generated = origin in ("quoted", "written")
        how = {name: getattr(self, name) for name in RECORDED if generated or name != "generator"}
        return {"origin": origin, **how, **{stage: name for stage, name in self._named.items() if stage in how}}

    @cached_property
    def _named(self) -> dict[str, str]:
        return {stage: registry.name(getattr(self, stage)) for stage in ("generator", "attributor", "checker")}

    @cached_property
    def _generator(self) -> Generator:
        return cast("Generator", registry.build("generator", self.generator))

    @cached_property
    def _declining(self) -> Declining:
        return Declining(self.declining)

    @cached_property
    def _attributor(self) -> Attributor:
        return cast("Attributor", registry.build("attributor", self.attributor))

    @cached_property
    def _checker(self) -> Checker:
        return cast("Checker", registry.build("checker", self.checker))


def ask(
    documents: Documents,
    question: str,
    *,
    llm: str | LLM | Callable[[str], str] | None = None,
    approach: str | None = None,
    prompt: str = "question",
    abstain: float | str | Path | Promise | None = None,
    max_tokens: int | None = None,
    vocabulary: str | None = None,
    timeout: float | None = None,
    tell: Tell | None = None,
    **stages: Any,
) -> Answer:
    """Answer a question about one document or several, every statement with its evidence, or abstain.

    Args:
        documents: what `read` returned, or paths of files, which are read.
        question: in words.
        llm: the spec of a language model, a client, or a function from the prompt to the reply; without one the
            extractive reader answers.
        approach: how the answer is made, with parameters as in "citation(reduce=top(k=3))"; "extractive" without a
            language model, "citation" with one.
        prompt: the name of one of our prompts, or the path of one's own.
        abstain: the least score, 0 to 1, of an answer that is given, or a promise, or its file (`citewell calibrate`).
        max_tokens: the most tokens of a language model's reply; the prompt's own setting where None.
        vocabulary: the path of a file with expressions of one's own and what reports call them; for `extractive`.
        timeout: seconds that the whole call may take; see `Pipeline`.
        tell: told each statement as soon as it is final, while a language model still writes.
        stages: further fields of `Pipeline`.

    Raises:
        UsageError: the question is empty, or a setting is not known.
        SpecError: a back end is not known.
        VocabularyError: the vocabulary cannot be read.
        BackendError: a model failed.
    """
    more: dict[str, Any] = {"abstain": abstain, "timeout": timeout, "prompt": prompt, "vocabulary": vocabulary}
    return answering(llm=llm, approach=approach, max_tokens=max_tokens, **more, **stages).run(documents, question, tell)


def attribute(
    documents: Documents,
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
        documents: what `read` returned, or paths of files, one or several.
        answer: the text; its statements are its sentences, list items one by one.
        question: what it answers, if known.
        method: the spec of an attributor.
        granularity: of the evidence: "sentence", "paragraph", or exact words: "window" (copied spans and where they
            were copied from) or "token" (the same by the method's own tokens, where it has any).
        k: the most citations a statement.
        spans: offsets of the answer to attribute instead of its statements.
        stages: further fields of `Pipeline`, such as `timeout`.

    Raises:
        UsageError: the answer is empty, or a setting is out of range.
        SpecError: the method is not known.
    """
    pipeline = assembled(**{"attributor": method, "granularity": granularity, "k": k, **stages})
    return pipeline.attribute(documents, answer, question, spans)


def check(
    documents: Documents,
    claims: str | Iterable[str],
    checker: str | Checker | Callable[[str, str], bool | float | str] = "lexical",
    **stages: Any,
) -> list[Verdict]:
    """Judge whether documents support claims; one verdict a claim, in order, with its evidence.

    A function as `checker` is given claim and evidence, and returns yes or no, a probability, or a label.

    Raises:
        UsageError: a claim is empty.
        SpecError: the checker is not known.
    """
    return assembled(checker=checker, **stages).check(documents, claims)


def _opened(documents: Documents) -> tuple[Document, ...]:
    with deadline.stage("read") as about:
        sources = opened(documents)
        about["documents"] = len(sources)
    return sources


def answering(
    *, llm: Any = None, approach: str | None = None, max_tokens: int | None = None, **settings: Any
) -> Pipeline:
    """The pipeline of `ask` in its settings.

    Raises:
        UsageError: a setting is not known, or out of range.
        SpecError: a back end is not known.
        VocabularyError: the vocabulary cannot be read.
    """
    hold(int | None, max_tokens=max_tokens)
    chosen: dict[str, Any] = {} if max_tokens is None else {"max_tokens": max_tokens}
    chosen |= {name: settings.pop(name) for name in {"prompt", "vocabulary"} & settings.keys()}
    return assembled(**{**approaches.chosen(llm, approach, **chosen), **settings})


def assembled(**stages: Any) -> Pipeline:
    """A pipeline of these fields; `abstain` may also be a promise, or its file.

    Raises:
        UsageError: there is no such field, one is out of range, or the promise was made for other stages.
        InputError: there is no such file, or it holds no promise.
    """
    known = Pipeline.__dataclass_fields__
    if unknown := sorted(stages.keys() - known.keys()):
        raise UsageError(f"a pipeline has no {', '.join(unknown)}; it has: {', '.join(known)}")
    promised = stages.pop("abstain", None)
    bare = Pipeline(**stages)
    if promised is None:
        return bare
    return replace(bare, abstain=least(promised, registry.name(bare.generator), registry.name(bare.checker)))
