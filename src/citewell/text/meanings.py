"""What English words mean, as vectors: words of like meaning have like ones. Read on first use.

`meanings.npz` is made by `lab/benchmarks/build_meanings.py`, which says from what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Meanings(NamedTuple):
    """The place of each of N stems, and N + 1 unit vectors, the last of which is zero: that of all other words."""

    places: Mapping[str, int]
    vectors: Floats

    def of(self, stems: Iterable[str]) -> Floats:
        """(number of stems, D) vectors."""
        return self.vectors[[self.places.get(stem, -1) for stem in stems]]


@cache
def meanings() -> Meanings:
    """The table, read once."""
    path = resources.files("citewell.text").joinpath("meanings.npz")
    with path.open("rb") as file, np.load(file) as stored:
        names, rounded = stored["stems"].tobytes().decode("ascii").split("\n"), stored["vectors"].astype(np.float32)
    lengths = np.linalg.norm(rounded, axis=1, keepdims=True)
    vectors = np.vstack((rounded / lengths, np.zeros((1, rounded.shape[1]), np.float32)))
    return Meanings({name: place for place, name in enumerate(names)}, vectors.astype(np.float32))
