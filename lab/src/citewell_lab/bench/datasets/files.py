"""Finds the files of a split and reads their rows; an unreadable row becomes a counted failure."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from citewell.document import Document
from citewell.errors import CitewellError, InputError, MissingExtraError
from citewell.types import Span
from citewell_lab.bench.items import Broken, Item

# One split under the names that publishers give it.
ALIASES = {
    "dev": ("dev", "validation", "val", "valid"),
    "validation": ("validation", "dev", "val", "valid"),
    "val": ("val", "dev", "valid"),
}


def find(root: Path, split: str, patterns: Sequence[str], *, exclude: Sequence[str] = ()) -> list[Path]:
    """The files of a split below `root`; `{split}` in a pattern is the split's name, anything for `all`.

    Raises:
        InputError: there are none; the text lists the splits that lie there.
    """
    for name in ("*",) if split == "all" else ALIASES.get(split, (split,)):
        for pattern in patterns:
            paths = [path for path in sorted(root.glob(pattern.format(split=name))) if path.name not in exclude]
            if paths:
                return paths
    there = {path.name for pattern in patterns for path in root.glob(pattern.format(split="*"))} - set(exclude)
    has = f"it has {', '.join(sorted(there))}" if there else "it has no data files"
    raise InputError(f"no split {split!r} in {root}; {has}")


def opened(path: Path) -> io.TextIOBase:
    """A text file, or one inside gzip, as UTF-8 with its line ends as they are."""
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path, "rb"), encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")


def stem(path: Path) -> str:
    """The file's name without its endings."""
    return path.name.partition(".")[0]


def parsed(path: Path) -> Iterator[tuple[int, dict[str, Any] | Broken]]:
    """The number and the row of every line of JSON, or of a Parquet file; a line that is damaged comes as a failure."""
    if path.suffix == ".parquet":
        yield from enumerate(_table(path))
        return
    with opened(path) as lines:
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                yield number, Broken(f"{stem(path)}:{number}", f"{type(error).__name__}: {error}")
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                yield number, Broken(f"{stem(path)}:{number}", "the line is not a JSON object")


def _table(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, as the hub publishes data sets.

    Raises:
        InputError: it is not there, or damaged.
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError(f"{path.name}", "pyarrow", "parquet", "citewell-lab") from error
    try:
        with pq.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=256):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def whole(path: Path) -> Any:
    """A file that is one JSON value.

    Raises:
        InputError: it is not there, or damaged.
    """
    try:
        with opened(path) as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def listed(path: Path, make: Callable[[str, dict[str, Any]], Item]) -> Iterator[Item]:
    """One item a row of a file that is a JSON list, or an object whose `data` is one.

    Raises:
        InputError: it is not there, damaged, or no list.
    """
    held = whole(path)
    entries = held.get("data") if isinstance(held, dict) else held
    if not isinstance(entries, list):
        raise InputError(f"{path} cannot be read: it is no list of rows")
    for number, row in enumerate(entries):
        yield attempt(f"{stem(path)}:{number}", make, row)


def rows(paths: Iterable[Path], make: Callable[[str, dict[str, Any]], Item | None]) -> Iterator[Item]:
    """One item a line of JSON; `make` gets the item's id and the row, and may return None for a row without one."""
    return several(paths, lambda key, row: [attempt(key, make, row)])


def several(paths: Iterable[Path], make: Callable[[str, dict[str, Any]], Iterable[Item | None]]) -> Iterator[Item]:
    """The items of each line of JSON, of whom `make` gets the line's id and the row."""
    for path in paths:
        for number, row in parsed(path):
            items = [row] if isinstance(row, Broken) else make(f"{stem(path)}:{number}", row)
            yield from (item for item in items if item is not None)


def known(label: str, labels: Collection[str]) -> str:
    """A label that is one of a task's.

    Raises:
        ValueError: it is none of them.
    """
    if label not in labels:
        raise ValueError(f"label {label!r} is none of {', '.join(labels)}")
    return label


def trimmed(text: str, start: int, end: int) -> Span:
    """A range of a text without the white space at its ends."""
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    return Span(start, start + len(inside.strip()))


AnyMade = TypeVar("AnyMade", bound=Item | None)


def attempt(key: str, make: Callable[..., AnyMade], *args: Any) -> AnyMade | Broken:
    """What `make(key, *args)` returns, or its failure as an item."""
    try:
        return make(key, *args)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, CitewellError) as error:
        return Broken(key, f"{type(error).__name__}: {error}")


def passages(texts: Sequence[str]) -> tuple[Document, tuple[int, ...]]:
    """A document with one paragraph a text, and where each text begins in it."""
    starts, position = [], 0
    for text in texts:
        starts.append(position)
        position += len(text) + 2
    return Document.from_passages(texts), tuple(starts)


def spans(texts: Sequence[str], starts: Sequence[int]) -> tuple[Span, ...]:
    """The offsets of each text in the document that `passages` made."""
    return tuple(Span(start, start + len(text)) for text, start in zip(texts, starts, strict=True))


def covering(segments: Sequence[Span], start: int, end: int) -> frozenset[int]:
    """The positions of the segments that share a character with the range."""
    return frozenset(i for i, (a, b) in enumerate(segments) if a < end and start < b)


def sha256(path: Path) -> str:
    """The file's hash in hex, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
