"""Settings that depend on the model: the layer from its depth, the threshold from bundled answers.

States of different models and layers are not on one scale: a layer or a threshold that was chosen for one model says
little of another. `citewell calibrate` of the laboratory chooses both on data; without it these are used, and told.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from citewell.errors import notes
from citewell.models.loading import Loaded, bidirectional
from citewell.text.data import read_json
from citewell.text.segments import statements
from citewell.types import Draft, Span

# Of a model's layers, where sources are looked for: what attends in both directions keeps words apart until late, what
# reads from left to right turns early to the word that comes next.
DEPTH = {True: 5 / 6, False: 1 / 6}
# By type, layers and width: the threshold that was chosen on data (all-MiniLM-L6-v2 on QuoteSum and VERI-GRAN).
CALIBRATED = {("bert", 6, 384): 0.82}
_COPIED = re.compile("«([^»]*)»")


class Example(NamedTuple):
    """A document, an answer to a question about it, and where the answer is copied."""

    document: str
    draft: Draft
    copied: tuple[Span, ...]


Scores = Callable[[Example], dict[Span, float]]
"""The cosine of the nearest document token, of each token of an example's answer."""

_THRESHOLDS: weakref.WeakKeyDictionary[object, dict[tuple[int, bool, str | None], float]] = weakref.WeakKeyDictionary()


def is_calibrated(loaded: Loaded) -> bool:
    """Whether layer and threshold were chosen for this model on data."""
    return _shape(loaded) in CALIBRATED


def _shape(loaded: Loaded) -> tuple[str, int, int]:
    config = loaded.model.config
    return (str(config.model_type), int(config.num_hidden_layers), int(getattr(config, "hidden_size", 0)))


def layer(loaded: Loaded) -> int:
    """The layer to look at, counted from 0, the embeddings; never 0."""
    return max(1, round(DEPTH[bidirectional(loaded)] * int(loaded.model.config.num_hidden_layers)))


def threshold(loaded: Loaded, at: tuple[int, bool, str | None], scores: Scores) -> float:
    """The cosine above which the tokens of the bundled answers are told from the others best, by F1.

    Args:
        loaded: the model.
        at: layer, whether passages are read alone, and the prompt: what the scores depend on.
        scores: of an example's tokens.
    """
    known = CALIBRATED.get(_shape(loaded))
    if known is not None and at[0] == layer(loaded):
        return known
    by_setting = _THRESHOLDS.setdefault(loaded.model, {})
    if at not in by_setting:
        by_setting[at] = best([pair for example in examples() for pair in _judged(example, scores(example))])
    return by_setting[at]


def warn(model: str, message: str) -> None:
    """Say that a setting was not chosen on data."""
    notes.warn(f"hidden-states was not calibrated for {model}: {message}; `citewell calibrate` chooses on data")


def best(tokens: list[tuple[float, bool]]) -> float:
    """The threshold of the best F1, half way between two scores; the least score exceeds it where all is best."""
    ordered = sorted(tokens, key=lambda token: -token[0])
    wanted = sum(copied for _, copied in ordered)
    top, cut, hits = 0.0, 1.0, 0
    for number, (score, copied) in enumerate(ordered, 1):
        hits += copied
        following = ordered[number][0] if number < len(ordered) else score - 0.01
        if following < score and (f1 := 2 * hits / (number + wanted)) > top:
            top, cut = f1, (score + following) / 2
    return round(cut, 4)


def _judged(example: Example, scores: dict[Span, float]) -> Iterator[tuple[float, bool]]:
    """Each token's score and whether it was copied; those that only touch a copied part are left out."""
    for token, score in scores.items():
        inside = any(start <= token.start and token.end <= end for start, end in example.copied)
        if inside or not any(token.start < end and start < token.end for start, end in example.copied):
            yield score, inside


@cache
def examples() -> tuple[Example, ...]:
    """The bundled answers."""
    built = []
    for row in read_json(__package__, "pairs.json")["pairs"]:
        marked = row["answer"]
        text = marked.replace("«", "").replace("»", "")
        copied = [
            Span(match.start() - 2 * number, match.start() - 2 * number + len(match[1]))
            for number, match in enumerate(_COPIED.finditer(marked))
        ]
        built.append(Example(row["document"], Draft(text, row["question"], statements(text)), tuple(copied)))
    return tuple(built)
