"""What the small model learns from: claims over evidence in families, questions over passages, passages to rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from citewell.types import Span

SUPPORTED, CONTRADICTED, NEITHER = range(3)  # the classes of the claim's head, in the order of its outputs
OPEN: Final = 3  # not supported, and nobody said which of the other two
LABELS: Final = ("supported", "contradicted", "neither")


class Judged(NamedTuple):
    """A claim over a piece of evidence.

    Attributes:
        evidence: sentences in one text.
        label: a class, or `OPEN`.
        wrong: the places of the claim that do not hold; empty where all of it holds, None where nobody marked them.
    """

    evidence: str
    claim: str
    label: int
    wrong: tuple[Span, ...] | None = None


class Family(NamedTuple):
    """A claim first, then what was made of it: told apart only by what was changed, so they are learnt together."""

    set: str
    group: str
    members: tuple[Judged, ...]


class Question(NamedTuple):
    """A question over a passage; `answer` is where its answer stands, None where the passage has none."""

    set: str
    group: str
    passage: str
    question: str
    answer: Span | None


class Ranking(NamedTuple):
    """A question or claim, the passage that is about it, and passages of the same text that are not."""

    set: str
    group: str
    query: str
    passages: tuple[str, ...]


class Examples(NamedTuple):
    """All that is learnt from: entailment and contrast are both claims, the former short and without families."""

    entailment: Sequence[Family]
    contrast: Sequence[Family]
    questions: Sequence[Question]
    rankings: Sequence[Ranking]
