"""The default attributor: for each statement the smallest set of segments that covers its words. No model, no network.

    from citewell import attribute, read
    attribute(read("report.pdf"), "Revenue rose to $5.9bn.", method="lexical(gain=0.1)")

Selection follows the optimal-selection idea of ADiOSAA (Sancheti et al. 2024, Algorithm 1) with coverage as the
score: take the segment that covers most, then the one that covers most of what is left, while that is worth it.
A span inside a statement is scored with the words of the whole statement around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.coverage import Claim, Cover, Matcher
from citewell.document import Document
from citewell.index import Floats, TermIndex, index
from citewell.types import Citation, Draft, Granularity, Span

CANDIDATES = 24  # segments that are compared word by word; more did not change any choice on the development data
TIE = 1e-4  # scores this close are equal: then the neighbourhood decides


@dataclass(frozen=True)
class Lexical:
    """Cover each statement with as few segments as it takes.

    Attributes:
        floor: the share of a statement's weight that the best segment must cover, else nothing is cited.
        gain: the share of the weight that each further segment must add.
        limit: the most segments for one statement, where `k` does not say.
    """

    floor: float = 0.3
    gain: float = 0.15
    limit: int = 5
    name: ClassVar[str] = "lexical"

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target of the draft (its statements where it has none), best first in each target.

        Scores are shares of coverage between 0 and 1, not probabilities.
        """
        unit: Granularity = "sentence" if granularity == "token" else granularity
        found = index(documents, unit)
        matcher = Matcher(found, draft.text)
        targets = draft.targets or draft.statements
        claims = [matcher.claim(_around(target, draft.statements), target) for target in targets]
        context = _context(matcher, draft)
        result: list[Citation] = []
        for target, claim, cover in zip(targets, claims, matcher.covers(claims), strict=True):
            chosen = self._select(matcher, claim, cover, context, k or self.limit)
            if granularity == "token":
                result.extend(_tokens(matcher, documents, claim, chosen))
            else:
                result.extend(_citation(found, documents, target, claim, pick) for pick in chosen)
        return tuple(result)

    def _select(self, matcher: Matcher, claim: Claim, cover: Cover, context: Floats, limit: int) -> list[Pick]:
        total = claim.total
        if not len(claim.starts) or total <= 0 or limit < 1:
            return []
        covered = np.zeros(len(claim.starts), dtype=bool)
        chosen: list[Pick] = []
        pool = _best(cover.statement + cover.span)
        while len(chosen) < limit and len(pool):
            rest = claim._replace(weights=np.where(covered, 0, claim.weights).astype(np.float32))
            aligned = matcher.alignment(claim, pool.tolist())
            gains = aligned.single @ rest.weights / total
            scores = aligned.score(claim) if not chosen else aligned.score(rest) * (rest.total / total)
            best = _first(scores, context[pool])
            if chosen:
                if gains[best] < self.gain:
                    break
            elif max(gains[best], cover.span[pool[best]]) < self.floor:
                break
            words = aligned.single[best]
            chosen.append(Pick(int(pool[best]), float(scores[best]), words, words & ~covered))
            covered |= words
            if rest.weights[~covered].sum() / total < self.gain:
                break
            rest = claim._replace(weights=np.where(covered, 0, claim.weights).astype(np.float32))
            pool = _best(matcher.covers([rest])[0].statement)
        return _needed(chosen, claim, self.gain)


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen segment: its score, the words of the claim that it has, and those that no earlier choice had."""

    segment: int
    score: float
    words: np.ndarray[tuple[int], np.dtype[np.bool_]]
    new: np.ndarray[tuple[int], np.dtype[np.bool_]]


def _around(target: Span, statements: Sequence[Span]) -> Span:
    """The statements that a target lies in, as one span; the target itself where it lies in none."""
    inside = [span for span in statements if span.start < target.end and target.start < span.end]
    return Span(min([target.start, *(s.start for s in inside)]), max([target.end, *(s.end for s in inside)]))


def _best(scores: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The positions of the highest scores above zero, in order of position."""
    if len(scores) > CANDIDATES:
        # Ties at the cut go to the earlier segments, so that the choice does not depend on the sort.
        cut = np.partition(scores, -CANDIDATES)[-CANDIDATES]
        above, equal = np.flatnonzero(scores > cut), np.flatnonzero(scores == cut)
        positions = np.sort(np.concatenate((above, equal[: CANDIDATES - len(above)])))
    else:
        positions = np.arange(len(scores))
    return positions[scores[positions] > 0]


