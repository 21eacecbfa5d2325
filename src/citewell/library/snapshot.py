"""One consistent state of a library as one caller may see it: documents, and the ranking over their paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from citewell.library.search.mixed import Mix, mixed
from citewell.library.search.postings import Flags, Segment
from citewell.library.search.rank import Hit, Ranking, Weights
from citewell.library.store.records import Entry


@dataclass(frozen=True)
class Snapshot:
    """What a library held at one moment."""

    generation: int  # of the library
    segments: Sequence[Segment]  # the arrays of its documents
    visible: dict[int, Entry]  # the documents whose labels the caller carries, by number
    # How a text is compared by meaning, given how many documents have no vectors; None for words alone
    mixing: Callable[[str, int], Mix] | None = None

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(self.segments, self._flags(self.visible))

    @cached_property
    def unencoded(self) -> int:
        """How many of the documents that are seen have no vectors."""
        flags = zip(self.segments, self._flags(self.visible), strict=True)
        return sum(int(np.count_nonzero(segment.unencoded & observed)) for segment, observed in flags)

    def _flags(self, documents: Collection[int]) -> list[Flags]:
        wanted = np.fromiter(documents, np.int64, len(documents))
        return [np.isin(segment.numbers, wanted) for segment in self.segments]

    def search(
        self,
        question: str,
        k: int,
        keep: Callable[[Entry], bool] | None = None,
        weights: Weights | None = None,
    ) -> list[tuple[Entry, Hit]]:
        """The best `k` paragraphs of the documents that are kept, with their documents.

        What the caller may not see changes neither hits nor scores; what is not kept changes no score.
        """
        wanted = None
        if keep is not None:
            wanted = self._flags([number for number, entry in self.visible.items() if keep(entry)])
        if self.mixing is None:
            hits = self._ranking.search(question, k, wanted, weights)
        else:
            mix = self.mixing(question, self.unencoded)
            hits = mixed(self.segments, *self._ranking.scores(question, wanted, weights), mix, k)
        return [(self.visible[hit.document], hit) for hit in hits]
