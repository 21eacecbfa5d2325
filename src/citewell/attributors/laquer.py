"""LAQuer: a language model decontextualises a part of an answer and copies the supporting spans of the sources.

Source: Hirsch et al., LAQuer: Localized Attribution Queries in Content-grounded Generation (ACL 2025, arXiv 2506.01187;
code eranhirs/LAQuer, without a licence: the definition is taken, the wording of the prompts is ours). What is asked for
is freed of its context first; the model copies spans between semicolons; each is looked for as it stands, else by its
words; where none is found, what a coarser attributor cited stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell import registry
from citewell.attributors.llm_marks import Mark, realign
from citewell.attributors.passages import Place, ReadsPassages, numbered, passages
from citewell.attributors.targets import EXACT, targets
from citewell.document import Document
from citewell.errors import notes
from citewell.llm.asking import complete_all
from citewell.llm.prompts import Prompt, builtin
from citewell.protocols import Completion
from citewell.text import quotes
from citewell.text.spans import owns
from citewell.text.tokens import estimate
from citewell.types import Citation, Draft, Granularity, Span

_BETWEEN = re.compile(r"[;\n]")
_NUMBER = re.compile(r"\A\[\d{1,5}\]")  # of a passage, which the model was told to leave out
_AROUND = " \t\r\"'“”„‘’«»`-*•"
_FEW = 4  # words of a span, below which half of them stand together by chance
_LONGEST = 4  # parts between semicolons that may be one span with semicolons of its own


Stand = tuple[Place, Span]  # a passage, and where in it (or in its document) something stands


@dataclass(frozen=True, kw_only=True)
class LAQuer(ReadsPassages):
    """Cite the spans that a language model copies from the sources for a part of an answer.

    Attributes:
        base: the spec of an attributor whose citations of a target are all that is looked through; where no span is
            found they stay. None looks through all passages, or those that fit.
        pool: how many of its citations.
        standalone: whether each target is rewritten first so that it can be understood without its answer.
    """

    base: str | None = None
    pool: int = 10
    standalone: bool = True
    name: ClassVar[str] = "laquer"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pool < 1:
            raise ValueError("pool is at least 1")

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the model is asked with, for the record of a run."""
        names = ("standalone", "spans") if self.standalone else ("spans",)
        return tuple(builtin("citewell.attributors", name) for name in names)

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """The spans that were copied, as they stand at `token` and `window`; else the segments in which they lie.

        They come in the order of the reply, each with the score 1. What is no part of a passage is noted as a warning.

        Raises:
            BackendError: the model cannot be used, or refuses.
        """
        wanted = targets(draft)
        unit: Granularity = "paragraph" if granularity in EXACT else granularity
        every = passages(documents, unit)
        if not wanted or not every:
            return ()
        coarse = self._coarse(draft, documents, unit, wanted, every)
        candidates = coarse or [self.fitting(draft, wanted, every)] * len(wanted)
        answerable = [number for number, places in enumerate(candidates) if places]
        standalone = dict(zip(answerable, self._alone(draft, [wanted[number] for number in answerable]), strict=True))
        spans = self.prompts[-1]
        replies = complete_all(
            self.model,
            [
                spans.request(
                    512, passages=numbered(candidates[number]), statement=" ".join(standalone[number].split())
                )
                for number in answerable
            ],
        )
        result: list[Citation] = []
        for number, reply in zip(answerable, replies, strict=True):
            cited = list(self._cited(_located(reply, candidates[number]), wanted[number], granularity))
            if not cited and coarse:
                notes.warn(f"no span was found for {_short(standalone[number])}: what {self.base} cites stays")
                cited = [self._cite(place, _whole(place), wanted[number], unit) for place in candidates[number]]
            result += cited[:k]
        return tuple(result)

    def _coarse(
        self,
        draft: Draft,
        documents: Sequence[Document],
        unit: Granularity,
        wanted: Sequence[Span],
        every: Sequence[Place],
    ) -> list[list[Place]]:
        """For each target the passages that the coarser attributor cites; nothing without one."""
        if self.base is None:
            return []
        cited = registry.build("attributor", self.base).attribute(draft, documents, unit, self.pool)
        places = {(place.document.id, place.segment.start): place for place in every}
        result = []
        for target in wanted:
            keys = dict.fromkeys(
                (citation.document_id, citation.start) for citation in cited if owns(target, citation.answer_start)
            )
            result.append([places[key] for key in keys if key in places])
        return result

    def _alone(self, draft: Draft, wanted: Sequence[Span]) -> list[str]:
        """Each target so that it can be understood without its answer."""
        words = [draft.text[target.start : target.end] for target in wanted]
        if not self.standalone:
            return words
        question = (draft.question or "").strip() or "(none is given)"
        requests = [
            self.prompts[0].request(2 * estimate(part) + 128, question=question, answer=draft.text, part=part)
            for part in words
        ]
        replies = complete_all(self.model, requests)
        return [reply.text.strip() or part for reply, part in zip(replies, words, strict=True)]

    def _cited(self, stands: Sequence[Stand], target: Span, granularity: Granularity) -> Iterator[Citation]:
        if granularity in EXACT:
            for place, at in dict.fromkeys(stands):
                yield self._cite(place, at, target, granularity)
        else:
            for place in dict.fromkeys(place for place, _ in stands):
                yield self._cite(place, _whole(place), target, granularity)

    def _cite(self, place: Place, at: Span, target: Span, granularity: Granularity) -> Citation:
        return place.document.cite(at, place.segment.id, target, granularity=granularity, score=1.0, method=self.name)


