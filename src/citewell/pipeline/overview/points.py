"""Key figures and points for a document's kind: from answered questions, otherwise from their wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.points import FIRST, goes_on, point
from citewell.generators.extractive.prose.sorts import genre, pattern, table
from citewell.generators.extractive.prose.standing import reads_alone
from citewell.pipeline import Pipeline
from citewell.text.times import scale_word
from citewell.types import Answer, Citation, Span, Value
from citewell.types.overview import DocumentKind, KeyFigure

SURE = 0.6  # the least confidence of an answer that is shown unasked
_MOST = 10.0  # times that a figure grows and a share still tells how
_YEAR = re.compile(r"(?:19|20)\d\d")


def key_figures(document: Document, kind: DocumentKind, year: str | None, answering: Pipeline) -> tuple[KeyFigure, ...]:
    """The main figures of a report with their change, or the sentences of the main points of other kinds."""
    figures = tuple(_figures(document, kind, year, answering))
    return figures or tuple(_points(document))


def filled(question: str, year: str | None) -> str:
    """A question of the table with the year put in; without one it asks for the latest."""
    bare = f" {year}" if year else " the year"
    return question.replace("{year}", f" in {year}" if year else "").replace("{year_bare}", bare)


def _figures(document: Document, kind: DocumentKind, year: str | None, answering: Pipeline) -> Iterator[KeyFigure]:
    for name, template in table("figures").get(kind, ()):
        answer = answering.run([document], filled(template, year))
        value = answer.value
        if not reliable(answer) or value is None or value.number is None or not is_to_the_point(template, answer):
            continue
        citations = tuple(answer.citations[number] for number in value.citations)
        scale = scale_word(value.scale)
        text = " ".join(filter(None, (value.text, "" if scale in value.text else scale, _unit(value))))
        change, earlier = _change(document, template, answer, answering)
        yield KeyFigure(name, text, (*citations, *earlier), value.period, change)


def is_to_the_point(question: str, answer: Answer) -> bool:
    """Whether the row or the first sentence of an answer names what is asked for: "total income" is no net income."""
    rows = [" ".join(citation.cell.row_path) for citation in answer.citations if citation.cell]
    return _names(question, rows or [citation.quote for citation in answer.citations[:1]])


def _names(what: str, quotes: Sequence[str]) -> bool:
    """Whether one of some quotes has each wording that must stand where a thing is told."""
    required = (label for term, label in table("labels").items() if pattern(term).search(what))
    return all(any(pattern(label).search(text) for text in quotes) for label in required)


def reliable(answer: Answer) -> bool:
    """Whether an answer may be shown to somebody who did not ask: it is quoted, and sure."""
    quoted = all(statement.label in ("quoted", "supported") for statement in answer.statements)
    return not answer.abstained and quoted and (answer.confidence or 0.0) >= SURE


def _unit(value: Value) -> str:
    """The unit where the figure does not begin or end with a sign of it."""
    return "" if not value.unit or not value.text[:1].isdigit() or value.text.endswith("%") else value.unit


def _change(
    document: Document, template: str, answer: Answer, answering: Pipeline
) -> tuple[str | None, tuple[Citation, ...]]:
    """The change against the year before, where the same row tells that year's figure."""
    value = answer.value
    years = _YEAR.findall(value.period or "") if value else []
    if value is None or not value.number or not years or "{year" not in template:
        return None, ()
    before = answering.run([document], filled(template, str(int(years[-1]) - 1)))
    earlier = before.value
    if not reliable(before) or earlier is None or not earlier.number or earlier.scale != value.scale:
        return None, ()
    change = value.number / earlier.number - 1
    if abs(change) > _MOST or min(value.number, earlier.number) < 0:
        return None, ()  # of next to nothing or of a loss no share says how much
    if _row(answer) != _row(before):
        return None, ()
    words = f"{change:+.1%} against {earlier.text} in {int(years[-1]) - 1}"
    return words, tuple(before.citations[number] for number in earlier.citations)


def _row(answer: Answer) -> str:
    """The row that an answer's value stands in."""
    cells = [citation.cell for citation in answer.citations if citation.cell is not None]
    return " ".join(cells[0].row_path) if cells else ""


def _points(document: Document) -> Iterator[KeyFigure]:
    used = set[int]()
    for name, _ in table("points").get(genre(document), ()):
        best = point(name, document, used)
        if best is None or not _names(name, [best.text]):
            continue
        # The first lines of a contract are often no sentences; one that leaves its half to the next ones is no point.
        whole = len(goes_on(best, document)) == 1 and not best.text.rstrip().endswith(":")
        if reads_alone(document, best) or (name in FIRST and whole):
            used.add(best.start)
            target = Span(0, len(best.text))
            cited = document.placed(Citation.of(best, document.id, target, 1.0, "overview"))
            yield KeyFigure(name, " ".join(best.text.split()), (cited,))
