"""Locations of rows and results: this machine, or s3://, gs:// and hf:// through fsspec.

A batch is worked on in a folder of this machine, since an object store can neither append nor lock; results that belong
elsewhere are copied there when all rows are done.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from citewell.errors import InputError, needing
from citewell.library import addresses
from citewell.library.addresses import faults, named, scheme

_MARK = "batch.json"  # copied last: where it lies, the batch is complete


def members(place: str) -> list[str]:
    """The files of a place by name: the file itself, or those of a folder and below it that are not hidden.

    Raises InputError: it is not there, or no file.
    """
    with faults(place, "read"):
        kind = scheme(place)
        if kind is not None:
            store, path = addresses.store(place)
            if not store.isdir(path):
                return [place]
            root, names = path, [f"{kind}://{name.removeprefix(f'{kind}://')}" for name in store.find(path)]
            return sorted(name for name in names if not _hidden(name.partition(root)[2]))
        folder = Path(place)
        if folder.is_dir():
            names = [str(path) for path in folder.rglob("*") if path.is_file()]
            return sorted(name for name in names if not _hidden(os.path.relpath(name, folder)))
        if place == "-" or (folder.exists() and not folder.is_file()):
            raise InputError(f"{place} is no file: rows are read again when a batch goes on, which a pipe cannot be")
        return [place]


def _hidden(path: str) -> bool:
    return any(part.startswith((".", "_")) for part in path.split("/"))


def raw(place: str) -> IO[bytes]:
    """A file's bytes as they lie there."""
    if scheme(place) is None:
        return Path(place).open("rb")
    store, path = addresses.store(place)
    return cast("IO[bytes]", io.BufferedReader(store.open(path, "rb")))


@contextmanager
def opened(place: str) -> Iterator[IO[bytes]]:
    """A file's bytes, unpacked where its name ends in .gz or .zst.

    Raises InputError: it cannot be read; MissingExtraError: it is packed with zstd, and pyarrow is not installed.
    """
    with faults(place, "read"), raw(place) as file:
        if place.lower().endswith(".gz"):
            with gzip.open(file, "rb") as unpacked:
                yield cast("IO[bytes]", unpacked)
        elif place.lower().endswith((".zst", ".zstd")):
            yield _zstd(file)
        else:
            yield file


def _zstd(file: IO[bytes]) -> IO[bytes]:
    with needing("rows packed with zstd", "pyarrow", "parquet"):
        import pyarrow as pa
    return cast("IO[bytes]", io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd")))


@contextmanager
def workplace(out: str | os.PathLike[str]) -> Iterator[Path]:
    """The folder of this machine in which a batch is worked on; what lies there is copied to `out` at the end.

    The folder is `out` itself where that is one. Else it is in the cache of this machine, named after the address: a
    batch that was stopped goes on from there. A batch that is complete at the address is fetched, and not done again.
    Raises UsageError: the address has another batch, or is none that can be written; InputError: it cannot be read or
    written; MissingExtraError: the package for such addresses is not installed.
    """
    address = named(out).rstrip("/")
    if scheme(out) is None:
        yield Path(out)
        return
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base, "citewell", "batches", hashlib.sha256(address.encode()).hexdigest()[:16])
    store, path = addresses.store(address)
    with faults(address, "read"):
        complete = store.isfile(f"{path}/{_MARK}")
        mark = store.cat_file(f"{path}/{_MARK}") if complete else b""
        if complete and (folder / _MARK).is_file() and (folder / _MARK).read_bytes() != mark:
            shutil.rmtree(folder)  # of a batch whose results were moved away, and others put there
        if complete and not (folder / _MARK).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            for name in store.ls(path, detail=False):
                if store.isfile(name):
                    store.get_file(name, str(folder / name.rsplit("/", 1)[-1]))
    yield folder
    with faults(address, "written"):
        for file in sorted(folder.iterdir(), key=lambda file: file.name == _MARK):
            if file.is_file() and not file.name.startswith("."):
                store.put_file(str(file), f"{path}/{file.name}")


def below(out: str | os.PathLike[str], file: str) -> str:
    """Where a file of a workplace lies when the batch is done."""
    return file if scheme(out) is None else f"{named(out).rstrip('/')}/{Path(file).name}"
