"""Emits statements with label and citations as they become final while a model is still writing.

What was told stands: the finished answer begins with exactly these statements, unless the whole reply reads
differently, which is then said in its warnings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from citewell.errors import notes
from citewell.pipeline.grounding import Grounded
from citewell.types import Draft, Partial

Tell = Callable[[Partial], None]


@dataclass
class Teller:
    """Grounds each statement once and tells it once.

    Attributes:
        ground: from a draft to its statements and citations.
        refuses: whether a draft may turn out to be a refusal: then nothing of it is told yet.
        tell: told each statement; nobody where None.
    """

    ground: Callable[[Draft], Grounded]
    refuses: Callable[[Draft], bool]
    tell: Tell | None = None
    done: Grounded = field(default_factory=Grounded)
    draft: Draft = field(default_factory=lambda: Draft(""))

    def __call__(self, draft: Draft) -> None:
        """Ground and tell what is new in a draft whose statements are final."""
        if not self.refuses(draft):
            self._add(draft)

    def finish(self, draft: Draft) -> Grounded:
        """All of the finished draft, told before or not."""
        earlier = self.draft.statements
        if not draft.statements:
            if earlier:
                notes.warn("what was shown while the reply arrived was revised")
            return self.ground(draft)
        if earlier and (draft.statements[: len(earlier)] != earlier or not draft.text.startswith(self.draft.text)):
            notes.warn("what was shown while the reply arrived was revised")
            return self.ground(draft)
        self._add(draft)
        return self.done

    def _add(self, draft: Draft) -> None:
        fresh = draft.statements[len(self.done.statements) :]
        if not fresh:
            return
        first = not self.done.statements
        sources = tuple(source for source in draft.sources if first or source.answer_start >= fresh[0].start)
        targets = tuple(span for span in draft.targets if first or span.start >= fresh[0].start)
        grounded = self.ground(replace(draft, statements=fresh, sources=sources, targets=targets))
        shift, end = len(self.done.citations), self.draft.statements[-1].end if not first else 0
        moved = tuple(
            replace(statement, citations=tuple(number + shift for number in statement.citations))
            for statement in grounded.statements
        )
        for before, statement in zip(grounded.statements, moved, strict=True):
            if self.tell:
                citations = tuple(grounded.citations[number] for number in before.citations)
                self.tell(Partial(draft.text[end : statement.start], statement, citations))
            end = statement.end
        self.done = Grounded((*self.done.statements, *moved), (*self.done.citations, *grounded.citations))
        self.draft = draft
