"""Typical uses of the public API: mypy and pyright must agree on their types. Checked, never run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import assert_type

import citewell
from citewell import (
    Abstention,
    Answer,
    Citation,
    Document,
    Draft,
    Pipeline,
    Reason,
    Rect,
    Segment,
    Span,
    Statement,
    Verdict,
)
from citewell.protocols import (
    LLM,
    Attributor,
    Checker,
    Completion,
    Decomposer,
    Generator,
    Message,
    Pair,
    Reducer,
    Request,
    Retriever,
    Unit,
)
from citewell.testing import assert_attributed, assert_supported, contracts
from citewell.types import Granularity, Hit, Label, Partial


def reading(path: Path) -> None:
    document = citewell.read(path)
    assert_type(document, Document)
    assert_type(citewell.read(b"text", name="notes.txt"), Document)
    assert_type(document.text, str)
    assert_type(document.title, str | None)
    assert_type(document.segments("sentence"), tuple[Segment, ...])
    assert_type(Document.from_text("Revenue rose.", title="Report").id, str)


def asking(document: Document) -> None:
    answer = citewell.ask(document, "What was revenue in 2022?")
    assert_type(answer, Answer)
    assert_type(answer.abstained, bool)
    assert_type(answer.abstention, Abstention | None)
    for statement in answer.statements:
        assert_type(statement, Statement)
        assert_type(statement.label, Label)
        for number in statement.citations:
            citation = answer.citations[number]
            assert_type(citation, Citation)
            assert_type(citation.page, int | None)
            assert_type(citation.rects, tuple[Rect, ...])
        assert_type(statement.reasons, tuple[Reason, ...])
    assert_type(answer.confidence, float | None)
    assert_type(Answer.from_dict(answer.to_dict()), Answer)
    citewell.ask([document, document], "Who?", llm="openai(model=gpt-4o-mini)", approach="citation", abstain=0.3)


def attributing(document: Document) -> None:
    assert_type(citewell.attribute(document, "Revenue rose.", method="lexical(gain=0.1)", granularity="token"), Answer)
    assert_type(citewell.attribute([document], "Revenue rose.", question="What happened?", k=2), Answer)


def checking(document: Document) -> None:
    verdicts = citewell.check(document, ["Revenue rose.", "Costs fell."], checker="lexical(threshold=0.7)")
    assert_type(verdicts, list[Verdict])
    assert_type(verdicts[0].score, float)
    assert_type(Verdict.from_dict(verdicts[0].to_dict()), Verdict)
    assert_type(verdicts[0].uncovered, tuple[Span, ...])


def with_a_pipeline(document: Document) -> None:
    pipeline = Pipeline(attributor="verbatim", checker=Strict())
    assert_type(pipeline.run(document, "Who?"), Answer)
    assert_type(pipeline.draft(document, "Who?"), Draft)
    assert_type(pipeline.check(document, "Revenue rose."), list[Verdict])


def in_tests(document: Document) -> None:
    assert_type(assert_attributed("Revenue rose.", document, min_recall=0.9), Answer)
    assert_type(assert_supported("Revenue rose.", "Revenue rose in 2022."), Verdict)
    contracts.check_checker(Strict)
    contracts.check_retriever(First)


class Strict:
    """A checker of one's own: whoever has the verb is one."""

    name = "strict"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [Verdict(pair.claim, "not_supported", 0.0, pair.citations or (), method=self.name) for pair in pairs]


class First:
    """A retriever, an attributor, a decomposer and a model of one's own."""

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        return tuple(Hit(position, 1.0) for position, segment in enumerate(segments) if query in segment.text)

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        segments = documents[0].segments(granularity)
        return tuple(Citation.of(segments[0], documents[0].id, target) for target in draft.targets[:k])

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        return (Unit(statement, (Span(0, len(statement)),)),)


class Echo:
    """A language model of one's own."""

    def complete(self, request: Request, on_text: object = None) -> Completion:
        return Completion(request.messages[-1].content, "echo")


def families() -> None:
    retriever: Retriever = First()
    attributor: Attributor = First()
    decomposer: Decomposer = First()
    checker: Checker = Strict()
    llm: LLM = Echo()
    assert_type(retriever.rank("revenue", ()), tuple[Hit, ...])
    assert_type(attributor.attribute(Draft("Revenue rose."), ()), tuple[Citation, ...])
    assert_type(decomposer.decompose("Revenue rose."), tuple[Unit, ...])
    assert_type(checker.check([]), list[Verdict])
    assert_type(llm.complete(Request((Message("user", "Hello"),))), Completion)


def stages(generator: Generator, reducer: Reducer, document: Document) -> None:
    assert_type(generator.generate("Who?", [document]), Draft)
    for passage in reducer.reduce("Who?", [document], "sentence"):
        assert_type(passage.segment, Segment)


def errors() -> None:
    try:
        citewell.read("report.pdf")
    except citewell.MissingExtraError as error:
        assert_type(error.extra, str)
    except citewell.DocumentError as error:
        assert_type(error.exit_code, int)


def conveniences(path: Path) -> None:
    answer = citewell.ask(path, "What was revenue?", llm=lambda prompt: prompt.upper())
    assert_type(citewell.ask([str(path), citewell.read(path)], "Who?"), Answer)
    assert_type(citewell.check(path, "Revenue rose.", checker=lambda claim, evidence: claim in evidence), list[Verdict])
    assert_type(Answer.from_json(answer.to_json()), Answer)
    assert_type(Verdict.from_json("{}"), Verdict)
    assert_type(answer.to_html(path), str)
    assert_type(citewell.verify(answer, path).ok, bool)
    assert_type(citewell.audit("Revenue rose [1].", path).recall, float | None)
    assert_type(citewell.__version__, str)
    assert_type(Document.load("report.json", file=path), Document)
    assert_type(citewell.read(path).offset_from("utf-16", 3), int)
    for done in citewell.batch("ask", [{"documents": path, "question": "Who?"}], path, progress=True):
        assert_type(done.error, Exception | None)
    citewell.observe(lambda name, about: nullcontext())()
    citewell.read(path).offset_in("utf-7", 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    _ = citewell.aks  # type: ignore[attr-defined]  # a name that is misspelt is an error


async def in_async_code(path: Path) -> None:
    assert_type(await citewell.aask(path, "What was revenue?"), Answer)
    assert_type(await citewell.aattribute(path, "Revenue rose."), Answer)
    assert_type(await citewell.acheck(path, "Revenue rose."), list[Verdict])
    async for part in citewell.astream(path, "What was revenue?"):
        assert_type(part, Partial | Answer)
