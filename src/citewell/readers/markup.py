"""Shared by the readers of HTML and XML: element names, safe XML parsing, readable superscripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.entities import html5
from typing import TYPE_CHECKING, Any, TypeVar

from citewell.errors import CorruptDocumentError, TooLargeDocumentError, UnsupportedFormatError
from citewell.readers.budget import XML_DEPTH, Allowance
from citewell.readers.decode import decode

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T")
_STYLE_DEPTH = 32  # Word itself follows a style to its tenth ancestor or so
_DECLARED = re.compile(r"\A\s*<\?xml[^>]*\?>")
# Raised by style: filings print the number of a note so.
_RAISED = re.compile(r"vertical-align:\s*super|position:\s*relative;(?:[^;]*;)*?\s*top:\s*-\d")
_WORD_BEFORE = re.compile(r"[^\W\d_]{4}[”’)]?\Z")
_LONGEST_NOTE = 2  # digits: "page 1997" is never raised, and a longer number is a year or a figure
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def name(element: Any) -> str:
    """An element's name without its namespace, in lower case; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def tag(element: Any) -> str:
    """An element's name without its namespace; Word's names differ in case, so it is kept."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Any, path: str) -> str | None:
    """The `val` attribute of a descendant, in whichever namespace Word's strict or loose form put it."""
    child = element.find("/".join("{*}" + step for step in path.split("/")))
    if child is None:
        return None
    return next((str(content) for key, content in child.attrib.items() if str(key).rpartition("}")[2] == "val"), "")


def attribute(element: Any, name: str) -> str | None:
    """An attribute by its local name."""
    return next((str(content) for key, content in element.attrib.items() if str(key).rpartition("}")[2] == name), None)


def parse_xml(data: bytes, allowance: Allowance, warnings: list[str]) -> _Element:
    """The root of an XML file. Nothing is fetched, no entity of the file's own is expanded.

    Raises CorruptDocumentError: it is not well-formed; TooLargeDocumentError: it nests elements too deep or has too
    many, or its entities expand too far; UnsupportedFormatError: it draws text from other files through entities.
    """
    from lxml import etree

    source = allowance.what
    allowance.tags(data, source)

    def parse(content: bytes) -> _Element:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
        return etree.fromstring(content, parser)

    try:
        try:
            root = parse(data)
        except etree.XMLSyntaxError as error:
            if not any(sign in str(error) for sign in ("ncoding", "UTF-8", "Invalid character")):
                raise
            text, guessed = decode(data)
            allowed = _FORBIDDEN.sub("", _DECLARED.sub("", text))
            root = parse(allowed.encode("utf-8", "replace"))
            warnings += guessed or ["characters that XML does not allow were left out"]
    except etree.XMLSyntaxError as error:
        message = " ".join(str(error).replace("(<string>, ", "(").split())
        if "depth" in message:
            raise TooLargeDocumentError(
                f"{source} nests XML elements too deep (the limit is {XML_DEPTH})", "nesting"
            ) from error
        if "mplification" in message or "entity reference loop" in message:
            raise TooLargeDocumentError(f"{source} has entities that expand without end: refused") from error
        raise CorruptDocumentError(f"{source} is not well-formed XML, perhaps truncated: {message}") from error
    _resolve(root, allowance, warnings)
    return root


def _resolve(root: _Element, allowance: Allowance, warnings: list[str]) -> None:
    """Put the characters in place of entity references."""
    from lxml import etree

    declared: dict[str, str] = {}
    docinfo = root.getroottree().docinfo
    if docinfo.internalDTD is not None:
        for entity in docinfo.internalDTD.iterentities():
            declared[str(entity.name)] = str(entity.content or "")
    unknown: set[str] = set()
    source = allowance.what
    row: list[Any] = []  # references with nothing but text between them
    texts: list[str] = []
    for reference in list(root.iter(etree.Entity)):
        called = str(reference.text).strip("&;")
        if called in declared:
            text = declared[called]
            if not text:
                raise UnsupportedFormatError(f"{source} draws text from another file (entity {called!r}): refused")
            if "&" in text or "<" in text:
                raise TooLargeDocumentError(f"{source} has an entity that expands into others ({called!r}): refused")
        elif f"{called};" in html5:
            text = html5[f"{called};"]
        else:
            text = ""
            unknown.add(called)
        if row and reference.getprevious() is not row[-1]:
            _replace(row, texts)
            row, texts = [], []
        row.append(reference)
        texts.append(text + (reference.tail or ""))
    if row:
        _replace(row, texts)
    if unknown:
        warnings.append(f"unknown XML entities were left out: {', '.join(sorted(unknown)[:5])}")


def _replace(row: list[Any], texts: list[str]) -> None:
    """Put text in place of neighbours: at once, for text that is appended bit by bit is copied as often."""
    parent, before = row[0].getparent(), row[0].getprevious()
    for node in row:
        node.tail = None
        parent.remove(node)
    text = "".join(texts)
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text


def inherited(styles: Mapping[str, tuple[str | None, T]], key: str) -> Iterator[T]:
    """What a style and its ancestors say, the nearest first. Each style comes with the key of the one above it."""
    for _ in range(_STYLE_DEPTH):
        if key not in styles:
            return
        above, style = styles[key]
        yield style
        key = above or ""


def outermost(root: _Element, *kinds: str) -> Iterator[_Element]:
    """The descendants of these names that stand in no other of them: no text is met twice."""
    from lxml import etree

    events = etree.iterwalk(root, events=("start",), tag=["{*}" + kind for kind in kinds])
    for _, element in events:
        if element is not root:
            events.skip_subtree()
            yield element


def raised(element: _Element) -> bool:
    """Whether a superscript stands in another, which has told already what they are."""
    return next(element.iterancestors("{*}sup"), None) is not None


def superscript(element: _Element, kind: str) -> bool:
    """Whether an element is raised, by its name or by a style as in filings; of nested ones the outermost counts."""
    if kind == "sup":
        return not raised(element)
    style = element.get("style", "") if kind == "span" else ""
    return bool(_RAISED.search(style)) and not raised(element) and element.find(".//{*}sup") is None


def note_mark(element: _Element, before: str = "") -> bool:
    """Whether a superscript is the number of a note or reference that has no brackets of its own.

    A number is one where it is a link, or behind a whole word: "Net income1", but neither "km2" nor a power of ten.
    """
    text = re.sub(r"[\s,;–-]", "", "".join(element.itertext()))
    if not text.isdigit() and not (len(text) == 1 and text.isalpha()):
        return False
    if text.isdigit() and len(text) <= _LONGEST_NOTE and _WORD_BEFORE.search(before):
        return True
    parent = element.getparent()
    return any(True for _ in element.iter("a", "xref")) or (parent is not None and name(parent) in {"a", "xref"})


def before_superscript(element: _Element, before: str) -> str:
    """What must stand before a superscript, so that it does not melt into the word or number before it."""
    if note_mark(element, before):
        return "["
    return exponent_mark("".join(element.itertext()), before)


def exponent_mark(text: str, before: str) -> str:
    """The caret of an exponent: 10 and a raised 6 are not 106."""
    return "^" if before[-1:].isdigit() and re.fullmatch(r"\s*[-+−–]?\d+\s*", text) else ""
