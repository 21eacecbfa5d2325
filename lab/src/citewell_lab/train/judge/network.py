"""The language model in torch with low-rank adapters and two heads: the claim's class, and its wrong tokens.

The architecture is LLaMA's (Touvron et al., 2023) as SmolLM2 uses it; adapters follow LoRA (Hu et al., 2021). Written
out here because claims that share evidence are read in one row: each claim attends to the evidence and to itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError
from citewell.models.loading import import_torch

LINEARS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
CLASSES = 3
ADAPTER = "adapter.safetensors"


class Shape(NamedTuple):
    """Sizes of the body, read from its `config.json`."""

    layers: int
    hidden: int
    inner: int
    heads: int
    shared: int  # key and value heads
    epsilon: float
    theta: float

    @property
    def width(self) -> int:
        """Numbers of one head."""
        return self.hidden // self.heads


def shape_of(folder: Path) -> Shape:
    """The sizes of a LLaMA folder.

    Raises:
        InputError: the folder has no readable `config.json` of that architecture.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        theta = config.get("rope_theta") or config["rope_parameters"]["rope_theta"]
        return Shape(
            config["num_hidden_layers"],
            config["hidden_size"],
            config["intermediate_size"],
            config["num_attention_heads"],
            config["num_key_value_heads"],
            config["rms_norm_eps"],
            theta,
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder} holds no LLaMA model with config.json: {error}") from error


