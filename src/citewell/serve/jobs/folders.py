"""Jobs on disk: a folder each, with what was asked, its rows, and what a batch has done with them so far.

`job.json` comes last into a folder that is begun and is never changed; the state of a job is what lies there, so that
nothing has to be kept in step, and an end at any moment leaves nothing half done.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from citewell.library.batch import rows
from citewell.library.batch.kept import PART, RESULTS, RUN
from citewell.serve.faults import Fault, lacks
from citewell.text import files, safe

Kind = Literal["ask", "attribute", "check", "audit"]
State = Literal["queued", "running", "done", "failed"]
ROWS, OUT, FAILED = "rows.jsonl", "out", "failed.json"
_JOB, _NEW = "job.json", "new-"
_NAME = 32  # characters of an id


@dataclass(frozen=True, slots=True)
class Asked:
    """What a job is.

    Attributes:
        id: of the job.
        kind: what is done with each row.
        labels: of who asked: only callers with exactly these see it.
        libraries: that the caller may use, by name.
        rows: how many there are.
        sha256: of the rows.
        created: when, in UTC.
    """

    id: str
    kind: Kind
    labels: tuple[str, ...]
    libraries: tuple[str, ...]
    rows: int
    sha256: str
    created: str


class Folders:
    """The jobs of a service.

    Args:
        place: the folder that they are in.
        most: jobs that one caller may have.
        rows: that a job may have.
    """

    def __init__(self, place: Path, most: int, rows: int) -> None:
        self._place, self._most, self._rows = place, most, rows
        place.mkdir(parents=True, exist_ok=True)
        for left in place.glob(f"{_NEW}*"):
            shutil.rmtree(left, ignore_errors=True)  # was being received when the service ended

    def all(self) -> list[Asked]:
        """All jobs, the first one first."""
        known = []
        for path in self._place.glob(f"*/{_JOB}"):
            with suppress(OSError, ValueError, KeyError, TypeError):  # is being removed
                told = safe.loads(path.read_text(encoding="utf-8"))
                known.append(Asked(**{**told, **{name: tuple(told[name]) for name in ("labels", "libraries")}}))
        return sorted(known, key=lambda job: (job.created, job.id))

    def mine(self, labels: tuple[str, ...]) -> list[Asked]:
        """The jobs of a caller."""
        return [job for job in self.all() if job.labels == labels]

    def named(self, name: str, labels: tuple[str, ...]) -> Asked:
        """A caller's job.

        Raises:
            Fault: there is none of this id.
        """
        for job in self.mine(labels):
            if job.id == name:
                return job
        raise lacks(f"there is no job {name[:_NAME]!r}", "id")

    async def taken(
        self,
        body: AsyncIterator[bytes],
        kind: Kind,
        labels: tuple[str, ...],
        libraries: tuple[str, ...],
        key: str | None,
    ) -> Asked:
        """A new job from its rows, or the one that came with this key before.

        Raises:
            Fault: there are too many, or the key came with other rows.
        """
        folder = self._place / f"{_NEW}{secrets.token_hex(8)}"
        folder.mkdir()
        try:
            hashed = hashlib.sha256()
            with files.replacing(folder / ROWS) as file:
                async for part in body:
                    hashed.update(part)
                    file.write(part)
            name = secrets.token_hex(_NAME // 2) if key is None else _derived(labels, key)
            count = sum(1 for _ in rows.shards(folder / ROWS, 1))
            created = dt.datetime.now(dt.UTC).isoformat()
            job = Asked(name, kind, labels, libraries, count, hashed.hexdigest(), created)
            return self._kept(folder, job)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _kept(self, folder: Path, job: Asked) -> Asked:
        for known in self.mine(job.labels):
            if known.id == job.id:
                if (known.sha256, known.kind) != (job.sha256, job.kind):
                    raise Fault(422, "UsageError", "this key came with another job before", "Idempotency-Key")
                return known
        if not 0 < job.rows <= self._rows:
            raise Fault(422, "UsageError", f"a job has 1 to {self._rows} rows of JSON, a line each", "rows")
        if len(self.mine(job.labels)) >= self._most:
            raise Fault(409, "FullError", f"there are {self._most} jobs already: remove some first")
        files.write(folder / _JOB, safe.dumps(asdict(job)))
        folder.rename(self._place / job.id)
        return job

    def folder(self, job: Asked) -> Path:
        """Where a job lies."""
        return self._place / job.id

    def remove(self, job: Asked) -> None:
        """Take a job out; it is gone at once, whatever is left of its files."""
        (self.folder(job) / _JOB).unlink(missing_ok=True)
        shutil.rmtree(self.folder(job), ignore_errors=True)

    def told(self, job: Asked, running: str | None) -> dict[str, Any]:
        """What is told of a job: its state, and how many rows are done."""
        done, failed, _ = self._done(job)
        told = {"id": job.id, "kind": job.kind, "state": self.state(job, running), "rows": job.rows}
        return told | {"done": done, "failed": failed, "created": job.created, "error": self._error(job)}

    def state(self, job: Asked, running: str | None) -> State:
        """Whether a job waits, is worked on, or is over."""
        if (self.folder(job) / OUT / RESULTS).is_file():
            return "done"
        if (self.folder(job) / FAILED).is_file():
            return "failed"
        return "running" if job.id == running else "queued"

    def results(self, job: Asked) -> tuple[Path, int]:
        """The results so far: a file, and how many bytes of it count."""
        out = self.folder(job) / OUT
        _, _, end = self._done(job)
        return (out / RESULTS if (out / RESULTS).is_file() else out / PART), end

    def _done(self, job: Asked) -> tuple[int, int, int]:
        """Rows that are done, those of them without a result, and the bytes of their results."""
        done = failed = end = 0
        with suppress(OSError, ValueError, KeyError):  # nothing is done yet; a line is being written
            for line in (self.folder(job) / OUT / RUN).read_text(encoding="utf-8").splitlines():
                shard = safe.loads(line)
                done, failed, end = done + shard["rows"], failed + shard["failed"], shard["end"]
        return done, failed, end

    def _error(self, job: Asked) -> dict[str, Any] | None:
        with suppress(OSError, ValueError):
            told: dict[str, Any] = safe.loads((self.folder(job) / FAILED).read_text(encoding="utf-8"))
            return told
        return None


def _derived(labels: tuple[str, ...], key: str) -> str:
    """The id of the job that comes with a key."""
    return hashlib.sha256("\0".join((*labels, "", key)).encode()).hexdigest()[:_NAME]
