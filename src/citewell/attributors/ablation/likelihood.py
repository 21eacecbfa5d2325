"""How likely a model finds each token of an answer after prompts that show it some of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell import notes
from citewell.attributors.contexts import Context, Flags
from citewell.errors import BackendError
from citewell.models.batches import batches
from citewell.models.loading import Loaded, import_torch

Matrix = npt.NDArray[np.float64]
Ablation = Literal["remove", "mask"]
CERTAIN = -(2.0**-24)  # the log probability that stands for certainty, so that its logit is a number


class Scored(NamedTuple):
    """Of each prompt and each token of the answer.

    Attributes:
        log_probability: (prompts, tokens) of the answer's token.
        divergence: (prompts, tokens) Jensen-Shannon divergence of what could follow from the same with all sources;
            None where it was not asked for.
    """

    log_probability: Matrix
    divergence: Matrix | None


def score(
    loaded: Loaded,
    context: Context,
    kept: Sequence[Flags],
    *,
    how: Ablation = "remove",
    batch: int = 8,
    divergence: bool = False,
) -> Scored:
    """Read an answer after the prompts that show the sources that are kept.

    Args:
        loaded: a causal model with its head.
        context: sources and answer.
        kept: of each prompt which sources it shows.
        how: `remove` the others' text, or `mask` their tokens, which keep their places.
        batch: most prompts at once.
        divergence: whether the distributions are compared with that of all sources.

    Raises:
        BackendError: a pass failed.
    """
    size = len(context.ids)
    result = np.zeros((len(kept), size))
    diverging = np.zeros((len(kept), size)) if divergence else None
    whole = context.shown()
    reference = None
    if divergence:
        (reference,) = _distributions(loaded, [(whole.ids, None)], [int(whole.answer_at[0])], size)
    prompts: list[tuple[list[int], Any]] = []
    starts: list[int] = []
    for flags in kept:
        shown = whole if how == "mask" else context.shown(flags)
        hidden = (shown.owners >= 0) & ~flags[shown.owners] if how == "mask" else None
        prompts.append((shown.ids, hidden))
        starts.append(int(shown.answer_at[0]))
    torch = import_torch()
    answer = torch.tensor(context.ids)
    for group in batches([len(ids) for ids, _ in prompts], batch):
        rows = _distributions(loaded, [prompts[i] for i in group], [starts[i] for i in group], size)
        for i, row in zip(group.tolist(), rows, strict=True):
            result[i] = row[torch.arange(size), answer.to(row.device)].double().cpu().numpy()
            if diverging is not None:
                diverging[i] = jensen_shannon(row, reference).double().cpu().numpy()
    return Scored(np.minimum(result, 0), diverging)


def jensen_shannon(first: Any, second: Any) -> Any:
    """(rows,) divergence of distributions that are given as (rows, outcomes) log probabilities, in nats."""
    torch = import_torch()
    middle = torch.logaddexp(first, second) - float(np.log(2))
    apart = [(one.exp() * (one - middle)).nan_to_num().sum(dim=-1) for one in (first, second)]
    return ((apart[0] + apart[1]) / 2).clamp(min=0)


def logit(log_probability: Matrix) -> Matrix:
    """The logit of a probability that is given by its logarithm; of certainty a large number, not infinity."""
    sure = np.minimum(log_probability, CERTAIN)
    odds: Matrix = sure - np.log(-np.expm1(sure))
    return odds


def _distributions(loaded: Loaded, prompts: Sequence[tuple[list[int], Any]], starts: Sequence[int], size: int) -> Any:
    """For each prompt (tokens, outcomes) log probabilities of what follows at each of the answer's tokens."""
    torch = import_torch()
    longest = max(len(ids) for ids, _ in prompts)
    ids = torch.full((len(prompts), longest), loaded.tokenizer.pad_token_id or 0, dtype=torch.long)
    mask = torch.zeros((len(prompts), longest), dtype=torch.long)
    for row, (tokens, hidden) in enumerate(prompts):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1 if hidden is None else torch.tensor(~hidden, dtype=torch.long)
    # The logits of the rows that some prompt needs: all of them would take more memory than the model.
    rows = sorted({start - 1 + step for start in starts for step in range(size)})
    try:
        with torch.inference_mode():
            output = loaded.model(
                input_ids=ids.to(loaded.device),
                attention_mask=mask.to(loaded.device),
                logits_to_keep=torch.tensor(rows, device=loaded.device),
                use_cache=False,
            )
            logits = output.logits.float()
            for row, start in enumerate(starts):
                at = rows.index(start - 1)
                yield torch.log_softmax(logits[row, at : at + size], dim=-1)
    except RuntimeError as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise BackendError(f"the forward pass over {longest} tokens failed: {lines[0][:300]}") from error
    finally:
        notes.count("forward passes", len(prompts))
        notes.count("tokens", int(mask.sum()))
