"""The judge's training examples: claims over evidence, in families."""

from __future__ import annotations

from typing import Final, NamedTuple

from citewell.types import Span

SUPPORTED, CONTRADICTED, NEITHER = range(3)  # the classes, in the order of the head's outputs
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
    """A claim, then what was made of it. Only what was changed differs, so they are learnt together."""

    set: str
    group: str
    members: tuple[Judged, ...]
