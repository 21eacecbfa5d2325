"""Query-focused retrieval heads: in-context reranking with the few heads that attend to the answer's evidence.

Source: Zhang, Yin, Ye, Durrett and Chen, Query-Focused Retrieval Heads Improve Long-Context Reasoning and Re-ranking
(2025), and its code (princeton-pli/QRHead). The heads are those of the highest mean score on gold paragraphs of some
examples; `citewell train select-heads` chooses them for a model, since they hold for no other and for one prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from citewell.attributors.attention.icr import ICR
from citewell.attributors.attention.masses import Matrix
from citewell.attributors.attention.paragraphs import wording
from citewell.errors import BackendError, InputError, notes
from citewell.models.attention import shape
from citewell.models.loading import Loaded
from citewell.text import safe

FORMAT = "citewell-heads-1"


class Head(NamedTuple):
    """One head of a layer, both counted from 0."""

    layer: int
    number: int


@dataclass(frozen=True, kw_only=True)
class QRHead(ICR):
    """Cite the segments that a model's retrieval heads look at most when it reads the query behind them.

    Attributes:
        heads: a file that `citewell train select-heads` wrote, or the heads themselves, as `13-18, 14-5` (layer and
            head, counted from 0).
    """

    heads: str = ""
    outliers: float | None = None
    name: ClassVar[str] = "qrhead"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.heads:
            raise ValueError('name the heads: heads=FILE of `citewell train select-heads`, or heads="13-18, 14-5"')
        if self.layers is not None:
            raise ValueError("layers belongs to icr: here the heads say what is read")

    def weights(self, loaded: Loaded) -> Matrix:
        """(layers, heads) the share of each chosen head in their mean.

        Raises:
            InputError: the file of heads cannot be read.
            BackendError: the model has no such head.
        """
        chosen = heads_of(self.heads)
        layers, heads = shape(loaded)
        weights = np.zeros((layers, heads), dtype=np.float32)
        for layer, number in chosen:
            if layer >= layers or number >= heads:
                raise BackendError(
                    f"head {layer}-{number} is not there: the model has {layers} layers of {heads} heads"
                )
            weights[layer, number] = 1 / len(chosen)
        return weights


def heads_of(source: str) -> tuple[Head, ...]:
    """The heads of a file, or those that are told themselves.

    Raises:
        InputError: there is no such file, or it does not have the form.
    """
    parts = [part.strip().split("-") for part in source.split(",")]
    if all(len(part) == 2 and all(number.isdecimal() for number in part) for part in parts):
        return tuple(dict.fromkeys(Head(int(layer), int(number)) for layer, number in parts))
    try:
        read = safe.loads(Path(source).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"the file of heads {source!r} cannot be read: {error}") from error
    try:
        if read["format"] != FORMAT:
            raise InputError(f"{source}: the format is {read['format']!r}, not {FORMAT!r}")
        heads = tuple(Head(int(layer), int(number)) for layer, number in read["heads"])
        if not heads or min(map(min, heads)) < 0:
            raise InputError(f"{source}: it names no heads")
        other = read["wording"] != wording()
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{source} is no file of heads: {type(error).__name__} {error}") from error
    if other:
        notes.warn(f"the heads of {source} were chosen with a prompt of other words: choose them again")
    return heads


def ranked(means: Matrix) -> list[tuple[Head, float]]:
    """All heads with their scores, the highest first, of equals the earlier."""
    order = np.argsort(-means, axis=None, kind="stable")
    rows = [divmod(int(place), means.shape[1]) for place in order]
    return [(Head(layer, number), float(means[layer, number])) for layer, number in rows]


def record(heads: Sequence[tuple[Head, float]], count: int, **details: Any) -> Mapping[str, Any]:
    """What a file of heads holds: the best, the scores of all, the prompt's words, and what else is told."""
    scores = {f"{head.layer}-{head.number}": round(score, 8) for head, score in heads}
    return {"format": FORMAT, "wording": wording(), **details, "heads": [list(head) for head, _ in heads[:count]],
            "scores": scores}  # fmt: skip
