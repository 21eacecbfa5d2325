"""A worker's report on the current state of a library, compared with an earlier one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from citewell.library import changes
from citewell.library.library import Library
from citewell.library.store.records import Entry
from citewell.serve import failures, keeping
from citewell.serve.shelf import MANY
from citewell.text import safe


def look(library: Library, payload: Mapping[str, Any]) -> bytes:
    """The state of the library compared with the last look, with the owners of what is in it."""
    before = payload["state"] and tuple(payload["state"])
    seen = changes.since(library.database, before, payload["behind"])
    if seen is None:
        return b"null"
    told = before is not None and len(seen.new) <= MANY
    return safe.dumps({
        "state": seen.state,
        "numbers": seen.numbers,
        "new": [_row(entry, told=told) for entry in seen.new],
        "failures": [
            {**failures.owned(failure)._asdict(), "fields": failures.described(failure)} for failure in seen.failures
        ],
    }).encode()  # fmt: skip


def _row(entry: Entry, *, told: bool) -> dict[str, Any]:
    fields = keeping.described(entry) if told else None
    return {**keeping.owned(entry)._asdict(), "number": entry.number, "id": entry.id, "fields": fields}
