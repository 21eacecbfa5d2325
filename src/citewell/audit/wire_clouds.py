"""Responses of Bedrock, Vertex AI Search, Azure OpenAI on your data, Perplexity and RAGFlow.

Formats: Bedrock Converse citationsContent and RetrieveAndGenerate, Discovery Engine grounding and answers (bytes),
Azure's message.context.citations, Perplexity's citations and search_results, RAGFlow's reference.chunks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from citewell.audit.claims import Claim, Response
from citewell.audit.wire_lists import listed, web
from citewell.audit.wire_services import placed, texts

_RAGFLOW = re.compile(r"\[ID:\s{0,3}(\d{1,6})\]|##(\d{1,6})\$\$")
PAGE = "x-amz-bedrock-kb-document-page-number"
SOURCE = "x-amz-bedrock-kb-source-uri"


def converse(data: Mapping[str, Any]) -> Response:
    """Bedrock Converse: blocks of generated text, each with its citations."""
    text, claims = "", list[Claim]()
    for block in data["output"]["message"]["content"]:
        cited = block.get("citationsContent") or {}
        statement = "".join(str(part.get("text") or "") for part in cited.get("content") or ()) or str(
            block.get("text") or ""
        )
        start, text = len(text), text + statement
        claims += [_converse_claim(citation, start, len(text)) for citation in cited.get("citations") or ()]
    return Response("bedrock-converse", text, tuple(claims))


def _converse_claim(citation: Mapping[str, Any], start: int, end: int) -> Claim:
    kind, place = next(iter((citation.get("location") or {}).items()), ("", {}))
    place = place if isinstance(place, Mapping) else {}
    quotes = tuple(str(part["text"]) for part in citation.get("sourceContent") or () if part.get("text"))
    named = citation.get("title") or citation.get("source")
    document = place.get("documentIndex", place.get("searchResultIndex", named))
    pages = None
    if kind == "documentPage":  # as Claude counts: from 1, the last page not included
        pages = int(place["start"]), max(int(place["start"]), int(place["end"]) - 1)
    offset = int(place["start"]) if kind == "documentChar" else None
    address = web(place.get("url")) if kind == "web" else None
    return Claim(start, end, document, quotes[:1], offset, pages, None, address, payload=citation)


def generated(data: Mapping[str, Any]) -> Response:
    """Bedrock RetrieveAndGenerate: parts of the text, each with what was retrieved for it."""
    text = str(data["output"]["text"])
    claims: list[Claim] = []
    for citation in data.get("citations") or ():
        part = ((citation.get("generatedResponsePart") or {}).get("textResponsePart")) or {}
        start, end, problem = _spoken(text, part.get("span") or {}, str(part.get("text") or ""))
        claims += [
            _reference(reference)._replace(answer_start=start, answer_end=end, problem=problem)
            for reference in citation.get("retrievedReferences") or ()
        ]
    return Response("bedrock-retrieve-and-generate", text, tuple(claims))


def _spoken(text: str, span: Mapping[str, Any], quoted: str) -> tuple[int, int, str | None]:
    """Where a part of the answer stands; its end is counted with or without its last character, so its words decide."""
    start, end = int(span.get("start", 0)), int(span.get("end", len(text)))
    for last in (end, end + 1):
        if 0 <= start <= last <= len(text) and (not quoted or text[start:last] == quoted):
            return start, last, None
    place = text.find(quoted) if quoted else -1
    return (place, place + len(quoted), None) if place >= 0 else (0, len(text), "it stands outside the answer")


def _reference(reference: Mapping[str, Any]) -> Claim:
    place, about = reference.get("location") or {}, reference.get("metadata") or {}
    inner = next((value for key, value in place.items() if key != "type" and isinstance(value, Mapping)), {})
    name = inner.get("uri") or inner.get("url") or about.get(SOURCE)
    text = (reference.get("content") or {}).get("text")
    page = about.get(PAGE)
    pages = None if page is None else (int(page), int(page))
    return Claim(0, 0, name, (str(text),) if text else (), None, pages, None, web(name), payload=reference)


def checked(data: Mapping[str, Any]) -> Response:
    """Vertex check grounding: claims of the answer candidate, in bytes, and the facts that are cited."""
    chunks = data.get("citedChunks") or ()
    facts = {int(claim.get("index", n)): claim for n, claim in enumerate(chunks)}
    text, size, claims = "", 0, list[Claim]()
    for claim in sorted(data["claims"], key=lambda claim: int(claim.get("startPos") or 0)):
        claim_text, at = str(claim.get("claimText") or ""), int(claim.get("startPos") or 0)
        text += " " * min(max(0, at - size), 1000)  # what stands between the claims is not told
        start, text = len(text), text + claim_text
        size = int(claim.get("endPos") or at + len(claim_text.encode("utf-8", "surrogatepass")))
        for index in claim.get("citationIndices") or ():
            claims.append(_fact(facts, int(index))._replace(answer_start=start, answer_end=len(text)))
    return Response("vertex-check-grounding", text, tuple(claims))


def _fact(facts: Mapping[int, Mapping[str, Any]], index: int) -> Claim:
    if index not in facts:
        return Claim(0, 0, problem=f"it names chunk {index}, which does not exist")
    fact = facts[index]
    name = str(fact.get("source") or "")
    # The source is the position of the fact in the request where it was given as text.
    named = name if name and not name.isdecimal() else None
    return Claim(0, 0, named, (str(fact.get("chunkText") or ""),), address=web(name), payload=fact)


def answered(data: Mapping[str, Any]) -> Response:
    """Vertex AI Search answers: citations of ranges of bytes, each with numbers of references."""
    answer = data.get("answer", data)
    text = str(answer["answerText"])
    references = [_vertex_reference(entry) for entry in answer.get("references") or ()]
    claims: list[Claim] = []
    for entry in answer.get("citations") or ():
        offsets = {key: int(entry[key]) for key in ("startIndex", "endIndex") if entry.get(key) is not None}
        start, end, problem = placed(text, offsets)
        for source in entry.get("sources") or ():
            number = int(source.get("referenceId") or 0)
            known = 0 <= number < len(references)
            claim = (
                references[number]
                if known
                else Claim(0, 0, problem=f"it names reference {number}, which does not exist")
            )
            claims.append(claim._replace(answer_start=start, answer_end=end, problem=problem or claim.problem))
    return Response("vertex-answer", text, tuple(claims))


def _vertex_reference(reference: Mapping[str, Any]) -> Claim:
    kinds = ("chunkInfo", "unstructuredDocumentInfo", "structuredDocumentInfo")
    content: Mapping[str, Any] = next(
        (reference[kind] for kind in kinds if isinstance(reference.get(kind), Mapping)), {}
    )
    about = {**content, **(content.get("documentMetadata") or {})}
    chunks = content.get("chunkContents") or [content]
    quotes = tuple(str(chunk["content"]) for chunk in chunks if chunk.get("content"))
    page = next((chunk.get("pageIdentifier") for chunk in (about, *chunks) if chunk.get("pageIdentifier")), None)
    pages = (int(str(page)), int(str(page))) if str(page or "").isdecimal() else None
    name = about.get("title") or about.get("uri") or about.get("document")
    return Claim(0, 0, name, quotes, None, pages, None, web(about.get("uri")), payload=reference)


def azure(data: Mapping[str, Any]) -> Response:
    """Azure OpenAI on your data: [doc2] is the second of the message's context.citations."""
    message = data["choices"][0].get("message") or data["choices"][0]["messages"][-1]
    cited = azure_citations(data["choices"][0])
    sources = {}
    for number, source in enumerate(cited, 1):
        name = source.get("filepath") or source.get("title") or source.get("url")
        sources[number] = Claim(
            0, 0, name, (str(source["content"]),) if source.get("content") else (), address=web(source.get("url"))
        )
    return listed("azure", "".join(texts(message.get("content") or "")), sources)


