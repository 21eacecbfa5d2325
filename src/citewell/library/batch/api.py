"""`citewell.batch`: process many rows from a file or from Python, resuming where it stopped.

done = citewell.batch("ask", [{"documents": "report.pdf", "question": "Who chairs the board?"}], "answers", workers=2)
for row in done:
    print(row.id, row.result or row.error)
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

from citewell.document import Document
from citewell.errors import UsageError, of_files
from citewell.errors.arguments import hold, listed
from citewell.library.batch import places
from citewell.library.batch import rows as reading
from citewell.library.batch.job import KINDS, Job, Kind
from citewell.library.batch.run import Summary, Tell, advance, run
from citewell.library.batch.schedule import Ended, Task, Work, Workers
from citewell.library.batch.single import row
from citewell.library.batch.workers import Crew
from citewell.text import files, safe
from citewell.types import Answer, Verdict

ROWS = "rows.jsonl"
DOCUMENTS = "documents"
_SHARD = 8  # rows that are worked on again at most when everything is lost


class Done(NamedTuple):
    """The outcome of a row: its result, or why there is none.

    The result is an `Answer` for `ask` and `attribute`, a list of `Verdict` for `check`, the JSON form of an audit.
    """

    id: Any
    result: Any
    error: Exception | None


@dataclass(frozen=True)
class Batch:
    """A finished batch; iterating over it reads its results, in the order of the rows.

    Attributes:
        kind: what was done.
        summary: the numbers of all rows, of failed rows and of rows done before, and the place of the results.
    """

    kind: Kind
    summary: Summary

    def __len__(self) -> int:
        """The rows."""
        return self.summary.rows

    def __iter__(self) -> Iterator[Done]:
        """Each row with its result or its error."""
        with places.opened(self.summary.out) as lines:
            for line in lines:
                payload = safe.loads(line.decode())
                if "error" in payload:
                    yield Done(payload["id"], None, reading.raised(line))
                else:
                    yield Done(payload["id"], self._result(payload["result"]), None)

    def _result(self, fields: Mapping[str, Any]) -> Any:
        if self.kind in ("ask", "attribute"):
            return Answer.from_dict({**fields, "usage": dict(fields["usage"])})
        if self.kind == "check":
            return [Verdict.from_dict(verdict) for verdict in fields["verdicts"]]
        return fields


class Batching:
    """The type of `citewell.batch`: calling it processes many rows; `citewell.batch.row` processes one."""

    row = staticmethod(row)

    def __call__(
        self,
        kind: Kind,
        rows: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
        out: str | os.PathLike[str],
        *,
        workers: int = 0,
        ray: str | None = None,
        gpus: float = 0.0,
        library: str | None = None,
        labels: Iterable[str] = (),
        where: str | None = None,
        retrieval: Literal["lexical", "dense", "hybrid"] = "lexical",
        scan: bool = False,
        progress: bool | Tell = False,
        shard: int = _SHARD,
        follow: bool = False,
        **settings: Any,
    ) -> Batch:
        """Ask, attribute, check or audit many rows; called again with the same rows and folder, it resumes.

        Args:
            kind: "ask", "attribute", "check" or "audit".
            rows: a file of JSON lines, CSV or Parquet (.gz and .zst are unpacked), a folder of such files, the address
                of either (s3://, gs://, hf://), or mappings. A row has "id" (its number where it has none), "documents"
                (one or several: paths, what `read` returned, ids of the library, or {"text", "title"}), and its
                "question", "answer", "claims" or "response".
            out: the folder of the batch: `results.jsonl` in the order of the rows, and the data needed to resume. An
                address is written when all rows are done; until then the batch is in the cache of this machine.
            workers: processes; 0 works in this process, where functions can be passed as back ends.
            ray: the address of a cluster, "local" or "auto", with that many workers on it.
            gpus: the GPUs of each worker, on a cluster.
            library: the library in which documents are found by id, or by the topic of a row.
            labels: the caller's labels; see `Library`.
            where: a condition on the library's documents.
            retrieval: how to rank them.
            scan: by meaning, compare all paragraphs.
            progress: True for a bar on standard error, or a function called with the number of finished rows and the
                total.
            shard: the number of rows that a worker processes and stores together.
            follow: continue even if the library has changed since the batch began.
            settings: as of `citewell.ask`, `attribute`, `check`, or the fields of a `Pipeline` for audits.

        Raises:
            InputError: the rows cannot be read, or the folder cannot be written.
            InUseError: another process is using the folder.
            UsageError: the folder belongs to another batch, or a setting cannot be passed to other processes.
            BackendError: the workers do not start, or their cluster went away; call again to resume.
        """
        if kind not in KINDS:
            raise UsageError(f"a batch is one of {', '.join(KINDS)}, not {kind!r}")
        hold(int, workers=workers, shard=shard)
        hold(float, gpus=gpus)
        if workers < 0:
            raise UsageError(f"workers are at least 0, not {workers}")
        if shard < 1:
            raise UsageError(f"a shard is at least 1 row, not {shard}")
        if library is None and where is not None:
            raise UsageError("where is a condition on a library: name the library")
        job = Job(kind, library, tuple(sorted(listed("labels", labels))), where, retrieval, scan, settings)
        job.refuse(elsewhere=bool(ray))
        hired: Callable[[], Workers] = partial(Inline, job)
        if workers or ray:
            _hold_portable(job)
            hired = partial(Crew(max(1, workers), ray, gpus).workers, job)
        generation = job.generation if library else None
        with places.workplace(out) as folder:
            source = rows if isinstance(rows, str | os.PathLike) else _written(rows, folder)
            working = partial(run, job, source, folder, hired, size=shard, generation=generation, follow=follow)
            if progress is not True:
                summary = working(tell=progress or None)
            else:
                from tqdm import tqdm

                with tqdm(unit=" rows", leave=False, file=sys.stderr) as bar:
                    summary = working(tell=partial(advance, bar))
        return Batch(kind, replace(summary, out=places.below(out, summary.out)))


batch = Batching()


class Inline:
    """The process that asks, as the only worker."""

    def __init__(self, work: Work) -> None:
        self._works = work.worker()
        self._task: Task | None = None

    def free(self) -> bool:
        """Whether a task may be given."""
        return self._task is None

    def start(self, task: Task) -> None:
        """Take a task, which is done when it is waited for."""
        self._task = task

    def wait(self) -> list[Ended]:
        """Do it."""
        task, self._task = self._task, None
        if task is None:
            return []
        started = time.perf_counter()
        return [Ended(task, self._works.lines(task.rows), "", time.perf_counter() - started, "here")]

    def close(self) -> None:
        """Nothing is kept."""


def _hold_portable(job: Job) -> None:
    try:
        pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        what = f"a setting cannot be given to another process ({error})"
        raise UsageError(f"{what}: give a spec, or work in this process (workers=0)") from error


def _written(rows: Iterable[Mapping[str, Any]], folder: Path) -> Path:
    """The file of these rows in the folder of the batch; documents that are values are saved beside it.

    Raises:
        InputError: it cannot be written.
        UsageError: a row is no mapping, or the folder has other rows.
    """
    if not isinstance(rows, Iterable):
        raise UsageError(f"rows come as a file, or as several mappings, not as a {type(rows).__name__}")
    path, saved = folder / ROWS, set[str]()
    with of_files(f"{folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
    lines = (_line(number, row, folder, saved) for number, row in enumerate(rows, start=1))
    if path.is_file():  # the same rows again: it goes on
        with path.open("rb") as before:
            if any(longest != other for longest, other in zip_longest(before, lines)):
                raise UsageError(f"{folder} contains another batch (its rows differ): choose another folder")
        return path
    with files.replacing(path) as file:
        file.writelines(lines)
    return path


def _line(number: int, row: Mapping[str, Any], folder: Path, saved: set[str]) -> bytes:
    if not isinstance(row, Mapping):
        raise UsageError(f"row {number} is a {type(row).__name__}, not a mapping")
    fields = {str(name): value for name, value in row.items()}
    for name in ("documents", "document"):
        if name in fields:
            values = fields[name] if isinstance(fields[name], list | tuple) else [fields[name]]
            fields[name] = [_named(value_by_key, folder, saved) for value_by_key in values]
    try:
        return reading.line(fields)
    except (TypeError, ValueError) as error:
        raise UsageError(f"row {number} is no JSON: {error}") from error


def _named(document: Any, folder: Path, saved: set[str]) -> Any:
    """What a row says of a document: a path as text, that of its saved form where it is a value."""
    if isinstance(document, os.PathLike):
        return os.fspath(document)
    if not isinstance(document, Document):
        return document
    path = folder / DOCUMENTS / f"{document.id}.json"
    if document.id not in saved:
        path.parent.mkdir(exist_ok=True)
        if not path.is_file():
            document.save(path)
        saved.add(document.id)
    return str(path)
