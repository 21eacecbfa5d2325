"""The numbered passages in a language model's attribution prompt, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.errors import notes
from citewell.llm.asking import AsksModel
from citewell.text.tokens import estimate
from citewell.types import Draft, Granularity, Segment, Span

OVERHEAD = 6  # tokens of a passage's number, its brackets and the line break


class Place(NamedTuple):
    """A passage that can be cited."""

    document: Document
    segment: Segment


@dataclass(frozen=True, kw_only=True)
class ReadsPassages(AsksModel):
    """Shows passages to a language model.

    Attributes:
        room: most tokens of passages in a request, by the model's count or an estimate; of longer documents the
            model sees what the retriever ranks best for the targets, in document order.
        retriever: the spec of that retriever.
    """

    room: int = 12_000
    retriever: str = "bm25"

    def __post_init__(self) -> None:
        if self.room < 1:
            raise ValueError("room is at least 1")

    def fitting(self, draft: Draft, wanted: Sequence[Span], every: Sequence[Place]) -> list[Place]:
        """All places if they fit, otherwise the best of each target in turn until the room is full."""
        count = getattr(self.model, "count_tokens", estimate)
        sizes = [count(place.segment.text) + OVERHEAD for place in every]
        if sum(sizes) <= self.room:
            return list(every)
        retriever, segments = registry.build("retriever", self.retriever), [place.segment for place in every]
        rankings = [[hit.position for hit in retriever.rank(draft.text[start:end], segments)] for start, end in wanted]
        depth = max(map(len, rankings), default=0)
        order = [ranking[n] for n in range(depth) for ranking in rankings if n < len(ranking)]
        chosen: set[int] = set()
        total = 0
        for position in dict.fromkeys((*order, *range(len(every)))):
            if total + sizes[position] <= self.room or not chosen:
                chosen.add(position)
                total += sizes[position]
        notes.warn(
            f"the model was shown {len(chosen)} of {len(every)} passages, chosen by {self.retriever}: "
            f"more do not fit into {self.room} tokens"
        )
        return [every[position] for position in sorted(chosen)]


def passages(documents: Sequence[Document], unit: Granularity) -> list[Place]:
    """All segments of some documents."""
    return [Place(document, segment) for document in documents for segment in document.segments(unit)]


def numbered(places: Sequence[Place]) -> str:
    """Passages as a model is shown them: each on a line with its number, below the title of its document."""
    parts: list[str] = []
    title: str | None = None
    for number, place in enumerate(places, 1):
        if place.document.title and place.document.title != title:
            parts.append(f"From: {place.document.title}")
        title = place.document.title
        parts.append(f"[{number}] {' '.join(place.segment.text.split())}")
    return "\n".join(parts)
