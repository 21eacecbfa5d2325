"""Haystack: components that read files with exact offsets, cite replies, answer from documents, and evaluate.

pipeline.add_component("citer", CitewellCiter())     # query, replies, documents in; answers with citations out

`CitewellConverter` gives documents with the exact offsets of their text. Haystack's own splitters keep an offset into
the text that they were given (`split_idx_start`); where it is missing, a citation is a range of its document alone.
A pipeline that was saved is loaded with `allowed_modules=["citewell.adapters.haystack"]`.
"""

# Annotations stay values here: Haystack reads those of `run` to connect components.

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from citewell import read
from citewell.adapters.chunks import Chunk, Chunks, Place, pieces
from citewell.errors import UsageError, needing
from citewell.types import Granularity

with needing("citewell.adapters.haystack", "haystack-ai", "haystack"):
    from haystack import Document, component
    from haystack.dataclasses import ByteStream, ChatMessage, ExtractedAnswer, GeneratedAnswer

KEY = "citewell"  # in the metadata of answers


def chunks(documents: Iterable[Document]) -> Chunks:
    """Haystack's documents as chunks to cite; those without text keep their number and are not cited."""
    return Chunks([Chunk.of(document.content or "", document.id, document.meta) for document in documents])


@component
class CitewellConverter:
    """Reads files (PDF, DOCX, HTML, spreadsheets, ...) into documents with exact offsets, pages and titles.

    Args:
        granularity: what each document holds: paragraph, sentence or section.
    """

    def __init__(self, granularity: Granularity = "paragraph") -> None:
        self.granularity = granularity

    @component.output_types(documents=list[Document])
    def run(self, sources: list[str | Path | ByteStream]) -> dict[str, list[Document]]:
        """Read files; those in memory are called by the `file_name` or `file_path` of their metadata.

        Raises:
            DocumentError: a file cannot be read.
        """
        whole = [_read(source) for source in sources]
        return {
            "documents": [
                Document(id=name, content=text, meta=data) for name, text, data in pieces(whole, self.granularity)
            ]
        }


def _read(source: str | Path | ByteStream) -> Any:
    if not isinstance(source, ByteStream):
        return read(source)
    named = source.meta.get("file_name") or source.meta.get("file_path")
    return read(source.data, name=named)


@component
class CitewellCiter:
    """Makes answers of replies as `AnswerBuilder` does, with the evidence of each statement in the documents.

    `answer.meta["citewell"]` has statements with labels, citations as places, and the text with `[n]` marks, n counting
    the documents from 1.

    Args:
        settings: those of `citewell.attribute`.
    """

    def __init__(self, settings: dict[str, Any] | None = None) -> None:
        self.settings = settings

    @component.output_types(answers=list[GeneratedAnswer])
    def run(
        self, query: str, replies: list[str] | list[ChatMessage], documents: list[Document]
    ) -> dict[str, list[GeneratedAnswer]]:
        """An answer for each reply."""
        values = chunks(documents)
        return {"answers": [self._answer(values, query, _text(reply), documents) for reply in replies]}

    def _answer(self, chunks: Chunks, query: str, reply: str, documents: list[Document]) -> GeneratedAnswer:
        cited = chunks.attribute(reply, query, **(self.settings or {}))
        return GeneratedAnswer(data=cited.marked, query=query, documents=documents, meta={KEY: cited.to_dict()})


def _text(reply: str | ChatMessage) -> str:
    return reply.text or "" if isinstance(reply, ChatMessage) else reply


@component
class CitewellReader:
    """Answers from documents without a language model, or abstains: an answer a citation, each with its exact range.

    Args:
        settings: those of `citewell.ask`.
    """

    def __init__(self, settings: dict[str, Any] | None = None) -> None:
        self.settings = settings

    @component.output_types(answers=list[ExtractedAnswer], answer=GeneratedAnswer)
    def run(self, query: str, documents: list[Document]) -> dict[str, Any]:
        """The quotes that answer the query, none where it abstains; and the answer that they are the evidence for."""
        if not any((document.content or "").strip() for document in documents):
            raise UsageError("CitewellReader needs documents with text")
        cited = chunks(documents).ask(query, **(self.settings or {}))
        generated_answer = GeneratedAnswer(
            data=cited.marked, query=query, documents=documents, meta={KEY: cited.to_dict()}
        )
        return {
            "answers": [_extracted(place, query, documents) for place in cited.supporting],
            "answer": generated_answer,
        }


def _extracted(place: Place, query: str, documents: list[Document]) -> ExtractedAnswer:
    offset = ExtractedAnswer.Span(place.chunk_start, place.chunk_end)
    where = {"document": documents[place.chunk], "document_offset": offset, "meta": {KEY: place.to_dict()}}
    return ExtractedAnswer(query=query, score=place.score, data=place.quote, **where)


@component
class CitewellEvaluator:
    """The share of each answer's claims that its contexts support, as `FaithfulnessEvaluator` without a language model.

    Args:
        settings: those of `citewell.attribute`.
    """

    def __init__(self, settings: dict[str, Any] | None = None) -> None:
        self.settings = settings

    @component.output_types(score=float | None, individual_scores=list[float | None], results=list[dict[str, Any]])
    def run(
        self, predicted_answers: list[str], contexts: list[list[str]], questions: list[str] | None = None
    ) -> dict[str, Any]:
        """Scores, None for answers that claim nothing, which the mean leaves out; and the statements of each.

        Raises:
            UsageError: there are not as many contexts, or questions, as answers.
        """
        request: list[Any] = list(questions) if questions is not None else [None] * len(predicted_answers)
        if not len(predicted_answers) == len(contexts) == len(request):
            raise UsageError("answers, contexts and questions are as many as each other")
        settings = self.settings or {}
        judged = [
            Chunks([Chunk(text) for text in texts]).attribute(answer, question, **settings)
            for answer, texts, question in zip(predicted_answers, contexts, request, strict=True)
        ]
        scores = [cited.support for cited in judged]
        counted = [score for score in scores if score is not None]
        mean = sum(counted) / len(counted) if counted else None
        return {"score": mean, "individual_scores": scores, "results": [cited.to_dict() for cited in judged]}
