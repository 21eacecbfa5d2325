"""Files that could not be read: their owners, what is reported about them, and retries."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from citewell.errors import DocumentError
from citewell.library.library import Library
from citewell.library.reading import File, Read
from citewell.library.store import objects, records
from citewell.library.store.records import Failure
from citewell.library.store.tables import FILE
from citewell.serve import keeping, owners, paging
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller, Owned
from citewell.text import safe

MOST = 100  # files that are kept of one caller to be tried again; the oldest makes room


def do(library: Library, verb: str, payload: dict[str, Any], by: Caller) -> bytes:
    """Handle a request about failures."""
    if verb == "failures":
        rows = sorted((each for each in library.failures() if owners.sees(by, owned(each))), key=_cursor)
        part, rest = paging.part(rows, _cursor, payload["limit"], payload["after"])
        return safe.dumps({"failures": [described(each) for each in part], "next": rest}).encode()
    failure = changing(library, payload["id"], by)
    with library.database.writing() as connection:
        records.mended(connection, [failure.source])
    return b""


def changing(library: Library, wanted: str, by: Caller) -> Failure:
    """A failure that the caller may retry or remove. Raises Fault: there is none, or it is not theirs."""
    failure = next((each for each in library.failures() if name(each) == wanted and owners.sees(by, owned(each))), None)
    if failure is None:
        raise lacks(f"there is no failure {wanted[:64]!r}", "id")
    if not owners.changes(by, owned(failure)):
        raise Fault(403, "ForbiddenError", "this file is not yours to try again or remove", "id")
    return failure


def read(
    library: Library, file: File, by: Caller, seconds: float, progress: Callable[[int, int], None] | None = None
) -> Read:
    """Read a file; if that fails, store it for a later retry. Raises DocumentError: it cannot be read."""
    try:
        return keeping.read(file, seconds, progress)
    except DocumentError as error:
        if any(entry.source == file.source for entry in library.entries()):
            raise  # it was read before, and is there
        now, data = dt.datetime.now(dt.UTC), {keeping.OWNER: by.name}
        text = records.storable(str(error))
        _keep(library, Failure(file.source, file.content, type(error).__name__, text, now, by.labels, data), file.data)
        raise


def again(library: Library, failure: Failure, seconds: float) -> Read:
    """Read a failed file again; another reader or more time may succeed.

    Raises DocumentError: it cannot be read now either.
    """
    with library.database.reading() as connection:
        data = None if failure.content is None else objects.file(connection, failure.content)
    if data is None:
        try:
            data = Path(failure.source).read_bytes()  # whoever runs the service added it by this path
        except OSError as error:
            raise lacks("the file is not there any more", "id") from error
    file = File(failure.source, data, failure.content or hashlib.sha256(data).hexdigest())
    try:
        return keeping.read(file, seconds)
    except DocumentError as error:
        text = records.storable(str(error))
        later = failure._replace(type=type(error).__name__, message=text, at=dt.datetime.now(dt.UTC))
        _keep(library, later, None if failure.content is None else data)
        raise


def _keep(library: Library, failure: Failure, data: bytes | None) -> None:
    mine = sorted((each for each in library.failures() if owned(each) == owned(failure)), key=_cursor)
    others = [each.source for each in mine if each.source != failure.source]
    with library.database.writing() as connection:
        records.failed(connection, failure)
        if data is not None and failure.content is not None:
            records.keep(connection, failure.content, FILE, data)
            records.mended(connection, others[: max(0, len(others) + 1 - MOST)])


def _cursor(failure: Failure) -> str:
    return f"{failure.at.isoformat()} {name(failure)}"


def name(failure: Failure) -> str:
    """The id of a failure, which depends only on the file."""
    return hashlib.sha256(failure.source.encode()).hexdigest()[:32]


def owned(failure: Failure) -> Owned:
    """The owner: whoever sent the file, and admins."""
    owner = failure.data.get(keeping.OWNER)
    return Owned(owner if isinstance(owner, str) else None, failure.labels)


def described(failure: Failure) -> dict[str, Any]:
    """The public fields of a failure, with the file's name instead of its path."""
    file = keeping.last_part(failure.source)
    return {
        "id": name(failure),
        "name": file,
        "type": failure.type,
        "message": safe.clean(failure.message.replace(failure.source, file)),
        "at": failure.at.isoformat(),
        "owner": owned(failure).owner,
        "labels": owners.plain(failure.labels),
        "workspace": owners.workspace(failure.labels),
    }
