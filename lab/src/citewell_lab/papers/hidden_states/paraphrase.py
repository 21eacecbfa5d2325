"""Paraphrases the copied spans of answers, by rules or by a language model; marks keep their places.

After Phukan et al. 2024, appendix A.5, who let GPT-4 paraphrase the parts of QuoteSum's answers that are no entities.
The rules replace words by near synonyms and leave capitalised words and numbers alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from citewell import registry
from citewell.errors import ContextTooLongError, RefusedError, ReplyError
from citewell.llm.asking import complete_each
from citewell.llm.prompts import Prompt, builtin
from citewell.protocols import Completion
from citewell.text.data import read_text
from citewell.text.tokens import estimate
from citewell.types import Span
from citewell_lab.bench.items import SpanItem

_WORD = re.compile(r"\w+")
_PART = re.compile(r"\[\[\s*+(\d+)\s*+:(.*?)\]\]", re.DOTALL)


class Edit(NamedTuple):
    """A range of a text and what stands there afterwards."""

    start: int
    end: int
    text: str


class Rewritten(NamedTuple):
    """An item in other words: which of its targets changed, and how many of their words are new, out of how many."""

    item: SpanItem
    changed: tuple[bool, ...]
    new_words: int
    words: int


def by_rules(item: SpanItem) -> Rewritten:
    """Near synonyms in the marked spans."""
    table, pattern = _synonyms()
    edits = []
    for target in item.targets:
        for match in pattern.finditer(item.text, target.start, target.end):
            word = match[0]
            opens = match.start() == 0 or any(span.start == match.start() for span in item.statements)
            if word[0].isupper() and not opens:
                continue  # a name, or part of one
            entry = table[word.lower()]
            edits.append(Edit(match.start(), match.end(), entry[0].upper() + entry[1:] if word[0].isupper() else entry))
    return counted(item, apply(item, edits))


def rewritten(items: Sequence[SpanItem], llm: Any = None) -> list[Rewritten | str]:
    """The items in other words, by a language model or, without one, by rules; else why not.

    Raises:
        BackendError: the model cannot be used at all.
    """
    return [by_rules(item) for item in items] if llm is None else by_llm(items, llm)


def prompt() -> Prompt:
    """What a language model is asked with."""
    return builtin("citewell_lab.papers.hidden_states", "paraphrase")


def by_llm(items: Sequence[SpanItem], llm: Any) -> list[Rewritten | str]:
    """The same by a language model; where its reply is of no use, the reason.

    Raises:
        BackendError: the model cannot be used at all.
    """
    model = registry.build("llm", llm)
    requests = []
    for item in items:
        marked = apply_text(item.text, [Edit(a, b, f"[[{n}: {item.text[a:b]}]]") for n, (a, b) in _ordered(item)])
        requests.append(prompt().request(2 * estimate(marked) + 256, question=item.question, answer=marked))
    keep = (ContextTooLongError, RefusedError, ReplyError)
    replies = complete_each(model, requests, keep=keep)
    return [_read(item, reply) for item, reply in zip(items, replies, strict=True)]


def _ordered(item: SpanItem) -> list[tuple[int, Span]]:
    return list(enumerate(sorted(item.targets), start=1))


def _read(item: SpanItem, reply: Completion | Exception) -> Rewritten | str:
    if not isinstance(reply, Completion):
        return str(reply)
    if reply.finish != "stop":
        return f"the reply ended with {reply.finish!r}"
    parts = {int(match[1]): match[2].strip() for match in _PART.finditer(reply.text)}
    wanted = _ordered(item)
    missing = [number for number, _ in wanted if not parts.get(number)]
    if missing:
        return f"the reply lacks part {missing[0]} of {len(wanted)}"
    edits = [Edit(start, end, " ".join(parts[number].split())) for number, (start, end) in wanted]
    return counted(item, apply(item, edits))


def apply_text(text: str, edits: Sequence[Edit]) -> str:
    """A text with edits made, which are in order and do not overlap."""
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def apply(item: SpanItem, edits: Sequence[Edit]) -> SpanItem:
    """The item with its text edited and every offset moved along; what begins or ends inside an edit ends with it."""
    ordered = sorted(edits)

    def moved(offset: int) -> int:
        shift = 0
        for edit in ordered:
            if edit.end <= offset:
                shift += len(edit.text) - (edit.end - edit.start)
            elif edit.start < offset:
                return edit.start + shift + len(edit.text)
        return offset + shift

    def move(span: Span) -> Span:
        return Span(moved(span.start), moved(span.end))

    return replace(
        item,
        text=apply_text(item.text, ordered),
        statements=tuple(span for span in map(move, item.statements) if span.start < span.end),
        targets=tuple(map(move, item.targets)),
        judged=move(item.judged),
    )


def counted(before: SpanItem, after: SpanItem) -> Rewritten:
    """An item in other words beside the one that it was."""
    changed, new, total = [], 0, 0
    for old, rewritten_target in zip(before.targets, after.targets, strict=True):
        original, now = before.text[old.start : old.end], after.text[rewritten_target.start : rewritten_target.end]
        known = {word.lower() for word in _WORD.findall(original)}
        words = [word.lower() for word in _WORD.findall(now)]
        changed.append(original != now)
        new += sum(word not in known for word in words)
        total += len(words)
    return Rewritten(after, tuple(changed), new, total)


@cache
def _synonyms() -> tuple[dict[str, str], re.Pattern[str]]:
    text = read_text("citewell_lab.papers.hidden_states", "paraphrases.txt")
    table: dict[str, str] = {}
    for line in text.splitlines():
        for pair in line.split(",") if line.strip() and not line.startswith("#") else ():
            word, _, other = pair.partition("=")
            table.setdefault(word.strip(), other.strip())
    names = sorted(table, key=lambda word: (-len(word), word))
    return table, re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)
