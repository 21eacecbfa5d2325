"""What may be asked: documents that were read, or the paths of files, which are read then."""

from __future__ import annotations

import os
from collections.abc import Iterable

from citewell import notes
from citewell.document import Document, names, several
from citewell.errors import UsageError
from citewell.readers import read

Source = Document | str | os.PathLike[str]
Documents = Source | Iterable[Source]


def opened(documents: Documents) -> tuple[Document, ...]:
    """One document or several, as several; paths are read.

    Raises:
        UsageError: there is none, or something else among them.
        DocumentError: a file cannot be read.
    """
    if isinstance(documents, Document | str | os.PathLike):
        documents = (documents,)
    if not isinstance(documents, Iterable) or isinstance(documents, bytes | bytearray):
        raise UsageError(
            f"a {type(documents).__name__} is no document: give a path, or read it first with citewell.read"
        )
    return several(read(source) if isinstance(source, str | os.PathLike) else source for source in documents)


def distinct(documents: tuple[Document, ...]) -> tuple[Document, ...]:
    """The documents without those whose text is that of one before them; says which were left out."""
    called, kept = names(documents), dict[str, Document]()
    for document in documents:
        if document.id in kept:
            again = f" as {document.source}" if document.source else ""
            notes.warn(f"{called[document.id]} was given twice{again}: it is read once")
        kept.setdefault(document.id, document)
    return tuple(kept.values())
