"""From a library to the documents that a question or statement is about, and from there the pipeline as for any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from citewell.library.snapshot import Snapshot
from citewell.library.store.records import Entry
from citewell.text.data import settings

Keep = Callable[[Entry], bool]


def candidates(snapshot: Snapshot, texts: Iterable[str], k: int, keep: Keep | None = None) -> list[Entry]:
    """The `k` documents whose paragraphs are the best for some texts, best first; of equal documents the first.

    Documents are ranked by their best paragraphs: each further one counts less than the one before it.
    """
    values = settings("citewell.library")
    many, fading = int(values["paragraphs"]), values["fading"]
    scores: dict[str, float] = defaultdict(float)
    entries: dict[str, Entry] = {}
    for text in texts:
        seen: dict[str, int] = defaultdict(int)
        for entry, hit in snapshot.search(text, many, keep):
            first = entries.setdefault(entry.id, entry)
            if first.number != entry.number:
                continue  # the same text once more
            scores[entry.id] += hit.score * fading ** seen[entry.id]
            seen[entry.id] += 1
    ranked: Sequence[str] = sorted(scores, key=lambda name: (-scores[name], entries[name].number))
    return [entries[name] for name in ranked[:k]]
