"""A seeded sample of a split's items: the same on every machine, smaller samples inside larger ones."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator

from citewell_lab.bench.items import Item


def sampled(items: Iterable[Item], size: int, seed: int = 0) -> Iterator[Item]:
    """As many items in their order; all of them where there are no more (LAB: 2,000 test items, 100 for GPT-4).

    Those whose names have the least hashes are taken, so that neither the order of the data nor the size of the sample
    changes who is in it.
    """
    ranked = ((hashlib.sha256(f"{seed}:{item.id}".encode()).digest(), place, item) for place, item in enumerate(items))
    chosen = heapq.nsmallest(size, ranked, key=lambda entry: entry[:2])
    yield from (item for *_, item in sorted(chosen, key=lambda entry: entry[1]))
