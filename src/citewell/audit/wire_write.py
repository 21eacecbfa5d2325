"""Our answers in the formats that other programs read: Anthropic, OpenAI, Gemini, Cohere, plain text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from citewell.document import Document
from citewell.types import Answer, Citation


def write(answer: Answer, documents: Sequence[Document], form: str) -> Any:
    """The answer in a format of `FORMS`; an object for JSON, a string for `plain`.

    Raises:
        KeyError: the format is not known.
    """
    return FORMS[form](answer, documents)


def _parts(answer: Answer) -> list[tuple[str, list[Citation]]]:
    """The text in pieces: each statement with its citations, and what stands between them."""
    pieces: list[tuple[str, list[Citation]]] = []
    position = 0
    for one in answer.statements:
        if one.start > position:
            pieces.append((answer.text[position : one.start], []))
        pieces.append((answer.text[one.start : one.end], [answer.citations[number] for number in one.citations]))
        position = one.end
    if position < len(answer.text):
        pieces.append((answer.text[position:], []))
    return pieces


def _titles(answer: Answer) -> dict[str, tuple[int, str | None]]:
    return {one.id: (number, one.title or one.source) for number, one in enumerate(answer.documents)}


def _anthropic(answer: Answer, _: Sequence[Document]) -> dict[str, Any]:
    titles = _titles(answer)
    content = []
    for text, cited in _parts(answer):
        citations = [
            {
                "type": "char_location",
                "cited_text": one.quote,
                "document_index": titles[one.document_id][0],
                "document_title": titles[one.document_id][1],
                "file_id": None,
                "start_char_index": one.start,
                "end_char_index": one.end,
            }
            for one in cited
        ]
        content.append({"type": "text", "text": text, "citations": citations or None})
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}


def _annotations(answer: Answer, kind: str) -> list[dict[str, Any]]:
    titles = _titles(answer)
    result: list[dict[str, Any]] = []
    for one in answer.citations:
        number, title = titles[one.document_id]
        if kind == "file_citation":
            file = {"file_id": one.document_id, "filename": title or one.document_id, "quote": one.quote}
            result.append({"type": kind, "index": one.answer_end, **file})
        else:
            place = {"start_index": one.answer_start, "end_index": one.answer_end}
            url = answer.documents[number].source or f"citewell:{one.document_id}"
            result.append({"type": kind, kind: {"url": url, "title": title, **place, "quote": one.quote}})
    return result


def _chat(answer: Answer, _: Sequence[Document]) -> dict[str, Any]:
    refusal = (answer.text or (answer.abstention.message if answer.abstention else "")) if answer.abstained else None
    message = {
        "role": "assistant",
        "content": None if answer.abstained else answer.text,
        "refusal": refusal,
        "annotations": _annotations(answer, "url_citation"),
    }
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _responses(answer: Answer, _: Sequence[Document]) -> dict[str, Any]:
    part = {"type": "output_text", "text": answer.text, "annotations": _annotations(answer, "file_citation")}
    return {"object": "response", "output": [{"type": "message", "role": "assistant", "content": [part]}]}


def _gemini(answer: Answer, _: Sequence[Document]) -> dict[str, Any]:
    titles = _titles(answer)
    distinct = list(
        dict.fromkeys((one.document_id, one.start, one.end, one.quote, one.page) for one in answer.citations)
    )
    chunks = []
    for document, _start, _end, quote, page in distinct:
        context: dict[str, Any] = {"title": titles[document][1], "text": quote}
        if page is not None:
            context["ragChunk"] = {"text": quote, "pageSpan": {"firstPage": page, "lastPage": page}}
        chunks.append({"retrievedContext": context})

    def size(end: int) -> int:
        return len(answer.text[:end].encode("utf-8", "surrogatepass"))

    supports = []
    for one in answer.statements:
        own = [answer.citations[number] for number in one.citations]
        if own:
            keys = [(c.document_id, c.start, c.end, c.quote, c.page) for c in own]
            segment = {"partIndex": 0, "startIndex": size(one.start), "endIndex": size(one.end), "text": one.text}
            places = {"groundingChunkIndices": [distinct.index(key) for key in keys]}
            supports.append({"segment": segment, **places, "confidenceScores": [round(c.score, 6) for c in own]})
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": answer.text}]}, "groundingMetadata": grounding}]}


def _cohere(answer: Answer, _: Sequence[Document]) -> dict[str, Any]:
    titles = _titles(answer)
    citations = [
        {
            "start": one.answer_start,
            "end": one.answer_end,
            "text": answer.text[one.answer_start : one.answer_end],
            "sources": [
                {
                    "type": "document",
                    "id": one.document_id,
                    "document": {"id": one.document_id, "title": titles[one.document_id][1], "text": one.quote},
                }
            ],
            "content_index": 0,
            "type": "TEXT_CONTENT",
        }
        for one in answer.citations
    ]
    return {
        "message": {"role": "assistant", "content": [{"type": "text", "text": answer.text}], "citations": citations}
    }


def _plain(answer: Answer, _: Sequence[Document]) -> str:
    quotes = [f"[{number}] {' '.join(one.quote.split())}" for number, one in enumerate(answer.citations, 1)]
    return "\n".join([str(answer), *(["", "Sources:", *quotes] if quotes else [])]) + "\n"


FORMS: dict[str, Callable[[Answer, Sequence[Document]], Any]] = {
    "anthropic": _anthropic,
    "openai-chat": _chat,
    "openai-responses": _responses,
    "gemini": _gemini,
    "cohere": _cohere,
    "citewell": lambda answer, _: answer.to_dict(),
    "plain": _plain,
}
