"""The service's documents in its library: names, owners, and the information about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from citewell import readers
from citewell.document import Document
from citewell.library.library import Library
from citewell.library.reading import File, Read, labelled
from citewell.library.store.records import Entry
from citewell.readers import Budget, saved
from citewell.serve import owners
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller, Owned
from citewell.text import safe, segments

_LONGEST_NAME = 200
OWNER = "owner"  # the field of a document that names who added it


def file_name(name: str | None) -> str:
    """The name of an uploaded file: the last part of the name in the request."""
    last = safe.clean((name or "").replace("\\", "/").rpartition("/")[2]).strip()
    return last[-_LONGEST_NAME:] or "document"


def read(file: File, seconds: float, progress: Callable[[int, int], None] | None = None) -> Read:
    """Read a file in a separate process, which has no keys and may crash. Raises DocumentError: it cannot be read."""
    budget = Budget(seconds=max(1, int(seconds) - 1))
    name = last_part(file.source)
    return Read(file, readers.read(file.data, name=name, isolated=True, budget=budget, progress=progress))


def from_document(document: Document, labels: tuple[str, ...]) -> Read:
    """A document that came without a file."""
    return Read(kept(saved.dump(document), "", labels), document)


def kept(data: bytes, name: str, labels: tuple[str, ...]) -> File:
    """A file under a name derived from its bytes and the caller's labels.

    So nobody can tell, not by the time that it takes either, that somebody else has the same file.
    """
    content = labelled(data, labels)
    return File(f"service/{content[:16]}/{name}", data, content)


def called(entry: Entry) -> str | None:
    """The file name of a document, None if it came as text."""
    return last_part(entry.source) or None


def last_part(source: str) -> str:
    """The name of a file without its folders."""
    return source.replace("\\", "/").rpartition("/")[2]


def opened(library: Library, entry: Entry) -> Document:
    """A document with its file name as source."""
    return replace(library.documents([entry])[0], source=called(entry))


def statements(answer: str) -> list[str]:
    """The statements of an answer, as queries to the library."""
    return [answer[start:end] for start, end in segments.statements(answer)] or [answer]


def entry(library: Library, name: str, field: str | None = None) -> Entry:
    """A document by id, if the caller may see it. Raises Fault: there is none."""
    for known in library.entries():
        if known.id == name:
            return known
    raise lacks(f"there is no document {name[:64]!r}", field)


def owned(known: Entry) -> Owned:
    """The owner of a document; everyone with its labels may see it."""
    owner = known.data.get(OWNER)
    return Owned(owner if isinstance(owner, str) else None, known.labels, shared=True)


def removable(library: Library, name: str, caller: Caller) -> list[Entry]:
    """The entries with an id that a caller may remove. Raises Fault: there is none, or it is not the caller's."""
    entry(library, name)
    mine = [known for known in library.entries() if known.id == name and owners.changes(caller, owned(known))]
    if not mine:
        raise Fault(403, "ForbiddenError", f"the document {name[:64]!r} is not yours to remove")
    return mine


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """The entries with distinct ids, in the order in which they were added."""
    first = dict[str, Entry]()
    for known in entries:
        first.setdefault(known.id, known)
    return list(first.values())


def cursor(known: Entry) -> str:
    """The paging cursor of a document."""
    return f"{known.number:012d}"


def described(entry: Entry, *, short: bool = False) -> dict[str, Any]:
    """The public fields of a document."""
    fields = {"id": entry.id, "title": entry.title, "pages": entry.pages, "warnings": list(entry.warnings)}
    if short:
        return fields
    return fields | {
        "source": called(entry),
        "sha256": entry.sha256,
        "characters": entry.characters,
        "language": entry.language,
        "year": entry.year,
        "size": entry.size,
        "added": entry.added.isoformat(),
        "labels": owners.plain(entry.labels),
        "workspace": owners.workspace(entry.labels),
        "owner": owned(entry).owner,
        "data": {name: value for name, value in entry.data.items() if name != OWNER},
    }
