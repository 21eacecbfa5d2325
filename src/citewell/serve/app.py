"""The application: its routes, each from a request to a worker's job, and the handling of errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.telemetry import TelemetryConfig
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from citewell.serve import (
    bodies,
    described,
    event_routes,
    kept_routes,
    libraries,
    operating,
    overview,
    plain_routes,
    replies,
    user_routes,
    viewing,
)
from citewell.serve.access import Access
from citewell.serve.compatible import routes as compatible
from citewell.serve.context import Context
from citewell.serve.faults import Fault, inside
from citewell.serve.guard import Guard, answer
from citewell.serve.jobs import routes as jobs
from citewell.serve.json_body import JsonRoute, parsed
from citewell.serve.mcp_service import PATH, Endpoint
from citewell.serve.page import routes as page
from citewell.serve.settings import Settings
from citewell.serve.users import Users
from citewell.serve.viewing import Id
from citewell.text import safe

# Traces where the environment names a collector (OTEL_EXPORTER_OTLP_ENDPOINT). Logs would hold words of documents, and
# figures are told by /metrics.
_LONG = 100_000  # characters of a text beyond which it takes as long as a file
_TRACES: TelemetryConfig = {"auto_configure": True, "logs": False, "metrics": False, "operation_spans": False}


class Service(Context):
    """A service: the application and its worker processes."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        users = None if settings.users is None else Users(settings.users)
        login = None
        if settings.oidc is not None and users is not None:
            from citewell.serve.login import Login  # wants an extra

            login = Login(settings.oidc, users)
        self.access = Access(settings.token_file, users, login) if settings.token_file or users else None
        routes = FastAPI(
            title="citewell",
            version=metadata.version("citewell"),
            description=described.SERVICE,
            docs_url=None,
            redoc_url=None,
            lifespan=self._living,
            separate_input_output_schemas=False,
            responses=described.ERRORS,
            telemetry=_TRACES,
            dependencies=[Depends(libraries.parameters)],
        )
        routes.router.route_class = JsonRoute
        for kind in (Fault, RequestValidationError, HTTPException, Exception):
            routes.add_exception_handler(kind, _failed)
        self._documents(routes)
        self._answers(routes)
        overview.add(routes, self)
        page.add(routes)
        kept_routes.add(routes, self)
        plain_routes.add(routes, self)
        viewing.add(routes, self)
        compatible.add(routes, self)
        jobs.add(routes, self)
        user_routes.add(routes, self, users)
        event_routes.add(routes, self)
        operating.add(routes, self, wants_token=self.access is not None)
        if login is not None:
            login.add(routes)
        described.complete(routes)
        self.tools = Endpoint(self)
        routes.router.routes.append(Route(PATH, self.tools, methods=["POST"]))  # a GET would wait for ever
        self.app: ASGIApp = Guard(self.replays.before(routes), settings, self.access, self.metrics)

    @asynccontextmanager
    async def _living(self, _: FastAPI) -> AsyncIterator[None]:
        await self.pool.start()
        await self.runner.start()
        yield
        await self.tools.stop()
        await self.runner.stop()
        await self.pool.stop(self.settings.stopping)

    def _documents(self, routes: FastAPI) -> None:
        @routes.post("/v1/documents")
        async def add(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == "multipart/form-data":
                fields = await self.uploaded(request)
            elif kind == "application/json":
                self.room(request)
                payload = {**(await _body(request)).model_dump(), "most": self.settings.documents}
                fields = await self.done(request, "text", payload, scope="write", long=len(payload["text"]) > _LONG)
            else:
                self.job(request, "text", scope="write")
                raise Fault(415, "UnsupportedFormatError", "send multipart/form-data with a file, or application/json")
            place = {"Location": f"/v1/documents/{safe.loads(fields.decode())['id']}"}
            return Response(fields, 201, place, media_type=replies.JSON)

        @routes.delete("/v1/documents/{id}")  # noqa: FAST003  (`Id` has the alias)
        async def remove(request: Request, name: Id) -> None:
            await self.remove(request, name)

    def _answers(self, routes: FastAPI) -> None:
        @routes.post("/v1/ask")
        async def ask(request: Request, body: bodies.Ask) -> Response:
            return await self._answered(request, "ask", body, stream=body.stream)

        @routes.post("/v1/attribute")
        async def attribute(request: Request, body: bodies.Attribute) -> Response:
            return await self._answered(request, "attribute", body, stream=body.stream)

        @routes.post("/v1/check")
        async def check(request: Request, body: bodies.Check) -> Response:
            return await self._answered(request, "check", body)

        @routes.post("/v1/audit")
        async def audit(request: Request, body: bodies.Audit) -> Response:
            return await self._answered(request, "audit", body)

        @routes.post("/v1/verify")
        async def verify(request: Request, body: bodies.Verify) -> Response:
            return replies.answered(await self.done(request, "verify", body.model_dump()))

    async def _answered(
        self,
        request: Request,
        verb: str,
        body: bodies.Ask | bodies.Attribute | bodies.Check | bodies.Audit,
        *,
        stream: bool = False,
    ) -> Response:
        kept = {"asked": body.request(), "keep": self.settings.results if body.keep else None}
        settings = body.settings(self.settings.offered)
        payload = {**body.model_dump(), "settings": settings, **kept}
        job = self.job(request, verb, payload)
        if stream:
            return await replies.streamed(self.pool, job)
        return replies.answered(await replies.whole(request, self.pool.run(job)))


async def _body(request: Request) -> bodies.NewDocument:
    try:
        payload = await asyncio.to_thread(parsed, await request.body())
        body: bodies.NewDocument = bodies.NewDocument.model_validate(payload)
    except ValidationError as error:
        raise bodies.invalid(error.errors(include_url=False, include_context=False, include_input=False)) from error
    except ValueError as error:
        raise Fault(422, "UsageError", "the body is not JSON in UTF-8") from error
    return body


async def _failed(request: Request, error: Exception) -> Response:
    return answer(_fault(error), request.scope)


def _fault(error: Exception) -> Fault:
    fault = next((known for known in (error, error.__cause__) if isinstance(known, Fault)), None)
    if fault is not None:  # the framework wraps what is raised while a body is read
        return fault
    if isinstance(error, RequestValidationError):
        return bodies.invalid(error.errors())
    if isinstance(error, HTTPException):
        kinds = {404: "NotFoundError", 405: "MethodError"}
        kind = kinds.get(error.status_code, "UsageError")
        return Fault(error.status_code, kind, str(error.detail), more=error.headers)
    return inside()
