"""The ZIP of an Office file: its parts by their role, within a limit that is checked before anything is inflated."""

from __future__ import annotations

import io
import lzma
import posixpath
import struct
import zipfile
import zlib
from types import TracebackType
from typing import TYPE_CHECKING, Self

from citewell.errors import CorruptDocumentError, EncryptedDocumentError, TooLargeDocumentError
from citewell.readers.markup import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_EXPANDED = 512 << 20  # all parts together
MAX_PART = 128 << 20  # one part of XML, which takes about ten times as much in memory
_MEGABYTE = 1 << 20

# What zipfile raises for damaged bytes; RuntimeError is its word for a password.
BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    RuntimeError,  # NotImplementedError is one
)


class Package:
    """An Office file that is open for reading."""

    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self.warnings: list[str] = []
        self._relations: dict[str, str] | None = None
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except BROKEN_ZIP as error:
            raise CorruptDocumentError(f"{source} is a damaged or truncated DOCX: {error}") from error
        expanded = sum(member.file_size for member in self._zip.infolist())
        if expanded > MAX_EXPANDED:
            raise TooLargeDocumentError(
                f"{source} would expand to {expanded / _MEGABYTE:,.0f} MB, the limit is "
                f"{MAX_EXPANDED / _MEGABYTE:,.0f} MB: it is a ZIP bomb, or its pictures must go"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()

    def main(self) -> _Element:
        """The root of the document's text.

        Raises:
            CorruptDocumentError: there is none.
        """
        path = self._main_path()
        found = self._xml(path)
        if found is None:
            raise CorruptDocumentError(f"{self.source} is no Word document: it has no {path}")
        return found

    def part(self, role: str) -> _Element | None:
        """The root of the part that the text refers to as `styles`, `footnotes`, ...; None where there is none."""
        if self._relations is None:
            self._relations = self._related(self._main_path())
        return self._xml(self._relations[role]) if role in self._relations else None

    def core(self) -> _Element | None:
        """The root of the core properties."""
        return self._xml(self._related("").get("core-properties", "docProps/core.xml"))

    def _main_path(self) -> str:
        return self._related("").get("officeDocument", "word/document.xml")

    def _related(self, path: str) -> dict[str, str]:
        folder, base = posixpath.split(path)
        root = self._xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        related: dict[str, str] = {}
        for relation in root if root is not None else ():
            target = str(relation.get("Target", ""))
            if relation.get("TargetMode") != "External" and target:
                role = str(relation.get("Type", "")).rpartition("/")[2]
                place = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                related.setdefault(role, posixpath.normpath(place))
        return related

    def _xml(self, path: str) -> _Element | None:
        try:
            member = self._zip.getinfo(path)
        except KeyError:
            return None
        if member.flag_bits & 1:
            raise EncryptedDocumentError(f"{self.source} is a ZIP with a password: save it without one")
        if member.file_size > MAX_PART:
            raise TooLargeDocumentError(
                f"{self.source}: {path} would expand to {member.file_size / _MEGABYTE:,.0f} MB, "
                f"the limit is {MAX_PART / _MEGABYTE:,.0f} MB"
            )
        try:
            data = self._zip.read(member)
        except BROKEN_ZIP as error:
            raise CorruptDocumentError(f"{self.source} is damaged at {path}: {error}") from error
        return parse_xml(data, f"{self.source} ({path})", self.warnings)
