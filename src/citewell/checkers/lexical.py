"""The default checker: the probability that evidence supports a claim, from the words that it covers. No model.

Two logistic models over ten features (`features.NAMES`): supported or not, and supported at least in part. Their
weights were fitted on public data with human labels by `benchmarks/fit_checker.py`, which also prints how well they
do on questions and data sets that they were not fitted on. The checker cannot tell contradiction from absence.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar

import numpy as np

from citewell.checkers.features import NAMES, Evidence, look
from citewell.checkers.scores import consistent
from citewell.errors import UsageError
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.text.index import Floats, TermIndex, index
from citewell.text.languages import differ
from citewell.types import Citation, Label, Span, Verdict


@dataclass(frozen=True)
class LexicalChecker:
    """Calibrated probability of support from coverage, numbers, names and negation.

    Attributes:
        threshold: the probability from which a claim counts as supported.
        partial: the probability of being supported at least in part, from which it counts as partially supported.
    """

    threshold: float = 0.5
    partial: float = 0.5
    name: ClassVar[str] = "lexical"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; `score` is the probability that the documents support the whole claim.

        Raises:
            UsageError: a pair has no documents.
        """
        verdicts: dict[int, Verdict] = {}
        together: dict[tuple[int, ...], list[int]] = {}
        for number, pair in enumerate(pairs):
            if not pair.evidence:
                raise UsageError("a claim can only be checked against at least one document")
            together.setdefault(tuple(map(id, pair.evidence)), []).append(number)
        for numbers in together.values():  # claims about the same documents are matched at once
            found = index(pairs[numbers[0]].evidence, "sentence")
            for number, seen in zip(numbers, look(found, [pairs[n].claim for n in numbers]), strict=True):
                verdicts[number] = self._verdict(pairs[number], found, seen)
        return [verdicts[number] for number in range(len(pairs))]

    def _verdict(self, pair: Pair, found: TermIndex, seen: Evidence | None) -> Verdict:
        if seen is None:
            return Verdict(pair.claim, "no_claim", 0.0, pair.citations or (), method=self.name)
        whole, part = probabilities(seen.features)
        label = self._label(pair.claim, whole, part)
        if label not in ("supported", "no_claim") and _foreign(pair):
            label = "unverified"
        score = consistent(label, whole, self.threshold, self.threshold / 2)
        citations = pair.citations if pair.citations is not None else _citations(found, pair, seen, score)
        uncovered = () if label == "unverified" else _uncovered(seen)
        return Verdict(pair.claim, label, score, citations, uncovered, method=self.name)

    def _label(self, claim: str, whole: float, part: float) -> Label:
        if not makes_claim(claim):
            return "no_claim"
        if whole >= self.threshold:
            return "supported"
        return "partially_supported" if part >= self.partial else "not_supported"


def _foreign(pair: Pair) -> bool:
    """Whether claim and evidence are in different languages: words that are missing tell nothing then."""
    return all(differ(pair.claim, document.text) for document in pair.evidence)


def probabilities(features: Floats) -> tuple[float, float]:
    """(supported, supported at least in part)."""
    weights = _weights()
    whole, part = (1 / (1 + np.exp(-(weights[name] @ np.append(features, 1)))) for name in ("supported", "partial"))
    return float(whole), float(max(whole, part))


@cache
def _weights() -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    data = json.loads(resources.files("citewell.checkers").joinpath("weights.json").read_text(encoding="utf-8"))
    return {name: np.array([data[name][key] for key in (*NAMES, "intercept")]) for name in ("supported", "partial")}


def _citations(found: TermIndex, pair: Pair, seen: Evidence, score: float) -> tuple[Citation, ...]:
    return tuple(
        Citation.of(
            found.segments[place],
            pair.evidence[int(found.documents[place])].id,
            Span(0, len(pair.claim)),
            score,
            LexicalChecker.name,
        )
        for place in seen.chosen
    )


def _uncovered(seen: Evidence) -> tuple[Span, ...]:
    """Runs of words of the claim that the evidence lacks, function words at their ends left out."""
    heavy = seen.claim.weights > 0.2 * seen.claim.weights.mean()
    spans: list[Span] = []
    words = zip(
        seen.claim.starts.tolist(), seen.claim.ends.tolist(), seen.covered.tolist(), heavy.tolist(), strict=True
    )
    joins = False
    for start, end, covered, matters in words:
        if covered or not matters:
            joins = joins and not covered
            continue
        if joins and spans:
            spans[-1] = Span(spans[-1].start, end)
        else:
            spans.append(Span(start, end))
        joins = True
    return tuple(spans)
