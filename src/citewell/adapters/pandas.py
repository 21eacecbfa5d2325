"""pandas: `df.citewell.check(...)`, `.attribute(...)` and `.ask(...)` over the rows of a frame.

import citewell.adapters.pandas
df["label"] = df.citewell.check("claim", evidence="passage").label
df.citewell.attribute("answer", documents="report.pdf")     # a row a statement and citation
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from citewell import Document
from citewell.adapters.chunks import Chunks, Cited, Place
from citewell.errors import UsageError, needing
from citewell.pipeline import ask, attribute, check
from citewell.pipeline.sources import opened
from citewell.types import Answer

with needing("citewell.adapters.pandas", "pandas", "pandas"):
    import pandas as pd

PLACES = {"chunk": "Int64", "chunk_start": "Int64", "chunk_end": "Int64"}  # in the row's passages, null without any
COLUMNS = {
    "label": "string",
    "score": "Float64",
    "reasons": "string",
    "quote": "string",
    "document_id": "string",
    "start": "Int64",
    "end": "Int64",
    "page": "Int64",
    **PLACES,
}


@pd.api.extensions.register_dataframe_accessor("citewell")
class CitewellAccessor:
    """The verbs over the rows of a frame. The evidence is in a column, or the same documents for all rows.

    A cell of evidence is a text, a document that was read, or a list of passages (texts, mappings: see `Chunk.read`).
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def check(
        self, claim: str = "claim", evidence: str | None = None, *, documents: Any = None, **settings: Any
    ) -> Any:
        """A frame with the same index: label, score, reasons, and where the best evidence stands.

        A row without a claim, or without evidence to read, has nulls and says so under `reasons`.

        Raises:
            UsageError: there is no such column, or the evidence is given twice or not at all.
        """
        rows = [self._checked(text, rows, settings) for text, rows in self._rows(claim, evidence, documents)]
        columns = {name: pd.Series([row.get(name) for row in rows], dtype=kind) for name, kind in COLUMNS.items()}
        return pd.DataFrame(columns).set_index(self._frame.index)

    def attribute(
        self,
        answer: str = "answer",
        evidence: str | None = None,
        *,
        documents: Any = None,
        question: str | None = None,
        **settings: Any,
    ) -> Any:
        """A row a statement and citation, under the index of its row; rows without an answer or evidence have none.

        Raises:
            UsageError: there is no such column, or the evidence is given twice or not at all.
        """
        request = [None] * len(self._frame) if question is None else [_text(cell) for cell in self._column(question)]

        def work(number: int, text: str, given: Any) -> Cited:
            if isinstance(given, Chunks):
                return given.attribute(text, request[number], **settings)
            return Cited(attribute(given, text, request[number], **settings))

        return self._long(answer, evidence, documents, work)

    def ask(
        self, question: str = "question", evidence: str | None = None, *, documents: Any = None, **settings: Any
    ) -> Any:
        """A row a statement of each answer and citation, under the index of its question; abstentions have none.

        Raises:
            UsageError: there is no such column, or the evidence is given twice or not at all.
        """

        def work(_: int, text: str, given: Any) -> Cited:
            return given.ask(text, **settings) if isinstance(given, Chunks) else Cited(ask(given, text, **settings))

        return self._long(question, evidence, documents, work)

    def _long(self, column: str, evidence: str | None, documents: Any, work: Callable[[int, str, Any], Cited]) -> Any:
        tables, index = [], []
        for number, (text, rows) in enumerate(self._rows(column, evidence, documents)):
            if not text or rows is None:
                continue
            cited = work(number, text, rows)
            table = cited.answer.to_pandas()
            places = [None if pd.isna(n) or not cited.places else cited.places[n] for n in table["citation"]]
            for name, kind in PLACES.items():
                table[name] = pd.Series([place and getattr(place, name) for place in places], dtype=kind)
            if len(table):
                tables.append(table)
                index += [number] * len(table)
        if not tables:
            empty = Answer("").to_pandas()
            return empty.assign(**{name: pd.Series([], dtype=kind) for name, kind in PLACES.items()})
        return pd.concat(tables).set_index(self._frame.index.take(index))

    def _rows(self, column: str, evidence: str | None, documents: Any) -> Iterator[tuple[str | None, Any]]:
        """The text of each row, and what it rests on: documents, chunks, or None where the cell has nothing to read."""
        if (evidence is None) == (documents is None):
            raise UsageError("the evidence is either a column (evidence=) or documents for all rows (documents=)")
        texts = [_text(cell) for cell in self._column(column)]
        if evidence is None:
            values = opened(documents)
            return iter([(text, values) for text in texts])
        return zip(texts, map(_evidence, self._column(evidence)), strict=True)

    def _column(self, name: str) -> Any:
        if name not in self._frame:
            raise UsageError(f"the frame has no column {name!r}; it has: {', '.join(map(str, self._frame.columns))}")
        return self._frame[name]

    def _checked(self, text: str | None, arguments: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
        if not text or arguments is None:
            return {"reasons": "there is no evidence to read" if text else "there is no claim"}
        places: tuple[Place, ...] = ()
        if isinstance(arguments, Chunks):
            ((verdict, places),) = arguments.check([text], **settings)
        else:
            (verdict,) = check(arguments, [text], **settings)
        payload = {
            "label": verdict.label,
            "score": float(verdict.score),
            "reasons": "; ".join(filter(None, [reason.message for reason in verdict.reasons])) or None,
        }
        if places:
            best = places[0]
            names = ("quote", "start", "end", "page", *PLACES)
            return payload | {name: getattr(best, name) for name in names} | {"document_id": best.source}
        if verdict.citations:
            first = verdict.citations[0]
            payload |= {name: getattr(first, name) for name in ("quote", "document_id", "start", "end", "page")}
        return payload


def _text(cell: Any) -> str | None:
    return cell if isinstance(cell, str) and cell.strip() else None


def _evidence(cell: Any) -> Any:
    if isinstance(cell, Document):
        return (cell,)
    if cell is None or (pd.api.types.is_scalar(cell) and pd.isna(cell)):
        return None
    chunks = Chunks.read(cell)
    return chunks if any(chunk.text.strip() for chunk in chunks.chunks) else None
