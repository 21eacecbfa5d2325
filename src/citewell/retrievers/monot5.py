"""MonoT5: an encoder-decoder asked whether a passage is relevant; the score is the probability of `true`.

Source: Nogueira, Jiang, Pradeep and Lin, Document Ranking with a Pretrained Sequence-to-Sequence Model (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.models import seq2seq
from citewell.models.loading import Loaded, context_length, load
from citewell.retrievers.ranking import hits, with_text
from citewell.types import Hit, Segment

LIMIT = 512  # tokens that the published models were trained with


@dataclass(frozen=True, kw_only=True)
class MonoT5:
    """Rank by the probability of `true` against `false`.

    Attributes:
        model: a T5 that was trained on `Query: … Document: … Relevant:`; hub id or path.
        batch: most prompts in a batch.
    """

    model: str = "castorini/monot5-base-msmarco"
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    batch: int = 16
    name: ClassVar[str] = "monot5"

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """All segments that have text, best first, ties by position; scores are probabilities of relevance.

        Raises:
            BackendError: the model cannot be loaded.
        """
        return self.rank_many([query], segments)[0]

    def rank_many(self, queries: Sequence[str], segments: Sequence[Segment]) -> list[tuple[Hit, ...]]:
        """The ranking for each query; the prompts of all queries are batched together."""
        positions = with_text(segments)
        if not positions or not queries:
            return [() for _ in queries]
        loaded = load("seq2seq", self.model, self.revision, self.device, self.dtype)
        prompts = [_prompt(loaded, query, segments[position].text) for query in queries for position in positions]
        values = seq2seq.first_token(loaded, prompts, self.batch)
        yes, no = values[:, seq2seq.token_id(loaded, "true")], values[:, seq2seq.token_id(loaded, "false")]
        scores = np.exp(yes - np.logaddexp(yes, no)).reshape(len(queries), len(positions))
        return [hits(row, positions) for row in scores]


def _prompt(loaded: Loaded, query: str, passage: str) -> str:
    """The prompt, the passage cut so that `Relevant:` stays inside the context."""
    head, tail = f"Query: {query} Document: ", " Relevant:"
    room = context_length(loaded, LIMIT) - len(loaded.tokenizer(head + tail, verbose=False)["input_ids"]) - 2
    return head + seq2seq.cut(loaded, passage, room) + tail
