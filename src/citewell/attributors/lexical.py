"""The default attributor: the smallest set of segments that covers a statement's words. No model, no network.

    from citewell import attribute, read
    attribute(read("report.pdf"), "Revenue rose to $5.9bn.", method="lexical(gain=0.1)")

Selection follows the optimal-selection idea of ADiOSAA (Sancheti et al. 2024, Algorithm 1) with coverage as the
score: take the segment that covers most, then the one that covers most of what is left, while that is worth it.
A span inside a statement is scored with the words of the whole statement around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.attributors.targets import EXACT, statements, targets, unit_of
from citewell.document import Document
from citewell.text import spans
from citewell.text.coverage import Claim, Cover, Flags, Kin, Matcher, highest
from citewell.text.data import settings
from citewell.text.index import Floats, TermIndex, index
from citewell.text.words import Ints
from citewell.types import Citation, Draft, Granularity, Span

CANDIDATES = 24  # segments that are compared word by word; more did not change any choice on the development data
TIE = 1e-4  # scores this close are equal: then the neighbourhood decides


@dataclass(frozen=True)
class Lexical:
    """Covers each statement with as few segments as possible.

    Attributes:
        floor: the share of a statement's weight that the best segment must cover; otherwise nothing is cited.
        gain: the share of the weight that each further segment must add.
        limit: the maximum number of segments per statement, unless `k` is set.
    """

    floor: float = 0.15
    gain: float = 0.12
    limit: int = 5
    name: ClassVar[str] = "lexical"

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target of the draft (by default its statements), best first for each target.

        Scores are shares of coverage between 0 and 1, not probabilities; scores of tokens are the probability that the
        words were copied.
        """
        wanted = targets(draft)
        if not wanted or not documents:
            return ()
        unit = unit_of(granularity)
        terms = index(documents, unit)
        matcher = Matcher(terms, draft.text)
        around = statements(draft)
        claims = [matcher.claim(spans.around(around, target), target) for target in wanted]
        result: list[Citation] = []
        known: dict[tuple[bytes, bytes], list[Pick]] = {}  # what is said twice is looked for once
        limit = self.limit if k is None else k
        for target, claim in zip(wanted, claims, strict=True):
            key = claim.local.tobytes(), claim.inside.tobytes()
            if key not in known:
                implied = _implied(matcher, claim, documents)
                known[key] = self._select(matcher, claim, matcher.cover(claim), limit, implied)
            chosen = known[key]
            if granularity in EXACT:
                runs = sorted(_tokens(matcher, documents, claim, chosen, granularity), key=lambda run: -run.score)
                result.extend(runs[:k])
                continue
            cells = _cells(matcher, documents, target, claim, chosen)[:limit] if unit == "sentence" else ()
            result.extend(cells or (_citation(terms, documents, target, claim, pick) for pick in chosen))
        return tuple(result)

    def _select(self, matcher: Matcher, claim: Claim, cover: Cover, limit: int, implied: Flags) -> list[Pick]:
        total = claim.total
        if not len(claim.starts) or total <= 0 or limit < 1:
            return []
        covered = implied.copy()
        chosen: list[Pick] = []
        pool = highest(cover.statement + cover.span, CANDIDATES)
        kin = self._kin(matcher, claim, pool)
        if kin:
            more = matcher.cover_kin(claim, kin)
            cover = Cover(cover.statement + more.statement, cover.span + more.span)
            pool = highest(cover.statement + cover.span, CANDIDATES)
        while len(chosen) < limit and len(pool):
            rest = claim._replace(weights=np.where(covered, 0, claim.weights).astype(np.float32))
            aligned = matcher.alignment(claim, pool.tolist()).with_kin(kin)
            gains = aligned.covered(rest.weights) / total
            scores = aligned.score(claim) if not chosen else aligned.score(rest) * (rest.total / total)
            best = _first(scores, pool, matcher, claim)
            if chosen:
                if gains[best] < self.gain or not _says_more(aligned.matched[best] & ~covered, claim):
                    break
            elif max(gains[best], cover.span[pool[best]]) < self.floor:
                break
            words = aligned.matched[best]
            if not (words & claim.content).any():
                break  # function words alone are no evidence
            chosen.append(Pick(int(pool[best]), float(scores[best]), words, words & ~covered))
            covered |= aligned.single[best]
            kin = ()  # further segments are chosen by their own words: what else they may say is too often chance
            if rest.weights[~covered].sum() / total < self.gain:
                break
            rest = claim._replace(weights=np.where(covered, 0, claim.weights).astype(np.float32))
            pool = highest(matcher.cover(rest).statement, CANDIDATES)
        return _needed(chosen, claim, self.gain)

    def _kin(self, matcher: Matcher, claim: Claim, pool: Ints) -> tuple[Kin, ...]:
        """What may be said otherwise; nothing where the best segment lacks less than `gain`."""
        if matcher.index.code != "en":
            return ()
        if len(pool):
            aligned = matcher.alignment(claim, pool.tolist())
            best = aligned.single[int(np.argmax(aligned.score(claim)))]
            if claim.weights[~best].sum() < self.gain * claim.total:
                return ()
        return matcher.kin(claim, _relatives(matcher, claim))


