"""Selects the sentences that the lexical checker reads for a claim: the cited ones, or the best of its documents."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from citewell.document import Document
from citewell.errors import UsageError
from citewell.facts.features import NEXT, ClaimAlignment, look
from citewell.facts.filer import speaker
from citewell.facts.names import written
from citewell.facts.tokens import tokens
from citewell.protocols import Pair
from citewell.text.coverage import Alignment, Matcher, highest
from citewell.text.data import settings
from citewell.text.index import Floats, index
from citewell.text.sentences import split
from citewell.types import Segment, Span

POOL = 24  # segments among which the best ones together are sought
MOST = 3  # segments that are read where none is cited


class Sentence(NamedTuple):
    """A sentence of the evidence: its text, and where it stands in which document."""

    text: str
    document: Document
    start: int
    segment: Segment | None = None


class Read(NamedTuple):
    """What was read for a claim: the sentences, and the alignment with them (None: there is nothing to align)."""

    sentences: tuple[Sentence, ...]
    alignment: ClaimAlignment | None


def read(pairs: Sequence[Pair]) -> list[Read]:
    """The evidence of each pair: its citations, and nothing else; its documents only where it brings none.

    Raises:
        UsageError: a pair has no documents.
    """
    result: dict[int, Read] = {}
    together: dict[tuple[int, ...], list[int]] = {}
    for number, pair in enumerate(pairs):
        if not pair.evidence:
            raise UsageError("a claim can only be checked against at least one document")
        if pair.citations is None:
            together.setdefault(tuple(map(id, pair.evidence)), []).append(number)
        else:
            result[number] = _cited(pair)
    for numbers in together.values():  # claims about the same documents are matched at once
        result.update(zip(numbers, _best([pairs[number] for number in numbers]), strict=True))
    return [result[number] for number in range(len(pairs))]


def _cited(pair: Pair) -> Read:
    documents = {document.id: document for document in pair.evidence}
    cited = {
        (citation.document_id, citation.start + start): Sentence(
            citation.quote[start:end], documents.get(citation.document_id, pair.evidence[0]), citation.start + start
        )
        for citation in pair.citations or ()
        for start, end in split(citation.quote)
    }
    sentences = tuple(cited.values())
    return _aligned(pair.claim, sentences, _beside(pair.claim, sentences))


def _beside(claim: str, sentences: Sequence[Sentence]) -> list[bool]:
    """Which names of a claim stand in the sentences next to those that are cited, where their document is known."""
    keys: set[str] = set()
    for sentence in sentences:
        document = sentence.document
        if document.text.startswith(sentence.text, sentence.start):
            parts = document.segments("sentence")
            place = bisect_right(parts, sentence.start, key=attrgetter("start")) - 1
            for part in parts[max(0, place - NEXT) : place + NEXT + 1]:
                keys.update(tokens(part.text).keys)
    words = tokens(claim)
    return [name and key in keys for name, key in zip(words.names, words.keys, strict=True)]


def _best(pairs: Sequence[Pair]) -> Iterator[Read]:
    """The sentences that have most of each claim, all claims about the same documents matched at once."""
    documents = pairs[0].evidence
    terms = index(documents, "sentence")
    speakers = frozenset[str]().union(*map(speaker, documents))
    texts = [pair.claim for pair in pairs]
    matcher = Matcher(terms, "\n".join(texts))
    for text, start in zip(texts, accumulate((len(text) + 1 for text in texts), initial=0), strict=False):
        claim = matcher.claim(Span(start, start + len(text)))
        if not len(claim.starts):
            yield Read((), None)
            continue
        aligned = matcher.alignment(claim, highest(matcher.cover(claim).statement, POOL).tolist())
        bounds = zip((claim.starts - start).tolist(), (claim.ends - start).tolist(), strict=True)
        weights = np.where(written(text, bounds, speakers), 0.0, claim.weights)
        chosen = [aligned.segments[row] for row in cover(aligned, weights)]
        near = np.zeros(len(claim.starts), dtype=bool)
        for place in chosen:
            near |= matcher.present(claim, max(0, place - NEXT), min(len(terms.segments), place + NEXT + 1))
        best = tuple(
            Sentence(segment.text, documents[int(terms.documents[place])], segment.start, segment)
            for place, segment in ((place, terms.segments[place]) for place in chosen)
        )
        yield _aligned(text, best, near.tolist())


def _aligned(claim: str, sentences: tuple[Sentence, ...], near: Sequence[bool] | None = None) -> Read:
    speakers = [speaker(sentence.document) for sentence in sentences]
    alignment = look(claim, [tokens(sentence.text) for sentence in sentences], near, speakers) if sentences else None
    return Read(sentences, alignment if alignment and alignment.aligned and len(alignment.claim.tokens) else None)


def cover(aligned: Alignment, weights: Floats) -> list[int]:
    """Rows of the segments that together cover most: the best pair, found whole, then one more by what it adds."""
    if not len(aligned.segments):
        return []
    single, least = aligned.single.astype(np.float32), settings("citewell.text")["further"] * weights.sum()
    alone = single @ weights
    union = alone[:, None] + alone[None, :] - (single * weights) @ single.T
    first, second = np.unravel_index(int(np.argmax(union)), union.shape)
    if union[first, second] - alone.max() < least:
        return [int(np.argmax(alone))]
    chosen = sorted((int(first), int(second)), key=lambda row: (-alone[row], row))
    while len(chosen) < min(MOST, len(aligned.segments)):
        rest = weights * ~np.any(aligned.single[chosen], axis=0)
        gains = single @ rest
        best = int(np.argmax(gains))
        if gains[best] < least:
            break
        chosen.append(best)
    return chosen
