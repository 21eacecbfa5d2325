"""Citation precision and recall: the one place that says which citations of a statement are to the point.

A statement counts as cited where all its citations together support it. A citation is precise where its statement
counts as cited, and it supports the statement alone or the others cannot do without it.
Source: Gao et al., Enabling Large Language Models to Generate Text with Citations (2023), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from citewell.document import Document
from citewell.protocols import Pair
from citewell.types import Verdict

Check = Callable[[list[Pair]], Sequence[Verdict]]


class Cited(NamedTuple):
    """A statement, and the evidence of each of its citations."""

    claim: str
    evidence: tuple[tuple[Document, ...], ...]


class Judged(NamedTuple):
    """A statement judged with all its citations and with each alone, and which of them are precise."""

    together: Verdict
    alone: tuple[Verdict, ...]
    precise: tuple[bool, ...]


def judged(statements: Sequence[Cited], check: Check) -> list[Judged]:
    """Judge statements that have citations; the checker is asked in two batches."""
    choices = [[one.evidence, *((own,) for own in one.evidence)] for one in statements]
    verdicts = _asked(check, statements, choices)
    # What does not support alone is needed where the rest does not support either.
    doubtful = [
        [n for n, verdict in enumerate(alone) if together.label == "supported" != verdict.label]
        for together, *alone in verdicts
    ]
    rests = [
        [one.evidence[:n] + one.evidence[n + 1 :] for n in places]
        for one, places in zip(statements, doubtful, strict=True)
    ]
    without = _asked(check, statements, rests)
    made = []
    for (together, *alone), places, rest in zip(verdicts, doubtful, without, strict=True):
        spare = {n for n, verdict in zip(places, rest, strict=True) if verdict.label == "supported"}
        precise = (together.label == "supported" and n not in spare for n in range(len(alone)))
        made.append(Judged(together, tuple(alone), tuple(precise)))
    return made


def _asked(
    check: Check, statements: Sequence[Cited], choices: Sequence[Sequence[tuple[tuple[Document, ...], ...]]]
) -> list[list[Verdict]]:
    """The verdicts on each statement with each of several choices among its citations; the same is asked once."""
    pairs: dict[tuple[str, tuple[str, ...]], Pair] = {}
    asked: list[list[tuple[str, tuple[str, ...]]]] = []
    for one, own_choices in zip(statements, choices, strict=True):
        asked.append([])
        for choice in own_choices:
            documents = {document.id: document for own in choice for document in own}
            key = (one.claim, tuple(documents))
            pairs[key] = Pair(one.claim, tuple(documents.values()))
            asked[-1].append(key)
    verdicts = dict(zip(pairs, check(list(pairs.values())) if pairs else (), strict=True))
    return [[verdicts[key] for key in keys] for keys in asked]


def share(values: Sequence[bool]) -> float | None:
    """The share that holds; None of nothing."""
    return sum(values) / len(values) if values else None
