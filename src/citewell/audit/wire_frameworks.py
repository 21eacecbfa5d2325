"""Result objects of LangChain, LlamaIndex and Haystack, as they are saved to JSON.

Formats: LangChain chains (`result` or `answer` with `source_documents` or `context`), messages with annotations of the
type citation, quotes of facts; LlamaIndex `response` with `source_nodes`; Haystack GeneratedAnswer, ExtractedAnswer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from citewell.audit.claims import Claim, Response
from citewell.audit.wire_lists import listed, web
from citewell.audit.wire_services import anthropic_claim

NODE = re.compile(r"\A\s*Source \d{1,4}:\s*\n")  # what the citation query engine puts before a node's text
_ANSWERS = ("answer", "result", "output", "output_text", "text")
_SOURCES = ("source_documents", "context", "documents", "input_documents")
_NAMES = ("source", "file_name", "filename", "file_path", "title", "url", "name")


def langchain(data: Mapping[str, Any]) -> Response:
    """A chain's result with the documents that it was written from; marks count them from 1."""
    answer, documents = fields(data)
    text = data[answer]
    if isinstance(text, Mapping):  # a message
        text = text.get("content", text.get("kwargs", {}).get("content", ""))
    sources = {}
    for number, record in enumerate(data[documents], 1):
        kwargs = record.get("kwargs", record)
        # Loaders count pages from 0; the label is what is printed on the page.
        sources[number] = _source(kwargs.get("metadata") or {}, kwargs.get("page_content"), "page_label", "page", 1)
    return listed("langchain", str(text), sources)


def fields(data: Mapping[str, Any]) -> tuple[str, str]:
    """What a chain's result calls its answer and its documents."""
    answer = next(name for name in _ANSWERS if data.get(name))
    return answer, next(name for name in _SOURCES if _objects(data.get(name)))


def facts(data: Mapping[str, Any]) -> Response:
    """LangChain's facts with quotes: `{"answer": [{"fact", "substring_quote": [...]}]}`."""
    text, claims = "", list[Claim]()
    for fact in data["answer"]:
        start = len(text) + bool(text)
        text = f"{text} {fact['fact']}".strip()
        claims += [Claim(start, len(text), quotes=(str(quote),)) for quote in fact.get("substring_quote") or ()]
    return Response("langchain", text, tuple(claims))


def message(data: Mapping[str, Any]) -> Response:
    """A LangChain message: texts whose annotations of the type citation name ranges of the reply."""
    kwargs = data.get("kwargs", data)
    text, claims = "", list[Claim]()
    for block in kwargs.get("content_blocks") or kwargs["content"]:
        if block.get("type") != "text":
            continue
        claims += [
            anthropic_claim(citation, len(text), len(text) + len(block["text"]))
            for citation in block.get("citations") or ()
        ]
        for citation in block.get("annotations") or ():
            start, end = int(citation.get("start_index") or 0), int(citation.get("end_index") or len(block["text"]))
            inside = 0 <= start <= end <= len(block["text"])
            start, end = (start, end) if inside else (0, len(block["text"]))
            quotes = (str(citation["cited_text"]),) if citation.get("cited_text") else ()
            named = citation.get("title") or citation.get("url") or citation.get("id")
            problem = None if inside else "it stands outside the answer"
            address = web(citation.get("url"))
            claim = Claim(
                len(text) + start, len(text) + end, named, quotes, problem=problem, address=address, payload=citation
            )
            claims.append(claim)
        text += block["text"]
    return Response("langchain", text, tuple(claims))


def llamaindex(data: Mapping[str, Any]) -> Response:
    """A response with the nodes that it was written from; marks count them from 1."""
    sources = {}
    for number, scored in enumerate(data["source_nodes"], 1):
        node = scored.get("node", scored)
        text = NODE.sub("", node_text(scored))
        about = node.get("metadata") or node.get("extra_info") or {}
        sources[number] = _source(about, text, "page_label", "page_number", 0)
    return listed("llamaindex", str(data["response"] or ""), sources)


