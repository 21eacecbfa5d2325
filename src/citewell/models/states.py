"""Token states at one layer, from a forward pass that stops there, or of all layers from one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError
from citewell.models.batches import batches
from citewell.models.loading import Loaded, import_torch
from citewell.models.passes import passing

Matrix = npt.NDArray[np.float32]


class _Kept(NamedTuple):
    """The layers that are kept, None for all, and by (model, token ids) the states of each layer by its number."""

    layers: tuple[int, ...] | None
    states: dict[tuple[Any, tuple[int, ...]], dict[int, Matrix]]


# None where only the wanted layer is computed and nothing is kept.
_KEPT: ContextVar[_Kept | None] = ContextVar("citewell_states", default=None)


class _StopError(Exception):
    """The layer that was wanted is reached."""


def layer_number(loaded: Loaded, layer: int) -> int:
    """The layer counted from 0, the embeddings, to the number of layers, the last one; negative counts from the end.

    Raises BackendError: the model has no such layer.
    """
    count = int(loaded.model.config.num_hidden_layers)
    number = layer + count + 1 if layer < 0 else layer
    if not 0 <= number <= count:
        raise BackendError(f"layer {layer} is not there: the model has layers 0 to {count} (or -1 to {-count - 1})")
    return number


def token_states(
    loaded: Loaded, sequences: Sequence[Sequence[int]], layer: int = -1, *, size: int = 16, tokens: int = 16384
) -> list[Matrix]:
    """(tokens, dimensions) states of each sequence of token ids, as `output_hidden_states` numbers the layers.

    Args:
        loaded: any base model, or the encoder of an encoder-decoder.
        sequences: token ids, special tokens included.
        layer: 0 the embeddings, 1 after the first block, ..., -1 the last (after its final norm).
        size: most sequences in a batch.
        tokens: most tokens in a batch.

    Raises:
        BackendError: no such layer, or the pass failed (out of memory, say).
    """
    number = layer_number(loaded, layer)
    kept = _KEPT.get()
    if kept is None:
        return [states[0] for states in _pass(loaded, sequences, (number,), size, tokens)]
    last = layer_number(loaded, -1)
    every = (
        range(last + 1) if kept.layers is None else {layer_number(loaded, layer) for layer in kept.layers} | {number}
    )
    keys = [(loaded.model, tuple(ids)) for ids in sequences]
    new = [key for key in dict.fromkeys(keys) if number not in kept.states.get(key, ())]
    numbers = tuple(sorted(every))
    for key, states in zip(new, _pass(loaded, [ids for _, ids in new], numbers, size, tokens), strict=True):
        kept.states.setdefault(key, {}).update(zip(numbers, states, strict=True))
    return [kept.states[key][number] for key in keys]


@contextmanager
def kept_layers(layers: Sequence[int] | None = None) -> Iterator[None]:
    """Inside, a pass keeps the states of several layers, all without `layers`, so that each costs no pass of its own.

    The memory is that of these layers of all sequences until the end of the block, so that a block should hold one
    answer and its documents. Inside another such block that one goes on.
    """
    if _KEPT.get() is not None:
        yield
        return
    token = _KEPT.set(_Kept(None if layers is None else tuple(layers), {}))
    try:
        yield
    finally:
        _KEPT.reset(token)


def _pass(
    loaded: Loaded, sequences: Sequence[Sequence[int]], numbers: Sequence[int], size: int, tokens: int
) -> list[list[Matrix]]:
    """For each sequence the states of the layers `numbers`, which ascend."""
    torch = import_torch()
    model = loaded.model.get_encoder() if loaded.model.config.is_encoder_decoder else loaded.model
    result: list[list[Matrix]] = [[] for _ in sequences]
    pad = loaded.tokenizer.pad_token_id or 0
    for group in batches([len(ids) for ids in sequences], size, tokens):
        longest = max(len(sequences[i]) for i in group)
        ids = torch.full((len(group), longest), pad, dtype=torch.long)
        mask = torch.zeros((len(group), longest), dtype=torch.long)
        for row, i in enumerate(group.tolist()):
            ids[row, : len(sequences[i])] = torch.tensor(list(sequences[i]))
            mask[row, : len(sequences[i])] = 1
        with passing(int(mask.sum()), passes=len(group), longest=longest):
            layers = _run(model, numbers, input_ids=ids.to(loaded.device), attention_mask=mask.to(loaded.device))
        for row, i in enumerate(group.tolist()):
            result[i] = [states[row, : len(sequences[i])].float().cpu().numpy() for states in layers]
    return result


def _run(model: Any, numbers: Sequence[int], **inputs: Any) -> list[Any]:
    """States of some layers, ascending: what the next layer is given, so that the pass stops at that one's door."""
    layers = layers_of(model)
    captured: list[Any] = []
    inner = [number for number in numbers if number < len(layers)]
    whole = len(inner) < len(numbers)  # the last layer is the model's own output, after its final norm

    def look(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        captured.append(args[0] if args else kwargs["hidden_states"])
        if len(captured) == len(inner) and not whole:
            raise _StopError

    hooks = [layers[number].register_forward_pre_hook(look, with_kwargs=True) for number in inner]
    try:
        output = model(**inputs)
    except _StopError:
        return captured
    finally:
        for hook in hooks:
            hook.remove()
    if len(captured) != len(inner) or not whole:
        raise BackendError("the model has no layer to stop at")
    return [*captured, output.last_hidden_state]


def layers_of(model: Any) -> Any:
    """The list of a model's blocks. Raises BackendError: there is none."""
    torch = import_torch()
    count = int(model.config.num_hidden_layers)
    for module in model.modules():
        if isinstance(module, torch.nn.ModuleList) and len(module) == count:
            return module
    raise BackendError(f"no list of {count} layers was found in {type(model).__name__}")
