"""Adds documents to a library and removes them: one writer at a time, each change complete or not at all."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from citewell import readers
from citewell.document import Document
from citewell.errors import DocumentError, InputError, InUseError, LibraryError
from citewell.library import integrity, reading
from citewell.library.ahead import Ahead
from citewell.library.encoding import Encoder
from citewell.library.index import Index
from citewell.library.integrity import Damage, Repaired
from citewell.library.reading import File, Read, Taken
from citewell.library.search import postings
from citewell.library.search.arrays import Arrays
from citewell.library.search.postings import Segment, merge
from citewell.library.store import objects, records
from citewell.library.store.database import Database
from citewell.library.store.records import Entry, Failure
from citewell.library.store.tables import FILE
from citewell.readers import saved

_BATCH = 128  # documents that are published together, at most
_BATCH_PARAGRAPHS = 20_000


class Added(NamedTuple):
    """What became of sources.

    Attributes:
        added: new ones.
        replaced: those that had changed.
        unchanged: those that were there as they are.
        removed: those that are gone.
        failed: those that could not be read.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: tuple[Failure, ...] = ()

    def after(self, counts: Iterable[Mapping[str, int]]) -> Added:
        """With what earlier tries of the same sources did, which this one left as it is."""
        added = sum(count["added"] for count in counts)
        replaced = sum(count["replaced"] for count in counts)
        unchanged = max(0, self.unchanged - added - replaced)
        return self._replace(added=self.added + added, replaced=self.replaced + replaced, unchanged=unchanged)


def _name(source: Document | Read) -> str:
    """Under which name a document that is given is known."""
    return source.file.source if isinstance(source, Read) else source.source or source.id


