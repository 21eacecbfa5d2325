"""Weights that turn features into probabilities: a line and boosted trees, as arrays, for many rows at once.

`data/checker.npz` is made by `citewell train checker`; its `about` says from what.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from citewell.errors import InputError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

CLIP = 4.0  # standard deviations from the mean beyond which a feature says no more to the line


@dataclass(frozen=True)
class Blend:
    """The mean of a line's and of T trees' log odds, made a probability by `slope` and `shift`.

    The trees are (T, N) arrays of at most N nodes; a leaf points at itself. `centre`, `spread` and `weights` are those
    of the line; `start` is where its sum begins, `base` that of the trees.
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    centre: Floats
    spread: Floats
    weights: Floats
    start: float
    base: float
    depth: int
    slope: float = 1.0
    shift: float = 0.0

    def odds(self, rows: Floats) -> Floats:
        """The log odds of n rows, before calibration."""
        line = np.clip((rows - self.centre) / self.spread, -CLIP, CLIP) @ self.weights + self.start
        trees, nodes = self.feature.shape
        first = np.arange(trees) * nodes
        at = np.broadcast_to(first, (len(rows), trees))
        begin = np.arange(len(rows))[:, None] * rows.shape[1]
        for _ in range(self.depth):
            below = rows.take(begin + self.feature.take(at)) <= self.threshold.take(at)
            at = np.where(below, self.left.take(at), self.right.take(at)) + first
        result: Floats = (line + self.base + self.value.take(at).sum(axis=1)) / 2
        return result

    def probability(self, rows: Floats) -> Floats:
        """The calibrated probabilities of n rows."""
        result: Floats = 1 / (1 + np.exp(-(self.slope * self.odds(rows) + self.shift)))
        return result


@dataclass(frozen=True)
class Model:
    """What the checker's weights read, its two models, and the probabilities from which its labels hold."""

    names: tuple[str, ...]
    support: Blend
    against: Blend
    supported: float
    partial: float
    contradicted: float


ARRAYS = ("feature", "threshold", "left", "right", "value", "centre", "spread", "weights")


@cache
def shipped() -> Model:
    """The weights in the package."""
    with resources.files("citewell.facts").joinpath("data/checker.npz").open("rb") as file:
        return load(file)


def own(path: str) -> Model:
    """The weights in a user's file, read again when it changes.

    Raises:
        InputError: it cannot be read, or holds no weights of this version's features.
    """
    try:
        about = Path(path).stat()
        return _own(path, about.st_mtime_ns, about.st_size)
    except OSError as error:
        raise InputError(f"the weights in {path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise InputError(f"{path} holds no weights of a checker: make them with citewell train checker") from error


@lru_cache(maxsize=4)
def _own(path: str, _changed: int, _size: int) -> Model:
    with Path(path).open("rb") as file:
        model = load(file)
    if model.names != shipped().names:
        raise ValueError("other features")
    return model


def load(file: IO[bytes]) -> Model:
    """The weights in a file."""
    with np.load(file) as data:
        about: dict[str, Any] = json.loads(data["about"].tobytes().decode("utf-8"))
        blends = {
            name: Blend(*(data[f"{name}_{part}"] for part in ARRAYS), **about[name]) for name in ("support", "against")
        }
    return Model(tuple(about["names"]), blends["support"], blends["against"], **about["labels"])
