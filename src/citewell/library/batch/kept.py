"""The stored progress of a batch: lines in the order of the rows, and a completion record after each shard.

`results.part` grows at its end alone and `run.jsonl` says how far it counts: whatever a kill leaves behind that point
is cut off. A shard that is finished before its turn waits in `ahead/`. No file is written twice or copied at the end,
and what is held in memory does not grow with the rows.

Every shard is handed to the system at once, so that a process that is killed loses none; the disk is waited for once in
a while for many. What a machine that loses its power had not written yet is told by the sum of each shard's bytes.
"""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from citewell.errors import InputError, of_files
from citewell.library.batch.schedule import Finished
from citewell.text import safe

RESULTS, PART, RUN, AHEAD = "results.jsonl", "results.part", "run.jsonl", "ahead"
_EVERY = 1.0  # seconds after which the disk is waited for, at the next shard
_UNSYNCED = 1 << 24  # bytes that may be handed to the system until then
_LOOKED_AT = 4 * _UNSYNCED  # bytes at the end of the results that are held against their sums when a batch goes on


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
        self._synced, self._handed = time.monotonic(), 0
        self._ahead: set[int] = set()
        self._part: BinaryIO | None = None
        self._run: BinaryIO | None = None
        self.complete = (out / RESULTS).is_file()
        with _writing(out):
            payload = self._counted(out / (RESULTS if self.complete else PART))
            if self.complete:
                if self._length != (out / RESULTS).stat().st_size:
                    raise InputError(f"{out / RESULTS} is damaged: it has not the length that {RUN} says")
                return
            (out / AHEAD).mkdir(exist_ok=True)
            self._part, self._run = _cut(out / PART, self._length), _cut(out / RUN, payload)
            for path in (out / AHEAD).glob("*.jsonl"):
                waiting = _read(path)
                if waiting is None or int(path.stem) < self.first:
                    path.unlink()  # half of it was written, or a kill came after it was taken over
                else:
                    self._ahead.add(int(path.stem))
                    self._count(waiting[0])
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

    def _counted(self, results: Path) -> int:
        """Count what `run.jsonl` tells of the results that are there; the bytes of it that hold."""
        payload = 0
        with suppress(FileNotFoundError), results.open("rb") as lines, (self._out / RUN).open("rb") as file:
            size = os.fstat(lines.fileno()).st_size
            for file_item in file:
                try:
                    shard = safe.loads(file_item.decode())
                    if not file_item.endswith(b"\n") or shard["number"] != self.first or shard["end"] > size:
                        break
                    if size - shard["end"] < _LOOKED_AT and not self.complete:
                        lines.seek(self._length)
                        if zlib.crc32(lines.read(shard["end"] - self._length)) != shard["sum"]:
                            break
                    self._count(shard)
                except (ValueError, KeyError, TypeError):
                    break
                self.first, self._length = self.first + 1, shard["end"]
                payload += len(file_item)
        return payload

    def _count(self, fields: dict[str, Any]) -> None:
        self.rows += fields["rows"]
        self.failed += fields["failed"]

    def keep(self, finished: Finished) -> None:
        """Keep a shard for good. Raises InputError: the folder cannot be written; the shard is not done."""
        payload = {
            "number": finished.number,
            "rows": len(finished.lines),
            "failed": finished.failed,
            "seconds": round(finished.seconds, 4),
            "hosts": sorted(finished.hosts),
        }
        lines = b"".join(line for line, _ in finished.lines)
        payload["sum"] = zlib.crc32(lines)
        with _writing(self._out):
            if finished.number == self.first:
                self._append(payload, lines)
                self._take_over()
            else:
                self._name(finished.number).write_bytes(safe.dumps(payload).encode() + b"\n" + lines)
                self._ahead.add(finished.number)
            if self._handed > _UNSYNCED or time.monotonic() - self._synced > _EVERY:
                self._sync()
        self._count(payload)

    def _sync(self) -> None:
        """Wait for the disk."""
        for file in (self._part, self._run):
            if file is not None:
                os.fsync(file.fileno())
        self._synced, self._handed = time.monotonic(), 0

    def _append(self, fields: dict[str, Any], lines: bytes) -> None:
        """Lines at the end of the results, and then the word that they are there."""
        if self._part is None or self._run is None:
            raise InputError(f"{self._out} contains a finished batch")
        _add(self._part, lines)
        end = self._length + len(lines)
        _add(self._run, safe.dumps({**fields, "end": end}).encode() + b"\n")
        self.first, self._length = self.first + 1, end
        self._handed += len(lines)

    def _take_over(self) -> None:
        """Append the shards that waited for their turn."""
        while self.first in self._ahead:
            number = self.first
            waiting = _read(self._name(number))
            if waiting is None:
                raise InputError(f"{self._name(number)} was changed by another program")
            self._append(*waiting)
            self._ahead.remove(number)
            self._name(number).unlink()

    def _name(self, number: int) -> Path:
        return self._out / AHEAD / f"{number:08d}.jsonl"

    def finish(self) -> None:
        """All is done: give the results their name. Raises InputError: the folder cannot be written."""
        with _writing(self._out):
            self._sync()
            (self._out / PART).rename(self._out / RESULTS)
            shutil.rmtree(self._out / AHEAD, ignore_errors=True)


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Faults of a disk as an error of the batch, which goes on from there when it is run again."""
    try:
        with of_files(f"{out} cannot be written"):
            yield
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


def _read(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """What is told of a shard that waits for its turn, and its lines; None where it is not whole."""
    payload, _, lines = path.read_bytes().partition(b"\n")
    try:
        shard: dict[str, Any] = safe.loads(payload.decode())
        return (shard, lines) if zlib.crc32(lines) == shard["sum"] else None
    except (ValueError, KeyError, TypeError):
        return None
