"""A document as numbered sources in a prompt with question and answer; any source can be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.attributors.places import GAP, Place, Positions
from citewell.attributors.prompts import MARGIN, Frame, answer_parts, fitted_frame
from citewell.attributors.targets import statements
from citewell.document import Document
from citewell.errors import notes
from citewell.models.loading import Loaded, context_length
from citewell.models.offsets import Pairs, encode, inside
from citewell.types import Draft, Span

Flags = npt.NDArray[np.bool_]


class PromptTokens(NamedTuple):
    """A prompt: its tokens, whose each is (a source's number, -1 nobody's), and where the answer's tokens stand."""

    ids: list[int]
    owners: Positions
    answer_at: Positions


@dataclass(frozen=True)
class Context:
    """Some sources that fit into a prompt with (a part of) an answer.

    Attributes:
        first: the number of the first source among all.
        spans: where the sources stand in `text`, in order.
        answer: token ids of the part of the answer, the same in every prompt, and their offsets in the whole answer.
    """

    loaded: Loaded
    worded: Frame
    text: str
    first: int
    spans: tuple[Span, ...]
    part: str
    ids: tuple[int, ...]
    offsets: Pairs

    @property
    def there(self) -> slice:
        """Where the sources stand among all."""
        return slice(self.first, self.first + len(self.spans))

    def prompt(self, kept: Flags | None = None) -> PromptTokens:
        """The prompt with all sources, or with those that are kept; what stands before a source goes with it."""
        text, ends = self.worded.before, []
        starts = []
        last = self.spans[0].start
        for number, span in enumerate(self.spans):
            if kept is None or kept[number]:
                starts.append(len(text) + span.start - last)
                text += self.text[last : span.end]
                ends.append(len(text))
            last = span.end
        head = text + self.worded.between
        ids, offsets = encode(self.loaded.tokenizer, head + self.part, special=self.worded.special)
        at = int(inside(offsets, len(head), len(head) + len(self.part))[0])
        owners = np.full(at + len(self.ids), -1, dtype=np.intp)
        numbers = np.arange(len(self.spans)) if kept is None else np.flatnonzero(kept)
        for number, start, end in zip(numbers.tolist(), starts, ends, strict=True):
            positions = inside(offsets[:at], start, end)
            owners[positions[owners[positions] < 0]] = number
        return PromptTokens([*ids[:at], *self.ids], owners, np.arange(at, at + len(self.ids)))

    def of(self, span: Span) -> Positions:
        """Which of the answer's tokens hold something of a span of the answer."""
        return inside(self.offsets, span.start, span.end)


def contexts(
    loaded: Loaded, draft: Draft, documents: Sequence[Document], places: Sequence[Place], limit: int | None
) -> list[Context]:
    """Prompts that together show every source with all of the answer; one where the model's context has room.

    Raises:
        BackendError: the model's context is too small for this.
    """
    most = context_length(loaded, limit)
    text = GAP.join(document.text for document in documents)
    worded, fixed = fitted_frame(loaded, draft.question, most)
    offsets = encode(loaded.tokenizer, text, special=False)[1]
    result: list[Context] = []
    for part in answer_parts(loaded, draft.text, statements(draft), (most - fixed) // 2):
        answer = draft.text[part.start : part.end]
        ids, at = _answer(loaded, worded, answer)
        if len(ids):
            room = max(MARGIN, most - fixed - len(ids) - 2 * MARGIN)  # a source has some of the smallest context
            for first, spans in _windows(offsets, places, room):
                result.append(Context(loaded, worded, text, first, spans, answer, ids, at + part.start))
    if len(result) > 1:
        notes.warn(
            f"sources and answer exceed the model's {most} tokens: they were shown in {len(result)} prompts, and each"
            " source is compared with those beside it"
        )
    return result


def _answer(loaded: Loaded, worded: Frame, answer: str) -> tuple[tuple[int, ...], Pairs]:
    """The tokens of an answer as they follow the prompt, and their offsets in it."""
    before = len(worded.between)
    ids, offsets = encode(loaded.tokenizer, worded.between + answer, special=False)
    at = inside(offsets, before, before + len(answer))
    if not len(at):
        return (), np.zeros((0, 2), dtype=np.int64)
    tokens = slice(int(at[0]), int(at[-1]) + 1)
    return tuple(ids[tokens]), np.clip(offsets[tokens] - before, 0, len(answer))


def _windows(offsets: Pairs, places: Sequence[Place], room: int) -> list[tuple[int, tuple[Span, ...]]]:
    """Runs of sources of at most so many tokens, each with the number of its first; the end of a longer one is cut."""
    ends = np.maximum.accumulate(offsets[:, 1]) if len(offsets) else np.zeros(0, dtype=np.int64)
    counts = np.searchsorted(ends, [place.end for place in places], side="left") + 1
    result: list[tuple[int, tuple[Span, ...]]] = []
    spans: list[Span] = []
    begun = before = 0
    for number, (place, count) in enumerate(zip(places, counts.tolist(), strict=True)):
        if spans and count - begun > room:
            result.append((number - len(spans), tuple(spans)))
            spans, begun = [], before
        end = place.end
        if count - begun > room:
            notes.warn(f"a source of {count - begun} tokens is longer than the model's context: its end was left out")
            end = max(place.start + 1, int(ends[begun + room - 1]))
        spans.append(Span(place.start, end))
        before = count
    if spans:
        result.append((len(places) - len(spans), tuple(spans)))
    return result
