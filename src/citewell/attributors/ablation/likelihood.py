"""The likelihood of each token of an answer after prompts that contain some of the sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.attributors.contexts import Context, Flags
from citewell.models.attention import Prefix, departs
from citewell.models.batches import batches
from citewell.models.loading import Loaded, import_torch
from citewell.models.passes import passing

Matrix = npt.NDArray[np.float64]
Ablation = Literal["remove", "mask"]
MaskedPrompt = tuple[list[int], Any]  # the tokens of a prompt, and which of them are masked
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
    reuse: bool = False,
) -> Scored:
    """Read an answer after the prompts that show the sources that are kept.

    Args:
        loaded: a causal model with its head.
        context: sources and answer.
        kept: of each prompt which sources it shows.
        how: `remove` the others' text, or `mask` their tokens, which keep their places.
        batch: most prompts at once.
        divergence: whether the distributions are compared with that of all sources.
        reuse: read each prompt alone, from where it departs from the first one, whose keys and values are kept: the
            same numbers from fewer tokens, where the prompts begin alike and sources are removed.

    Raises:
        BackendError: a pass failed.
    """
    size = len(context.ids)
    result = np.zeros((len(kept), size))
    diverging = np.zeros((len(kept), size)) if divergence else None
    whole = context.prompt()
    reference = None
    if divergence:
        (reference,) = distributions(loaded, [(whole.ids, None)], [int(whole.answer_at[0])], size)
    prompts: list[MaskedPrompt] = []
    starts: list[int] = []
    for flags in kept:
        prompt = whole if how == "mask" else context.prompt(flags)
        hidden = (prompt.owners >= 0) & ~flags[prompt.owners] if how == "mask" else None
        prompts.append((prompt.ids, hidden))
        starts.append(int(prompt.answer_at[0]))
    torch = import_torch()
    answer = torch.tensor(context.ids)
    rows = (_continued if reuse and how == "remove" else _batched)(loaded, prompts, starts, size, batch)
    for i, row in rows:
        result[i] = row[torch.arange(size), answer.to(row.device)].double().cpu().numpy()
        if diverging is not None:
            diverging[i] = jensen_shannon(row, reference).double().cpu().numpy()
    return Scored(np.minimum(result, 0), diverging)


def jensen_shannon(first: Any, second: Any) -> Any:
    """(rows,) divergence of distributions that are given as (rows, outcomes) log probabilities, in nats."""
    torch = import_torch()
    middle = torch.logaddexp(first, second) - float(np.log(2))
    apart = [
        (distribution.exp() * (distribution - middle)).nan_to_num().sum(dim=-1) for distribution in (first, second)
    ]
    return ((apart[0] + apart[1]) / 2).clamp(min=0)


def logit(log_probability: Matrix) -> Matrix:
    """The logit of a probability that is given by its logarithm; of certainty a large number, not infinity."""
    sure = np.minimum(log_probability, CERTAIN)
    odds: Matrix = sure - np.log(-np.expm1(sure))
    return odds


def _batched(
    loaded: Loaded, prompts: Sequence[MaskedPrompt], starts: Sequence[int], size: int, batch: int
) -> Iterator[tuple[int, Any]]:
    """The number of each prompt and its `distributions`, several prompts at once."""
    for group in batches([len(ids) for ids, _ in prompts], batch):
        rows = distributions(loaded, [prompts[i] for i in group], [starts[i] for i in group], size)
        yield from zip(group.tolist(), rows, strict=True)


def _continued(
    loaded: Loaded, prompts: Sequence[MaskedPrompt], starts: Sequence[int], _size: int, _batch: int
) -> Iterator[tuple[int, Any]]:
    """As `_batched`, each prompt from where it departs from the first; those that share most with it come first."""
    heads = [ids[: start - 1] for (ids, _), start in zip(prompts, starts, strict=True)]
    shares = np.array([departs(heads[0], head) for head in heads])
    prefix = Prefix(loaded, heads[0])
    for i in np.argsort(-shares, kind="stable").tolist():
        prefix.cut(int(shares[i]))
        ids, known = prompts[i][0], prefix.size
        with passing(len(ids) - known) as torch:
            output = loaded.model(
                input_ids=torch.tensor([ids[known:]], device=loaded.device),
                logits_to_keep=torch.arange(starts[i] - 1 - known, len(ids) - 1 - known, device=loaded.device),
                **prefix.continued(loaded.model),
            )
            prefix.cut(known, len(ids))
            yield i, torch.log_softmax(output.logits[0].float(), dim=-1)


def distributions(loaded: Loaded, prompts: Sequence[MaskedPrompt], starts: Sequence[int], size: int) -> Any:
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
    with passing(int(mask.sum()), passes=len(prompts), longest=longest):
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
