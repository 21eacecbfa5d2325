"""Our answers in the formats that other programs read: Anthropic, OpenAI, Gemini, Cohere, plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from citewell.audit.claims import Given
from citewell.types import Answer, Citation


class Written(NamedTuple):
    """An answer, and how a response gave its citations: by the answer's own numbers, without those that were added."""

    answer: Answer
    given: Mapping[int, Given]

    def parts(self) -> Iterator[tuple[str, list[int]]]:
        """The text in pieces: each statement with the numbers of its citations, and what stands between them."""
        text, position = self.answer.text, 0
        for statement in self.answer.statements:
            if statement.start > position:
                yield text[position : statement.start], []
            yield text[statement.start : statement.end], list(statement.citations)
            position = statement.end
        if position < len(text):
            yield text[position:], []

    def known(self, citation: Citation, *names: str) -> dict[str, Any]:
        """What the response calls the citation's document, if it cites it anywhere."""
        cited = self.answer.citations
        same = next((given for n, given in self.given.items() if cited[n].document_id == citation.document_id), {})
        return {name: same[name] for name in names if same.get(name) is not None}


def write(answer: Answer, form: str, given: Sequence[Given | None] = ()) -> Any:
    """The answer in a format of `FORMS`, citewell's own for any other; an object for JSON, a string for `plain`.

    Args:
        answer: with its citations.
        form: of the result.
        given: how a response of this form gave each citation; it is written as it was given, what is new in its kind.
    """
    return FORMS.get(form, FORMS["citewell"])(Written(answer, {n: one for n, one in enumerate(given) if one}))


def _titles(answer: Answer) -> dict[str, tuple[int, str | None]]:
    return {one.id: (number, one.title or one.source) for number, one in enumerate(answer.documents)}


def _anthropic(written: Written) -> dict[str, Any]:
    paged = any(given.get("type") == "page_location" for given in written.given.values())
    content = []
    for text, numbers in written.parts():
        citations = [_anthropic_place(written, number, paged=paged) for number in numbers]
        content.append({"type": "text", "text": text, "citations": citations or None})
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}


def _anthropic_place(written: Written, number: int, *, paged: bool) -> dict[str, Any]:
    """A citation as it was given, its pages put right; else a new one of the kind that the response has."""
    cited, given = written.answer.citations[number], written.given.get(number)
    last = max((rect.page for rect in cited.rects), default=cited.page)
    pages = {} if cited.page is None or last is None else {"start_page_number": cited.page, "end_page_number": last + 1}
    if given is not None:
        right = given.get("type") == "page_location" and pages
        inside = right and int(given["start_page_number"]) <= (cited.page or 0) < int(given["end_page_number"])
        return {**given, **pages} if right and not inside else dict(given)
    index, title = _titles(written.answer)[cited.document_id]
    file = {"file_id": None, **written.known(cited, "document_index", "document_title", "file_id")}
    named = {"cited_text": cited.quote, "document_index": index, "document_title": title, **file}
    if paged and pages:
        return {"type": "page_location", **named, **pages}
    return {"type": "char_location", **named, "start_char_index": cited.start, "end_char_index": cited.end}


def _annotations(written: Written, kind: str) -> list[dict[str, Any]]:
    titles = _titles(written.answer)
    result: list[dict[str, Any]] = []
    for n, one in enumerate(written.answer.citations):
        number, title = titles[one.document_id]
        if n in written.given:
            result.append(dict(written.given[n]))
        elif kind == "file_citation":
            file = {"file_id": one.document_id, "filename": title or one.document_id}
            file |= written.known(one, "file_id", "filename")
            result.append({"type": kind, "index": one.answer_end, **file, "quote": one.quote})
        else:
            place = {"start_index": one.answer_start, "end_index": one.answer_end}
            url = written.answer.documents[number].source or f"citewell:{one.document_id}"
            result.append({"type": kind, kind: {"url": url, "title": title, **place, "quote": one.quote}})
    return result


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
    titles = _titles(answer)
    chunks: list[dict[str, Any]] = []
    chunk_of: dict[tuple[str, int, int], int] = {}  # one chunk a quote, whichever statements cite it
    for n, one in enumerate(answer.citations):
        key = (one.document_id, one.start, one.end)
        if key not in chunk_of:
            chunk_of[key] = len(chunks)
            chunks.append(dict(written.given[n]) if n in written.given else _chunk(one, titles[one.document_id][1]))

    sizes = [0, *accumulate(len(char.encode("utf-8", "surrogatepass")) for char in answer.text)]

    supports = []
    for said in answer.statements:
        own = [answer.citations[number] for number in said.citations]
        if own:
            segment = {"partIndex": 0, "startIndex": sizes[said.start], "endIndex": sizes[said.end], "text": said.text}
            places = {"groundingChunkIndices": [chunk_of[c.document_id, c.start, c.end] for c in own]}
            supports.append({"segment": segment, **places, "confidenceScores": [round(c.score, 6) for c in own]})
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": answer.text}]}, "groundingMetadata": grounding}]}


def _chunk(citation: Citation, title: str | None) -> dict[str, Any]:
    context: dict[str, Any] = {"title": title, "text": citation.quote}
    if citation.page is not None:
        pages = {"firstPage": citation.page, "lastPage": citation.page}
        context["ragChunk"] = {"text": citation.quote, "pageSpan": pages}
    return {"retrievedContext": context}


def _cohere(written: Written) -> dict[str, Any]:
    answer = written.answer
    titles = _titles(answer)
    citations = [
        {
            "start": one.answer_start,
            "end": one.answer_end,
            "text": answer.text[one.answer_start : one.answer_end],
            "sources": [
                dict(written.given[n])
                if n in written.given
                else {
                    "type": "document",
                    "id": one.document_id,
                    "document": {"id": one.document_id, "title": titles[one.document_id][1], "text": one.quote},
                }
            ],
            "content_index": 0,
            "type": "TEXT_CONTENT",
        }
        for n, one in enumerate(answer.citations)
    ]
    return {
        "message": {"role": "assistant", "content": [{"type": "text", "text": answer.text}], "citations": citations}
    }


def _plain(written: Written) -> str:
    answer = written.answer
    quotes = [f"[{number}] {' '.join(one.quote.split())}" for number, one in enumerate(answer.citations, 1)]
    return "\n".join([str(answer), *(["", "Sources:", *quotes] if quotes else [])]) + "\n"


FORMS: dict[str, Callable[[Written], Any]] = {
    "anthropic": _anthropic,
    "openai-chat": _chat,
    "openai-responses": _responses,
    "gemini": _gemini,
    "cohere": _cohere,
    "citewell": lambda written: written.answer.to_dict(),
    "plain": _plain,
}
