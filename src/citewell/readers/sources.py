"""What may be asked: documents that were read, or the paths of files, which are read then."""

from __future__ import annotations

import os
from collections.abc import Iterable

from citewell.document import Document, several
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
    return several(read(given) if isinstance(given, str | os.PathLike) else given for given in documents)
