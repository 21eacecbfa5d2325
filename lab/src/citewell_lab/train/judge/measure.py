"""Measures the judge on held-out sets, and on their claims with one fact changed.

The figures are the area under the ROC curve of a set, and of changed claims the share that scores below the value
that three of four unchanged claims reach.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell.checkers.evidence import read
from citewell.checkers.lexical import LexicalChecker
from citewell.document import Document
from citewell.models.loading import import_torch
from citewell.protocols import Pair
from citewell.text.data import settings
from citewell_lab.bench.flips import KINDS, Pool, flips
from citewell_lab.bench.metrics.labels import roc_auc
from citewell_lab.train.checker.rows import Row, load
from citewell_lab.train.judge import combine
from citewell_lab.train.judge.data import LEFT_OUT
from citewell_lab.train.judge.encoding import Batch, Coder, Line, tensors
from citewell_lab.train.judge.examples import NEITHER, SUPPORTED, Judged
from citewell_lab.train.judge.fit import build, load_adapter

KEPT = 0.75  # share of the unchanged claims that pass
_SURE = 1e-4  # scores are held within this of 0 and 1, so that their log odds are finite
_WORDS = 200  # of evidence that is read as it is; of more the sentences that the checker chooses are read
_CHANGED = ("wice_cited", "scifact", "attributionbench", "factcheckbench")


class Item(NamedTuple):
    """A claim to measure with.

    Attributes:
        set: the set that it is from, or `changed`.
        kind: of the change; empty for a claim as people judged it.
        supported: whether the evidence supports it.
    """

    set: str
    kind: str
    evidence: str
    claim: str
    supported: bool


def items(data: Path, each: int, *, seed: int = 0) -> list[Item]:
    """At most `each` claims of every set that is left out, and as many of their claims with a fact changed."""
    chance = random.Random(f"{seed}:left out")  # noqa: S311  (a draw, no secret)
    result: list[Item] = []
    for name in LEFT_OUT:
        rows = load(data, (name,))
        drawn = chance.sample(rows, min(len(rows), each))
        result += [Item(name, "", _evidence(row), row.claim, row.label == "supported") for row in drawn]
    supported = [row for row in load(data, _CHANGED, sample=4 * each) if row.label == "supported"]
    chance.shuffle(supported)
    pool = Pool.of(text for row in supported for text in (row.claim, *row.evidence[:40]))
    counts = dict.fromkeys(KINDS, 0)
    for row in supported:
        changes = flips(row.claim, row.evidence, pool, seed=seed, half="held")
        rare = sorted(changes, key=lambda change: counts[change.kind])[:2]
        if not rare or min(counts[change.kind] for change in rare) >= each // 4:
            continue
        evidence = _evidence(row)
        result.append(Item("changed", "", evidence, row.claim, supported=True))
        for change in rare:
            counts[change.kind] += 1
            result.append(Item("changed", change.kind, evidence, change.text, supported=False))
        if sum(counts.values()) >= 2 * each:
            break
    return result


def _evidence(row: Row) -> str:
    text = " ".join(row.evidence)
    if len(text.split()) <= _WORDS:
        return text
    (chosen,) = read([Pair(row.claim, (Document.from_text("\n".join(row.evidence)),))])
    sentences = sorted(chosen.sentences, key=lambda sentence: sentence.start)
    return " ".join(sentence.text for sentence in sentences) or " ".join(text.split()[:_WORDS])


def left_out(
    base: Path, adapter: Path, data: Path, each: int, *, weights: str | None = None, seed: int = 0
) -> tuple[dict[str, dict[str, float]], dict[str, object]]:
    """The figures of words, judge and both on `each` claims of every set that is left out, and how both count.

    Both count on a set as they do on the others. `weights` are those of the checker over facts, fitted without these
    sets; the weights that ship were fitted on parts of them, which flatters words.

    Raises:
        InputError: the base model, the adapter or the weights cannot be read.
    """
    model = build(base)
    load_adapter(model, adapter)
    listed = items(data, each, seed=seed)
    judge, words = odds(model.eval(), Coder(base), listed), by_words(listed, weights)
    supported, sets = [item.supported for item in listed], [item.set for item in listed]
    both = combine.crossed(np.array(words), np.array(judge), np.array(supported), np.array(sets)).tolist()
    result = {name: figures(listed, scores) for name, scores in (("words", words), ("judge", judge), ("both", both))}
    return result, combine.settings(words, judge, supported, sets)


def by_words(listed: Sequence[Item], weights: str | None = None) -> list[float]:
    """The log odds that the checker over facts gives."""
    documents = {item.evidence: (Document.from_text(item.evidence),) for item in listed}
    verdicts = LexicalChecker(weights=weights).check([Pair(item.claim, documents[item.evidence]) for item in listed])
    scores = np.clip([verdict.score for verdict in verdicts], _SURE, 1 - _SURE)
    return [float(value) for value in np.log(scores / (1 - scores))]


def odds(model: Any, coder: Coder, listed: Sequence[Item]) -> list[float]:
    """The judge's log odds of support, claims over the same evidence in one row."""
    torch = import_torch()
    s = settings(__package__)
    by_text: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(listed):
        by_text[item.evidence].append(number)
    result = [0.0] * len(listed)
    for batch, numbers in _batches(coder, listed, by_text, int(s["batch"])):
        inputs = tensors(batch, torch.bfloat16)
        with torch.inference_mode():
            sure = torch.log_softmax(model(inputs.ids, inputs.positions, inputs.masks, inputs.ends)[0], dim=-1)
        values = sure[:, SUPPORTED] - torch.logsumexp(sure[:, 1:], dim=-1)
        for number, value in zip(numbers, values.tolist(), strict=True):
            result[number] = value
    return result


def _batches(
    coder: Coder, listed: Sequence[Item], by_text: Mapping[str, Sequence[int]], tokens: int
) -> list[tuple[Batch, list[int]]]:
    s = settings(__package__)
    result: list[tuple[Batch, list[int]]] = []
    size = tokens
    for text, numbers in by_text.items():
        claims = tuple(coder.claim(Judged(text, listed[number].claim, NEITHER), int(s["claim"])) for number in numbers)
        line = Line(coder.evidence(text, int(s["prefix"])), claims)
        if size + line.length > tokens:
            result.append(([], []))
            size = 0
        result[-1][0].append(line)
        result[-1][1].extend(numbers)
        size += line.length
    return result


def figures(listed: Sequence[Item], scores: Sequence[float]) -> dict[str, float]:
    """AUC by set in percent, the mean of the sets, and the changed claims caught, by kind and over all kinds."""
    result: dict[str, float] = {}
    for name in dict.fromkeys(item.set for item in listed):
        chosen = [number for number, item in enumerate(listed) if item.set == name]
        area = roc_auc([listed[number].supported for number in chosen], [scores[number] for number in chosen])
        if area is not None:
            result[name] = round(100 * area, 1)
    sets = [value for name, value in result.items() if name != "changed"]
    if sets:
        result["mean"] = round(sum(sets) / len(sets), 1)
    unchanged = [scores[n] for n, item in enumerate(listed) if item.set == "changed" and item.supported]
    if unchanged:
        least = float(np.quantile(unchanged, 1 - KEPT))
        for kind in (*KINDS, ""):
            wrong = [
                scores[n]
                for n, item in enumerate(listed)
                if item.set == "changed" and not item.supported and kind in ("", item.kind)
            ]
            if wrong:
                caught = sum(score < least for score in wrong) / len(wrong)
                result[f"caught {kind}".strip()] = round(100 * caught, 1)
    return result
