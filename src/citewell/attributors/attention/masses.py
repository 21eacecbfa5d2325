"""Attention mass per token from the rows of one pass, summed over heads and layers or per head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.models.attention import Prefix, read_rows, shape
from citewell.models.loading import Loaded, import_torch

Matrix = npt.NDArray[np.float32]
Positions = npt.NDArray[np.intp]


def summed(
    loaded: Loaded,
    ids: Sequence[int],
    groups: Sequence[Positions],
    heads: Matrix,
    prefix: Prefix | None = None,
) -> Matrix:
    """(groups, tokens) for each group of rows, the sum over heads of their weight times the rows' mean attention.

    Args:
        loaded: the model.
        ids: the text.
        groups: positions of rows; none is empty.
        heads: (layers, heads) weights; a layer of zeros is not read.
        prefix: of the text, read before.
    """
    torch = import_torch()
    rows, shares = _rows(groups)
    total: Any = None

    def take(layer: int, first: int, weights: Any) -> None:
        nonlocal total
        device = weights.device
        by_head = torch.tensor(heads[layer], device=device)
        mean = torch.tensor(shares[:, first : first + weights.shape[1]], device=device)
        part = (mean @ torch.einsum("h,hrk->rk", by_head, weights)).cpu()
        total = part if total is None else total + part

    layers = frozenset(np.flatnonzero(heads.any(axis=1)).tolist())
    read_rows(loaded, ids, rows, take, layers=layers, prefix=prefix)
    result: Matrix = total.numpy()
    return result


def by_head(
    loaded: Loaded,
    ids: Sequence[int],
    groups: Sequence[Positions],
    owners: Positions,
    count: int,
    prefix: Prefix | None = None,
) -> Matrix:
    """(layers, heads, groups, owners) the mean attention of each group's rows to each owner's tokens together.

    Args:
        loaded: the model.
        ids: the text.
        groups: positions of rows; none is empty.
        owners: whose each token of the text is, -1 for nobody's.
        count: how many owners there are.
        prefix: of the text, read before.
    """
    torch = import_torch()
    rows, shares = _rows(groups)
    layers, heads = shape(loaded)
    result = np.zeros((layers, heads, len(groups), count), dtype=np.float32)
    columns = np.flatnonzero(owners >= 0)

    def take(layer: int, first: int, weights: Any) -> None:
        device = weights.device
        mean = torch.tensor(shares[:, first : first + weights.shape[1]], device=device)
        to_tokens = (mean @ weights)[..., torch.tensor(columns, device=device)]
        part = torch.zeros((*to_tokens.shape[:2], count), device=device)
        part.index_add_(2, torch.tensor(owners[columns], device=device), to_tokens)
        result[layer] += part.cpu().numpy()

    read_rows(loaded, ids, rows, take, prefix=prefix)
    return result


def _rows(groups: Sequence[Positions]) -> tuple[list[int], Matrix]:
    """The rows of all groups, ascending, and the (groups, rows) share that each row has in each group's mean."""
    rows = np.unique(np.concatenate(list(groups)))
    shares = np.zeros((len(groups), len(rows)), dtype=np.float32)
    for number, group in enumerate(groups):
        np.add.at(shares[number], np.searchsorted(rows, group), 1 / len(group))
    return rows.tolist(), shares
