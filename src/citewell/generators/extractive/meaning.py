"""Reranks the best candidates by a sentence encoder in addition to their words.

The weight was fitted on the public sets; `docs/decisions/2026-11-23-meaning-beside-words.md` has what it brings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from citewell import registry
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.settings import settings
from citewell.text.index import Floats

_BEST = 24  # candidates whose meaning is looked at; the others keep their places behind an even similarity
_EVEN = 0.25  # the similarity that the others are given


def with_meaning(reading: Reading, ranked: Floats, encoder: str) -> Floats:
    """The log odds of the candidates with the similarity of question and sentence.

    Raises:
        MissingExtraError: the packages of the encoder are not installed.
        BackendError: the model is not found or cannot be loaded.
    """
    order = np.argsort(-ranked, kind="stable")[:_BEST].tolist()
    segments = [reading.sentences.segments[int(reading.candidates[place])] for place in order]
    similar = np.full(len(ranked), _EVEN, dtype=np.float32)
    for hit in _retriever(encoder).rank(reading.question.text, segments):
        similar[order[hit.position]] = hit.score
    result: Floats = (ranked + settings()["meaning"] * (similar - similar.max())).astype(np.float32)
    return result


@lru_cache(maxsize=2)
def _retriever(encoder: str) -> Any:
    return registry.build("retriever", registry.Spec("dense", (("model", encoder),)))
