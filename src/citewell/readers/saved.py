"""A document with what finds its rectangles, as bytes: to read once what is wanted often."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import replace

import numpy as np

from citewell.document import Document
from citewell.errors import CorruptDocumentError
from citewell.text import safe

_BOXES = "page_"
"""Before the number of a page that OCR read: the array of its characters' boxes."""


def dump(document: Document) -> bytes:
    """The bytes; the same document gives the same."""
    from citewell.readers.pdf.locate import PdfLocator

    locator = document.locator
    arrays = locator.runs._asdict() if isinstance(locator, PdfLocator) else {}
    if isinstance(locator, PdfLocator):
        arrays |= {f"{_BOXES}{number}": boxes for number, boxes in locator.read.items()}
    data = io.BytesIO()
    np.savez_compressed(data, document=np.frombuffer(safe.dumps(document.to_dict()).encode(), np.uint8), **arrays)
    return data.getvalue()


def load(data: bytes, file: bytes | None = None) -> Document:
    """The document again; its rectangles are found in the bytes of the file that it was read from.

    Raises:
        CorruptDocumentError: the bytes are not what `dump` gave.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            document = Document.from_dict(safe.loads(arrays["document"].tobytes().decode()))
            if file is None or "char" not in arrays:
                return document
            from citewell.readers.pdf.locate import PdfLocator
            from citewell.readers.pdf.text import Runs

            runs = Runs(**{name: arrays[name] for name in Runs._fields})
            read = {int(name.removeprefix(_BOXES)): arrays[name] for name in arrays if name.startswith(_BOXES)}
            return replace(document, locator=PdfLocator(file, runs, read=read))
    except (ValueError, KeyError, OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise CorruptDocumentError(f"a kept document is damaged: {error}") from error


def named(document: Document, source: str) -> Document:
    """The document under the name that it has now."""
    return document if document.source == source else replace(document, source=source)
