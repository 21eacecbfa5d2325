"""The whole flow, one line per stage: question or existing answer -> draft -> citations -> labels -> Answer.

Pipeline().run([document], "What was revenue in 2022?")
Pipeline(**approaches.settings("citation", "openai(model=gpt-4o-mini)")).run([document], "What was revenue in 2022?")
Pipeline(attributor="lexical(gain=0.1)").attribute([document], "Revenue rose to $5.9bn.")
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, cast

from citewell import registry
from citewell.abstain.declining import Declining
from citewell.abstain.nearest import helped
from citewell.abstain.threshold import by_confidence, by_weakest
from citewell.attributors.minimal import minimal
from citewell.attributors.targets import statements
from citewell.document import Document
from citewell.errors import UsageError, deadline, notes
from citewell.errors.arguments import listed
from citewell.pipeline.grounding import (
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
from citewell.pipeline.settings import refuse, refuse_empty, spans_of
from citewell.pipeline.sources import Documents, distinct, opened
from citewell.pipeline.streaming import Tell, Teller
from citewell.pipeline.unsupported import Dropping, Policy, applied, unsupported
from citewell.protocols import Pair, Reviser
from citewell.text import segments
from citewell.text.marks import with_marks, without_marks
from citewell.types import (
    SCORE_DIGITS,
    Abstention,
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
    from citewell.protocols import Attributor, Checker, Generator

# In an answer, so that it can be made again.
RECORDED = (
    "generator", "attributor", "checker", "granularity", "k", "abstain", "minimal", "verify", "uncited",
    "on_unsupported",
)  # fmt: skip


@dataclass(frozen=True)
class Pipeline:
    """The stages by their specs (or as built back ends); each is built on first use and then reused.

    Attributes:
        generator: answers a question.
        attributor: finds evidence for statements without citations.
        checker: labels statements and claims.
        granularity: of the evidence: "sentence", "paragraph", "window" or "token".
        k: the maximum number of citations per statement; None leaves the choice to the attributor.
        abstain: the minimum confidence, and the minimum score of a statement, of an answer. It takes precedence over
            the generator's own threshold, which applies if this is None.
        minimal: drop evidence that does not change the checker's score (necessary evidence only).
        verify: check a language model's citations; narrow, replace or drop them.
        uncited: what to do with statements for which a citing model gave no valid citation: `attribute` or `leave`.
        timeout: maximum seconds for one call, checked before each stage, claim and request to a language model; None
            means no limit.
        declining: how a reply that declines is recognised: `sentences`, `lab` (the paper's phrases anywhere) or
            `never`.
        on_unsupported: what to do with statements that the evidence does not support: `mark`, `drop`, `refuse`, or
            `rewrite` by the language model; see `citewell.pipeline.unsupported`.
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
    on_unsupported: Policy = "mark"

    def __post_init__(self) -> None:
        refuse(self)

    def run(
        self, documents: Documents, question: str, tell: Tell | None = None, doubt: Abstention | None = None
    ) -> Answer:
        """Answer a question, or abstain.

        Args:
            documents: one or several.
            question: the question in natural language.
            tell: called with each statement and its citations as soon as it is final, while a language model is still
                writing; at the end if `abstain` may withhold the answer.
            doubt: the abstention to return if it is already known that no answer can be given (`Library.doubt`).

        Raises:
            UsageError: the question is empty, or there is no document.
            BackendError: a model failed, or the time limit was reached.
        """
        started = time.perf_counter()
        early = tell if self.abstain is None and self.on_unsupported in ("mark", "drop") else None
        if early and self.on_unsupported == "drop":
            early = partial(_pass_on, Dropping(), early)
        with notes.collect() as noted, deadline.within(self.timeout), notes.stage("ask") as about:
            sources = distinct(_opened(documents))
            teller = Teller(partial(self._grounded, sources), self._declining.refuses, early)
            draft = self._drafted(sources, question, teller if early else None, doubt)
            answer = self._answer(draft, teller.finish(draft), sources, noted, started)
            if self.on_unsupported == "rewrite" and unsupported(answer):
                answer = self._rewritten(answer, draft, sources, noted, started)
            answer = self._settled(answer)
            about |= {"abstained": answer.abstained, "statements": len(answer.statements)}
        if tell and not early and not answer.abstained:
            for part in Partial.each(answer):
                tell(part)
        return answer

    def draft(self, documents: Documents, question: str) -> Draft:
        """The generator's output with confidence, candidates and any withheld draft; `ground` continues from it.

        Raises:
            UsageError: the question is empty, or there is no document.
            BackendError: a model failed.
        """
        return self._drafted(distinct(_opened(documents)), question)

    def attribute(
        self, documents: Documents, text: str, question: str | None = None, spans: Iterable[Span] = ()
    ) -> Answer:
        """Find the evidence for an existing answer.

        `spans` are parts of the answer to attribute instead of its statements, each read with its statement.

        Raises:
            UsageError: the answer is empty, or there is no document.
        """
        refuse_empty("the answer", text)
        if self.on_unsupported == "rewrite":
            raise UsageError("on_unsupported='rewrite' is for answers that a language model writes: use ask")
        plain = without_marks(text)
        answer = self.ground(documents, Draft(plain, question, segments.statements(plain), spans_of(spans)))
        return self._settled(with_marks(answer, text))

    def check(self, documents: Documents, claims: str | Iterable[str]) -> list[Verdict]:
        """Judge claims against documents, each with the evidence that the attributor found for it.

        Raises:
            UsageError: a claim is empty, or there is no document.
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
        """The attributor's evidence for the targets of a draft, grouped by target, best first."""
        deadline.check()
        return self._attributor.attribute(draft, opened(documents), self.granularity, self.k)

    def label(self, documents: Documents, draft: Draft, citations: Sequence[Citation]) -> tuple[Statement, ...]:
        """The statements of a draft, labelled by these citations."""
        return labelled(draft, citations, opened(documents), self._checker)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """The checker's verdicts on pairs of claims and evidence."""
        with deadline.within(self.timeout):
            return self._checker.check(pairs) if pairs else []

    def ground(self, documents: Documents, draft: Draft) -> Answer:
        """The final answer for a draft: citations verified, missing evidence found, statements labelled.

        Raises:
            UsageError: no document is given.
        """
        started = time.perf_counter()
        with notes.collect() as noted, deadline.within(self.timeout), notes.stage("ground"):
            sources = _opened(documents)
            return self._answer(draft, self._grounded(sources, draft), sources, noted, started)

    def _drafted(
        self,
        documents: tuple[Document, ...],
        question: str,
        on_draft: Teller | None = None,
        doubt: Abstention | None = None,
    ) -> Draft:
        refuse_empty("the question", question)
        if doubt:
            return Draft("", question, abstention=doubt, method=self._named["generator"], origin="written")
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
            usage={**draft.usage, **noted.counts, **noted.spent(draft.usage)},
            warnings=tuple(dict.fromkeys((*reading, *draft.warnings, *noted.warnings))),
            value=placed_value(draft, grounded),
            confidence=None if draft.confidence is None else round(draft.confidence, SCORE_DIGITS),
        )
        targets = {"targets": [list(span) for span in draft.targets]} if draft.targets else {}
        answer = by_weakest(answer, self.abstain).with_usage(pipeline=self.record(draft.origin) | targets)
        return answer.with_usage(seconds=round(time.perf_counter() - started, 4), digest=answer.digest)

    def _settled(self, answer: Answer) -> Answer:
        """The answer after applying the policy for unsupported statements."""
        settled = applied(answer, self.on_unsupported)
        return answer if settled is answer else settled.with_usage(digest=settled.digest)

    def _rewritten(
        self, answer: Answer, draft: Draft, documents: tuple[Document, ...], noted: notes.Notes, started: float
    ) -> Answer:
        """The model's rewrite after it is told what is not supported; the first answer if the rewrite is no better."""
        if not isinstance(self._generator, Reviser):
            raise UsageError("on_unsupported='rewrite' needs a language model that answers: say which with llm")
        faults = [(statement.text, statement.mark) for statement in unsupported(answer)]
        with deadline.stage("rewrite", statements=len(faults)):
            revised = self._declining.apply(self._generator.revise(draft, documents, faults))
        again = self._answer(revised, self._grounded(documents, revised), documents, noted, started)
        better = not again.abstained and len(unsupported(again)) < len(faults)
        return again if better else answer.with_usage(**revised.usage)

    def record(self, origin: Origin | Literal["checked"]) -> dict[str, Any]:
        """How an answer or a check was produced, as far as it can be repeated; an existing answer has no generator."""
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


def _pass_on(dropping: Dropping, tell: Tell, part: Partial) -> None:
    """Pass on a statement unless it is removed from the answer."""
    if (kept := dropping(part)) is not None:
        tell(kept)


def _opened(documents: Documents) -> tuple[Document, ...]:
    with deadline.stage("read") as about:
        sources = opened(documents)
        about["documents"] = len(sources)
    return sources
