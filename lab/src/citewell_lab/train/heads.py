"""Chooses a model's retrieval heads: those that attend most to gold paragraphs, on examples of a task.

Source: Zhang et al., Query-Focused Retrieval Heads (2025): 128 questions of Natural Questions or 70 of LongMemEval,
16 heads (32 of a model of 70B).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from citewell import registry
from citewell.attributors.attention.icr import ICR, shared
from citewell.attributors.attention.masses import Matrix, by_head
from citewell.attributors.attention.paragraphs import NOTHING
from citewell.attributors.attention.qrhead import Head, ranked, record
from citewell.errors import UsageError
from citewell.models.attention import Prefix, causal, shape
from citewell.text import files
from citewell.text.safe import dumps
from citewell_lab.report.table import Table
from citewell_lab.train import cases as learned

EXAMPLES = 128
HEADS = 16


@dataclass(frozen=True, slots=True)
class Chosen:
    """The heads of a model with their mean scores on gold paragraphs, the best first."""

    spec: registry.Spec
    heads: tuple[tuple[Head, float], ...]
    count: int
    provenance: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the file of heads."""
        return dict(record(self.heads, self.count, **self.provenance))

    def table(self) -> Table:
        """The chosen heads."""
        rows = tuple((f"{head.layer}-{head.number}", score) for head, score in self.heads[: self.count])
        title = f"Heads of the highest mean attention to gold paragraphs, of {self.provenance['examples']} examples"
        return Table("heads", title, ("layer-head", "mean"), rows, ("mean",))


def select(
    method: str,
    task: str,
    data: str | Path,
    split: str,
    *,
    examples: int = EXAMPLES,
    count: int = HEADS,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Chosen:
    """Score every head on examples of a task.

    Args:
        method: the spec of a `qrhead`; the heads that it names play no part.
        task: with gold paragraphs.
        data: the folder of the data sets.
        split: of the task.
        examples: how many are drawn.
        count: how many heads are chosen.
        seed: of the draw.
        progress: told how many examples are done.

    Raises:
        UsageError: the method is no `qrhead`, or no such task.
        InputError: the data is not there, or has no gold paragraphs.
    """
    spec = registry.parse(method)
    if spec.name != "qrhead":
        raise UsageError(f"the heads are those of qrhead(model=...), not of {spec.name!r}")
    built = registry.build("attributor", _with(spec, "0-0"))
    items, payload = learned.read(task, data, split, examples, seed)
    drawn = list(islice(learned.cases(items), examples))
    learned.require(len(drawn), task, "gold paragraphs")
    scores = []
    for number, case in enumerate(drawn, start=1):
        scores.append(on_gold(built, case.query, case.texts, case.gold))
        if progress:
            progress(number)
    means: Matrix = np.stack(scores).mean(axis=0)
    payload |= {
        "model": built.model,
        "revision": built.revision,
        "examples": len(drawn),
        "instruction": built.instruction,
    }
    return Chosen(spec, tuple(ranked(means)), count, payload)


def write(chosen: Chosen, path: Path) -> str:
    """Write the file of heads; the spec that uses it."""
    files.write(path, dumps(chosen.to_dict()) + "\n")
    return str(_with(chosen.spec, str(path)))


def _with(spec: registry.Spec, heads: str) -> registry.Spec:
    return spec._replace(params=tuple({**dict(spec.params), "heads": heads}.items()))


def on_gold(method: ICR, query: str, texts: Sequence[str], gold: frozenset[int]) -> Matrix:
    """(layers, heads) how much each head, reading a query, looks at the paragraphs that are gold, calibrated or not.

    Args:
        method: how the prompt is made, and whether what no query looks at is subtracted.
        query: that is read.
        texts: the paragraphs.
        gold: positions of those that answer it.
    """
    loaded = causal(method.load("encoder"))
    paragraphs = method.paragraphs(loaded, texts)
    result = np.zeros(shape(loaded), dtype=np.float32)
    query = paragraphs.cut_query(query)
    for window in paragraphs.windows(query):
        layouts = [paragraphs.layout(window, query)]
        layouts += [paragraphs.layout(window, NOTHING)] if method.calibrate else []
        prefix = Prefix(loaded, layouts[0].ids[: shared(layouts)]) if len(layouts) > 1 else None
        for sign, layout in zip((1, -1), layouts, strict=False):
            owners = np.full(len(layout.ids), -1, dtype=np.intp)
            for piece, at in zip(window, layout.pieces, strict=True):
                owners[at] = 0 if piece.owner in gold else -1
            result += sign * by_head(loaded, layout.ids, [layout.query], owners, 1, prefix)[:, :, 0, 0]
    return result
