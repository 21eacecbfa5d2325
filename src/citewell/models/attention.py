"""Attention rows of chosen tokens from one forward pass, in blocks and never as whole matrices.

A function registered with transformers' AttentionInterface takes the place of SDPA: it runs SDPA, and computes the
softmax again for the rows that are wanted, from the queries and keys that the model made (after rotary positions and
norms, with the layer's scaling, window, soft cap and sinks). So the memory is that of a block of rows, and a model's
own code decides what its attention is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from citewell.errors import BackendError
from citewell.models.loading import Loaded, bidirectional, import_torch
from citewell.models.passes import passing

Take = Callable[[int, int, Any], None]
"""Told a layer, the number of the first wanted row of a block, and the block's (heads, rows, keys) float32 weights."""

Values = Callable[[int, Any, Any], None]
"""Told a layer, its attention module and the (heads of keys, keys, dimensions) values, before its rows."""

BLOCK = 1 << 26  # bytes of weights held at once
_NAME = "citewell_rows"
_NOT_READ = "{} does not compute its attention through transformers' AttentionInterface, so it cannot be read"
_MIXING = ("position_bias", "alibi", "relative_position_bias")  # what SDPA would add to the scores


@dataclass
class _Watch:
    """What is wanted of a pass: rows, by their positions in the text, of some layers; which layers were seen."""

    rows: Any
    take: Take
    layers: frozenset[int] | None
    stops: bool
    block: int
    values: Values | None = None
    read_layers: set[int] = field(default_factory=set)


_WATCH: ContextVar[_Watch | None] = ContextVar("citewell_attention", default=None)


class _StopError(Exception):
    """The last layer that was wanted is reached."""


# What transformers calls the keys and values of a pass: up to 5.23, and since.
_CACHES = ("past_key_values", "cache")


class Prefix:
    """Tokens with which several passes begin, read once: their keys and values are kept."""

    def __init__(self, loaded: Loaded, ids: Sequence[int]) -> None:
        """Read the tokens; a model with sliding windows keeps nothing, and reads them again in each pass."""
        self.size = 0
        self.cache: Any = None
        if not ids or _slides(loaded.model.config):
            return
        with passing(len(ids)) as torch:
            # Without the head, whose logits of every token would take more memory than the keys and values.
            read = loaded.model.base_model
            output = read(input_ids=torch.tensor([list(ids)], device=loaded.device), use_cache=True)
        self.cache = next((output[name] for name in _CACHES if name in output), None)
        self.size = len(ids) if self.cache is not None else 0

    def continued(self, model: Any) -> dict[str, Any]:
        """Arguments with which a pass goes on from here."""
        taken = inspect.signature(model.forward).parameters
        name = next((name for name in _CACHES if name in taken), _CACHES[0])
        return {name: self.cache, "use_cache": self.cache is not None}

    def cut(self, size: int, read: int | None = None) -> None:
        """Keep the first `size` tokens of those that are held, or of the `read` that a pass has made of them."""
        beyond = (self.size if read is None else read) - size
        if self.cache is not None and beyond > 0:
            self.cache.crop(-beyond)
            self.size = size