class Writer:
    """Takes documents into a library, some at a time; only one works at a time.

    Attributes:
        counts: how many were added, replaced and left as they are until now.
    """

    def __init__(
        self,
        database: Database,
        index: Index,
        data: Mapping[str, Any] | None = None,
        labels: Iterable[str] | None = None,
        ahead: Ahead | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._database, self._index, self._encoder = database, index, encoder
        self._ahead = ahead or Ahead(None)
        self._data = None if data is None else reading.fields(data)
        self._labels = None if labels is None else tuple(sorted(set(labels)))
        with database.reading() as connection:
            self._known = {entry.source: entry for entry in records.entries(connection)}
            self._unread = {failure.source: failure for failure in records.failures(connection)}
        self._taken: list[Taken] = []
        self._failed: list[Failure] = []
        self.counts = {"added": 0, "replaced": 0, "unchanged": 0}

    def take(self, source: str | Document | Read) -> None:
        """Take one in, unless it is there as it is."""
        try:
            file, document = self._read(source)
            if document is None:
                self.counts["unchanged"] += 1
                return
            taken = reading.taken(document, file, *self._metadata(file.source))
            self._taken.append(taken._replace(arrays=self._encoded(taken.arrays, document)))
        except (LibraryError, InUseError):
            raise  # full, locked or damaged: not this document's fault
        except InputError as error:
            name = source if isinstance(source, str) else _name(source)
            now, (data, labels) = dt.datetime.now(dt.UTC), self._metadata(name)
            self._fail(Failure(records.storable(name), None, type(error).__name__, str(error), now, labels, data))
            return
        if len(self._taken) >= _BATCH or sum(len(taken.arrays["starts"]) for taken in self._taken) >= _BATCH_PARAGRAPHS:
            self._publish()

    def _encoded(self, arrays: Arrays, document: Document) -> Arrays:
        """The arrays of a document with its vectors, where the library is given an encoder."""
        return arrays if self._encoder is None else {**arrays, **self._encoder.arrays(document)}

    def _read(self, source: str | Document | Read) -> tuple[File, Document | None]:
        """A source's bytes, and the document in them unless it is there already."""
        if isinstance(source, Document):
            data = saved.dump(source)
            file = File(_name(source), data, hashlib.sha256(data).hexdigest())
        else:
            file = source.file if isinstance(source, Read) else reading.load(source)
        if self._as_it_is(file):
            return file, None
        with self._database.reading() as connection:
            kept = records.content(connection, file.content, reading.KIND)
        if kept is not None:
            return file, saved.load(kept, None if isinstance(source, Document) else file.data)
        if isinstance(source, str):
            document, data = self._ahead.read(file.data, file.source)
        else:
            document = source.document if isinstance(source, Read) else source
            data = saved.dump(document)
        with self._database.writing() as connection:
            records.keep(connection, file.content, reading.KIND, data)
            if not isinstance(source, Document):
                records.keep(connection, file.content, FILE, file.data)
        return file, document

    def wants(self, source: str) -> bool:
        """Whether a file has to be read: it is not there as it is, and nobody read the same bytes before."""
        try:
            file = reading.load(source)
        except DocumentError:
            return False
        with self._database.reading() as connection:
            return not self._as_it_is(file) and records.content(connection, file.content, reading.KIND) is None

    def _as_it_is(self, file: File) -> bool:
        before = self._known.get(file.source)
        wanted = (file.content, readers.VERSION, *self._metadata(file.source))
        return before is not None and (before.content, before.reader, before.data, before.labels) == wanted

    def _metadata(self, source: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """The fields and labels of a source: those that are given now, else those that it has or failed with."""
        before = self._known.get(source) or self._unread.get(source)
        data = (before.data if before else {}) if self._data is None else self._data
        labels = (before.labels if before else ()) if self._labels is None else self._labels
        return data, labels

    def _fail(self, failure: Failure) -> None:
        self._failed.append(failure)
        with self._database.writing() as connection:
            records.failed(connection, failure)

    def finish(self) -> Added:
        """Publish what is left, make vectors that are not there yet, merge, and take away what a kill left behind."""
        self._publish()
        self._complete()
        self._merge()
        self._tidy()
        return Added(**self.counts, failed=tuple(self._failed))

    def _publish(self) -> None:
        """Let what was taken be found."""
        taken = {entry.entry.source: entry for entry in self._taken}
        self._taken = []
        if not taken:
            return
        gone = [self._known[source] for source in taken if source in self._known]
        with self._database.writing() as connection:
            numbers = records.numbers(connection, len(taken))
        parts = [
            Segment({**entry.arrays, "numbers": entry.arrays["numbers"] * 0 + number})
            for number, entry in zip(numbers, taken.values(), strict=True)
        ]
        new = self._index.write(merge(parts, [part.numbers > 0 for part in parts]))
        entries = [
            replace(entry.entry, number=number, segment=new[0].name)
            for number, entry in zip(numbers, taken.values(), strict=True)
        ]
        now = {entry.source: frozenset(entry.labels) for entry in entries}
        hidden = [entry.source for entry in gone if not now[entry.source].issubset(entry.labels)]
        self._replace(gone, entries, [new], forgotten=hidden)
        self.counts["replaced"] += len(gone)
        self.counts["added"] += len(taken) - len(gone)
        self._known.update((entry.source, entry) for entry in entries)

    def begin(self) -> None:
        """Hold the encoder against the one that the library names, or let it be named from now on.

        Raises EncoderError: another one made the vectors.
        """
        if self._encoder is None:
            return
        with self._database.reading() as connection:
            named = records.encoder(connection)
        if named is not None:
            self._encoder.hold(named, str(self._database))
            return
        kept = self._encoder.kept
        with self._database.writing() as connection:
            records.set_encoder(connection, kept)

    def _complete(self) -> None:
        """Give vectors to documents that were taken in without an encoder, some at a time."""
        if self._encoder is None:
            return
        with self._database.reading() as connection:
            names = [kept.name for kept in records.segments(connection)]
        for begun in names:
            name = begun
            while (done := self._encode_some(name)) is not None:
                name = done

    def _encode_some(self, name: str) -> str | None:
        """Give vectors to some documents of a segment; its name thereafter, None where all have them."""
        with self._database.reading() as connection:
            segment = self._index.opened(connection, name)
            missing = segment.numbers[segment.unencoded][:_BATCH].tolist()
            if not missing:
                return None
            documents = {
                entry.number: reading.loaded(connection, entry, None)
                for entry in records.entries(connection, number=missing)
            }
        parts = [
            Segment(self._encoded(postings.of_document(number, document), document))
            for number, document in documents.items()
        ]
        others = ~np.isin(segment.numbers, missing)
        whole = merge([segment, *parts], [others, *(part.numbers > 0 for part in parts)])
        new = self._index.write(whole)
        with self._database.writing() as connection:
            self._index.publish(connection, [new], {name})
        self._tidy()
        return new[0].name

    def repair(self, damaged: Sequence[Damage]) -> Repaired:
        """Read damaged documents again from their files, and make the index anew where a file of it is damaged."""
        lost, again = [], []
        for damage in damaged:
            if damage.part != "document":
                continue
            with self._database.reading() as connection:
                data = integrity.read_again(connection, damage.entry)
            if data is None:
                lost.append(damage)
                continue
            with self._database.writing() as connection:
                records.keep(connection, damage.entry.content, reading.KIND, data)
            again.append(damage.entry.source)
        indexed = self.rebuild({damage.entry.number for damage in lost}) if damaged else 0
        return Repaired(tuple(again), indexed, tuple(lost))

    def rebuild(self, without: Collection[int] = ()) -> int:
        """Make all segments anew from the documents that are kept, with vectors by this encoder; how many documents.

        Args:
            without: the numbers of documents that cannot be indexed, as nothing whole is kept of them.
        """
        with self._database.reading() as connection:
            old = {kept.name for kept in records.segments(connection)}
        entries = [
            entry for entry in sorted(self._known.values(), key=attrgetter("number")) if entry.number not in without
        ]
        new = []
        for start in range(0, len(entries), _BATCH):
            some = entries[start : start + _BATCH]
            with self._database.reading() as connection:
                documents = [reading.loaded(connection, entry, None) for entry in some]
            parts = [
                Segment(self._encoded(postings.of_document(entry.number, document), document))
                for entry, document in zip(some, documents, strict=True)
            ]
            new.append(self._index.write(merge(parts, [part.numbers > 0 for part in parts])))
        with self._database.writing() as connection:
            self._index.publish(connection, new, ())
            if new:  # a document without a place in the index still names a segment, so that it can be removed
                records.moved(connection, list(without), new[0][0].name)
            records.drop_segments(connection, old - {kept.name for kept, _ in new})
            if self._encoder is not None:
                records.set_encoder(connection, self._encoder.kept)
        self._tidy()
        self._merge()
        return len(entries)

    def remove(self, gone: Sequence[Entry]) -> int:
        """Take documents out, unless the store of their files is lost.

        Raises StoreUnreachableError: it is; everything is as it was.
        """
        if gone:
            with self._database.reading() as connection:
                objects.removable(connection, gone)
            self._replace(gone, [], [], forgotten={entry.source for entry in gone})
        for entry in gone:
            self._known.pop(entry.source, None)
        self._tidy()
        return len(gone)

    def _replace(
        self,
        gone: Sequence[Entry],
        entries: Sequence[Entry],
        new: list[tuple[records.Kept, bytes | None]],
        *,
        forgotten: Collection[str],
    ) -> None:
        """One change: documents go, others come; segments of those that go are written anew without them.

        `forgotten` are the sources that kept results may no longer quote: who read them may read them no more.
        """
        numbers = {entry.number for entry in gone}
        with self._database.reading() as connection:
            current = records.entries(connection, number=numbers) if numbers else []
            touched = {entry.segment for entry in current}
            rest = [self._index.without(connection, numbers, name) for name in sorted(touched)]
        kept = [self._index.write(values) for values in rest if values is not None]
        with self._database.writing(forget=bool(gone)) as connection:
            for segment, data in (*new, *kept):
                if segment.name not in {known.name for known in records.segments(connection)}:
                    records.add_segment(connection, segment, data)
            records.delete(connection, gone, forgotten=forgotten)
            records.insert(connection, entries)
            records.mended(connection, [entry.source for entry in entries])
            records.gone(connection, [entry.source for entry in gone])
            self._index.publish(connection, kept, touched)
        self._tidy()

    def _tidy(self) -> None:
        """Take away files of segments that count no more."""
        with self._database.reading() as connection:
            names = {kept.name for kept in records.segments(connection)}
        self._index.tidy(names)

    def _merge(self) -> None:
        """Make one segment of many, while there are too many of about one size."""
        while True:
            with self._database.reading() as connection:
                groups = self._index.crowded(records.segments(connection))
                if not groups:
                    return
                merged = self._index.write(self._index.merged(connection, groups[0]))
            with self._database.writing() as connection:
                self._index.publish(connection, [merged], {kept.name for kept in groups[0]})
            self._tidy()
