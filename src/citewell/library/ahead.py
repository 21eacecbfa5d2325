"""Reads files ahead in other processes while one process adds documents: the most expensive step in parallel."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from citewell import readers
from citewell.document import Document
from citewell.errors import DocumentError, InputError
from citewell.library.batch import schedule
from citewell.library.batch.rows import LOST, Row, Shard, failure, raised
from citewell.library.batch.schedule import Finished, Lines, Workers
from citewell.library.batch.workers import Crew
from citewell.readers import saved

Source = TypeVar("Source")
_BLOCK = 1024  # sources that are looked at before the first of them is taken
_AHEAD = 8  # files that may be read before an earlier one, and are held


@dataclass(frozen=True)
class Reading:
    """Work that makes documents of files, kept as `saved.dump` gives them, after the hash of the file's bytes."""

    def worker(self, files: Mapping[str, bytes] | None = None) -> _Reader:
        """One who does it."""
        return _Reader(files)


class _Reader:
    def __init__(self, files: Mapping[str, bytes] | None) -> None:
        self._files = files

    def lines(self, rows: Sequence[Row]) -> Lines:
        """For each file its document, or why there is none."""
        return [self._line(row) for row in rows]

    def _line(self, row: Row) -> tuple[bytes, bool]:
        name = row.data["document"]
        try:
            file = self._files[name] if self._files and name in self._files else Path(name).read_bytes()
            return hashlib.sha256(file).digest() + saved.dump(readers.read(file, name=name)), True
        except Exception as error:  # noqa: BLE001  (told by the one who takes it in, as if it had been read there)
            return failure(row, type(error).__name__, str(error)), False


class Ahead:
    """Files that are read before their turn."""

    def __init__(self, working: Workers | None) -> None:
        self._working = working
        self._read: dict[str, tuple[bytes, bool]] = {}

    def sources(self, sources: Iterable[Source], wanted: Callable[[str], bool]) -> Iterator[Source]:
        """The sources again, each when what is wanted of it has been read."""
        if self._working is None:
            yield from sources
            return
        coming = iter(sources)
        while block := list(islice(coming, _BLOCK)):
            turns = deque(block)
            reading = {source: None for source in block if isinstance(source, str) and wanted(source)}
            for finished in schedule.run(self._working, self._shards(reading), _AHEAD):
                self._keep(list(reading), finished)
                while turns and (turns[0] not in reading or turns[0] in self._read):
                    yield turns.popleft()
            yield from turns

    def _shards(self, names: Iterable[str]) -> Iterator[Shard]:
        for number, name in enumerate(names):
            yield Shard(number, (Row(number, {"document": name}),))

    def _keep(self, names: Sequence[str], finished: Finished) -> None:
        ((line, good),) = finished.lines
        self._read[names[finished.number]] = line, good

    def read(self, data: bytes, name: str) -> tuple[Document, bytes]:
        """The document in a file, and the bytes that it is kept as.

        Raises DocumentError: as `citewell.read`, or reading it ended the process that did.
        """
        line, good = self._read.pop(name, (b"", False))
        if good and line[:32] == hashlib.sha256(data).digest():
            return saved.load(line[32:], data), line[32:]
        if line and not good:
            error = raised(line)
            if type(error).__name__ == LOST:
                raise DocumentError(f"{name} cannot be read: {error}")
            if isinstance(error, InputError):
                raise error
        document = readers.read(data, name=name)
        return document, saved.dump(document)


@contextmanager
def reading(count: int, ray: str | None = None) -> Iterator[Ahead]:
    """So many processes, or workers on a Ray cluster, that read; a single process reads where it takes in."""
    crew = Crew(count, ray)
    working = None if crew.alone else crew.workers(Reading())
    try:
        yield Ahead(working)
    finally:
        if working is not None:
            working.close()
