"""Selects the runtime of a model, and provides onnxruntime models to back ends."""

from __future__ import annotations

import importlib.util
from typing import Literal

from citewell.errors import BackendError
from citewell.models import loading
from citewell.models.loading import Kind, Loaded, Placement
from citewell.models.onnx import folder, session

RUNTIMES = ("auto", "torch", "onnx")


def runtime(model: str, wanted: str) -> Literal["torch", "onnx"]:
    """What runs a model: as wanted; `auto` is onnx where only that can."""
    if wanted != "auto":
        return "onnx" if wanted == "onnx" else "torch"
    if folder.is_exported(model):
        return "onnx"
    torch = all(importlib.util.find_spec(library) is not None for library in ("torch", "transformers"))
    return "torch" if torch or not session.installed() else "onnx"


def load(model: str, revision: str | None, placement: Placement) -> Loaded:
    """A model of onnxruntime with its tokenizer, loaded the first time.

    Raises MissingExtraError: onnxruntime or tokenizers is not installed; BackendError: the model is not found or
    damaged, or the placement asks for what onnxruntime has not.
    """
    if placement.device_map or placement.quantize not in (None, "8bit") or placement.dtype not in ("auto", "float32"):
        raise BackendError("under runtime=onnx a model is whole on one device, in float32 or with quantize=8bit")
    path, small = loading.local_path(model), placement.quantize == "8bit"

    def now() -> Loaded:
        weights, tokenizer, lock = session.load(path, revision, device=placement.device, small=small)
        return Loaded(weights, tokenizer, f"onnx:{placement.device}", "int8" if small else "float32", lock)

    loaded: Loaded = loading.kept(("onnx", path, revision or "", placement, folder.changed(path)), now)
    return loaded


def kind_of(model: str, revision: str | None, wanted: str) -> Kind:
    """Whether a model is an encoder-decoder or a classifier, from its config alone.

    Raises MissingExtraError: what its runtime needs is not installed; BackendError: the model is not found.
    """
    if runtime(model, wanted) == "torch":
        return loading.kind_of(model, revision)
    return "seq2seq" if folder.config_of(loading.local_path(model), revision).is_encoder_decoder else "classifier"
