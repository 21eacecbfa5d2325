"""Observes a library and the jobs, for subscribers to events of the shelf."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from citewell.serve.faults import Fault
from citewell.serve.jobs.folders import Folders, JobFolder
from citewell.serve.jobs.runner import Runner
from citewell.serve.owners import Owned
from citewell.serve.pool import Job
from citewell.serve.shelf import Differing, Shelf, Thing
from citewell.text import safe

_EVERY = 1.0  # seconds between two looks, however many listen
_OVER = ("done", "failed")
Run = Callable[[Job], Awaitable[bytes]]


class Eye:
    """Observes one library.

    Attributes:
        shelf: what it has seen.
    """

    def __init__(self, name: str, run: Run, folders: Folders, runner: Runner) -> None:
        self._name, self._run, self._folders, self._runner = name, run, folders, runner
        self.shelf = Shelf()
        self._state: Any = None
        self._numbers: dict[int, tuple[str, Owned]] = {}
        self._looked = float("-inf")
        self._looking = asyncio.Lock()

    async def look(self, *, now: bool = False) -> None:
        """Look at the library, at most once a second unless `now`; an unreachable library is skipped."""
        async with self._looking:
            if not now and time.monotonic() - self._looked < _EVERY:
                return
            payload = {"state": self._state, "behind": max(self._numbers, default=0)}
            try:
                reply = await self._run(Job("look", (), payload, library=self._name))
            except Fault:
                return
            finally:
                self._looked = time.monotonic()
            if (seen := await asyncio.to_thread(lambda: safe.loads(reply.decode()))) is not None:
                self._state = seen["state"]
                for differing in await asyncio.to_thread(self._things, seen):
                    self.shelf.take(differing)
            self.shelf.take(await asyncio.to_thread(self._jobs))

    def _things(self, seen: Mapping[str, Any]) -> tuple[Differing, Differing]:
        known = {number: self._numbers[number] for number in seen["numbers"] if number in self._numbers}
        told = {}
        for row in seen["new"]:
            known[row["number"]] = (row["id"], _owned(row))
            told[row["id"]] = row["fields"]
        self._numbers = known
        documents = dict[str, Thing]()
        for number, (name, owned) in known.items():
            before = documents.get(name)
            marks = (*before.mark, number) if before else (number,)
            documents[name] = Thing((*before.owned, owned) if before else (owned,), marks, told.get(name))
        failed = {
            row["fields"]["id"]: Thing((_owned(row),), row["fields"]["at"], row["fields"]) for row in seen["failures"]
        }
        return self.shelf.differing("document", documents), self.shelf.differing("failure", failed)

    def _jobs(self) -> Differing:
        before = self.shelf.known("job")
        jobs = [job for job in self._folders.all() if self._name in job.libraries]
        return self.shelf.differing("job", {job.id: self._job(job, before.get(job.id)) for job in jobs})

    def _job(self, job: JobFolder, before: Thing | None) -> Thing:
        if before is not None and before.mark[0] in _OVER:
            return before
        fields = self._folders.fields(job, self._runner.running)
        return Thing((job.owned,), (fields["state"], fields["done"], fields["failed"]), fields)


def _owned(row: Mapping[str, Any]) -> Owned:
    return Owned(row["owner"], tuple(row["labels"]), shared=row["shared"])
