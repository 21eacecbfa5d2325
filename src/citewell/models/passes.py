"""A pass through a model: counted, without gradients unless requested, failures reported in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from citewell.errors import BackendError, notes
from citewell.models.loading import import_torch


@contextmanager
def passing(tokens: int, *, passes: int = 1, longest: int | None = None, gradients: bool = False) -> Iterator[Any]:
    """Torch, for the block that runs a model.

    Args:
        tokens: that are read, padding left out.
        passes: texts that are read.
        longest: tokens of the longest text, where there are several.
        gradients: whether the block needs them.

    Raises:
        BackendError: the pass failed (out of memory, say).
    """
    torch = import_torch()
    try:
        with torch.enable_grad() if gradients else torch.inference_mode():
            yield torch
    except RuntimeError as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise BackendError(f"the forward pass over {longest or tokens} tokens failed: {lines[0][:300]}") from error
    finally:
        notes.count("forward passes", passes)
        notes.count("tokens", tokens)
