"""MiniCheck: small models trained to check claims against documents, Flan-T5 or a RoBERTa or DeBERTa classifier.

Source: Tang, Laban and Durrett, MiniCheck: Efficient Fact-Checking of LLMs on Grounding Documents (2024). Documents are
read in chunks of whole sentences (500 words for Flan-T5, 400 tokens for the classifiers); the best chunk counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.checkers.nli import counter
from citewell.checkers.premises import by_window
from citewell.checkers.verdicts import Scores, judge, supported_only
from citewell.errors import BackendError
from citewell.models import seq2seq
from citewell.models.classify import logits, softmax
from citewell.models.loading import kind_of, load
from citewell.protocols import Pair
from citewell.types import Verdict

WORDS, TOKENS = 500, 400


@dataclass(frozen=True, kw_only=True)
class MiniCheck:
    """The probability of support, at its maximum over the chunks.

    Attributes:
        model: `lytang/MiniCheck-Flan-T5-Large`, `-RoBERTa-Large`, `-DeBERTa-v3-Large` or one like them; hub id or path.
        threshold: the probability from which a claim counts as supported.
        chunk: words (Flan-T5) or tokens (classifiers) of a chunk; None for the published sizes.
        batch: most prompts in a batch.
    """

    model: str = "lytang/MiniCheck-Flan-T5-Large"
    threshold: float = 0.5
    chunk: int | None = None
    batch: int = 16
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    name: ClassVar[str] = "minicheck"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; the models cannot tell contradiction from absence.

        Raises:
            BackendError: the model cannot be loaded, or is of neither kind.
            UsageError: a pair has no documents.
        """
        kind = kind_of(self.model, self.revision)
        loaded = load(kind, self.model, self.revision, self.device, self.dtype)
        end = loaded.tokenizer.eos_token or loaded.tokenizer.sep_token
        if end is None:
            raise BackendError(f"the tokenizer of {self.model!r} has no end token, which stands before the claim")
        # Flan-T5 was trained with limits in words, the classifiers with limits in tokens.
        count = (lambda text: len(text.split())) if kind == "seq2seq" else counter(loaded)
        room = self.chunk or (WORDS if kind == "seq2seq" else TOKENS)

        def score(texts: list[tuple[str, str]]) -> Scores:
            prompts = [f"{premise}{end}{claim}" for premise, claim in texts]
            if kind == "seq2seq":
                found = seq2seq.first_token(loaded, [f"predict: {prompt}" for prompt in prompts], self.batch)
                no, yes = (found[:, seq2seq.token_id(loaded, reply)] for reply in ("0", "1"))
                return supported_only(np.exp(yes - np.logaddexp(no, yes)))
            classes = softmax(logits(loaded, [(prompt, "") for prompt in prompts], size=self.batch))
            return supported_only(classes[:, 1])

        return judge(
            pairs, lambda pair: by_window(pair, count, room), score, threshold=self.threshold, method=self.name
        )
