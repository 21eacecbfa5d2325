"""AT2: attention from an answer to its sources, with weights per head learned by leaving sources out.

Source: Cohen-Wang, Chuang and Madry, Learning to Attribute with Attention (2025, arXiv 2504.13752; code MadryLab/AT2).
A source's score is the sum over heads of a weight times the attention of the target's predicting rows to its tokens.
`citewell train at2` learns the weights of a model; without them all heads count alike, which is their start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from citewell.attributors.attention.masses import Matrix as Attention
from citewell.attributors.attention.masses import by_head
from citewell.attributors.contexts import Context
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced
from citewell.errors import BackendError, InputError
from citewell.models.attention import shape
from citewell.models.loading import Kind, Loaded
from citewell.text import safe

FORMAT = "citewell-at2-1"


@dataclass(frozen=True, kw_only=True)
class AT2(Sourced):
    """Cite the sources that the heads which matter look at while the answer is written; one pass for all targets.

    Attributes:
        weights: a file that `citewell train at2` wrote for the model; None gives all heads the same weight.
    """

    weights: str | None = None
    name: ClassVar[str] = "at2"
    reads: ClassVar[Kind] = "encoder"

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) weighted attention."""
        heads = uniform(loaded) if self.weights is None else weights_of(self.weights, shape(loaded))
        scores: Matrix = np.einsum("lh,lhts->ts", heads, features(loaded, context, tokens)).astype(np.float64)
        return scores


def features(loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Attention:
    """(layers, heads, targets, sources) the mean attention of a target's predicting rows to a source's tokens."""
    prompt = context.prompt()
    groups = [prompt.answer_at[at] - 1 for at in tokens]
    return by_head(loaded, prompt.ids, groups, prompt.owners, len(context.spans))


def uniform(loaded: Loaded) -> Attention:
    """The same weight for every head, together 1."""
    layers, heads = shape(loaded)
    return np.full((layers, heads), 1 / (layers * heads), dtype=np.float32)


def weights_of(path: str, size: tuple[int, int]) -> Attention:
    """The (layers, heads) weights of a file.

    Raises:
        InputError: there is no such file, or it does not have the form.
        BackendError: it was learned from a model of another shape.
    """
    try:
        read = safe.loads(Path(path).expanduser().read_text(encoding="utf-8"))
        if read["format"] != FORMAT:
            raise InputError(f"{path}: the format is {read['format']!r}, not {FORMAT!r}")
        weights = np.array(read["weights"], dtype=np.float32)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path!r} is no file of weights of AT2: {type(error).__name__} {error}") from error
    if weights.shape != size or not np.isfinite(weights).all():
        raise BackendError(f"{path}: weights of {weights.shape} layers and heads, but the model has {size}")
    return weights
