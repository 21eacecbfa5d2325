"""The documents in a library's database, read and written within the caller's transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import sqlalchemy as sa

from citewell.library.store import tables

_MANY = 500  # names in one statement: databases bound how many values it may have
_UNSTORABLE = {
    0: "\ufffd",
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}  # PostgreSQL takes no null, UTF-8 no halves


def storable(text: str) -> str:
    """A text as every database takes it."""
    return text.translate(_UNSTORABLE)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a library knows of a document without its text.

    Attributes:
        number: the library's own name for it, never given twice.
        source: the path or name it came from, under which it is known.
        id: of the text, as in `Document.id`; `sha256` likewise.
        content: the hash of the bytes that were read.
        reader: the version of the readers that read them.
        year: that its title or name tells, None where none does.
        language: of its text, as two letters.
        data: the user's own fields.
        labels: what a caller must carry, all of them, to see it.
        added: when.
        size: bytes that were read.
        segment: the arrays that its paragraphs are in.
    """

    number: int
    source: str
    id: str
    sha256: str
    content: str
    reader: str
    title: str | None
    pages: int | None
    characters: int
    year: int | None
    language: str
    details: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    added: dt.datetime = field(default_factory=lambda: dt.datetime.now(dt.UTC))
    size: int = 0
    segment: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, without what only the library needs."""
        kept = {name: value for name, value in asdict(self).items() if name not in ("number", "reader", "segment")}
        return kept | {"labels": list(self.labels), "warnings": list(self.warnings), "added": self.added.isoformat()}


class Failure(NamedTuple):
    """A source that could not be read, and why.

    `labels` are what a caller must carry to be told, `data` the user's own fields of the document that it would be.
    """

    source: str
    content: str | None
    type: str
    message: str
    at: dt.datetime
    labels: tuple[str, ...] = ()
    data: Mapping[str, Any] = MappingProxyType({})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        kept = {"at": self.at.isoformat(), "labels": list(self.labels), "data": dict(self.data)}
        return {**self._asdict(), **kept}


class Kept(NamedTuple):
    """A segment of the index as the database names it."""

    name: str
    documents: int
    paragraphs: int
    size: int


class EncoderRow(NamedTuple):
    """What a library keeps of its encoder.

    Attributes:
        name: its spec, without where and how fast it works.
        dimensions: of its vectors.
        probe: its vector of a fixed sentence as float32, which tells other weights under the same name.
    """

    name: str
    dimensions: int
    probe: bytes


def generation(connection: sa.Connection) -> int:
    """How often what can be found has changed."""
    return int(connection.scalar(sa.select(tables.state.c.generation)) or 0)


def changed(connection: sa.Connection) -> None:
    """Count one more change."""
    connection.execute(sa.update(tables.state).values(generation=tables.state.c.generation + 1))


def numbers(connection: sa.Connection, count: int) -> range:
    """So many numbers that no document had."""
    first = int(connection.scalar(sa.select(tables.state.c.next)) or 1)
    connection.execute(sa.update(tables.state).values(next=first + count))
    return range(first, first + count)


def entries(connection: sa.Connection, **wanted: Collection[Any]) -> list[Entry]:
    """The documents by number; `wanted` names columns and the values of them that count."""
    table = tables.documents
    if not wanted:
        return [_entry(row) for row in connection.execute(sa.select(table).order_by(table.c.number)).mappings()]
    ((column, values),) = wanted.items()
    collected: list[Entry] = []
    for some in _some(values):
        rows = connection.execute(sa.select(table).where(table.c[column].in_(some))).mappings()
        collected.extend(_entry(row) for row in rows)
    return sorted(collected, key=lambda entry: entry.number)


def entries_behind(connection: sa.Connection, number: int) -> list[Entry]:
    """The documents with a higher number, by number."""
    table = tables.documents
    rows = connection.execute(sa.select(table).where(table.c.number > number).order_by(table.c.number))
    return [_entry(row) for row in rows.mappings()]


def _entry(row: Mapping[Any, Any]) -> Entry:
    added: dt.datetime = row["added"]
    return Entry(
        **{name: row[name] for name in row if name not in ("labels", "warnings", "added")},
        labels=tuple(row["labels"]),
        warnings=tuple(row["warnings"]),
        added=tables.zoned(added),
    )


def _some(values: Collection[Any]) -> Iterator[Sequence[Any]]:
    ordered = sorted(values)
    for start in range(0, len(ordered), _MANY):
        yield ordered[start : start + _MANY]


def insert(connection: sa.Connection, documents: Iterable[Entry]) -> None:
    """Put documents in."""
    rows = [asdict(entry) | {"labels": list(entry.labels), "warnings": list(entry.warnings)} for entry in documents]
    if rows:
        connection.execute(sa.insert(tables.documents), rows)


def moved(connection: sa.Connection, documents: Collection[int], segment: str) -> None:
    """Say that documents are now in another segment."""
    for some in _some(documents):
        table = tables.documents
        connection.execute(sa.update(table).where(table.c.number.in_(some)).values(segment=segment))


def delete(connection: sa.Connection, documents: Collection[Entry], *, forgotten: Collection[str]) -> None:
    """Take documents out, with contents that no other has; of the sources in `forgotten` kept results as well."""
    for some in _some({entry.number for entry in documents}):
        connection.execute(sa.delete(tables.documents).where(tables.documents.c.number.in_(some)))
    for some in _some(forgotten):
        entries = sa.select(tables.history_sources.c.history).where(tables.history_sources.c.source.in_(some))
        connection.execute(sa.delete(tables.histories).where(tables.histories.c.id.in_(entries)))
        quoting = sa.select(tables.correction_sources.c.correction).where(tables.correction_sources.c.source.in_(some))
        connection.execute(sa.delete(tables.corrections).where(tables.corrections.c.id.in_(quoting)))
    for some in _some({entry.content for entry in documents}):
        used = sa.select(tables.documents.c.content).where(tables.documents.c.content.in_(some))
        gone = tables.contents.c.content.in_(some) & tables.contents.c.content.not_in(used)
        _drop(connection, gone)


def gone(connection: sa.Connection, sources: Collection[str]) -> None:
    """Take sources out of collections where no document has them any more."""
    table = tables.collection_documents
    for some in _some(sources):
        there = sa.select(tables.documents.c.source).where(tables.documents.c.source.in_(some))
        connection.execute(sa.delete(table).where(table.c.source.in_(some) & table.c.source.not_in(there)))


def content(connection: sa.Connection, key: str, kind: str) -> bytes | None:
    """Bytes that are kept under a hash, None where they are not."""
    table = tables.contents
    value = connection.scalar(sa.select(table.c.data).where((table.c.content == key) & (table.c.kind == kind)))
    return None if value is None else bytes(value)


def keep(connection: sa.Connection, key: str, kind: str, data: bytes) -> None:
    """Keep bytes under a hash."""
    forget(connection, key, kind)
    connection.execute(sa.insert(tables.contents).values(content=key, kind=kind, data=data))


def unused(connection: sa.Connection) -> int:
    """Drop contents that no document has: what an interrupted `add` had read and was not asked for again."""
    return _drop(connection, _idle())


def kept_as(connection: sa.Connection, kind: str) -> list[str]:
    """The hashes under which something of a kind is kept."""
    table = tables.contents
    return list(connection.scalars(sa.select(table.c.content).where(table.c.kind == kind).order_by(table.c.content)))


def forget(connection: sa.Connection, key: str, kind: str) -> int:
    """Drop what is kept under a hash as this kind; how many rows."""
    table = tables.contents
    return connection.execute(sa.delete(table).where((table.c.content == key) & (table.c.kind == kind))).rowcount


def replaced(connection: sa.Connection, keys: Collection[str]) -> None:
    """Say that objects are gone: their files were put into the database anew."""
    for some in _some(keys):
        _part(connection, tables.contents.c.content.in_(some))


def moved_out(connection: sa.Connection, key: str) -> None:
    """Say that a file is an object now, unless it was removed meanwhile."""
    table = tables.contents
    if forget(connection, key, tables.FILE):
        written = (table.c.content == key) & (table.c.kind == tables.GONE)
        connection.execute(sa.update(table).where(written).values(kind=tables.OBJECT))


def _drop(connection: sa.Connection, contents: sa.ColumnElement[bool]) -> int:
    """Take contents out; objects are gone, until somebody has removed them from their store."""
    _part(connection, contents)
    return connection.execute(
        sa.delete(tables.contents).where(contents, tables.contents.c.kind != tables.GONE)
    ).rowcount


def _part(connection: sa.Connection, contents: sa.ColumnElement[bool]) -> None:
    table = tables.contents
    connection.execute(sa.update(table).where(contents, table.c.kind == tables.OBJECT).values(kind=tables.GONE))


def _idle() -> sa.ColumnElement[bool]:
    """Contents that no document has, and no failure that may be tried again."""
    tried = sa.select(tables.failures.c.content).where(tables.failures.c.content.is_not(None))
    content = tables.contents.c.content
    return content.not_in(sa.select(tables.documents.c.content)) & content.not_in(tried)


def segments(connection: sa.Connection) -> list[Kept]:
    """The segments of the index by name."""
    table = tables.segments
    rows = connection.execute(sa.select(table.c.name, table.c.documents, table.c.paragraphs, table.c.size))
    return sorted(Kept(*row) for row in rows)


def add_segment(connection: sa.Connection, kept: Kept, data: bytes | None) -> None:
    """Name a segment, with its bytes on a server."""
    connection.execute(sa.insert(tables.segments).values(**kept._asdict(), data=data))


def drop_segments(connection: sa.Connection, names: Collection[str]) -> None:
    """Forget segments."""
    for some in _some(names):
        connection.execute(sa.delete(tables.segments).where(tables.segments.c.name.in_(some)))


def segment_data(connection: sa.Connection, name: str) -> bytes | None:
    """The bytes of a segment that a server keeps."""
    return connection.scalar(sa.select(tables.segments.c.data).where(tables.segments.c.name == name))


def encoder(connection: sa.Connection) -> EncoderRow | None:
    """What made the vectors, None where there are none."""
    row = connection.execute(sa.select(tables.encoder)).first()
    return None if row is None else EncoderRow(row.name, row.dimensions, bytes(row.probe))


def set_encoder(connection: sa.Connection, encoder: EncoderRow) -> None:
    """Say what makes the vectors from now on."""
    connection.execute(sa.delete(tables.encoder))
    connection.execute(sa.insert(tables.encoder).values(**encoder._asdict()))
    changed(connection)


def failures(connection: sa.Connection) -> list[Failure]:
    """What could not be read."""
    rows = connection.execute(sa.select(tables.failures).order_by(tables.failures.c.source)).mappings()
    return [Failure(**{**row, "labels": tuple(row["labels"]), "at": tables.zoned(row["at"])}) for row in rows]


def failed(connection: sa.Connection, failure: Failure) -> None:
    """Remember that a source could not be read."""
    mended(connection, [failure.source])
    kept = {"labels": list(failure.labels), "data": dict(failure.data)}
    connection.execute(sa.insert(tables.failures).values(**{**failure._asdict(), **kept}))


def mended(connection: sa.Connection, sources: Collection[str]) -> None:
    """Forget failures, with contents that were kept for them alone."""
    table = tables.failures
    for some in _some(sources):
        contents = set(connection.scalars(sa.select(table.c.content).where(table.c.source.in_(some)))) - {None}
        connection.execute(sa.delete(table).where(table.c.source.in_(some)))
        if contents:
            _drop(connection, tables.contents.c.content.in_(contents) & _idle())
