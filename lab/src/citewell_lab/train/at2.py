"""Learns AT2's weights: heads whose attention predicts the effect of leaving sources out.

Source: Cohen-Wang, Chuang and Madry, Learning to Attribute with Attention (2025), and its code: 32 sets of sources for
an example, each kept with probability one half by the attention mask; Pearson's correlation of the weighted attention
to what is kept (less what is not) with the logit of a sentence's probability; Adam, cosine, 1,000 steps of 512.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell import registry
from citewell.attributors.ablation.contextcite import draws
from citewell.attributors.ablation.likelihood import logit, score
from citewell.attributors.attention.at2 import AT2, FORMAT, features
from citewell.attributors.contexts import contexts
from citewell.attributors.places import join
from citewell.attributors.targets import statements
from citewell.errors import UsageError
from citewell.models.attention import causal, shape
from citewell.models.loading import import_torch
from citewell.text import files
from citewell.text.safe import dumps
from citewell.types import Granularity
from citewell_lab.train import cases

Numbers = npt.NDArray[np.float32]
MASKS = 32
KEEP = 0.5


class Learned(NamedTuple):
    """One target: (masks, layers times heads) attention to what is kept less what is not, (masks,) logits."""

    features: Numbers
    outcomes: Numbers


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a model's heads, and what is told of them."""

    spec: registry.Spec
    weights: Numbers
    record: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the file of weights."""
        return {
            "format": FORMAT,
            **self.record,
            "weights": [[round(float(entry), 8) for entry in row] for row in self.weights],
        }


def learn(
    method: str,
    task: str,
    data: str | Path,
    split: str,
    *,
    examples: int = 4000,
    steps: int = 1000,
    batch: int = 512,
    granularity: Granularity = "sentence",
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Weights:
    """Learn the weights of a model's heads on answers of a task.

    Args:
        method: the spec of an `at2`; weights that it names play no part.
        task: with answers and their documents.
        data: the folder of the data sets.
        split: of the task.
        examples: how many answers are drawn.
        steps: of the optimiser.
        batch: targets a step.
        granularity: what a source is.
        seed: of the draws.
        progress: told how many answers are done.

    Raises:
        UsageError: the method is no `at2`, or no such task.
        InputError: the data is not there, or has no answers.
    """
    spec = registry.parse(method)
    if spec.name != "at2":
        raise UsageError(f"the weights are those of at2(model=...), not of {spec.name!r}")
    bare = tuple((key, value) for key, value in spec.params if key != "weights")
    built: AT2 = registry.build("attributor", spec._replace(params=bare))
    items, payload = cases.read(task, data, split, examples, seed)
    drawn = list(islice(cases.answers(items), examples))
    cases.require(len(drawn), task, "answers")
    rows: list[Learned] = []
    for number, entry in enumerate(drawn, start=1):
        rows += observed(built, entry, granularity)
        if progress:
            progress(number)
    cases.require(len(rows), task, "answers of two sources or more")
    size = shape(causal(built.load("causal")))
    weights = fit(rows, steps=steps, batch=batch, seed=seed).reshape(size)
    payload |= {"model": built.model, "revision": built.revision, "examples": len(drawn), "targets": len(rows),
             "correlation": round(correlation(rows, weights.ravel()), 4)}  # fmt: skip
    return Weights(spec._replace(params=bare), weights, payload)


def observed(method: AT2, first: cases.AnswerCase, granularity: Granularity) -> list[Learned]:
    """What an answer teaches, a row a statement; the sources of the first prompt where there are several."""
    headed = causal(method.load("causal"))
    places = join(first.documents, granularity)
    visible = contexts(headed, first.draft, first.documents, places, method.limit)
    if not visible or len(visible[0].spans) < 2:
        return []
    context = visible[0]
    ats = [at for target in statements(first.draft) if len(at := context.of(target))]
    kept = draws(MASKS, len(context.spans), KEEP, 0)
    log_probability = score(headed, context, kept, how="mask", batch=method.batch).log_probability
    bare = headed._replace(model=headed.model.base_model)
    attention = features(bare, context, ats).reshape(-1, len(ats), len(context.spans))
    signs = 2 * np.array(kept, dtype=np.float32) - 1
    return [
        Learned(
            signs @ attention[:, number].T,
            logit(log_probability[:, at].sum(axis=1)).astype(np.float32),
        )
        for number, at in enumerate(ats)
    ]


def fit(rows: Sequence[Learned], *, steps: int = 1000, batch: int = 512, rate: float = 1e-3, seed: int = 0) -> Numbers:
    """Weights, their absolute values together 1, of the highest mean correlation."""
    torch = import_torch()
    attention = torch.tensor(np.stack([row.features for row in rows]))
    outcomes = torch.tensor(np.stack([row.outcomes for row in rows]))
    count = attention.shape[-1]
    weights = torch.full((count,), 1 / count, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        chosen = torch.tensor(generator.choice(len(rows), min(batch, len(rows)), replace=False))
        optimizer.zero_grad()
        loss = -_correlations(attention[chosen] @ weights, outcomes[chosen]).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([weights], max_norm=1.0)
        optimizer.step()
        schedule.step()
    matches = weights.detach().numpy()
    normed: Numbers = matches / np.abs(matches).sum()
    return normed


def correlation(rows: Sequence[Learned], weights: Numbers) -> float:
    """The mean over targets of Pearson's correlation."""
    torch = import_torch()
    values = [
        _correlations(torch.tensor(row.features @ weights)[None], torch.tensor(row.outcomes)[None]).item()
        for row in rows
    ]
    return float(np.mean(values))


def _correlations(left: Any, right: Any) -> Any:
    left, right = (values - values.mean(dim=1, keepdim=True) for values in (left, right))
    lengths = (left.square().mean(dim=1) * right.square().mean(dim=1)).sqrt()
    return (left * right).mean(dim=1) / (lengths + 1e-8)


def write(weights: Weights, path: Path) -> str:
    """Write the file of weights; the spec that uses it."""
    files.write(path, dumps(weights.to_dict()) + "\n")
    return str(weights.spec._replace(params=(*weights.spec.params, ("weights", str(path)))))
