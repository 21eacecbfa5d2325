"""All typed facts of one sentence, each with its offsets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from citewell.facts.dates import periods
from citewell.facts.negation import Negation, denied, negations
from citewell.facts.quantifiers import Quantifier, quantifiers
from citewell.facts.quantities import quantities
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.types import Period, Quantity


@dataclass(frozen=True, slots=True)
class Facts:
    """The words of a sentence and what it states: figures, times, denials, quantifiers. `denied` are flags of words."""

    tokens: Tokens
    quantities: tuple[Quantity, ...]
    periods: tuple[Period, ...]
    negations: tuple[Negation, ...]
    denied: tuple[bool, ...]
    quantifiers: tuple[Quantifier, ...]

    @property
    def text(self) -> str:
        """The sentence."""
        return self.tokens.text


@lru_cache(maxsize=8192)
def extract(text: str) -> Facts:
    """The facts of a sentence; cached for recently read sentences."""
    sentence = tokens(text)
    times = periods(text)
    cues = negations(sentence)
    return Facts(sentence, quantities(text, times), times, cues, denied(len(sentence), cues), quantifiers(sentence))