def _first(scores: Floats, context: Floats) -> int:
    """The best score; among equals the one whose neighbourhood has most of the rest of the answer, then the first."""
    near = np.flatnonzero(scores >= scores.max() - TIE)
    return (
        int(near[np.lexsort((near, -scores[near], -np.round(context[near], 3)))[0]]) if len(near) > 1 else int(near[0])
    )


def _needed(chosen: list[Pick], claim: Claim, gain: float) -> list[Pick]:
    """Without the choices that later ones made superfluous: what a choice alone covers must be worth `gain`."""
    kept = list(chosen)
    for pick in chosen[:-1]:
        others = [other for other in kept if other is not pick]
        alone = pick.words.copy()
        for other in others:
            alone &= ~other.words
        if others and claim.weights[alone].sum() < gain * claim.total * 0.5:
            kept.remove(pick)
    return kept


def _context(matcher: Matcher, draft: Draft) -> Floats:
    """For each segment, how much of the whole answer stands in it and its two neighbours on each side."""
    whole = matcher.claim(Span(0, len(draft.text)))
    own = matcher.covers([whole])[0].statement
    padded = np.concatenate((np.zeros(2), own, np.zeros(2)))
    near = sum(padded[shift : shift + len(own)] for shift in range(5))
    return np.asarray(near, dtype=np.float32)


def _citation(found: TermIndex, documents: Sequence[Document], target: Span, claim: Claim, pick: Pick) -> Citation:
    segment = found.segments[pick.segment]
    words = pick.new & claim.inside if (pick.new & claim.inside).any() else pick.words & claim.inside
    start = max(target.start, int(claim.starts[words].min())) if words.any() else target.start
    end = min(target.end, int(claim.ends[words].max())) if words.any() else target.end
    return Citation(
        document_id=documents[int(found.documents[pick.segment])].id,
        segment_id=segment.id,
        granularity=segment.granularity,
        quote=segment.text,
        start=segment.start,
        end=segment.end,
        answer_start=start,
        answer_end=end,
        score=min(1.0, pick.score),
        method=Lexical.name,
    )


def _tokens(
    matcher: Matcher, documents: Sequence[Document], claim: Claim, chosen: Sequence[Pick]
) -> Iterator[Citation]:
    """Runs of words of the answer that stand in the chosen segments in the same order, each with its exact place."""
    found = matcher.index
    for pick in chosen:
        where = found.words_of(pick.segment)
        source = matcher.to_local[found.word_terms[where]].tolist()
        segment = found.segments[pick.segment]
        document = documents[int(found.documents[pick.segment])]
        wanted = [
            term if use else -2
            for term, use in zip(claim.local.tolist(), (pick.new & claim.inside).tolist(), strict=True)
        ]
        for begin, place, length in _runs(wanted, source):
            first, last = where.start + place, where.start + place + length - 1
            start, end = int(found.word_starts[first]), int(found.word_ends[last])
            yield Citation(
                document_id=document.id,
                segment_id=segment.id,
                granularity="token",
                quote=document.text[start:end],
                start=start,
                end=end,
                answer_start=int(claim.starts[begin]),
                answer_end=int(claim.ends[begin + length - 1]),
                score=min(1.0, pick.score),
                method=Lexical.name,
            )


def _runs(wanted: Sequence[int], source: Sequence[int]) -> list[tuple[int, int, int]]:
    """Common runs, longest first, no word of `wanted` twice: (position in wanted, position in source, length), in order."""
    places: dict[int, list[int]] = {}
    for place, term in enumerate(source):
        places.setdefault(term, []).append(place)
    found: list[tuple[int, int, int]] = []
    for begin, term in enumerate(wanted):
        for place in places.get(term, ()) if term >= 0 else ():
            length = 1
            while (
                begin + length < len(wanted)
                and place + length < len(source)
                and wanted[begin + length] == source[place + length] >= 0
            ):
                length += 1
            found.append((begin, place, length))
    taken: set[int] = set()
    result = []
    for begin, place, length in sorted(found, key=lambda run: (-run[2], run[0], run[1])):
        if not taken.intersection(range(begin, begin + length)):
            taken.update(range(begin, begin + length))
            result.append((begin, place, length))
    return sorted(result)
