"""Collections in a worker: named sets of documents of one caller, shared with members, or of a workspace."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from citewell.library.asking import Keep
from citewell.library.library import Library, Where
from citewell.library.store import collections, histories
from citewell.library.store.collections import Named
from citewell.library.store.records import Entry, storable
from citewell.serve import owners, paging
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller, Owned
from citewell.text import safe

MOST, DOCUMENTS = 1_000, 10_000  # collections of a caller; documents in one


def do(library: Library, verb: str, payload: dict[str, Any], caller: Caller) -> bytes:
    """Handle a request about collections; a change returns the collection `before` and `after` it."""
    if verb == "collections":
        rows, rest = paging.part(_visible(library, caller), attrgetter("id"), payload["limit"], payload["after"])
        return safe.encoded({"collections": [_described(library, named) for named in rows], "next": rest})
    if verb == "collections make":
        made = _made(library, payload, caller)
        with library.database.writing() as connection:
            collections.insert(connection, made)
        return safe.encoded(_described(library, made))
    before = known(library, payload["id"], caller)
    if verb == "collections entry":
        return safe.encoded(_described(library, before))
    after = None if verb == "collections remove" else _changed(library, before, payload, caller)
    mine = owners.changes(caller, owned(before))
    if not mine and (after is None or after._replace(sources=before.sources) != before or not _member(caller, before)):
        raise Fault(403, "ForbiddenError", "this collection is not yours to change or remove")
    with library.database.writing() as connection:
        if after is None:
            collections.delete(connection, before.id)
        else:
            collections.change(connection, before, after)
    return safe.encoded({"before": _described(library, before), "after": after and _described(library, after)})


def owned(named: Named) -> Owned:
    """The owner of a collection."""
    return Owned(named.who, named.labels, shared=named.shared, members=named.members)


def known(library: Library, name: str, caller: Caller, field: str = "id") -> Named:
    """A collection that the caller may see. Raises Fault: there is none."""
    for named in _visible(library, caller):
        if named.id == name:
            return named
    raise lacks(f"there is no collection {name[:64]!r}", field)


def documents(library: Library, name: str | None, caller: Caller) -> list[Entry]:
    """The documents of a collection that the caller may see; all documents if no collection is named."""
    entries = library.entries()
    if name is None:
        return entries
    sources = known(library, name, caller, "collection").sources
    return [entry for entry in entries if entry.source in sources]


def narrowed(library: Library, payload: dict[str, Any], caller: Caller) -> Where:
    """The request's condition on documents, restricted to the collection it names.

    Raises Fault: there is no such collection, or nothing in it.
    """
    where: str | None = payload.get("where")
    if not (name := payload.get("collection")):
        return where
    sources = known(library, name, caller, "collection").sources
    if not any(entry.source in sources for entry in library.entries()):
        raise Fault(422, "UsageError", "the collection has no documents", "collection")
    condition: Keep | None = library.condition(where)
    return lambda entry: entry.source in sources and (condition is None or condition(entry))


def _visible(library: Library, caller: Caller) -> list[Named]:
    with library.database.reading() as connection:
        return [named for named in collections.visible(connection, caller.labels) if owners.sees(caller, owned(named))]


def _member(caller: Caller, named: Named) -> bool:
    """Whether the caller is a member with exactly the collection's labels, who may add and remove documents."""
    return caller.name in named.members and set(named.labels) == set(caller.labels)


def _made(library: Library, payload: dict[str, Any], caller: Caller) -> Named:
    """A new collection, unless the caller has too many."""
    mine = [named for named in _visible(library, caller) if (named.who, named.labels) == (caller.name, caller.labels)]
    if len(mine) >= MOST:
        raise Fault(409, "FullError", f"there are {MOST} collections already: remove some first")
    empty = Named(
        histories.new_id(), tuple(sorted(set(caller.labels))), caller.name, "", (), shared=False,
        created=dt.datetime.now(dt.UTC),
    )  # fmt: skip
    return _changed(library, empty, {**payload, "add": payload["documents"]}, caller)


def _changed(library: Library, before: Named, payload: dict[str, Any], caller: Caller) -> Named:
    """The collection after the requested change, which is validated."""
    sources = set(before.sources)
    sources.update(_sources(library, payload.get("add") or ()))
    sources.difference_update(_sources(library, payload.get("remove") or ()))
    if len(sources) > DOCUMENTS:
        raise Fault(422, "UsageError", f"a collection has at most {DOCUMENTS} documents", "add")
    name = before.name if payload.get("name") is None else storable(" ".join(payload["name"].split()))
    if not name:
        raise Fault(422, "UsageError", "a collection has a name", "name")
    if any(
        (other.who, other.name) == (before.who, name) and other.id != before.id for other in _visible(library, caller)
    ):
        raise Fault(409, "UsageError", f"there is a collection {name!r} already", "name")
    members = before.members if payload.get("members") is None else tuple(dict.fromkeys(payload["members"]))
    shared = before.shared if payload.get("shared") is None else payload["shared"]
    return before._replace(name=name, members=members, shared=shared, sources=frozenset(sources))


def _sources(library: Library, ids: Sequence[str]) -> list[str]:
    """The sources of documents by id, all of which the caller must see."""
    wanted = set(ids)
    found = [entry for entry in library.entries() if entry.id in wanted] if wanted else []
    if missing := sorted(wanted - {entry.id for entry in found}):
        raise lacks(f"there is no document {missing[0][:64]!r}", "documents")
    return [entry.source for entry in found]


def _described(library: Library, named: Named) -> dict[str, Any]:
    return {
        "id": named.id,
        "name": named.name,
        "owner": named.who,
        "members": list(named.members),
        "shared": named.shared,
        "documents": len({entry.id for entry in library.entries() if entry.source in named.sources}),
        "created": named.created.isoformat(),
        "labels": owners.plain(named.labels),
        "workspace": owners.workspace(named.labels),
    }
