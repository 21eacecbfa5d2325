"""Any natural-language-inference classifier as a checker: label names are read from the model's config.

Sources: the maximum over document sentences follows Schuster et al. (2022); such models are Nie et al.'s RoBERTa
(ANLI, 2020) and Schuster et al.'s ALBERT (VitaminC, 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from citewell.checkers.premises import Count, Premise, by_sentence, by_window
from citewell.checkers.verdicts import Scores, judge
from citewell.errors import BackendError
from citewell.models.classify import logits, softmax
from citewell.models.loading import Loaded, context_length, load
from citewell.protocols import Pair
from citewell.types import Verdict

RESERVED = 96  # tokens of the context that are kept for the claim


class Columns(NamedTuple):
    """Where a classifier's entailment and contradiction stand; None where it has no class of its own for the latter."""

    entailment: int
    contradiction: int | None


@dataclass(frozen=True, kw_only=True)
class NLI:
    """The probability of entailment, at its maximum over the premises.

    Attributes:
        model: a sequence classifier; hub id or path.
        premise: `sentences` one by one, as the models were trained, or `windows` of whole sentences that fill the
            model's context.
        threshold: the probability from which a claim counts as supported.
        entailment: the number of the class that means entailment, where the config does not name its classes.
        limit: most tokens of a pair.
        batch: most pairs in a batch.
    """

    model: str = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
    premise: str = "sentences"
    threshold: float = 0.5
    entailment: int | None = None
    limit: int | None = None
    batch: int = 32
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    name: ClassVar[str] = "nli"

    def __post_init__(self) -> None:
        if self.premise not in ("sentences", "windows"):
            raise ValueError(f"premise is sentences or windows, not {self.premise!r}")

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair. `contradicted` only from models that have such a class.

        Raises:
            BackendError: the model cannot be loaded or its labels are not understood.
            UsageError: a pair has no documents.
        """
        loaded = load("classifier", self.model, self.revision, self.device, self.dtype)
        columns = self._columns(loaded)

        def read(pair: Pair) -> list[Premise]:
            if self.premise == "sentences":
                return by_sentence(pair)
            return by_window(pair, counter(loaded), max(16, context_length(loaded, self.limit) - RESERVED))

        def score(texts: list[tuple[str, str]]) -> Scores:
            found = softmax(logits(loaded, texts, size=self.batch, limit=self.limit))
            against = np.zeros(len(found)) if columns.contradiction is None else found[:, columns.contradiction]
            return np.stack([found[:, columns.entailment], against], axis=1).astype(np.float32)

        return judge(pairs, read, score, threshold=self.threshold, method=self.name)

    def _columns(self, loaded: Loaded) -> Columns:
        if self.entailment is not None:
            count = int(loaded.model.config.num_labels)
            if not 0 <= self.entailment < count:
                raise BackendError(f"entailment={self.entailment}: the model has the classes 0 to {count - 1}")
            return Columns(self.entailment, None)
        return columns(loaded.model.config.id2label, self.model)


def counter(loaded: Loaded) -> Count:
    """Counts the tokens of a text."""
    return lambda text: len(loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def columns(labels: Mapping[int, str], model: str) -> Columns:
    """The classes of a config's `id2label`, whatever their order and spelling.

    Raises:
        BackendError: none of them, or more than one, means entailment.
    """
    entailment: list[int] = []
    contradiction: list[int] = []
    for number, label in labels.items():
        plain = "".join(char for char in label.lower() if char.isalpha())
        if plain.startswith(("not", "non", "un")):
            continue
        if plain.startswith(("entail", "support")) or plain in ("attributable", "consistent", "yes", "true"):
            entailment.append(int(number))
        elif plain.startswith(("contra", "refut")):
            contradiction.append(int(number))
    if len(entailment) != 1:
        names = ", ".join(labels.values())
        raise BackendError(
            f"which class of {model!r} means entailment is not clear from its labels ({names}): say entailment=NUMBER"
        )
    return Columns(entailment[0], contradiction[0] if len(contradiction) == 1 else None)