def network(
    folder: Path, *, rank: int, first: int, scale: float = 2.0, bits: int | None = None, block: int = 64
) -> Any:
    """The body of a folder with adapters on the layers from `first` up, and both heads.

    The body is frozen and computes in bfloat16; adapters and heads are kept in single precision.

    Args:
        folder: with `config.json` and `model.safetensors`.
        rank: of the adapters; 0 for none.
        first: lowest layer with adapters.
        scale: factor on what an adapter adds.
        bits: of the body's matrices, None for all. Adapters then learn to make up for what the graph's rounding loses.
        block: weights that share a scale.

    Raises:
        InputError: the folder holds no such model.
        MissingExtraError: torch is not installed.
    """
    torch = import_torch()
    nn, functional = torch.nn, torch.nn.functional
    shape = shape_of(folder)

    class Adapted(nn.Module):  # type: ignore[misc,name-defined]
        """A frozen matrix, with an adapter beside it where it learns."""

        def __init__(self, weight: Any, adapted: bool) -> None:
            super().__init__()
            self.register_buffer("weight", weight, persistent=False)
            self.down: Any = None
            self.up: Any = None
            if adapted:
                size_out, size_in = weight.shape
                self.down = nn.Parameter(torch.randn(rank, size_in) / math.sqrt(size_in))
                self.up = nn.Parameter(torch.zeros(size_out, rank))

        def forward(self, states: Any) -> Any:
            result = functional.linear(states, self.weight)
            if self.down is None:
                return result
            low = functional.linear(states, self.down.to(states.dtype)) * scale
            return result + functional.linear(low, self.up.to(states.dtype))

    class Layer(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, weights: Mapping[str, Any], adapted: bool) -> None:
            super().__init__()
            for name in LINEARS:
                setattr(self, name, Adapted(weights[name], adapted))
            self.register_buffer("before", weights["input_layernorm"], persistent=False)
            self.register_buffer("after", weights["post_attention_layernorm"], persistent=False)

        def forward(
            self, states: Any, turn: tuple[Any, Any], masks: Sequence[Any], past: Any = None
        ) -> tuple[Any, Any]:
            rows, length, _ = states.shape
            normed = functional.rms_norm(states, (shape.hidden,), self.before, shape.epsilon)
            query = self.q_proj(normed).view(rows, length, shape.heads, shape.width).transpose(1, 2)
            key = self.k_proj(normed).view(rows, length, shape.shared, shape.width).transpose(1, 2)
            value = self.v_proj(normed).view(rows, length, shape.shared, shape.width).transpose(1, 2)
            query, key = _turned(query, *turn), _turned(key, *turn)
            kept = (key, value)
            if past is not None:
                key = torch.cat([past[0].expand(rows, -1, -1, -1), key], dim=2)
                value = torch.cat([past[1].expand(rows, -1, -1, -1), value], dim=2)
            if len(masks) == 1:
                mixed = _mixed(query, key, value, masks[0])
            else:  # texts one behind the other in one row: no padding is computed
                sizes = [mask.shape[-1] for mask in masks]
                parts = zip(*(whole.split(sizes, dim=2) for whole in (query, key, value)), masks, strict=True)
                mixed = torch.cat([_mixed(*part) for part in parts], dim=2)
            states = states + self.o_proj(mixed.transpose(1, 2).reshape(rows, length, shape.hidden))
            normed = functional.rms_norm(states, (shape.hidden,), self.after, shape.epsilon)
            return states + self.down_proj(functional.silu(self.gate_proj(normed)) * self.up_proj(normed)), kept

    def _mixed(query: Any, key: Any, value: Any, mask: Any) -> Any:
        """Attention. Heads that share keys are put behind each other, so that these are not copied.

        The fused kernels for processors take four times as long as two plain products in sixteen bits.
        """
        rows, _, length, _ = query.shape
        each = shape.heads // shape.shared
        query = (query * shape.width**-0.5).reshape(rows, shape.shared, each * length, shape.width)
        scores = (query @ key.transpose(2, 3)).view(rows, shape.shared, each, length, key.shape[2])
        weights = torch.softmax(scores + mask.unsqueeze(2), dim=-1).view(rows, shape.shared, -1, key.shape[2])
        return (weights @ value).view(rows, shape.heads, length, shape.width)

    def _turned(states: Any, cosine: Any, sine: Any) -> Any:
        half = states.shape[-1] // 2
        return states * cosine + torch.cat([-states[..., half:], states[..., :half]], dim=-1) * sine

    class Judge(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            weights = _weights(folder, bits, block)
            self.shape = shape
            self.register_buffer("words", weights["model.embed_tokens.weight"], persistent=False)
            self.register_buffer("last", weights["model.norm.weight"], persistent=False)
            frequencies = 1.0 / shape.theta ** (torch.arange(0, shape.width, 2).float() / shape.width)
            self.register_buffer("frequencies", frequencies, persistent=False)
            self.layers = nn.ModuleList(
                Layer(
                    {
                        name: weights[f"model.layers.{number}.{part}{name}.weight"]
                        for part, names in (
                            ("self_attn.", LINEARS[:4]),
                            ("mlp.", LINEARS[4:]),
                            ("", ("input_layernorm", "post_attention_layernorm")),
                        )
                        for name in names
                    },
                    rank > 0 and number >= first,
                )
                for number in range(shape.layers)
            )
            self.claim = nn.Linear(shape.hidden, CLASSES)
            self.wrong = nn.Linear(shape.hidden, 1)

        def states(
            self, ids: Any, positions: Any, masks: Sequence[Any], past: Sequence[Any] | None = None
        ) -> tuple[Any, list[Any]]:
            """(rows, length, hidden) normed states, and each layer's keys and values.

            `masks` is one (rows, 1, length, past and length) tensor that is added to the scores, or for one row of
            several texts behind each other a (1, 1, size, size) tensor each.
            """
            return self.upward(functional.embedding(ids, self.words), positions, masks, past)

        def upward(
            self, states: Any, positions: Any, masks: Sequence[Any], past: Sequence[Any] | None = None
        ) -> tuple[Any, list[Any]]:
            """The same from the words' own vectors."""
            angles = positions.unsqueeze(-1).float() * self.frequencies
            angles = torch.cat([angles, angles], dim=-1).unsqueeze(1)
            turn = angles.cos().to(states.dtype), angles.sin().to(states.dtype)
            kept = []
            for number, layer in enumerate(self.layers):
                states, cache = layer(states, turn, masks, past[number] if past is not None else None)
                kept.append(cache)
            return functional.rms_norm(states, (shape.hidden,), self.last, shape.epsilon), kept

        def forward(self, ids: Any, positions: Any, masks: Sequence[Any], ends: Any) -> tuple[Any, Any]:
            """(claims, 3) logits read at the claims' last tokens, and (length,) logits that a token is wrong."""
            states = self.states(ids, positions, masks)[0][0].float()
            return self.claim(states[ends]), self.wrong(states).squeeze(-1)

    return Judge()


def rounded(weight: Any, bits: int, block: int) -> Any:
    """A matrix as the graph has it: blocks of weights along a row have so many even steps from lowest to highest.

    Zero is always one of the steps. The same as onnxruntime's rounding, so that rounding again changes nothing.
    """
    torch = import_torch()
    size_out, size_in = weight.shape
    parts = torch.nn.functional.pad(weight.float(), (0, -size_in % block)).view(size_out, -1, block)
    low, high = parts.amin(-1, keepdim=True).clamp(max=0), parts.amax(-1, keepdim=True).clamp(min=0)
    step = ((high - low) / (2**bits - 1)).clamp(min=1e-12)
    zero = (-low / step).round()
    steps = ((parts / step).round() + zero).clamp(0, 2**bits - 1)
    return ((steps - zero) * step).view(size_out, -1)[:, :size_in]


def _weights(folder: Path, bits: int | None, block: int) -> Mapping[str, Any]:
    torch = import_torch()
    from safetensors.torch import load_file

    try:
        weights = load_file(folder / "model.safetensors")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} holds no model.safetensors: {error}") from error
    if bits is not None:
        matrices = [name for name in weights if name.split(".")[-2] in LINEARS]
        weights |= {name: rounded(weights[name], bits, block) for name in matrices}
    return {name: weight.to(torch.bfloat16) for name, weight in weights.items()}
