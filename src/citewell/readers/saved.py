"""A document with the data for its rectangles, as bytes: read once, used often."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np

from citewell.document import Document
from citewell.errors import CorruptDocumentError
from citewell.readers import places
from citewell.text import safe


def dump(document: Document) -> bytes:
    """The bytes; the same document gives the same."""
    data = io.BytesIO()
    payload = np.frombuffer(safe.dumps(document.to_dict()).encode(), np.uint8)
    np.savez_compressed(data, document=payload, **places.arrays(document))  # type: ignore[arg-type]  # as in `places`
    return data.getvalue()


def load(data: bytes, file: bytes | None = None) -> Document:
    """The document again; its rectangles are found in the bytes of the file that it was read from.

    Raises CorruptDocumentError: the bytes are not what `dump` gave.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            document = Document.from_dict(safe.loads(arrays["document"].tobytes().decode()))
            if file is None or "char" not in arrays:
                return document
            return replace(document, locator=places.locator(dict(arrays), file))
    except places.FAULTS as error:
        raise CorruptDocumentError(f"a kept document is damaged: {error}") from error


def named(document: Document, source: str) -> Document:
    """The document under the name that it has now."""
    return document if document.source == source else replace(document, source=source)
