"""Runs one batch through a model, on torch or on onnxruntime: from encoded texts to the model's outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError
from citewell.models.loading import Loaded, import_torch
from citewell.models.onnx.session import OnnxModel

Matrix = npt.NDArray[np.float32]
Coded = Mapping[str, list[int]]


class Encoded(NamedTuple):
    """What an encoder made of a batch, as its own decoder reads it."""

    states: Any
    mask: Any


def logits(loaded: Loaded, items: Sequence[Coded]) -> Matrix:
    """(texts, labels) logits of a classifier."""
    return _run(loaded, loaded.model, items, "logits")[0]


def spans(loaded: Loaded, items: Sequence[Coded]) -> tuple[Matrix, Matrix]:
    """(texts, tokens) logits of where an answer starts, and of where it ends."""
    return tuple(_named(loaded, loaded.model, items, ("start_logits", "end_logits"))[0])  # type: ignore[return-value]


def states(loaded: Loaded, items: Sequence[Coded]) -> tuple[Matrix, npt.NDArray[np.int64]]:
    """(texts, tokens, dimensions) states of an encoder's last layer, and the (texts, tokens) mask of what is text."""
    model = loaded.model
    if not isinstance(model, OnnxModel) and model.config.is_encoder_decoder:
        model = model.get_encoder()
    return _run(loaded, model, items, "last_hidden_state", leave="token_type_ids")


def vectors(loaded: Loaded, items: Sequence[Coded], pooling: str) -> Matrix:
    """(texts, dimensions) states of an encoder's last layer, pooled: `mean`, `cls`, `max` or `last` (not of padding).

    `auto` is what an exported sentence encoder says of itself.
    """
    if pooling == "auto":
        return _own_vectors(loaded, items)
    return pooled(*states(loaded, items), pooling)


def _own_vectors(loaded: Loaded, items: Sequence[Coded]) -> Matrix:
    padded = loaded.tokenizer.padded(items)
    outputs = loaded.model.run(padded)
    if "sentence_embedding" in outputs:
        whole: Matrix = outputs["sentence_embedding"]
        return whole
    values = pooled(outputs["last_hidden_state"], padded["attention_mask"], loaded.model.pooling)
    if loaded.model.normalize:
        values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-12)
    return values


def pooled(values: Matrix, mask: npt.NDArray[np.int64], pooling: str) -> Matrix:
    """One vector a text of its (texts, tokens, dimensions) states, those of padding left out."""
    if pooling == "cls":
        return values[:, 0]
    if pooling == "last":
        last = (mask * np.arange(mask.shape[1])).argmax(axis=1)  # right or left padding alike
        last_states: Matrix = values[np.arange(len(values)), last]
        return last_states
    if pooling == "max":
        greatest: Matrix = np.where(mask[:, :, None] > 0, values, -np.inf).max(axis=1).astype(np.float32)
        return greatest
    share = mask / np.maximum(mask.sum(axis=1, keepdims=True), 1)
    mean: Matrix = np.einsum("tnd,tn->td", values, share.astype(np.float32))
    return mean


def encoded(loaded: Loaded, items: Sequence[Coded]) -> Encoded:
    """A batch as the encoder of an encoder-decoder reads it."""
    if isinstance(loaded.model, OnnxModel):
        inputs = loaded.tokenizer.padded(items)
        return Encoded(loaded.model.run(inputs)["last_hidden_state"], inputs["attention_mask"])
    torch = import_torch()
    with torch.inference_mode():
        inputs = loaded.tokenizer.pad([dict(item) for item in items], return_tensors="pt").to(loaded.device)
        return Encoded(loaded.model.get_encoder()(**inputs), inputs["attention_mask"])


def decoded(loaded: Loaded, read: Encoded, ids: Sequence[int]) -> Matrix:
    """(texts, tokens, vocabulary) log probabilities of what follows each of `ids`, the decoder's own words so far."""
    count = len(read.mask)
    if isinstance(loaded.model, OnnxModel):
        prefix = np.tile(np.asarray(ids, dtype=np.int64), (count, 1))
        values = loaded.model.decode(read.states, read.mask, prefix)
    else:
        torch = import_torch()
        with torch.inference_mode():
            prefix = torch.tensor([list(ids)], device=loaded.device).expand(count, -1)
            out = loaded.model(encoder_outputs=read.states, attention_mask=read.mask, decoder_input_ids=prefix)
            values = out.logits.float().cpu().numpy()
    shifted = values - values.max(axis=-1, keepdims=True)
    shares: Matrix = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return shares


def _run(
    loaded: Loaded, model: Any, items: Sequence[Coded], output: Literal["logits", "last_hidden_state"], leave: str = ""
) -> tuple[Matrix, npt.NDArray[np.int64]]:
    (values,), mask = _named(loaded, model, items, (output,), leave)
    return values, mask


def _named(
    loaded: Loaded, model: Any, items: Sequence[Coded], outputs: Sequence[str], leave: str = ""
) -> tuple[list[Matrix], npt.NDArray[np.int64]]:
    """Some outputs of a model for a batch, and the mask of what is text."""
    if isinstance(model, OnnxModel):
        padded = loaded.tokenizer.padded(items)
        arrays = model.run(padded)
        if lacking := [output for output in outputs if output not in arrays]:
            raise BackendError(f"the exported model is of another kind: it gives no {', '.join(lacking)}")
        return [arrays[output] for output in outputs], padded["attention_mask"]
    torch = import_torch()
    with torch.inference_mode():
        inputs = loaded.tokenizer.pad([dict(item) for item in items], return_tensors="pt").to(loaded.device)
        inputs.pop(leave, None)
        result = model(**inputs)
        return [getattr(result, output).float().cpu().numpy() for output in outputs], inputs[
            "attention_mask"
        ].cpu().numpy()
