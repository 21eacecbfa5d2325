"""Responses of Anthropic, OpenAI (Responses, Chat Completions, Assistants), Gemini and Cohere.

Formats: Anthropic Messages, OpenAI's output_text annotations, Gemini groundingSupports (bytes), Cohere v2 citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from citewell.audit.claims import Claim, Response
from citewell.audit.wire_lists import web

_CAMEL = {"part_index": "partIndex", "start_index": "startIndex", "end_index": "endIndex"}
_IN_MARK = re.compile(r"†([^†】]+\.\w{1,5})】")
_REDIRECT = "/grounding-api-redirect/"


def anthropic(data: Mapping[str, Any]) -> Response:
    """Messages: text blocks, each with its citations."""
    text, claims = "", list[Claim]()
    for block in data["content"]:
        if block.get("type") != "text":
            continue
        start, text = len(text), text + block["text"]
        claims += [anthropic_claim(citation, start, len(text)) for citation in block.get("citations") or ()]
    return Response("anthropic", text, tuple(claims))


def anthropic_claim(citation: Mapping[str, Any], start: int, end: int) -> Claim:
    """A citation of Anthropic's for a part of the answer."""
    names = (citation.get("document_title"), citation.get("title"), citation.get("url"), citation.get("source"))
    named = next((str(name) for name in names if name), None)
    document = citation.get("document_index", citation.get("search_result_index", named))
    pages = None
    if citation.get("type") == "page_location":  # the last page is not included
        pages = (
            int(citation["start_page_number"]),
            max(int(citation["start_page_number"]), int(citation["end_page_number"]) - 1),
        )
    offset = citation.get("start_char_index")
    quotes = (str(citation["cited_text"]),) if citation.get("cited_text") else ()
    address = web(citation.get("url")) if document == named else None
    return Claim(
        start, end, document, quotes, None if offset is None else int(offset), pages, address=address, payload=citation
    )


def responses(data: Mapping[str, Any]) -> Response:
    """Responses: annotations of output texts; what was retrieved stands in the calls of file search."""
    text, claims, refused = "", list[Claim](), False
    chunks: dict[str, list[str]] = {}
    for item in data["output"]:
        for hit in item.get("results") or ():
            chunks.setdefault(str(hit.get("file_id")), []).append(str(hit.get("text") or ""))
    for item in data["output"]:
        for part in item.get("content") or ():
            if part.get("type") == "output_text":
                claims += [
                    _annotation(annotation, len(text), part["text"], chunks)
                    for annotation in part.get("annotations") or ()
                ]
                text += part["text"]
            elif part.get("type") == "refusal":
                text, refused = text + part["refusal"], True
    return Response("openai-responses", text, tuple(claims), refused)


def chat(data: Mapping[str, Any]) -> Response:
    """Chat Completions: annotations of the message."""
    message = data["choices"][0]["message"]
    said = "".join(texts(message.get("content") or ""))
    text = said or str(message.get("refusal") or "")
    claims = [_annotation(annotation, 0, text, {}) for annotation in message.get("annotations") or ()]
    claims += _passed_on(message, text)
    claims += _referenced(message.get("content"))
    return Response("openai-chat", text, tuple(claims), bool(text and not said))


def _passed_on(message: Mapping[str, Any], text: str) -> list[Claim]:
    """Anthropic's citations as LiteLLM passes them on, each with the words of the reply that it supports."""
    claims, position = list[Claim](), 0
    citations = (message.get("provider_specific_fields") or {}).get("citations") or ()
    for citation in (citation for group in citations for citation in (group if isinstance(group, list) else [group])):
        words = str(citation.get("supported_text") or "")
        at = text.find(words, position) if words else -1
        at = text.find(words) if words and at < 0 else at
        start, end = (at, at + len(words)) if at >= 0 else (0, len(text))
        position = start
        claims.append(anthropic_claim(citation, start, end))
    return claims


