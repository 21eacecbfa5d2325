"""Reads the rows of a batch from JSON lines, CSV or Parquet in portions, so that memory use stays small."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from array import array
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import PurePosixPath
from typing import IO, Any, NamedTuple

from citewell import errors
from citewell.errors import CitewellError, InputError, needing
from citewell.library import addresses
from citewell.library.batch import places
from citewell.text import safe

_BLOCK = 1 << 20
_LONGEST = 1 << 26  # bytes of a line; a longer one is passed over without being held
LOST = "WorkerLost"  # the kind of failure of a row that ends those who work on it


class Row(NamedTuple):
    """One row: its place in the input, and what it holds, or why it could not be read.

    `id` is the row's own, or its place, counted from 1, where it has none.
    """

    place: int
    data: Mapping[str, Any]
    wrong: str = ""

    @property
    def id(self) -> Any:
        """What its result is called."""
        return self.data.get("id", self.place + 1)


class Shard(NamedTuple):
    """Rows that are worked on together, and their number among the shards."""

    number: int
    rows: tuple[Row, ...]


class Input(NamedTuple):
    """What is known of an input before it is worked on: its SHA-256, in hex, and about how many rows it has."""

    sha256: str
    rows: int


def line(data: Mapping[str, Any]) -> bytes:
    """A line of JSON; half of a character, which UTF-8 cannot hold, stays the escape that it was."""
    return f"{safe.dumps(data)}\n".encode("utf-8", "backslashreplace")


def failure(row: Row, kind: str, message: str) -> bytes:
    """The line of a row that has no result."""
    return line({"id": row.id, "error": {"type": kind, "message": safe.scrub(message)}})


def raised(line: bytes) -> Exception:
    """The error that a row's line tells: of ours as itself, of others by its kind and words alone."""
    error = safe.loads(line.decode())["error"]
    known = getattr(errors, error["type"], None)
    kind: type[Exception]
    if isinstance(known, type) and issubclass(known, CitewellError):
        kind = known
    else:
        kind = type(error["type"], (Exception,), {})
    try:
        return kind(error["message"])
    except TypeError:  # it is made of more than its text, which alone was told
        return kind.__new__(kind, error["message"])


def look(place: str | os.PathLike[str]) -> Input:
    """What is known of an input beforehand.

    Raises InputError: it cannot be read, or two of its rows have one id; UsageError: it is an address of a kind that is
    not read; MissingExtraError: a package that reads it is not installed.
    """
    address = addresses.named(place)
    hashed, several = hashlib.sha256(), files(place)
    for name in several:
        if several != [address]:
            hashed.update(f"{name.removeprefix(address)}\0".encode("utf-8", "backslashreplace"))
        with addresses.faults(name, "read"), places.raw(name) as file:
            while block := file.read(_BLOCK):
                hashed.update(block)
    return Input(hashed.hexdigest(), _count(place))


def files(place: str | os.PathLike[str]) -> list[str]:
    """The files that hold the rows of an input: itself, or all of a folder whose names end as those of rows do.

    Raises InputError: there is none.
    """
    address = addresses.named(place)
    names = places.members(address)
    if names == [address]:
        return names
    if not (several := [name for name in names if _kind(name)]):
        raise InputError(f"{address} has no file of rows ({', '.join(sorted(_READERS))}, or these with .gz or .zst)")
    return several


def _count(place: str | os.PathLike[str]) -> int:
    """The rows of an input, whose ids are seen to differ.

    Raises InputError: two rows have one id; the text names both.
    """
    hashes = array("q")
    for row in _all(place):
        hashes.append(hash(safe.dumps(row.id)))
    if len(set(hashes)) < len(hashes):
        numbers: dict[str, int] = {}
        for row in _all(place):
            before = numbers.setdefault(safe.dumps(row.id), row.place)
            if before != row.place:
                raise InputError(f"{place}: rows {before + 1} and {row.place + 1} have the same id {row.id!r}")
    return len(hashes)


def shards(place: str | os.PathLike[str], size: int, first: int = 0) -> Iterator[Shard]:
    """The rows of an input, `size` at a time, from a shard's number on.

    Raises InputError: it cannot be read; MissingExtraError: a package that reads it is not installed.
    """
    rows = islice(_all(place), first * size, None)
    number = first
    while some := tuple(islice(rows, size)):
        yield Shard(number, some)
        number += 1


def _all(place: str | os.PathLike[str]) -> Iterator[Row]:
    number = 0
    for name in files(place):
        read = _READERS[_kind(name) or ".jsonl"]
        with closing(read(name)) as rows:
            for row in rows:
                yield row._replace(place=number)
                number += 1


def _kind(name: str) -> str | None:
    """The end of a file's name that says how its rows are written, None where it says nothing."""
    suffixes = PurePosixPath(name).suffixes
    if suffixes and suffixes[-1].lower() in (".gz", ".zst", ".zstd"):
        suffixes.pop()
    kind = suffixes[-1].lower() if suffixes else ""
    return kind if kind in _READERS else None


def _lines(name: str) -> Generator[Row, None, None]:
    with places.opened(name) as file:
        first = True
        while values := file.readline(_LONGEST + 1):
            if first:
                values, first = values.removeprefix(b"\xef\xbb\xbf"), False
            if len(values) > _LONGEST and not values.endswith(b"\n"):
                _pass_over(file)
                yield Row(0, {}, f"a row of more than {_LONGEST} bytes")
            elif values.strip():
                yield _row(values)


def _pass_over(file: IO[bytes]) -> None:
    """Go to the end of the line."""
    while rest := file.readline(_BLOCK):
        if rest.endswith(b"\n"):
            return


def _row(arguments: bytes) -> Row:
    try:
        data = safe.loads(arguments.decode())
    except UnicodeDecodeError:
        return Row(0, {}, "not UTF-8")
    except ValueError as error:
        return Row(0, {}, f"not JSON: {error}")
    return Row(0, data) if isinstance(data, dict) else Row(0, {}, "a row is a JSON object")


def _cells(name: str) -> Generator[Row, None, None]:
    """Rows of a table as text, by the names of its first line; an empty cell is no value."""
    csv.field_size_limit(_LONGEST)
    with places.opened(name) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
        try:
            for cells in csv.DictReader(text, dialect="excel-tab" if _kind(name) == ".tsv" else "excel", strict=True):
                wrong = "more cells than the first line has" if None in cells else ""
                yield Row(0, {key: value for key, value in cells.items() if key is not None and value}, wrong)
        except csv.Error as error:
            raise InputError(f"{name} is no table that can be read: {error}") from error


def _table(name: str) -> Generator[Row, None, None]:
    with needing("a batch of Parquet rows", "pyarrow", "parquet"):
        import pyarrow.parquet as pq
    with addresses.faults(name, "read"), places.raw(name) as file, pq.ParquetFile(file) as table:
        for batch in table.iter_batches(batch_size=256):
            for data in batch.to_pylist():
                yield Row(0, {key: value for key, value in data.items() if value is not None})


_READERS: dict[str, Callable[[str], Generator[Row, None, None]]] = {
    ".jsonl": _lines, ".ndjson": _lines, ".json": _lines, ".csv": _cells, ".tsv": _cells,
    ".parquet": _table, ".pq": _table,
}  # fmt: skip
