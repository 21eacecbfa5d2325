"""The small model beside the checker over facts: what words cannot tell it judges, what facts tell overrules it.

The model reads the sentences that the checker over facts reads, in their order; the log odds of both are added as the
model's folder says. A fact of the claim that the evidence turns round stays a contradiction, and reasons, cells of
tables and citations are those of `lexical`. docs/mini.md says how much it adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.checkers.aligned import Chances, Settings
from citewell.checkers.evidence import Read
from citewell.checkers.lexical import LexicalChecker
from citewell.facts.model import Floats
from citewell.models import mini

_SURE = 1e-6  # probabilities are held within this of 0 and 1, so that their log odds are finite
# Where a model's folder does not say how both are added: half of each.
_HALVES: Mapping[str, float] = {"words": 0.5, "model": 0.5, "shift": 0.0}
_ALONE: Mapping[str, float] = {"words": 0.0, "model": 1.0, "shift": 0.0}


def log_odds(chances: Floats) -> Floats:
    """Probabilities as log odds."""
    bounded = np.clip(chances, _SURE, 1 - _SURE)
    result: Floats = np.log(bounded / (1 - bounded))
    return result


@dataclass(frozen=True)
class MiniChecker(LexicalChecker):
    """The checker over facts with a small model of meaning.

    Attributes:
        model: a folder that `citewell train mini` made; that of the package citewell-mini where None.
        alone: leave the probability to the model; facts that are turned round overrule it all the same.
    """

    model: str | None = None
    alone: bool = False
    name: ClassVar[str] = "mini"

    def __post_init__(self) -> None:
        mini.find(self.model, "claim")  # what is missing is said before anything is read

    @property
    def least(self) -> float:
        """The score from which a claim counts as supported."""
        if self.threshold is not None:
            return self.threshold
        threshold = self._told.get("alone" if self.alone else "supported")
        return float(threshold) if isinstance(threshold, int | float) else super().least

    @property
    def _told(self) -> Mapping[str, object]:
        payload = mini.find(self.model, "claim").settings.get("claim")
        return payload if isinstance(payload, Mapping) else {}

    def _settings(self) -> Settings:
        return super()._settings()._replace(second=self._second)

    def odds(self, claims: Sequence[str], evidence: Sequence[Read]) -> Floats:
        """(n, 2) log odds of support and of contradiction, over the stretch that supports each claim most."""
        texts = [
            [(text, claim) for text in self._texts(evidence_read, claim)]
            for claim, evidence_read in zip(claims, evidence, strict=True)
        ]
        read = iter(mini.find(self.model, "claim").odds([pair for evidence_read in texts for pair in evidence_read]))
        return np.array(
            [max((next(read) for _ in evidence_read), key=lambda row: float(row[0])) for evidence_read in texts]
        )

    def _second(self, claims: Sequence[str], evidence: Sequence[Read], chances: Sequence[Chances]) -> list[Chances]:
        """The chances of words and facts, moved by what the model makes of the evidence."""
        words = log_odds(np.array(chances).reshape(-1, 2))
        both = zip(words.tolist(), self.odds(claims, evidence).reshape(-1, 2).tolist(), strict=True)
        return [
            Chances(self._sum("support", first[0], model[0]), self._sum("against", first[1], model[1]))
            for first, model in both
        ]

    def _sum(self, name: str, words: float, model: float) -> float:
        """Both log odds together as a probability."""
        weights = self._told.get(name)
        parts = _ALONE if self.alone else weights if isinstance(weights, Mapping) else _HALVES
        total = parts["words"] * words + parts["model"] * model + parts["shift"]
        return 1 / (1 + math.exp(-min(max(total, -60.0), 60.0)))

    def _texts(self, evidence: Read, claim: str) -> Iterator[str]:
        """The sentences in their order, in as few stretches as the model can read at once; a longer one in parts."""
        model, text = mini.find(self.model, "claim"), ""
        in_order = sorted(evidence.sentences, key=lambda sentence: (sentence.document.id, sentence.start))
        whole = " ".join(sentence.text for sentence in in_order)
        if model.fits(whole, claim):  # nearly always: the others are not measured piece by piece then
            yield whole
            return
        for sentence in in_order:
            longer = f"{text} {sentence.text}" if text else sentence.text
            if text and not model.fits(longer, claim):
                yield from _parts(model, text, claim)
                longer = sentence.text
            text = longer
        yield from _parts(model, text, claim)


def _parts(model: mini.Mini, text: str, claim: str) -> Iterator[str]:
    return (text[part.start : part.end] for part in model.parts(text, claim))
