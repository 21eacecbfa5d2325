"""EPUB: the book's files in the order of its spine, through the HTML reader; chapter names from the contents."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from citewell.document import Document
from citewell.errors import CorruptDocumentError, EmptyDocumentError, EncryptedDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.decode import decode
from citewell.readers.html import Walker, declared_charset, parse
from citewell.readers.markup import name
from citewell.readers.package import Package

if TYPE_CHECKING:
    from lxml.etree import _Element

_TEXTS = frozenset({"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document"})
# Ways to make fonts unusable outside the book, which hide no text.
_FONTS = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_LONGEST_LABEL = 200


class _Item(NamedTuple):
    """A file of the book: its path in the ZIP, its type, what the manifest says of it."""

    path: str
    type: str
    properties: frozenset[str]


def read_epub(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """An EPUB book, version 2 or 3. Its list of contents and its cover's picture stay out.

    Raises DocumentError: as `citewell.read`.
    """
    allowance = Allowance(budget, len(data), source or "the book")
    with Package(data, allowance, "EPUB book", "META-INF/container.xml") as package:
        reader = _Reader(package)
        reader.spine()
    if not reader.builder.blocks:
        raise EmptyDocumentError(f"{allowance.what} has no text: its pages may be pictures")
    return reader.builder.document(title=reader.title, source=source)


class _Reader:
    def __init__(self, package: Package) -> None:
        self.builder = Builder(package.allowance)
        self._package, self._what = package, package.source
        container = package.needed("META-INF/container.xml")
        rootfile = next(container.iter("{*}rootfile"), None)
        path = unquote(str(rootfile.get("full-path", ""))) if rootfile is not None else ""
        if not path:
            raise CorruptDocumentError(f"{self._what} is no EPUB book: META-INF/container.xml names no contents")
        self._folder = posixpath.dirname(path)
        self._opf = package.needed(posixpath.normpath(path))
        title = next(self._opf.iter("{http://purl.org/dc/elements/1.1/}title"), None)
        self.title = " ".join("".join(title.itertext()).split()) or None if title is not None else None
        self._items = self._manifest()
        self._labels = self._contents()
        self._locked = self._encrypted()

    def spine(self) -> None:
        """Append the files of the spine, each once."""
        visited: set[str] = set()
        missing: list[str] = []
        for reference in self._opf.iterfind("{*}spine/{*}itemref"):
            item = self._items.get(str(reference.get("idref")))
            if item is None or item.path in visited or "nav" in item.properties or item.type not in _TEXTS:
                continue
            visited.add(item.path)
            if item.path in self._locked:
                raise EncryptedDocumentError(
                    f"{self._what} is locked (DRM): only the programs of its shop can open it, give a copy without"
                )
            content = self._package.content(item.path)
            if content is None:
                missing.append(item.path)
            else:
                self._append(item.path, content)
        if missing:
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            self.builder.warnings.append(f"files of the book are missing: {', '.join(missing[:3])}{more}")
        self.builder.warnings += self._package.warnings

    def _append(self, path: str, content: bytes) -> None:
        what = f"{self._what} ({path})"
        self._package.allowance.tags(content, what)
        text, warnings = decode(content, declared_charset(content))
        root = parse(text, what)
        if root is None:
            return
        self._package.warnings += warnings
        label = self._labels.get(path, "")
        if label and next(root.iter("h1", "h2", "h3", "h4", "h5", "h6"), None) is None and _has_text(root):
            self.builder.add(label, "heading", 1)
        Walker(self.builder).walk(root)

    def _manifest(self) -> dict[str, _Item]:
        items: dict[str, _Item] = {}
        for element in self._opf.iterfind("{*}manifest/{*}item"):
            path = self._place(str(element.get("href", "")), self._folder)
            properties = frozenset(str(element.get("properties", "")).split())
            items.setdefault(
                str(element.get("id")), _Item(path, str(element.get("media-type", "")).lower(), properties)
            )
        return items

    def _place(self, address: str, folder: str) -> str:
        return posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))

    def _contents(self) -> dict[str, str]:
        """What the list of contents calls each file: that of version 3, else that of version 2."""
        labels: dict[str, str] = {}
        for item in self._items.values():
            if "nav" in item.properties and (content := self._package.content(item.path)):
                self._package.allowance.tags(content, self._what)
                root = parse(decode(content)[0], self._what)
                lists = list(root.iter("nav")) if root is not None else []
                navigation = [part for part in lists if "toc" in str(part.get("epub:type", "")).split()] or lists[:1]
                for link in navigation[0].iter("a") if navigation else ():
                    self._label(labels, item.path, link.get("href"), "".join(link.itertext()))
        if labels:
            return labels
        for item in self._items.values():
            if item.type == "application/x-dtbncx+xml" and (ncx := self._package.xml(item.path)) is not None:
                for point in ncx.iter("{*}navPoint"):
                    text, target = point.find("{*}navLabel/{*}text"), point.find("{*}content")
                    if text is not None and target is not None:
                        self._label(labels, item.path, target.get("src"), "".join(text.itertext()))
        return labels

    def _label(self, labels: dict[str, str], of: str, address: str | None, label: str) -> None:
        text = " ".join(label.split())[:_LONGEST_LABEL]
        if address and text:
            labels.setdefault(self._place(str(address), posixpath.dirname(of)), text)

    def _encrypted(self) -> frozenset[str]:
        root = self._package.xml("META-INF/encryption.xml")
        locked: set[str] = set()
        for part in root.iter("{*}EncryptedData") if root is not None else ():
            method = part.find("{*}EncryptionMethod")
            if method is None or method.get("Algorithm") not in _FONTS:
                locked |= {
                    self._place(str(reference.get("URI", "")), "") for reference in part.iter("{*}CipherReference")
                }
        return frozenset(locked)


def _has_text(root: _Element) -> bool:
    body = next((part for part in root.iter("body") if name(part) == "body"), root)
    return any(re.search(r"\S", text) for text in body.itertext())
