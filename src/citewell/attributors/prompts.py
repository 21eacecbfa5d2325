"""Prompts of document, question and answer for models that read all three, with the position of each part.

Offsets of the parts follow from how a prompt is put together, they are never searched for. A document that exceeds the
model's context is covered by overlapping windows, each with the question and the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from citewell.errors import BackendError, notes
from citewell.models.loading import Loaded, context_length
from citewell.models.offsets import Pairs, count_tokens, encode, inside
from citewell.types import Span

OVERLAP = 0.25  # of a window's document tokens that the next one shows again
MARGIN = 16  # tokens kept free, because a cut text is not always tokenized as it was inside the whole
MARK = "\ue000"  # stands for the document while a chat template is rendered


class Prompt(NamedTuple):
    """Token ids, and for the tokens of document and answer their positions and their offsets in document and answer."""

    ids: list[int]
    document: Pairs
    document_at: np.ndarray
    answer: Pairs
    answer_at: np.ndarray


class Frame(NamedTuple):
    """The text before the document, and the text between document and answer."""

    before: str
    between: str
    special: bool  # whether the tokenizer adds its special tokens: a chat template has written them itself


def frame(loaded: Loaded, question: str | None, wording: str | None = None) -> Frame:
    """How a prompt is worded for this model: in its chat template where it has one.

    `wording` has the gap {document} and perhaps {question}; without a question the line of its gap is left out.
    """
    question_line = f"\n\nQuestion: {question}" if question else ""
    content = f"Document:\n{MARK}\n\nAnswer in detail, from this document only.{question_line}\nAnswer:"
    if wording is not None:
        lines = [line for line in wording.split("\n") if question or "{question}" not in line]
        before, _, after = "\n".join(lines).partition("{document}")
        content = MARK.join(part.replace("{question}", question or "") for part in (before, after))
    if getattr(loaded.tokenizer, "chat_template", None):
        messages = [{"role": "user", "content": content}]
        rendered = loaded.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        before, _, between = rendered.partition(MARK)
        return Frame(before, between, special=False)
    before, _, between = content.partition(MARK)
    return Frame(before, between + " ", special=True)


def fitted_frame(loaded: Loaded, question: str | None, most: int, wording: str | None = None) -> tuple[Frame, int]:
    """The frame of prompts of at most `most` tokens, and its own tokens; a question that is too long is left out.

    Raises:
        BackendError: there is no room for anything else.
    """
    worded = frame(loaded, question, wording)
    fixed = count_tokens(loaded.tokenizer, worded.before + worded.between, special=worded.special)
    if fixed > most // 2 and question:
        notes.warn(f"the question is too long for the model's {most} tokens and was left out of the prompt")
        return fitted_frame(loaded, None, most, wording)
    if most - fixed < 4 * MARGIN:
        raise BackendError(
            f"a context of {most} tokens is too small for this method; take another model or raise limit"
        )
    return worded, fixed


def prompts(
    loaded: Loaded,
    text: str,
    answer: str,
    *,
    question: str | None,
    statements: Sequence[Span],
    limit: int | None,
    wording: str | None = None,
) -> Iterator[Prompt]:
    """Prompts that together show all of `text` with all of `answer`.

    Args:
        loaded: the model.
        text: of the documents.
        answer: whole.
        question: None where there is none.
        statements: where the answer may be cut, if it takes more than half of the model's context.
        limit: most tokens of a prompt, None for what the model takes.
        wording: as for `frame`.

    Raises:
        BackendError: the model's context is too small for any of this.
    """
    most = context_length(loaded, limit)
    worded, fixed = fitted_frame(loaded, question, most, wording)
    parts = answer_parts(loaded, answer, statements, (most - fixed) // 2)
    _, offsets = encode(loaded.tokenizer, text, special=False)
    count = 0
    for part in parts:
        statement = answer[part.start : part.end]
        room = most - fixed - count_tokens(loaded.tokenizer, statement, special=False) - MARGIN
        for window in windows(offsets, room):
            count += 1
            yield _prompt(loaded, worded, text, window, answer=answer, part=part, most=most)
    if count > 1:
        notes.warn(
            f"document and answer exceed the model's {most} tokens: they were shown in {count} overlapping windows"
        )


def windows(offsets: Pairs, room: int) -> list[Span]:
    """Ranges of a text of at most `room` tokens each that cover all tokens and overlap by a quarter."""
    if len(offsets) <= room:
        return [Span(0, int(offsets[-1, 1]) if len(offsets) else 0)]
    step = max(1, int(room * (1 - OVERLAP)))
    result = []
    for first in range(0, len(offsets), step):
        piece = offsets[first : first + room]
        real = piece[piece[:, 1] > piece[:, 0]]
        if len(real):
            result.append(Span(int(real[0, 0]), int(real[:, 1].max())))
        if first + room >= len(offsets):
            break
    return result


def answer_parts(loaded: Loaded, answer: str, statements: Sequence[Span], room: int) -> list[Span]:
    """Ranges of the answer of at most `room` tokens, cut between statements where that is possible."""
    _, offsets = encode(loaded.tokenizer, answer, special=False)
    if len(offsets) <= room:
        return [Span(0, len(answer))]
    ends = {span.end for span in statements}
    parts: list[Span] = []
    first, start = 0, 0
    while first < len(offsets):
        last = min(len(offsets), first + room)
        if last < len(offsets):
            cuts = [i for i in range(first + 1, last) if any(offsets[i - 1, 1] <= end <= offsets[i, 0] for end in ends)]
            last = cuts[-1] if cuts else last
        end = int(offsets[last, 0]) if last < len(offsets) else len(answer)
        if end > start:
            parts.append(Span(start, end))
            start = end
        first = last
    return parts


def alone(loaded: Loaded, text: str, limit: int | None) -> Iterator[tuple[list[int], Pairs, np.ndarray]]:
    """A text by itself, in overlapping windows where it exceeds the context: ids, offsets, positions of its tokens."""
    most = context_length(loaded, limit)
    ids, offsets = encode(loaded.tokenizer, text, special=True)
    if len(ids) <= most:
        at = inside(offsets, 0, len(text))
        yield ids, offsets[at], at
        return
    notes.warn(f"a text exceeds the model's {most} tokens: it was shown in overlapping windows")
    _, plain = encode(loaded.tokenizer, text, special=False)
    for start, end in windows(plain, most - MARGIN):
        ids, offsets = encode(loaded.tokenizer, text[start:end], special=True)
        at = inside(offsets, 0, end - start)
        at = at[at < most]
        yield ids[:most], offsets[at] + start, at


def _prompt(loaded: Loaded, worded: Frame, text: str, window: Span, *, answer: str, part: Span, most: int) -> Prompt:
    start, end = window
    while True:
        head = worded.before + text[start:end] + worded.between
        ids, offsets = encode(loaded.tokenizer, head + answer[part.start : part.end], special=worded.special)
        if len(ids) <= most or end - start <= 1:
            break
        end -= max(1, (end - start) * (len(ids) - most) // len(ids))  # rarely: the cut text has more tokens
    base = len(worded.before)
    document_at = inside(offsets, base, base + end - start)
    answer_at = inside(offsets, len(head), len(head) + part.end - part.start)
    return Prompt(
        ids,
        np.clip(offsets[document_at] - base, 0, end - start) + start,
        document_at,
        np.clip(offsets[answer_at] - len(head), 0, part.end - part.start) + part.start,
        answer_at,
    )
