"""Flows of information through attention, layer by layer, in one pass: shares of states, and rollouts.

Source: Ferrando and Voita, Information Flow Routes (2024, arXiv 2403.00824), for sums of tokens as FlashTrace (Pan et
al., 2026, arXiv 2602.01914; code wbopan/flashtrace, MIT) takes them. A vector that adds to a sum is as near to it as
the distance leaves of the sum: max(0, |sum| - |sum - vector|), all sizes the sums of absolute values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError
from citewell.models.attention import BLOCK, read_rows
from citewell.models.loading import Loaded, import_torch
from citewell.models.states import layers_of

Matrix = npt.NDArray[np.float64]
_NORMS = ("post_attention_layernorm", "ln_2")  # what reads the state between attention and the rest of a block
_OUT = ("o_proj", "c_proj")  # what an attention's heads pass on through
_NOT_ADDED = "{} does not add the attention's output to its states as it is, so what flows cannot be told"


def flows(loaded: Loaded, ids: Sequence[int], rows: Sequence[int], weights: Matrix, *, block: int = BLOCK) -> Matrix:
    """(targets, tokens) the sum over layers of the share that each token gives to a target's states by attention.

    What is left of 1 in a layer is the share of the states that were there before. Shares do not depend on the size of
    a target's weights.

    Args:
        loaded: a causal base model.
        ids: the text.
        rows: positions of the tokens of all targets, ascending.
        weights: (targets, rows) how much each state counts in a target's sum.
        block: most bytes of vectors at once; those of a single token may take more.

    Raises:
        BackendError: the model has no such attention or no such states, or the pass failed.
    """
    flow = _Flow(rows, weights, len(ids), block)
    with flow.watched(loaded.model):
        read_rows(loaded, ids, rows, flow.take, values=flow.values)
    return flow.total


class _Flow:
    """Adds up the shares of one layer after another."""

    def __init__(self, rows: Sequence[int], weights: Matrix, tokens: int, block: int) -> None:
        self.rows, self.weights, self.tokens, self.block = list(rows), weights, tokens, block
        self.total: Matrix = np.zeros((len(weights), tokens))
        self.alpha: Any = None
        self.before: Any = None
        self.rounded: Any = 0.0
        self.value: Any = None
        self.module: Any = None

    @contextmanager
    def watched(self, model: Any) -> Iterator[None]:
        """The model with hooks at the states before and after each attention."""
        hooks = []
        try:
            for layer in layers_of(model):
                norm = next((getattr(layer, name) for name in _NORMS if hasattr(layer, name)), None)
                if norm is None:
                    raise BackendError(_NOT_ADDED.format(type(model).__name__))
                hooks.append(layer.register_forward_pre_hook(self._enter, with_kwargs=True))
                hooks.append(norm.register_forward_pre_hook(self._leave))
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def _enter(self, _module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.before = self._states(args[0] if args else kwargs["hidden_states"])
        self.alpha = None

    def values(self, _layer: int, module: Any, value: Any) -> None:
        """Keep what the attention of this layer passes on."""
        self.module, self.value = module, value

    def take(self, _layer: int, first: int, weights: Any) -> None:
        """Add some rows of attention to the targets'."""
        torch = import_torch()
        share = self._shares(weights.device)[:, first : first + weights.shape[1]]
        part = torch.einsum("tr,hrk->thk", share, weights)
        self.alpha = part if self.alpha is None else self.alpha + part

    def _shares(self, device: Any) -> Any:
        return import_torch().tensor(self.weights, dtype=import_torch().float32, device=device)

    def _states(self, states: Any) -> Any:
        torch = import_torch()
        values = states[0, torch.tensor(self.rows, device=states.device)].float()
        shares = self._shares(states.device)
        # What rounding may change of a sum, which in half precision is much of what a late layer adds.
        self.rounded = torch.finfo(states.dtype).eps * (shares @ values.abs()).sum()
        return shares @ values

    def _leave(self, module: Any, args: tuple[Any, ...]) -> None:
        torch = import_torch()
        if self.alpha is None:
            raise BackendError(_NOT_ADDED.format(type(module).__name__))
        after = self._states(args[0])
        heads, keys = self.alpha.shape[1], self.value.shape[1]
        value = self.value.float().repeat_interleave(heads // self.value.shape[0], dim=0)
        out, bias = projection(self.module, heads, value.shape[-1])
        added = torch.einsum("thk,hkd,hde->te", self.alpha, value, out)
        added += self._shares(out.device).sum(dim=1, keepdim=True) * bias
        apart = (after - self.before - added).abs().sum()
        if apart > 0.1 * (after - self.before).abs().sum() + 2 * self.rounded:
            raise BackendError(_NOT_ADDED.format(type(self.module).__name__))
        size = after.abs().sum(dim=-1)
        stayed = (size - (self.before - after).abs().sum(dim=-1)).clamp(min=0)
        near = torch.zeros((len(after), keys), device=out.device)
        step = max(1, self.block // (4 * heads * out.shape[-1]))
        for first in range(0, keys, step):
            passed = torch.einsum("hkd,hde->khe", value[:, first : first + step], out)
            for target, alpha in enumerate(self.alpha[:, :, first : first + step]):
                distance = (passed * alpha.T[..., None] - after[target]).abs().sum(dim=-1)
                near[target, first : first + step] = (size[target] - distance).clamp(min=0).sum(dim=-1)
        whole = near.sum(dim=-1) + stayed + 1e-12
        self.total[:, :keys] += (near / whole[:, None]).double().cpu().numpy()


def rollouts(loaded: Loaded, ids: Sequence[int], rows: Sequence[int], *, block: int = BLOCK) -> Matrix:
    """(rows, tokens) the rollout of attention to some rows, by the sizes of what heads pass on; each row sums to 1.

    In each layer and head, half of a state stays and half comes by attention; the products over the layers so far are
    weighted by the absolute sum of what the head passes on of a token (Abnar and Zuidema, 2020; Kobayashi et al.,
    2020). Memory goes with heads times the square of the tokens: for short texts.

    Args:
        loaded: a causal model.
        ids: the text.
        rows: positions of the rows.
        block: most bytes of vectors at once; those of a single token may take more.

    Raises:
        BackendError: the model has no such attention, or the pass failed.
    """
    roll = _Rollout(rows, block)
    read_rows(loaded, ids, range(len(ids)), roll.take, values=roll.values)
    roll.close()
    shares: Matrix = roll.total / np.maximum(roll.total.sum(axis=1, keepdims=True), 1e-12)
    return shares


class _Rollout:
    """The products of attention over the layers so far, and the sums of the rows that are wanted."""

    def __init__(self, rows: Sequence[int], block: int) -> None:
        self.rows, self.block = list(rows), block
        self.total: Matrix = np.zeros(0)
        self.sizes: Any = None
        self.before: Any = None
        self.after: list[Any] = []

    def values(self, _layer: int, module: Any, value: Any) -> None:
        """The next layer begins: what its heads pass on of each token has these sizes."""
        torch = import_torch()
        self.close()
        heads, keys = int(module.config.num_attention_heads), value.shape[1]
        value = value.float().repeat_interleave(heads // value.shape[0], dim=0)
        out, _ = projection(module, heads, value.shape[-1])
        step = max(1, self.block // (4 * heads * out.shape[-1]))
        parts = [(value[:, first : first + step] @ out).abs().sum(dim=-1) for first in range(0, keys, step)]
        self.sizes = torch.cat(parts, dim=1)

    def take(self, _layer: int, first: int, weights: Any) -> None:
        """Multiply some rows of a layer's attention with the products so far."""
        torch = import_torch()
        count, keys = weights.shape[1:]
        if self.before is None:
            self.before = torch.eye(keys, device=weights.device).expand(len(weights), keys, keys)
        mixed = weights / 2
        mixed[:, torch.arange(count), torch.arange(first, first + count)] += 0.5
        mixed = mixed / mixed.sum(dim=-1, keepdim=True).clamp(min=1e-12)
        self.after.append(mixed @ self.before.to(weights.device))

    def close(self) -> None:
        """Add the rows that are wanted of the layer that has been read."""
        if self.after:
            torch = import_torch()
            self.before, self.after = torch.cat(self.after, dim=1), []
            part = torch.einsum("hrk,hk->rk", self.before[:, self.rows], self.sizes).double().cpu().numpy()
            self.total = part if not len(self.total) else self.total + part


def projection(module: Any, heads: int, size: int) -> tuple[Any, Any]:
    """(heads, dimensions of a head, dimensions) weights of an attention's output, and its bias."""
    linear = next((getattr(module, name) for name in _OUT if hasattr(module, name)), None)
    weight = getattr(linear, "weight", None)
    if weight is None or not weight.is_floating_point():
        raise BackendError(f"the output weights of {type(module).__name__} cannot be read (quantized ones cannot)")
    # transformers' Conv1D keeps its weights the other way round than a linear layer.
    rows = weight.detach().float() if type(linear).__name__ == "Conv1D" else weight.detach().float().T
    bias = getattr(linear, "bias", None)
    return rows.reshape(heads, size, -1), (bias.detach().float() if bias is not None else 0.0)