def _located(reply: Completion, places: Sequence[Place]) -> list[Stand]:
    """Where the spans of a reply stand in its passages."""
    if reply.finish == "refused":
        notes.warn("the model refused to attribute a statement")
    pieces = [_NUMBER.sub("", piece.strip(_AROUND)).strip(_AROUND) for piece in _BETWEEN.split(reply.text)]
    pieces = [piece for piece in pieces if piece]
    if [piece.casefold().rstrip(".") for piece in pieces] == ["none"]:
        return []
    compact = [_letters(place) for place in places]
    result: list[Stand] = []
    exact: Stand | None
    first = 0
    while first < len(pieces):
        # A span may have semicolons of its own: the most parts that stand together in a passage are one.
        for last in range(min(len(pieces), first + _LONGEST), first + 1, -1):
            quote = "; ".join(pieces[first:last])
            place = next((place for place in places if quote in place.segment.text), None)
            if place is not None:
                start = place.segment.text.index(quote)
                exact = place, Span(start, start + len(quote))
                break
        else:
            last = first + 1
            stands = (
                (place, quotes.find(place.segment.text, letters, pieces[first]))
                for place, letters in zip(places, compact, strict=True)
            )
            exact = next(((place, Span(*at)) for place, at in stands if at), None) or _nearly(pieces[first], places)
        if exact:
            place, at = exact
            result.append((place, Span(place.segment.start + at.start, place.segment.start + at.end)))
        else:
            notes.warn(f"the model copied text that is in no passage: {_short(pieces[first])}; it was left out")
        first = last
    return result


def _letters(place: Place) -> quotes.Letters:
    """The letters of a passage, kept with its document: each target of an answer looks through the same passages."""
    segment = place.segment
    return place.document.memo(("letters", segment.start, segment.end), lambda: quotes.letters(segment.text))


def _nearly(piece: str, places: Sequence[Place]) -> Stand | None:
    """Where most words of a span stand close together; a short one is the model's own where it is not copied."""
    if len(piece.split()) < _FEW:
        return None
    for place in places:
        marks, _ = realign(piece, [Mark(0, len(piece), ())], place.segment.text)
        if marks:
            return place, Span(marks[0].start, marks[0].end)
    return None


def _whole(place: Place) -> Span:
    return Span(place.segment.start, place.segment.end)


def _short(words: str) -> str:
    return repr(" ".join(words.split())[:60])
