"""From a model's probabilities to verdicts: shared by all checkers on local models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from citewell.checkers.premises import Count, Premise, citation
from citewell.checkers.scores import consistent
from citewell.models.loading import Kind, Loaded
from citewell.models.local import PortableModel
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.types import Label, Verdict

Scores = npt.NDArray[np.float32]
Text = tuple[str, str]  # a premise and a claim


@dataclass(frozen=True, kw_only=True)
class ModelChecker(PortableModel, ABC):
    """The probability that a model gives, at its maximum over the premises of a claim.

    Every premise that reaches the threshold alone is evidence, the best first; of premises that contradict the best.

    Source of the maximum: Schuster et al., Stretching Sentence-pair NLI Models to Reason over Long Documents (2022).

    Attributes:
        threshold: the probability from which a claim counts as supported.
    """

    threshold: float = 0.5
    name: ClassVar[str]

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair, all premises of all pairs scored in one go. `contradicted` where the model knows that.

        Raises:
            BackendError: the model cannot be loaded or used for this.
            UsageError: a pair has no documents.
        """
        loaded = self.load(self._kind())
        premises = self._premises(loaded, pairs)
        texts = [
            (premise.text, pair.claim)
            for pair, premises_of_pair in zip(pairs, premises, strict=True)
            for premise in premises_of_pair
        ]
        scores = self._scores(loaded, texts) if texts else np.zeros((0, 2), dtype=np.float32)
        bounds = np.cumsum([0, *map(len, premises)]).tolist()
        return [
            self._verdict(pair, premises_of_pair, scores[start:end])
            for pair, premises_of_pair, start, end in zip(pairs, premises, bounds[:-1], bounds[1:], strict=True)
        ]

    @abstractmethod
    def _kind(self) -> Kind:
        """What kind of model it is."""

    @abstractmethod
    def _premises(self, loaded: Loaded, pairs: Sequence[Pair]) -> list[list[Premise]]:
        """What the model reads of the evidence of each pair."""

    @abstractmethod
    def _scores(self, loaded: Loaded, texts: Sequence[Text]) -> Scores:
        """(n, 2) probabilities: the claim is supported by the premise, the claim is contradicted."""

    def _verdict(self, pair: Pair, premises: Sequence[Premise], scores: Scores) -> Verdict:
        cited, claims = pair.citations, makes_claim(pair.claim)
        if not len(scores):
            return Verdict(pair.claim, "not_supported" if claims else "no_claim", 0.0, cited or (), method=self.name)
        support, against = scores.max(axis=0).tolist()
        label: Label = "not_supported"
        places: list[int] = []
        if not claims:
            label = "no_claim"
        elif support >= self.threshold:
            label = "supported"
            ranked = np.argsort(-scores[:, 0], kind="stable").tolist()
            places = [place for place in ranked if scores[place, 0] >= self.threshold]
        elif against >= 0.5 and against > support:
            label = "contradicted"
            places = [int(scores[:, 1].argmax())]
        if cited is None:
            cited = tuple(
                citation_found
                for place in places
                for citation_found in citation(premises[place], pair.claim, float(scores[place].max()), self.name)
            )
        score = consistent(label, float(support), self.threshold)
        return Verdict(pair.claim, label, score, cited, method=self.name)


def supported_only(probabilities: Scores) -> Scores:
    """(n, 2) from (n,) probabilities of support, for models that cannot tell contradiction from absence."""
    return np.stack([probabilities, np.zeros_like(probabilities)], axis=1)


def counter(loaded: Loaded) -> Count:
    """Counts the tokens of a text."""
    return lambda text: len(loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
