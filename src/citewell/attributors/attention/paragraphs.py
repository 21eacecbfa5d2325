"""The prompt of in-context reranking: numbered paragraphs, an instruction and a query, with their positions.

Source: Chen, Gutiérrez and Su, Attention in Large Language Models Yields Efficient Zero-Shot Re-Rankers (2024), and
the code that they published (OSU-NLP-Group/In-Context-Reranking). The wording is theirs, since attention depends on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError, notes
from citewell.llm.chat import rendered
from citewell.models.loading import Loaded, context_length
from citewell.models.offsets import encode, inside
from citewell.protocols import Message
from citewell.text import untrusted
from citewell.types import Span

Positions = npt.NDArray[np.intp]
Instruction = Literal["answer", "find"]
NOTHING = "N/A"  # the query that asks for nothing, by which attention that any query would give is told

_MARK = "\ue000"  # stands for the content while a chat template is rendered
_GAP = "\n\n"
_FIRST = "Here are some paragraphs:"
_LATE: dict[str, str] = {
    "answer": "Please answer the following question based on the information in the paragraphs above.",
    "find": "Please find information that are relevant to the following query in the paragraphs above.",
}
_MARGIN = 16  # tokens kept free, because a text is not always tokenized as its parts are


def wording() -> str:
    """A hash of the prompt's words: what was chosen or learned with other words may not fit."""
    return hashlib.sha256("\0".join((_FIRST, *_LATE.values(), _GAP, NOTHING)).encode()).hexdigest()[:16]


class Piece(NamedTuple):
    """A part of a paragraph's text, the whole of it where the model's context has room."""

    owner: int
    text: str


class Layout(NamedTuple):
    """A prompt: its token ids, the tokens of each piece with its number, and those from the late instruction on."""

    ids: list[int]
    pieces: tuple[Positions, ...]
    query: Positions


class Paragraphs:
    """Texts as the paragraphs of prompts for one model."""

    def __init__(self, loaded: Loaded, texts: Sequence[str], instruction: Instruction, limit: int | None) -> None:
        """Prompts of at most `limit` tokens, or of what the model takes."""
        self._loaded, self._late = loaded, _LATE[instruction]
        self._most = context_length(loaded, limit)
        texts = [untrusted.neutral(text, loaded.tokenizer.all_special_tokens) for text in texts]
        self._texts = texts
        self._sizes = [self._count(f"[{number}] {text}{_GAP}") for number, text in enumerate(texts, start=1)]
        around = rendered(loaded.tokenizer, "causal", [Message("user", _MARK)])
        self._special = around.special
        self._before, _, self._after = around.text.partition(_MARK)
        self._fixed = self._count(_FIRST + self._late + self._before + self._after + "Query:" + 2 * _GAP)

    def windows(self, query: str) -> tuple[tuple[Piece, ...], ...]:
        """The texts in order, as many at once as fit beside a query; one alone that is too long is cut.

        Raises:
            BackendError: the model's context is too small for a paragraph.
        """
        room = self._most - self._fixed - self._count(query) - _MARGIN
        if room < 2 * _MARGIN:
            raise BackendError(
                f"a context of {self._most} tokens is too small for this method; take another model or raise limit"
            )
        result: list[tuple[Piece, ...]] = []
        waiting: list[Piece] = []
        used = 0
        for owner, (text, size) in enumerate(zip(self._texts, self._sizes, strict=True)):
            for piece, length in self._cut(owner, text, size, room):
                if waiting and used + length > room:
                    result.append(tuple(waiting))
                    waiting, used = [], 0
                waiting.append(piece)
                used += length
        if waiting:
            result.append(tuple(waiting))
        if len(result) > 1:
            notes.warn(
                f"the paragraphs exceed the model's {self._most} tokens: they were shown in {len(result)} prompts, and"
                " attention is not quite comparable between them"
            )
        return tuple(result)

    def cut_query(self, query: str) -> str:
        """A query of at most a quarter of the context, the end of a longer one left out and told."""
        _, offsets = encode(self._loaded.tokenizer, query, special=False)
        room = self._most // 4
        if len(offsets) <= room:
            return query
        notes.warn(f"a query exceeds a quarter of the model's {self._most} tokens: its end was left out")
        return query[: int(offsets[:room, 1].max())]

    def layout(self, window: Sequence[Piece], query: str) -> Layout:
        """The prompt of some pieces and a query."""
        text = self._before + _FIRST
        spans = []
        for number, piece in enumerate(window, start=1):
            start = len(text) + len(_GAP)
            text += f"{_GAP}[{number}] {piece.text}"
            spans.append(Span(start, len(text)))
        query_start = len(text) + len(_GAP)
        text += f"{_GAP}{self._late}{_GAP}Query: {query.strip()}{self._after}"
        ids, offsets = encode(self._loaded.tokenizer, text, special=self._special)
        first = int(inside(offsets, query_start, len(text))[0])
        # From the first to the last of its tokens, those of white space between them included.
        ends = [inside(offsets, *span)[[0, -1]] for span in spans]
        pieces = tuple(np.arange(start, min(last + 1, first)) for start, last in ends)
        return Layout(ids, pieces, np.arange(first, len(ids)))

    def _cut(self, owner: int, text: str, size: int, room: int) -> list[tuple[Piece, int]]:
        if size <= room:
            return [(Piece(owner, text), size)]
        _, offsets = encode(self._loaded.tokenizer, text, special=False)
        ends = np.maximum.accumulate(offsets[:, 1])  # white space has no offsets of its own
        starts = [int(ends[first - 1]) if first else 0 for first in range(0, len(offsets), room - _MARGIN)]
        parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
        return [(Piece(owner, part), room) for part in parts if part.strip()]

    def _count(self, text: str) -> int:
        return len(encode(self._loaded.tokenizer, text, special=False)[0])
