"""The contract of generators: statements that occur in the text, sources that quote the documents, or a reason."""

from __future__ import annotations

from citewell import Document
from citewell.protocols import Generator
from citewell.testing.contracts.scenarios import MARKS, NOTE, REPORT, expect, expect_quotes
from citewell.types import Draft

QUESTIONS = ("When was the company founded?", "Revenue in 2022?", "東京?", "Who sings 😀 in the Pacific?", "")


def _expect_draft(draft: Draft, documents: list[Document]) -> None:
    expect(isinstance(draft, Draft), "a generator gives a Draft")
    expect(draft.text.strip() or draft.abstention, "a draft without text says why")
    position = 0
    for start, end in draft.statements:
        expect(position <= start < end <= len(draft.text), "statements stand in the text, in order, without overlap")
        expect(draft.text[start:end].strip(), "a statement holds more than white space")
        position = end
    expect_quotes(draft.sources, documents)
    for cited in draft.sources:
        inside = 0 <= cited.answer_start <= cited.answer_end <= len(draft.text)
        expect(inside, "a source's range lies in the draft's text")


def it_has_the_verb(generator: Generator) -> None:
    """It has `generate`."""
    expect(isinstance(generator, Generator), "a generator has `generate`")


def a_draft_has_statements_and_exact_sources_or_says_why_not(generator: Generator) -> None:
    """Whatever is asked."""
    for question in QUESTIONS:
        _expect_draft(generator.generate(question, [REPORT, NOTE]), [REPORT, NOTE])


def a_document_without_words_does_not_fail(generator: Generator) -> None:
    """Marks alone are a document too."""
    for documents in ([MARKS], [MARKS, REPORT]):
        _expect_draft(generator.generate(QUESTIONS[0], documents), documents)


def the_same_question_gets_the_same_draft(generator: Generator) -> None:
    """Nothing is drawn by chance; what it took is another matter."""
    for question in QUESTIONS:
        first, second = (generator.generate(question, [REPORT, NOTE]) for _ in range(2))
        same = (first.text, first.statements, first.sources) == (second.text, second.statements, second.sources)
        expect(same, f"two calls agree on {question!r}")


SCENARIOS = (
    it_has_the_verb,
    a_draft_has_statements_and_exact_sources_or_says_why_not,
    a_document_without_words_does_not_fail,
    the_same_question_gets_the_same_draft,
)
