"""A cache of embeddings by text and model: in memory up to a limit, and in a file if a folder is named."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError

Matrix = npt.NDArray[np.float32]
LIMIT = 256 * 2**20  # bytes of vectors in memory; the least recently used go first

_MEMORY: OrderedDict[bytes, Matrix] = OrderedDict()
_LOCK = threading.Lock()


def cached(model: str, texts: Sequence[str], embed: Callable[[list[str]], Matrix], folder: str | None = None) -> Matrix:
    """(texts, dimensions) embeddings; only texts that were not seen with this model are embedded, each once.

    Args:
        model: names everything that the embedding depends on: model, revision, pooling, prefix, number type.
        texts: what to embed.
        embed: makes the (n, dimensions) embeddings of n texts.
        folder: where to keep embeddings between runs; None keeps them in memory only.

    Raises:
        BackendError: the folder's file cannot be read or written.
    """
    keys = {text: _key(model, text) for text in texts}
    vectors: dict[str, Matrix] = {}
    with _LOCK:
        for text, key in keys.items():
            if key in _MEMORY:
                _MEMORY.move_to_end(key)
                vectors[text] = _MEMORY[key]
    missing = [text for text in keys if text not in vectors]
    if missing and folder:
        vectors |= _read(folder, {text: keys[text] for text in missing})
        missing = [text for text in missing if text not in vectors]
    if missing:
        fresh = dict(zip(missing, np.asarray(embed(missing), dtype=np.float32), strict=True))
        vectors |= fresh
        if folder:
            _write(folder, {keys[text]: vector for text, vector in fresh.items()})
    with _LOCK:
        for text, vector in vectors.items():
            _MEMORY[keys[text]] = vector
        _trim()
    return np.stack([vectors[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)


def clear() -> None:
    """Forget what is in memory."""
    with _LOCK:
        _MEMORY.clear()


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _trim() -> None:
    total_bytes = sum(vector.nbytes for vector in _MEMORY.values())
    while total_bytes > LIMIT and _MEMORY:
        _, vector = _MEMORY.popitem(last=False)
        total_bytes -= vector.nbytes


def _open(folder: str) -> sqlite3.Connection:
    place = Path(folder).expanduser()
    try:
        place.mkdir(parents=True, exist_ok=True)
        store = sqlite3.connect(place / "embeddings.sqlite", timeout=30)
        store.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
    except (OSError, sqlite3.Error) as error:
        raise BackendError(f"embeddings cannot be kept in {folder!r}: {error}") from error
    return store


def _read(folder: str, keys: dict[str, bytes]) -> dict[str, Matrix]:
    try:
        with closing(_open(folder)) as store:
            rows = (
                (text, store.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone())
                for text, key in keys.items()
            )
            return {text: np.frombuffer(row[0], dtype=np.float32) for text, row in rows if row}
    except sqlite3.Error as error:
        raise BackendError(f"the embeddings in {folder!r} cannot be read: {error}") from error


def _write(folder: str, vectors: dict[bytes, Matrix]) -> None:
    rows = [(key, vector.tobytes()) for key, vector in vectors.items()]
    try:
        with closing(_open(folder)) as store, store:
            store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
    except sqlite3.Error as error:
        raise BackendError(f"embeddings cannot be kept in {folder!r}: {error}") from error
