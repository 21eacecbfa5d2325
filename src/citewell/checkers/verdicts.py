"""From a model's probabilities to verdicts: what all model checkers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from citewell.checkers.lexical import makes_claim
from citewell.checkers.premises import Premise, citation
from citewell.protocols import Pair
from citewell.types import Label, Verdict

Scores = npt.NDArray[np.float32]
# (premise, claim) pairs -> (n, 2) probabilities: the claim is supported, the claim is contradicted.
Score = Callable[[list[tuple[str, str]]], Scores]


def judge(
    pairs: Sequence[Pair], read: Callable[[Pair], list[Premise]], score: Score, *, threshold: float, method: str
) -> list[Verdict]:
    """A verdict a pair: the maximum over its premises, all premises of all pairs scored in one go.

    Source of the maximum: Schuster et al., Stretching Sentence-pair NLI Models to Reason over Long Documents (2022).
    """
    read_premises = [read(pair) for pair in pairs]
    texts = [(one.text, pair.claim) for pair, found in zip(pairs, read_premises, strict=True) for one in found]
    values = score(texts) if texts else np.zeros((0, 2), dtype=np.float32)
    result: list[Verdict] = []
    position = 0
    for pair, found in zip(pairs, read_premises, strict=True):
        own = values[position : position + len(found)]
        position += len(found)
        result.append(_verdict(pair, found, own, threshold, method))
    return result


def _verdict(pair: Pair, found: Sequence[Premise], values: Scores, threshold: float, method: str) -> Verdict:
    claims = makes_claim(pair.claim)
    if not len(values):
        return Verdict(pair.claim, "not_supported" if claims else "no_claim", 0.0, pair.citations or (), method=method)
    support, against = values.max(axis=0).tolist()
    label: Label = "not_supported"
    best = int(values[:, 0].argmax())
    if not claims:
        label = "no_claim"
    elif support >= threshold:
        label = "supported"
    elif against >= 0.5 and against > support:
        label = "contradicted"
        best = int(values[:, 1].argmax())
    cited = pair.citations
    if cited is None:
        shown = label in ("supported", "contradicted")
        cited = citation(found[best], pair.claim, float(values[best].max()), method) if shown else ()
    return Verdict(pair.claim, label, float(support), cited, method=method)


def supported_only(probabilities: Scores) -> Scores:
    """(n, 2) from (n,) probabilities of support, for models that cannot tell contradiction from absence."""
    return np.stack([probabilities, np.zeros_like(probabilities)], axis=1)
