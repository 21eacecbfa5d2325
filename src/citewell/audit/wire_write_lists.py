"""Writes our answers in formats whose marks number the sources: Azure, Perplexity, RAGFlow, LangChain and others.

What was retrieved stays in its list and keeps its number; what is added follows it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from citewell.audit import wire_clouds, wire_frameworks
from citewell.audit.wire_write_clouds import facts, message
from citewell.audit.written import Written


def azure(written: Written) -> dict[str, Any]:
    """Azure OpenAI on your data, in the shape of its version."""
    data = copy.deepcopy(dict(written.data or {"choices": [{"message": {"role": "assistant"}}]}))
    choice = data["choices"][0]
    cited = list(wire_clouds.azure_citations(choice))
    text, added = written.marked(len(cited) + 1, lambda number: f" [doc{number}]")
    cited += [
        {"content": entry.quote, "title": written.title(entry), "url": None, "filepath": written.name(entry)}
        for entry in added
    ]
    context = choice.get("message", choice).get("context") or {}
    first = next(
        (m for m in (*choice.get("messages", ()), *context.get("messages", ())) if m.get("role") == "tool"), None
    )
    message = choice["message"] if "message" in choice else choice["messages"][-1]
    message["content"] = text
    if first and not context.get("citations"):
        first["content"] = json.dumps({**json.loads(first["content"]), "citations": cited})
    else:
        message["context"] = {**context, "citations": cited}
    return data


def perplexity(written: Written) -> dict[str, Any]:
    """Perplexity: a number is an address; what is added has the address of its document."""
    data = copy.deepcopy(dict(written.data or {"choices": [{"message": {"role": "assistant"}}]}))
    results = list(data.get("search_results") or ())
    addresses = list(data.get("citations") or [entry.get("url") for entry in results])
    known = {address: number for number, address in enumerate(addresses, 1)}
    text, added = written.marked(len(addresses) + 1, lambda number: f" [{number}]", written.name, known)
    new = [{"title": written.title(cited), "url": written.name(cited), "snippet": cited.quote} for cited in added]
    results += new if len(results) == len(addresses) else []
    addresses += [written.name(cited) for cited in added]
    data["choices"][0]["message"]["content"] = text
    visible = {"citations": addresses, "search_results": results}
    return {**data, **{name: value for name, value in visible.items() if name in data or name == "citations"}}


def ragflow(written: Written) -> dict[str, Any]:
    """RAGFlow: `[ID:4]` is the chunk with this key or, counted from 0, at this place."""
    data = copy.deepcopy(dict(written.data or {"choices": [{"message": {"role": "assistant", "reference": {}}}]}))
    payload = data["data"] if isinstance(data.get("data"), dict) else data
    message = payload["choices"][0]["message"] if "choices" in payload else payload
    reference = message.get("reference") or {}
    chunks = reference.get("chunks") or []
    first = max((int(key) for key in chunks), default=-1) + 2 if isinstance(chunks, dict) else len(chunks) + 1
    text, added = written.marked(first, lambda number: f" [ID:{number - 1}]")
    new = [{"content": entry.quote, "document_name": written.name(entry)} for entry in added]
    if isinstance(chunks, dict):
        chunks = {**chunks, **{str(first - 1 + n): entry for n, entry in enumerate(new)}}
    else:
        chunks = [*chunks, *new]
    message["reference"] = {**reference, "chunks": chunks}
    message["content" if "content" in message or "answer" not in message else "answer"] = text
    return data


def langchain(written: Written) -> dict[str, Any]:
    """LangChain: a chain's result with its documents, a message, or facts with quotes."""
    data = copy.deepcopy(dict(written.data or {"answer": "", "context": []}))
    if wire_frameworks.fits_message(data):
        return message(written)
    if isinstance(data.get("answer"), list):
        return facts(written)
    answer, documents = wire_frameworks.fields(data)
    kept = list(data[documents])
    text, added = written.marked(len(kept) + 1, lambda number: f" [{number}]")
    serialized = kept[0] if kept and "kwargs" in kept[0] else None
    for entry in added:
        page = {} if entry.page is None else {"page_label": str(entry.page)}
        new = {"metadata": {"source": written.name(entry), **page}, "page_content": entry.quote, "type": "Document"}
        kept.append({**serialized, "kwargs": new} if serialized else new)
    return {**data, answer: text, documents: kept}


def llamaindex(written: Written) -> dict[str, Any]:
    """LlamaIndex: a response with its nodes, which the citation engine numbers in their texts."""
    data = copy.deepcopy(dict(written.data or {"response": "", "source_nodes": []}))
    nodes = list(data["source_nodes"])
    text, added = written.marked(len(nodes) + 1, lambda number: f" [{number}]")
    headed = any(wire_frameworks.NODE.match(wire_frameworks.node_text(entry)) for entry in nodes)
    for number, entry in enumerate(added, len(nodes) + 1):
        page = {} if entry.page is None else {"page_label": str(entry.page)}
        message = f"Source {number}:\n{entry.quote}\n" if headed else entry.quote
        node = {"text": message, "metadata": {"file_name": written.name(entry), **page}, "class_name": "TextNode"}
        nodes.append({"node": node, "score": entry.score, "class_name": "NodeWithScore"})
    return {**data, "response": text, "source_nodes": nodes}


def haystack(written: Written) -> dict[str, Any]:
    """Haystack: the first answer with its documents, in the place where it stood."""
    data = copy.deepcopy(dict(written.data or {"answers": [{"data": "", "query": "", "documents": []}]}))
    answer: dict[str, Any] = dict(wire_frameworks.first_answer(data))
    if "document_offset" in answer:
        return _put(data, _extracted(written, answer))
    kept = list(answer.get("documents") or ())
    first = max((wire_frameworks.place(kept_item, number) for number, kept_item in enumerate(kept, 1)), default=0) + 1
    text, added = written.marked(first, lambda number: f" [{number}]")
    for number, kept_item in enumerate(added, first):
        page = {} if kept_item.page is None else {"page_number": kept_item.page}
        kept.append(
            {"content": kept_item.quote, "meta": {"file_path": written.name(kept_item), "source_index": number, **page}}
        )
    return _put(data, {**answer, "data": text, "documents": kept})


def _extracted(written: Written, answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer that is a passage of its document: as it was, else with the passage that supports it."""
    cited = written.answer.citations
    if not cited:
        return {**answer, "document": None, "document_offset": None}
    if 0 in written.payloads:
        return dict(written.payloads[0])
    page = {} if cited[0].page is None else {"page_number": cited[0].page}
    document = {"content": cited[0].quote, "meta": {"file_path": written.name(cited[0]), **page}}
    return {**answer, "document": document, "document_offset": {"start": 0, "end": len(cited[0].quote)}}


def _put(data: dict[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON with another first answer."""
    if "init_parameters" in data:
        return {**data, "init_parameters": answer}
    if "answers" in data:
        first, *others = data["answers"]
        return {**data, "answers": [_put(first, answer), *others]}
    if "data" in data:
        return dict(answer)
    name = next(name for name, value in data.items() if isinstance(value, Mapping) and "answers" in value)
    return {**data, name: _put(data[name], answer)}
