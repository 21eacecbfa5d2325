"""ALCE: citation recall and precision, and whether the answer is right. Source: Gao et al. 2023, section 3.

Recall: the share of an answer's statements that have citations which together support them. Precision: the share of
its citations whose statement is so supported, and that support it alone or that the others cannot do without. At most
three citations a statement count, as in the published evaluation. Both are means over answers.

Ours differs from that evaluation where a reply is odd: marks that name no passage are dropped (there its statement is
refused), an answer of several lines counts whole (there its first line), one that is withheld counts 0 (there it is
left out where it is empty), and sentences are those of our segmenter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citewell.document import Document
from citewell.pipeline.approaches import Retrieval
from citewell.protocols import Checker, Pair
from citewell.types import Answer, Span
from citewell_lab.bench.items import QuestionItem
from citewell_lab.bench.kinds.base import mean
from citewell_lab.bench.kinds.cited import CitedAnswers, Judges, Statement, checked, cited_for, judged
from citewell_lab.bench.metrics.answers import tokens
from citewell_lab.bench.metrics.declared import (
    CITATION_PRECISION,
    CITATION_RECALL,
    CLAIM_RECALL,
    LIST_F1_5,
    LIST_PRECISION,
    LIST_RECALL,
    LIST_RECALL_5,
    STRING_EM,
    Metric,
)

_GTR = Retrieval(read="gtr", reduce="gtr", attribute="gtr", k=1)  # the paper cites post hoc the best passage
_MOST = 3  # citations of a statement that count
_ENOUGH = 5  # right answers with which a list is whole
_CITED = (CITATION_RECALL, CITATION_PRECISION)


@dataclass(frozen=True, kw_only=True)
class Alce(CitedAnswers):
    """Long answers; right is what names the short answers, or entails the claims, of the data.

    `listing` says that answers are lists, whose parts between commas are what is judged.
    """

    main: Metric = CITATION_RECALL
    metrics: tuple[Metric, ...] = (STRING_EM, CLAIM_RECALL, *_CITED)
    headline: tuple[Metric, ...] = _CITED
    paper_checker: str | None = "true"
    retrieval: Retrieval | None = _GTR
    listing: bool = False

    def statements(self, item: QuestionItem, answer: Answer) -> Iterator[Statement]:
        """The sentences, or the parts of a list."""
        if not self.listing:
            yield from super().statements(item, answer)
            return
        start = 0
        for part in _parts(answer.text):
            yield cited_for(item, answer, Span(start, start + len(part)))
            start += len(part) + 1

    def figures(
        self, item: QuestionItem, text: str, statements: Sequence[Statement], judges: Judges
    ) -> Mapping[str, float | list[float]]:
        """Recall and precision of citations, and what the data lets be said of the answer."""
        claims = [
            (
                f"{item.question} {statement.text.strip()}" if self.listing else statement.text,
                [item.segments[place] for place in statement.cited[:_MOST]],
            )
            for statement in statements
        ]
        verdicts = judged(item, claims, judges.checker)
        recalled = [float(verdict is not None and verdict.together.label == "supported") for verdict in verdicts]
        precise = [float(fits) for verdict in verdicts if verdict is not None for fits in verdict.precise]
        cited = {str(CITATION_RECALL): mean(recalled), str(CITATION_PRECISION): mean(precise)}
        details = {"recalled": recalled, "precise": precise}
        return {**self._right(item, text, judges.checker), **cited, **details}

    def _right(self, item: QuestionItem, text: str, checker: Checker) -> dict[str, float]:
        if self.listing:
            return list_figures(text, item.wanted)
        right = {}
        if item.wanted:
            right[str(STRING_EM)] = string_em(text, item.wanted)
        if item.claims:
            right[str(CLAIM_RECALL)] = claim_recall(text, item.claims, checker)
        return right


def string_em(text: str, wanted: Sequence[Sequence[str]]) -> float:
    """The share of the short answers of which a wording stands in the text, both without case, marks and articles."""
    held = _plain(text)
    return mean([float(any(_plain(wording) in held for wording in wordings)) for wordings in wanted]) if text else 0.0


def claim_recall(text: str, claims: Sequence[str], checker: Checker) -> float:
    """The share of the claims that the text entails."""
    if not text:
        return 0.0
    evidence = (Document.from_text(text),)
    verdicts = checked(checker, [Pair(claim, evidence) for claim in claims])
    return mean([float(verdict.label == "supported") for verdict in verdicts])


def list_figures(text: str, wanted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Precision and recall of a list of answers between commas; five right ones are enough for a recall of 1."""
    said = [plain for part in _parts(text) if (plain := _plain(part))]
    wordings = [{_plain(wording) for wording in group} for group in wanted]
    right = sum(any(plain in group for group in wordings) for plain in said)
    found = sum(not group.isdisjoint(said) for group in wordings)
    precise = right / len(said) if said else 0.0
    recall = found / len(wordings) if wordings else 0.0
    of_five = min(found, _ENOUGH) / min(len(wordings), _ENOUGH) if wordings else 0.0
    f1 = 2 * precise * of_five / (precise + of_five) if precise + of_five else 0.0
    return {
        str(LIST_PRECISION): precise,
        str(LIST_RECALL): recall,
        str(LIST_RECALL_5): of_five,
        str(LIST_F1_5): f1,
    }


def _parts(text: str) -> list[str]:
    """The parts of a list, without the full stop at its end."""
    return text.rstrip().rstrip(".").rstrip(",").split(",")


def _plain(text: str) -> str:
    return " ".join(tokens(text))
