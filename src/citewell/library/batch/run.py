"""Runs a batch from rows to results: start, resume and finish, with nothing lost or done twice.

The folder holds `batch.json` (what was asked: another input or other settings are refused), `results.jsonl` in the
order of the rows when it is done, and `run.jsonl` with times and hosts, so that the results themselves are the same
bytes however many worked on them; `kept` says what lies there until then.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from citewell import readers
from citewell.errors import InputError, UsageError, of_files
from citewell.library.batch import rows, schedule
from citewell.library.batch.kept import RESULTS, Kept
from citewell.library.batch.rows import Input
from citewell.library.batch.schedule import Workers
from citewell.text import files, safe

SIZE = 32
"""Rows of a shard: what is worked on again at most, for each worker, when everything is lost."""
GENERATION = "library.generation"
MANIFEST = "batch.json"
Tell = Callable[[int, int], None]


def advance(bar: Any, done: int, total: int) -> None:
    """Move a progress bar of tqdm to the rows that are done."""
    bar.total = total
    bar.update(done - bar.n)


class Recorded(Protocol):
    """What a batch does, as far as it makes two batches the same."""

    def record(self) -> dict[str, Any]:
        """Its JSON form, without keys."""


@dataclass(frozen=True)
class Summary:
    """What a batch came to."""

    rows: int  # of the input
    failed: int  # rows without a result
    done_before: int  # rows that were finished when it began
    seconds: float  # of this run
    out: str  # where the results are


def run(
    job: Recorded,
    source: str | os.PathLike[str],
    out: Path,
    workers: Callable[[], Workers],
    *,
    tell: Tell | None = None,
    size: int | None = None,
    generation: Callable[[], int] | None = None,
    follow: bool = False,
) -> Summary:
    """Work on all rows of a file that are not done.

    Args:
        job: what is done with a row.
        source: a file or folder of JSON lines, CSV or Parquet, here or at an address; see `rows.look`.
        out: the folder of the batch on this machine, made where it is not there; see `places.workplace`.
        workers: makes those who work, when there is something to do.
        tell: told how many rows are done, of about how many.
        size: rows of a shard; the results are the same.
        generation: of the library that the rows are asked of; a batch answers from one generation alone.
        follow: go on where the library has changed.

    Raises:
        InputError: the input cannot be read, or the folder cannot be written.
        InUseError: another process is using the folder.
        UsageError: the folder is of another batch, or the library has changed since the batch began.
        BackendError: the workers do not begin, or their cluster went away; run again, the batch goes on.
    """
    started, size = time.perf_counter(), size or SIZE
    values = rows.look(source)
    with of_files(f"{out} cannot be written"):
        out.mkdir(parents=True, exist_ok=True)
    with files.locked(out):
        _same(out / MANIFEST, _manifest(job, values, size))
        pinned = _Pinned(out / GENERATION, generation, follow=follow)
        with Kept(out) as kept:
            before = kept.rows
            if not kept.complete:
                if tell:
                    tell(before, max(values.rows, before))
                shards = (shard for shard in rows.shards(source, size, kept.first) if shard.number not in kept)
                for finished in schedule.worked(workers, shards):
                    pinned.hold()
                    kept.keep(finished)
                    if tell:
                        tell(kept.rows, max(values.rows, kept.rows))
                kept.finish()
            seconds = round(time.perf_counter() - started, 3)
            return Summary(kept.rows, kept.failed, before, seconds, str(out / RESULTS))


class _Pinned:
    """The generation of the library that a batch began with.

    Raises UsageError: the library has changed since, and nobody said to follow it.
    """

    def __init__(self, path: Path, generation: Callable[[], int] | None, *, follow: bool) -> None:
        self._path, self._generation, self._follow = path, generation, follow
        if generation is None:
            return
        if follow or not path.is_file():
            files.write(path, f"{generation()}\n")
        self.hold()

    def hold(self) -> None:
        """See that the library has not changed."""
        if self._generation is None or self._follow:
            return
        pinned, now = self._path.read_text(encoding="utf-8").strip(), self._generation()
        if pinned != str(now):
            raise UsageError(
                f"the library has changed since {self._path.parent} was begun (generation {pinned}, now {now}): "
                "choose another folder, or go on over the changed library with --follow"
            )


def _manifest(job: Recorded, arguments: Input, size: int) -> dict[str, Any]:
    return {
        "input": arguments.sha256,
        "job": job.record(),
        "shard": size,
        "citewell": metadata.version("citewell"),
        "reader": readers.VERSION,
    }


def _same(path: Path, wanted: dict[str, Any]) -> None:
    """Hold a folder against what is asked now.

    Raises UsageError: it is of another batch; the text names what differs.
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
        raise UsageError(f"{path.parent} contains another batch ({', '.join(differs)} differ): choose another folder")
