"""The routes to jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path as File
from typing import Annotated

from fastapi import FastAPI, Header, Path, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from citewell.serve import libraries, paging, quoted, receiving
from citewell.serve.context import Context
from citewell.serve.faults import Fault
from citewell.serve.jobs.folders import JobFolder, Kind, withheld
from citewell.serve.owners import Caller

LINES = "application/jsonl"
_BLOCK = 1 << 18
Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a job.")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    folders, runner = service.folders, service.runner

    async def known(request: Request, name: str, scope: str = "read", *, change: bool = False) -> JobFolder:
        service.job(request, "jobs", scope=scope)
        caller: Caller = request.state.caller
        return await asyncio.to_thread(partial(folders.named, name, caller, change=change))

    @routes.post("/v1/jobs")
    async def begin(
        request: Request,
        kind: Annotated[Kind, Query(description="What is done with each row.")],
        key: Key = None,
    ) -> Response:
        service.job(request, "jobs", scope="write")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in receiving.LINES:
            raise Fault(415, "UnsupportedFormatError", f"send the rows as lines of JSON, as {LINES}")
        caller: Caller = request.state.caller
        names = libraries.allowed(caller, service.settings.places)
        if (wanted := request.query_params.get("library")) is not None:
            names = (libraries.chosen(names, wanted),)
        job = await folders.taken(request.stream(), kind, caller, names, key)
        runner.wake()
        return JSONResponse(folders.fields(job, runner.running), 202, {"Location": f"/v1/jobs/{job.id}"})

    @routes.get("/v1/jobs")
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> Response:
        service.job(request, "jobs")
        jobs = await asyncio.to_thread(folders.visible, request.state.caller)
        rows, rest = paging.part(jobs, lambda job: f"{job.created} {job.id}", limit, after)
        states = await asyncio.to_thread(lambda: [folders.fields(job, runner.running) for job in rows])
        return JSONResponse({"jobs": states, "next": rest})

    @routes.get("/v1/jobs/{id}")  # noqa: FAST003  (`Id` has the alias)
    async def retrieve(request: Request, name: Id) -> Response:
        job = await known(request, name)
        return JSONResponse(await asyncio.to_thread(folders.fields, job, runner.running))

    @routes.get("/v1/jobs/{id}/results")  # noqa: FAST003
    async def results(request: Request, name: Id) -> Response:
        job = await known(request, name)
        path, size = await asyncio.to_thread(folders.results, job)
        headers = {"x-citewell-state": folders.state(job, runner.running), "Content-Length": str(size)}
        lacking = partial(service.lacking, request.state.caller)
        return StreamingResponse(_read(path, size, lacking), media_type=LINES, headers=headers)

    @routes.delete("/v1/jobs/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> None:
        await runner.remove(await known(request, name, "write", change=True))


async def _read(
    path: File, size: int, lacking: Callable[[frozenset[str]], Awaitable[frozenset[str]]]
) -> AsyncIterator[bytes]:
    """The valid bytes of a growing file of results, without results that quote what the caller does not see."""
    if not size:
        return
    with path.open("rb") as file:
        while size > 0 and (lines := await asyncio.to_thread(file.readlines, min(_BLOCK, size))):
            size -= sum(map(len, lines))
            sources = await asyncio.to_thread(lambda: [quoted.documents(line) for line in lines])
            missing = await lacking(frozenset().union(*sources))
            yield b"".join(withheld(line) if ids & missing else line for line, ids in zip(lines, sources, strict=True))
