"""Documents that could not be read: whose they are, and what is told of them."""

from __future__ import annotations

import hashlib
from typing import Any

from citewell.library.store.records import Failure
from citewell.serve import keeping, owners
from citewell.serve.owners import Owned
from citewell.text import safe


def name(failure: Failure) -> str:
    """The id of a failure: the same as long as it is the same file."""
    return hashlib.sha256(failure.source.encode()).hexdigest()[:32]


def owned(failure: Failure) -> Owned:
    """Whose it is: of who sent the file, and of admins."""
    owner = failure.data.get(keeping.OWNER)
    return Owned(owner if isinstance(owner, str) else None, failure.labels)


def described(failure: Failure) -> dict[str, Any]:
    """What is told of a failure; of a file, its name and not the folder."""
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
