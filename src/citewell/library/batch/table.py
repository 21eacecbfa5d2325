"""Results as a Parquet table beside the JSON lines: the same rows in the same order, some at a time."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from citewell.errors import InputError, MissingExtraError
from citewell.text import files, safe

TABLE = "results.parquet"
_ROWS = 4096  # of a row group


def hold() -> None:
    """See that tables can be written, before there is anything to write.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise MissingExtraError("results as Parquet", "pyarrow", "parquet")


def write(results: Path) -> Path:
    """Write the table of results: `id`, `result` as JSON, `error` and `message`, all of them texts.

    What a result holds differs with the verb and from row to row, so it stays JSON, which every engine can look into.

    Raises:
        MissingExtraError: pyarrow is not installed.
        InputError: the results cannot be read, or the table cannot be written.
    """
    hold()
    import pyarrow as pa
    from pyarrow import parquet

    table = results.with_name(TABLE)
    schema = pa.schema([(name, pa.string()) for name in ("id", "result", "error", "message")])
    try:
        with (
            results.open("rb") as lines,
            files.replacing(table) as file,
            parquet.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            while some := list(islice(lines, _ROWS)):
                writer.write_table(pa.Table.from_pylist([_record(line) for line in some], schema))
    except (OSError, ValueError) as error:
        raise InputError(f"{table} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    return table


def _record(line: bytes) -> dict[str, str | None]:
    payload = safe.loads(line.decode())
    error = payload.get("error") or {}
    return {
        "id": _text(payload["id"]),
        "result": safe.dumps(payload["result"]).encode("utf-8", "backslashreplace").decode()
        if "result" in payload
        else None,
        "error": error.get("type"),
        "message": error.get("message"),
    }


def _text(value: object) -> str:
    text = value if isinstance(value, str) else safe.dumps(value)
    return text.encode("utf-8", "backslashreplace").decode()
