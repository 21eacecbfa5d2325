"""Results as a Parquet table with typed columns in addition to the JSON lines, in the same order."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from citewell.errors import MissingExtraError, of_files
from citewell.text import files, safe

TABLE = "results.parquet"
_ROWS = 4096  # of a row group


def hold() -> None:
    """See that tables can be written, before there is anything to write.

    Raises MissingExtraError: pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise MissingExtraError("results as Parquet", "pyarrow", "parquet")


def _schema() -> Any:
    """The columns, the same for every verb, so that tables of several batches are one data set."""
    import pyarrow as pa

    citation = pa.struct([
        ("document_id", pa.string()), ("title", pa.string()), ("source", pa.string()), ("start", pa.int64()),
        ("end", pa.int64()), ("quote", pa.string()), ("page", pa.int32()), ("score", pa.float64()),
    ])  # fmt: skip
    statement = pa.struct([
        ("text", pa.string()), ("label", pa.string()), ("score", pa.float64()), ("citations", pa.list_(citation)),
    ])  # fmt: skip
    return pa.schema([
        ("id", pa.string()), ("text", pa.string()), ("abstained", pa.bool_()), ("confidence", pa.float64()),
        ("precision", pa.float64()), ("recall", pa.float64()), ("statements", pa.list_(statement)),
        ("warnings", pa.list_(pa.string())), ("error", pa.string()), ("message", pa.string()),
    ])  # fmt: skip


def write(results: Path) -> Path:
    """Write the table of results.

    A row has its `id` as text; the answer's `text`, `abstained` and `confidence`; an audit's `precision` and `recall`;
    its `statements` (of `check` its claims) with `text`, `label`, `score` and `citations`; `warnings`; and the kind of
    its `error` with its `message` where it has no result. What a verb does not have is null. Offsets count code points.
    Raises MissingExtraError: pyarrow is not installed; InputError: the results cannot be read, or the table cannot be
    written.
    """
    hold()
    import pyarrow as pa
    from pyarrow import parquet

    table, schema = results.with_name(TABLE), _schema()
    with (
        of_files(f"{table} cannot be written", faults=(OSError, ValueError)),
        results.open("rb") as lines,
        files.replacing(table) as file,
        parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        while some := list(islice(lines, _ROWS)):
            rows = [safe.mapped(columns(safe.loads(line.decode())), _text) for line in some]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return table


def columns(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A line of results as a row of the table; see `write`."""
    name = payload["id"]
    row: dict[str, Any] = {"id": name if isinstance(name, str) else safe.dumps(name)}
    if "error" in payload:
        return row | {"error": payload["error"]["type"], "message": payload["error"]["message"]}
    result = payload["result"]
    row |= {key: result.get(key) for key in ("text", "abstained", "confidence", "precision", "recall", "warnings")}
    documents = {document["id"]: document for document in result.get("documents", ())}
    if "verdicts" in result:
        parts = [(verdict["claim"], verdict, verdict["citations"]) for verdict in result["verdicts"]]
    elif "precision" in result:  # an audit: citations name their statement
        documents = {document["id"]: document for document in (result["fixed"] or {}).get("documents", ())}
        parts = [
            (part["text"], part, [c["citation"] for c in result["citations"] if c["statement"] == n and c["citation"]])
            for n, part in enumerate(result["statements"])
        ]
    else:
        parts = [
            (part["text"], part, [result["citations"][place] for place in part["citations"]])
            for part in result["statements"]
        ]
    row["statements"] = [
        {
            "text": text,
            "label": part["label"],
            "score": part["score"],
            "citations": [_citation(c, documents) for c in cited],
        }
        for text, part, cited in parts
    ]
    return row


def _citation(citation: Mapping[str, Any], documents: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    document = documents.get(citation["document_id"], {})
    return {**citation, "title": document.get("title"), "source": document.get("source")}


def _text(value: str) -> str:
    """Half of a character, which UTF-8 cannot hold, as its escape."""
    return value.encode("utf-8", "backslashreplace").decode()
