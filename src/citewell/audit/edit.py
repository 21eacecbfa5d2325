"""Edits a response's citations in place: removes wrong ones, adds missing ones, leaves everything else unchanged.

What is edited are copies of the lists that hold citations; ids, models, usage, calls of tools and other blocks are the
response's own. A citation is removed only where it does not exist or is judged and does not support its statement.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from citewell.audit import wire_write
from citewell.audit.claims import DAMAGED
from citewell.audit.written import Written, octets
from citewell.errors import AnswerFormatError
from citewell.types import Citation

if TYPE_CHECKING:
    from citewell.audit.scores import Audit

_NAMES = ("groundingMetadata", "groundingChunks", "groundingSupports", "groundingChunkIndices", "confidenceScores")
_SNAKE = tuple("".join(f"_{char.lower()}" if char.isupper() else char for char in name) for name in _NAMES)
FORMS = ("anthropic", "openai-chat", "openai-responses", "gemini")


def edited(audit: Audit) -> Any:
    """The response with its citations mended: its own JSON for `FORMS`, else written anew in its format.

    Raises AnswerFormatError: a part of the response that is kept has the wrong type.
    """
    if audit.form not in FORMS or audit.data is None:
        return wire_write.write(audit.fixed, audit.form, audit.payloads, audit.data)
    data = copy.deepcopy(dict(audit.data))
    keep = iter([entry.kept for entry in audit.citations])
    payloads = {n: payload for n, payload in enumerate(audit.payloads) if payload}
    written = Written(audit.fixed, payloads, audit.data)
    cited_well = {entry.statement for entry in audit.citations if entry.supports}
    new = [
        (n, audit.fixed.citations[n])
        for number, statement in enumerate(audit.fixed.statements)
        for n in statement.citations
        if n not in payloads and number not in cited_well
    ]
    try:
        if audit.form == "gemini":
            _gemini(data, keep, written, new)
        else:
            for holder, name, start, end in _texts(data, audit.form):
                here = [n for n, cited in new if start < max(cited.answer_end, 1) <= end]  # whose words end here
                _mended(holder, name, keep, [_new(written, n, audit.form, start) for n in here])
            if audit.form == "openai-chat":
                _passed_on(data["choices"][0]["message"], keep)
    except DAMAGED as error:
        raise AnswerFormatError(f"the response is damaged, nothing can be added to it: {error}") from error
    return data


def _passed_on(message: dict[str, Any], keep: Iterator[bool]) -> None:
    """Take wrong citations out of what LiteLLM passes on, and out of Mistral's references, in the order of reading."""
    fields = message.get("provider_specific_fields") or {}
    if fields.get("citations"):
        groups = [group if isinstance(group, list) else [group] for group in fields["citations"]]
        left = [[citation for citation in group if next(keep)] for group in groups]
        message["provider_specific_fields"] = {**fields, "citations": [group for group in left if group]}
    if isinstance(message.get("content"), list):
        parts = list[Any]()
        for part in message["content"]:
            named = [number for number in part.get("reference_ids") or () if next(keep)]
            if named or part.get("type") != "reference":
                parts.append({**part, "reference_ids": named} if part.get("type") == "reference" else part)
        message["content"] = parts


def _texts(data: Mapping[str, Any], form: str) -> Iterator[tuple[dict[str, Any], str, int, int]]:
    """What holds text in the order in which it is read: the object, the name of its citations, where it stands."""
    if form == "openai-chat":
        message = data["choices"][0]["message"]
        yield message, "annotations", 0, 10**9
        return
    blocks = data["content"] if form == "anthropic" else [
        part for item in data["output"] for part in item.get("content") or ()
    ]  # fmt: skip
    kind, name = ("text", "citations") if form == "anthropic" else ("output_text", "annotations")
    texts = [block for block in blocks if block.get("type") == kind]
    start = 0
    for block in texts:
        end = start + len(block["text"])
        yield block, name, start, 10**9 if block is texts[-1] else end
        start = end


def _mended(holder: dict[str, Any], name: str, keep: Iterator[bool], added: list[dict[str, Any]]) -> None:
    listed = holder.get(name)
    left = [item for item in listed or () if next(keep)]
    if len(left) != len(listed or ()) or added:
        holder[name] = [*left, *added]


def _new(written: Written, number: int, form: str, start: int) -> dict[str, Any]:
    """A citation that is added, in the form's own kind, its place counted in its block."""
    if form == "anthropic":
        paged = any(payload.get("type") == "page_location" for payload in written.payloads.values())
        return wire_write.anthropic_place(written, number, paged=paged)
    kind = "url_citation" if form == "openai-chat" else "file_citation"
    annotation: dict[str, Any] = wire_write.annotation(written, number, kind)
    if "index" in annotation:
        annotation["index"] -= start
    return annotation


def _gemini(data: dict[str, Any], keep: Iterator[bool], written: Written, new: list[tuple[int, Citation]]) -> None:
    candidate = data["candidates"][0]
    snake = "grounding_metadata" in candidate
    metadata, chunks, supports, indices, scores = _SNAKE if snake else _NAMES
    metadata_fields = dict(candidate.get(metadata) or {})
    left = list[dict[str, Any]]()
    for support in metadata_fields.get(supports) or ():
        stays = [next(keep) for _ in support.get(indices) or ()]
        if not any(stays):
            continue
        kept_support = {**support, indices: [n for n, stay in zip(support[indices], stays, strict=True) if stay]}
        if len(support.get(scores) or ()) == len(stays):
            kept_support[scores] = [n for n, stay in zip(support[scores], stays, strict=True) if stay]
        left.append(kept_support)
    listed, sizes = list(metadata_fields.get(chunks) or ()), octets(written.answer.text)
    for _, cited in new:
        statement = next(
            kept_support
            for kept_support in written.answer.statements
            if kept_support.start <= cited.answer_start < max(kept_support.end, 1)
        )
        edges: dict[str, Any] = {"start_index" if snake else "startIndex": sizes[statement.start]}
        edges |= {"end_index" if snake else "endIndex": sizes[statement.end], "text": statement.text}
        left.append({"segment": edges, indices: [len(listed)]})
        context = {"title": written.title(cited), "text": cited.quote}
        listed.append({"retrieved_context" if snake else "retrievedContext": context})
    if left or metadata_fields:
        candidate[metadata] = {**metadata_fields, **({chunks: listed} if listed else {}), supports: left}
