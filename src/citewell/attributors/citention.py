"""Citention's combination: a weighted sum of several attributors' scores, fitted on gold evidence.

Source: Citention (2025, arXiv 2510.20303; code under Apache-2.0): score = sum of w times a method's score, plus b,
fitted on gold. `citewell train combine` fits it. In the paper weights of one data set did not carry over to others: all
methods together fell below the best single ones there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell import registry
from citewell.attributors.places import Place, RanksPlaces
from citewell.document import Document
from citewell.errors import InputError
from citewell.protocols import Attributor
from citewell.text import safe
from citewell.text.spans import inside
from citewell.types import Draft, Granularity, Span

Matrix = npt.NDArray[np.float64]
FORMAT = "citewell-combination-1"


class Part(NamedTuple):
    """A method of the sum, by its spec, and its weight."""

    spec: str
    weight: float


class Combined(NamedTuple):
    """The methods and what is added to their sum."""

    parts: tuple[Part, ...]
    bias: float


@dataclass(frozen=True, kw_only=True)
class Citention(RanksPlaces):
    """Cite the segments of the highest weighted sum of several attributors' scores.

    Attributes:
        weights: a file that `citewell train combine` wrote: methods, weights, bias.
        k: citations a target where the caller names no number.
    """

    weights: str = ""
    k: int = 1
    name: ClassVar[str] = "citention"

    def __post_init__(self) -> None:
        if not self.weights:
            raise ValueError("name the file of weights: weights=FILE of `citewell train combine`")
        if self.k < 1:
            raise ValueError("k is at least 1")

    def place_scores(
        self, draft: Draft, documents: Sequence[Document], places: Sequence[Place], wanted: Sequence[Span]
    ) -> Matrix:
        """(targets, segments) weighted sums of the standard scores of the methods.

        Raises:
            InputError: the file of weights cannot be read.
        """
        combined = read(self.weights)
        total = np.full((len(wanted), len(places)), combined.bias)
        for part in combined.parts:
            if registry.parse(part.spec).name == self.name:
                raise InputError(f"{self.weights}: a combination cannot be a part of one")
            method: Attributor = registry.build("attributor", part.spec)
            unit = places[0].segment.granularity
            total += part.weight * standard(scores(method, draft, documents, places, wanted, unit))
        return total


def scores(
    method: Attributor,
    draft: Draft,
    documents: Sequence[Document],
    places: Sequence[Place],
    wanted: Sequence[Span],
    unit: Granularity,
) -> Matrix:
    """(targets, segments) what a method scores; a segment that it does not cite has 0, or its least score below that.

    The least of what it cites would be no score of what it leaves out: a method that cites one segment would say
    nothing.
    """
    numbers: dict[tuple[str, int, int], list[int]] = {}
    for number, place in enumerate(places):
        key = documents[place.document].id, place.segment.start, place.segment.end
        numbers.setdefault(key, []).append(number)  # a document that is given twice
    result = np.full((len(wanted), len(places)), -np.inf)
    citations = method.attribute(draft, documents, unit, len(places))
    for row, indices in enumerate(inside(wanted, [cited.answer_start for cited in citations])):
        for cited in (citations[number] for number in indices):
            for number in numbers.get((cited.document_id, cited.start, cited.end), ()):
                result[row, number] = max(result[row, number], cited.score)
    for scored in result:
        known = scored > -np.inf
        scored[~known] = scored[known].min(initial=0.0)
    return result


def standard(values: Matrix) -> Matrix:
    """Each target's scores with mean 0 and deviation 1, so that methods of other scales add up; equal ones are 0."""
    deviation = values.std(axis=1, keepdims=True)
    apart: Matrix = (values - values.mean(axis=1, keepdims=True)) / np.where(deviation > 0, deviation, 1)
    return apart


def fitted(features: Matrix, gold: Matrix) -> tuple[Matrix, float]:
    """The weights and the bias of least squares.

    Args:
        features: (pairs of target and segment, methods) standard scores.
        gold: of each pair 1 where the segment is gold, else 0.
    """
    design = np.concatenate([features, np.ones((len(features), 1))], axis=1)
    solved = np.linalg.lstsq(design, gold, rcond=None)[0]
    return solved[:-1], float(solved[-1])


def read(path: str) -> Combined:
    """The methods and weights of a file.

    Raises:
        InputError: there is no such file, or it does not have the form.
    """
    try:
        stamp = Path(path).expanduser().stat().st_mtime_ns
        return _read(str(Path(path).expanduser()), stamp)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path!r} is no file of a combination: {type(error).__name__} {error}") from error


@lru_cache(maxsize=8)
def _read(path: str, _stamp: int) -> Combined:
    payload = safe.loads(Path(path).read_text(encoding="utf-8"))
    if payload["format"] != FORMAT:
        raise ValueError(f"the format is {payload['format']!r}, not {FORMAT!r}")
    parts = tuple(Part(str(part["method"]), float(part["weight"])) for part in payload["methods"])
    if not parts:
        raise ValueError("it names no method")
    return Combined(parts, float(payload["bias"]))
