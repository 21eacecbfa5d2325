"""Models that score answers: perplexity under a causal language model, closeness of an answer to its question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from citewell.errors import BackendError, UsageError
from citewell.models.loading import Placement, context_length, import_torch, load


@dataclass(frozen=True, kw_only=True)
class Perplexity:
    """exp of the mean loss of the answer's tokens, without the question; the paper used GPT-2-XL.

    Attributes:
        model: any causal language model; hub id or path.
        device, dtype: as everywhere.
    """

    model: str
    device: str = "auto"
    dtype: str = "auto"

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One perplexity a (question, answer) pair.

        A first token is put before the answer where the model has one, so that its first word counts; an answer
        longer than the context is read in windows that overlap by half, each token counted once.

        Raises:
            BackendError: the model cannot be loaded, or an answer has fewer tokens than two.
            MissingExtraError: torch or transformers is not installed.
        """
        loaded = load("causal", self.model, None, Placement(self.device, self.dtype))
        most = context_length(loaded)
        return [self._perplexity(loaded, answer, most) for _, answer in pairs]

    def _perplexity(self, loaded: Any, answer: str, most: int) -> float:
        torch = import_torch()
        tokenizer = loaded.tokenizer
        ids = list(tokenizer(answer, add_special_tokens=False, verbose=False)["input_ids"])
        first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        ids = [first, *ids] if first is not None else ids
        if len(ids) < 2:
            raise BackendError(f"perplexity needs at least two tokens; {answer[:40]!r} has {len(ids)}")
        loss, counted, done = 0.0, 0, 1
        for start in range(0, len(ids), max(1, most // 2)):
            window = torch.tensor([ids[start : start + most]]).to(loaded.device)
            with torch.inference_mode():
                scores = torch.log_softmax(loaded.model(input_ids=window).logits[0, :-1].float(), dim=-1)
            targets = window[0, 1:]
            fresh = done - start - 1  # targets before this one were counted in the window before
            picked = scores.gather(1, targets.unsqueeze(1)).squeeze(1)[fresh:]
            loss, counted = loss - float(picked.sum()), counted + len(picked)
            done = start + window.shape[1]
            if done >= len(ids):
                break
        return float(np.exp(loss / counted))


def continuation(encoder: Any) -> Any:
    """A scorer of how well an answer goes on from its question: the product of two embeddings, as RankGen does.

    `encoder` is a retriever with `embed(texts, passages=...)`. RankGen itself marks the beginning by `pre ` and what
    follows by `suffi `: `dense(model=..., similarity=dot, query_prefix="pre ", passage_prefix="suffi ")`.

    Raises:
        UsageError: the retriever has no embeddings.
    """
    check_embeds(encoder)

    def score(pairs: Sequence[tuple[str, str]]) -> list[float]:
        questions = encoder.embed([question for question, _ in pairs])
        answers = encoder.embed([answer for _, answer in pairs], passages=True)
        return [float(value) for value in (questions * answers).sum(axis=1)]

    return score


def check_embeds(encoder: Any) -> None:
    """Refuse a retriever without embeddings.

    Raises:
        UsageError: it has no `embed`.
    """
    if not hasattr(encoder, "embed"):
        name = getattr(encoder, "name", type(encoder).__name__)
        raise UsageError(f"the retriever {name!r} has no embeddings; give dense(model=...) or one of its aliases")
