"""The route that streams events of the shelf to a page or program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, suppress
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from citewell.serve import replies
from citewell.serve.context import Context
from citewell.serve.faults import Fault
from citewell.serve.owners import Caller

Since = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=64, description="The id of the last event that was heard.")
]
Seconds = Annotated[
    float | None, Query(ge=0, le=3600, description="How long to listen; 0 tells what has happened, and ends.")
]


class _Stream(StreamingResponse):
    """A stream that ends if its client stops reading, so that nothing is buffered for it."""

    def __init__(self, parts: AsyncIterator[bytes], counted: AbstractContextManager[None], patience: float) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(parts, media_type=replies.EVENTS, headers=headers)
        self._counted, self._patience = counted, patience

    async def stream_response(self, send: Send) -> None:
        async def limited(message: Any) -> None:
            async with asyncio.timeout(self._patience):
                await send(message)

        with self._counted, suppress(TimeoutError):
            await super().stream_response(limited)


def add(routes: FastAPI, service: Context) -> None:
    """Add the route."""
    hearing = service.hearing

    @routes.get("/v1/events")
    async def events(request: Request, since: Since = None, seconds: Seconds = None) -> Response:
        caller: Caller = request.state.caller
        job = service.job(request, "look")
        if hearing.closing:
            raise Fault(503, "StoppingError", "the service is stopping", after=1)
        hearing.room(caller)
        eye = hearing.eye(job.library or next(iter(service.settings.places)))
        until = float("inf") if seconds is None else seconds
        parts = hearing.told(eye, caller, since, until, request.state.same)
        return _Stream(parts, hearing.counted(caller), service.settings.patience)
