"""A batch from its rows to its results: begun, gone on with, finished, with nothing lost or done twice.

The folder holds `batch.json` (what was asked: another input or other settings are refused), `shards/` while it runs,
`results.jsonl` in the order of the rows when it is done, and `run.json` with times and hosts, so that the results
themselves are the same bytes however many worked on them.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from citewell import readers
from citewell.errors import InputError, UsageError
from citewell.library.batch import rows, schedule
from citewell.library.batch.job import Job
from citewell.library.batch.rows import Shard
from citewell.library.batch.schedule import Finished, Workers
from citewell.text import files, safe

SIZE = 32  # rows of a shard: what is worked on again at most when everything is lost
RESULTS, MANIFEST, RUN, SHARDS = "results.jsonl", "batch.json", "run.json", "shards"
Tell = Callable[[int], None]


@dataclass(frozen=True)
class Summary:
    """What a batch came to.

    Attributes:
        rows: of the input.
        failed: rows without a result.
        done_before: rows that were finished when it began.
        seconds: of this run.
        out: where the results are.
    """

    rows: int
    failed: int
    done_before: int
    seconds: float
    out: str


def run(job: Job, source: Path, out: Path, workers: Callable[[], Workers], tell: Tell | None = None) -> Summary:
    """Work on all rows of a file that are not done.

    Args:
        job: what is done with a row.
        source: JSON lines or Parquet.
        out: the folder of the batch, made where it is not there.
        workers: makes those who work, when there is something to do.
        tell: told how many more rows are done.

    Raises:
        InputError: the input cannot be read, or the folder cannot be written.
        InUseError: another process works in the folder.
        UsageError: the folder is of another batch.
    """
    started = time.perf_counter()
    try:
        (out / SHARDS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    with files.locked(out):
        _same(out / MANIFEST, _manifest(job, source))
        if (out / RESULTS).is_file():
            told = _counted(out / RUN)
            shutil.rmtree(out / SHARDS, ignore_errors=True)
            return Summary(told["rows"], told["failed"], told["rows"], 0.0, str(out / RESULTS))
        done = _Done(out)
        if tell:
            tell(done.rows)
        before = done.rows
        shards = (shard for shard in rows.shards(source, SIZE) if shard.number not in done.numbers)
        for finished in _worked(workers, shards):
            done.keep(finished)
            if tell:
                tell(len(finished.lines))
        done.join()
        return Summary(done.rows, done.failed, before, round(time.perf_counter() - started, 3), str(out / RESULTS))


def _worked(workers: Callable[[], Workers], shards: Iterator[Shard]) -> Iterator[Finished]:
    first = next(shards, None)
    if first is None:
        return
    working = workers()
    try:
        yield from schedule.run(working, _again(first, shards))
    finally:
        working.close()


def _again(first: Shard, rest: Iterator[Shard]) -> Iterator[Shard]:
    yield first
    yield from rest


class _Done:
    """The shards that are finished, each a file that is there as a whole or not at all."""

    def __init__(self, out: Path) -> None:
        self._out, self._told = out, out / SHARDS / "told.jsonl"
        self.numbers: set[int] = set()
        self.rows = self.failed = 0
        self._runs: list[dict[str, Any]] = []
        for path in (out / SHARDS).glob("*.json"):
            with suppress(ValueError, KeyError, OSError):
                told = safe.loads(path.read_text(encoding="utf-8"))
                if path.with_suffix(".jsonl").is_file():
                    self._count(told)

    def _count(self, told: dict[str, Any]) -> None:
        self.numbers.add(int(told["number"]))
        self.rows += int(told["rows"])
        self.failed += int(told["failed"])
        self._runs.append(told)

    def keep(self, finished: Finished) -> None:
        name = f"{finished.number:08d}"
        told = {
            "number": finished.number,
            "rows": len(finished.lines),
            "failed": finished.failed,
            "seconds": finished.seconds,
            "hosts": sorted(finished.hosts),
        }
        files.write(self._out / SHARDS / f"{name}.jsonl", b"".join(finished.lines))
        files.write(self._out / SHARDS / f"{name}.json", safe.dumps(told))  # last: from now on it is done
        self._count(told)

    def join(self) -> None:
        """All lines in one file, in the order of the rows."""
        runs = sorted(self._runs, key=lambda told: told["number"])
        told = {"rows": self.rows, "failed": self.failed, "shards": runs}
        files.write(self._out / RUN, safe.dumps(told, indent=1) + "\n")
        try:
            with files.replacing(self._out / RESULTS) as results:
                for shard in runs:
                    with (self._out / SHARDS / f"{shard['number']:08d}.jsonl").open("rb") as part:
                        shutil.copyfileobj(part, results)
        except OSError as error:
            raise InputError(f"{self._out / RESULTS} cannot be written: {error.strerror or error}") from error
        shutil.rmtree(self._out / SHARDS, ignore_errors=True)


def _manifest(job: Job, source: Path) -> dict[str, Any]:
    return {
        "input": rows.digest(source),
        "job": job.record(),
        "shard": SIZE,
        "citewell": metadata.version("citewell"),
        "reader": readers.VERSION,
    }


def _same(path: Path, wanted: dict[str, Any]) -> None:
    """Hold a folder against what is asked now.

    Raises:
        UsageError: it is of another batch; the text names what differs.
    """
    if not path.is_file():
        files.write(path, safe.dumps(wanted, indent=1) + "\n")
        return
    try:
        kept = safe.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged: {error}") from error
    differs = [name for name in wanted if not isinstance(kept, dict) or kept.get(name) != wanted[name]]
    if differs:
        raise UsageError(f"{path.parent} holds another batch ({', '.join(differs)} differ): choose another folder")


def _counted(path: Path) -> dict[str, int]:
    try:
        told = safe.loads(path.read_text(encoding="utf-8"))
        return {"rows": int(told["rows"]), "failed": int(told["failed"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: {error}") from error
