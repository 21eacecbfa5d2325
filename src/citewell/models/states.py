"""States of a model's tokens at one layer, from a forward pass that stops there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell import notes
from citewell.errors import BackendError
from citewell.models.batches import batches
from citewell.models.loading import Loaded, import_torch

Matrix = npt.NDArray[np.float32]


class _StopError(Exception):
    """The layer that was wanted is reached."""


def layer_number(loaded: Loaded, layer: int) -> int:
    """The layer counted from 0, the embeddings, to the number of layers, the last one; negative counts from the end.

    Raises:
        BackendError: the model has no such layer.
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
    torch = import_torch()
    number = layer_number(loaded, layer)
    model = loaded.model.get_encoder() if loaded.model.config.is_encoder_decoder else loaded.model
    result: list[Matrix] = [np.zeros((0, 0), dtype=np.float32)] * len(sequences)
    pad = loaded.tokenizer.pad_token_id or 0
    for group in batches([len(ids) for ids in sequences], size, tokens):
        longest = max(len(sequences[i]) for i in group)
        ids = torch.full((len(group), longest), pad, dtype=torch.long)
        mask = torch.zeros((len(group), longest), dtype=torch.long)
        for row, i in enumerate(group.tolist()):
            ids[row, : len(sequences[i])] = torch.tensor(list(sequences[i]))
            mask[row, : len(sequences[i])] = 1
        try:
            with torch.inference_mode():
                states = _run(model, number, input_ids=ids.to(loaded.device), attention_mask=mask.to(loaded.device))
        except RuntimeError as error:
            lines = str(error).splitlines() or [type(error).__name__]
            raise BackendError(f"the forward pass over {longest} tokens failed: {lines[0][:300]}") from error
        notes.count("forward passes", len(group))
        notes.count("tokens", int(mask.sum()))
        for row, i in enumerate(group.tolist()):
            result[i] = states[row, : len(sequences[i])].float().cpu().numpy()
    return result


def _run(model: Any, number: int, **inputs: Any) -> Any:
    """States at a layer. They are what the next layer is given, so the pass stops at that layer's door."""
    layers = _layers(model)
    if number == len(layers):
        return model(**inputs).last_hidden_state
    seen: list[Any] = []

    def stop(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        seen.append(args[0] if args else kwargs["hidden_states"])
        raise _StopError

    hook = layers[number].register_forward_pre_hook(stop, with_kwargs=True)
    try:
        model(**inputs)
    except _StopError:
        return seen[0]
    finally:
        hook.remove()
    raise BackendError("the model has no layer to stop at")


def _layers(model: Any) -> Any:
    torch = import_torch()
    count = int(model.config.num_hidden_layers)
    for module in model.modules():
        if isinstance(module, torch.nn.ModuleList) and len(module) == count:
            return module
    raise BackendError(f"no list of {count} layers was found in {type(model).__name__}")
