"""Users of the service, stored in its first library: created, listed, limited and revoked while it runs.

A token is said once, when it is made; the library keeps its hash alone, and each request looks it up, so that what is
changed here holds for the next request.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any

from citewell.errors import UsageError
from citewell.library.library import Library
from citewell.library.store import users as store
from citewell.library.store.records import storable
from citewell.library.store.users import User
from citewell.serve.owners import ROLES, Caller, workspace_label
from citewell.serve.tokens import checked_labels

_NAME = re.compile(r"[A-Za-z0-9][\w.@-]{0,63}")
_BYTES = 24  # of a token


class Users:
    """The users of a library's service."""

    def __init__(self, library: Library) -> None:
        self._database = library.database

    def all(self) -> list[User]:
        """All users by workspace and name."""
        with self._database.reading() as connection:
            return store.every(connection)

    def caller(self, token: str) -> Caller | None:
        """The user with this token, None if it is unknown or expired."""
        with self._database.reading() as connection:
            user = store.by_hash(connection, hashed(token))
        return _caller(user)

    def named(self, workspace: str, name: str) -> Caller | None:
        """A user as a caller, None if unknown or expired."""
        return _caller(next((user for user in self.all() if (user.workspace, user.name) == (workspace, name)), None))

    def add(self, name: str, workspace: str = "", role: str = "member", **limits: Any) -> str:
        """Create a user; returns the token, which is not stored.

        Args:
            name: once in a workspace.
            workspace: whose documents and results they see, empty for the common one.
            role: reader, member or admin.
            limits: `labels`, `libraries` and `until`, as in `change`.

        Raises:
            UsageError: there is such a user already, or a value is none.
        """
        for what, text in (("user", name), *((("workspace", workspace),) if workspace else ())):
            if not _NAME.fullmatch(text):
                raise UsageError(f"the name of a {what} has letters, digits and . _ @ - , 64 at most, not {text!r}")
        token, values = secrets.token_urlsafe(_BYTES), _checked({"role": role, **limits})
        known = {"labels": (), "libraries": None, "until": None} | values
        user = User(workspace, name, hashed(token), created=dt.datetime.now(dt.UTC), **known)
        with self._database.writing() as connection:
            if any((other.workspace, other.name) == (workspace, name) for other in store.every(connection)):
                raise UsageError(f"there is a user {name!r} already: change or revoke them")
            store.insert(connection, user)
        return token

    def change(self, name: str, workspace: str = "", **limits: Any) -> None:
        """Change a user's `role`, `labels`, `libraries` (None for all) or `until` (None for no end).

        Raises UsageError: there is no such user, or a value is none.
        """
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in _checked(limits).items()}
        self._update(name, workspace, values)

    def renew(self, name: str, workspace: str = "") -> str:
        """Replace a user's token; returns the new one. Raises UsageError: there is no such user."""
        token = secrets.token_urlsafe(_BYTES)
        self._update(name, workspace, {"hash": hashed(token)})
        return token

    def revoke(self, name: str, workspace: str = "") -> None:
        """Remove a user; the token ends with the next request, and what they own stays.

        Raises UsageError: there is no such user.
        """
        with self._database.writing(forget=True) as connection:
            _there(store.delete(connection, workspace, name), name)

    def _update(self, name: str, workspace: str, values: Mapping[str, Any]) -> None:
        with self._database.writing() as connection:
            _there(store.change(connection, workspace, name, values), name)


def _caller(user: User | None) -> Caller | None:
    if user is None or (user.until is not None and user.until <= dt.datetime.now(dt.UTC)):
        return None
    labels = (*user.labels, *workspace_label(user.workspace))
    libraries = None if user.libraries is None else frozenset(user.libraries)
    return Caller(user.name, ROLES[user.role], labels, libraries, admin=user.role == "admin")


def described_user(user: User) -> dict[str, Any]:
    """The public fields of a user."""
    return {
        "name": user.name,
        "workspace": user.workspace or None,
        "role": user.role,
        "labels": list(user.labels),
        "libraries": None if user.libraries is None else list(user.libraries),
        "created": user.created.isoformat(),
        "until": user.until and user.until.isoformat(),
    }


def parsed_until(text: str | None) -> dt.datetime | None:
    """The end (UTC) of a day `YYYY-MM-DD`, None for an empty text. Raises UsageError: it is no day."""
    if not text:
        return None
    try:
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"a day is YYYY-MM-DD, not {text!r}") from error
    return dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), dt.UTC)


def _there(count: int, name: str) -> None:
    if not count:
        raise UsageError(f"there is no user {name!r}: citewell serve users list")


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    if "role" in values and values["role"] not in ROLES:
        raise UsageError(f"a role is {', '.join(ROLES)}, not {values['role']!r}")
    checked = dict(values)
    if "labels" in values:
        checked["labels"] = checked_labels(map(storable, values["labels"]), "this user")
    if values.get("libraries") is not None:
        checked["libraries"] = tuple(sorted(set(map(storable, values["libraries"]))))
    return checked


def hashed(token: str) -> str:
    """The form in which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
