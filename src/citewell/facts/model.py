"""Weights that turn features into probabilities, with one linear function for support and one for contradiction.

`data/checker.json` is made by `citewell train checker`; its `about` says from what.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.text.data import read_text

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """Log odds that rise or fall in a straight line with each of F features."""

    weights: Floats
    constant: float

    def odds(self, rows: Floats) -> Floats:
        """(n,) the log odds of (n, F) features."""
        result: Floats = rows @ self.weights + self.constant
        return result

    def probability(self, rows: Floats) -> Floats:
        """(n,) the probabilities of (n, F) features."""
        result: Floats = 1 / (1 + np.exp(-self.odds(rows).clip(-60, 60)))
        return result


@dataclass(frozen=True)
class Model:
    """The features that the weights read, both lines, and the probabilities from which labels hold.

    `supported` is one of support, `contradicted` one of contradiction. `partial` is the share of a claim's words that
    evidence must have for the claim to count as supported in part.
    """

    names: tuple[str, ...]
    support: Line
    against: Line
    supported: float
    partial: float
    contradicted: float


@cache
def shipped() -> Model:
    """The weights in the package."""
    return parse(read_text(__package__, "data/checker.json"))


def parse(text: str) -> Model:
    """The weights of a file."""
    data: dict[str, Any] = json.loads(text)
    names = tuple(data["support"]["weights"])

    def line(name: str) -> Line:
        weights = data[name]["weights"]
        return Line(np.array([float(weights[key]) for key in names]), float(data[name]["constant"]))

    labels = {key: float(value) for key, value in data["labels"].items()}
    return Model(names, line("support"), line("against"), **labels)
