"""Writes our answers in other programs' formats; every format that can be read can be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from citewell.audit import wire_conversations, wire_write_clouds, wire_write_lists
from citewell.audit.claims import DAMAGED, CitationJson
from citewell.audit.wire_declared import LISTINGS
from citewell.audit.written import Written, octets
from citewell.errors import AnswerFormatError
from citewell.types import Answer, Citation


def write(
    answer: Answer, form: str, payloads: Sequence[CitationJson | None] = (), data: Mapping[str, Any] | None = None
) -> Any:
    """The answer in a format of `FORMS`: an object for JSON, a string for `plain`.

    Args:
        answer: with its citations.
        form: of the result.
        payloads: how a response of this form gave each citation, which is kept; a new one is of its kind.
        data: the response, where its form comes in several shapes or lists what was retrieved.

    Raises:
        AnswerFormatError: a part of the response that is kept has the wrong type.
    """
    try:
        return FORMS[form](Written(answer, {n: payload for n, payload in enumerate(payloads) if payload}, data))
    except DAMAGED as error:
        raise AnswerFormatError(f"the response is damaged, nothing can be added to it: {error}") from error


def _anthropic(written: Written) -> dict[str, Any]:
    paged = any(payload.get("type") == "page_location" for payload in written.payloads.values())
    content = []
    for text, numbers in written.parts():
        citations = [anthropic_place(written, number, paged=paged) for number in numbers]
        content.append({"type": "text", "text": text, "citations": citations or None})
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}


def anthropic_place(written: Written, number: int, *, paged: bool) -> dict[str, Any]:
    """A citation as it was given, its pages put right; else a new one of the kind that the response has."""
    cited, payload = written.answer.citations[number], written.payloads.get(number)
    last = max((rect.page for rect in cited.rects), default=cited.page)
    pages = {} if cited.page is None or last is None else {"start_page_number": cited.page, "end_page_number": last + 1}
    if payload is not None:
        right = payload.get("type") == "page_location" and pages
        inside = right and int(payload["start_page_number"]) <= (cited.page or 0) < int(payload["end_page_number"])
        return {**payload, **pages} if right and not inside else dict(payload)
    index, title = written.place(cited), written.title(cited)
    file = {"file_id": None, **written.known(cited, "document_index", "document_title", "file_id")}
    named = {"cited_text": cited.quote, "document_index": index, "document_title": title, **file}
    if paged and pages:
        return {"type": "page_location", **named, **pages}
    return {"type": "char_location", **named, "start_char_index": cited.start, "end_char_index": cited.end}


def _annotations(written: Written, kind: str) -> list[dict[str, Any]]:
    return [annotation(written, number, kind) for number in range(len(written.answer.citations))]


def annotation(written: Written, number: int, kind: str) -> dict[str, Any]:
    """A citation as OpenAI's annotation: as it was given, else a new one."""
    citation = written.answer.citations[number]
    title = written.title(citation)
    if number in written.payloads:
        return dict(written.payloads[number])
    if kind == "file_citation":
        file = {"file_id": citation.document_id, "filename": title or citation.document_id}
        file |= written.known(citation, "file_id", "filename")
        return {"type": kind, "index": citation.answer_end, **file, "quote": citation.quote}
    place = {"start_index": citation.answer_start, "end_index": citation.answer_end}
    url = written.answer.documents[written.place(citation)].source or f"citewell:{citation.document_id}"
    return {"type": kind, kind: {"url": url, "title": title or url, **place, "quote": citation.quote}}


def _chat(written: Written) -> dict[str, Any]:
    answer = written.answer
    refusal = (answer.text or (answer.abstention.message if answer.abstention else "")) if answer.abstained else None
    message = {
        "role": "assistant",
        "content": None if answer.abstained else answer.text,
        "refusal": refusal,
        "annotations": _annotations(written, "url_citation"),
    }
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _responses(written: Written) -> dict[str, Any]:
    part = {"type": "output_text", "text": written.answer.text, "annotations": _annotations(written, "file_citation")}
    return {"object": "response", "output": [{"type": "message", "role": "assistant", "content": [part]}]}


def _gemini(written: Written) -> dict[str, Any]:
    answer = written.answer
    chunks, chunk_of = list[dict[str, Any]](), dict[tuple[Any, ...], int]()
    places = [  # one chunk a quote, whichever statements cite it
        wire_write_clouds.numbered(written, n, chunks, chunk_of, _chunk) for n in range(len(answer.citations))
    ]
    sizes = octets(answer.text)
    supports = []
    for statement in answer.statements:
        citations = [answer.citations[number] for number in statement.citations]
        if citations:
            segment = {
                "partIndex": 0,
                "startIndex": sizes[statement.start],
                "endIndex": sizes[statement.end],
                "text": statement.text,
            }
            indices = {"groundingChunkIndices": [places[number] for number in statement.citations]}
            supports.append({"segment": segment, **indices, "confidenceScores": [round(c.score, 6) for c in citations]})
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": answer.text}]}, "groundingMetadata": grounding}]}


def _chunk(written: Written, citation: Citation) -> dict[str, Any]:
    context: dict[str, Any] = {"title": written.title(citation), "text": citation.quote}
    if citation.page is not None:
        pages = {"firstPage": citation.page, "lastPage": citation.page}
        context["ragChunk"] = {"text": citation.quote, "pageSpan": pages}
    return {"retrievedContext": context}


def _cohere(written: Written) -> dict[str, Any]:
    answer = written.answer
    citations = [
        {
            "start": citation.answer_start,
            "end": citation.answer_end,
            "text": answer.text[citation.answer_start : citation.answer_end],
            "sources": [
                dict(written.payloads[n])
                if n in written.payloads
                else {
                    "type": "document",
                    "id": citation.document_id,
                    "document": {"id": citation.document_id, "title": written.title(citation), "text": citation.quote},
                }
            ],
            "content_index": 0,
            "type": "TEXT_CONTENT",
        }
        for n, citation in enumerate(answer.citations)
    ]
    return {
        "message": {"role": "assistant", "content": [{"type": "text", "text": answer.text}], "citations": citations}
    }


def _plain(written: Written) -> str:
    answer = written.answer
    quotes = [f"[{number}] {' '.join(citation.quote.split())}" for number, citation in enumerate(answer.citations, 1)]
    return "\n".join([str(answer), *(["", "Sources:", *quotes] if quotes else [])]) + "\n"


FORMS: dict[str, Callable[[Written], Any]] = {
    "anthropic": _anthropic,
    "openai-chat": _chat,
    "openai-responses": _responses,
    "gemini": _gemini,
    "cohere": _cohere,
    "openai-assistants": wire_write_clouds.assistants,
    "bedrock-converse": wire_write_clouds.converse,
    "bedrock-retrieve-and-generate": wire_write_clouds.generated,
    "vertex-check-grounding": wire_write_clouds.checked,
    "vertex-answer": wire_write_clouds.answered,
    "azure": wire_write_lists.azure,
    "perplexity": wire_write_lists.perplexity,
    "ragflow": wire_write_lists.ragflow,
    "langchain": wire_write_lists.langchain,
    "llamaindex": wire_write_lists.llamaindex,
    "haystack": wire_write_lists.haystack,
    **{listing.form: listing.write for listing in LISTINGS},
    wire_conversations.FORM: wire_conversations.write,
    "citewell": lambda written: written.answer.to_dict(),
    "plain": _plain,
}
