"""Rows of a batch from JSON lines or Parquet, some at a time, so that any number of them takes little memory."""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from citewell import errors
from citewell.errors import CitewellError, InputError, MissingExtraError, UsageError
from citewell.text import safe

_BLOCK = 1 << 20
_LONGEST = 1 << 26  # bytes of a line; a longer one is passed over without being held
_TABLES = (".parquet", ".pq")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # `Path` makes one slash of two
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


def look(path: Path) -> Input:
    """What is known of an input beforehand.

    Raises:
        InputError: it is no file that can be read.
        MissingExtraError: it is a Parquet file, and pyarrow is not installed.
    """
    refuse_address("rows", path)
    if str(path) == "-" or (path.exists() and not path.is_file()):
        raise InputError(f"{path} is no file: rows are read again when a batch goes on, which a pipe cannot be")
    hashed = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                hashed.update(block)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    return Input(hashed.hexdigest(), _count(path))


def refuse_address(role: str, path: Path) -> None:
    """See that a path is one of this machine.

    Raises:
        UsageError: it is an address, which would become a folder of that name.
    """
    if _ADDRESS.match(str(path)):
        raise UsageError(f"{role} {path}: rows and results are files of this machine; copy or mount the address")


def _count(path: Path) -> int:
    """The rows of an input, whose ids are seen to differ.

    Raises:
        InputError: two rows have one id; the text names both.
    """
    hashes = array("q")
    for row in _all(path, 0):
        hashes.append(hash(safe.dumps(row.id)))
    if len(set(hashes)) < len(hashes):
        places: dict[str, int] = {}
        for row in _all(path, 0):
            before = places.setdefault(safe.dumps(row.id), row.place)
            if before != row.place:
                raise InputError(f"{path}: rows {before + 1} and {row.place + 1} have the same id {row.id!r}")
    return len(hashes)


def shards(path: Path, size: int, first: int = 0) -> Iterator[Shard]:
    """The rows of a file, `size` at a time, from a shard's number on.

    Raises:
        InputError: it cannot be read.
        MissingExtraError: it is a Parquet file, and pyarrow is not installed.
    """
    rows = iter(_all(path, first * size))
    number = first
    while some := tuple(islice(rows, size)):
        yield Shard(number, some)
        number += 1


def _all(path: Path, first: int) -> Iterable[Row]:
    return _rows_of_table(path, first) if _is_table(path) else _lines(path, first)


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")


def _lines(path: Path, first: int) -> Iterator[Row]:
    place = 0
    try:
        with _opened(path) as file:
            if file.read(3) != b"\xef\xbb\xbf":
                file.seek(0)
            while values := file.readline(_LONGEST + 1):
                long = len(values) > _LONGEST and not values.endswith(b"\n")
                if long:
                    _pass_over(file)
                if long or values.strip():
                    if place >= first:
                        yield Row(place, {}, f"a row of more than {_LONGEST} bytes") if long else _row(place, values)
                    place += 1
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _pass_over(file: IO[bytes]) -> None:
    """Go to the end of the line."""
    while rest := file.readline(_BLOCK):
        if rest.endswith(b"\n"):
            return


def _row(place: int, arguments: bytes) -> Row:
    try:
        data = safe.loads(arguments.decode())
    except UnicodeDecodeError:
        return Row(place, {}, "not UTF-8")
    except ValueError as error:
        return Row(place, {}, f"not JSON: {error}")
    return Row(place, data) if isinstance(data, dict) else Row(place, {}, "a row is a JSON object")


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in _TABLES


def _table(path: Path) -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("a batch of Parquet rows", "pyarrow", "parquet") from error
    try:
        return pq.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no Parquet file that can be read: {error}") from error


def _rows_of_table(path: Path, first: int) -> Iterable[Row]:
    file = _table(path)
    place = 0
    try:
        for batch in file.iter_batches(batch_size=256):
            if place + batch.num_rows <= first:
                place += batch.num_rows
                continue
            for data in batch.to_pylist():
                if place >= first:
                    yield Row(place, {name: value for name, value in data.items() if value is not None})
                place += 1
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no Parquet file that can be read: {error}") from error
    finally:
        file.close()
