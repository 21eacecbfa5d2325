"""Dense retrieval: ranks segments by the similarity of their embedding to the query's.

Any sentence-transformers model, or any plain encoder with a pooling; passages may have an encoder of their own.

Sources: GTR (Ni et al., 2022), Contriever (Izacard et al., 2022), DRAGON (Lin et al., 2023), Sentence-BERT (Reimers
and Gurevych, 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.models import forward
from citewell.models.batches import batches
from citewell.models.loading import Loaded, context_length
from citewell.models.local import PortableModel
from citewell.models.portable import runtime
from citewell.retrievers.cache import Matrix, cached
from citewell.retrievers.ranking import ScoresAll

POOLINGS = ("auto", "mean", "cls", "last")


@dataclass(frozen=True, kw_only=True)
class Dense(PortableModel, ScoresAll):
    """Rank by embedding similarity.

    Attributes:
        model: a sentence-transformers model or a plain encoder; hub id or path.
        passage_model: the encoder of passages, where it is not the same.
        pooling: `auto` as the sentence-transformers model says (the mean where it is a plain encoder), `mean`, `cls`
            or `last` token state of a plain encoder.
        similarity: `cosine` or `dot`.
        query_prefix, passage_prefix: what the model expects before a text.
        cache: a folder to keep embeddings in between runs.
    """

    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    batch: int = 64
    passage_model: str | None = None
    pooling: str = "auto"
    similarity: str = "cosine"
    query_prefix: str = ""
    passage_prefix: str = ""
    cache: str | None = None
    name: ClassVar[str] = "dense"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pooling not in POOLINGS:
            raise ValueError(f"pooling is one of {', '.join(POOLINGS)}, not {self.pooling!r}")
        if self.similarity not in ("cosine", "dot"):
            raise ValueError(f"similarity is cosine or dot, not {self.similarity!r}")

    def _scores(self, queries: Sequence[str], texts: Sequence[str]) -> Matrix:
        # Equal texts share one score: a matrix product may give their columns different last digits.
        column = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        distinct = self.embed(list(queries)) @ self.embed(list(column), passages=True).T
        return distinct[:, [column[text] for text in texts]]

    def embed(self, texts: Sequence[str], *, passages: bool = False) -> Matrix:
        """(texts, dimensions) embeddings, of length 1 where the similarity is the cosine."""
        model = self.passage_model if passages and self.passage_model else self.model
        prefix = self.passage_prefix if passages else self.query_prefix
        key = "|".join(
            map(str, (model, self.revision, self.pooling, self.device, self.dtype, self.runtime, self.quantize))
        )
        vectors = cached(key, [prefix + text for text in texts], lambda new: self._encode(model, new), self.cache)
        if self.similarity == "cosine":
            vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors

    def _encode(self, model: str, texts: list[str]) -> Matrix:
        if self.pooling == "auto" and runtime(model, self.runtime) == "torch":
            encoder = self.load_sentence_encoder(model)
            vectors = encoder.encode(texts, batch_size=self.batch, show_progress_bar=False, convert_to_numpy=True)
            return np.asarray(vectors, dtype=np.float32)
        return pooled(self.load("encoder", model), texts, self.pooling, self.batch)


def pooled(loaded: Loaded, texts: Sequence[str], pooling: str, size: int = 64) -> Matrix:
    """(texts, dimensions) states of an encoder's last layer, pooled; long texts are cut at the model's context."""
    most = context_length(loaded)
    coded = [dict(loaded.tokenizer(text, truncation=True, max_length=most, verbose=False)) for text in texts]
    rows: list[Matrix | None] = [None] * len(texts)
    for group in batches([len(item["input_ids"]) for item in coded], size):
        vectors = forward.vectors(loaded, [coded[i] for i in group], pooling)
        for position, vector in zip(group.tolist(), vectors, strict=True):
            rows[position] = vector
    return np.stack([row for row in rows if row is not None])


@dataclass(frozen=True, kw_only=True)
class GTR(Dense):
    """`dense` with GTR (Ni et al., 2022)."""

    model: str = "sentence-transformers/gtr-t5-large"
    name: ClassVar[str] = "gtr"


@dataclass(frozen=True, kw_only=True)
class Contriever(Dense):
    """`dense` with Contriever (Izacard et al., 2022): mean pooling, dot product."""

    model: str = "facebook/contriever-msmarco"
    pooling: str = "mean"
    similarity: str = "dot"
    name: ClassVar[str] = "contriever"


@dataclass(frozen=True, kw_only=True)
class Dragon(Dense):
    """`dense` with DRAGON+ (Lin et al., 2023): two encoders, state of the first token, dot product."""

    model: str = "nthakur/dragon-plus-query-encoder"
    passage_model: str | None = "nthakur/dragon-plus-context-encoder"
    pooling: str = "cls"
    similarity: str = "dot"
    name: ClassVar[str] = "dragon"


@dataclass(frozen=True, kw_only=True)
class SBERT(Dense):
    """`dense` with the best general Sentence-BERT model that LAB used."""

    model: str = "sentence-transformers/all-mpnet-base-v2"
    name: ClassVar[str] = "sbert"
