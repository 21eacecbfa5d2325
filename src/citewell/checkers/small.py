"""Combines the small language model with the checker over facts: one judge, careful where the two disagree.

Both read the same sentences. Their log odds are added as the judge's folder says; a fact of the claim that the
evidence turns round stays a contradiction, and reasons, cells of tables and citations are those of `lexical`. Where
one of them is sure that a claim holds and the other that it does not, the claim counts as supported in part at most.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from citewell.checkers.aligned import Chances, Settings
from citewell.checkers.evidence import Read
from citewell.checkers.lexical import LexicalChecker
from citewell.facts.model import Floats
from citewell.models import small_judge

_SURE = 1e-6  # probabilities are held within this of 0 and 1, so that their log odds are finite
# Where the judge's folder does not say how both are added: half of each.
_HALVES: Mapping[str, float] = {"words": 0.5, "model": 0.5, "shift": 0.0}
_APART = 0.8  # of probability between both: from here they disagree, where the folder gives no other
_BELOW = 1e-6


@dataclass(frozen=True)
class SmallJudgeChecker(LexicalChecker):
    """The checker over facts with a small language model.

    Attributes:
        model: a folder that `citewell train judge` made; that of the package citewell-judge where None.
        alone: leave the probability to the model; facts that are turned round overrule it all the same.
    """

    model: str | None = None
    alone: bool = False
    name: ClassVar[str] = "judge-small"

    def __post_init__(self) -> None:
        small_judge.find(self.model)  # what is missing is said before anything is read

    def files(self) -> tuple[Path, ...]:
        """The files of the language model that shape its scores."""
        folder = small_judge.find(self.model).path
        return folder / small_judge.GRAPH, folder / small_judge.SETTINGS

    @property
    def least(self) -> float:
        """The score from which a claim counts as supported."""
        if self.threshold is not None:
            return self.threshold
        least = self._fitted.get("alone" if self.alone else "supported")
        return float(least) if isinstance(least, int | float) else super().least

    @property
    def _fitted(self) -> Mapping[str, object]:
        fitted = small_judge.find(self.model).settings.get("blend")
        return fitted if isinstance(fitted, Mapping) else {}

    def _settings(self) -> Settings:
        return super()._settings()._replace(second=self._second)

    def odds(self, claims: Sequence[str], reads: Sequence[Read]) -> Floats:
        """(n, 2) log odds of support and of contradiction, over the stretch that supports each claim most."""
        judge = small_judge.find(self.model)
        by_text: dict[str, list[int]] = defaultdict(list)
        for number, evidence in enumerate(reads):
            in_order = sorted(evidence.sentences, key=lambda sentence: (sentence.document.id, sentence.start))
            for text in judge.parts([sentence.text for sentence in in_order]):
                by_text[text].append(number)
        result = np.full((len(claims), 2), -np.inf)
        for text, numbers in by_text.items():
            for number, reading in zip(numbers, judge.read(text, [claims[n] for n in numbers]), strict=True):
                if reading.support > result[number, 0]:
                    result[number] = reading.support, reading.against
        return result

    def _second(self, claims: Sequence[str], reads: Sequence[Read], chances: Sequence[Chances]) -> list[Chances]:
        """The chances of words and facts, moved by what the judge makes of the evidence."""
        odds = self.odds(claims, reads).tolist()
        return [self._both(words, *model) for words, model in zip(chances, odds, strict=True)]

    def _both(self, words: Chances, support: float, against: float) -> Chances:
        chance = self._sum("support", words.support, support)
        denied = self._sum("against", words.against, against)
        apart = self._fitted.get("apart")
        gap = abs(words.support - _chance(support))
        if not self.alone and gap > (apart if isinstance(apart, int | float) else _APART):
            return Chances(min(chance, self.least - _BELOW), max(denied, words.against))
        return Chances(chance, denied)

    def _sum(self, name: str, words: float, odds: float) -> float:
        """A probability of words and log odds of the judge, together as a probability."""
        if self.alone:
            return _chance(odds)
        fitted = self._fitted.get(name)
        parts = {**_HALVES, **fitted} if isinstance(fitted, Mapping) else _HALVES
        bounded = min(max(words, _SURE), 1 - _SURE)
        return _chance(parts["words"] * math.log(bounded / (1 - bounded)) + parts["model"] * odds + parts["shift"])


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(odds, -60.0), 60.0)))
