"""Statements told as they become final while a model still writes, each with its label and its citations.

What was told stands: the finished answer begins with exactly these statements, unless the whole reply reads
differently, which is then said in its warnings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from citewell import notes
from citewell.types import Citation, Draft, Partial, Statement

Tell = Callable[[Partial], None]


class Grounded(NamedTuple):
    """Statements with their labels, and all their citations in order."""

    statements: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()


@dataclass
class Teller:
    """Grounds each statement once and tells it once.

    Attributes:
        ground: from a draft to its statements and citations.
        declines: whether a draft may turn out to be a refusal: then nothing of it is told yet.
        tell: told each statement; nobody where None.
    """

    ground: Callable[[Draft], Grounded]
    declines: Callable[[Draft], bool]
    tell: Tell | None = None
    done: Grounded = field(default_factory=Grounded)
    draft: Draft = field(default_factory=lambda: Draft(""))

    def __call__(self, draft: Draft) -> None:
        """Ground and tell what is new in a draft whose statements are final."""
        if not self.declines(draft):
            self._add(draft)

    def finish(self, draft: Draft) -> Grounded:
        """All of the finished draft, told before or not."""
        told = self.draft.statements
        if not told:
            if not draft.statements:
                return self.ground(draft)
            self._add(draft)
            return self.done
        if draft.abstention or draft.statements[: len(told)] != told or not draft.text.startswith(self.draft.text):
            notes.warn("what was shown while the reply arrived was revised")
            return self.ground(draft)
        self._add(draft)
        return self.done

    def _add(self, draft: Draft) -> None:
        fresh = draft.statements[len(self.done.statements) :]
        if not fresh:
            return
        first = not self.done.statements
        sources = tuple(one for one in draft.sources if first or one.answer_start >= fresh[0].start)
        targets = tuple(span for span in draft.targets if first or span.start >= fresh[0].start)
        made = self.ground(replace(draft, statements=fresh, sources=sources, targets=targets))
        shift, end = len(self.done.citations), self.draft.statements[-1].end if not first else 0
        moved = tuple(replace(one, citations=tuple(n + shift for n in one.citations)) for one in made.statements)
        for before, one in zip(made.statements, moved, strict=True):
            if self.tell:
                own = tuple(made.citations[number] for number in before.citations)
                self.tell(Partial(draft.text[end : one.start], one, own))
            end = one.end
        self.done = Grounded((*self.done.statements, *moved), (*self.done.citations, *made.citations))
        self.draft = draft
