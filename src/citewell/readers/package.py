"""The ZIP of an Office file: its parts by role, within a limit that is checked before decompression."""

from __future__ import annotations

import io
import lzma
import posixpath
import struct
import zipfile
import zlib
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from citewell.errors import CorruptDocumentError, EncryptedDocumentError
from citewell.readers.budget import EXPANSION_FLOOR, Allowance, refusal
from citewell.readers.markup import parse_xml
from citewell.readers.titles import names_nothing

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

    Raises CorruptDocumentError: it is damaged; TooLargeDocumentError: it has too many members, or they would expand too
    far.
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

    Raises CorruptDocumentError: it is damaged; EncryptedDocumentError: a password is needed; TooLargeDocumentError: it
    would expand beyond the budget.
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


class Relation(NamedTuple):
    """What one part says of another: in which role it refers to it, and where that is."""

    role: str
    path: str


class Package:
    """An Office file, or another ZIP of XML, that is open for reading. `kind` and `main` say what is expected."""

    def __init__(
        self, data: bytes, allowance: Allowance, kind: str = "Word document", main: str = "word/document.xml"
    ) -> None:
        self.allowance, self.source = allowance, allowance.what
        self.warnings: list[str] = []
        self._kind, self._main = kind, main
        self._relations: dict[str, dict[str, Relation]] = {}
        self._read = 0
        self._zip = open_zip(data, allowance)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()

    @property
    def main_path(self) -> str:
        """Where the part that everything hangs on is."""
        return self._by_role("", "officeDocument") or self._main

    def main(self) -> _Element:
        """The root of the document's text. Raises CorruptDocumentError: there is none."""
        return self.needed(self.main_path)

    def needed(self, path: str) -> _Element:
        """The root of a part without which there is no document. Raises CorruptDocumentError: there is none."""
        root = self.xml(path)
        if root is None:
            raise CorruptDocumentError(f"{self.source} is no {self._kind}: it has no {path}")
        return root

    def part(self, role: str, of: str | None = None) -> _Element | None:
        """The root of what a part, that of the text unless it is named, refers to as `styles`, ...; None for none."""
        path = self._by_role(self.main_path if of is None else of, role)
        return self.xml(path) if path else None

    def title(self, path: str | None = None) -> str | None:
        """The title of a part about the document, the core properties where None; None where none says anything."""
        about = self.xml(path or self._by_role("", "core-properties") or "docProps/core.xml")
        element = next(about.iter("{*}title"), None) if about is not None else None
        text = (element.text or "").strip() if element is not None else ""
        return None if names_nothing(text) else text

    def _by_role(self, path: str, role: str) -> str | None:
        return next((relation.path for relation in self.relations(path).values() if relation.role == role), None)

    def relations(self, path: str) -> dict[str, Relation]:
        """What a part refers to inside the file, by the names that it uses."""
        if path not in self._relations:
            folder, base = posixpath.split(path)
            root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
            related: dict[str, Relation] = {}
            for number, relation in enumerate(root if root is not None else ()):
                target = str(relation.get("Target", ""))
                if relation.get("TargetMode") != "External" and target:
                    role = str(relation.get("Type", "")).rpartition("/")[2]
                    place = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                    related.setdefault(str(relation.get("Id", number)), Relation(role, posixpath.normpath(place)))
            self._relations[path] = related
        return self._relations[path]

    def names(self) -> list[str]:
        """The parts of the file."""
        return self._zip.namelist()

    def content(self, path: str) -> bytes | None:
        """The bytes of a part, None where there is none."""
        try:
            member = self._zip.getinfo(path)
        except KeyError:
            return None
        data = read_member(self._zip, member, self.allowance)
        self._read += len(data)  # several roles may name one part, which is read for each
        self.allowance.budget.hold("expanded_bytes", self._read, self.source)
        return data

    def xml(self, path: str) -> _Element | None:
        """The root of a part, None where there is none."""
        data = self.content(path)
        if data is None:
            return None
        return parse_xml(data, replace(self.allowance, what=f"{self.source} ({path})"), self.warnings)
