"""Streams of OpenAI, Anthropic, Gemini and Cohere (events or lists of chunks), assembled into one response."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from citewell.errors import AnswerFormatError
from citewell.text import safe

_LINE = re.compile(r"(?:data|event|id|retry)?:")
# What a service tells beside the pieces of a reply, once or again and again: the last word counts.
_BESIDE = ("citations", "search_results", "reference")


def is_stream(text: str) -> bool:
    """Whether a text is a stream of server-sent events, and not prose."""
    lines = (line for line in text.lstrip("\ufeff \r\n").splitlines() if line.strip())
    first = [line for _, line in zip(range(4), lines, strict=False)]
    return bool(first) and all(map(_LINE.match, first)) and any(line.startswith("data:") for line in first)


def assembled(text: str) -> Mapping[str, Any]:
    """The response that a stream of events brings. Raises AnswerFormatError: the events are none that is known."""
    return joined(list(_events(text)))


def joined(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The response that chunks make together. Raises AnswerFormatError: the chunks are none that is known."""
    kinds = {str(event.get("type", "")) for event in events}
    if not events:
        raise AnswerFormatError("the stream has no event with JSON")
    if any(kind.startswith("response.") for kind in kinds):
        return _responses(events)
    if "content_block_delta" in kinds or "message_start" in kinds:
        return _anthropic(events)
    if "content-delta" in kinds or "message-start" in kinds:
        return _cohere(events)
    if any("candidates" in event for event in events):
        return _gemini(events)
    if any("choices" in event for event in events):
        return _chat(events)
    raise AnswerFormatError("the stream has none of the known formats (OpenAI, Anthropic, Gemini, Cohere)")


def _events(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON of each event; what is cut off or none is passed over."""
    data: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line.strip() and data:
            try:
                event = safe.loads("\n".join(data))
            except ValueError:
                event = None  # [DONE], or what a connection that broke left of the last one
            if isinstance(event, Mapping):
                yield event
            data = []


def _chat(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    text, refusal, annotations = list[str](), list[str](), list[Any]()
    beside, context = dict[str, Any](), dict[str, Any]()
    for event in events:
        beside |= {name: event[name] for name in _BESIDE if event.get(name)}
        for choice in (event.get("choices") or ())[:1]:
            delta = choice.get("delta") or choice.get("message") or {}
            content = delta.get("content") or ""
            text.append(
                content if isinstance(content, str) else "".join(str(part.get("text") or "") for part in content)
            )
            refusal.append(str(delta.get("refusal") or ""))
            annotations += delta.get("annotations") or ()
            context |= {name: delta[name] for name in ("context", "reference") if delta.get(name)}
    message = {"role": "assistant", "content": "".join(text), "refusal": "".join(refusal) or None, **context}
    return {**beside, "choices": [{"message": {**message, "annotations": annotations}}]}


def _responses(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The whole response stands in the event that ends it; of one that was cut off its pieces are left."""
    whole = next((event["response"] for event in reversed(events) if (event.get("response") or {}).get("output")), None)
    if isinstance(whole, Mapping):
        return whole
    by_name: dict[tuple[int, int], tuple[list[str], list[Any]]] = {}
    for event in events:
        place = (int(event.get("output_index") or 0), int(event.get("content_index") or 0))
        if event.get("type") == "response.output_text.delta":
            by_name.setdefault(place, ([], []))[0].append(str(event.get("delta") or ""))
        elif event.get("type") == "response.output_text.annotation.added":
            by_name.setdefault(place, ([], []))[1].append(event.get("annotation"))
    parts = [
        {"type": "output_text", "text": "".join(pieces), "annotations": annotations}
        for _, (pieces, annotations) in sorted(by_name.items(), key=lambda item: item[0])
    ]
    return {"output": [{"type": "message", "content": parts}]}


def _anthropic(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[int, list[str]] = {}
    for event in events:
        number, delta = int(event.get("index") or 0), event.get("delta") or {}
        if event.get("type") == "content_block_start":
            blocks[number] = {
                **event["content_block"],
                "citations": list(event["content_block"].get("citations") or ()),
            }
        elif delta.get("type") == "text_delta":
            blocks.setdefault(number, {"type": "text", "text": "", "citations": []})
            pieces.setdefault(number, []).append(str(delta["text"]))
        elif delta.get("type") == "citations_delta":
            blocks.setdefault(number, {"type": "text", "text": "", "citations": []})["citations"].append(
                delta["citation"]
            )
    for number, piece in pieces.items():
        blocks[number]["text"] = str(blocks[number].get("text") or "") + "".join(piece)
    return {"type": "message", "role": "assistant", "content": [blocks[number] for number in sorted(blocks)]}


def _gemini(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    text, grounding = list[str](), dict[str, Any]()
    for event in events:
        for candidate in (event.get("candidates") or ())[:1]:
            parts = (candidate.get("content") or {}).get("parts") or ()
            text += [str(part.get("text") or "") for part in parts if not part.get("thought")]
            grounding |= candidate.get("groundingMetadata") or candidate.get("grounding_metadata") or {}
    return {"candidates": [{"content": {"parts": [{"text": "".join(text)}]}, "groundingMetadata": grounding}]}


def _cohere(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    text, citations = list[str](), list[Any]()
    for event in events:
        message = (event.get("delta") or {}).get("message") or {}
        if event.get("type") == "content-delta":
            text.append(str((message.get("content") or {}).get("text") or ""))
        elif event.get("type") == "citation-start":
            citations.append(message.get("citations"))
    return {
        "message": {"role": "assistant", "content": [{"type": "text", "text": "".join(text)}], "citations": citations}
    }
