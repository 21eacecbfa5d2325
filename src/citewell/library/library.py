"""A library: documents read and indexed once, found by question, and asked as if they had been passed directly.

with Library("reports.library") as library:
    library.add(["reports/"])
    answer = library.ask("Which ferries lost money in 2024?", where="year >= 2023")
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from citewell import pipeline
from citewell.document import Document
from citewell.errors import LibraryError, UsageError, of_files
from citewell.library import ahead, asking, integrity, reading
from citewell.library.asking import Keep
from citewell.library.encoding import RETRIEVALS, Encoder, Meaning, Retrieval
from citewell.library.index import Index
from citewell.library.integrity import Damage, Repaired
from citewell.library.reading import Read
from citewell.library.search.rank import Hit
from citewell.library.snapshot import Snapshot
from citewell.library.store import objects, records
from citewell.library.store.database import FILE, Database, is_address
from citewell.library.store.records import Entry, Failure
from citewell.library.where import parse
from citewell.library.writing import Added, Writer
from citewell.text import segments
from citewell.text.data import settings
from citewell.types import Abstention, Answer, Verdict

if TYPE_CHECKING:
    import sqlalchemy as sa

Tell = Callable[[int, int], None]
Where = str | Keep | None  # which documents count: a condition as text, or whether one does


class Library:
    """Documents in a database, in a folder or on a server.

    Args:
        place: a folder, or the address of a PostgreSQL database (`postgresql://...`).
        labels: the caller's labels; documents with any other label do not exist for this caller.
        create: create the folder if it does not exist.
        encoder: computes vectors of paragraphs when documents are added: a dense retriever or its spec. Without it
            documents get no vectors, and questions use the encoder that the library names.
        retrieval: how to rank paragraphs: by words, by meaning, or both.
        scan: when ranking by meaning, compare all paragraphs, not only the best by words.
        files: where to store new files of documents (`s3://BUCKET/PREFIX`); None means in the database.

    Attributes:
        tables: the version of its tables.

    Raises:
        LibraryError: there is no library, or it cannot be used.
        SpecError: the encoder does not compute vectors.
        UsageError: the retrieval is unknown, or labels is a single text.
        SchemaVersionError: a newer citewell created it, or an older one did and it cannot be changed from here.
        UnreachableError: the server does not answer.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        *,
        labels: Iterable[str] = (),
        create: bool = False,
        encoder: Any = None,
        retrieval: Retrieval = "lexical",
        scan: bool = False,
        files: str | None = None,
    ) -> None:
        self.place, self.labels = str(place), _several(labels)
        if retrieval not in RETRIEVALS:
            raise UsageError(f"retrieval is {', '.join(RETRIEVALS)}, not {retrieval!r}")
        if scan and retrieval == "lexical":
            raise UsageError("a scan compares by meaning: retrieval is dense or hybrid")
        self._encoder = None if encoder is None else Encoder(encoder)
        self._retrieval: Retrieval = retrieval
        self._scan = scan
        folder = _cache(self.place) if is_address(self.place) else Path(self.place)
        if not is_address(self.place) and not (folder / FILE).is_file() and not create:
            raise LibraryError(
                f"{self.place} is no library: make one with citewell library add PATH --library {self.place}"
            )
        with of_files(f"{folder} cannot be made", LibraryError):
            folder.mkdir(parents=True, exist_ok=True)
        self.database = Database(self.place, folder, files)
        try:
            self.tables = self.database.migrate()
        except BaseException:
            self.database.close()
            raise
        self._index = Index(self.database)
        self._snapshot: Snapshot | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close files and connections."""
        self._snapshot = None
        self.database.close()

    def add(
        self,
        sources: Iterable[str | os.PathLike[str] | Document | Read],
        *,
        data: Mapping[str, Any] | None = None,
        labels: Iterable[str] | None = None,
        workers: int = 1,
        ray: str | None = None,
        tell: Tell | None = None,
    ) -> Added:
        """Read and index files, folders and documents; unchanged ones are skipped.

        Each document is stored as soon as it is read, so that a stopped `add` repeats nothing when it is run again.
        Failed files are recorded with their error and retried next time.

        Args:
            sources: paths, or documents, with or without their files.
            data: your own fields for all of them, for filtering; None keeps a document's existing fields.
            labels: the labels that a caller needs, all of them, to see these documents; None likewise.
            workers: reading processes; a single process adds their results, so that the library is the same.
            ray: the address of a Ray cluster for the workers, "local" or "auto".
            tell: called with (done, total as far as known) after each.

        Raises:
            InputError: a path does not exist.
            InUseError: another process changes the library.
        """
        wanted: Iterable[str | Document | Read] = reading.expanded(sources)
        total = 0
        before: list[Writer] = []

        def work() -> Added:
            with self.database.alone(), ahead.reading(workers, ray) as read:
                carried = None if labels is None else _several(labels)
                writer = Writer(self.database, self._index, data, carried, read, self._encoder)
                before.append(writer)
                writer.begin()
                for done, source in enumerate(read.sources(wanted, writer.wants), start=1):
                    writer.take(source)
                    if tell:
                        tell(done, max(done, total))
                return writer.finish()

        if not isinstance(sources, Sequence):  # they come one by one, need not all be held, and do not come again
            return work()
        wanted = list(wanted)
        total = len(wanted)
        added = self.database.again(work)
        return added.after([writer.counts for writer in before[:-1]])

    def refresh(self, *, tell: Tell | None = None) -> Added:
        """Read changed files again, and remove documents whose file is gone.

        Raises:
            InUseError: another process changes the library.
        """
        with self.database.alone():
            with self.database.reading() as connection:
                entries = records.entries(connection)
                failed = [failure.source for failure in records.failures(connection)]
            writer = Writer(self.database, self._index, encoder=self._encoder)
            writer.begin()
            known = [entry for entry in entries if Path(entry.source).is_absolute()]
            gone = [entry for entry in known if not Path(entry.source).exists()]
            there = [entry.source for entry in known if Path(entry.source).exists()]
            again = [source for source in failed if Path(source).is_absolute() and Path(source).exists()]
            for done, source in enumerate((*there, *again), start=1):
                writer.take(source)
                if tell:
                    tell(done, len(there) + len(again))
            result = writer.finish()
            removed = writer.remove(gone)
            with self.database.writing() as connection:
                records.mended(connection, [source for source in failed if not Path(source).exists()])
                records.unused(connection)
            return result._replace(removed=removed)

    def rebuild(self) -> int:
        """Rebuild the index from the documents if a file of it is damaged or gone; returns the number of documents.

        Raises:
            InUseError: another process changes the library.
        """
        with self.database.alone():
            return Writer(self.database, self._index, encoder=self._encoder).rebuild()

    def verify(self) -> list[Damage]:
        """Read everything that is stored and compare it with its checksums; returns the damage, by document."""
        return integrity.damages(self.database, self._index)

    def repair(self) -> Repaired:
        """Read damaged documents again from their files, and rebuild the index if it is damaged.

        Raises:
            InUseError: another process changes the library.
        """
        with self.database.alone():
            return Writer(self.database, self._index, encoder=self._encoder).repair(self.verify())

    def remove(self, names: Iterable[str]) -> int:
        """Remove documents with everything made from them: text, index, saved results and corrections.

        Args:
            names: ids, sources, or file names that only one document has.

        Raises:
            LibraryError: no document has this name, or several have.
            InUseError: another process changes the library.
        """
        wanted = [entry for name in names for entry in self._named(name)]
        with self.database.alone():
            return Writer(self.database, self._index).remove(wanted)

    def entries(self, where: str | None = None) -> list[Entry]:
        """The documents that the caller may see, in the order in which they were added.

        Raises:
            UsageError: the condition cannot be parsed, or names a field that no document has.
        """
        keep = self.condition(where)
        return [entry for entry in self.snapshot().visible.values() if keep is None or keep(entry)]

    def failures(self) -> list[Failure]:
        """The files that could not be read, with the reasons, as far as the caller may see them."""
        with self.database.reading() as connection:
            return [failure for failure in records.failures(connection) if self.labels.issuperset(failure.labels)]

    def document(self, name: str) -> Document:
        """A document by its id, its source or its file name.

        Raises:
            LibraryError: there is no such document, or there are several.
        """
        return self.documents(self._named(name)[:1])[0]

    def search(self, question: str, k: int = 10, where: str | None = None) -> list[tuple[Entry, Hit]]:
        """The best `k` paragraphs of all documents for a question, best first.

        Raises:
            UsageError: the condition cannot be parsed, or names a field that no document has.
        """
        return self.snapshot().search(question, k, self.condition(where))

    def ask(self, question: str, *, where: str | None = None, most: int | None = None, **stages: Any) -> Answer:
        """Answer a question from the documents that it is about, or abstain; `stages` are those of `citewell.ask`.

        Args:
            question: in words.
            where: a condition on the documents, as in `citewell.library.where`.
            most: the number of documents to read.
            stages: settings of `citewell.ask`.

        Raises:
            UsageError: the condition cannot be parsed, or no document meets it.
        """
        documents = self._about([question], where, most)
        return pipeline.ask(documents, question, doubt=self.doubt(question, documents, where), **stages)

    def attribute(self, answer: str, *, where: str | None = None, most: int | None = None, **stages: Any) -> Answer:
        """Find the evidence for an existing answer; `stages` are those of `citewell.attribute`."""
        answers = [answer[start:end] for start, end in segments.statements(answer)] or [answer]
        return pipeline.attribute(self._about(answers, where, most), answer, **stages)

    def check(
        self, claims: str | Iterable[str], *, where: str | None = None, most: int | None = None, **stages: Any
    ) -> list[Verdict]:
        """Judge claims, each against the documents that it is about; `stages` are those of `citewell.check`."""
        texts = [claims] if isinstance(claims, str) else list(claims)
        return [
            verdict for text in texts for verdict in pipeline.check(self._about([text], where, most), text, **stages)
        ]

    def _about(self, texts: Iterable[str], where: str | None, most: int | None) -> list[Document]:
        return self.documents(self.about(texts, where, most))

    def about(self, texts: Iterable[str], where: Where = None, most: int | None = None) -> list[Entry]:
        """The documents that some texts are about, best first.

        Raises:
            UsageError: the condition cannot be parsed, or no document meets it.
        """
        values = [text for text in texts if text.strip()]
        if not values:
            raise UsageError("there is nothing to look for: the text is empty")
        snapshot, keep = self.snapshot(), self.condition(where)
        if not any(keep is None or keep(entry) for entry in snapshot.visible.values()):
            raise UsageError(f"{self.database} has no document" + (f" where {where}" if isinstance(where, str) else ""))
        count = int(settings("citewell.library")["documents"]) if most is None else most
        entries = asking.candidates(snapshot, values, count, keep)
        # Where no word is found anything is as good: the pipeline abstains from the first documents.
        rest = [entry for entry in snapshot.visible.values() if keep is None or keep(entry)][:1]
        return entries or rest

    def doubt(self, question: str, documents: Sequence[Document], where: Where = None) -> Abstention | None:
        """An abstention if the question could mean many of these documents and names none of them."""
        return asking.doubt(self.snapshot(), question, documents, self.condition(where))

    def condition(self, where: Where) -> Keep | None:
        """The condition that a text states, on fields that some document of the caller has; or one that is ready."""
        if isinstance(where, str):
            return parse(where).known(self.snapshot().visible.values()) if where else None
        return where

    def documents(self, entries: Sequence[Entry]) -> list[Document]:
        """The documents of entries.

        Raises:
            LibraryError: a document was removed meanwhile.
        """

        def work() -> list[Document]:
            with self.database.reading() as connection:
                return [reading.kept(connection, entry) for entry in entries]

        return self.database.again(work)

    def file(self, entry: Entry) -> bytes | None:
        """The bytes from which a document was read, None if it was passed as a document."""
        with self.database.reading() as connection:
            return objects.file(connection, entry.content)

    def generation(self) -> int:
        """How often what can be found has changed."""
        with self.database.reading() as connection:
            return records.generation(connection)

    def snapshot(self) -> Snapshot:
        """The library as it is now; the same until somebody changes it."""
        return self.database.again(self._now)

    def _now(self) -> Snapshot:
        while True:
            with self.database.reading() as connection:
                generation = records.generation(connection)
                if self._snapshot is not None and self._snapshot.generation == generation:
                    return self._snapshot
                try:
                    self._snapshot = self._snapshot_at(connection, generation)
                except LibraryError:
                    with self.database.reading() as later:
                        if records.generation(later) == generation:
                            raise
                    continue  # somebody changed it, and took away a file before it was opened
                return self._snapshot

    def _snapshot_at(self, connection: sa.Connection, generation: int) -> Snapshot:
        entries = {entry.number: entry for entry in records.entries(connection)}
        names = [kept.name for kept in records.segments(connection)]
        entry_by_key = {number: entry for number, entry in entries.items() if self.labels.issuperset(entry.labels)}
        named, mode = records.encoder(connection), self._retrieval
        meaning = Meaning(str(self.database), named, self._encoder, mode, self._scan)
        mixing = None if mode == "lexical" else meaning.mix
        segments = [self._index.opened(connection, name) for name in names]
        return Snapshot(generation, segments, entry_by_key, mixing)

    def _named(self, name: str) -> list[Entry]:
        entries = self.snapshot().visible.values()
        path = os.path.realpath(name)
        for matches in (
            [entry for entry in entries if entry.id == name],
            [entry for entry in entries if entry.source in (name, path)],
            [entry for entry in entries if Path(entry.source).name == name],
        ):
            if len({entry.id for entry in matches}) == 1:
                return matches
            if matches:
                called = ", ".join(entry.source for entry in matches[:3])
                raise LibraryError(f"{len(matches)} documents are called {name!r} ({called}): name one by its id")
        raise LibraryError(f"{self.database} has no document {name!r}")


def _several(labels: Iterable[str]) -> frozenset[str]:
    """Labels; a text alone would be one for each of its letters."""
    if isinstance(labels, str):
        raise UsageError(f"labels are several texts: [{labels!r}], not {labels!r}")
    return frozenset(labels)


def _cache(address: str) -> Path:
    """The folder of this machine for what was fetched from a server."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base, "citewell", "libraries", hashlib.sha256(address.encode()).hexdigest()[:16])
