"""Results as a table: one row per statement and citation, with stable column names and types.

to_pandas(answer)                  # also `answer.to_pandas()`
to_pandas(citewell.check(...))     # verdicts: the statement is the claim
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from citewell.errors import needing
from citewell.types import Answer, Citation, DocumentInfo, Statement, Verdict

Kind = Literal["text", "whole", "number", "rects"]


# Names, order and types are a promise: new columns come at the end.
COLUMNS: dict[str, Kind] = {
    "statement": "whole",  # its number, from 0
    "statement_text": "text",
    "statement_start": "whole",
    "statement_end": "whole",
    "label": "text",
    "statement_score": "number",
    "citation": "whole",  # its number in the answer, from 0; this and all below are null without one
    "document_id": "text",
    "document_title": "text",
    "source": "text",
    "segment_id": "text",
    "granularity": "text",
    "quote": "text",
    "start": "whole",
    "end": "whole",
    "answer_start": "whole",
    "answer_end": "whole",
    "page": "whole",
    "rects": "rects",  # [page, x0, y0, x1, y1] each
    "score": "number",
    "method": "text",
}
_OF_CITATION = tuple(COLUMNS)[tuple(COLUMNS).index("citation") :]


def rows(result: Answer | Sequence[Verdict]) -> Iterator[dict[str, Any]]:
    """The rows, with all columns in order."""
    if isinstance(result, Answer):
        infos = {info.id: info for info in result.documents}
        for number, statement in enumerate(result.statements):
            cited = [(n, result.citations[n]) for n in statement.citations]
            yield from _rows(number, statement, cited, infos)
        return
    before = 0
    for number, verdict in enumerate(result):
        statement = Statement(verdict.claim, 0, len(verdict.claim), verdict.label, verdict.score)
        yield from _rows(number, statement, list(enumerate(verdict.citations, start=before)), {})
        before += len(verdict.citations)


def to_pandas(result: Answer | Sequence[Verdict]) -> Any:
    """A DataFrame whose columns have types that hold nulls ("string", "Int64", "Float64"; rectangles are lists).

    Raises MissingExtraError: pandas is not installed.
    """
    with needing("a result as a DataFrame", "pandas", "pandas"):
        import pandas as pd
    kinds: dict[Kind, Any] = {"text": "string", "whole": "Int64", "number": "Float64", "rects": object}
    columns = {name: [row[name] for row in rows(result)] for name in COLUMNS}
    return pd.DataFrame({name: pd.Series(columns[name], dtype=kinds[kind]) for name, kind in COLUMNS.items()})


def to_arrow(result: Answer | Sequence[Verdict]) -> Any:
    """A table of Arrow: strings, 64-bit integers and floats; rectangles are lists of lists of floats.

    Raises MissingExtraError: pyarrow is not installed.
    """
    with needing("a result as a table of Arrow", "pyarrow", "parquet"):
        import pyarrow as pa
    kinds: dict[Kind, Any] = {
        "text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "rects": pa.list_(pa.list_(pa.float64()))
    }  # fmt: skip
    schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    return pa.Table.from_pylist(list(rows(result)), schema)


def _rows(
    number: int, statement: Statement, cited: Sequence[tuple[int, Citation]], infos: dict[str, DocumentInfo]
) -> Iterator[dict[str, Any]]:
    row = {
        "statement": number,
        "statement_text": statement.text,
        "statement_start": statement.start,
        "statement_end": statement.end,
        "label": statement.label,
        "statement_score": float(statement.score),
    }
    if not cited:
        yield row | dict.fromkeys(_OF_CITATION)
    for place, citation in cited:
        info = infos.get(citation.document_id)
        named = {"citation": place, "document_title": info and info.title, "source": info and info.source}
        fields = {name: getattr(citation, name) for name in _OF_CITATION if name not in named}
        rects = [[float(side) for side in rect] for rect in citation.rects]
        every = row | named | fields | {"rects": rects, "score": float(citation.score)}
        yield {name: every[name] for name in COLUMNS}
