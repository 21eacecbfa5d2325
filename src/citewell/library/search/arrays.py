"""A file of named, memory-mapped arrays: the storage of an index segment.

The file is a line of JSON (names, types, shapes, places, the length of the whole and a checksum of each block) with a
checksum of its own before it, and then the arrays, each on a multiple of 64 bytes. Its name is the hash of its bytes.
Blocks are checked when they are first read, so that opening stays cheap and damage is never ranked.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.errors import LibraryError
from citewell.text import files

Arrays = Mapping[str, npt.NDArray[np.generic]]
Rows = slice | npt.NDArray[np.integer]
MAGIC = b"citewell arrays 2\n"
_OLDER = b"citewell arrays 1\n"
SUFFIX = ".arrays"
_ALIGNED = 64
_BLOCK = 1 << 18  # bytes under one checksum
_HEADER = 1 << 22  # bytes of the line of JSON, at most


def pack(arrays: Arrays) -> bytes:
    """The bytes of a file of these arrays; the same arrays give the same bytes."""
    placed, at = {}, 0
    parts = []
    for name, values in sorted(arrays.items()):
        placed[name] = [values.dtype.str, list(values.shape), at]
        data = np.ascontiguousarray(values).tobytes()
        parts.append(data.ljust(-(-len(data) // _ALIGNED) * _ALIGNED, b"\0"))
        at += len(parts[-1])
    body = b"".join(parts)
    sums = [zlib.crc32(memoryview(body)[start : start + _BLOCK]) for start in range(0, at, _BLOCK)]
    header = json.dumps({"arrays": placed, "bytes": at, "sums": sums}, separators=(",", ":")).encode()
    line = MAGIC + b"%08x " % zlib.crc32(header) + header + b"\n"
    line = line[:-1].ljust(-(-len(line) // _ALIGNED) * _ALIGNED - 1) + b"\n"
    return line + body


def name_of(data: bytes) -> str:
    """What a file of these bytes is called."""
    return hashlib.sha256(data).hexdigest()


def keep(folder: Path, data: bytes) -> str:
    """Write a file into a folder, whole or not at all, unless it is there; its name.

    Raises InputError: it cannot be written.
    """
    name = name_of(data)
    path = folder / f"{name}{SUFFIX}"
    if not path.is_file() or name_of(path.read_bytes()) != name:
        folder.mkdir(parents=True, exist_ok=True)
        files.write(path, data)
    return name


class Mapped(Mapping[str, npt.NDArray[np.generic]]):
    """The arrays of a file; what is read of them is held against its checksums first."""

    def __init__(
        self, path: Path, arrays: Arrays, places: Mapping[str, int], data: npt.NDArray[np.uint8], sums: list[int]
    ) -> None:
        self._path, self._arrays, self._places, self._data, self._sums = path, arrays, places, data, sums
        self._checked = np.zeros(len(sums), dtype=bool)

    def __getitem__(self, name: str) -> npt.NDArray[np.generic]:
        """A whole array. Raises LibraryError: its bytes are not those that were written."""
        values = self._arrays[name]
        self._check(self._places[name], self._places[name] + values.nbytes)
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def part(self, name: str, rows: Rows) -> npt.NDArray[np.generic]:
        """Some rows of an array; only they are checked.

        Raises LibraryError: their bytes are not those that were written.
        """
        values = self._arrays[name]
        size = values.strides[0] if values.ndim else values.nbytes
        if isinstance(rows, slice):
            first, last, _ = rows.indices(len(values))
            self._check(self._places[name] + first * size, self._places[name] + last * size)
        elif len(rows):
            starts = self._places[name] + rows.astype(np.int64) * size
            blocks = np.union1d(starts // _BLOCK, (starts + size - 1) // _BLOCK)
            for block in blocks[~self._checked[blocks]].tolist():
                self._check(block * _BLOCK, block * _BLOCK + 1)
        return values[rows]

    def check(self) -> None:
        """Hold the whole file against its checksums. Raises LibraryError: its bytes are not those that were written."""
        self._check(0, len(self._data))

    def _check(self, begin: int, end: int) -> None:
        for block in range(begin // _BLOCK, -(-end // _BLOCK)):
            if not self._checked[block]:
                if (
                    zlib.crc32(np.ascontiguousarray(self._data[block * _BLOCK : (block + 1) * _BLOCK]).data)
                    != self._sums[block]
                ):
                    raise damaged(self._path, f"block {block} of {len(self._sums)} has other bytes than were written")
                self._checked[block] = True


def damaged(path: Path, what: str) -> LibraryError:
    """The error of a file that cannot be used."""
    return LibraryError(f"{path} is damaged: {what}; citewell library repair rebuilds it")


def opened(path: Path) -> Mapped:
    """The arrays of a file, mapped: nothing is read before it is used.

    Raises LibraryError: the file is not there, cut short, damaged, of an older version, or none of ours. (A mapped file
    that is shorter than its arrays would end the process when they are read.).
    """
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
            line = file.readline(_HEADER) if magic == MAGIC else b""
    except OSError as error:
        raise LibraryError(f"{path} cannot be read ({error.strerror}); citewell library repair rebuilds it") from error
    if magic == _OLDER:
        raise LibraryError(f"{path} was written by an older version; citewell library refresh --rebuild rebuilds it")
    try:
        checksum, _, text = line.partition(b" ")
        text = text.rstrip(b" \n")
        if not line or int(checksum, 16) != zlib.crc32(text):
            raise damaged(path, "its header has other bytes than were written")
        header: dict[str, Any] = json.loads(text)
        start, size = len(MAGIC) + len(line), path.stat().st_size
    except (OSError, ValueError) as error:
        raise damaged(path, str(error)) from error
    if size != start + header["bytes"]:
        raise damaged(path, f"it has {size} bytes, not {start + header['bytes']}")
    data: npt.NDArray[np.uint8] = np.zeros(0, np.uint8)
    if header["bytes"]:
        data = np.memmap(path, dtype=np.uint8, mode="r", offset=start)
    arrays = {
        name: np.ndarray(tuple(shape), dtype=np.dtype(kind), buffer=data, offset=at if header["bytes"] else 0)
        for name, (kind, shape, at) in header["arrays"].items()
    }
    return Mapped(path, arrays, {name: at for name, (_, _, at) in header["arrays"].items()}, data, header["sums"])
