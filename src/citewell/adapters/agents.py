"""Documents for agents: tools as plain functions for any agent framework, and a check of the final answer.

search, answer, verify = document_tools("report.pdf")

Types and docstrings say what a tool takes, so `function_tool(search)` of the OpenAI Agents SDK, `Agent(tools=[search])`
of Pydantic AI, `tool(search)` of smolagents and CrewAI, and LangChain's and LlamaIndex's makers of tools need no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from citewell import Document
from citewell.library.ranking import Ranking
from citewell.pipeline import ask, attribute
from citewell.pipeline.sources import opened
from citewell.types import QUIET, Answer, Span

Tool = Callable[[str], str]


def document_tools(documents: Any, k: int = 5, **settings: Any) -> tuple[Tool, Tool, Tool]:
    """Three tools over documents: search passages, answer a question, verify an answer.

    Args:
        documents: what `citewell.ask` takes: documents that were read, or paths.
        k: how many passages a search returns.
        settings: those of `citewell.attribute`, for verifying.
    """
    sources = opened(documents)
    ranking = Ranking(sources)

    def search_documents(query: str) -> str:
        """Search the documents for passages. Returns the best ones, each with its document, page and offsets.

        Args:
            query: Words or a question.
        """
        passages = [(document, Span(part.start, part.end), part.text) for document, part, _ in ranking.best(query, k)]
        return "\n".join(_places(passages)) or "No passage has these words."

    def answer_question(question: str) -> str:
        """Answer a question from the documents alone, with the evidence of every statement, or say that they do not.

        Args:
            question: A whole question.
        """
        return describe(ask(sources, question), sources)

    def verify_answer(answer: str) -> str:
        """Verify an answer against the documents before it is given. Marks every statement that they do not support.

        Args:
            answer: One or more statements.
        """
        return describe(attribute(sources, answer, **settings), sources)

    return search_documents, answer_question, verify_answer


def describe(answer: Answer, documents: Sequence[Document]) -> str:
    """An answer as marked text, and under it the place and the quote of every citation."""
    known = {document.id: document for document in documents}
    quotes = [
        (known[citation.document_id], Span(citation.start, citation.end), citation.quote)
        for citation in answer.citations
        if citation.document_id in known
    ]
    return "\n".join([str(answer), *_places(quotes)])


def unsupported(answer: Answer) -> list[str]:
    """Each statement that makes a claim without support, with its label and the first reason."""
    return [
        f"{statement.text} ({statement.label.replace('_', ' ')}"
        + (f": {statement.reasons[0].message})" if statement.reasons else ")")
        for statement in answer.statements
        if statement.label not in QUIET
    ]


def _places(quotes: Sequence[tuple[Document, Span, str]]) -> Iterator[str]:
    for number, (document, span, quote) in enumerate(quotes, 1):
        page = document.page_at(span.start)
        name = document.title or document.source or document.id
        place = f"{name}, page {page}" if page is not None else name
        yield f"[{number}] {place}, characters {span.start} to {span.end}: {quote}"