def _referenced(content: Any) -> list[Claim]:
    """Mistral's references: parts of a message that name sources for the text before them by their numbers from 0."""
    claims, start, end = list[Claim](), 0, 0
    for part in content if isinstance(content, list) else ():
        if part.get("type") == "reference":
            claims += [Claim(start, end, int(number), payload=part) for number in part.get("reference_ids") or ()]
        else:
            start, end = end, end + len(str(part.get("text") or ""))
    return claims


def assistants(data: Mapping[str, Any]) -> Response:
    """A message of a thread, or a list of them, newest first: its annotations are marks that stand in the text."""
    messages = data["data"] if data.get("object") == "list" else [data]
    message = next(message for message in messages if message.get("role") == "assistant")
    text, claims = "", list[Claim]()
    for part in message["content"]:
        if part.get("type") == "text":
            more, annotated = _unmarked(part["text"]["value"], part["text"].get("annotations") or (), len(text))
            text, claims = text + more, [*claims, *annotated]
    return Response("openai-assistants", text, tuple(claims))


def _unmarked(value: str, annotations: Iterable[Mapping[str, Any]], shift: int) -> tuple[str, list[Claim]]:
    """The text without its marks, and a claim for each at its place."""
    text, position, claims = "", 0, list[Claim]()
    for annotation in sorted(annotations, key=lambda annotation: int(annotation.get("start_index", 0))):
        start, end, mark = (
            int(annotation["start_index"]),
            int(annotation["end_index"]),
            str(annotation.get("text") or ""),
        )
        if value[start:end] != mark and mark:
            start = value.find(mark, position)
            end = start + len(mark)
        if not position <= start <= end <= len(value):
            claims.append(Claim(0, 0, problem="it stands outside the answer"))
            continue
        text, position = text + value[position:start], end
        at = {**annotation, "start_index": len(text), "end_index": len(text)}
        if named := _IN_MARK.search(mark):  # the mark names the file, the annotation only the service's id of it
            at["filename"] = named[1]
        claims.append(_annotation(at, 0, text, {})._replace(payload=annotation))
    text += value[position:]
    return text, [
        annotation._replace(answer_start=annotation.answer_start + shift, answer_end=annotation.answer_end + shift)
        for annotation in claims
    ]


def texts(content: Any) -> list[str]:
    """The texts of a message: it is one, or a list of parts."""
    return [content] if isinstance(content, str) else [str(part.get("text") or "") for part in content]


def _annotation(annotation: Mapping[str, Any], shift: int, text: str, chunks: Mapping[str, list[str]]) -> Claim:
    inner = annotation.get(str(annotation.get("type")))
    fields = {**annotation, **inner} if isinstance(inner, Mapping) else dict(annotation)
    at = int(fields.get("index", fields.get("start_index", 0)))
    start, end = int(fields.get("start_index", at)), int(fields.get("end_index", at))
    problem = None if 0 <= start <= end <= len(text) else "it stands outside the answer"
    names = (fields.get("filename"), fields.get("title"), fields.get("url"), fields.get("file_id"))
    document = next((str(name) for name in names if name), None)
    quotes = tuple(str(quote) for quote in (fields.get("quote"),) if quote) or tuple(
        chunks.get(str(fields.get("file_id")), ())
    )
    start, end = (min(max(place, 0), len(text)) for place in (start, end))
    end = max(start, end)
    return Claim(
        shift + start,
        shift + end,
        document,
        quotes,
        problem=problem,
        address=web(fields.get("url")),
        payload=annotation,
    )


