"""Reads files and folders into documents, each once, for a library."""

from __future__ import annotations

import calendar
import datetime as dt
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell import readers
from citewell.document import Document
from citewell.errors import CorruptDocumentError, DocumentError, InputError, LibraryError, UsageError, of_files
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.library.search import postings
from citewell.library.search.arrays import Arrays
from citewell.library.store import objects, records
from citewell.library.store.records import Entry, storable
from citewell.pipeline.overview import details as overview
from citewell.readers import saved
from citewell.text.words import language

if TYPE_CHECKING:
    import sqlalchemy as sa

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
SUFFIXES = frozenset(  # of what is taken from a folder; a file that is named itself may be called anything
    ".csv .docx .eml .epub .htm .html .json .jsonl .markdown .md .nxml .odt .pdf .pptx .rst .tsv .txt .xhtml .xlsx "
    ".xml".split()
)
KIND = f"document {readers.VERSION}"  # under which what the readers made of a file is kept


class File(NamedTuple):
    """A file's bytes and their hash."""

    source: str
    data: bytes
    content: str


class Read(NamedTuple):
    """A file that was read already, perhaps in another process, with its document."""

    file: File
    document: Document


class Taken(NamedTuple):
    """A document on its way into a library, with the arrays of its terms."""

    entry: Entry
    arrays: Arrays


def files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The files that paths name: a folder stands for what lies in it and below, of the kinds that are read.

    Raises InputError: a path is not there.
    """
    by_name: dict[str, None] = {}
    for values in paths:
        path = Path(values)
        if not path.exists():
            raise InputError(f"there is no file {str(path)!r}")
        by_name.update(dict.fromkeys(map(os.path.realpath, _below(path) if path.is_dir() else [path])))
    return list(by_name)


def expanded(sources: Iterable[str | os.PathLike[str] | Document | Read]) -> Iterator[str | Document | Read]:
    """Sources one by one, the files of a folder in its place. Raises InputError: a path is not there."""
    for source in sources:
        if isinstance(source, Document | Read):
            yield source
        else:
            yield from files([source])


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(place, name)


def load(source: str) -> File:
    """The bytes of a file. Raises DocumentError: it cannot be read."""
    with of_files(f"{source} cannot be read", DocumentError):
        data = Path(source).read_bytes()
    return File(source, data, hashlib.sha256(data).hexdigest())


def labelled(data: bytes, labels: Iterable[str]) -> str:
    """What names bytes for callers with these labels, and is another name for all others."""
    return hashlib.sha256("\0".join((*sorted(labels), hashlib.sha256(data).hexdigest())).encode()).hexdigest()


def whole(data: bytes, entry: Entry) -> bool:
    """Whether bytes are the file that was added, from a path or by a caller of a service."""
    return entry.content in (hashlib.sha256(data).hexdigest(), labelled(data, entry.labels))


def taken(document: Document, file: File, data: Mapping[str, Any], labels: tuple[str, ...]) -> Taken:
    """What a library keeps of a document; its number and segment are given when it is published."""
    title = document.title
    matches = _YEAR.findall(title or "") or _YEAR.findall(Path(file.source).name)
    arrays, known = postings.of_document(0, document), details(document)
    matches = matches or _YEAR.findall(known.get("period", "")) or _YEAR.findall(known.get("date", ""))
    entry = Entry(
        number=0,
        source=storable(file.source),
        id=document.id,
        sha256=document.sha256,
        content=file.content,
        reader=readers.VERSION,
        title=None if title is None else storable(title),
        pages=len(document.pages) or None,
        characters=len(document.text),
        year=int(matches[-1]) if matches else None,
        language=language(document.text[:20_000].split()),
        details=known,
        data=data,
        labels=labels,
        warnings=tuple(map(storable, document.warnings)),
        added=dt.datetime.now(dt.UTC),
        size=len(file.data),
    )
    return Taken(entry, arrays)


def details(document: Document) -> dict[str, str]:
    """What a document's first pages tell of it: `kind`, and where it says so `author`, `period`, and `date` as ISO."""
    if not document.blocks:
        return {}
    read = {"author": overview.author(document), "period": overview.period(document), "date": overview.date(document)}
    known = {name: storable(detail.text) for name, detail in read.items() if detail is not None}
    if "date" in known:
        known["date"] = _iso(known["date"])
    return known | {"kind": kind_of(document)}


def _iso(day: str) -> str:
    """A day as YYYY-MM-DD, or as it was where it is none."""
    words = re.findall(r"[A-Za-z]{3,}|\d+", day)
    months = [number for number in range(1, 13) for word in words if calendar.month_name[number] == word]
    numbers = sorted((int(word) for word in words if word.isdigit()), reverse=True)
    if len(months) == 1 and len(numbers) == 2 and 1 <= numbers[1] <= calendar.monthrange(numbers[0], months[0])[1]:
        return f"{numbers[0]:04d}-{months[0]:02d}-{numbers[1]:02d}"
    return day


def kept(connection: sa.Connection, entry: Entry) -> Document:
    """A document of the library, as it was read.

    Raises LibraryError: it was removed meanwhile, or what is kept of it is damaged; StoreUnreachableError: its file
    lies in a store that does not answer.
    """
    return loaded(connection, entry, objects.file(connection, entry.content))


def loaded(connection: sa.Connection, entry: Entry, file: bytes | None) -> Document:
    """A document of the library with the bytes of its file; without them nothing of it has a rectangle.

    Raises LibraryError: as in `kept`.
    """
    data = records.content(connection, entry.content, KIND)
    if data is None:
        raise LibraryError(f"the library no longer has {entry.source}: it was removed meanwhile")
    try:
        return saved.named(saved.load(data, file), entry.source)
    except CorruptDocumentError as error:
        raise damaged(entry, str(error)) from error


def damaged(entry: Entry, what: str) -> LibraryError:
    """The error of a document that cannot be used."""
    return LibraryError(f"{entry.source} ({entry.id}) is damaged: {what}; citewell library repair reads it again")


def fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """A user's own fields of a document, as they are kept.

    Raises UsageError: a name or value is none that can be filtered by.
    """
    for name, value in data.items():
        if not re.fullmatch(r"[A-Za-z_][\w.-]*", name):
            raise UsageError(f"a field of a document is called by letters, digits and _, not {name!r}")
        if not isinstance(value, str | int | float | bool | None):
            raise UsageError(f"the field {name} of a document is a text or a number, not {type(value).__name__}")
    return {name: storable(value) if isinstance(value, str) else value for name, value in data.items()}
