"""The best passages of documents or of a library for a query, for the retrievers of all frameworks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from citewell.errors import UsageError
from citewell.pipeline.sources import opened
from citewell.registry import build
from citewell.types import Granularity

if TYPE_CHECKING:
    from citewell.document import Document
    from citewell.library.library import Library
    from citewell.types import Segment

Ranked = tuple["Document", "Segment", float]


class Ranking:
    """Ranks the segments of documents by a retriever, or the paragraphs of a library by its own index.

    Args:
        documents: what `citewell.ask` takes; or
        library: a `citewell.Library`.
        granularity: paragraph, sentence or section, of documents.
        retriever: the spec of a retriever, of documents.

    Raises:
        UsageError: neither documents nor a library, or both.
    """

    def __init__(
        self,
        documents: Any = None,
        library: Library | None = None,
        granularity: Granularity = "paragraph",
        retriever: Any = "bm25",
    ) -> None:
        if (documents is None) == (library is None):
            raise UsageError("a CitewellRetriever takes either documents or a library")
        self._documents, self._library = documents, library
        self._granularity, self._retriever = granularity, retriever

    def best(self, query: str, k: int) -> list[Ranked]:
        """The best `k` segments with their documents and scores, best first."""
        if self._library is not None:
            return _of_library(self._library, query, k)
        ranker, parts = self._prepared
        hits = ranker.rank(query, [part for _, part in parts])[:k]
        return [(*parts[hit.position], hit.score) for hit in hits]

    @cached_property
    def _prepared(self) -> tuple[Any, list[tuple[Document, Segment]]]:
        parts = [
            (document, part) for document in opened(self._documents) for part in document.segments(self._granularity)
        ]
        return build("retriever", self._retriever), parts


def _of_library(library: Library, query: str, k: int) -> list[Ranked]:
    ranked = library.search(query, k)
    entries = {entry.id: entry for entry, _ in ranked}
    documents = dict(zip(entries, library.documents(list(entries.values())), strict=True))
    return [
        (documents[entry.id], documents[entry.id].segment_at(hit.start, "paragraph"), hit.score)
        for entry, hit in ranked
    ]
