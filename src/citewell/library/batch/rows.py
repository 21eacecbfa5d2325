"""Rows of a batch from JSON lines or Parquet, some at a time, so that any number of them takes little memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError, MissingExtraError
from citewell.text import safe

_BLOCK = 1 << 20


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


def digest(path: Path) -> str:
    """SHA-256 of a file, in hex.

    Raises:
        InputError: it cannot be read.
    """
    hashed = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                hashed.update(block)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    return hashed.hexdigest()


def shards(path: Path, size: int) -> Iterator[Shard]:
    """The rows of a file, `size` at a time.

    Raises:
        InputError: it cannot be read.
        MissingExtraError: it is a Parquet file, and pyarrow is not installed.
    """
    rows = iter(_parquet(path) if path.suffix.lower() in (".parquet", ".pq") else _lines(path))
    number = 0
    while some := tuple(islice(rows, size)):
        yield Shard(number, some)
        number += 1


def _lines(path: Path) -> Iterator[Row]:
    place = 0
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
            for line in file:
                if line.strip():
                    yield _row(place, line)
                    place += 1
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _row(place: int, line: str) -> Row:
    try:
        data = safe.loads(line)
    except ValueError as error:
        return Row(place, {}, f"not JSON: {error}")
    return Row(place, data) if isinstance(data, dict) else Row(place, {}, "a row is a JSON object")


def _parquet(path: Path) -> Iterable[Row]:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("a batch of Parquet rows", "pyarrow", "parquet") from error
    try:
        file = pq.ParquetFile(path)
        place = 0
        for batch in file.iter_batches(batch_size=256):
            for data in batch.to_pylist():
                yield Row(place, {name: value for name, value in data.items() if value is not None})
                place += 1
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no Parquet file that can be read: {error}") from error