def _relatives(matcher: Matcher, claim: Claim) -> Mapping[int, Ints]:
    """For the content words of a claim, by their position, the ids of the terms that may stand for them."""
    from citewell.facts import relatives  # who only quotes needs no facts

    terms = matcher.index
    result: dict[int, Ints] = {}
    for word in np.flatnonzero(claim.content & ~claim.numbers).tolist():
        lower = matcher.text[claim.starts[word] : claim.ends[word]].lower().replace("\u2019", "'").removesuffix("'s")
        known = [terms.term_ids[term] for term in relatives.of_word(lower) if term in terms.term_ids]
        if known:
            result[word] = np.array(known, dtype=np.int32)
    first, last = int(claim.starts[0]), int(claim.ends[-1])
    for start, end, ids in relatives.of_facts(matcher.text[first:last], terms.numerals, terms.term_ids):
        within = (claim.starts < first + end) & (claim.ends > first + start)
        for word in np.flatnonzero(claim.content & within).tolist():
            others = ids[ids != matcher.terms[claim.local[word]]]
            result[word] = np.union1d(result[word], others) if word in result else others
    return {word: ids for word, ids in result.items() if len(ids)}


def _cells(
    matcher: Matcher, documents: Sequence[Document], target: Span, claim: Claim, chosen: Sequence[Pick]
) -> tuple[Citation, ...]:
    """The cells that tell the figures of a statement, unless a sentence outside tables has all its words."""
    from citewell.facts.tables.evidence import cited, in_table, look_up

    lacking, in_prose = claim.content, False
    for pick in chosen[:1]:
        lacking = lacking & ~pick.words & ~_implied(matcher, claim, documents)
        document = documents[int(matcher.index.documents[pick.segment])]
        in_prose = not in_table(document, matcher.index.segments[pick.segment])
    if in_prose and not lacking.any():
        return ()
    text = matcher.text[int(claim.starts[0]) : int(claim.ends[-1])] if len(claim.starts) else ""
    lookup = look_up(text, documents) if text else None
    if lookup is None:
        return ()
    if in_prose and (lookup.unsaid or lookup.points) and claim.numbers.any() and not (lacking & claim.numbers).any():
        words = int(lacking.sum())
        if words < len(lookup.unsaid) or (lookup.points and words <= 1):
            return ()  # a sentence with the same figures says more of it
    return cited(lookup, documents, target, 1.0, Lexical.name)


