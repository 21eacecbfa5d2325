"""Reading what the command line names: documents and texts, from files, arguments or standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import InputError, UsageError

STDIN = "-"
STDIN_NAME = "standard input"


class Source(NamedTuple):
    """A document and where it came from: a path, or the bytes that standard input gave."""

    document: Document
    path: str | None
    data: bytes | None = None

    def read_bytes(self) -> bytes:
        """The file's bytes."""
        if self.data is not None:
            return self.data
        return Path(self.path or "").read_bytes()


def one_stdin(*names: str) -> None:
    """Refuse a command line in which standard input would have to be two things.

    Raises:
        UsageError: more than one of the names is `-`.
    """
    if sum(name == STDIN for name in names) > 1:
        raise UsageError("standard input can be read only once: only one '-' can be given")


def sources(names: Sequence[str], *, quiet: bool = False) -> list[Source]:
    """Read documents, with progress on stderr when that is a terminal and nobody said quiet."""
    return [_source(name, quiet=quiet) for name in names]


def _source(name: str, *, quiet: bool) -> Source:
    from citewell.readers import read

    data = sys.stdin.buffer.read() if name == STDIN else None
    with _Progress(STDIN_NAME if name == STDIN else name, quiet=quiet) as progress:
        if data is not None:
            return Source(read(data, name=STDIN_NAME, progress=progress), None, data)
        return Source(read(Path(name), progress=progress), name)


class _Progress:
    """A progress bar over pages that only appears when reading takes more than half a second."""

    def __init__(self, name: str, *, quiet: bool) -> None:
        self.name, self.bar = Path(name).name, None
        self.shown = not quiet and sys.stderr.isatty()

    def __enter__(self) -> Callable[[int, int], None] | None:
        return self.update if self.shown else None

    def update(self, done: int, total: int) -> None:
        bar: Any = self.bar
        if bar is None:
            from tqdm import tqdm

            bar = self.bar = tqdm(total=total, desc=f"reading {self.name}", unit="page", delay=0.5, leave=False)
        bar.total = total
        bar.update(done - bar.n)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


def _names_file(given: str) -> bool:
    """Whether a text is the name of a file here, which nobody means to have attributed."""
    try:
        return Path(given).is_file()
    except (OSError, ValueError):  # too long, or with a null: no name
        return False


def text(given: str, what: str) -> str:
    """An argument's text, or standard input where it is `-`.

    Raises:
        InputError: there is nothing in it, it is the name of a file, or standard input is not UTF-8.
    """
    found = given
    if given != STDIN and _names_file(given):
        raise InputError(f"the {what} is given as text, and {given!r} is a file: write - and < {given}")
    if given == STDIN:
        try:
            found = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"the {what} on standard input is not UTF-8: {error}") from error
    if not found.strip():
        raise InputError(f"the {what} is empty")
    return found
