"""Trees that turn features into probabilities: boosted regression trees as arrays, evaluated for many rows at once.

Made by `benchmarks/checking/fit.py`; `data/checker.npz` says in `about` with what and when.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Trees:
    """T trees of at most N nodes: (T, N) arrays. A leaf points at itself, its feature is 0 and its threshold endless.

    The score of a row is `base` plus the values of the leaves that it ends in; the probability is its logistic, after
    `slope` and `shift` have calibrated it.
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    base: float
    slope: float = 1.0
    shift: float = 0.0
    depth: int = 12

    def probability(self, rows: Floats) -> Floats:
        """The probabilities of n rows."""
        trees = np.arange(len(self.feature))
        at = np.zeros((len(rows), len(trees)), dtype=np.int32)
        numbers = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            below = rows[numbers, self.feature[trees, at]] <= self.threshold[trees, at]
            at = np.where(below, self.left[trees, at], self.right[trees, at])
        score = self.base + self.value[trees, at].sum(axis=1)
        result: Floats = 1 / (1 + np.exp(-(self.slope * score + self.shift)))
        return result


@dataclass(frozen=True)
class Model:
    """The shipped checker: what it reads, its trees, and the probabilities from which its labels hold."""

    names: tuple[str, ...]
    support: Trees
    against: Trees
    supported: float
    partial: float
    contradicted: float


@cache
def shipped() -> Model:
    """The weights in the package."""
    with resources.files("citewell.facts").joinpath("data/checker.npz").open("rb") as file, np.load(file) as data:
        about: dict[str, Any] = json.loads(data["about"].tobytes().decode("utf-8"))
        trees = {
            name: Trees(
                *(data[f"{name}_{part}"] for part in ("feature", "threshold", "left", "right", "value")),
                **about[name],
            )
            for name in ("support", "against")
        }
    return Model(tuple(about["names"]), trees["support"], trees["against"], **about["labels"])
