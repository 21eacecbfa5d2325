"""Reads answers with citations in other systems' formats, recognised by their structure, and our own JSON.

Nothing that they say about places is trusted here or later: a `Claim` is what a response claims, `wire_locate` looks
for it in the documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from citewell.audit import wire_clouds, wire_conversations, wire_frameworks, wire_services, wire_streams
from citewell.audit.claims import DAMAGED, Claim, Response
from citewell.audit.wire_declared import LISTINGS
from citewell.errors import AnswerFormatError
from citewell.types import Answer
from citewell.types.fields import Field

KNOWN = (
    "Anthropic, OpenAI, Azure, Gemini, Vertex, Bedrock, Cohere, Perplexity, RAGFlow, LangChain, LlamaIndex, Haystack, "
    "Exa, Kagi, Mistral, Vectara, citewell"
)


def read(data: Any) -> Response:
    """Read the JSON of a response, its format told by its shape.

    Raises AnswerFormatError: it is none of the formats, or a part of it has the wrong type.
    """
    if (
        isinstance(data, list)
        and data
        and _blocks(data)
        and any("candidates" in part or "choices" in part for part in data)
    ):
        data = _joined(data)
    if isinstance(data, list) and len(data) and _blocks(data):
        data = {"answers": data}  # Haystack's answers, or nothing that is known
    if not isinstance(data, Mapping):
        raise AnswerFormatError(f"a response is a JSON object, not {type(data).__name__}")
    try:
        for fits, make in _FORMS:
            if fits(data):
                return _sound(make(data))._replace(data=data)
    except DAMAGED as error:
        raise AnswerFormatError(
            f"the response is damaged: {_suspect(data) or f'{type(error).__name__} {error}'}"
        ) from error
    raise AnswerFormatError(f"the response has none of the known formats ({KNOWN})")


def stream(text: str) -> Response | None:
    """The response that a stream of events brings; None for a text that is none.

    Raises AnswerFormatError: the events are damaged, or none that is known.
    """
    if not wire_streams.is_stream(text):
        return None
    try:
        whole = wire_streams.assembled(text)
    except DAMAGED as error:
        raise AnswerFormatError(f"the stream is damaged: {type(error).__name__} {error}") from error
    return read(whole)


def _joined(chunks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    try:
        return wire_streams.joined(chunks)
    except DAMAGED as error:
        raise AnswerFormatError(f"the chunks are damaged: {type(error).__name__} {error}") from error


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


def _citewell(data: Mapping[str, Any]) -> Response:
    answer = Answer.from_dict(data)
    claims = tuple(
        Claim(citation.answer_start, citation.answer_end, citation.document_id, (citation.quote,), citation.start)
        for citation in answer.citations
    )
    return Response("citewell", answer.text, claims)


def _blocks(value: Any) -> bool:
    return (
        isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(item, Mapping) for item in value)
    )


def _context(data: Mapping[str, Any]) -> bool:
    """Whether a chat message has the citations that Azure puts beside it."""
    choice = data["choices"][0]
    context = (choice.get("message") or {}).get("context")
    return isinstance(context, Mapping) or _blocks(choice.get("messages"))


def _reference(data: Mapping[str, Any]) -> bool:
    """Whether a reply has RAGFlow's chunks beside it."""
    inner = data.get("data")
    reference = inner if isinstance(inner, Mapping) else data
    message = (
        reference["choices"][0].get("message")
        if reference.get("choices") and _blocks(reference["choices"])
        else reference
    )
    return "chunks" in _mapping(_mapping(message).get("reference"))


_FORMS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], Response]], ...] = (
    (lambda data: "schema_version" in data, _citewell),
    (_reference, wire_clouds.ragflow),
    (lambda data: _blocks(data.get("choices")) and bool(data["choices"]) and _context(data), wire_clouds.azure),
    (
        lambda data: _blocks(data.get("choices")) and ("citations" in data or "search_results" in data),
        wire_clouds.perplexity,
    ),
    (lambda data: _blocks(data.get("choices")), wire_services.chat),
    (
        lambda data: (
            str(data.get("object")).startswith("thread.message")
            or (data.get("object") == "list" and _blocks(data.get("data")))
        ),
        wire_services.assistants,
    ),
    (wire_frameworks.fits_message, wire_frameworks.message),
    (lambda data: _blocks(data.get("content")), wire_services.anthropic),
    (lambda data: _blocks(data.get("output")), wire_services.responses),
    (lambda data: _blocks(data.get("candidates")), wire_services.gemini),
    (lambda data: isinstance(data.get("output"), Mapping) and "message" in data["output"], wire_clouds.converse),
    (lambda data: isinstance(data.get("output"), Mapping) and "text" in data["output"], wire_clouds.generated),
    (lambda data: _blocks(data.get("claims")) and "citedChunks" in data, wire_clouds.checked),
    (lambda data: "answerText" in data or "answerText" in (_mapping(data.get("answer"))), wire_clouds.answered),
    (lambda data: "source_nodes" in data, wire_frameworks.llamaindex),
    (wire_frameworks.fits_langchain, wire_frameworks.langchain),
    (
        lambda data: _blocks(data.get("answer")) and any("fact" in fact for fact in data["answer"]),
        wire_frameworks.facts,
    ),
    (wire_frameworks.fits_haystack, wire_frameworks.haystack),
    *((listing.fits, listing.read) for listing in LISTINGS),
    (wire_conversations.fits, wire_conversations.read),
    (
        lambda data: isinstance(data.get("message"), Mapping) or ("text" in data and "citations" in data),
        wire_services.cohere,
    ),
)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
