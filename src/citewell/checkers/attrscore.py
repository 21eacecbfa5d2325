"""AttrScore: an instruction-tuned encoder-decoder that names a reference attributable, extrapolatory or contradictory.

Source: Yue et al., Automatic Evaluation of Attribution by Large Language Models (2023). As LAB does, the two labels
that do not attribute count as one: the score is the probability of `Attributable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.checkers.nli import counter
from citewell.checkers.premises import by_window
from citewell.checkers.verdicts import Scores, judge
from citewell.models import seq2seq
from citewell.models.classify import softmax
from citewell.models.loading import context_length, load
from citewell.protocols import Pair
from citewell.types import Verdict

REPLIES = ("Attributable", "Extrapolatory", "Contradictory")
# The words that the published model was tuned with; others make it worse.
PROMPT = (
    "Below is an instruction that describes a task, paired with an input that provides further context. "
    "Write a response that appropriately completes the request.\n\n"
    "### Instruction:\nVerify whether a given reference can support the claim. "
    "Options: Attributable, Extrapolatory or Contradictory.\n\n"
    "### Input:\nClaim: {claim}\nReference: {premise}\n\n### Response:"
)


@dataclass(frozen=True, kw_only=True)
class AttrScore:
    """The probability of the reply `Attributable` among the three.

    Attributes:
        model: an encoder-decoder that was tuned on this instruction; hub id or path.
        threshold: the probability from which a claim counts as supported.
        limit: most tokens of a prompt; longer evidence is read in windows and the maximum taken.
        batch: most prompts in a batch.
    """

    model: str = "osunlp/attrscore-flan-t5-xxl"
    threshold: float = 0.5
    limit: int | None = 2048
    batch: int = 8
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    name: ClassVar[str] = "attrscore"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; `contradicted` where the model finds that likelier than anything else.

        Raises:
            BackendError: the model cannot be loaded.
            UsageError: a pair has no documents.
        """
        loaded = load("seq2seq", self.model, self.revision, self.device, self.dtype)
        count = counter(loaded)

        def score(texts: list[tuple[str, str]]) -> Scores:
            prompts = [PROMPT.format(claim=claim, premise=premise) for premise, claim in texts]
            found = softmax(seq2seq.reply_scores(loaded, prompts, REPLIES, self.batch, self.limit))
            return np.stack([found[:, 0], found[:, 2]], axis=1)

        frame = count(PROMPT) + max((count(pair.claim) for pair in pairs), default=0)
        room = max(16, context_length(loaded, self.limit) - frame - 16)
        return judge(
            pairs, lambda pair: by_window(pair, count, room), score, threshold=self.threshold, method=self.name
        )
