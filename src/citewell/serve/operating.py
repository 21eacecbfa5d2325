"""The routes for whoever runs the service: whether it lives, whether it can work, its figures, its libraries."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from citewell.serve import described, libraries, metrics, replies
from citewell.serve.context import Context
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""

    @routes.get("/health", summary="Whether the service lives, and can work", responses=described.HEALTH)
    async def health() -> dict[str, bool | str]:
        ready = service.pool.ready
        return {"status": "ok" if ready else "starting", "live": True, "ready": ready}

    @routes.get("/health/live", summary="Whether the service lives", responses=described.LIVE)
    async def live() -> dict[str, bool]:
        return {"live": True}

    @routes.get("/health/ready", summary="Whether the service can work", responses=described.READY)
    async def ready() -> Response:
        ready = service.pool.ready
        return JSONResponse({"ready": ready}, 200 if ready else 503)

    @routes.get("/metrics", summary="Figures for Prometheus", responses=described.METRICS)
    async def figures(request: Request) -> Response:
        service.job(request, "metrics", scope="metrics")
        told = service.metrics.told(service.pool.busy, service.uploads)
        return Response(told, media_type=metrics.MEDIA)

    @routes.get("/v1/libraries", summary="List the libraries", responses=described.LIBRARIES)
    async def listed(request: Request) -> dict[str, Any]:
        service.job(request, "count")
        caller: Caller = request.state.caller
        told = []
        for name in libraries.allowed(caller, service.settings.places):
            counted = await replies.whole(
                request, service.pool.run(Job("count", caller.labels, {}, library=name, by=caller))
            )
            told.append({"name": name, **safe.loads(counted.decode())})
        return {"libraries": told}