def node_text(scored: Mapping[str, Any]) -> str:
    """The words of a node."""
    node = scored.get("node", scored)
    return str(node.get("text") or (node.get("text_resource") or {}).get("text") or "")


def haystack(data: Mapping[str, Any]) -> Response:
    """The first answer; marks count its documents from 1, or as `source_index` says."""
    answer = first_answer(data)
    if "document_offset" in answer:
        return _extracted(answer)
    sources = {}
    for number, document in enumerate(answer.get("documents") or (), 1):
        about = document.get("meta") or {}
        sources[place(document, number)] = _source(about, document.get("content"), "page_label", "page_number", 0)
    return listed("haystack", str(answer["data"]), sources)


def place(document: Mapping[str, Any], number: int) -> int:
    """The number by which marks name a document of Haystack's that is the n-th of its list."""
    return int((document.get("meta") or {}).get("source_index") or number)


def first_answer(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first answer of a component's output, of a list of answers, or the answer itself; its fields where saved."""
    found: Any = data
    if "answers" not in found and "init_parameters" not in found and "data" not in found:
        found = next(value for value in found.values() if isinstance(value, Mapping) and "answers" in value)
    found = found["answers"][0] if "answers" in found else found
    parameters: Mapping[str, Any] = found.get("init_parameters", found)
    return parameters


def _extracted(answer: Mapping[str, Any]) -> Response:
    text, document, offset = (
        str(answer["data"] or ""),
        answer.get("document") or {},
        answer.get("document_offset") or {},
    )
    document = document.get("init_parameters", document)
    content, about = str(document.get("content") or ""), document.get("meta") or {}
    quote = content[int(offset["start"]) : int(offset["end"])] if offset and content else text
    claim = _source(about, quote, "page_label", "page_number", 0)
    return Response("haystack", text, (claim._replace(answer_end=len(text), payload=answer),))


def fits_haystack(data: Mapping[str, Any]) -> bool:
    """Whether the object is Haystack's."""
    if "init_parameters" in data:
        return str(data.get("type", "")).startswith("haystack")
    outputs = [value["answers"] for value in data.values() if isinstance(value, Mapping) and "answers" in value]
    answers: Any = data.get("answers") or next(iter(outputs), None)
    first: Any = data if "data" in data and "query" in data else answers[0] if _objects(answers) else ()
    return "init_parameters" in first or ("data" in first and "query" in first)


def fits_langchain(data: Mapping[str, Any]) -> bool:
    """Whether the object is the result of a chain with documents."""
    listed_as = [name for name in _SOURCES if _objects(data.get(name))]
    first = dict(data[listed_as[0]][0]) if listed_as else dict[str, Any]()
    kwargs = first.get("kwargs", first)
    return "page_content" in kwargs and any(data.get(name) for name in _ANSWERS)


def fits_message(data: Mapping[str, Any]) -> bool:
    """Whether the object is a message whose blocks have annotations."""
    kwargs = data.get("kwargs", data)
    if not isinstance(kwargs, Mapping) or (kwargs is data and data.get("type") not in ("ai", "AIMessageChunk")):
        return False
    return _objects(kwargs.get("content_blocks") or kwargs.get("content"))


def _source(about: Mapping[str, Any], text: Any, label: str, page: str, first: int) -> Claim:
    """A retrieved piece of text: where its metadata say that it comes from, and its words."""
    names = [str(about[name]) for name in _NAMES if about.get(name)]
    printed = about.get(label)
    number = None
    if str(printed or "").isdecimal():
        number = int(str(printed))
    elif isinstance(about.get(page), int) and not isinstance(about[page], bool):
        number = int(about[page]) + first
    pages = None if number is None else (number, number)
    address = next((link for name in names if (link := web(name))), None)
    return Claim(0, 0, names[0] if names else None, (str(text),) if text else (), None, pages, None, address)


def _objects(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and bool(value) and isinstance(value[0], Mapping)
