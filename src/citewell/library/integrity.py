"""Checks the integrity of a library: each file of the index, each stored document, each stored file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from citewell import readers
from citewell.document import Document
from citewell.errors import CitewellError, LibraryError
from citewell.library import reading
from citewell.library.store import objects, records
from citewell.library.store.records import Entry
from citewell.readers import saved

if TYPE_CHECKING:
    import sqlalchemy as sa

    from citewell.library.index import Index
    from citewell.library.store.database import Database


class Damage(NamedTuple):
    """What is wrong with one document of a library.

    Attributes:
        entry: the document.
        part: "index", "document" (what was read from its file) or "file".
        message: one sentence.
    """

    entry: Entry
    part: str
    message: str

    def to_dict(self) -> dict[str, str]:
        """The JSON form."""
        return {"id": self.entry.id, "source": self.entry.source, "part": self.part, "message": self.message}


class Repaired(NamedTuple):
    """What a repair did.

    Attributes:
        read_again: documents that were made anew from their files.
        indexed: documents that were indexed anew.
        lost: documents whose text and file are both gone or damaged; they are no longer found by a question.
    """

    read_again: tuple[str, ...]
    indexed: int
    lost: tuple[Damage, ...]


def damages(database: Database, index: Index) -> list[Damage]:
    """Everything that is damaged, in the order of the documents; empty where the library is whole."""
    damages: list[Damage] = []
    with database.reading() as connection:
        entries = records.entries(connection)
        for segment in sorted({entry.segment for entry in entries}):
            try:
                index.check(connection, segment)
            except LibraryError as error:
                damages += [Damage(entry, "index", str(error)) for entry in entries if entry.segment == segment]
        for entry in entries:
            damages += _of_document(connection, entry)
    return sorted(damages, key=lambda damage: (damage.entry.number, damage.part))


def _of_document(connection: sa.Connection, entry: Entry) -> list[Damage]:
    """What is wrong with the bytes that are kept of a document."""
    collected = []
    try:
        file = objects.file(connection, entry.content)
        if file is not None and not reading.whole(file, entry):
            collected.append(Damage(entry, "file", f"the kept file of {entry.source} has other bytes than were added"))
    except LibraryError as error:
        file = None
        collected.append(Damage(entry, "file", str(error)))
    try:
        intact(reading.loaded(connection, entry, file), entry)
    except LibraryError as error:
        collected.append(Damage(entry, "document", str(error)))
    return collected


def intact(document: Document, entry: Entry) -> Document:
    """The document. Raises LibraryError: it is not the one that was added."""
    if document.sha256 != entry.sha256:
        raise reading.damaged(entry, "its text is not the one that was added")
    return document


def read_again(connection: sa.Connection, entry: Entry) -> bytes | None:
    """What is to be kept of a document, read anew from its kept file or its source; None where neither is whole."""
    kept, source = partial(objects.file, connection, entry.content), partial(_of_source, entry.source)
    for file in (kept, source):
        with suppress(CitewellError):
            data = file()
            if data is not None and reading.whole(data, entry):
                return saved.dump(intact(readers.read(data, name=Path(entry.source).name), entry))
    return None


def _of_source(source: str) -> bytes | None:
    return reading.load(source).data


def named(some: Sequence[Damage], most: int = 3) -> str:
    """The first few damaged documents as words."""
    sources = list(dict.fromkeys(damage.entry.source for damage in some))
    rest = f" and {len(sources) - most} more" if len(sources) > most else ""
    return ", ".join(sources[:most]) + rest
