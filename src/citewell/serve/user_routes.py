"""The routes with which an admin manages the users of their workspace, without a restart.

An admin gives nobody more than they have: a user with labels or libraries that the admin lacks is not theirs to see.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from starlette.responses import JSONResponse, Response

from citewell.errors import CitewellError, UsageError
from citewell.library.store.users import User
from citewell.serve import bodies, faults, owners, paging
from citewell.serve.context import Context
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller
from citewell.serve.users import Users, described_user, parsed_until

Name = Annotated[str, Path(alias="name", min_length=1, max_length=64, description="Of a user of your workspace.")]


def add(routes: FastAPI, service: Context, users: Users | None) -> None:
    """Add the routes; `users` is None if the service has no users."""

    @routes.get("/v1/users")
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> dict[str, Any]:
        _, _, known = await _admin(request)
        rows, rest = paging.part(known, lambda user: user.name, limit, after)
        return {"users": [described_user(user) for user in rows], "next": rest}

    @routes.post("/v1/users")
    async def make(request: Request, body: bodies.NewUser) -> Response:
        kept, caller, _ = await _admin(request)
        limits = _limits(caller, body)
        if any(user.name == body.name for user in await _call(kept.all) if _at_home(caller, user)):
            raise Fault(409, "UsageError", f"there is a user {body.name!r} already", "name")
        token = await _call(kept.add, body.name, _workspace(caller), **limits)
        return JSONResponse({"token": token}, 201, {"Location": f"/v1/users/{body.name}"})

    @routes.patch("/v1/users/{name}")
    async def change(request: Request, name: Name, body: bodies.UserLimits) -> dict[str, Any]:
        kept, caller, known = await _admin(request)
        _theirs(caller, known, name)
        if limits := _limits(caller, body):
            await _call(kept.change, name, _workspace(caller), **limits)
        return next(
            described_user(user) for user in await _call(kept.all) if _at_home(caller, user) and user.name == name
        )

    @routes.post("/v1/users/{name}/token")
    async def renew(request: Request, name: Name) -> Response:
        kept, caller, known = await _admin(request)
        _theirs(caller, known, name)
        return JSONResponse({"token": await _call(kept.renew, name, _workspace(caller))}, 201)

    @routes.delete("/v1/users/{name}")
    async def revoke(request: Request, name: Name) -> None:
        kept, caller, known = await _admin(request)
        _theirs(caller, known, name)
        await _call(kept.revoke, name, _workspace(caller))

    async def _admin(request: Request) -> tuple[Users, Caller, list[User]]:
        """The users of the admin's workspace whose permissions do not exceed the admin's."""
        service.job(request, "users", scope="write")
        caller: Caller = request.state.caller
        if not caller.admin:
            raise Fault(403, "ForbiddenError", "only an admin sees to users")
        if users is None:
            raise lacks("this service asks nobody for a token: make a first user with citewell serve users add")
        known = await _call(users.all)
        return users, caller, [user for user in known if _at_home(caller, user) and _within(caller, user)]


def _workspace(caller: Caller) -> str:
    return owners.workspace(caller.labels) or ""


def _at_home(caller: Caller, user: User) -> bool:
    return user.workspace == _workspace(caller)


def _within(caller: Caller, user: User) -> bool:
    """Whether a user has no permission that the admin lacks; a new token would grant it to the admin."""
    reached = caller.libraries is None or (user.libraries is not None and caller.libraries.issuperset(user.libraries))
    return reached and set(user.labels).issubset(caller.labels)


def _theirs(caller: Caller, known: list[User], name: str) -> None:
    if all(user.name != name for user in known):
        raise lacks(f"there is no user {name!r}", "name")
    if name == caller.name:
        raise Fault(409, "UsageError", "nobody limits or revokes themselves: another admin does", "name")


def _limits(caller: Caller, body: bodies.UserLimits) -> dict[str, Any]:
    """The requested limits of a user, within those of the admin."""
    limits: dict[str, Any] = body.model_dump(exclude_unset=True, exclude={"name"})
    if set(limits.get("labels") or ()).difference(caller.labels):
        raise Fault(403, "ForbiddenError", "nobody gives labels that they do not have", "labels")
    if caller.libraries is not None:
        libraries = (
            limits.setdefault("libraries", sorted(caller.libraries))
            if "name" in body.model_fields_set
            else (limits.get("libraries", ()))
        )
        if libraries is None or not caller.libraries.issuperset(libraries):
            raise Fault(403, "ForbiddenError", "nobody gives libraries that they do not have", "libraries")
    if "until" in limits:
        try:
            limits["until"] = parsed_until(limits["until"])
        except UsageError as error:
            raise Fault(422, "UsageError", str(error), "until") from error
    return limits


async def _call(act: Any, *values: Any, **limits: Any) -> Any:
    """Call the user database in a thread; its errors become faults."""
    try:
        return await asyncio.to_thread(act, *values, **limits)
    except CitewellError as error:
        raise faults.of(error) from error
