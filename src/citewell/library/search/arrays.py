"""One file of named arrays, mapped into memory: what a segment of the index is kept in.

The file is a line of JSON (names, types, shapes, places and the length of the whole) and then the arrays, each on a
multiple of 64 bytes. Its name is the hash of its bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from citewell.errors import LibraryError
from citewell.text import files

Arrays = Mapping[str, npt.NDArray[np.generic]]
MAGIC = b"citewell arrays 1\n"
SUFFIX = ".arrays"
_ALIGNED = 64
_HEADER = 1 << 16  # bytes of the line of JSON, at most


def pack(arrays: Arrays) -> bytes:
    """The bytes of a file of these arrays; the same arrays give the same bytes."""
    placed, at = {}, 0
    for name, values in sorted(arrays.items()):
        placed[name] = [values.dtype.str, list(values.shape), at]
        at += -(-values.nbytes // _ALIGNED) * _ALIGNED
    line = MAGIC + json.dumps({"arrays": placed, "bytes": at}, separators=(",", ":")).encode() + b"\n"
    line = line[:-1].ljust(-(-len(line) // _ALIGNED) * _ALIGNED - 1) + b"\n"
    parts = [line]
    for _, values in sorted(arrays.items()):
        data = np.ascontiguousarray(values).tobytes()
        parts.append(data.ljust(-(-len(data) // _ALIGNED) * _ALIGNED, b"\0"))
    return b"".join(parts)


def name_of(data: bytes) -> str:
    """What a file of these bytes is called."""
    return hashlib.sha256(data).hexdigest()


def keep(folder: Path, data: bytes) -> str:
    """Write a file into a folder, whole or not at all, unless it is there; its name.

    Raises:
        InputError: it cannot be written.
    """
    name = name_of(data)
    path = folder / f"{name}{SUFFIX}"
    if not path.is_file() or name_of(path.read_bytes()) != name:
        folder.mkdir(parents=True, exist_ok=True)
        files.write(path, data)
    return name


def opened(path: Path) -> Arrays:
    """The arrays of a file, mapped: nothing is read before it is used.

    Raises:
        LibraryError: the file is not there, cut short, or none of ours. (A mapped file that is shorter than its arrays
            would end the process when they are read.)
    """
    try:
        with path.open("rb") as file:
            line = file.readline(_HEADER + len(MAGIC)) if file.read(len(MAGIC)) == MAGIC else b""
        header = json.loads(line)
        start, size = len(MAGIC) + len(line), path.stat().st_size
        if size != start + header["bytes"]:
            raise LibraryError(f"{path} is damaged: it has {size} bytes, not {start + header['bytes']}")
        if not header["bytes"]:
            return {name: np.zeros(shape, dtype=kind) for name, (kind, shape, _) in header["arrays"].items()}
        data = np.memmap(path, dtype=np.uint8, mode="r", offset=start)
        return {
            name: np.ndarray(tuple(shape), dtype=np.dtype(kind), buffer=data, offset=at)
            for name, (kind, shape, at) in header["arrays"].items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LibraryError(f"{path} is damaged or not there: {error}") from error
