"""The source of a saved document's rectangles: the map of its text, and the file with its size and hash."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from citewell.document import Document
from citewell.errors import AnswerFormatError, CorruptDocumentError
from citewell.types import Field

if TYPE_CHECKING:
    from citewell.readers.pdf.locate import PdfLocator

# What reading damaged arrays raises: a file of one array is no context, and zip files may be encrypted or too new.
FAULTS = (
    ValueError, KeyError, TypeError, OSError, EOFError, RuntimeError, binascii.Error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
_BOXES = "page_"
"""Before the number of a page that OCR read: the array of its characters' boxes."""


def arrays(document: Document) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """What finds rectangles, as arrays by name; none where the format has no pages."""
    from citewell.readers.pdf.locate import PdfLocator

    locator = document.locator
    if not isinstance(locator, PdfLocator):
        return {}
    return locator.runs._asdict() | {f"{_BOXES}{number}": boxes for number, boxes in locator.read.items()}


def locator(named: Mapping[str, Any], file: bytes) -> PdfLocator:
    """What finds rectangles in the bytes of a file, from its arrays. Raises KeyError: one of them is missing."""
    from citewell.readers.pdf.locate import PdfLocator
    from citewell.readers.pdf.text import Runs

    runs = Runs(**{name: named[name] for name in Runs._fields})
    read = {int(name.removeprefix(_BOXES)): named[name] for name in named if name.startswith(_BOXES)}
    return PdfLocator(file, runs, read=read)


def kept(document: Document) -> dict[str, Any] | None:
    """The JSON form of where a document's rectangles are; None where it has none."""
    from citewell.readers.pdf.locate import PdfLocator

    where = document.locator
    if not isinstance(where, PdfLocator):
        return None
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays(document))  # type: ignore[arg-type]  # its flag stands among the arrays
    text = base64.b64encode(packed.getvalue()).decode()
    return {"size": len(where.file), "sha256": hashlib.sha256(where.file).hexdigest(), "map": text}


def placed(document: Document, places: Any, path: Path, file: str | Path | None) -> Document:
    """The document that was saved at `path`, with what finds its rectangles; a warning where there is no such file.

    Raises CorruptDocumentError: the map is damaged.
    """
    if places is None:
        return document
    try:
        entry = Field(places, "places")
        size, digest, packed = entry["size"].whole(), entry["sha256"].text(), entry["map"].text()
        data, warning = _file(document, size, digest, path, file)
        with np.load(io.BytesIO(base64.b64decode(packed, validate=True)), allow_pickle=False) as named:
            where = locator(dict(named), data)
            _hold(where, document)
    except AnswerFormatError as error:
        raise CorruptDocumentError(f"{path} is not a saved document: {error}") from error
    except FAULTS as error:
        raise CorruptDocumentError(f"{path} is a damaged document: its map of pages cannot be read: {error}") from error
    if warning:
        return replace(document, warnings=(*document.warnings, warning))
    return replace(document, locator=where)


def _hold(where: PdfLocator, document: Document) -> None:
    """Hold a map against the text and the pages that it is one of. Raises ValueError: it is of others."""
    runs, boxes = where.runs, where.read.values()
    numbered = all(run.dtype == np.int32 and run.shape == runs.start.shape and run.ndim == 1 for run in runs)
    if not numbered or any(page.ndim != 2 or page.shape[1] != 4 or page.dtype != np.float64 for page in boxes):
        raise ValueError("its arrays have another form")
    ordered = (
        (runs.start < runs.end).all() and (runs.end[:-1] <= runs.start[1:]).all() and (np.diff(runs.line) >= 0).all()
    )
    known = np.isin(runs.page, [page.number for page in document.pages]).all()
    within = not len(runs.end) or (runs.start[0] >= 0 and runs.end[-1] <= len(document.text))
    if not (ordered and known and within and (runs.char >= 0).all() and (runs.chars > 0).all()):
        raise ValueError("it is of another text")


def _file(document: Document, size: int, digest: str, path: Path, file: str | Path | None) -> tuple[bytes, str]:
    """The bytes of the file that a document was read from, and what keeps them from being it."""
    if not size:  # all boxes were read by OCR and stand in the map
        return b"", ""
    named = str(file or document.source or "")
    source = Path(named)
    other = ""
    for place in () if not named else (source,) if file else (source, path.parent / source.name):
        try:
            if not place.is_file():
                continue
            if place.stat().st_size == size:  # so that nothing endless is read for its hash
                data = place.read_bytes()
                if hashlib.sha256(data).hexdigest() == digest:
                    return data, ""
            other = other or str(place)
        except (OSError, ValueError) as error:
            other = other or f"{place} ({getattr(error, 'strerror', None) or error})"
    if other:
        what = f"{other} is another file than the one that this document was read from"
    else:
        what = f"the file that this document was read from is not there{named and f' ({named})'}"
    rest = "evidence has pages but no rectangles; Document.load(path, file=...) says where it is"
    return b"", f"{what}: {rest}"
