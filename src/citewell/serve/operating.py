"""The routes for operators: liveness, readiness, metrics, libraries."""

from __future__ import annotations

import asyncio
import shutil
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from citewell.library.store import objects
from citewell.serve import libraries, metrics, paging, replies
from citewell.serve.context import Context
from citewell.serve.faults import Fault
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe

_LEAST = 256 << 20  # bytes that are free on the disk
_PATIENCE = 5.0  # seconds in which a library answers


def add(routes: FastAPI, service: Context, *, wants_token: bool) -> None:
    """Add the routes."""

    @routes.get("/health")
    async def health() -> dict[str, bool | str]:
        ready = service.pool.ready
        login = service.settings.oidc is not None
        status = "ok" if ready else "starting"
        return {"status": status, "live": True, "ready": ready, "token": wants_token, "login": login}

    @routes.get("/health/live")
    async def live() -> dict[str, bool]:
        return {"live": True}

    @routes.get("/health/ready")
    async def ready() -> Response:
        checks = {
            "workers": service.pool.ready,
            "queue": not service.pool.full,
            "disk": await asyncio.to_thread(_room, service),
            "store": service.pool.ready and await _answers(service),
            "files": await _files(service.settings.files),
        }
        ready = all(checks.values())
        return JSONResponse({"ready": ready, "checks": checks}, 200 if ready else 503)

    @routes.get("/metrics")
    async def figures(request: Request) -> Response:
        service.job(request, "metrics", scope="metrics")
        reply = service.metrics.text(service.pool.busy, service.uploads)
        return Response(reply, media_type=metrics.MEDIA)

    @routes.get("/v1/libraries")
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> dict[str, Any]:
        service.job(request, "count")
        caller: Caller = request.state.caller
        numbered = list(enumerate(libraries.allowed(caller, service.settings.places)))
        rows, rest = paging.part(numbered, lambda row: f"{row[0]:06d}", limit, after)
        counts = []
        for _, name in rows:
            counted = await replies.whole(
                request, service.pool.run(Job("count", caller.labels, {}, library=name, by=caller))
            )
            counts.append({"name": name, **safe.loads(counted.decode())})
        return {"libraries": counts, "next": rest}


def _room(service: Context) -> bool:
    """Whether the disk has room for uploads."""
    try:
        return shutil.disk_usage(service.settings.spool).free >= _LEAST
    except OSError:
        return False


async def _files(folder: str | None) -> bool:
    """Whether the object store can be reached."""
    if folder is None:
        return True
    try:
        async with asyncio.timeout(_PATIENCE):
            return await asyncio.to_thread(objects.answers, folder)
    except TimeoutError:
        return False


async def _answers(service: Context) -> bool:
    """Whether every library can be read."""
    try:
        async with asyncio.timeout(_PATIENCE):
            for name in service.settings.places:
                await service.pool.run(Job("count", (), {}, library=name))
    except (Fault, TimeoutError):
        return False
    return True
