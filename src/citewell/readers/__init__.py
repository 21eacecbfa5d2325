"""Reading: from a path, bytes or a stream to a Document. The format is recognised by content, then by suffix.

document = read("report.pdf")
document = read(sys.stdin.buffer, name="notes.md")
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from citewell.document import Document
from citewell.errors import DocumentError, EmptyDocumentError, TooLargeDocumentError, UnsupportedFormatError
from citewell.readers.budget import DEFAULT, Budget
from citewell.readers.plugged import plugged
from citewell.readers.sniff import Format, sniff

__all__ = ["VERSION", "Budget", "read"]

VERSION = "6"  # changes whenever the same bytes would be read differently
_LONGEST_PATH = 4096


def read(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str],
    *,
    name: str | None = None,
    progress: Any = None,
    budget: Budget = DEFAULT,
    isolated: bool = False,
    ocr: str = "auto",
) -> Document:
    """Read a document.

    `source` is a path, the bytes of a file, or an open file or stream. A string that contains a line break, or is
    longer than any path, is taken as the text itself and kept unchanged. `name` is the file name of bytes: its suffix
    helps to distinguish text formats, and it becomes `Document.source`. `progress` is called with the number of pages
    read of a PDF or picture and the total. `budget` contains the limits beyond which an input is rejected. Files with a
    suffix that citewell does not read go to the plug-in for it (`citewell.readers`). `isolated` reads in a separate
    process, which a file can crash or keep busy without harm to this one, and which is held to the budget's time and
    memory. It costs a start of Python, for a PDF another one for each page whose rectangles are requested, and
    `progress` is then called in another thread, for some of many pages. `ocr` names the languages of scanned pages as
    Tesseract does ("eng", "deu+fra"); "auto" is English if `citewell[ocr]` and Tesseract are installed, "off" reads no
    pictures.

    Raises:
        EmptyDocumentError: the input has no bytes, or no text.
        EncryptedDocumentError: a password is needed.
        ScannedDocumentError: a PDF without a text layer, if OCR is not available or finds no words.
        CorruptDocumentError: the file is truncated or damaged, or the isolated process crashed.
        TooLargeDocumentError: the input exceeds a limit of the budget, or of nesting; the message names it.
        UsageError: `ocr` names languages that Tesseract does not have.
        UnsupportedFormatError: a directory, a picture without OCR, a program, or an unsupported format.
        DocumentError: the file is not there, or may not be read.
    """
    if isinstance(source, str) and ("\n" in source or len(source) > _LONGEST_PATH):
        budget.hold("input_bytes", len(source), name or "the text")
        return Document.from_text(source, source=name)
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif isinstance(source, str | os.PathLike):
        data, name = _load(Path(source), budget), name or str(source)
    elif hasattr(source, "read"):
        opened = getattr(source, "name", None)
        name = name or (opened if isinstance(opened, str) else None)
        data = _drain(source, name or "the stream", budget)
    else:
        raise DocumentError(f"cannot read a {type(source).__name__}: give a path, bytes or an open file")
    budget.hold("input_bytes", len(data), name or "the input")
    if isolated:
        from citewell.readers.isolated import read_isolated

        return read_isolated(data, name, budget, ocr, progress)
    try:
        if data and (reader := plugged(name)):
            return reader(data)
        return _dispatch(sniff(data, name, budget), data, name, progress, budget, ocr)
    except RecursionError as error:
        raise TooLargeDocumentError(f"{name or 'the input'} nests its parts too deep", "nesting") from error


def _dispatch(kind: Format, data: bytes, name: str | None, progress: Any, budget: Budget, ocr: str) -> Document:
    # Imported here: each format has its own libraries, and only the one that is needed is loaded.
    if kind == "pdf":
        from citewell.readers.pdf.pages import read_pdf

        return read_pdf(data, source=name, progress=progress, budget=budget, ocr=ocr)
    if kind == "picture":
        from citewell.readers.picture import read_picture
        from citewell.readers.sniff import picture

        return read_picture(data, source=name, progress=progress, budget=budget, ocr=ocr, seems=picture(data))
    match kind:
        case "docx":
            from citewell.readers.docx import read_docx as read_text
        case "xlsx":
            from citewell.readers.xlsx import read_xlsx as read_text
        case "pptx":
            from citewell.readers.pptx import read_pptx as read_text
        case "odt":
            from citewell.readers.odt import read_odt as read_text
        case "epub":
            from citewell.readers.epub import read_epub as read_text
        case "mail":
            from citewell.readers.mail import read_mail as read_text
        case "html":
            from citewell.readers.html import read_html as read_text
        case "jats":
            from citewell.readers.jats import read_jats as read_text
        case "xml":
            from citewell.readers.jats import read_xml as read_text
        case "markdown":
            from citewell.readers.markdown import read_markdown as read_text
        case "citewell":
            return _saved(data)
        case _:
            from citewell.readers.plain import read_plain

            return read_plain(data, source=name, table=kind == "csv")
    return read_text(data, source=name, budget=budget)


def _saved(data: bytes) -> Document:
    import json

    from citewell.errors import CorruptDocumentError

    try:
        return Document.from_dict(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise CorruptDocumentError(f"a saved document that is not valid JSON: {error}") from error


def _load(path: Path, budget: Budget) -> bytes:
    try:
        if path.is_dir():
            raise UnsupportedFormatError(f"{path} is a directory: give one file")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            budget.hold("input_bytes", size, str(path))
            return file.read(budget.input_bytes + 1)  # a pipe has no size to ask for
    except FileNotFoundError as error:
        raise DocumentError(f"there is no file {str(path)!r}") from error
    except PermissionError as error:
        raise DocumentError(f"no permission to read {path}") from error
    except (OSError, ValueError) as error:
        raise DocumentError(f"{str(path)!r} cannot be read: {error}") from error


def _drain(stream: Any, name: str, budget: Budget) -> bytes:
    try:
        data = stream.read(budget.input_bytes + 1)
    except UnicodeDecodeError as error:
        raise DocumentError(f"{name} was opened as text but is not: open it in binary mode") from error
    except (OSError, ValueError) as error:
        raise DocumentError(f"{name} cannot be read: {error}") from error
    if data is None or len(data) == 0:
        raise EmptyDocumentError(f"{name} is empty")
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
