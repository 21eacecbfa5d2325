"""Leave-one-out: how much less likely, or how different, an answer becomes without a source.

Sources: the difference of log probabilities is the plain definition; the Jensen-Shannon divergence is ARC-JSD (Li et
al., Attributing Response to Context, 2025, arXiv 2505.16415; code ruizheliUOA/ARC_JSD). Evidence that stands in the
document twice is missed by both: without either copy the other is still there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from citewell.attributors.ablation.likelihood import score
from citewell.attributors.contexts import Context
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced
from citewell.models.loading import Loaded


@dataclass(frozen=True, kw_only=True)
class LeaveOneOut(Sourced):
    """Cite the sources without which an answer is least likely; a pass a source, and one with all.

    Attributes:
        measure: `likelihood` the log probability of the target that is lost, or `divergence`, the sum over its tokens
            of the Jensen-Shannon divergence of what could stand there.
    """

    measure: Literal["likelihood", "divergence"] = "likelihood"
    name: ClassVar[str] = "leave-one-out"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.measure not in ("likelihood", "divergence"):
            raise ValueError(f"measure is likelihood or divergence, not {self.measure!r}")

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) what is lost without each source."""
        count = len(context.spans)
        kept = [np.ones(count, dtype=bool), *~np.eye(count, dtype=bool)]
        scored = score(loaded, context, kept, batch=self.batch, divergence=self.measure == "divergence")
        if scored.divergence is not None:
            return np.stack([scored.divergence[1:, at].sum(axis=1) for at in tokens])
        return losses(scored.log_probability, tokens)


@dataclass(frozen=True, kw_only=True)
class ArcJSD(LeaveOneOut):
    """Leave one out, by divergence."""

    measure: Literal["likelihood", "divergence"] = "divergence"
    name: ClassVar[str] = "arc-jsd"


def losses(log_probability: Matrix, tokens: Sequence[Positions]) -> Matrix:
    """(targets, sources) by how much each source raises a target's log probability.

    Args:
        log_probability: (1 + sources, tokens), the first row with all sources, the others each without one.
        tokens: the tokens of each target.
    """
    sums = np.stack([log_probability[:, at].sum(axis=1) for at in tokens])
    lost: Matrix = sums[:, :1] - sums[:, 1:]
    return lost
