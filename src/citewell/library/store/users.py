"""Users of a service in a library's database, read and written within the caller's transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from citewell.library.store import tables


class User(NamedTuple):
    """A user of a service."""

    workspace: str  # whose documents and results are theirs to see; empty for the common one
    name: str  # theirs, once in a workspace
    hash: str  # the SHA-256 of their token in hex
    role: str  # reader, member or admin
    labels: tuple[str, ...]  # that they carry
    libraries: tuple[str, ...] | None  # that they may use, None for all
    created: dt.datetime  # when
    until: dt.datetime | None = None  # when the token ends, None where it does not


def every(connection: sa.Connection) -> list[User]:
    """All users, by workspace and name."""
    table = tables.users
    rows = connection.execute(sa.select(table).order_by(table.c.workspace, table.c.name)).mappings()
    return [_user(row) for row in rows]


def by_hash(connection: sa.Connection, hashed: str) -> User | None:
    """The user of a token, None where there is none."""
    row = connection.execute(sa.select(tables.users).where(tables.users.c.hash == hashed)).mappings().first()
    return None if row is None else _user(row)


def insert(connection: sa.Connection, user: User) -> None:
    """Put a user in."""
    connection.execute(sa.insert(tables.users).values(**_row(user)))


def change(connection: sa.Connection, workspace: str, name: str, values: Mapping[str, Any]) -> int:
    """Change columns of a user; how many there are of this name."""
    return connection.execute(sa.update(tables.users).where(_named(workspace, name)).values(**values)).rowcount


def delete(connection: sa.Connection, workspace: str, name: str) -> int:
    """Take a user out; how many there were of this name."""
    return connection.execute(sa.delete(tables.users).where(_named(workspace, name))).rowcount


def _named(workspace: str, name: str) -> sa.ColumnElement[bool]:
    return (tables.users.c.workspace == workspace) & (tables.users.c.name == name)


def _row(user: User) -> dict[str, Any]:
    libraries = None if user.libraries is None else list(user.libraries)
    return {**user._asdict(), "labels": list(user.labels), "libraries": libraries}


def _user(row: Mapping[Any, Any]) -> User:
    values = dict(row)
    libraries = values["libraries"]
    return User(
        **values
        | {
            "labels": tuple(values["labels"]),
            "libraries": None if libraries is None else tuple(libraries),
            "created": tables.zoned(values["created"]),
            "until": values["until"] and tables.zoned(values["until"]),
        }
    )
