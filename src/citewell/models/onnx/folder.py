"""Locations of the parts of an exported model: graphs, tokenizer and settings, in a folder or on the hub."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from citewell.errors import BackendError, UnknownModelError
from citewell.models import faults

# How exporters (ours, optimum, sentence-transformers) call graphs; what is more exact first.
GRAPHS = ("model.onnx",)
SMALL = ("model_int8.onnx", "model_quantized.onnx")
ENCODERS = ("encoder_model.onnx",)
PLACES = ("", "onnx")
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_WANTED = (
    "*.json",
    "*.onnx",
    "*.onnx_data",
    "1_Pooling/*",
    "onnx/model.onnx",
    "onnx/*int8*.onnx",
    "onnx/*quantized*.onnx",
)
_DEFAULTS: dict[str, Any] = {
    "model_type": "",
    "is_encoder_decoder": False,
    "pad_token_id": 0,
    "decoder_start_token_id": None,
    "max_position_embeddings": None,
    "n_positions": None,
}


class Graphs(NamedTuple):
    """The files of a model: one graph, or the two of an encoder-decoder."""

    folder: Path
    main: Path
    decoder: Path | None


def is_exported(model: str) -> bool:
    """Whether a local folder holds graphs and nothing that torch could load, or the name is that of a graph."""
    path = Path(model).expanduser()
    if path.suffix == ".onnx":
        return True
    has_graph = any((path / place / name).is_file() for place in PLACES for name in (*GRAPHS, *SMALL, *ENCODERS))
    return has_graph and not any(True for pattern in _WEIGHTS for _ in path.glob(pattern))


def changed(model: str) -> int:
    """When the files of a local model were written last: one that is made anew in its place is another."""
    path = Path(model)
    files = [path, *path.iterdir()] if path.is_dir() else [path] if path.is_file() else []
    return max((file.stat().st_mtime_ns for file in files), default=0)


def graphs(model: str, revision: str | None, *, small: bool) -> Graphs:
    """The files of a model.

    Args:
        model: a folder, a graph's file in it, or a hub id.
        revision: a branch, tag or commit on the hub.
        small: take the graph with weights of eight bits.

    Raises:
        BackendError: there are no such files.
        MissingExtraError: it is on the hub and nothing here can fetch it.
    """
    path = Path(model).expanduser()
    if path.suffix == ".onnx":
        if not path.is_file():
            raise UnknownModelError(f"no model at {model!r}: the file does not exist")
        folder = path.parent.parent if path.parent.name == "onnx" else path.parent
        return Graphs(folder, path, None)
    folder = path if path.is_dir() else _fetched(model, revision)
    main = _first(folder, SMALL if small else GRAPHS)
    if main:
        return Graphs(folder, main, None)
    ending = "model_int8.onnx" if small else "model.onnx"
    encoder, decoder = (_first(folder, (f"{part}_{ending}",)) for part in ("encoder", "decoder"))
    if encoder and decoder:
        return Graphs(folder, encoder, decoder)
    kind = "graph of eight bits (model_int8.onnx)" if small else "graph (model.onnx, onnx/model.onnx)"
    how = f"citewell export-onnx {model}{' --int8' if small else ''} --out FOLDER makes one"
    raise UnknownModelError(f"the model {model!r} has no {kind}: {how}")


def settings(folder: Path) -> SimpleNamespace:
    """A model's config, with what back ends ask of it where the file does not say it.

    Raises BackendError: there is none, or it is damaged.
    """
    config = read(folder, "config.json")
    if config is None:
        raise UnknownModelError(f"the model in {str(folder)!r} has no config.json")
    known = {**_DEFAULTS, **config}
    labels = config.get("id2label") or {str(number): f"LABEL_{number}" for number in range(config.get("num_labels", 2))}
    known["id2label"] = {int(number): str(label) for number, label in labels.items()}
    known["num_labels"] = len(known["id2label"])
    return SimpleNamespace(**known)


def config_of(model: str, revision: str | None) -> SimpleNamespace:
    """The settings of a model, in a folder or on the hub.

    Raises BackendError: there are none; MissingExtraError: it is on the hub and nothing here can fetch it.
    """
    path = Path(model).expanduser()
    return settings(path if path.is_dir() else _fetched(model, revision))


def read(folder: Path, name: str) -> Any:
    """A JSON file of a model; None where it has none. Raises BackendError: it is damaged."""
    path = folder / name
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BackendError(f"the model's file {str(path)!r} cannot be read: {error}") from error


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    places = (folder / place / name for name in names for place in PLACES)
    return next((path for path in places if path.is_file()), None)


def _fetched(model: str, revision: str | None) -> Path:
    hub = faults.imported("huggingface_hub", "a model of the hub", "onnx")
    try:
        return Path(hub.snapshot_download(model, revision=revision, allow_patterns=list(_WANTED)))
    except Exception as error:
        raise faults.explain(model, error) from error
