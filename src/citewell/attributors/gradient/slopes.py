"""Gradients of a model's output with respect to its input embeddings, one backward pass per output value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.attributors.places import Positions
from citewell.errors import notes
from citewell.models.loading import Loaded
from citewell.models.passes import passing

Matrix = npt.NDArray[np.float64]


def slopes(
    loaded: Loaded,
    ids: Sequence[int],
    answer_at: Positions,
    numbers: Callable[[Any], Sequence[Any]],
    sizes: Callable[[Any, Any], Any],
) -> Matrix:
    """(numbers, tokens) what the gradient of each number is reduced to at each token.

    Args:
        loaded: a causal model with its head.
        ids: the prompt with the answer.
        answer_at: where the answer's tokens stand.
        numbers: of the (answer tokens, outcomes) log probabilities of what could stand at each, the numbers whose
            gradients are wanted.
        sizes: of the (tokens, dimensions) embeddings and of a number's gradient, one value a token.

    Raises:
        BackendError: a pass failed.
    """
    with embedded(loaded, ids) as (torch, inputs):
        rows = torch.tensor(answer_at - 1, device=loaded.device)
        logits = loaded.model(inputs_embeds=inputs, logits_to_keep=rows, use_cache=False).logits[0]
        wanted = numbers(torch.log_softmax(logits.float(), dim=-1))
        result = np.zeros((len(wanted), len(ids)))
        for number, value in enumerate(wanted):
            notes.count("backward passes")
            last = number == len(wanted) - 1
            (slope,) = torch.autograd.grad(value, inputs, retain_graph=not last)
            result[number] = sizes(inputs[0].detach().float(), slope[0].float()).cpu().numpy()
    return result


@contextmanager
def embedded(loaded: Loaded, ids: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Torch and the embeddings of a text, whose gradients are wanted, for the block that runs the model.

    Raises:
        BackendError: a pass failed.
    """
    with loaded.lock:
        for weights in loaded.model.parameters():
            weights.requires_grad_(requires_grad=False)  # only the gradient of the input is wanted
        with passing(len(ids), gradients=True) as torch:
            tokens = torch.tensor([list(ids)], device=loaded.device)
            yield torch, loaded.model.get_input_embeddings()(tokens).detach().requires_grad_()
