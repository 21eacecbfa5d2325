"""Fits Citention's combination: weights of several attributors, by least squares on gold segments."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from citewell import registry
from citewell.attributors.citention import FORMAT, Matrix, fitted, scores, standard
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import UsageError
from citewell.text import files
from citewell.types import Draft, Span
from citewell_lab.report.table import Table
from citewell_lab.train import cases


@dataclass(frozen=True, slots=True)
class Combination:
    """The methods with their weights, and what is told of them."""

    methods: tuple[str, ...]
    weights: Matrix
    bias: float
    record: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the file of weights."""
        pairs = zip(self.methods, self.weights.tolist(), strict=True)
        listed = [{"method": method, "weight": round(weight, 8)} for method, weight in pairs]
        return {"format": FORMAT, **self.record, "methods": listed, "bias": round(self.bias, 8)}

    def table(self) -> Table:
        """The weights."""
        rows = (*zip(self.methods, self.weights.tolist(), strict=True), ("bias", self.bias))
        title = f"Weights of a combination, of {self.record['examples']} targets"
        return Table("combination", title, ("method", "weight"), rows, ("weight",))


def combine(
    methods: Sequence[str],
    task: str,
    data: str | Path,
    split: str,
    *,
    examples: int = 200,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Combination:
    """Fit the weights of attributors on targets whose gold paragraphs are known.

    Args:
        methods: specs of attributors, two or more.
        task: with gold paragraphs.
        data: the folder of the data sets.
        split: of the task.
        examples: how many targets are drawn, one an item.
        seed: of the draw.
        progress: told how many are done.

    Raises:
        UsageError: fewer than two methods, or no such task.
        InputError: the data is not there, or has no gold paragraphs.
    """
    if len(set(methods)) < 2:
        raise UsageError("a combination needs two methods or more")
    built = [registry.build("attributor", method) for method in methods]
    items, payload = cases.read(task, data, split, examples, seed)
    drawn = list(islice(cases.cases(items), examples))
    cases.require(len(drawn), task, "gold paragraphs")
    features, gold = [], []
    for number, case in enumerate(drawn, start=1):
        document = Document.from_passages(case.texts)
        places = join([document], "paragraph")
        target = Span(0, len(case.query))
        draft = Draft(case.query, statements=(target,))
        rows = [standard(scores(method, draft, [document], places, [target], "paragraph"))[0] for method in built]
        features.append(np.stack(rows, axis=1))
        gold.append(_gold(case, places))
        if progress:
            progress(number)
    weights, bias = fitted(np.concatenate(features), np.concatenate(gold))
    canonical = tuple(registry.canonical("attributor", method) for method in methods)
    return Combination(canonical, weights, bias, {**payload, "examples": len(drawn)})


def write(combination: Combination, path: Path) -> str:
    """Write the file of weights; the spec that uses it."""
    files.write(path, json.dumps(combination.to_dict(), ensure_ascii=False, indent=1) + "\n")
    return str(registry.Spec("citention", (("weights", str(path)),)))


def _gold(case: cases.Case, places: Sequence[Any]) -> Matrix:
    """Of each paragraph whether it is, or is a part of, a gold text."""
    starts = np.cumsum([0, *(len(text) + 2 for text in case.texts)])
    owners = np.searchsorted(starts, [place.start for place in places], side="right") - 1
    return np.isin(owners, list(case.gold)).astype(float)
