"""Attribution by retrieval: each statement is a query, and the best-ranked segments are cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell import registry
from citewell.attributors.targets import query_of, targets, unit_of
from citewell.document import Document
from citewell.text.data import settings
from citewell.types import Citation, Draft, Granularity

QUERIES = ("target", "statement", "question")


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """Cite what a retriever ranks best for each target.

    Attributes:
        retriever: the spec of the retriever.
        query: `target` the target alone, `statement` the whole statement around it, `question` the question and the
            statement (the query that LAB uses for question answering).
        k: citations a target where the caller names no number; LAB uses 2.
        near: how much of the best segment's score a further one must have to be cited, 0 to 1; nothing where None.
    """

    retriever: str = "bm25"
    query: str = "statement"
    k: int = 2
    near: float | None = None
    name: ClassVar[str] = "retrieval"

    def __post_init__(self) -> None:
        if self.query not in QUERIES:
            raise ValueError(f"query is one of {', '.join(QUERIES)}, not {self.query!r}")
        if self.k < 1:
            raise ValueError("k is at least 1")
        if self.near is not None and not 0 <= self.near <= 1:
            raise ValueError("near lies between 0 and 1")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """The best segments for each target; scores are the retriever's own and not always probabilities.

        Retrieval has no tokens to show: the granularities `token` and `window` give sentences.
        """
        wanted = targets(draft)
        places = [(document, segment) for document in documents for segment in document.segments(unit_of(granularity))]
        if not wanted or not places:
            return ()
        queries = [query_of(draft, target, self.query) for target in wanted]
        retriever = registry.build("retriever", self.retriever)
        segments = [segment for _, segment in places]
        many = getattr(retriever, "rank_many", None)
        rankings = many(queries, segments) if many else [retriever.rank(query, segments) for query in queries]
        result, near = list[Citation](), self._near()
        for target, ranking in zip(wanted, rankings, strict=True):
            for rank, hit in enumerate(ranking[: self.k if k is None else k]):
                # The best is cited whatever its score: a share of a negative one is more than it is.
                if near is not None and rank and hit.score < near * ranking[0].score:
                    break
                document, segment = places[hit.position]
                result.append(Citation.of(segment, document.id, target, hit.score, f"{self.name}({self.retriever})"))
        return tuple(result)

    def _near(self) -> float | None:
        return self.near


@dataclass(frozen=True, kw_only=True)
class Hybrid(Retrieval):
    """Cite what words and meaning together rank best, and further segments that come near it.

    `hybrid(retriever=hybrid(model=...))` names the encoder; its weight, and `near` where it is None, are fitted by
    `lab/benchmarks/hybrid.py`.
    """

    retriever: str = "hybrid"
    k: int = 5
    name: ClassVar[str] = "hybrid"

    def _near(self) -> float | None:
        return settings("citewell.attributors", "hybrid.json")["near"] if self.near is None else self.near
