"""Accepted sources: documents already read, paths of files to read, or plain sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from citewell.document import Document, names, several
from citewell.errors import UsageError, notes
from citewell.readers import read

Source = Document | str | os.PathLike[str]
Documents = Source | Iterable[Source]


def opened(documents: Documents) -> tuple[Document, ...]:
    """One document or several, as several; paths are read.

    Raises UsageError: there is none, or something else among them; DocumentError: a file cannot be read.
    """
    if isinstance(documents, Document | str | os.PathLike):
        documents = (documents,)
    if not isinstance(documents, Iterable) or isinstance(documents, bytes | bytearray):
        raise UsageError(
            f"a {type(documents).__name__} is no document: give a path, or read it first with citewell.read"
        )
    return several(_one(source) if isinstance(source, str | os.PathLike) else source for source in documents)


_SUFFIX = re.compile(r"\.\w{2,4}\Z")
_FEW = 3  # words that a file's name may have without a suffix


def _one(source: str | os.PathLike[str]) -> Document:
    """The document at a path; a text that is plainly none is a document by itself."""
    if isinstance(source, str) and _is_prose(source.strip()) and not os.path.lexists(source[:4096]):
        return Document.from_text(source)
    return read(source)


def _is_prose(text: str) -> bool:
    """Whether a text is plainly no file's name: that ends in a suffix, or has fewer words than a sentence."""
    return "\n" in text or (len(text.split(None, _FEW)) > _FEW and not _SUFFIX.search(text))


def distinct(documents: tuple[Document, ...]) -> tuple[Document, ...]:
    """The documents without those whose text is that of one before them; says which were left out."""
    called, kept = names(documents), dict[str, Document]()
    for document in documents:
        if document.id in kept:
            again = f" as {document.source}" if document.source else ""
            notes.warn(f"{called[document.id]} was passed twice{again}: it is read once")
        kept.setdefault(document.id, document)
    return tuple(kept.values())
