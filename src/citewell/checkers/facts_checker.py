"""The default checker: whether the cited evidence says what a claim says, fact by fact. No model, no network.

It judges the citations that it is given; given none, it finds the sentences that say most of the claim itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, NamedTuple

import numpy as np

from citewell.checkers.features import POOL, _cover
from citewell.checkers.lexical import makes_claim
from citewell.document import Document
from citewell.errors import UsageError
from citewell.facts.align import Finding, findings
from citewell.facts.features import NEXT, Seen, look, vector
from citewell.facts.model import shipped
from citewell.facts.tokens import Tokens, tokens
from citewell.protocols import Pair
from citewell.text.coverage import Matcher, highest
from citewell.text.index import index
from citewell.text.segments import sentences
from citewell.text.words import language, words
from citewell.types import Citation, Label, Segment, Span, Verdict


class Sentence(NamedTuple):
    """A sentence of the evidence: its text, and where it stands in which document."""

    text: str
    document: Document
    start: int
    segment: Segment | None = None


class Read(NamedTuple):
    """What was read for a claim: the sentences, and the alignment with them (None: nothing to align)."""

    sentences: tuple[Sentence, ...]
    seen: Seen | None


class Judgement(NamedTuple):
    """A label, the probability of support, the sentences read and what was found."""

    label: Label
    score: float
    read: Read
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class FactsChecker:
    """Calibrated probability of support from the alignment of facts.

    Attributes:
        threshold: the probability from which a claim counts as supported; None takes that of the weights.
    """

    threshold: float | None = None
    name: ClassVar[str] = "facts"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair.

        Raises:
            UsageError: a pair has no documents.
        """
        return [self._verdict(pair, judged) for pair, judged in zip(pairs, self.judge(pairs), strict=True)]

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair.

        Raises:
            UsageError: a pair has no documents.
        """
        read = read_all(pairs)
        model = shipped()
        rows = [vector(one.seen) for one in read if one.seen]
        table = np.array(rows) if rows else np.zeros((0, len(model.names)))
        support, against = iter(model.support.probability(table)), iter(model.against.probability(table))
        result = []
        for pair, one in zip(pairs, read, strict=True):
            score, opposed = (float(next(support)), float(next(against))) if one.seen else (0.0, 0.0)
            result.append(self._judgement(pair, one, score, opposed))
        return result

    def _judgement(self, pair: Pair, read: Read, score: float, opposed: float) -> Judgement:
        if not makes_claim(pair.claim):
            return Judgement("no_claim", 0.0, read, ())
        if read.seen is None:
            return Judgement("not_supported", 0.0, read, ())
        if _foreign(pair.claim, read):
            return Judgement("unverified", 0.0, read, ())  # type: ignore[arg-type]
        model = shipped()
        label: Label = "not_supported"
        if score >= (self.threshold if self.threshold is not None else model.supported):
            label = "supported"
        elif opposed >= model.contradicted:
            label = "contradicted"
        elif score >= model.partial:
            label = "partially_supported"
        return Judgement(label, score, read, findings(read.seen) if label != "supported" else ())

    def _verdict(self, pair: Pair, judged: Judgement) -> Verdict:
        cited = pair.citations
        if cited is None:
            cited = tuple(_citations(pair, judged))
        uncovered = tuple(finding.said for finding in judged.findings if finding.kind == "missing")
        return Verdict(pair.claim, judged.label, judged.score, cited, uncovered, method=self.name)


def read_all(pairs: Sequence[Pair]) -> list[Read]:
    """The evidence of each pair, read: its citations, or the best sentences of its documents where it has none.

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
        own = [pairs[number] for number in numbers]
        result.update(zip(numbers, _found(own), strict=True))
    return [result[number] for number in range(len(pairs))]


def _cited(pair: Pair) -> Read:
    known = {document.id: document for document in pair.evidence}
    own = [
        Sentence(cited.quote[start:end], known.get(cited.document_id, pair.evidence[0]), cited.start + start)
        for cited in pair.citations or ()
        for start, end in sentences(cited.quote)
    ]
    unique = tuple({(one.document.id, one.start): one for one in own if one.text.strip()}.values())
    seen = look(pair.claim, [tokens(one.text) for one in unique]) if unique else None
    return Read(unique, seen if seen and seen.aligned and len(seen.claim.tokens) else None)


def _found(pairs: Sequence[Pair]) -> Iterator[Read]:
    """The sentences that have most of each claim, all claims about the same documents matched at once."""
    documents = pairs[0].evidence
    terms = index(documents, "sentence")
    texts = [pair.claim for pair in pairs]
    matcher = Matcher(terms, "\n".join(texts))
    for text, start in zip(texts, accumulate((len(text) + 1 for text in texts), initial=0), strict=False):
        claim = matcher.claim(Span(start, start + len(text)))
        if not len(claim.starts):
            yield Read((), None)
            continue
        aligned = matcher.alignment(claim, highest(matcher.cover(claim).statement, POOL).tolist())
        chosen = [aligned.segments[row] for row in _cover(aligned, claim.weights)]
        near = np.zeros(len(claim.starts), dtype=bool)
        for place in chosen:
            near |= matcher.present(claim, max(0, place - NEXT), min(len(terms.segments), place + NEXT + 1))
        own = tuple(
            Sentence(segment.text, documents[int(terms.documents[place])], segment.start, segment)
            for place in chosen
            for segment in [terms.segments[place]]
        )
        evidence: list[Tokens] = [tokens(one.text) for one in own]
        seen = look(text, evidence, near.tolist()) if own else None
        yield Read(own, seen if seen and seen.aligned else None)


def _foreign(claim: str, read: Read) -> bool:
    """Whether claim and evidence are in different languages, so that words tell nothing."""
    said = words(claim).spellings
    shown = words(" ".join(sentence.text for sentence in read.sentences)).spellings
    return language(said) != language(shown)


def _citations(pair: Pair, judged: Judgement) -> Iterator[Citation]:
    seen = judged.read.seen
    for number in seen.chosen if seen else ():
        sentence = judged.read.sentences[number]
        if sentence.segment:
            yield Citation.of(
                sentence.segment, sentence.document.id, Span(0, len(pair.claim)), judged.score, FactsChecker.name
            )
