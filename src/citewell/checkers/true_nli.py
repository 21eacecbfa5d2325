"""TRUE's entailment model: a T5 that answers `1` where a premise entails a hypothesis.

Source: Honovich et al., TRUE: Re-evaluating Factual Consistency Evaluation (2022); the score is the probability of `1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.checkers.nli import counter
from citewell.checkers.premises import by_window
from citewell.checkers.verdicts import Scores, judge, supported_only
from citewell.models import seq2seq
from citewell.models.loading import context_length, load
from citewell.protocols import Pair
from citewell.types import Verdict


@dataclass(frozen=True, kw_only=True)
class TRUE:
    """The probability that the model's first token is `1`.

    Attributes:
        model: a T5 that was trained on `premise: … hypothesis: …`; hub id or path.
        threshold: the probability from which a claim counts as supported.
        limit: most tokens of a prompt; longer evidence is read in windows and the maximum taken.
        batch: most prompts in a batch.
    """

    model: str = "google/t5_xxl_true_nli_mixture"
    threshold: float = 0.5
    limit: int | None = 2048
    batch: int = 8
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    name: ClassVar[str] = "true"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; the model cannot tell contradiction from absence.

        Raises:
            BackendError: the model cannot be loaded.
            UsageError: a pair has no documents.
        """
        loaded = load("seq2seq", self.model, self.revision, self.device, self.dtype)
        count = counter(loaded)
        one = seq2seq.token_id(loaded, "1")

        def score(texts: list[tuple[str, str]]) -> Scores:
            prompts = [f"premise: {premise} hypothesis: {claim}" for premise, claim in texts]
            found = seq2seq.first_token(loaded, prompts, self.batch, self.limit)[:, one]
            return supported_only(np.exp(found))

        longest = max((count(pair.claim) for pair in pairs), default=0)
        room = max(16, context_length(loaded, self.limit) - longest - 16)
        return judge(
            pairs, lambda pair: by_window(pair, count, room), score, threshold=self.threshold, method=self.name
        )
