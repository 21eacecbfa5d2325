"""Retrieval by models that read query and segment together: cross-encoders, and MonoT5.

Sources: Nogueira and Cho, Passage Re-ranking with BERT (2019), whose kind the models of sentence-transformers are;
Nogueira, Jiang, Pradeep and Lin, Document Ranking with a Pretrained Sequence-to-Sequence Model (2020).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.models import seq2seq
from citewell.models.classify import Matrix, logits, sigmoid, softmax
from citewell.models.loading import Loaded, context_length
from citewell.models.local import PortableModel
from citewell.retrievers.ranking import ScoresAll


@dataclass(frozen=True, kw_only=True)
class Reranker(PortableModel, ScoresAll):
    """Rank by the probability that a segment is relevant to the query.

    Attributes:
        limit: most tokens of query and segment; segments that are too long are cut.
    """

    limit: int | None = None
    name: ClassVar[str]

    def _scores(self, queries: Sequence[str], texts: Sequence[str]) -> Matrix:
        pairs = [(query, text) for query in queries for text in texts]
        return self._relevance(pairs).reshape(len(queries), len(texts))

    @abstractmethod
    def _relevance(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """The probability of relevance of each query and passage."""


@dataclass(frozen=True, kw_only=True)
class CrossEncoder(Reranker):
    """A classifier that reads query and segment.

    Attributes:
        model: a sequence classifier with one logit, or with two where the second means relevant; hub id or path.
    """

    model: str = "cross-encoder/ms-marco-MiniLM-L6-v2"
    batch: int = 32
    name: ClassVar[str] = "cross-encoder"

    def _relevance(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        # Such models read the query first, and a passage that is too long is cut: see `swapped`.
        turned = [(passage, query) for query, passage in pairs]
        classes = logits(self.load("classifier"), turned, size=self.batch, limit=self.limit, swapped=True)
        return sigmoid(classes[:, 0]) if classes.shape[1] == 1 else softmax(classes)[:, 1]


@dataclass(frozen=True, kw_only=True)
class MonoT5(Reranker):
    """An encoder-decoder asked whether a passage is relevant: the probability of `true` against `false`.

    Attributes:
        model: a T5 that was trained on `Query: … Document: … Relevant:`; hub id or path.
    """

    model: str = "castorini/monot5-base-msmarco"
    limit: int | None = 512  # what the published models were trained with
    name: ClassVar[str] = "monot5"

    def _relevance(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        loaded = self.load("seq2seq")
        first = seq2seq.first_token(loaded, [self._prompt(loaded, *pair) for pair in pairs], self.batch)
        yes, no = (first[:, seq2seq.token_id(loaded, reply)] for reply in ("true", "false"))
        relevance: Matrix = np.exp(yes - np.logaddexp(yes, no))
        return relevance

    def _prompt(self, loaded: Loaded, query: str, passage: str) -> str:
        """The prompt, the passage cut so that `Relevant:` stays inside the context."""
        head, tail = f"Query: {query} Document: ", " Relevant:"
        room = context_length(loaded, self.limit) - len(loaded.tokenizer(head + tail, verbose=False)["input_ids"]) - 2
        return head + seq2seq.cut(loaded, passage, room) + tail
