"""Jobs on disk: one folder per job, with the request, its rows, and the progress of the batch.

`job.json` comes last into a folder that is begun and is never changed; the state of a job is what lies there, so that
nothing has to be kept in step, and an end at any moment leaves nothing half done.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from citewell.library.batch import rows
from citewell.library.batch.kept import PART, RESULTS, RUN
from citewell.serve import owners, quoted
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller, Owned
from citewell.text import files, safe

Kind = Literal["ask", "attribute", "check", "audit"]
State = Literal["queued", "running", "done", "failed"]
ROWS, OUT, FAILED = "rows.jsonl", "out", "failed.json"
_JOB, _NEW = "job.json", "new-"
_NAME = 32  # characters of an id


@dataclass(frozen=True, slots=True)
class JobFolder:
    """A job as stored on disk."""

    id: str  # of the job
    kind: Kind  # what is done with each row
    labels: tuple[str, ...]  # of who asked
    libraries: tuple[str, ...]  # that the caller may use, by name
    rows: int  # how many there are
    sha256: str  # of the rows
    created: str  # when, in UTC
    owner: str | None = None  # the name of who asked, None for a job of an older version: an admin sees it
    admin: bool = False  # whether who asked saw what others of their labels own

    @property
    def owned(self) -> Owned:
        """The owner of the job."""
        return Owned(self.owner, self.labels, self.libraries)

    @property
    def caller(self) -> Caller:
        """The caller whose permissions decide what the results may quote."""
        libraries = frozenset(self.libraries)
        return Caller(self.owner or "", labels=self.labels, libraries=libraries, admin=self.admin)


class Folders:
    """The jobs of a service, one folder per job."""

    def __init__(self, place: Path, most: int, rows: int) -> None:
        self._place, self._most, self._rows = place, most, rows
        self._read = dict[str, JobFolder]()  # by folder; what a job is never changes
        place.mkdir(parents=True, exist_ok=True)
        for left in place.glob(f"{_NEW}*"):
            shutil.rmtree(left, ignore_errors=True)  # was being received when the service ended

    def all(self) -> list[JobFolder]:
        """All jobs, oldest first."""
        known = dict[str, JobFolder]()
        for path in self._place.glob(f"*/{_JOB}"):
            with suppress(OSError, ValueError, KeyError, TypeError):  # is being removed
                known[path.parent.name] = self._read.get(path.parent.name) or _folder(path)
        self._read = known
        return sorted(known.values(), key=lambda job: (job.created, job.id))

    def visible(self, caller: Caller) -> list[JobFolder]:
        """The jobs that a caller may see."""
        return [job for job in self.all() if owners.sees(caller, job.owned)]

    def named(self, name: str, caller: Caller, *, change: bool = False) -> JobFolder:
        """A job that a caller may see, or change.

        Raises Fault: there is none of this id, or it is another one's to change.
        """
        for job in self.visible(caller):
            if job.id == name:
                if change and not owners.changes(caller, job.owned):
                    raise Fault(403, "ForbiddenError", "this job is not yours to remove", "id")
                return job
        raise lacks(f"there is no job {name[:_NAME]!r}", "id")

    async def taken(
        self,
        body: AsyncIterator[bytes],
        kind: Kind,
        caller: Caller,
        libraries: tuple[str, ...],
        key: str | None,
    ) -> JobFolder:
        """Create a job from its rows, or return the one that was created with the same key.

        Raises Fault: there are too many, or the key came with other rows.
        """
        folder = self._place / f"{_NEW}{secrets.token_hex(8)}"
        folder.mkdir()
        try:
            hashed = hashlib.sha256()
            with files.replacing(folder / ROWS) as file:
                async for part in body:
                    hashed.update(part)
                    await asyncio.to_thread(file.write, part)
            name = secrets.token_hex(_NAME // 2) if key is None else _derived(caller, libraries, key)
            count = await asyncio.to_thread(lambda: sum(1 for _ in rows.shards(folder / ROWS, 1)))
            created = dt.datetime.now(dt.UTC).isoformat()
            digest = hashed.hexdigest()
            job = JobFolder(name, kind, caller.labels, libraries, count, digest, created, caller.name, caller.admin)
            return await asyncio.to_thread(self._kept, folder, job)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _kept(self, folder: Path, job: JobFolder) -> JobFolder:
        mine = [known for known in self.all() if (known.owner, known.labels) == (job.owner, job.labels)]
        for known in mine:
            if known.id == job.id:
                if (known.sha256, known.kind) != (job.sha256, job.kind):
                    raise Fault(422, "UsageError", "this key came with another job before", "Idempotency-Key")
                return known
        if not 0 < job.rows <= self._rows:
            raise Fault(422, "UsageError", f"a job has 1 to {self._rows} rows of JSON, a line each", "rows")
        if len(mine) >= self._most:
            raise Fault(409, "FullError", f"there are {self._most} jobs already: remove some first")
        files.write(folder / _JOB, safe.dumps(asdict(job)))
        folder.rename(self._place / job.id)
        return job

    def folder(self, job: JobFolder) -> Path:
        """The folder of a job."""
        return self._place / job.id

    def remove(self, job: JobFolder) -> None:
        """Remove a job; it is gone at once, even if some files remain."""
        (self.folder(job) / _JOB).unlink(missing_ok=True)
        shutil.rmtree(self.folder(job), ignore_errors=True)

    def fields(self, job: JobFolder, running: str | None) -> dict[str, Any]:
        """The public fields of a job."""
        done, failed, _ = self._done(job)
        fields = {"id": job.id, "kind": job.kind, "state": self.state(job, running), "rows": job.rows}
        return fields | {"done": done, "failed": failed, "created": job.created, "error": self._error(job)}

    def state(self, job: JobFolder, running: str | None) -> State:
        """The state of a job."""
        if (self.folder(job) / OUT / RESULTS).is_file():
            return "done"
        if (self.folder(job) / FAILED).is_file():
            return "failed"
        return "running" if job.id == running else "queued"

    def results(self, job: JobFolder) -> tuple[Path, int]:
        """The results so far: a file, and the number of its bytes that are valid."""
        out = self.folder(job) / OUT
        _, _, end = self._done(job)
        return (out / RESULTS if (out / RESULTS).is_file() else out / PART), end

    def quoting(self, document: str) -> list[JobFolder]:
        """The jobs of any caller with a result that quotes a document."""
        return [job for job in self.all() if any(True for _ in self._quoting(job, document))]

    def erase(self, job: JobFolder, document: str) -> None:
        """Overwrite in place the results that quote a document, also while the job runs."""
        path, _ = self.results(job)
        for start, line in list(self._quoting(job, document)):
            with suppress(OSError), path.open("r+b") as file:
                file.seek(start)
                file.write(withheld(line))

    def _quoting(self, job: JobFolder, document: str) -> Iterator[tuple[int, bytes]]:
        path, end = self.results(job)
        start, name = 0, document.encode()
        with suppress(OSError), path.open("rb") as file:
            while start < end and (line := file.readline()):
                if name in line and document in quoted.documents(line):
                    yield start, line
                start += len(line)

    def _done(self, job: JobFolder) -> tuple[int, int, int]:
        """The number of finished rows, of those that failed, and of bytes of results."""
        done = failed = end = 0
        with suppress(OSError, ValueError, KeyError):  # nothing is done yet; a line is being written
            for line in (self.folder(job) / OUT / RUN).read_text(encoding="utf-8").splitlines():
                shard = safe.loads(line)
                done, failed, end = done + shard["rows"], failed + shard["failed"], shard["end"]
        return done, failed, end

    def _error(self, job: JobFolder) -> dict[str, Any] | None:
        with suppress(OSError, ValueError):
            payload: dict[str, Any] = safe.loads((self.folder(job) / FAILED).read_text(encoding="utf-8"))
            return payload
        return None


def _folder(path: Path) -> JobFolder:
    payload = safe.loads(path.read_text(encoding="utf-8"))
    return JobFolder(**{**payload, **{name: tuple(payload[name]) for name in ("labels", "libraries")}})


def withheld(line: bytes) -> bytes:
    """A replacement line of the same length for a result that quotes a removed document."""
    name = safe.loads(line.decode()).get("id")
    error = {"type": "NotFoundError", "message": "a document that this result quotes is not there any more"}
    for value in ({"id": name, "error": error}, {"id": name}, {}):
        text = safe.dumps(value).encode()
        if len(text) < len(line):
            break
    return text.ljust(len(line) - 1)[: len(line) - 1] + b"\n"


def _derived(caller: Caller, libraries: tuple[str, ...], key: str) -> str:
    """The id of a job with a key; it differs between callers and libraries."""
    parts = (caller.name, "", *caller.labels, "", *libraries, "", key)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_NAME]
