"""Distances and sizes that separate the rows, columns, paragraphs and headings of a page.

The values, each with what it is, stand in `geometry.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from citewell.readers.pdf.boxes import Floats
from citewell.text.data import settings


class Geometry:
    """Shares, ratios and distances; `geometry.json` says of each in which unit it is and what it decides."""

    def __init__(self, values: Mapping[str, float]) -> None:
        vars(self).update(values)

    def __getattr__(self, name: str) -> float:
        raise AttributeError(f"geometry.json has no value {name!r}")


@cache
def geometry() -> Geometry:
    """The values that come with the package."""
    return Geometry(settings("citewell.readers.pdf", "geometry.json"))


def median(values: Floats) -> float:
    """The same as numpy's, which takes ten times as long for few values and imports masked arrays."""
    ordered = np.sort(values)
    return float((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)
