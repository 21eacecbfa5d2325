"""HETA: the flow to an answer's token, weighted by curvature and information of each source token.

Source: Pramanik, Maliha, Bastian and Jha, Hessian-Enhanced Token Attribution (ICLR 2026, arXiv 2604.13258; code
VishalPramanik/HETA, Apache-2.0), section 4 and algorithm 1. A token's score is M (curvature S + information I): M the
rollout of attention by the size of what heads pass on, S the absolute sum of the Hessian of the log probability with
random signs, within the token's own block, I the divergence of what could follow from what could once the token's
embedding is 0. A target has the sum over its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.attributors.contexts import Context, PromptTokens
from citewell.attributors.gradient.slopes import embedded
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced, sums
from citewell.errors import notes
from citewell.models.flows import rollouts
from citewell.models.loading import Loaded
from citewell.models.passes import passing


@dataclass(frozen=True, kw_only=True)
class HETA(Sourced):
    """Cite the sources whose tokens flow to a target, are curved and informative; for short documents, it is costly.

    Attributes:
        curvature: the weight of the Hessian; 0 leaves it out, and with it nearly all of the cost.
        information: the weight of the divergence.
        probes: vectors of random signs, a backward pass each for every token of the sources and of a target.
        seed: of the signs.
        limit: most tokens of a prompt; the paper's windows have 512.
    """

    curvature: float = 0.5
    information: float = 0.5
    probes: int = 10
    seed: int = 0
    limit: int | None = 512
    name: ClassVar[str] = "heta"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.probes < 1 or self.curvature < 0 or self.information < 0 or not self.curvature + self.information:
            raise ValueError("probes is at least 1, curvature and information at least 0 and not both 0")

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) sums over the tokens of both."""
        prompt = context.prompt()
        answer_tokens = np.unique(np.concatenate(list(tokens)))
        source_tokens = np.flatnonzero(prompt.owners >= 0)
        weight = np.zeros((len(answer_tokens), len(prompt.ids)))
        if self.information:
            weight[:, source_tokens] += self.information * information(
                loaded, prompt, answer_tokens, source_tokens, self.batch
            )
        if self.curvature:
            width = int(loaded.model.get_input_embeddings().weight.shape[1])
            signs = np.random.default_rng(self.seed).choice([-1.0, 1.0], (self.probes, width))
            weight[:, source_tokens] += self.curvature * curvature(loaded, prompt, answer_tokens, source_tokens, signs)
        gate = rollouts(loaded, prompt.ids, (prompt.answer_at[answer_tokens] - 1).tolist())
        by_source = sums(gate * weight, prompt.owners, len(context.spans))
        return np.stack([by_source[np.isin(answer_tokens, at)].sum(axis=0) for at in tokens])


def information(
    loaded: Loaded, prompt: PromptTokens, answer_tokens: Positions, source_tokens: Positions, batch: int
) -> Matrix:
    """(answer's tokens, sources' tokens) divergence of what could stand there once a token's embedding is 0.

    Args:
        loaded: a causal model with its head.
        prompt: the prompt with the answer.
        answer_tokens: the answer's tokens.
        source_tokens: positions of the sources' tokens.
        batch: most prompts at once.

    Raises:
        BackendError: a pass failed.
    """
    groups = [
        source_tokens[:0],
        *(source_tokens[first : first + batch] for first in range(0, len(source_tokens), batch)),
    ]  # first with none hidden
    result: list[Matrix] = []
    whole = None
    for hidden in groups:
        count = max(1, len(hidden))
        with passing(count * len(prompt.ids), passes=count, longest=len(prompt.ids)) as torch:
            tokens = torch.tensor([prompt.ids], device=loaded.device)
            inputs = loaded.model.get_input_embeddings()(tokens).repeat(count, 1, 1)
            if len(hidden):
                inputs[torch.arange(count), torch.tensor(hidden)] = 0
            rows = torch.tensor(prompt.answer_at[answer_tokens] - 1, device=loaded.device)
            logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits
            chances = torch.log_softmax(logits.float(), dim=-1)
            whole = chances if whole is None else whole
            apart = (whole.exp() * (whole - chances)).nan_to_num().sum(dim=-1).clamp(min=0)
        result.append(apart.T.double().cpu().numpy())
    return np.concatenate(result[1:], axis=1) if len(source_tokens) else np.zeros((len(answer_tokens), 0))


def curvature(
    loaded: Loaded, prompt: PromptTokens, answer_tokens: Positions, source_tokens: Positions, signs: Matrix
) -> Matrix:
    """(answer's tokens, sources' tokens) mean absolute sums of a token's block of the Hessian with vectors of signs.

    Args:
        loaded: a causal model with its head.
        prompt: the prompt with the answer.
        answer_tokens: the answer's tokens.
        source_tokens: positions of the sources' tokens.
        signs: (probes, dimensions).

    Raises:
        BackendError: a pass failed.
    """
    result = np.zeros((len(answer_tokens), len(source_tokens)))
    with embedded(loaded, prompt.ids) as (torch, inputs):
        from torch.nn.attention import SDPBackend, sdpa_kernel

        rows = torch.tensor(prompt.answer_at[answer_tokens] - 1, device=loaded.device)
        with sdpa_kernel(SDPBackend.MATH):  # the fused ones have no second derivative
            logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits[0]
            chances = torch.log_softmax(logits.float(), dim=-1)
            probes = torch.tensor(signs, dtype=inputs.dtype, device=inputs.device)
            for number, token in enumerate(answer_tokens.tolist()):
                log_probability = chances[number, prompt.ids[int(prompt.answer_at[token])]]
                (slope,) = torch.autograd.grad(log_probability, inputs, create_graph=True)
                for column, at in enumerate(source_tokens.tolist()):
                    for probe in probes:
                        (curved,) = torch.autograd.grad((slope[0, at] * probe).sum(), inputs, retain_graph=True)
                        result[number, column] += float(curved[0, at].float().abs().sum()) / len(probes)
            notes.count("backward passes", len(answer_tokens) * (1 + len(source_tokens) * len(probes)))
    return result
