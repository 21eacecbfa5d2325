"""Atomic file writing, and folders that only one process can use at a time."""

from __future__ import annotations

import os
import secrets
import socket
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from citewell.errors import InUseError, of_files

LOCK = ".lock"  # in a folder that a process works in; only a lock that a living process holds on it counts


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of `path` when the block ends without an error, and leaves nothing otherwise.

    It lies beside the old one, is synced before it takes its name, and keeps its mode. What is no ordinary file (a
    pipe, `/dev/stdout`) has nothing to replace and is written as it is.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    target = Path(os.path.realpath(path))  # a link goes on naming the file that it names
    old = target.stat() if target.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with target.open("wb") as stream:
            yield stream
        return
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            temporary.chmod(mode)  # what the umask took away
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync(target.parent)


def write(path: str | Path, content: str | bytes) -> None:
    """Write a file whole or not at all, in a folder that is there.

    Raises:
        InputError: it cannot be written; an old file is as it was.
    """
    # ValueError: a name with a null, a text that UTF-8 cannot hold
    with of_files(f"{path} cannot be written", faults=(OSError, ValueError)):
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        with replacing(path) as file:
            file.write(data)


def write_all(folder: Path, contents: Mapping[str, str]) -> list[Path]:
    """Write texts by their names below a folder, which is made; the paths that were written.

    Raises:
        InputError: a file cannot be written.
    """
    paths = [folder / name for name in contents]
    for path, text in zip(paths, contents.values(), strict=True):
        with of_files(f"{path} cannot be written"):
            path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text)
    return paths


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Work in a folder alone. The lock ends with the process: what a kill leaves of it is no hindrance.

    Raises:
        InUseError: another process (or thread) works there; the text says which.
        InputError: no file can be made there.
    """
    path = Path(folder) / LOCK
    handle = _taken(path)
    try:
        with of_files(f"{path} cannot be written"):
            os.ftruncate(handle, 0)
            os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        with suppress(OSError):
            path.unlink()  # while it is held: whoever waits for this very file sees that it has gone
        os.close(handle)


def _taken(path: Path) -> int:
    """The lock file, opened and held."""
    while True:
        with of_files(f"{path} cannot be written"):
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _hold(handle, path.parent)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # its holder took it away meanwhile


def _hold(handle: int, folder: Path) -> None:
    """Take the lock on an open file."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        holder = os.read(handle, 200).decode("utf-8", "replace").strip() or "another process"
        raise InUseError(f"{folder} is in use by {holder}: wait for it, or choose another folder") from None


def _sync(folder: Path) -> None:
    """Make a new name last; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
