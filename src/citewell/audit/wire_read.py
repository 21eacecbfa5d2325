"""Answers with citations in other systems' formats, read: Anthropic, OpenAI, Gemini, Cohere, and our own JSON.

Nothing that they say about places is trusted here or later: a `Claim` is what a response claims, `wire_locate` looks
for it in the documents. Formats: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini groundingSupports
(bytes), Cohere v2 citations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from citewell.errors import AnswerFormatError
from citewell.types import Answer
from citewell.types.fields import Field

Given = Mapping[str, Any]  # a citation as it stands in the JSON of a response


class Claim(NamedTuple):
    """A citation as a response states it.

    Attributes:
        answer_start: where the cited part of the answer begins, in code points.
        answer_end: where it ends.
        document: the name or the position (from 0) of the document that it names, if it names one.
        quotes: the words that it says stand there; any of them will do.
        start: the offset in the document that it gives, if it gives one.
        pages: first and last page, both included, if it gives them.
        problem: what is wrong with it already by itself.
        given: its JSON, from which the fixed version is written in its own kind of place.
    """

    answer_start: int
    answer_end: int
    document: str | int | None = None
    quotes: tuple[str, ...] = ()
    start: int | None = None
    pages: tuple[int, int] | None = None
    problem: str | None = None
    given: Given | None = None


class Response(NamedTuple):
    """What a response says: its format, its text, its citations."""

    form: str
    text: str
    claims: tuple[Claim, ...] = ()


def read(data: Any) -> Response:
    """Read the JSON of a response, its format told by its shape.

    Raises:
        AnswerFormatError: it is none of the formats, or a part of it has the wrong type.
    """
    if not isinstance(data, Mapping):
        raise AnswerFormatError(f"a response is a JSON object, not {type(data).__name__}")
    try:
        for fits, make in _FORMS:
            if fits(data):
                return _sound(make(data))
    except (KeyError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise AnswerFormatError(
            f"the response is damaged: {_suspect(data) or f'{type(error).__name__} {error}'}"
        ) from error
    raise AnswerFormatError("the response has none of the known formats (Anthropic, OpenAI, Gemini, Cohere, citewell)")


_TEXTS = frozenset("text cited_text quote title url filename file_id id type uri documentName".split())
_WHOLE = frozenset(
    "start end start_index end_index startIndex endIndex index partIndex content_index start_char_index end_char_index "
    "start_page_number end_page_number document_index search_result_index firstPage lastPage".split()
)
_LISTS = frozenset(
    "citations annotations sources groundingSupports groundingChunks groundingChunkIndices parts".split()
)


def _sound(response: Response) -> Response:
    """A response whose text and names have the types that all that follows expects."""
    Field(response.text, "its text").text()
    for number, claim in enumerate(response.claims):
        if isinstance(claim.document, bool) or not isinstance(claim.document, str | int | None):
            raise Field(claim.document, f"the document of citation {number + 1}").wrong("a name or a number")
    return response


def _suspect(data: Any, path: str = "", depth: int = 0) -> str | None:
    """The first field of a damaged response that has not the type of its name, with its path."""
    if depth > 40:
        return f"{path} is nested too deeply"
    inside: Iterable[tuple[str, str, Any]] = ()
    if isinstance(data, Mapping):
        inside = ((f"{path}.{name}" if path else str(name), str(name), value) for name, value in data.items())
    elif isinstance(data, list | tuple):
        inside = ((f"{path}[{number}]", "", value) for number, value in enumerate(data))
    for place, name, value in inside:
        field = Field(value, place)
        if name in _TEXTS and not isinstance(value, str | None):
            return str(field.wrong("a text"))
        if name in _WHOLE and value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            return str(field.wrong("a whole number"))
        if name in _LISTS and not isinstance(value, list | tuple | None):
            return str(field.wrong("a list"))
        if (deeper := _suspect(value, place, depth + 1)) is not None:
            return deeper
    return None


def _anthropic(data: Mapping[str, Any]) -> Response:
    text, claims = "", list[Claim]()
    for block in data["content"]:
        if block.get("type") != "text":
            continue
        start, text = len(text), text + block["text"]
        claims += [_anthropic_claim(one, start, len(text)) for one in block.get("citations") or ()]
    return Response("anthropic", text, tuple(claims))


def _anthropic_claim(one: Mapping[str, Any], start: int, end: int) -> Claim:
    names = (one.get("document_title"), one.get("title"), one.get("url"), one.get("source"))
    named = next((str(name) for name in names if name), None)
    document = one.get("document_index", one.get("search_result_index", named))
    pages = None
    if one.get("type") == "page_location":  # the last page is not included
        pages = int(one["start_page_number"]), max(int(one["start_page_number"]), int(one["end_page_number"]) - 1)
    offset = one.get("start_char_index")
    quotes = (str(one["cited_text"]),) if one.get("cited_text") else ()
    return Claim(start, end, document, quotes, None if offset is None else int(offset), pages, given=one)


def _responses(data: Mapping[str, Any]) -> Response:
    text, claims = "", list[Claim]()
    chunks: dict[str, list[str]] = {}
    for item in data["output"]:
        for found in item.get("results") or ():
            chunks.setdefault(str(found.get("file_id")), []).append(str(found.get("text") or ""))
    for item in data["output"]:
        for part in item.get("content") or ():
            if part.get("type") == "output_text":
                claims += [_annotation(one, len(text), part["text"], chunks) for one in part.get("annotations") or ()]
                text += part["text"]
    return Response("openai-responses", text, tuple(claims))


def _chat(data: Mapping[str, Any]) -> Response:
    message = data["choices"][0]["message"]
    text = "".join(_parts(message.get("content") or message.get("refusal") or ""))
    claims = [_annotation(one, 0, text, {}) for one in message.get("annotations") or ()]
    return Response("openai-chat", text, tuple(claims))


def _parts(content: Any) -> list[str]:
    """The texts of a message: it is one, or a list of parts."""
    return [content] if isinstance(content, str) else [str(part.get("text") or "") for part in content]


def _annotation(one: Mapping[str, Any], shift: int, text: str, chunks: Mapping[str, list[str]]) -> Claim:
    inner = one.get(str(one.get("type")))
    found = {**one, **inner} if isinstance(inner, Mapping) else dict(one)
    at = int(found.get("index", found.get("start_index", 0)))
    start, end = int(found.get("start_index", at)), int(found.get("end_index", at))
    problem = None if 0 <= start <= end <= len(text) else "it stands outside the answer"
    names = (found.get("filename"), found.get("title"), found.get("url"), found.get("file_id"))
    document = next((str(name) for name in names if name), None)
    quotes = tuple(str(quote) for quote in (found.get("quote"),) if quote) or tuple(
        chunks.get(str(found.get("file_id")), ())
    )
    start, end = (min(max(place, 0), len(text)) for place in (start, end))
    return Claim(shift + start, shift + max(start, end), document, quotes, problem=problem, given=one)


def _gemini(data: Mapping[str, Any]) -> Response:
    candidate = data["candidates"][0]
    parts = [str(part.get("text") or "") for part in candidate["content"]["parts"]]
    text = "".join(parts)
    found = candidate.get("groundingMetadata") or candidate.get("grounding_metadata") or {}
    chunks = found.get("groundingChunks") or found.get("grounding_chunks") or ()
    claims: list[Claim] = []
    for support in found.get("groundingSupports") or found.get("grounding_supports") or ():
        segment = support.get("segment") or {}
        number = int(segment.get("partIndex", 0) or 0)
        shift, part = len("".join(parts[:number])), parts[number]
        start, end, problem = _placed(part, segment)
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
            claims.append(
                Claim(shift + start, shift + end, document, quotes, pages=pages, problem=problem, given=chunk)
            )
    return Response("gemini", text, tuple(claims))


def _placed(text: str, segment: Mapping[str, Any]) -> tuple[int, int, str | None]:
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


def _cohere(data: Mapping[str, Any]) -> Response:
    message = data.get("message", data)
    parts = _parts(message.get("content", message.get("text", "")))
    claims: list[Claim] = []
    given = {str(one.get("id")): one for one in data.get("documents") or ()}
    for one in message.get("citations") or ():
        number = int(one.get("content_index") or 0)
        shift, part = (len("".join(parts[:number])), parts[number]) if 0 <= number < len(parts) else (0, "".join(parts))
        start, end, said = int(one["start"]), int(one["end"]), str(one.get("text") or "")
        problem = None
        if not 0 <= start <= end <= len(part) or (said and part[start:end] != said):
            start = part.find(said) if said else -1
            end, problem = start + len(said), None if start >= 0 else "it stands outside the answer"
            start, end = max(0, start), max(0, end)
        sources = one.get("sources") or [
            {"id": name, "document": given.get(str(name))} for name in one.get("document_ids") or ()
        ]
        for source in sources or [{}]:
            fields = source.get("document") or source.get("tool_output") or {}
            quotes = tuple(str(fields[key]) for key in ("text", "snippet", "data", "content") if fields.get(key))
            document = fields.get("title") or fields.get("id") or source.get("id")
            claims.append(Claim(shift + start, shift + end, document, quotes[:1], problem=problem, given=source))
    return Response("cohere", "".join(parts), tuple(claims))


def _own(data: Mapping[str, Any]) -> Response:
    answer = Answer.from_dict(data)
    claims = tuple(
        Claim(one.answer_start, one.answer_end, one.document_id, (one.quote,), one.start) for one in answer.citations
    )
    return Response("citewell", answer.text, claims)


def _blocks(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(one, Mapping) for one in value)


_FORMS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], Response]], ...] = (
    (lambda data: "schema_version" in data, _own),
    (lambda data: _blocks(data.get("content")), _anthropic),
    (lambda data: _blocks(data.get("output")), _responses),
    (lambda data: _blocks(data.get("choices")), _chat),
    (lambda data: _blocks(data.get("candidates")), _gemini),
    (lambda data: isinstance(data.get("message"), Mapping) or ("text" in data and "citations" in data), _cohere),
)
