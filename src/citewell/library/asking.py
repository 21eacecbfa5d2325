"""Finds the documents of a library that a question or statement is about, or decides that it is ambiguous."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from citewell.document import Document
from citewell.generators.extractive.companies import named
from citewell.library.snapshot import Snapshot
from citewell.library.store.records import Entry
from citewell.text.data import settings
from citewell.types import Abstention

Keep = Callable[[Entry], bool]
RIVALS = 5  # documents behind the best one that it is held against
_LEAST = 0.5  # the probability of the first document under which nothing is answered
_SHOWN = 3  # documents whose titles are shown


def doubt(
    snapshot: Snapshot, question: str, documents: Sequence[Document], keep: Keep | None = None
) -> Abstention | None:
    """Why a question is not answered from the documents that were chosen for it; None where one stands out or is named.

    One stands out by the score of its best paragraph over the mean of the five documents behind it; of fewer than six
    all can be read. What that is worth as a probability was fitted by `lab/benchmarks/library/document_score.py`; it
    hardly depends on the library's size.
    """
    if len(named(question, documents)) < len(documents):
        return None
    values = settings("citewell.library")
    best: dict[str, tuple[Entry, float]] = {}
    for entry, hit in snapshot.search(question, int(values["paragraphs"]), keep):
        best.setdefault(entry.id, (entry, hit.score))
    ranked = list(best.values())[: RIVALS + 1]
    if len(ranked) <= RIVALS:
        return None
    ahead = 1 - sum(score for _, score in ranked[1:]) / RIVALS / ranked[0][1]
    probability = 1 / (1 + math.exp(-(values["standing"] + values["distance"] * ahead)))
    if probability >= _LEAST:
        return None
    titles = "; ".join(entry.title or Path(entry.source).name for entry, _ in ranked[:_SHOWN])
    message = (
        f"at least {len(ranked)} documents could be meant, the likeliest with {probability:.0%}, and the question "
        f"names none of them ({titles}, ...): name one, or choose some by a condition"
    )
    return Abstention("low_confidence", message=message)  # its score would be that of a passage


def candidates(snapshot: Snapshot, texts: Sequence[str], most: int, keep: Keep | None = None) -> list[Entry]:
    """The documents whose paragraphs are the best for some texts, best first; of documents with equal text the first.

    A document is as good as its scores for all texts together. The best of each text is among them, so that with many
    texts there are more than `most`.
    """
    rankings = [_ranked(snapshot, text, keep) for text in texts]
    total: dict[str, float] = defaultdict(float)
    entries: dict[str, Entry] = {}
    for ranking in rankings:
        for entry, score in ranking:
            total[entry.id] += score
            entries.setdefault(entry.id, entry)
    ranked = sorted(entries, key=lambda name: (-total[name], entries[name].number))
    wanted = {*ranked[:most], *(ranking[0][0].id for ranking in rankings if ranking)}
    return [entries[name] for name in ranked if name in wanted]


def _ranked(snapshot: Snapshot, text: str, keep: Keep | None) -> list[tuple[Entry, float]]:
    """The documents for one text with their scores, best first; see `ordered`."""
    values = settings("citewell.library")
    entries: dict[str, Entry] = {}
    hits = []
    for entry, hit in snapshot.search(text, int(values["paragraphs"]), keep):
        if entries.setdefault(entry.id, entry).number == entry.number:  # not the same text once more
            hits.append((entry.id, hit.score))
    return [(entries[name], score) for name, score in ordered(hits, values["fading"])]


def ordered(hits: Iterable[tuple[str, float]], fading: float) -> list[tuple[str, float]]:
    """Documents with their scores, best first, from their paragraphs' scores, best first.

    The first is the one whose best paragraphs together weigh most, each further one `fading` times the one before; the
    others follow by their best paragraph alone, so that a long document with many near misses displaces nothing.
    """
    scores: dict[str, list[float]] = defaultdict(list)
    for name, score in hits:
        scores[name].append(score)
    if not scores:
        return []
    faded = {name: sum(score * fading**place for place, score in enumerate(parts)) for name, parts in scores.items()}
    first = max(faded, key=lambda name: faded[name])
    ranked = {name: paragraphs[0] for name, paragraphs in scores.items()} | {first: faded[first]}
    return sorted(ranked.items(), key=lambda pair: (pair[0] != first, -pair[1]))
