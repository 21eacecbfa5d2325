"""HETA: what flows to an answer's token, times how curved and how informative each token of the sources is for it.

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

from citewell import notes
from citewell.attributors.contexts import Context, Shown
from citewell.attributors.gradient.slopes import embedded
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced, sums
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

    def of(self, loaded: Loaded, context: Context, own: Sequence[Positions]) -> Matrix:
        """(targets, sources) sums over the tokens of both."""
        shown = context.shown()
        asked = np.unique(np.concatenate(list(own)))
        held = np.flatnonzero(shown.owners >= 0)
        weight = np.zeros((len(asked), len(shown.ids)))
        if self.information:
            weight[:, held] += self.information * information(loaded, shown, asked, held, self.batch)
        if self.curvature:
            signs = np.random.default_rng(self.seed).choice([-1.0, 1.0], (self.probes, _width(loaded)))
            weight[:, held] += self.curvature * curvature(loaded, shown, asked, held, signs)
        gate = rollouts(loaded, shown.ids, (shown.answer_at[asked] - 1).tolist())
        by_source = sums(gate * weight, shown.owners, len(context.spans))
        return np.stack([by_source[np.isin(asked, at)].sum(axis=0) for at in own])


def information(loaded: Loaded, shown: Shown, asked: Positions, held: Positions, batch: int) -> Matrix:
    """(answer's tokens, sources' tokens) divergence of what could stand there once a token's embedding is 0.

    Args:
        loaded: a causal model with its head.
        shown: the prompt with the answer.
        asked: the answer's tokens.
        held: positions of the sources' tokens.
        batch: most prompts at once.

    Raises:
        BackendError: a pass failed.
    """
    groups = [
        held[:0],
        *(held[first : first + batch] for first in range(0, len(held), batch)),
    ]  # first with none hidden
    result: list[Matrix] = []
    whole = None
    for hidden in groups:
        count = max(1, len(hidden))
        with passing(count * len(shown.ids), passes=count, longest=len(shown.ids)) as torch:
            tokens = torch.tensor([shown.ids], device=loaded.device)
            inputs = loaded.model.get_input_embeddings()(tokens).repeat(count, 1, 1)
            if len(hidden):
                inputs[torch.arange(count), torch.tensor(hidden)] = 0
            rows = torch.tensor(shown.answer_at[asked] - 1, device=loaded.device)
            logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits
            chances = torch.log_softmax(logits.float(), dim=-1)
            whole = chances if whole is None else whole
            apart = (whole.exp() * (whole - chances)).nan_to_num().sum(dim=-1).clamp(min=0)
        result.append(apart.T.double().cpu().numpy())
    return np.concatenate(result[1:], axis=1) if len(held) else np.zeros((len(asked), 0))


def curvature(loaded: Loaded, shown: Shown, asked: Positions, held: Positions, signs: Matrix) -> Matrix:
    """(answer's tokens, sources' tokens) mean absolute sums of a token's block of the Hessian with vectors of signs.

    Args:
        loaded: a causal model with its head.
        shown: the prompt with the answer.
        asked: the answer's tokens.
        held: positions of the sources' tokens.
        signs: (probes, dimensions).

    Raises:
        BackendError: a pass failed.
    """
    result = np.zeros((len(asked), len(held)))
    with embedded(loaded, shown.ids) as (torch, inputs):
        from torch.nn.attention import SDPBackend, sdpa_kernel

        rows = torch.tensor(shown.answer_at[asked] - 1, device=loaded.device)
        with sdpa_kernel(SDPBackend.MATH):  # the fused ones have no second derivative
            logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits[0]
            chances = torch.log_softmax(logits.float(), dim=-1)
            probes = torch.tensor(signs, dtype=inputs.dtype, device=inputs.device)
            for number, token in enumerate(asked.tolist()):
                said = chances[number, shown.ids[int(shown.answer_at[token])]]
                (slope,) = torch.autograd.grad(said, inputs, create_graph=True)
                for column, at in enumerate(held.tolist()):
                    for probe in probes:
                        (curved,) = torch.autograd.grad((slope[0, at] * probe).sum(), inputs, retain_graph=True)
                        result[number, column] += float(curved[0, at].float().abs().sum()) / len(probes)
            notes.count("backward passes", len(asked) * (1 + len(held) * len(probes)))
    return result


def _width(loaded: Loaded) -> int:
    return int(loaded.model.get_input_embeddings().weight.shape[1])
