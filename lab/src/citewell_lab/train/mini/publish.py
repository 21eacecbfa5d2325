"""The trained network as a folder that needs no torch: a graph of eight bits, the tokenizer, what the heads are for."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from citewell.errors import UsageError
from citewell.models import exporting
from citewell.models.loading import import_torch
from citewell.models.mini import OUTPUTS, SETTINGS
from citewell.text import files
from citewell_lab.train.mini.encoding import Batch, Item
from citewell_lab.train.mini.examples import LABELS
from citewell_lab.train.mini.network import MASKED, tensors

_TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


def publish(model: Any, encoder: Path, target: Path, heads: Sequence[str], about: Mapping[str, Any]) -> float:
    """Write the folder, whole or not at all; how far its scores at most are from torch, before eight bits.

    Args:
        model: the network.
        encoder: the folder that its tokenizer is from.
        target: a folder that does not exist.
        heads: those that were trained.
        about: what else `mini.json` says: how it was made, how scores are used.

    Raises:
        MissingExtraError: what exporting takes is not installed.
        UsageError: the folder exists.
        BackendError: the network cannot be exported.
    """
    if target.exists():
        raise UsageError(f"{target} exists already: name a new folder")
    exporting.needed()
    torch = import_torch()
    model = model.to("cpu").eval()
    inputs = tensors(_sample(), 0, "cpu")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as scratch:
        work = Path(scratch) / target.name
        work.mkdir()
        with exporting.plain_attention(model.encoder), torch.inference_mode():
            wanted = [part.numpy() for part in model(**inputs)[: len(OUTPUTS)]]
            call = exporting.module(lambda *values: model(*values)[: len(OUTPUTS)], model)
            exact = work / "exact.onnx"
            exporting.write(exporting.Graph(exact.name, call, inputs, OUTPUTS), exact)
        exporting.shrink(exact, work / "model_int8.onnx")
        values = {name: value.numpy() for name, value in inputs.items()}
        difference = max(
            # Where no answer may lie the score is so low that its last digit is a thousandth.
            float(np.abs(entry - other)[entry > MASKED / 2].max())
            for entry, other in zip(wanted, _outputs(exact, values), strict=True)
        )
        exact.unlink()
        for name in _TOKENIZER:
            if (encoder / name).exists():
                shutil.copy2(encoder / name, work / name)
        labels = dict(enumerate(LABELS))
        config = {**model.encoder.config.to_dict(), "id2label": labels, "architectures": ["CitewellMini"]}
        config.pop("_name_or_path", None)  # where the encoder lay on the machine that trained
        files.write(work / "config.json", json.dumps(config, indent=1, default=str) + "\n")
        settings = {"heads": list(heads), **about}
        files.write(work / SETTINGS, json.dumps(settings, indent=1, ensure_ascii=False) + "\n")
        work.replace(target)
    return difference


def amend(target: Path, about: Mapping[str, Any]) -> None:
    """Say more of a model that lies there already."""
    payload = json.loads((target / SETTINGS).read_text(encoding="utf-8"))
    files.write(target / SETTINGS, json.dumps({**payload, **about}, indent=1, ensure_ascii=False) + "\n")


def _outputs(graph: Path, fields: Mapping[str, Any]) -> list[Any]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    values: list[Any] = session.run(list(OUTPUTS), dict(fields))
    return values


def _sample() -> Batch:
    """Two pairs of unlike length."""
    long, short = Item(list(range(100, 130)), [0] * 20 + [1] * 10), Item(list(range(200, 212)), [0] * 6 + [1] * 6)
    return Batch("entailment", ((long,), (short,)), 60)
