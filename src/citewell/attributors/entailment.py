"""ADiOSAA: break a statement into units, find for each the set of sentences that entails it, put them together.

Source: Sancheti, Goswami and Srinivasan, Post-Hoc Answer Attribution for Grounded and Trustworthy Long Document
Comprehension (2024), section 3. Its ablations are settings: `decompose=none`, `select=false`, or both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from citewell import registry
from citewell.attributors.optimal_selection import Growth, Scorer, grow
from citewell.attributors.targets import targets
from citewell.document import Document
from citewell.protocols import Unit
from citewell.types import Citation, Draft, Granularity, Segment, Span


class Asked(NamedTuple):
    """A unit of a target, with its candidates' positions."""

    target: Span
    unit: Unit
    candidates: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Entailment:
    """Cite the sets of sentences that a checker finds to entail the units of a statement.

    Attributes:
        checker: the spec of the checker whose probability decides. It must read a premise whole to gain from sets:
            `docnli`, `true`, `minicheck`, `lexical`, or `nli(premise=windows)`.
        decompose: the spec of the decomposer; `none` keeps statements whole.
        select: whether sets are grown; without, sentences are ranked one by one.
        threshold: the probability that a set (or sentence) must reach to be cited.
        delta: how much a further sentence must add.
        candidates: sentences a unit that the retriever hands over.
        retriever: the spec of the retriever that chooses them.
    """

    checker: str = "lexical"
    decompose: str | None = "clauses"
    select: bool = True
    threshold: float = 0.5
    delta: float = 0.3
    candidates: int = 150
    retriever: str = "bm25"
    name: ClassVar[str] = "entailment"

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1 or self.delta < 0:
            raise ValueError("threshold lies between 0 and 1 and delta is at least 0")
        if self.candidates < 1:
            raise ValueError("candidates is at least 1")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target, best first; the score is the probability that the unit's set supports the unit.

        A citation's range in the answer is that of its unit. Entailment has no tokens to show: the granularity
        `token` gives sentences. Counts noted: `pairs scored`, and `pairs asked for`, the calls without memory.
        """
        places = [
            (document, segment)
            for document in documents
            for segment in document.segments("sentence" if granularity == "token" else granularity)
        ]
        wanted = targets(draft)
        if not wanted or not places:
            return ()
        segments = [segment for _, segment in places]
        asked = self._units(draft, wanted, segments)
        scorer = Scorer(registry.build("checker", self.checker))
        texts = [segment.text for segment in segments]
        if self.select:
            units, sets = [question.unit.text for question in asked], [question.candidates for question in asked]
            growths = [[growth] for growth in grow(units, sets, texts, scorer, delta=self.delta)]
        else:
            growths = _ranked(asked, texts, scorer)
        return tuple(
            citation
            for target in wanted
            for citation in self._cite(
                target,
                [pair for pair in zip(asked, growths, strict=True) if pair[0].target == target],
                places,
            )[:k]
        )

    def _units(self, draft: Draft, wanted: Sequence[Span], segments: Sequence[Segment]) -> list[Asked]:
        decomposer = registry.build("decomposer", self.decompose or "none")
        retriever = registry.build("retriever", self.retriever)
        result: list[Asked] = []
        for target in dict.fromkeys(wanted):
            for unit in decomposer.decompose(draft.text[target.start : target.end]):
                ranked = [hit.position for hit in retriever.rank(unit.text, segments)[: self.candidates]]
                # A retriever may leave out what shares no word; a model may still see that it entails.
                rest = (position for position in range(len(segments)) if position not in set(ranked))
                ranked.extend(position for position, _ in zip(rest, range(self.candidates - len(ranked)), strict=False))
                result.append(Asked(target, unit, tuple(ranked)))
        return result

    def _cite(
        self,
        target: Span,
        grown: Sequence[tuple[Asked, list[Growth]]],
        places: Sequence[tuple[Document, Segment]],
    ) -> list[Citation]:
        """The units' sets put together: best first, each sentence once, for the unit that it supports best."""
        pieces = [
            (growth.score, question.unit, position)
            for question, growths in grown
            for growth in growths
            if growth.score >= self.threshold
            for position in growth.chosen
        ]
        pieces.sort(key=lambda piece: -piece[0])
        result: dict[int, Citation] = {}
        for score, unit, position in pieces:
            if position in result:
                continue
            document, segment = places[position]
            result[position] = Citation.of(
                segment,
                document.id,
                Span(
                    target.start + min(span.start for span in unit.spans),
                    target.start + max(span.end for span in unit.spans),
                ),
                score,
                f"{self.name}({self.checker})",
            )
        return list(result.values())


def _ranked(asked: Sequence[Asked], texts: Sequence[str], scorer: Scorer) -> list[list[Growth]]:
    """Every candidate alone: what is left without optimal selection."""
    values = iter(
        scorer([(texts[position], question.unit.text) for question in asked for position in question.candidates])
    )
    return [[Growth((position,), (next(values),)) for position in question.candidates] for question in asked]
