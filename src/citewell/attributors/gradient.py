"""Input times gradient: how much each source's tokens move the log probability of an answer, to first order.

Source: Simonyan, Vedaldi and Zisserman (2013) for the gradient, Shrikumar, Greenside, Shcherbina and Kundaje, Not Just
a Black Box (2016) for its product with the input; one backward pass a target over one forward pass. A token's score is
the size of the dot product of its embedding with the gradient of the sum of log probabilities of the target's tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell import notes
from citewell.attributors.contexts import Context
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced
from citewell.models.loading import Loaded, import_torch
from citewell.models.passes import passing


@dataclass(frozen=True, kw_only=True)
class InputGradient(Sourced):
    """Cite the sources whose embeddings the answer's likelihood hangs on most.

    Attributes:
        mean: score a source by the mean over its tokens, and not by their sum, which favours long ones.
    """

    mean: bool = False
    name: ClassVar[str] = "input-gradient"

    def of(self, loaded: Loaded, context: Context, own: Sequence[Positions]) -> Matrix:
        """(targets, sources) sums over a source's tokens."""
        shown = context.shown()
        tokens = token_gradients(loaded, shown.ids, shown.answer_at, own)
        result = np.zeros((len(own), len(context.spans)))
        for source in range(len(context.spans)):
            values = tokens[:, shown.owners == source]
            result[:, source] = values.sum(axis=1) / (max(1, values.shape[1]) if self.mean else 1)
        return result


def token_gradients(loaded: Loaded, ids: Sequence[int], answer_at: Positions, own: Sequence[Positions]) -> Matrix:
    """(targets, tokens) sizes of the products of embedding and gradient.

    Args:
        loaded: a causal model with its head.
        ids: the prompt with the answer.
        answer_at: where the answer's tokens stand.
        own: which of these are each target's.

    Raises:
        BackendError: a pass failed.
    """
    torch = import_torch()
    result = np.zeros((len(own), len(ids)))
    with loaded.lock:
        for weights in loaded.model.parameters():
            weights.requires_grad_(requires_grad=False)  # only the gradient of the input is wanted
        notes.count("backward passes", len(own))
        with passing(len(ids), gradients=True):
            tokens = torch.tensor([list(ids)], device=loaded.device)
            inputs = loaded.model.get_input_embeddings()(tokens).detach().requires_grad_()
            rows = torch.tensor(answer_at - 1, device=loaded.device)
            logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits[0]
            chances = torch.log_softmax(logits.float(), dim=-1)
            said = chances[torch.arange(len(rows)), tokens[0, torch.tensor(answer_at)]]
            for number, at in enumerate(own):
                last = number == len(own) - 1
                (slope,) = torch.autograd.grad(said[torch.tensor(at)].sum(), inputs, retain_graph=not last)
                moved = (slope[0].float() * inputs[0].detach().float()).sum(dim=-1)
                result[number] = moved.abs().cpu().numpy()
    return result