def azure_citations(choice: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The citations, which older versions told as the text of a message of the role tool."""
    context = (choice.get("message") or {}).get("context") or {}
    if context.get("citations"):
        return list(context["citations"])
    for message in (*(choice.get("messages") or ()), *(context.get("messages") or ())):
        if message.get("role") == "tool":
            payload = json.loads(message["content"])
            return list(payload.get("citations") or ())
    return ()


def perplexity(data: Mapping[str, Any]) -> Response:
    """Perplexity: [2] is the second address; the snippets are no words of the pages."""
    search_results = data.get("search_results") or ()
    addresses = data.get("citations") or [entry.get("url") for entry in search_results]
    titles = {str(entry.get("url")): entry.get("title") for entry in search_results if isinstance(entry, Mapping)}
    sources = {
        number: Claim(0, 0, titles.get(str(address)) or str(address), address=web(address))
        for number, address in enumerate(addresses, 1)
    }
    return listed("perplexity", "".join(texts(data["choices"][0]["message"].get("content") or "")), sources)


def ragflow(data: Mapping[str, Any]) -> Response:
    """RAGFlow: [ID:4] is the chunk with this key or, counted from 0, at this place of the reference."""
    inner = data.get("data")
    inner_data: Mapping[str, Any] = inner if isinstance(inner, Mapping) else data
    message: Mapping[str, Any] = inner_data["choices"][0]["message"] if "choices" in inner_data else inner_data
    reference = message.get("reference") or {}
    chunks = reference.get("chunks") or {}
    pairs = chunks.items() if isinstance(chunks, Mapping) else enumerate(chunks)
    text = "".join(texts(message.get("content") or message.get("answer") or ""))
    text = _RAGFLOW.sub(lambda match: f"[{int(match[1] or match[2]) + 1}]", text)
    return listed("ragflow", text, {int(key) + 1: _chunk(chunk) for key, chunk in pairs})


def _chunk(chunk: Mapping[str, Any]) -> Claim:
    positions = chunk.get("positions") or ()
    pages = [int(position[0]) for position in positions if isinstance(position, list) and position]
    name = chunk.get("document_name") or chunk.get("document_id")
    content = chunk.get("content")
    span = (min(pages), max(pages)) if pages else None
    return Claim(0, 0, name, (str(content),) if content else (), None, span, None, web(chunk.get("url")))
