"""ADiOSAA: splits a statement into units, finds the sentences that entail each unit, and combines them.

Source: Sancheti, Goswami and Srinivasan, Post-Hoc Answer Attribution for Grounded and Trustworthy Long Document
Comprehension (2024), section 3. Its ablations are settings: `decompose=none`, `select=false`, or both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from citewell import registry
from citewell.attributors.optimal_selection import Growth, Scorer, grow
from citewell.attributors.targets import targets, unit_of
from citewell.document import Document
from citewell.protocols import Unit
from citewell.types import Citation, Draft, Granularity, Segment, Span


class Question(NamedTuple):
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
        select: whether sets are grown; without, each unit has one sentence, the likeliest.
        threshold: the probability that a sentence must reach to be cited.
        set_threshold: the same for a grown set; None for `threshold`.
        delta: how much a further sentence must add.
        candidates: sentences a unit that the retriever hands over.
        retriever: the spec of the retriever that chooses them.
        query: what the retriever is asked: the `unit`, or the whole `statement` that it is a part of.
    """

    checker: str = "lexical"
    decompose: str | None = "clauses"
    select: bool = True
    threshold: float = 0.5
    set_threshold: float | None = None
    delta: float = 0.3
    candidates: int = 150
    retriever: str = "bm25"
    query: str = "unit"
    name: ClassVar[str] = "entailment"

    def __post_init__(self) -> None:
        if self.delta < 0 or not all(0 <= least <= 1 for least in (self.threshold, self.set_threshold or 0.0)):
            raise ValueError("thresholds lie between 0 and 1 and delta is at least 0")
        if self.query not in ("unit", "statement"):
            raise ValueError(f"query is unit or statement, not {self.query!r}")
        if self.candidates < 1:
            raise ValueError("candidates is at least 1")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target, best first; the score is the probability that the unit's set supports the unit.

        A citation's range in the answer is that of its unit. Entailment has no tokens to show: the granularities
        `token` and `window` give sentences. Counts noted: `pairs scored`, and `pairs asked for`, the calls without
        memory.
        """
        places = [(document, segment) for document in documents for segment in document.segments(unit_of(granularity))]
        wanted = targets(draft)
        if not wanted or not places:
            return ()
        segments = [segment for _, segment in places]
        questions = self._units(draft, wanted, segments)
        scorer = Scorer(registry.build("checker", self.checker))
        texts = [segment.text for segment in segments]
        if self.select:
            units, sets = (
                [question.unit.text for question in questions],
                [question.candidates for question in questions],
            )
            growths = grow(units, sets, texts, scorer, delta=self.delta)
        else:
            growths = _best(questions, texts, scorer)
        result: list[Citation] = []
        for target in wanted:
            grown = [pair for pair in zip(questions, growths, strict=True) if pair[0].target == target]
            result += self._cite(target, grown, places)[:k]
        return tuple(result)

    def _units(self, draft: Draft, wanted: Sequence[Span], segments: Sequence[Segment]) -> list[Question]:
        decomposer = registry.build("decomposer", self.decompose or "none")
        retriever = registry.build("retriever", self.retriever)
        result: list[Question] = []
        for target in dict.fromkeys(wanted):
            statement = draft.text[target.start : target.end]
            for unit in decomposer.decompose(statement):
                query = unit.text if self.query == "unit" else statement
                ranked = [hit.position for hit in retriever.rank(query, segments)[: self.candidates]]
                # A retriever may leave out what shares no word; a model may still see that it entails.
                rest = (position for position in range(len(segments)) if position not in set(ranked))
                ranked.extend(position for position, _ in zip(rest, range(self.candidates - len(ranked)), strict=False))
                result.append(Question(target, unit, tuple(ranked)))
        return result

    def _cite(
        self,
        target: Span,
        grown: Sequence[tuple[Question, Growth]],
        places: Sequence[tuple[Document, Segment]],
    ) -> list[Citation]:
        """The units' sets put together: best first, each sentence once, for the unit that it supports best."""
        least = self.threshold if self.set_threshold is None or not self.select else self.set_threshold
        pieces = [
            (growth.score, question.unit, position)
            for question, growth in grown
            if growth.score >= least
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


def _best(questions: Sequence[Question], texts: Sequence[str], scorer: Scorer) -> list[Growth]:
    """The likeliest candidate of each unit, the earlier of equals: what is left without optimal selection."""
    values = iter(
        scorer([(texts[position], question.unit.text) for question in questions for position in question.candidates])
    )
    result = []
    for question in questions:
        scored = [(next(values), position) for position in question.candidates]
        score, position = max(scored, key=lambda pair: pair[0])
        result.append(Growth((position,), (score,)))
    return result


@dataclass(frozen=True, kw_only=True)
class ADiOSAA(Entailment):
    """`entailment` as the paper has it: a model's units as they are, candidates asked by the answer sentence.

    Algorithm 1 has no threshold for a set. That the paper holds only single sentences against it is what its Table 3
    says: without D the first source is right in 87% of HAGRID's sentences with selection, in 57% without, though both
    would name the same sentence if neither or both were held against 0.5.
    """

    checker: str = "docnli"
    decompose: str | None = "llm(units=raw)"
    set_threshold: float | None = 0.0
    query: str = "statement"
    name: ClassVar[str] = "adiosaa"
