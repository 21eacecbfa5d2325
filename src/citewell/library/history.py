"""The stored questions and results of callers of a library, and human corrections of them.

with Library("reports.library") as library:
    History(library).entries("ferries")
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citewell.errors import LibraryError
from citewell.library.kept import Correction, KeptResult, Summary
from citewell.library.library import Library
from citewell.library.store import histories, tables
from citewell.library.store.records import Entry, storable
from citewell.text import safe

_LONGEST_TITLE = 200
_MOST_WORDS = 20


@dataclass(frozen=True)
class Record:
    """What is kept."""

    kind: str  # what was asked for: ask, attribute, check, audit
    title: str  # by which a person knows it again
    request: Mapping[str, Any]  # as it came
    result: Mapping[str, Any]  # as it is told
    counts: Mapping[str, int]  # how often each label was given
    words: Sequence[str]  # what it is searched by, beside its title and the titles of its documents
    documents: Sequence[Entry]  # those that were read for it; with each of them it goes


class History:
    """The kept results that a caller sees: those whose labels they carry, all of them.

    Args:
        library: whose; its labels are the caller's.
        who: the caller's name: what they keep is theirs.
        everybodys: the caller sees and changes what anybody with their labels kept; else their own, and sees what is
            shared.
    """

    def __init__(self, library: Library, who: str = "local", *, everybodys: bool = True) -> None:
        self._database, self._who = library.database, who
        key, keys = histories.key(library.labels), histories.visible(library.labels)
        self._view = histories.View(key, keys, None if everybodys else who)

    @property
    def size(self) -> int:
        """How many the caller keeps with exactly these labels."""
        with self._database.reading() as connection:
            return histories.count(connection, tables.histories, self._view.labels, self._who)

    @property
    def corrected(self) -> int:
        """How many corrections the caller keeps with exactly these labels."""
        with self._database.reading() as connection:
            return histories.count(connection, tables.corrections, self._view.labels, self._who)

    def keep(self, question: Record) -> str:
        """Keep a result; its id. Raises LibraryError: a document that it was made from was removed meanwhile."""
        name, title = histories.new_id(), _short(question.title)
        documents = list({entry.id: {"id": entry.id, "title": entry.title} for entry in question.documents}.values())
        titles = [entry.title or "" for entry in question.documents]
        row = {
            "id": name,
            "labels": self._view.labels,
            "who": self._who,
            "kind": question.kind,
            "title": title,
            "created": dt.datetime.now(dt.UTC),
            "documents": documents,
            "counts": dict(question.counts),
            "words": storable("\n".join([title, *question.words, *titles])).casefold(),
            "thread": question.request.get("thread"),
            "request": safe.dumps(question.request),
            "result": safe.dumps(question.result),
        }
        sources = [entry.source for entry in question.documents]
        with self._database.writing() as connection:
            self._hold(histories.there(connection, sources))
            histories.keep(connection, row, sources)
        return name

    def entries(
        self, query: str = "", limit: int = 50, before: str | None = None, thread: str | None = None
    ) -> list[Summary]:
        """The newest kept results, of which each has all words of the query.

        Args:
            query: words, in upper or lower case.
            limit: the most that are told.
            before: the id of one, than which all are older.
            thread: the name of a thread, of which all are turns.
        """
        words = storable(query).casefold().split()[:_MOST_WORDS]
        with self._database.reading() as connection:
            return histories.summaries(connection, self._view, words, limit, before, thread)

    def entry(self, name: str) -> KeptResult | None:
        """A kept result, None where there is none for the caller."""
        with self._database.reading() as connection:
            return histories.entry(connection, self._view, name)

    def share(self, name: str, *, shared: bool = True) -> int:
        """Let all who carry the labels of a kept result see it, or only its owner; how many there are of this id."""
        with self._database.writing() as connection:
            return histories.share(connection, self._view, name, shared=shared)

    def delete(self, name: str | None = None) -> int:
        """Take out one kept result, or all, of those that the caller may change; how many."""
        return self._delete(tables.histories, name)

    def correct(self, correction: Correction, documents: Collection[Entry]) -> None:
        """Keep a correction, which goes with the documents that it quotes, and with the result.

        Raises LibraryError: one of them was removed meanwhile.
        """
        row = correction._asdict() | {"labels": self._view.labels, "citations": list(correction.citations)}
        sources = [entry.source for entry in documents]
        with self._database.writing() as connection:
            there = histories.entry(connection, self._view, correction.history) is not None
            self._hold(there and histories.there(connection, sources))
            histories.correct(connection, row, sources)

    def corrections(self, history: str | None = None) -> list[Correction]:
        """The corrections that the caller sees, in the order in which they were made: of one result, or all."""
        with self._database.reading() as connection:
            return histories.corrections(connection, self._view, history)

    def withdraw(self, name: str) -> int:
        """Take out a correction that the caller may change; how many."""
        return self._delete(tables.corrections, name)

    def _delete(self, table: Any, name: str | None) -> int:
        with self._database.writing(forget=True) as connection:
            return histories.delete(connection, table, self._view, name)

    def _hold(self, there: bool) -> None:
        if not there:
            raise LibraryError("a document was removed while it was being read")


def _short(title: str) -> str:
    """A title on one line."""
    return safe.shorten(storable(" ".join(title[: 4 * _LONGEST_TITLE].split())), _LONGEST_TITLE)
