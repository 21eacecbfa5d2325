"""Exports the trained judge as one onnxruntime graph: 4-bit matrices, separate adapters, 8-bit words."""

from __future__ import annotations

import importlib
import json
import logging
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citewell.errors import MissingExtraError
from citewell.models.exporting import clean, needed, silent
from citewell.models.loading import import_torch
from citewell.models.small_judge import GRAPH, SETTINGS
from citewell.text import files
from citewell.text.data import settings
from citewell_lab.train.judge.fit import build, load_adapter
from citewell_lab.train.judge.network import CLASSES

_ADAPTERS = 8, 32  # bits, and weights that share a scale
_TOKENIZER = "tokenizer.json"


def export(base: Path, adapter: Path, target: Path, *, bits: int = 4, about: Mapping[str, Any] | None = None) -> int:
    """Write the judge's folder: graph, tokenizer and settings; the graph's size in bytes.

    Args:
        base: the folder of the language model.
        adapter: the folder of the trained adapter.
        target: the folder that is written.
        bits: of the matrices' weights: 4, 8, or 32 for none taken away.
        about: what the settings say beside the limits.

    Raises:
        MissingExtraError: torch, onnx or onnxruntime is not installed.
        InputError: the base or the adapter cannot be read.
    """
    needed()
    model = build(base)
    state = load_adapter(model, adapter)
    target.mkdir(parents=True, exist_ok=True)
    whole = target / f"{GRAPH}.whole"
    _write(_plain(model), whole)
    _shrink(whole, target / GRAPH, bits)
    whole.unlink()
    shutil.copyfile(base / _TOKENIZER, target / _TOKENIZER)
    s, shape = settings(__package__), model.shape
    config = {
        "evidence_tokens": int(s["prefix"]),
        "claim_tokens": int(s["claim"]),
        "layers": shape.layers,
        "shared": shape.shared,
        "width": shape.width,
        "bits": bits,
        "learnt": {name: state[name] for name in ("steps", "tokens", "claims")},
        **(about or {}),
    }
    files.write(target / SETTINGS, json.dumps(config, indent=1) + "\n")
    return (target / GRAPH).stat().st_size


def amend(folder: Path, about: Mapping[str, Any]) -> None:
    """Add to a judge's settings what was found out after it was written."""
    config = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    files.write(folder / SETTINGS, json.dumps({**config, **about}, indent=1) + "\n")


def _plain(model: Any) -> Any:
    """The network as the graph takes it: in single precision, keys and values in one tensor."""
    torch = import_torch()
    for layer in model.layers:
        for part in layer.children():
            part.weight = part.weight.float()
        layer.before, layer.after = layer.before.float(), layer.after.float()
    words = model.words.float()
    scale = words.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
    small = (words / scale).round().to(torch.int8)
    model.last = model.last.float()
    model.words = words[:1]

    class Plain(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.judge = model
            self.register_buffer("small", small)
            self.register_buffer("scale", scale)

        def forward(self, ids: Any, positions: Any, mask: Any, past: Any, ends: Any) -> tuple[Any, Any, Any]:
            states = self.small[ids].float() * self.scale[ids]
            both = [(layer[0], layer[1]) for layer in past.unbind(0)]
            states, kept = self.judge.upward(states, positions, [mask], both)
            read = states[torch.arange(ids.shape[0]), ends]
            cache = torch.stack([torch.stack(pair) for pair in kept])
            return self.judge.claim(read), self.judge.wrong(states).squeeze(-1), cache

    return Plain().eval()


def _write(model: Any, path: Path) -> None:
    torch = import_torch()
    shape = model.judge.shape
    rows, length, before = 2, 5, 7
    example = (
        torch.ones(rows, length, dtype=torch.long),
        torch.arange(before, before + length)[None].repeat(rows, 1),
        torch.zeros(rows, 1, length, before + length),
        torch.zeros(shape.layers, 2, 1, shape.shared, before, shape.width),
        torch.full((rows,), length - 1, dtype=torch.long),
    )
    free = torch.export.Dim.DYNAMIC
    shapes = ({0: free, 1: free}, {0: free, 1: free}, {0: free, 2: free, 3: free}, {4: free}, {0: free})
    with silent(), torch.inference_mode():
        torch.onnx.export(
            model,
            example,
            str(path),
            input_names=["ids", "positions", "mask", "past", "ends"],
            output_names=["logits", "wrong", "kept"],
            dynamic_shapes=shapes,
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def _shrink(path: Path, target: Path, bits: int) -> None:
    onnx = importlib.import_module("onnx")
    graph = onnx.load(str(path))
    if bits != 32:
        try:
            quantizer = importlib.import_module("onnxruntime.quantization.matmul_nbits_quantizer")
        except ModuleNotFoundError as error:
            raise MissingExtraError("fewer bits", "onnxruntime", "export") from error
        logging.getLogger(quantizer.__name__).setLevel(logging.ERROR)  # it tells of every node that it passes
        rank, block = int(settings(__package__)["rank"]), int(settings(__package__)["block"])
        few = _nodes(graph, rank), _nodes(graph, CLASSES)  # adapters and heads; the heads keep all their bits
        for number, (width, size) in enumerate(((bits, block), _ADAPTERS)):
            quantized = quantizer.MatMulNBitsQuantizer(
                graph, bits=width, block_size=size, is_symmetric=False, accuracy_level=4, nodes_to_exclude=few[number]
            )
            with silent():
                quantized.process()
            graph = quantized.model.model
    onnx.save(clean(graph), str(target))


def _nodes(graph: Any, most: int) -> list[str]:
    """The nodes of matrices with at most so many rows or columns."""
    few = {weights.name for weights in graph.graph.initializer if len(weights.dims) == 2 and min(weights.dims) <= most}
    return [node.name for node in graph.graph.node if few.intersection(node.input)]
