"""The context of every route: settings, processes, and the work that it can request from them."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request

from citewell.serve import libraries, replies, uploads
from citewell.serve.events import Hearing
from citewell.serve.faults import Fault, busy
from citewell.serve.jobs.folders import Folders
from citewell.serve.jobs.runner import Runner
from citewell.serve.metrics import Metrics
from citewell.serve.owners import Caller
from citewell.serve.pool import Job, Pool
from citewell.serve.replays import Replays
from citewell.serve.settings import Settings
from citewell.serve.work import work
from citewell.text import safe


class Context:
    """The state shared by all routes of a service."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.uploads = 0  # files that are being received or read
        self.metrics = Metrics()
        stages = (settings.places, settings.llm, settings.seconds)
        known = (*stages, settings.offered, settings.files)
        self.pool = Pool(work, known, settings.workers, settings.waiting, settings.seconds, 1)
        self.folders = Folders((settings.state or settings.spool / "service") / "jobs", settings.jobs, settings.rows)
        self.runner = Runner(self.folders, *stages, settings.batch, settings.offered)
        self.replays = Replays(self.lacking)
        self.hearing = Hearing(self._run, self.folders, self.runner, settings.listeners)

    async def _run(self, job: Job) -> Any:
        return await self.pool.run(job)

    def job(self, request: Request, verb: str, payload: Any = None, *, scope: str = "read", long: bool = False) -> Job:
        """A job for the caller of a request, if its scope allows it."""
        caller: Caller = request.state.caller
        if scope not in caller.scopes:
            raise Fault(403, "ForbiddenError", f"this token does not allow to {scope}")
        wanted = (payload or {}).get("library")
        wanted = wanted if isinstance(wanted, str) else request.query_params.get("library")
        library = libraries.chosen(libraries.allowed(caller, self.settings.places), wanted)
        return Job(verb, caller.labels, payload or {}, long, library, caller)

    async def done(
        self, request: Request, verb: str, payload: Any = None, *, scope: str = "read", long: bool = False
    ) -> Any:
        """The reply of a worker; the job ends when the client disconnects."""
        return await replies.whole(request, self.pool.run(self.job(request, verb, payload, scope=scope, long=long)))

    async def lacking(self, caller: Caller, ids: frozenset[str]) -> frozenset[str]:
        """The ids among some that the caller does not see in any library."""
        missing = ids
        for name in libraries.allowed(caller, self.settings.places):
            if missing:
                job = Job("lacking", caller.labels, {"ids": sorted(missing)}, library=name, by=caller)
                missing = frozenset(safe.loads((await self.pool.run(job)).decode()))
        return missing

    async def remove(self, request: Request, name: str) -> None:
        """Remove a document and everything that quotes it.

        Kept results and corrections go with it in its library; results of jobs, and replies that are held for repeated
        requests, are erased here.
        """
        library = self.job(request, "remove", scope="write").library
        await self.hearing.notice(library or next(iter(self.settings.places)), name)
        await self.done(request, "remove", {"id": name}, scope="write")
        for job in await asyncio.to_thread(self.folders.quoting, name):
            if await self.lacking(job.caller, frozenset({name})):
                await asyncio.to_thread(self.folders.erase, job, name)
        await self.replays.forget(name)

    async def uploaded(self, request: Request) -> Any:
        """Read the uploaded file of a multipart request."""
        self.room(request)
        self.uploads += 1
        try:
            async with uploads.taken(request, self.settings.spool, self.settings.upload) as upload:
                payload = {"path": str(upload.path), "name": upload.name, "most": self.settings.documents}
                job = self.job(request, "file", payload, scope="write", long=True)
                library = job.library or next(iter(self.settings.places))
                with self.hearing.upload(library, job.by, {"name": upload.name, "size": upload.size}) as tell:
                    return await replies.whole(request, self.pool.run(job, tell))
        finally:
            self.uploads -= 1

    def room(self, request: Request) -> None:
        """Check that a document may be added, before its bytes are received."""
        self.job(request, "file", scope="write")
        if self.pool.full or self.uploads >= self.settings.uploads:
            raise busy()
