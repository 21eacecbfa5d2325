"""Graphs loaded on first use, with the model's config and its output for a batch."""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError
from citewell.models import faults
from citewell.models.onnx import folder
from citewell.models.onnx.tokenizer import Tokenizer

Arrays = Mapping[str, npt.NDArray[Any]]
_MODES = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
    "lasttoken": "last",
}


class OnnxModel:
    """A graph, or the two of an encoder-decoder.

    Attributes:
        config: what its config.json says, by names.
        pooling: of a sentence encoder: `mean`, `cls`, `last` or `max`.
        normalize: whether a sentence encoder's vectors have length 1.
    """

    def __init__(self, parts: folder.Graphs, providers: list[str]) -> None:
        self.config: SimpleNamespace = folder.settings(parts.folder)
        self.pooling, self.normalize = _pooling(parts.folder)
        self._main = _session(parts.main, providers)
        self._decoder = _session(parts.decoder, providers) if parts.decoder else None

    def run(self, inputs: Arrays) -> dict[str, npt.NDArray[np.float32]]:
        """The named outputs of the graph, or of the encoder."""
        return _outputs(self._main, inputs)

    def decode(self, states: npt.NDArray[np.float32], mask: npt.NDArray[Any], ids: npt.NDArray[Any]) -> Any:
        """(texts, tokens, vocabulary) logits of the decoder. Raises BackendError: the model has no decoder."""
        if self._decoder is None:
            raise BackendError("the exported model is no encoder-decoder: it has one graph")
        inputs = {"encoder_hidden_states": states, "encoder_attention_mask": mask, "input_ids": ids}
        return _outputs(self._decoder, inputs)["logits"]


def load(
    model: str, revision: str | None = None, *, device: str = "auto", small: bool = False
) -> tuple[OnnxModel, Tokenizer, Any]:
    """A model, its tokenizer and a lock for them.

    Raises MissingExtraError: onnxruntime or tokenizers is not installed; BackendError: the model is not found or
    damaged, or the device is not there.
    """
    runtime, tokenizers = required("onnxruntime"), required("tokenizers")
    parts = folder.graphs(model, revision, small=small)
    loaded = OnnxModel(parts, _providers(runtime, device))
    return loaded, Tokenizer(tokenizers, parts.folder, loaded.config.pad_token_id), threading.RLock()


def installed() -> bool:
    """Whether onnxruntime can be imported."""
    return importlib.util.find_spec("onnxruntime") is not None


def required(library: str) -> Any:
    """A library that models without torch need. Raises MissingExtraError: it is not installed."""
    return faults.imported(library, "a model without torch", "onnx")


def _providers(runtime: Any, device: str) -> list[str]:
    known = runtime.get_available_providers()
    if device.startswith("cuda"):
        if "CUDAExecutionProvider" not in known:
            raise BackendError(
                f"the device {device!r} was requested, but this onnxruntime has no GPU; use device=auto or device=cpu"
            )
        return ["CUDAExecutionProvider", "CPUExecutionProvider"]
    if device not in ("auto", "cpu"):
        raise BackendError(f"onnxruntime works on the devices cpu and cuda here, not {device!r}")
    return ["CPUExecutionProvider"]


def _session(path: Path, providers: list[str]) -> Any:
    runtime = required("onnxruntime")
    options = runtime.SessionOptions()
    # Its arena keeps the largest batch of every shape for good: memory would grow with what was ever asked.
    options.enable_cpu_mem_arena = False
    # Threads without work would turn in a loop until there is some: of a short text's processor time that was half.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return runtime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # it raises a dozen classes of its own
        raise faults.explain(str(path), error) from error


def open_graph(path: Path) -> Any:
    """The session of one graph on the processor.

    Raises MissingExtraError: onnxruntime is not installed; BackendError: the graph is not there or damaged.
    """
    return _session(path, ["CPUExecutionProvider"])


def _outputs(session: Any, inputs: Arrays) -> dict[str, npt.NDArray[np.float32]]:
    """What a graph says; it is given what it asks for and nothing more."""
    wanted = [node.name for node in session.get_inputs()]
    lacking = [name for name in wanted if name not in inputs]
    if lacking:
        raise BackendError(f"the exported model asks for an input that is not known here: {', '.join(lacking)}")
    names = [node.name for node in session.get_outputs()]
    values = session.run(names, {name: inputs[name] for name in wanted})
    return {name: np.asarray(value, dtype=np.float32) for name, value in zip(names, values, strict=True)}


def _pooling(place: Path) -> tuple[str, bool]:
    """How a sentence-transformers model makes one vector of a text's states, and whether of length 1.

    Raises BackendError: it does so in a way that is not known here.
    """
    modules = folder.read(place, "modules.json")
    if modules is None:
        return "mean", False
    kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
    config = folder.read(place / "1_Pooling", "config.json") or {}
    mode = config.get("pooling_mode") or next(
        (key for key, on in config.items() if key in _MODES and on is True), "mean"
    )
    mode = _MODES.get(mode, mode)
    other = [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]
    if other or mode not in _MODES.values():
        kind = other[0] if other else f"pooling {mode!r}"
        raise BackendError(f"the sentence encoder in {str(place)!r} has a part that is not known here: {kind}")
    return mode, "Normalize" in kinds
