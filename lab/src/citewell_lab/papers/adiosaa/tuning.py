"""Delta and threshold of ADiOSAA, chosen by F1@k on a development set, as its appendix C.1 describes.

Every delta is run once and every probability is kept, so that thresholds cost nothing more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from citewell import registry
from citewell.errors import UsageError
from citewell.protocols import Attributor, Checker, Pair
from citewell.types import Draft, Verdict
from citewell_lab.bench.items import RankItem
from citewell_lab.bench.kinds.base import by_target, position
from citewell_lab.bench.kinds.ranked import DEPTHS
from citewell_lab.bench.metrics.evidence import at_k
from citewell_lab.papers.adiosaa.ablations import source
from citewell_lab.papers.source import each
from citewell_lab.report.table import Report, Table

DELTAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PAPER = {"delta": 0.3, "threshold": 0.5}

Scored = list[tuple[float, int]]  # probabilities and positions of what was cited for a sentence, best first


class Setting(NamedTuple):
    """A choice of settings and the F1 that it reaches at each depth, a mean over sentences."""

    values: tuple[tuple[str, float], ...]
    f1: tuple[float, ...]

    @property
    def mean(self) -> float:
        """What settings are chosen by: the mean over the depths."""
        return sum(self.f1) / len(self.f1)

    @property
    def far(self) -> float:
        """How far the settings lie from the paper's; of equal choices the nearest is taken."""
        return sum(abs(value - PAPER[name]) for name, value in self.values)


@dataclass
class Remembered:
    """A checker that is asked about each pair of texts once, whatever the settings."""

    checker: Checker
    known: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    name: str = "remembered"

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair."""
        keys = [(pair.claim, "\n\n".join(document.text for document in pair.evidence)) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self.known}
        if new:
            self.known.update(zip(new, self.checker.check(list(new.values())), strict=True))
        return [self.known[key] for key in keys]


def tune(
    task: str,
    data: str | Path,
    split: str = "dev",
    *,
    method: str = "adiosaa",
    seed: int = 0,
    limit: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """The best delta and threshold by the mean of F1@1, @2 and @4, with every choice that was tried.

    A method with a threshold of its own for sets (`set_threshold`) has its delta chosen with selection and its
    threshold without, which is where it counts; any other has both chosen together.

    Raises:
        UsageError: no such task, or the method is not `entailment` or `adiosaa`.
        InputError: the data is not there.
        BackendError: the checker cannot run.
    """
    base = registry.parse(method)
    if base.name not in ("entailment", "adiosaa"):
        raise UsageError(f"delta and threshold are those of entailment and adiosaa, not of {base.name!r}")
    items, kept = source(task, data, split, limit)
    plain: Any = registry.build("attributor", method)
    checker = Remembered(registry.build("checker", plain.checker))
    decomposer = _Decomposed(registry.build("decomposer", plain.decompose or "none"))
    apart = plain.set_threshold is not None

    def run(**changed: Any) -> list[tuple[set[int], Scored]]:
        built = replace(plain, threshold=0.0, set_threshold=0.0, checker=checker, decompose=decomposer, **changed)
        results, _ = each(items, lambda item: _cited(item, built), progress)
        return [sentence for _, sentences in results for sentence in sentences]

    sets = {delta: run(delta=delta) for delta in DELTAS}
    thresholds = (0.0,) if apart else THRESHOLDS
    tried = [
        Setting((("delta", delta), *(() if apart else (("threshold", least),))), _f1(sentences, least))
        for (delta, sentences), least in itertools.product(sets.items(), thresholds)
    ]
    best = dict(_best(tried).values)
    tables = [_table("sets", "Sets: F1 by delta" + ("" if apart else " and threshold"), tried)]
    if apart:
        alone = run(select=False)
        singles = [Setting((("threshold", least),), _f1(alone, least)) for least in THRESHOLDS]
        best |= dict(_best(singles).values)
        tables.append(_table("singles", "Without selection: F1 by threshold", singles))
    settings = ", ".join(f"{key}={value:g}" for key, value in best.items())
    record = {"task": task, "split": split, "method": method, "seed": seed, "limit": limit, "items": len(items),
              "chosen": best, "settings": settings, **kept}  # fmt: skip
    return Report(tuple(tables), record)


@dataclass(frozen=True)
class _Decomposed:
    """A decomposer that takes each statement apart once: a language model may answer otherwise the second time."""

    decomposer: Any
    known: dict[str, Any] = field(default_factory=dict)

    def decompose(self, statement: str) -> Any:
        if statement not in self.known:
            self.known[statement] = self.decomposer.decompose(statement)
        return self.known[statement]


def _cited(item: RankItem, attributor: Attributor) -> list[tuple[set[int], Scored]]:
    if not item.targets:
        return []
    draft = Draft(item.text, item.question, item.targets, item.targets)
    granularity: Any = item.granularity
    citations = attributor.attribute(draft, [item.document], granularity)
    result = []
    for target_citations, gold in zip(by_target(citations, item.targets), item.gold, strict=True):
        places = [
            (citation.score or 0.0, place)
            for citation in target_citations
            if (place := position(item.segments, citation)) is not None
        ]
        result.append((set(gold), places))
    return result


def _f1(sentences: Sequence[tuple[set[int], Scored]], least: float) -> tuple[float, ...]:
    return tuple(
        sum(at_k([place for score, place in cited if score >= least], gold, k).f1 for gold, cited in sentences)
        / max(1, len(sentences))
        for k in DEPTHS
    )


def _best(tried: Sequence[Setting]) -> Setting:
    top = max(setting.mean for setting in tried)
    return min((setting for setting in tried if setting.mean >= top - 1e-9), key=lambda setting: setting.far)


def _table(name: str, title: str, tried: Sequence[Setting]) -> Table:
    best = _best(tried)
    names = [key for key, _ in tried[0].values]
    rows = tuple(
        (", ".join(f"{key} {value:g}" for key, value in setting.values), *setting.f1, setting.mean,
         "chosen" if setting == best else "")
        for setting in tried
    )  # fmt: skip
    columns = ("setting", *(f"f1@{k}" for k in DEPTHS), "mean", "")
    paper = ", ".join(f"{key} {PAPER[key]:g}" for key in names)
    return Table(f"tuning-{name}", title, columns, rows, notes=(f"the paper chose {paper} on verifiability dev",))
