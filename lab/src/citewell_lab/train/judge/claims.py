"""Claims with human labels, and sentences of pages as claims over their neighbours."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from citewell_lab.train.checker.rows import Row
from citewell_lab.train.checker.sets import Label
from citewell_lab.train.judge.examples import CONTRADICTED, NEITHER, OPEN, SUPPORTED, Judged

# Sets that do not tell a contradiction from silence where a claim is not supported.
UNTOLD = frozenset(("scone", "factcg", "attributionbench", "salad", "begin", "summedits"))
_CLASSES: Mapping[Label, int] = {"supported": SUPPORTED, "contradicted": CONTRADICTED, "not": NEITHER, "partial": OPEN}


def judged(row: Row) -> Judged:
    """A claim as people judged it."""
    label = OPEN if row.label == "not" and row.set in UNTOLD else _CLASSES[row.label]
    return Judged(" ".join(row.evidence), row.claim, label)


def copied(pages: Mapping[str, Sequence[str]], name: str, count: int, seed: int) -> list[Row]:
    """Sentences of pages as claims over themselves and up to four neighbours: what nobody had to label."""
    chance = random.Random(f"{seed}:{name}")  # noqa: S311  (a draw, no secret)
    places = [(page, number) for page, listed in pages.items() for number in range(len(listed))]
    chance.shuffle(places)
    rows: list[Row] = []
    for page, number in places:
        if len(rows) == count:
            break
        listed = pages[page]
        if not _claims(listed[number]):
            continue
        start, end = max(0, number - chance.randrange(3)), number + 1 + chance.randrange(3)
        rows.append(Row(name, f"{name}:{page}", listed[number], tuple(listed[start:end]), "supported"))
    return rows


def _claims(sentence: str) -> bool:
    """Whether a sentence says something by itself: it is no fragment, and leans on none before it."""
    words = sentence.split()
    leans = words[0].lower() in ("it", "he", "she", "they", "this", "these", "those", "that") if words else True
    return 6 <= len(words) <= 40 and words[0][:1].isupper() and sentence.rstrip().endswith(".") and not leans
