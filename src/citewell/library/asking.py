"""From a library to the documents that a question or statement is about, and from there the pipeline as for any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from citewell.library.snapshot import Snapshot
from citewell.library.store.records import Entry
from citewell.text.data import settings

Keep = Callable[[Entry], bool]


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
    """The documents for one text with their scores, best first.

    The first is the one whose best paragraphs together weigh most, each further one `fading` times the one before; the
    others follow by their best paragraph alone, so that a long document with many near misses displaces nothing.
    """
    values = settings("citewell.library")
    hits: dict[str, list[float]] = defaultdict(list)
    entries: dict[str, Entry] = {}
    for entry, hit in snapshot.search(text, int(values["paragraphs"]), keep):
        first = entries.setdefault(entry.id, entry)
        if first.number == entry.number:  # not the same text once more
            hits[entry.id].append(hit.score)
    if not hits:
        return []
    faded = {
        name: sum(score * values["fading"] ** place for place, score in enumerate(scores))
        for name, scores in hits.items()
    }
    first_name = max(faded, key=lambda name: (faded[name], -entries[name].number))
    scores = {name: hit[0] for name, hit in hits.items()} | {first_name: faded[first_name]}
    ranked = sorted(scores, key=lambda name: (name != first_name, -scores[name], entries[name].number))
    return [(entries[name], scores[name]) for name in ranked]