def gemini(data: Mapping[str, Any]) -> Response:
    """Supports, which name ranges of bytes and grounding chunks."""
    candidate = data["candidates"][0]
    # What a model thinks is no part of its reply, though parts are counted with it.
    parts = ["" if part.get("thought") else str(part.get("text") or "") for part in candidate["content"]["parts"]]
    text = "".join(parts)
    grounding = candidate.get("groundingMetadata") or candidate.get("grounding_metadata") or {}
    chunks = grounding.get("groundingChunks") or grounding.get("grounding_chunks") or ()
    claims: list[Claim] = []
    for support in grounding.get("groundingSupports") or grounding.get("grounding_supports") or ():
        segment = support.get("segment") or {}
        segment = {_CAMEL.get(name, name): value for name, value in segment.items() if value is not None}
        number = int(segment.get("partIndex", 0))
        whole = "partIndex" not in segment or not 0 <= number < len(parts) or not parts[number]
        shift, part = (0, text) if whole else (len("".join(parts[:number])), parts[number])
        start, end, problem = placed(part, segment)
        for index in support.get("groundingChunkIndices") or support.get("grounding_chunk_indices") or ():
            if not 0 <= int(index) < len(chunks):
                claims.append(
                    Claim(shift + start, shift + end, problem=f"it names chunk {index}, which does not exist")
                )
                continue
            chunk = chunks[int(index)]
            context = chunk.get("retrievedContext") or chunk.get("retrieved_context") or chunk.get("web") or {}
            names = (context.get("title"), context.get("documentName"), context.get("uri"))
            document = next((str(name) for name in names if name), None)
            quotes = (str(context["text"]),) if context.get("text") else ()
            span = (context.get("ragChunk") or {}).get("pageSpan") or {}
            pages = (
                (int(span["firstPage"]), int(span["lastPage"])) if "firstPage" in span and "lastPage" in span else None
            )
            # A redirect names no page: the title is then the site's name.
            address = None if _REDIRECT in str(context.get("uri")) else web(context.get("uri"))
            place = Claim(shift + start, shift + end, document, quotes, None, pages, problem, address, payload=chunk)
            claims.append(place)
    sources = candidate.get("citationMetadata") or candidate.get("citation_metadata") or {}
    for source in sources.get("citationSources") or sources.get("citations") or ():
        segment = {
            _CAMEL.get(name, name): value for name, value in source.items() if value is not None and name != "title"
        }
        start, end, problem = placed(text, segment)
        named = str(source.get("title") or source.get("uri") or "") or None
        claims.append(Claim(start, end, named, problem=problem, address=web(source.get("uri")), payload=source))
    return Response("gemini", text, tuple(claims))


def placed(text: str, segment: Mapping[str, Any]) -> tuple[int, int, str | None]:
    """Code points of a range of UTF-8 bytes, held against the words that are given with it."""
    data, said = text.encode("utf-8", "surrogatepass"), segment.get("text")
    start, end = int(segment.get("startIndex", 0) or 0), int(segment.get("endIndex", len(data)))
    if 0 <= start <= end <= len(data):
        first = len(data[:start].decode("utf-8", "ignore"))
        last = len(data[:end].decode("utf-8", "ignore"))
        if said is None or text[first:last] == said:
            return first, last, None
    place = text.find(said) if said else -1
    if said and place >= 0:
        return place, place + len(said), None
    return 0, len(text), "it stands outside the answer"


def cohere(data: Mapping[str, Any]) -> Response:
    """Citations of the reply, each with its sources."""
    message = data.get("message", data)
    parts = texts(message.get("content", message.get("text", "")))
    claims: list[Claim] = []
    by_id = {str(one.get("id")): one for one in data.get("documents") or ()}
    for one in message.get("citations") or ():
        number = int(one.get("content_index") or 0)
        shift, part = (len("".join(parts[:number])), parts[number]) if 0 <= number < len(parts) else (0, "".join(parts))
        start, end, text = int(one["start"]), int(one["end"]), str(one.get("text") or "")
        problem = None
        if not 0 <= start <= end <= len(part) or (text and part[start:end] != text):
            start = part.find(text) if text else -1
            end, problem = start + len(text), None if start >= 0 else "it stands outside the answer"
            start, end = max(0, start), max(0, end)
        sources = one.get("sources") or [
            {"id": name, "document": by_id.get(str(name))} for name in one.get("document_ids") or ()
        ]
        for source in sources or [{}]:
            fields = source.get("document") or source.get("tool_output") or {}
            quotes = tuple(str(fields[key]) for key in ("text", "snippet", "data", "content") if fields.get(key))
            document = fields.get("title") or fields.get("id") or source.get("id")
            claims.append(Claim(shift + start, shift + end, document, quotes[:1], problem=problem, payload=source))
    return Response("cohere", "".join(parts), tuple(claims))
