"""Similarity of answers to one question across settings, by bigrams and embeddings (appendix B.1, Figure 4)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from citewell_lab.papers.lfqa.data import Setting, Study
from citewell_lab.papers.lfqa.scorers import check_embeds
from citewell_lab.report.intervals import interval
from citewell_lab.report.values import Interval

_WORD = re.compile(r"\w+")
OTHERS = 5  # answers to other questions that each answer is compared with for the lower bound


class Similarity(NamedTuple):
    """The mean likeness of one model's answers in two settings to the same question; `n` questions."""

    model: str
    measure: str
    first: str
    second: str
    n: int
    value: Interval


class Bound(NamedTuple):
    """What likeness is worth: `upper` between samples of a setting, `lower` between answers to different questions."""

    model: str
    measure: str
    bound: str
    n: int
    value: Interval


class Similarities(NamedTuple):
    """Likeness of each pair of settings, and the bounds."""

    pairs: list[Similarity]
    bounds: list[Bound]
    missing: list[str]


def bigrams(text: str) -> Counter[tuple[str, str]]:
    """Counts of pairs of neighbouring words, lower case."""
    words = _WORD.findall(text.lower())
    return Counter(pairwise(words))


def overlap(first: Counter[tuple[str, str]], second: Counter[tuple[str, str]]) -> float:
    """F1 of shared bigrams (what ROUGE-2 is); 0 where an answer has none."""
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def measure(study: Study, encoder: Any = None, *, seed: int = 0) -> Similarities:
    """Every pair of settings of every model that has two, and the paper's bounds.

    Bounds come from answers without documents; a model without such answers takes its first setting. The upper bound
    needs several samples a question.

    Without an encoder, a retriever with embeddings for cosine similarity, only bigrams are compared.

    Raises:
        UsageError: the encoder has no embeddings.
    """
    result = Similarities([], [], [])
    responses = (response for question in study.questions for response in question.responses)
    counted = {text: bigrams(text) for response in responses for text in response.samples}
    measures: dict[str, Callable[[str, str], float]] = {"bigram overlap": lambda a, b: overlap(counted[a], counted[b])}
    if encoder is not None:
        check_embeds(encoder)
        texts = list(counted)
        vectors = encoder.embed(texts) if texts else np.zeros((0, 1))
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        place = {text: number for number, text in enumerate(texts)}
        measures["embedding cosine"] = lambda a, b: float(vectors[place[a]] @ vectors[place[b]])
    for model in dict.fromkeys(setting.model for setting in study.settings):
        settings = [setting for setting in study.settings if setting.model == model]
        if len(settings) < 2:
            continue
        answers = {setting: _answers(study, setting) for setting in settings}
        base = next((setting for setting in settings if setting.evidence is None), settings[0])
        for name, compare in measures.items():
            for left, two in combinations(settings, 2):
                values = _between(answers[left], answers[two], compare)
                if values:
                    first, second = (setting.evidence or "no documents" for setting in (left, two))
                    result.pairs.append(Similarity(model, name, first, second, len(values), interval(values)))
            _bounds(result, model, name, answers[base], compare, seed)
        if all(len(texts) < 2 for texts in answers[base].values()):
            result.missing.append(
                f"upper bound of {model}: it needs two samples of {base} a question, the data has one"
            )
    return result


def _answers(study: Study, setting: Setting) -> dict[str, tuple[str, ...]]:
    return {
        question.id: response.samples
        for question in study.questions
        for response in question.responses
        if response.setting == setting
    }


def _between(
    first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]], compare: Callable[[str, str], float]
) -> list[float]:
    """The mean over pairs of samples, question by question."""
    return [float(np.mean([compare(a, b) for a in first[key] for b in second[key]])) for key in first if key in second]


def _bounds(
    result: Similarities,
    model: str,
    name: str,
    answers: dict[str, tuple[str, ...]],
    compare: Callable[[str, str], float],
    seed: int,
) -> None:
    same = [_mean_pair(texts, compare) for texts in answers.values() if len(texts) > 1]
    if same:
        result.bounds.append(Bound(model, name, "upper", len(same), interval(same)))
    generator, keys = random.Random(seed), list(answers)  # noqa: S311  (not for secrets)
    apart = []
    for key in keys:
        rest = [other for other in keys if other != key]
        chosen = generator.sample(rest, min(OTHERS, len(rest)))
        if chosen:
            apart.append(float(np.mean([compare(answers[key][0], answers[other][0]) for other in chosen])))
    if apart:
        result.bounds.append(Bound(model, name, "lower", len(apart), interval(apart)))


def _mean_pair(texts: Sequence[str], compare: Callable[[str, str], float]) -> float:
    return float(np.mean([compare(a, b) for a, b in combinations(texts, 2)]))
