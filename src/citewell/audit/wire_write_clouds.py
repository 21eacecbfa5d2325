"""Writes our answers in formats whose citations name parts of a text: Bedrock, Vertex, Assistants, LangChain."""

from __future__ import annotations

from typing import Any

from citewell.audit.wire_clouds import PAGE, SOURCE
from citewell.audit.written import Written, octets
from citewell.types import Citation


def converse(written: Written) -> dict[str, Any]:
    """Bedrock Converse: a block for each statement with its citations."""
    content: list[dict[str, Any]] = []
    for text, numbers in written.parts():
        citations = [_converse_citation(written, number) for number in numbers]
        cited = {"citationsContent": {"content": [{"text": text}], "citations": citations}}
        content.append(cited if citations else {"text": text})
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "end_turn"}


def _converse_citation(written: Written, number: int) -> dict[str, Any]:
    """A citation as it was given, its pages put right; else one by its characters, or by pages where others are."""
    cited, response = written.answer.citations[number], written.payloads.get(number)
    last = max((rect.page for rect in cited.rects), default=cited.page)
    pages = {} if cited.page is None or last is None else {"start": cited.page, "end": last + 1}
    if response is not None:
        place = dict((response.get("location") or {}).get("documentPage") or {})
        right = not place or not pages or int(place["start"]) <= pages["start"] < int(place["end"])
        return dict(response) if right else {**response, "location": {"documentPage": {**place, **pages}}}
    paged = pages and any("documentPage" in (value.get("location") or {}) for value in written.payloads.values())
    place = pages if paged else {"start": cited.start, "end": cited.end}
    kind = "documentPage" if paged else "documentChar"
    named = {"title": written.title(cited), **written.known(cited, "title", "source")}
    index = written.place(cited)
    return {**named, "sourceContent": [{"text": cited.quote}], "location": {kind: {"documentIndex": index, **place}}}


def generated(written: Written) -> dict[str, Any]:
    """Bedrock RetrieveAndGenerate: parts of the text with what was retrieved; a span ends with its last sign."""
    citations = []
    for statement in written.answer.statements:
        if statement.citations:
            span = {"start": statement.start, "end": statement.end - 1}
            part = {"textResponsePart": {"span": span, "text": statement.text}}
            references = [_reference(written, number) for number in statement.citations]
            citations.append({"generatedResponsePart": part, "retrievedReferences": references})
    return {"output": {"text": written.answer.text}, "citations": citations}


def _reference(written: Written, number: int) -> dict[str, Any]:
    if number in written.payloads:
        return dict(written.payloads[number])
    cited = written.answer.citations[number]
    known = written.known(cited, "location", "metadata")
    about = {SOURCE: written.name(cited), **known.get("metadata", {})}
    about = {name: value for name, value in about.items() if name != PAGE}
    page = {} if cited.page is None else {PAGE: cited.page}
    place = {"location": known["location"]} if "location" in known else {}
    return {"content": {"text": cited.quote, "type": "TEXT"}, **place, "metadata": {**about, **page}}


def checked(written: Written) -> dict[str, Any]:
    """Vertex check grounding: claims in bytes, and the facts that they cite."""
    sizes, chunks, numbers = octets(written.answer.text), list[dict[str, Any]](), dict[tuple[Any, ...], int]()
    claims, start = list[dict[str, Any]](), 0
    for text, parts in written.parts():
        end = start + len(text)
        if text.strip():
            cited = [numbered(written, number, chunks, numbers, _chunk) for number in parts]
            place = {"startPos": sizes[start], "endPos": sizes[end], "claimText": text}
            claims.append({**place, "citationIndices": cited})
        start = end
    return {"citedChunks": [{**chunk, "index": n} for n, chunk in enumerate(chunks)], "claims": claims}


def _chunk(written: Written, cited: Citation) -> dict[str, Any]:
    return {"chunkText": cited.quote, "source": written.name(cited), **written.known(cited, "source")}


def answered(written: Written) -> dict[str, Any]:
    """Vertex AI Search answers: citations of ranges of bytes, each with numbers of references."""
    sizes, references, numbers = octets(written.answer.text), list[dict[str, Any]](), dict[tuple[Any, ...], int]()
    citations = []
    for statement in written.answer.statements:
        if statement.citations:
            members = (
                numbered(written, number, references, numbers, _vertex_reference) for number in statement.citations
            )
            place = {"startIndex": str(sizes[statement.start]), "endIndex": str(sizes[statement.end])}
            citations.append({**place, "sources": [{"referenceId": str(number)} for number in members]})
    answer = {"answerText": written.answer.text, "citations": citations, "references": references}
    return answer if written.data and "answer" not in written.data else {"answer": answer}


def _vertex_reference(written: Written, cited: Citation) -> dict[str, Any]:
    page = {} if cited.page is None else {"pageIdentifier": str(cited.page)}
    about = {"uri": written.name(cited), "title": written.title(cited), **page}
    return {"chunkInfo": {"content": cited.quote, "documentMetadata": about}}


def numbered(
    written: Written, number: int, listed: list[dict[str, Any]], numbers: dict[tuple[Any, ...], int], make: Any
) -> int:
    """The place of a citation in a list of sources, each source once: as it was given, else made anew."""
    cited = written.answer.citations[number]
    key = (cited.document_id, cited.start, cited.end)
    if key not in numbers:
        numbers[key] = len(listed)
        listed.append(dict(written.payloads[number]) if number in written.payloads else make(written, cited))
    return numbers[key]


def assistants(written: Written) -> dict[str, Any]:
    """A message of a thread: its annotations are marks that stand in the text."""
    value, annotations = "", list[dict[str, Any]]()
    for text, numbers in written.parts():
        value += text
        for number in numbers:
            cited, response = written.answer.citations[number], written.payloads.get(number, {})
            file = {"file_id": cited.document_id, "quote": cited.quote}
            file |= {
                n: v for n, v in written.known(cited, "file_citation").get("file_citation", {}).items() if n != "quote"
            }
            mark = str(response.get("text") or f"【{len(annotations)}:0†source】")
            place = {"text": mark, "start_index": len(value), "end_index": len(value) + len(mark)}
            annotations.append({"type": "file_citation", "file_citation": file, **response, **place})
            value += mark
    content = [{"type": "text", "text": {"value": value, "annotations": annotations}}]
    return {"object": "thread.message", "role": "assistant", "content": content}


def message(written: Written) -> dict[str, Any]:
    """A LangChain message: a text whose annotations of the type citation name ranges of it."""
    annotations = []
    for statement in written.answer.statements:
        for number in statement.citations:
            cited = written.answer.citations[number]
            built = {"type": "citation", "title": written.title(cited), "cited_text": cited.quote}
            place = {"start_index": statement.start, "end_index": statement.end}
            annotations.append({**written.payloads.get(number, built), **place})
    return {"type": "ai", "content": [{"type": "text", "text": written.answer.text, "annotations": annotations}]}


def facts(written: Written) -> dict[str, Any]:
    """LangChain's facts with quotes."""
    answer = []
    for text, numbers in written.parts():
        if text.strip():
            quotes = [written.answer.citations[number].quote for number in numbers]
            answer.append({"fact": text, "substring_quote": quotes})
    question = written.data.get("question", written.answer.question) if written.data else written.answer.question
    return {"question": question, "answer": answer}
