"""E-mail: sender, recipients, date, subject, then the text; nested messages too, attachments by name."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from typing import Any

from citewell.document import Document
from citewell.errors import CorruptDocumentError, EmptyDocumentError, TooLargeDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.decode import decode
from citewell.readers.html import Walker, parse
from citewell.readers.plain import from_lines

_KEPT_HEADERS = ("From", "To", "Cc", "Date")
_LONGEST_HEADER = 10_000  # characters: an address book in "To" has fewer
_DEPTH = 30  # of parts in parts, messages in messages


def read_mail(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A message as mail programs save it (.eml). Attachments are named in the warnings.

    Raises DocumentError: as `citewell.read`.
    """
    what = source or "the message"
    budget.hold("members", data.count(b"\n--"), what)  # each would become a part
    try:
        message = BytesParser(policy=_Bounded()).parsebytes(data.lstrip(b"\r\n"))
    except (ValueError, LookupError, TypeError, AttributeError, IndexError) as error:
        raise CorruptDocumentError(f"{what} cannot be taken apart as an e-mail: {error}") from error
    reader = _Reader(Allowance(budget, len(data), what))
    reader.message(message, 1)
    if not reader.builder.blocks:
        raise EmptyDocumentError(f"{what} has no text")
    return reader.finished(_header(message, "Subject"), source)


class _Bounded(policy.Compat32):
    """The standard library's old policy, with an end to each header: it takes some apart in quadratic time."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """A header's name and value."""
        called, value = super().header_source_parse(sourcelines)
        return called, value[:_LONGEST_HEADER]


class _Reader:
    def __init__(self, allowance: Allowance) -> None:
        self.builder = Builder(allowance)
        self._attached: list[str] = []

    def finished(self, title: str, source: str | None) -> Document:
        """The document, which tells what was attached."""
        if self._attached:
            count = f"{len(self._attached)} attachment{'s were' if len(self._attached) > 1 else ' was'}"
            self.builder.warnings.append(
                f"{count} not read: {', '.join(self._attached[:20])}: save what you need and give it as a document"
            )
        return self.builder.document(title=title or None, source=source)

    def message(self, message: Message, depth: int) -> None:
        """Append a message: its subject as a heading, its headers, its text, then the messages inside it."""
        self.builder.add(_header(message, "Subject"), "heading", min(depth, 9))
        for called in _KEPT_HEADERS:
            value = _header(message, called)
            self.builder.add(f"{called}: {value}" if value else "", "list_item", 1)
        inner: list[Message] = []
        for part in self._texts(message, 0, inner):
            self._text(part)
        for forwarded in inner:
            self._deeper(depth)
            self.message(forwarded, depth + 1)

    def _deeper(self, depth: int) -> None:
        if depth >= _DEPTH:
            raise TooLargeDocumentError(
                f"{self.builder.allowance.what} nests parts deeper than {_DEPTH}: it is damaged or made to do harm",
                "nesting",
            )

    def _texts(self, part: Message, depth: int, inner: list[Message]) -> Iterator[Message]:
        """The parts that a person sees as the text: of the forms of one text the richest that is read."""
        self._deeper(depth)
        kind = part.get_content_type()
        payload: Any = part.get_payload()
        if kind == "message/rfc822" and isinstance(payload, list):
            inner += payload[:1]
        elif part.is_multipart() and isinstance(payload, list):
            if kind == "multipart/alternative":
                yield from self._richest(payload, depth, inner)
            elif kind in {"multipart/signed", "multipart/related"}:
                for number, child in enumerate(payload):
                    if number == 0:
                        yield from self._texts(child, depth + 1, inner)
                    elif kind == "multipart/related":
                        self._attach(child, unnamed=False)  # a picture of the text has a name at most for programs
            else:
                for child in payload:
                    yield from self._texts(child, depth + 1, inner)
        elif kind in {"text/plain", "text/html"} and not _is_attachment(part):
            yield part
        else:
            self._attach(part, unnamed=True)

    def _richest(self, forms: list[Message], depth: int, inner: list[Message]) -> Iterator[Message]:
        readable = [form for form in forms if form.is_multipart() or form.get_content_type() == "text/html"]
        plain = [form for form in forms if form.get_content_type() == "text/plain"]
        for form in [*readable[::-1], *plain]:
            parts = list(self._texts(form, depth + 1, inner))
            if any(_decoded(part).strip() for part in parts):
                yield from parts
                return

    def _attach(self, part: Message, *, unnamed: bool) -> None:
        filename = part.get_filename() if unnamed or _is_attachment(part) else None
        if filename or unnamed:
            size = len(_decoded(part))
            label_size = f"{size / (1 << 20):,.1f} MB" if size >= 1 << 20 else f"{max(1, round(size / 1024)):,} KB"
            label = " ".join(_readable(filename or "").split())[:200] or part.get_content_type()
            self._attached.append(f"{label} ({label_size})")

    def _text(self, part: Message) -> None:
        content = _decoded(part)
        text, warnings = decode(content, part.get_content_charset())
        self.builder.warnings += warnings
        if part.get_content_type() == "text/html":
            self.builder.allowance.tags(content, self.builder.allowance.what)
            root = parse(text, self.builder.allowance.what)
            if root is not None:
                Walker(self.builder).walk(root)
        elif text.strip():
            tidy = text.replace("\r\n", "\n").replace("\r", "\n")
            lines = from_lines(tidy, [])
            for block in lines.blocks:
                self.builder.add(
                    lines.text[block.start : block.end], block.kind, block.level + (block.kind == "heading")
                )


def _decoded(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError):
        return b""
    return payload if isinstance(payload, bytes) else b""


def _is_attachment(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _header(message: Message, called: str) -> str:
    return " ".join(_readable(str(message.get(called, ""))).split())


def _readable(value: str) -> str:
    """A header's value with its encoded words decoded."""
    value = value[:_LONGEST_HEADER]
    if "=?" not in value:
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        pieces: Any = decode_header(value)
    except (HeaderParseError, ValueError):
        return value
    return "".join(piece if isinstance(piece, str) else decode(piece, charset)[0] for piece, charset in pieces)
