"""A cache of read documents for all processes, by the hash of their bytes and the version of the readers.

Files are written whole under their final name, so that any number of processes may read and write at once; what was
not used for longest goes when there is too much.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from citewell import readers
from citewell.document import Document
from citewell.errors import CitewellError
from citewell.readers import saved
from citewell.readers.plugged import plugged
from citewell.text import files

BOUND = 2 * 2**30
"""Bytes that are kept."""
_SMALL = 50_000  # bytes of a file that is read as fast as it is fetched


def folder() -> Path:
    """Where they are kept: a folder of this user's."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base, "citewell", f"documents-{readers.VERSION}")


def read(data: bytes, name: str) -> Document:
    """Read a document, or fetch it where somebody read the same bytes under the same kind of name before.

    Raises DocumentError: as `citewell.read`.
    """
    if len(data) < _SMALL or plugged(name):  # another package's reader may change, and has no version here
        return readers.read(data, name=name)
    suffix = Path(name).suffix.lower()  # by which texts are told apart
    path = folder() / f"{hashlib.sha256(data).hexdigest()}{suffix[:10]}.npz"
    with suppress(OSError, CitewellError):
        document = saved.load(path.read_bytes(), data)
        os.utime(path)
        return saved.named(document, name)
    document = readers.read(data, name=name)
    with suppress(OSError, CitewellError):  # a cache that cannot be written is none
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, saved.dump(document))
        _shrink(path.parent)
    return document


def _shrink(place: Path) -> None:
    """Let the oldest go while there is too much."""
    kept = []
    for path in place.iterdir():
        with suppress(OSError):
            status = path.stat()
            kept.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in kept)
    for _, size, path in sorted(kept):
        if total <= BOUND:
            return
        with suppress(OSError):
            path.unlink()
        total -= size
