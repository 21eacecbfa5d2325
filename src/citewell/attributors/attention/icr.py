"""In-context reranking: scores paragraphs by the attention from a query, minus that from a neutral query.

Source: Chen, Gutiérrez and Su, Attention in Large Language Models Yields Efficient Zero-Shot Re-Rankers (2024), and
its code (OSU-NLP-Group/In-Context-Reranking). Statements as queries: Citention (2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from citewell.attributors.attention.masses import Matrix, summed
from citewell.attributors.attention.paragraphs import NOTHING, Layout, Paragraphs, Piece
from citewell.attributors.places import Place, RanksPlaces
from citewell.attributors.targets import query_of
from citewell.document import Document
from citewell.errors import BackendError
from citewell.models.attention import Prefix, causal, departs, shape
from citewell.models.loading import Loaded
from citewell.models.local import LocalModel
from citewell.types import Draft, Span

QUERIES = ("target", "statement", "question", "asked")


@dataclass(frozen=True, kw_only=True)
class ICR(LocalModel, RanksPlaces):
    """Cite the segments that a causal model looks at most when it reads the query behind them.

    Attributes:
        model: a causal model; hub id or path.
        query: `target` the target alone, `statement` the whole statement around it, `question` the question and the
            statement, `asked` the question alone, as published: then all targets get the same segments.
        instruction: what stands before the query: `answer` (the paper's for questions) or `find` (for the rest); None
            takes `answer` where the question alone is the query.
        calibrate: subtract the attention that the query N/A gives.
        outliers: leave out the tokens of a segment whose score is as many standard deviations or more below its mean;
            None keeps all. Without calibration all are kept.
        layers: the layers that are read, as `10-13`, counted from 0; all without it. A few of the middle ones suffice
            (Selective-ICR, 2026).
        k: citations a target where the caller names no number.
        limit: most tokens of a prompt, for less than the model takes.
    """

    query: str = "statement"
    instruction: Literal["answer", "find"] | None = None
    calibrate: bool = True
    outliers: float | None = 2.0
    layers: str | None = None
    k: int = 1
    limit: int | None = None
    name: ClassVar[str] = "icr"

    def __post_init__(self) -> None:
        if self.query not in QUERIES:
            raise ValueError(f"query is one of {', '.join(QUERIES)}, not {self.query!r}")
        if self.instruction not in (None, "answer", "find"):
            raise ValueError(f"instruction is answer or find, not {self.instruction!r}")
        if self.k < 1:
            raise ValueError("k is at least 1")
        if self.layers is not None:
            _layers(self.layers)

    def place_scores(
        self,
        draft: Draft,
        documents: Sequence[Document],  # noqa: ARG002  (the places have their text)
        places: Sequence[Place],
        wanted: Sequence[Span],
    ) -> Matrix:
        """(targets, segments) sums of attention, less those of no query; targets with the same query share them."""
        queries = [query_of(draft, target, self.query) for target in wanted]
        distinct = list(dict.fromkeys(queries))
        scores = self.scored(distinct, [place.segment.text for place in places])
        return scores[[distinct.index(query) for query in queries]]

    def scored(self, queries: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(queries, texts) scores of texts that are shown together as paragraphs.

        Raises:
            BackendError: the model cannot be loaded, its attention cannot be read, or its context is too small.
        """
        loaded = causal(self.load("encoder"))
        paragraphs = self.paragraphs(loaded, texts)
        heads = self.weights(loaded)
        result = np.zeros((len(queries), len(texts)), dtype=np.float32)
        groups: dict[tuple[tuple[Piece, ...], ...], list[tuple[int, str]]] = {}
        for number, query in enumerate(map(paragraphs.cut_query, queries)):
            groups.setdefault(paragraphs.windows(query), []).append((number, query))
        for windows, numbered_queries in groups.items():
            for window in windows:
                layouts = [paragraphs.layout(window, query) for _, query in numbered_queries]
                tokens = token_scores(
                    loaded, layouts, paragraphs.layout(window, NOTHING), heads, calibrate=self.calibrate
                )
                for (number, _), values, layout in zip(numbered_queries, tokens, layouts, strict=True):
                    for piece, at in zip(window, layout.pieces, strict=True):
                        result[number, piece.owner] += total(values[at], self.outliers if self.calibrate else None)
        return result

    def paragraphs(self, loaded: Loaded, texts: Sequence[str]) -> Paragraphs:
        """Texts as the paragraphs of this method's prompts."""
        instruction = self.instruction or ("answer" if self.query == "asked" else "find")
        return Paragraphs(loaded, texts, instruction, self.limit)

    def weights(self, loaded: Loaded) -> Matrix:
        """(layers, heads) the weight of each head in the sum: 1 for all heads of the layers that are read."""
        count, heads = shape(loaded)
        weights = np.zeros((count, heads), dtype=np.float32)
        first, last = _layers(self.layers) if self.layers else (0, count - 1)
        weights[first : last + 1] = 1
        if not weights.any():
            raise BackendError(f"layers={self.layers}: the model has the layers 0 to {count - 1}")
        return weights


def token_scores(
    loaded: Loaded, layouts: Sequence[Layout], nothing: Layout, heads: Matrix, *, calibrate: bool
) -> list[Matrix]:
    """For each prompt the score of each token before its query; the tokens that all prompts begin with are read once.

    Args:
        loaded: the model.
        layouts: prompts of the same paragraphs.
        nothing: the prompt that asks for nothing.
        heads: (layers, heads) weights.
        calibrate: subtract the scores of the prompt that asks for nothing.
    """
    every = [*layouts, nothing] if calibrate else list(layouts)
    size = shared(every)
    prefix = Prefix(loaded, every[0].ids[:size]) if len(every) > 1 else None
    scores = [summed(loaded, layout.ids, [layout.query], heads, prefix)[0, : layout.query[0]] for layout in every]
    if not calibrate:
        return scores
    shortest = min(map(len, scores))
    return [values[:shortest] - scores[-1][:shortest] for values in scores[:-1]]


def shared(layouts: Sequence[Layout]) -> int:
    """How many tokens all prompts begin with, none of them of a query."""
    size = min(int(layout.query[0]) for layout in layouts)
    return min(departs(layouts[0].ids[:size], other.ids) for other in layouts)


def total(values: Matrix, outliers: float | None) -> float:
    """The sum of a paragraph's token scores without those far below their mean; a single token has no deviation."""
    if outliers is None or len(values) < 2:
        return float(values.sum())
    return float(values[values > values.mean() - outliers * values.std(ddof=1)].sum())


def _layers(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    with suppress(ValueError):
        start, end = int(first), int(last if dash else first)
        if start <= end:
            return start, end
    raise ValueError(f"layers is a range such as 10-13, not {text!r}")
