"""The answer from a cell: its row as the quoted text, the cell as a citation, its figure as the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.cells.computed import Computed
from citewell.generators.extractive.cells.finder import Pick
from citewell.types import Citation, Span, Value


class Reply(NamedTuple):
    """The text of the row, its citations (the row, the cell), and the value."""

    text: str
    sources: tuple[Citation, ...]
    value: Value


def reply(pick: Pick, documents: Sequence[Document], score: float, method: str) -> Reply:
    """The answer of a picked cell."""
    document, cell = documents[pick.document], pick.cell
    segment = document.segment_at(cell.start)
    row = Citation.of(segment, document.id, Span(0, len(segment.text)), score, method)
    at = cell.start - segment.start
    place = Span(at, at + len(cell.text))
    exact = Citation.of_cell(cell, pick.table, segment, document.id, place, score, method)
    return Reply(segment.text, (row, exact), value(pick))


def below(sentence: str, answer: Reply) -> tuple[str, tuple[Citation, ...]]:
    """A sentence with the row that it is taken from below it, and the citations of that row."""
    return f"{sentence}\n{answer.text}", tuple(_moved(citation, len(sentence) + 1) for citation in answer.sources)


def computed(result: Computed, documents: Sequence[Document], method: str) -> Reply:
    """The answer of a computed figure: its sentence, which cites the cells of its operands, and below it their rows."""
    text, cells, rows = result.sentence, list[Citation](), dict[tuple[str, int], Citation]()
    for pick in result.picks:
        answer = reply(pick, documents, result.confidence, method)
        row, exact = answer.sources
        if (row.document_id, row.start) not in rows:
            start = len(text) + bool(text)
            text = f"{text}\n{answer.text}" if text else answer.text
            rows[row.document_id, row.start] = _moved(row, start)
        home = rows[row.document_id, row.start].answer_start
        whole = (
            Span(0, len(result.sentence))
            if result.sentence
            else Span(home + exact.answer_start, home + exact.answer_end)
        )
        cells.append(replace(exact, answer_start=whole.start, answer_end=whole.end))
    sources = (*cells, *rows.values())
    units = {pick.cell.unit for pick in result.picks if pick.cell.unit}
    kind = result.kind if result.kind != "each" else "money" if units else "ratio"
    unit = units.pop() if kind == "money" and len(units) == 1 else kind
    scale = float(result.scale)
    number = None if result.number is None else result.number / scale * (100 if result.kind == "percent" else 1)
    message = f"{result.name} = {result.formula}"
    figure = Value(result.text, kind, number, unit, scale, None, tuple(range(len(cells))), message)
    return Reply(text, sources, figure)


def _moved(citation: Citation, by: int) -> Citation:
    return replace(citation, answer_start=citation.answer_start + by, answer_end=citation.answer_end + by)


def value(pick: Pick) -> Value:
    """The short answer: the figure as it is printed, with its unit, scale and period."""
    cell = pick.cell
    kind = {"percent": "percent", "shares": "count", "": "number"}.get(cell.unit, "money")
    kind = kind if cell.value is not None else "text"
    return Value(cell.text, kind, cell.value, cell.unit or None, float(cell.scale), cell.period or None, (1,))