def departs(first: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two texts begin with alike."""
    size = min(len(first), len(other))
    differs = np.flatnonzero(np.array(first[:size]) != np.array(other[:size]))
    return int(differs[0]) if len(differs) else size


def read_rows(
    loaded: Loaded,
    ids: Sequence[int],
    rows: Sequence[int],
    take: Take,
    *,
    layers: frozenset[int] | None = None,
    prefix: Prefix | None = None,
    block: int = BLOCK,
    values: Values | None = None,
) -> None:
    """Run a text through a causal model and hand over the attention of some of its tokens, layer by layer.

    Args:
        loaded: a base model.
        ids: the whole text, special tokens included.
        rows: positions of tokens, ascending, none of them inside the prefix.
        take: told each block of rows.
        layers: counted from 0, all without it; the pass stops at the last of them.
        prefix: of `ids`, read before.
        block: most bytes of weights at once; a single row of all heads may take more.
        values: told what the attention of each layer passes on.

    Raises:
        BackendError: the model has no such attention, or the pass failed.
    """
    causal(loaded)
    skipped = prefix.size if prefix else 0
    if not len(rows):
        return
    if rows[0] < skipped:
        raise ValueError("a wanted row lies inside the prefix")
    torch = import_torch()
    watch = _Watch(torch.tensor(list(rows)), take, layers, layers is not None and not skipped, block, values)
    with loaded.lock, _switched(loaded.model):
        token = _WATCH.set(watch)
        try:
            with passing(len(ids) - skipped) as torch:
                rest = torch.tensor([list(ids)[skipped:]], device=loaded.device)
                cached = prefix.continued(loaded.model) if prefix and skipped else {"use_cache": False}
                loaded.model(input_ids=rest, **cached)
        except _StopError:
            pass
        finally:
            _WATCH.reset(token)
            if prefix and skipped:
                prefix.cut(skipped, len(ids))
    if not watch.read_layers:
        raise BackendError(_NOT_READ.format(type(loaded.model).__name__))


def causal(loaded: Loaded) -> Loaded:
    """The same model, whose tokens see only what stands before them.

    Raises BackendError: they see what follows them too.
    """
    if bidirectional(loaded):
        raise BackendError("attention is read from causal language models: this model's tokens see what follows them")
    return loaded


def shape(loaded: Loaded) -> tuple[int, int]:
    """How many layers and how many heads a layer the model has."""
    config = loaded.model.config
    return int(config.num_hidden_layers), int(config.num_attention_heads)


def _slides(config: Any) -> bool:
    """Whether a layer forgets keys, or keeps a state of another kind: then a cache cannot be cut back."""
    kinds = set(getattr(config, "layer_types", None) or ())
    window = getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True)
    return bool(kinds - {"full_attention"}) or bool(window and not kinds)


@contextmanager
def _switched(model: Any) -> Iterator[None]:
    """The model with our attention function, and afterwards with its own."""
    _registered()
    if not model._can_set_attn_implementation():  # noqa: SLF001  (no public name; asked first, since it only logs)
        raise BackendError(_NOT_READ.format(type(model).__name__))
    implementation = model.config._attn_implementation  # noqa: SLF001  (transformers has no public name for it)
    model.set_attn_implementation(_NAME)
    try:
        yield
    finally:
        model.set_attn_implementation(implementation)


@cache
def _registered() -> None:
    from transformers.masking_utils import AttentionMaskInterface, sdpa_mask
    from transformers.modeling_utils import AttentionInterface

    AttentionInterface.register(_NAME, _attention)
    AttentionMaskInterface.register(_NAME, sdpa_mask)


def _attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **more: Any) -> tuple[Any, None]:
    """SDPA, or its like where the scores are capped or have a sink, after the wanted rows were handed over."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    if any(more.get(name) is not None for name in _MIXING):
        raise BackendError("attention with a position bias cannot be read")
    watch, layer = _WATCH.get(), int(getattr(module, "layer_idx", None) or 0)
    scores = _Scores(module, query, key, attention_mask, more)
    if watch is not None and (watch.layers is None or layer in watch.layers):
        watch.read_layers.add(layer)
        if watch.values is not None:
            watch.values(layer, module, value[0])
        wanted = watch.rows.to(query.device) - (key.shape[2] - query.shape[2])
        for first in range(0, len(wanted), size := scores.rows(watch.block)):
            watch.take(layer, first, scores.weights(wanted[first : first + size]))
        if watch.stops and watch.layers is not None and watch.read_layers == watch.layers:
            raise _StopError
    if not scores.plain:
        return scores.output(value, BLOCK), None
    result: tuple[Any, None] = ALL_ATTENTION_FUNCTIONS["sdpa"](module, query, key, value, attention_mask, **more)
    return result


class _Scores:
    """The scores of one layer's attention for one text, computed a block of rows at a time."""

    def __init__(self, module: Any, query: Any, key: Any, mask: Any, more: dict[str, Any]) -> None:
        self.query, self.key, self.mask = query, key, mask
        self.scaling = more.get("scaling") or query.shape[-1] ** -0.5
        self.softcap, self.sinks = more.get("softcap"), more.get("s_aux")
        causal = more.get("is_causal")
        self.causal = getattr(module, "is_causal", True) if causal is None else causal

    @property
    def plain(self) -> bool:
        """Whether SDPA computes the same."""
        return self.softcap is None and self.sinks is None

    def rows(self, block: int) -> int:
        """How many rows of all heads a block of so many bytes holds."""
        return max(1, block // (4 * int(self.query.shape[1]) * int(self.key.shape[2])))

    def weights(self, rows: Any, item: int = 0) -> Any:
        """(heads, rows, keys) weights of some rows of an item, by their positions among the queries."""
        torch = import_torch()
        key = self.key[item].float()
        heads, groups, count = self.query.shape[1], key.shape[0], len(rows)
        # Heads that share a key are rows of one product, so that no key is repeated.
        query = self.query[item][:, rows].float().reshape(groups, heads // groups * count, -1)
        scores = (query @ key.transpose(1, 2)).reshape(heads, count, -1) * self.scaling
        if self.softcap is not None:
            scores = torch.tanh(scores / self.softcap) * self.softcap
        scores = self._masked(scores, rows, item)
        if self.sinks is None:
            return torch.softmax(scores, dim=-1)
        sinks = self.sinks.float().reshape(-1, 1, 1).expand(heads, count, 1)
        return torch.softmax(torch.cat([scores, sinks], dim=-1), dim=-1)[..., :-1]

    def output(self, value: Any, block: int) -> Any:
        """(items, rows, heads, dimensions) what the attention hands on, as SDPA gives it."""
        torch = import_torch()
        items, heads, count = self.query.shape[:3]
        size = self.rows(block)
        result = torch.empty((items, count, heads, value.shape[-1]), dtype=value.dtype, device=value.device)
        for item in range(items):
            per_head = value[item].repeat_interleave(heads // value.shape[1], dim=0)
            for first in range(0, count, size):
                rows = torch.arange(first, min(first + size, count), device=value.device)
                result[item, rows] = (self.weights(rows, item).to(value.dtype) @ per_head).transpose(0, 1)
        return result

    def _masked(self, scores: Any, rows: Any, item: int) -> Any:
        torch = import_torch()
        keys = scores.shape[-1]
        if self.mask is None:
            if not self.causal:
                return scores
            at = rows + (keys - self.query.shape[2])
            return scores.masked_fill(torch.arange(keys, device=scores.device) > at[:, None], -torch.inf)
        mask = self.mask[min(item, self.mask.shape[0] - 1)][:, rows, :keys]
        return scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask.float()
