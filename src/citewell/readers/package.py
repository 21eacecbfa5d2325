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

from citewell.errors import CorruptDocumentError, EncryptedDocumentError
from citewell.readers.budget import EXPANSION_FLOOR, Allowance, refusal
from citewell.readers.markup import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

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


# The two ways in which Office packs; others expand thousandfold in one step.
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


def open_zip(data: bytes, allowance: Allowance) -> zipfile.ZipFile:
    """A ZIP whose members, as it says itself, stay within the budget.

    Raises:
        CorruptDocumentError: it is damaged.
        TooLargeDocumentError: it has too many members, or they would expand too far.
    """
    budget, what = allowance.budget, allowance.what
    budget.hold("members", data.count(b"PK\1\2"), what)  # zipfile would make an object of each
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN_ZIP as error:
        raise CorruptDocumentError(f"{what} is a damaged or truncated ZIP (or DOCX): {error}") from error
    budget.hold("expanded_bytes", sum(member.file_size for member in archive.infolist()), what)
    return archive


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, allowance: Allowance, most: int = -1) -> bytes:
    """The first `most` bytes of a member, all without; never more than it says that it has.

    Raises:
        CorruptDocumentError: it is damaged.
        EncryptedDocumentError: a password is needed.
        TooLargeDocumentError: it would expand beyond the budget.
    """
    budget, what = allowance.budget, f"{allowance.what}: {member.filename}"
    if member.flag_bits & 1:
        raise EncryptedDocumentError(f"{allowance.what} is a ZIP with a password: save it without one")
    if member.compress_type not in _METHODS:
        raise CorruptDocumentError(f"{what} is packed in a way that no Office program uses")
    if most < 0:
        most = member.file_size
        budget.hold("part_bytes", most, what)
        ratio = -(-most // max(1, member.compress_size))
        if most > EXPANSION_FLOOR and ratio > budget.expansion:
            raise refusal("expansion", ratio, budget.expansion, what)
    try:
        with archive.open(member) as file:
            return file.read(most)  # bounded: the size that a member states of itself may be a lie
    except BROKEN_ZIP as error:
        raise CorruptDocumentError(f"{allowance.what} is damaged at {member.filename}: {error}") from error


class Package:
    """An Office file that is open for reading."""

    def __init__(self, data: bytes, allowance: Allowance) -> None:
        self.allowance, self.source = allowance, allowance.what
        self.warnings: list[str] = []
        self._relations: dict[str, str] | None = None
        self._read = 0
        self._zip = open_zip(data, allowance)

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
        root = self._xml(path)
        if root is None:
            raise CorruptDocumentError(f"{self.source} is no Word document: it has no {path}")
        return root

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
        data = read_member(self._zip, member, self.allowance)
        self._read += len(data)  # several roles may name one part, which is read for each
        self.allowance.budget.hold("expanded_bytes", self._read, self.source)
        return parse_xml(data, self.allowance._replace(what=f"{self.source} ({path})"), self.warnings)
