"""Recognises a file's format: by its first bytes, ZIP members, XML root and tags; then by its suffix."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from citewell.errors import EmptyDocumentError, EncryptedDocumentError, UnsupportedFormatError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.decode import charset

Format = Literal[
    "pdf", "docx", "xlsx", "pptx", "odt", "epub", "mail", "html", "jats", "xml", "markdown", "plain", "csv", "json",
    "picture", "citewell",
]  # fmt: skip

_READ = (
    "PDF, DOCX, XLSX, PPTX, OpenDocument text, EPUB, HTML, e-mail, Markdown, JATS XML and plain text are read, "
    "pictures too where OCR is installed"
)
_HEAD = 4096

_PICTURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xff\xd8\xff", "a JPEG picture"),
    (0, b"GIF87a", "a GIF picture"),
    (0, b"GIF89a", "a GIF picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (8, b"WEBP", "a WebP picture"),
)
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (8, b"WAVE", "a WAV recording"),
    (8, b"AVI ", "an AVI film"),
    (4, b"ftyp", "an MP4, QuickTime or HEIF file"),
    (0, b"8BPS", "a Photoshop picture"),
    (0, b"\0\0\1\0", "an icon"),
    (0, b"AT&TFORM", "a DjVu document"),
    (0, b"ID3", "an MP3 recording"),
    (0, b"OggS", "an Ogg recording"),
    (0, b"fLaC", "a FLAC recording"),
    (0, b"\x1aE\xdf\xa3", "a Matroska or WebM film"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"\xcf\xfa\xed\xfe", "a program (Mach-O)"),
    (0, b"\xca\xfe\xba\xbe", "a program (Java class or Mach-O)"),
    (0, b"\0asm", "a program (WebAssembly)"),
    (0, b"\x1f\x8b", "gzip-compressed: unpack it first"),
    (0, b"BZh", "bzip2-compressed: unpack it first"),
    (0, b"\xfd7zXZ\0", "xz-compressed: unpack it first"),
    (0, b"\x28\xb5\x2f\xfd", "zstd-compressed: unpack it first"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"),
    (0, b"Rar!\x1a\x07", "a RAR archive: unpack it first"),
    (257, b"ustar", "a tar archive: unpack it first"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"PAR1", "a Parquet table"),
    (0, b"wOF", "a font"),
    (0, b"%!PS", "PostScript: convert it to PDF (ps2pdf)"),
    (0, b"{\\rtf", "RTF: save it as DOCX or PDF"),
)
_SHORT_MAGIC = ((b"MZ", "a Windows program"),)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_SUFFIXES: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mkd": "markdown",
    ".mdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
_MAIL_SUFFIXES = frozenset({"", ".eml", ".mht", ".mhtml"})
_HEADS = 1 << 16  # bytes of a message's headers that are looked at for what it is
_HEADER = re.compile(rb"[!-9;-~]{1,76}:")
_SIGNS = re.compile(
    rb"^(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To|X-Mailer)[ \t]*:", re.IGNORECASE | re.MULTILINE
)
_FROM = re.compile(rb"^From[ \t]*:", re.IGNORECASE | re.MULTILINE)
_TAGS = "html|head|body|div|p|h[1-6]|table|article|section|main|span|ul|ol|title|meta|script|style|nav|b|i|a|pre|br"
_HTML = re.compile(rf"<(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_SURELY_HTML = re.compile(r"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
_PROLOGUE = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->)++", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE\s+([\w:.-]++)[^\[>]*+(?:\[.*?\]\s*+)?>", re.DOTALL | re.IGNORECASE)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]")
_JATS = re.compile(
    r"<!DOCTYPE\s+article\s[^>]{0,500}(?:JATS|NLM)|<article-meta|<front[\s>]|jats\.nlm\.nih\.gov", re.IGNORECASE
)
_MARKDOWN = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"\[[^\[\]\n]{1,200}\]\([^)\s]{1,300}\)"),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE),
    re.compile(r"\*\*\S[^*\n]*\*\*"),
    re.compile(r"^[-*+] \S", re.MULTILINE),
)


def sniff(data: bytes, name: str | None = None, budget: Budget = DEFAULT) -> Format:
    """The format of `data`; `name` decides only between texts.

    Raises EmptyDocumentError: there are no bytes, or nothing but white space; EncryptedDocumentError: an Office file
    with a password; CorruptDocumentError: a ZIP that is truncated; TooLargeDocumentError: a ZIP beyond the budget;
    UnsupportedFormatError: anything that is not read; the text says what it seems to be.
    """
    what = name or "the input"
    if not data:
        raise EmptyDocumentError(f"{what} is empty (0 bytes)")
    if _is_pdf(data):
        return "pdf"
    if data[:4] in (b"PK\3\4", b"PK\5\6", b"PK\7\x08"):
        return _zip(data, Allowance(budget, len(data), what))
    if data.startswith(_OLE):
        _refuse_ole(data, what)
    if any(data.startswith(magic, offset) for offset, magic, _ in _PICTURES) or _is_bitmap(data):
        return "picture"
    for offset, magic, seems in _MAGIC:
        if data.startswith(magic, offset) and not (offset == 4 and b"\0" not in data[:4]):
            raise UnsupportedFormatError(f"{what} is {seems}; {_READ}")
    for magic, seems in _SHORT_MAGIC:
        if data.startswith(magic) and data[:256].count(0) > 3:
            raise UnsupportedFormatError(f"{what} is {seems}; {_READ}")
    known = charset(data)
    if known is None:
        if not data.strip(b" \t\r\n\f\v\0"):
            raise EmptyDocumentError(f"{what} has nothing but white space")
        _refuse_binary(data, what)
    suffix = PurePath(name or "").suffix.lower()
    if suffix in _MAIL_SUFFIXES and _is_mail(data, named=suffix != ""):
        return "mail"
    return _text(_head(data, known), name)


def _is_bitmap(data: bytes) -> bool:
    return data.startswith(b"BM") and data[:256].count(0) > 3


def picture(data: bytes) -> str:
    """What kind of picture these bytes are, in words."""
    return next((seems for offset, magic, seems in _PICTURES if data.startswith(magic, offset)), "a BMP picture")


def _head(data: bytes, known: tuple[str, int] | None) -> str:
    if known is None:
        return data[: 16 * _HEAD].decode("utf-8", "replace")
    text = data[known[1] : 16 * _HEAD].decode(known[0], "replace")
    return text.removeprefix("\ufeff")


def _is_pdf(data: bytes) -> bool:
    # Readers accept a PDF whose header stands anywhere in the first 1,024 bytes (ISO 32000-1, annex H.3.4.1).
    at = data[: 1024 + 5].find(b"%PDF-")
    if at < 0:
        return False
    return not data[:at].strip(b" \t\r\n\xef\xbb\xbf") or any(
        sign in data for sign in (b"startxref", b"endobj", b"%%EOF")
    )


def _zip(data: bytes, allowance: Allowance) -> Format:
    from citewell.readers.package import open_zip, read_member

    with open_zip(data, allowance) as archive:
        names = set(archive.namelist())
        mimetype = b""
        if "mimetype" in names:
            mimetype = read_member(archive, archive.getinfo("mimetype"), allowance, 100)
    if any(name.startswith("word/") for name in names):
        return "docx"
    kind = _packed(names, mimetype.decode("ascii", "replace"))
    if kind:
        return kind
    seems = _archive(names, mimetype.decode("ascii", "replace"))
    if seems is None:
        if "[Content_Types].xml" in names:
            return "docx"  # its parts may have other names; the reader says what is missing
        seems = "a ZIP archive: unpack it and give one file"
    raise UnsupportedFormatError(f"{allowance.what} is {seems}; {_READ}")


def _packed(names: set[str], mimetype: str) -> Format | None:
    """The format of a ZIP by its parts, and by the type that it names itself."""
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "ppt/presentation.xml" in names:
        return "pptx"
    if "epub" in mimetype or "META-INF/container.xml" in names:
        return "epub"
    return (
        "odt" if re.match(r"application/vnd\.oasis\.opendocument\.text(?:-template|-master)?\s*$", mimetype) else None
    )


def _archive(names: set[str], mimetype: str) -> str | None:
    if "opendocument" in mimetype:
        kind = mimetype.rsplit(".", 1)[-1]
        called = kind if re.fullmatch("[a-z-]{1,30}", kind) else "file"  # it is shown
        return f"an OpenDocument {called} (ODF): save it as DOCX or PDF"
    for prefix, seems in (
        ("xl/", "a binary Excel workbook (XLSB): save it as XLSX"),
        ("ppt/", "a PowerPoint file of another kind: save it as PPTX or PDF"),
        ("visio/", "a Visio drawing: save it as PDF"),
        ("Index/", "an Apple Pages, Numbers or Keynote file: export it as DOCX or PDF"),
        ("META-INF/MANIFEST.MF", "a Java archive"),
    ):
        if any(name.startswith(prefix) for name in names):
            return seems
    return None


def _refuse_ole(data: bytes, what: str) -> None:
    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if has("EncryptedPackage") or has("EncryptionInfo"):
        raise EncryptedDocumentError(f"{what} is an Office file with a password: save it without one")
    for stream, seems in (
        ("WordDocument", "an old Word file (.doc): save it as DOCX or PDF"),
        ("Workbook", "an old Excel file (.xls): save the sheet as CSV or PDF"),
        ("PowerPoint Document", "an old PowerPoint file (.ppt): save it as PDF"),
        ("__properties_version1.0", "an Outlook message (.msg): save it as text or HTML"),
    ):
        if has(stream):
            raise UnsupportedFormatError(f"{what} is {seems}; {_READ}")
    raise UnsupportedFormatError(f"{what} is an old Office file (OLE): save it as DOCX or PDF; {_READ}")


def _refuse_binary(data: bytes, what: str) -> None:
    sample = data[: 16 * _HEAD]
    controls = len(sample) - len(sample.translate(None, bytes([*range(9), *range(14, 27), *range(28, 32)])))
    # Random or compressed bytes have 10% control characters; a text with stray NULs has far fewer.
    if controls > max(3, len(sample) // 20):
        raise UnsupportedFormatError(f"{what} is binary data of an unknown kind, not a document; {_READ}")


def _text(head: str, name: str | None) -> Format:
    suffix = PurePath(name or "").suffix.lower()
    by_suffix = _SUFFIXES.get(suffix)
    start = head.removeprefix("\ufeff").lstrip()
    if start.startswith("<"):
        kind = _markup(start, suffix)
        if kind:
            return kind
    if start.startswith("{") and '"format": "citewell.document.1"' in start[:200]:
        return "citewell"
    if by_suffix == "html" and not _HTML.search(head):
        return "plain"  # a text that somebody named so: with a parser its line breaks would be lost
    if by_suffix:
        return by_suffix
    if suffix == "" and sum(bool(sign.search(head)) for sign in _MARKDOWN) >= 2:
        return "markdown"
    return "plain"


def _markup(start: str, suffix: str) -> Format | None:
    prologue = _PROLOGUE.match(start)
    inner = start[prologue.end() :] if prologue else start
    doctype = _DOCTYPE.match(inner)
    rest = inner
    if doctype:
        rest = inner[doctype.end() :]
        prologue = _PROLOGUE.match(rest)
        rest = rest[prologue.end() :] if prologue else rest
    match = _ROOT.match(rest)
    root = doctype[1] if doctype else match[1] if match else ""
    if root.lower() == "html" or (_SURELY_HTML.match(inner) and suffix != ".md"):
        return "html"
    xml = start.startswith("<?xml") or doctype is not None or suffix in {".xml", ".nxml", ".jats"}
    if root in {"article", "pmc-articleset", "OAI-PMH"} and (suffix == ".nxml" or _JATS.search(start)):
        return "jats"
    if xml or root == "svg":
        return "xml"
    if suffix in {"", ".html", ".htm", ".xhtml"} and (_HTML.match(inner) or _HTML.search(start[:1024])):
        return "html"
    if suffix == "" and root and f"</{root}>" in start:
        return "xml"
    return None


def _is_mail(data: bytes, *, named: bool = False) -> bool:
    """Whether bytes begin with the headers of a message; with the name of one, any header of one will do."""
    head = re.split(rb"\r?\n\r?\n|\r\r", data[:_HEADS].lstrip(), maxsplit=1)[0]
    if not _HEADER.match(head):
        return False
    return bool(_FROM.search(head) and _SIGNS.search(head)) or (
        named and bool(_FROM.search(head) or _SIGNS.search(head))
    )
