"""Callers and ownership, and the one rule that decides who can see, change or remove an item.

A document, a collection, a kept result, a correction, a job: each has an owner and labels. A workspace is a label that
all its members carry and no request can leave out, so the library itself keeps workspaces apart. `sees` and `changes`
are the rule; kept results and corrections lie in a database, where `citewell.library.store.histories.View` is the same
in SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SCOPES = frozenset({"read", "write", "metrics"})
ROLES: dict[str, frozenset[str]] = {
    "reader": frozenset({"read"}),
    "member": frozenset({"read", "write"}),
    "admin": SCOPES,
}
_WORKSPACE = "workspace:"


class Caller(NamedTuple):
    """Who asks. A user alone on a machine is `local` and may do everything."""

    name: str = "local"  # theirs, once in a workspace; what they add is theirs
    scopes: frozenset[str] = SCOPES  # what they may do: read, write, metrics
    labels: tuple[str, ...] = ()  # that they carry, with that of their workspace
    libraries: frozenset[str] | None = None  # that they may use, None for all
    admin: bool = True  # whether they see and change what others with their labels own


NOBODY = Caller("nobody", frozenset(), (), frozenset(), admin=False)


class Owned(NamedTuple):
    """Who owns a thing and who may see it."""

    owner: str | None  # the name of a caller, None for what whoever runs the service put there
    labels: tuple[str, ...]  # that a caller must carry to see it
    libraries: tuple[str, ...] = ()  # that it was made from
    shared: bool = False  # whether all who carry the labels see it, as they do documents
    members: tuple[str, ...] = ()  # the names of those with the labels who see it, shared or not


def sees(caller: Caller, thing: Owned) -> bool:
    """Whether a caller may see a thing."""
    reached = caller.libraries is None or caller.libraries.issuperset(thing.libraries)
    known = thing.shared or caller.admin or thing.owner == caller.name or caller.name in thing.members
    return reached and known and set(thing.labels).issubset(caller.labels)


def changes(caller: Caller, thing: Owned) -> bool:
    """Whether a caller may change a thing: its owner or an admin, with exactly its labels."""
    mine = caller.admin or thing.owner == caller.name
    return sees(caller, thing) and mine and set(thing.labels) == set(caller.labels)


def workspace_label(workspace: str) -> tuple[str, ...]:
    """The label of a workspace's members, none for the common workspace."""
    return (_WORKSPACE + workspace,) if workspace else ()


def is_workspace(label: str) -> bool:
    """Whether a label stands for a workspace; a request can neither name nor drop it."""
    return label.startswith(_WORKSPACE)


def workspace(labels: Iterable[str]) -> str | None:
    """The workspace among some labels, None for the common one."""
    return next((label.removeprefix(_WORKSPACE) for label in labels if is_workspace(label)), None)


def plain(labels: Iterable[str]) -> list[str]:
    """The labels without that of the workspace."""
    return [label for label in labels if not is_workspace(label)]