def _implied(matcher: Matcher, claim: Claim, documents: Sequence[Document]) -> Flags:
    """The words of a claim that name who writes the documents: they say "we", "the Company" or nothing for it."""
    from citewell.facts.filer import speaker
    from citewell.facts.names import written

    speakers = frozenset[str]().union(*map(speaker, documents))
    bounds = zip(claim.starts.tolist(), claim.ends.tolist(), strict=True)
    return np.array(written(matcher.text, bounds, speakers), dtype=bool)


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen segment: its score, the words of the claim that it has, and those that no earlier choice had."""

    segment: int
    score: float
    words: Flags
    new: Flags


def _first(scores: Floats, pool: Ints, matcher: Matcher, claim: Claim) -> int:
    """The best score; among equals the one whose neighbourhood has most of the rest of the answer, then the first."""
    near = np.flatnonzero(scores >= scores.max() - TIE)
    if len(near) == 1:
        return int(near[0])
    around = np.pad(matcher.cover_rest(claim), 2)
    context = [float(around[place : place + 5].sum()) for place in pool[near].tolist()]
    return int(near[int(np.argmax(np.round(context, 3)))])


def _says_more(new: Flags, claim: Claim) -> bool:
    """A single further word is no reason to cite a further segment, unless it is a number."""
    return int((new & claim.content).sum()) > 1 or bool((new & claim.numbers).any())


def _needed(chosen: list[Pick], claim: Claim, gain: float) -> list[Pick]:
    """Without the choices that later ones made superfluous: what a choice alone covers must be worth `gain`."""
    kept = list(chosen)
    for pick in chosen[:-1]:
        others = [other for other in kept if other is not pick]
        alone = pick.words.copy()
        for other in others:
            alone &= ~other.words
        if others and claim.weights[alone].sum() < _weights()["superfluous"] * gain * claim.total:
            kept.remove(pick)
    return kept


def _citation(terms: TermIndex, documents: Sequence[Document], target: Span, claim: Claim, pick: Pick) -> Citation:
    segment = terms.segments[pick.segment]
    words = pick.new & claim.inside if (pick.new & claim.inside).any() else pick.words & claim.inside
    start = max(target.start, int(claim.starts[words].min())) if words.any() else target.start
    end = min(target.end, int(claim.ends[words].max())) if words.any() else target.end
    return Citation.of(
        segment, documents[int(terms.documents[pick.segment])].id, Span(start, end), min(1.0, pick.score), Lexical.name
    )


def _tokens(
    matcher: Matcher,
    documents: Sequence[Document],
    claim: Claim,
    chosen: Sequence[Pick],
    granularity: Granularity,
) -> Iterator[Citation]:
    """Runs of words of the answer that stand in the chosen segments in the same order, each with its exact place."""
    terms = matcher.index
    wanted = [term if use else -2 for term, use in zip(claim.local.tolist(), claim.inside.tolist(), strict=True)]
    runs: list[tuple[int, int, int, int]] = []
    for number, pick in enumerate(chosen):
        source = matcher.to_local[terms.word_terms[terms.words_of(pick.segment)]].tolist()
        runs.extend((begin, number, place, length) for begin, place, length in _runs(wanted, source))
    for begin, number, place, length in _longest(runs):
        pick = chosen[number]
        segment, document = terms.segments[pick.segment], documents[int(terms.documents[pick.segment])]
        first = terms.words_of(pick.segment).start + place
        start, end = int(terms.word_starts[first]), int(terms.word_ends[first + length - 1])
        target = Span(int(claim.starts[begin]), int(claim.ends[begin + length - 1]))
        at, score = Span(start, end), _copied(length, pick.score)
        yield document.cite(at, segment.id, target, granularity=granularity, score=score, method=Lexical.name)


def _copied(length: int, score: float) -> float:
    """The probability that a run of so many words was copied from a segment with this score.

    A logistic model fitted on the marks of VERI-GRAN dev and QuoteSum dev: single words seldom are, five mostly.
    """
    fitted = _weights()
    odds = fitted["copied_constant"] + fitted["copied_length"] * math.log(length) + fitted["copied_score"] * score
    return 1 / (1 + math.exp(-odds))


def _weights() -> Mapping[str, float]:
    return settings("citewell.attributors", "lexical.json")


def _runs(wanted: Sequence[int], source: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Every common run that cannot grow to the right: (place in wanted, place in source, length)."""
    places: dict[int, list[int]] = {}
    for place, term in enumerate(source):
        places.setdefault(term, []).append(place)
    for begin, term in enumerate(wanted):
        for place in places.get(term, ()) if term >= 0 else ():
            length = 1
            while (
                begin + length < len(wanted)
                and place + length < len(source)
                and wanted[begin + length] == source[place + length] >= 0
            ):
                length += 1
            yield begin, place, length


def _longest(runs: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The longest runs first, no word of the answer twice; given back in the order of the answer."""
    taken: set[int] = set()
    kept = []
    for run in sorted(runs, key=lambda run: (-run[3], run)):
        places = range(run[0], run[0] + run[3])
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(run)
    return sorted(kept)
