"""Any natural-language-inference classifier as a checker; the label names are read from the model's config.

Sources: the maximum over document sentences follows Schuster et al. (2022); such models are Nie et al.'s RoBERTa
(ANLI, 2020) and Schuster et al.'s ALBERT (VitaminC, 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from citewell.checkers.premises import Premise, by_sentence, by_window, read_as
from citewell.checkers.verdicts import ModelChecker, Scores, Text, counter
from citewell.errors import BackendError
from citewell.models.classify import logits, softmax
from citewell.models.loading import Kind, Loaded, context_length
from citewell.protocols import Pair

RESERVED = 96  # tokens of the context that are kept for the claim


class Columns(NamedTuple):
    """Where a classifier's entailment and contradiction stand; None where it has no class of its own for the latter."""

    entailment: int
    contradiction: int | None


@dataclass(frozen=True, kw_only=True)
class NLI(ModelChecker):
    """The probability of entailment; contradiction only from models that have such a class.

    Attributes:
        model: a sequence classifier; hub id or path.
        premise: `sentences` one by one, as the models were trained, or `windows` of whole sentences that fill the
            model's context.
        entailment: the number of the class that means entailment, where the config does not name its classes.
        limit: most tokens of a pair.
    """

    model: str = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
    batch: int = 32
    premise: str = "sentences"
    entailment: int | None = None
    limit: int | None = None
    name: ClassVar[str] = "nli"

    def __post_init__(self) -> None:
        super().__post_init__()
        read_as(self.premise)

    def _kind(self) -> Kind:
        return "classifier"

    def _premises(self, loaded: Loaded, pairs: Sequence[Pair]) -> list[list[Premise]]:
        if self.premise == "sentences":
            return [by_sentence(pair) for pair in pairs]
        count, room = counter(loaded), max(16, context_length(loaded, self.limit) - RESERVED)
        return [by_window(pair, count, room) for pair in pairs]

    def _scores(self, loaded: Loaded, texts: Sequence[Text]) -> Scores:
        entailment, contradiction = self._columns(loaded)
        classes = softmax(logits(loaded, texts, size=self.batch, limit=self.limit))
        against = np.zeros(len(classes)) if contradiction is None else classes[:, contradiction]
        return np.stack([classes[:, entailment], against], axis=1).astype(np.float32)

    def _columns(self, loaded: Loaded) -> Columns:
        if self.entailment is not None:
            count = int(loaded.model.config.num_labels)
            if not 0 <= self.entailment < count:
                raise BackendError(f"entailment={self.entailment}: the model has the classes 0 to {count - 1}")
            return Columns(self.entailment, None)
        return columns(loaded.model.config.id2label, self.model)


@dataclass(frozen=True, kw_only=True)
class DocNLI(NLI):
    """`nli` over windows of whole sentences, by a classifier that was trained on whole documents as premises.

    Source: Yin, Radev and Xiong, DocNLI (2021); ADiOSAA (Sancheti et al., 2024) attributes with it.

    Attributes:
        model: a path, or a hub id of a classifier that was trained on DocNLI. The default was, beside MNLI, FEVER and
            LingNLI; it is not the papers' RoBERTa-L, whose published weights are a bare state file with a head of its
            own. Where a config does not name its classes, `entailment` says which one it is (0 in the published data).
    """

    model: str = "MoritzLaurer/DeBERTa-v3-base-mnli-fever-docnli-ling-2c"
    premise: str = "windows"
    limit: int | None = 512
    name: ClassVar[str] = "docnli"


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
