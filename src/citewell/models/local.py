"""Shared by back ends on local models: model name, device, precision, loading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from citewell.models import loading, portable
from citewell.models.loading import Kind, Loaded, Placement


@dataclass(frozen=True, kw_only=True)
class LocalModel:
    """A back end that runs a model on this machine; the model is loaded when first used.

    Attributes:
        model: a hub id or a local path.
        revision: a branch, tag or commit on the hub.
        device: `auto`, `cpu`, `cuda`, `cuda:1`, `mps`.
        dtype: `auto` (half precision on a GPU), `float32`, `float16`, `bfloat16`.
        device_map: how transformers spreads the weights: `auto` over all GPUs and then the memory, `balanced`,
            `sequential`; None puts all on `device`.
        quantize: `8bit` or `4bit` weights, for models that do not fit otherwise; needs bitsandbytes.
    """

    model: str = ""
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    device_map: str | None = None
    quantize: str | None = None

    @property
    def placement(self) -> Placement:
        """Where the model runs and how precisely."""
        return Placement(self.device, self.dtype, self.device_map, self.quantize)

    def load(self, kind: Kind, model: str | None = None) -> Loaded:
        """The model and its tokenizer, or another `model` with the same settings.

        Raises MissingExtraError: torch or transformers is not installed; BackendError: the model is not found or cannot
        be loaded.
        """
        return loading.load(kind, model or self.model, self.revision, self.placement)

    def load_sentence_encoder(self, model: str | None = None) -> Any:
        """As `load`, a SentenceTransformer.

        Raises MissingExtraError: sentence-transformers is not installed; BackendError: the model is not found or cannot
        be loaded.
        """
        return loading.load_sentence_encoder(model or self.model, self.revision, self.placement)


@dataclass(frozen=True, kw_only=True)
class BatchedModel(LocalModel):
    """A local model that reads many texts at once.

    Attributes:
        batch: most texts (or pairs, or prompts) at once.
    """

    batch: int = 16

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise ValueError("batch is at least 1")


@dataclass(frozen=True, kw_only=True)
class PortableModel(BatchedModel):
    """A batched model that torch or onnxruntime runs.

    Attributes:
        runtime: `torch`, `onnx` (of a folder that `citewell export-onnx` or another exporter made), or `auto`: torch
            where it is installed and the folder holds weights for it. Under `onnx`, `quantize=8bit` takes the graph
            with weights of eight bits.
    """

    runtime: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.runtime not in portable.RUNTIMES:
            raise ValueError(f"runtime is {', '.join(portable.RUNTIMES)}, not {self.runtime!r}")

    def load(self, kind: Kind, model: str | None = None) -> Loaded:
        """The model and its tokenizer, or another `model` with the same settings.

        Raises MissingExtraError: what its runtime needs is not installed; BackendError: the model is not found or
        cannot be loaded.
        """
        name = model or self.model
        if portable.runtime(name, self.runtime) == "onnx":
            return portable.load(name, self.revision, self.placement)
        return super().load(kind, name)
