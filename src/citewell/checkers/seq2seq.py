"""Checkers by encoder-decoders tuned for verification: TRUE, AttrScore and MiniCheck (which also has classifiers)."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.checkers.premises import Premise, by_sentence, by_window, read_as
from citewell.checkers.verdicts import ModelChecker, Scores, Text, counter, supported_only
from citewell.errors import BackendError
from citewell.models import seq2seq
from citewell.models.classify import logits, softmax
from citewell.models.loading import Kind, Loaded, context_length
from citewell.models.portable import kind_of
from citewell.protocols import Pair

MARGIN = 16  # tokens of a prompt that are kept free: a text's tokens are not always the same inside another
REPLIES = ("Attributable", "Extrapolatory", "Contradictory")
WORDS, TOKENS = 500, 400  # of MiniCheck's chunks: words for Flan-T5, tokens for the classifiers


@dataclass(frozen=True, kw_only=True)
class PromptedChecker(ModelChecker, ABC):
    """An encoder-decoder that is shown a premise and a claim in the words that it was tuned with.

    Attributes:
        premise: `windows` of whole sentences that fill the limit, or `sentences` one by one.
        limit: most tokens of a prompt; longer evidence is read in windows of whole sentences.
    """

    batch: int = 8
    premise: str = "windows"
    limit: int | None = 2048
    prompt: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        read_as(self.premise)

    def _kind(self) -> Kind:
        return "seq2seq"

    def _premises(self, loaded: Loaded, pairs: Sequence[Pair]) -> list[list[Premise]]:
        if self.premise == "sentences":
            return [by_sentence(pair) for pair in pairs]
        count = counter(loaded)
        frame = count(self.prompt) + max((count(pair.claim) for pair in pairs), default=0) + MARGIN
        room = max(16, context_length(loaded, self.limit) - frame)
        return [by_window(pair, count, room) for pair in pairs]

    def _prompts(self, texts: Sequence[Text]) -> list[str]:
        return [self.prompt.format(premise=premise, claim=claim) for premise, claim in texts]


@dataclass(frozen=True, kw_only=True)
class TRUE(PromptedChecker):
    """The probability that the first token is `1`; the model cannot tell contradiction from absence.

    Source: Honovich et al., TRUE: Re-evaluating Factual Consistency Evaluation (2022). `premise=sentences` is how the
    long-form study judges with it (Chen et al., 2023, appendix A.4).

    Attributes:
        model: a T5 that was trained on `premise: … hypothesis: …`; hub id or path.
    """

    model: str = "google/t5_xxl_true_nli_mixture"
    name: ClassVar[str] = "true"
    prompt: ClassVar[str] = "premise: {premise} hypothesis: {claim}"

    def _scores(self, loaded: Loaded, texts: Sequence[Text]) -> Scores:
        first = seq2seq.first_token(loaded, self._prompts(texts), self.batch, self.limit)
        return supported_only(np.exp(first[:, seq2seq.token_id(loaded, "1")]))


@dataclass(frozen=True, kw_only=True)
class AttrScore(PromptedChecker):
    """The probability of the reply `Attributable` among three; `contradicted` where that is likelier than the others.

    Source: Yue et al., Automatic Evaluation of Attribution by Large Language Models (2023). As LAB does, the two labels
    that do not attribute count as one.

    Attributes:
        model: an encoder-decoder that was tuned on this instruction; hub id or path.
    """

    model: str = "osunlp/attrscore-flan-t5-xxl"
    name: ClassVar[str] = "attrscore"
    # The words that the published model was tuned with; others make it worse.
    prompt: ClassVar[str] = (
        "Below is an instruction that describes a task, paired with an input that provides further context. "
        "Write a response that appropriately completes the request.\n\n"
        "### Instruction:\nVerify whether a given reference can support the claim. "
        "Options: Attributable, Extrapolatory or Contradictory.\n\n"
        "### Input:\nClaim: {claim}\nReference: {premise}\n\n### Response:"
    )

    def _scores(self, loaded: Loaded, texts: Sequence[Text]) -> Scores:
        shares = softmax(seq2seq.reply_scores(loaded, self._prompts(texts), REPLIES, self.batch, self.limit))
        return np.stack([shares[:, 0], shares[:, 2]], axis=1)


@dataclass(frozen=True, kw_only=True)
class MiniCheck(ModelChecker):
    """Small models trained to check claims: Flan-T5, RoBERTa, DeBERTa; none can tell contradiction from absence.

    Source: Tang, Laban and Durrett, MiniCheck: Efficient Fact-Checking of LLMs on Grounding Documents (2024). Documents
    are read in chunks of whole sentences; the best chunk counts.

    Attributes:
        model: `lytang/MiniCheck-Flan-T5-Large`, `-RoBERTa-Large`, `-DeBERTa-v3-Large` or one like them; hub id or path.
        chunk: words (Flan-T5) or tokens (classifiers) of a chunk; None for the published 500 and 400.
    """

    model: str = "lytang/MiniCheck-Flan-T5-Large"
    chunk: int | None = None
    name: ClassVar[str] = "minicheck"

    def _kind(self) -> Kind:
        return kind_of(self.model, self.revision, self.runtime)

    def _premises(self, loaded: Loaded, pairs: Sequence[Pair]) -> list[list[Premise]]:
        # Flan-T5 was trained with limits in words, the classifiers with limits in tokens.
        in_words = self._writes(loaded)
        count = (lambda text: len(text.split())) if in_words else counter(loaded)
        return [by_window(pair, count, self.chunk or (WORDS if in_words else TOKENS)) for pair in pairs]

    def _scores(self, loaded: Loaded, texts: Sequence[Text]) -> Scores:
        end = loaded.tokenizer.eos_token or loaded.tokenizer.sep_token
        if end is None:
            raise BackendError(f"the tokenizer of {self.model!r} has no end token, which stands before the claim")
        joined = [f"{premise}{end}{claim}" for premise, claim in texts]
        if not self._writes(loaded):
            return supported_only(softmax(logits(loaded, [(text, "") for text in joined], size=self.batch))[:, 1])
        first = seq2seq.first_token(loaded, [f"predict: {text}" for text in joined], self.batch)
        no, yes = (first[:, seq2seq.token_id(loaded, reply)] for reply in ("0", "1"))
        return supported_only(np.exp(yes - np.logaddexp(no, yes)))

    @staticmethod
    def _writes(loaded: Loaded) -> bool:
        return bool(loaded.model.config.is_encoder_decoder)
