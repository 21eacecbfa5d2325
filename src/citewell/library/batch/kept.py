"""What a batch has done, on disk: lines in the order of the rows, and after each shard a word that it is complete.

`results.part` grows at its end alone and `run.jsonl` says how far it counts: whatever a kill leaves behind that point
is cut off. A shard that is finished before its turn waits in `ahead/`. No file is written twice or copied at the end,
and what is held in memory does not grow with the rows.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from citewell.errors import InputError
from citewell.library.batch.schedule import Finished
from citewell.text import files, safe

RESULTS, PART, RUN, AHEAD = "results.jsonl", "results.part", "run.jsonl", "ahead"


class Kept:
    """The shards that are finished, each complete or absent. To be opened by one process at a time.

    Attributes:
        rows: that are done.
        failed: those without a result.
        first: the first shard that is not done.

    Raises:
        InputError: the folder cannot be written, or `run.jsonl` and the results do not belong together.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self.rows = self.failed = self.first = self._length = 0
        self._ahead: set[int] = set()
        self._part: BinaryIO | None = None
        self._run: BinaryIO | None = None
        self.complete = (out / RESULTS).is_file()
        with _writing(out):
            size = (out / (RESULTS if self.complete else PART)).stat().st_size if self._begun() else 0
            told = self._counted(size)
            if self.complete:
                if self._length != size:
                    raise InputError(f"{out / RESULTS} is damaged: it has not the length that {RUN} says")
                return
            (out / AHEAD).mkdir(exist_ok=True)
            self._part, self._run = _cut(out / PART, self._length), _cut(out / RUN, told)
            for path in (out / AHEAD).glob("*.jsonl"):
                if int(path.stem) < self.first:
                    path.unlink()  # it was taken over, and a kill came before it was taken away
                else:
                    self._ahead.add(int(path.stem))
            for number in self._ahead:
                self._count(self._waiting(number)[0])
            self._take_over()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (self._part, self._run):
            if file is not None:
                with suppress(OSError):  # what is still buffered counts for nothing
                    file.close()

    def __contains__(self, shard: int) -> bool:
        return shard < self.first or shard in self._ahead

    def _begun(self) -> bool:
        return self.complete or (self._out / PART).is_file()

    def _counted(self, size: int) -> int:
        """Count what `run.jsonl` tells of so many bytes of results; the bytes of it that hold."""
        told = 0
        with suppress(FileNotFoundError), (self._out / RUN).open("rb") as file:
            for given in file:
                try:
                    shard = safe.loads(given.decode())
                    if not given.endswith(b"\n") or shard["number"] != self.first or shard["end"] > size:
                        break
                    self._count(shard)
                except (ValueError, KeyError, TypeError):
                    break
                self.first, self._length = self.first + 1, shard["end"]
                told += len(given)
        return told

    def _count(self, told: dict[str, Any]) -> None:
        self.rows += told["rows"]
        self.failed += told["failed"]

    def keep(self, finished: Finished) -> None:
        """Keep a shard for good.

        Raises:
            InputError: the folder cannot be written; the shard is not done.
        """
        told = {
            "number": finished.number,
            "rows": len(finished.lines),
            "failed": finished.failed,
            "seconds": round(finished.seconds, 4),
            "hosts": sorted(finished.hosts),
        }
        lines = b"".join(line for line, _ in finished.lines)
        with _writing(self._out):
            if finished.number == self.first:
                self._append(told, lines)
                self._take_over()
            else:
                files.write(self._name(finished.number), safe.dumps(told).encode() + b"\n" + lines)
                self._ahead.add(finished.number)
        self._count(told)

    def _append(self, told: dict[str, Any], lines: bytes) -> None:
        """Lines at the end of the results, and then the word that they are there."""
        if self._part is None or self._run is None:
            raise InputError(f"{self._out} holds a batch that is done")
        _add(self._part, lines)
        end = self._length + len(lines)
        _add(self._run, safe.dumps({**told, "end": end}).encode() + b"\n")
        self.first, self._length = self.first + 1, end

    def _take_over(self) -> None:
        """Append the shards that waited for their turn."""
        while self.first in self._ahead:
            number = self.first
            self._append(*self._waiting(number))
            self._ahead.remove(number)
            self._name(number).unlink()

    def _waiting(self, number: int) -> tuple[dict[str, Any], bytes]:
        told, _, lines = self._name(number).read_bytes().partition(b"\n")
        return safe.loads(told.decode()), lines

    def _name(self, number: int) -> Path:
        return self._out / AHEAD / f"{number:08d}.jsonl"

    def finish(self) -> None:
        """All is done: give the results their name.

        Raises:
            InputError: the folder cannot be written.
        """
        with _writing(self._out):
            (self._out / PART).rename(self._out / RESULTS)
            shutil.rmtree(self._out / AHEAD, ignore_errors=True)


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Faults of a disk as an error of the batch, which goes on from there when it is run again."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{out} is damaged: {error}") from error


def _cut(path: Path, length: int) -> BinaryIO:
    """A file open at its end, after so many bytes."""
    file = path.open("ab")
    file.truncate(length)
    file.seek(length)
    return file


def _add(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())
