"""A conversation about documents: each question understood by those before it, and the answer says how.

talk = Conversation([document])
talk.ask("What was revenue in 2021?")
talk.ask("And in 2022?").rewritten        # "What was revenue in 2022?"
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from citewell.conversation import threads
from citewell.conversation.follow_up import Turn, rewrite
from citewell.document import Document
from citewell.pipeline import Pipeline, answering
from citewell.readers.sources import Documents, opened
from citewell.types import Answer, Citation, Draft, Span

_PAGE = re.compile(
    r"^\W*(?:(?:show|open|read|give|quote)(?: me)? )?(?:the )?(?:(?P<first>previous|next) (?P<what>page|"
    r"paragraph|sentence)|"
    r"(?P<other>page|paragraph|sentence) (?P<second>before|after)(?: (?:that|it|this))?)\W*$",
    re.IGNORECASE,
)
_QUOTED = 6  # sentences of a page or paragraph that are quoted


class Conversation:
    """Questions about the same documents, one after another.

    Nothing is shared between conversations: each has its own turns, and a thread on disk its own file.

    Args:
        documents: what `read` returned, or paths of files, one or several.
        thread: the name of a thread on disk to go on with, which is written after each question; None keeps the turns
            in memory.
        pipeline: ready stages; made of `settings` where None.
        settings: those of `ask`, such as `llm` and `abstain`.

    Raises:
        UsageError: a setting is not known, or the thread's name is none.
        InputError: the thread's file holds no thread.
    """

    def __init__(
        self, documents: Documents, *, thread: str | None = None, pipeline: Pipeline | None = None, **settings: Any
    ) -> None:
        self.documents: tuple[Document, ...] = opened(documents)
        self.thread = thread
        self._pipeline = pipeline or answering(**settings)
        self._turns: tuple[Turn, ...] = threads.load(thread) if thread else ()
        self._last: Citation | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The questions so far as they were understood, each with its short answer."""
        return self._turns

    def ask(self, question: str, tell: Any = None) -> Answer:
        """Answer a question, or abstain; `rewritten` says how a follow-up was understood, None where it stood alone.

        Raises:
            UsageError: the question is empty.
            BackendError: a model failed.
        """
        answer = self._neighbour(question)
        if answer is None:
            whole = rewrite(question, self._turns)
            answer = self._pipeline.run(self.documents, whole, tell)
            answer = understood(answer, question, whole)
        self._turns = (*self._turns, turn(answer))[-threads.KEPT :]
        self._last = answer.citations[0] if answer.citations else self._last
        if self.thread:
            threads.save(self.thread, self._turns)
        return answer

    def _neighbour(self, question: str) -> Answer | None:
        """The page, paragraph or sentence beside what was cited last, quoted; None where that is not asked for."""
        match = _PAGE.match(" ".join(question.split()))
        if match is None or self._last is None:
            return None
        last = self._last
        document = next((each for each in self.documents if each.id == last.document_id), None)
        if document is None:
            return None
        step = 1 if (match["first"] or match["second"]).lower() in ("next", "after") else -1
        what = (match["what"] or match["other"]).lower()
        spans, where = _beside(document, last.start, what, step)
        if not spans:
            return None
        text, statements, sources = "", list[Span](), list[Citation]()
        for segment in document.segments("sentence"):
            if any(start <= segment.start < end for start, end in spans) and len(sources) < _QUOTED:
                line = " ".join(segment.text.split())
                start = len(text) + bool(text)
                text = f"{text} {line}" if text else line
                statements.append(Span(start, len(text)))
                sources.append(Citation.of(segment, document.id, statements[-1], 1.0, "neighbour"))
        if not sources:
            return None
        draft = Draft(text, question, tuple(statements), sources=tuple(sources), origin="quoted", cites=True)
        answer = self._pipeline.ground(self.documents, replace(draft, method="neighbour"))
        return understood(answer, question, f"Show {where} of {document.title or document.source or 'the document'}")


def _beside(document: Document, at: int, what: str, step: int) -> tuple[list[tuple[int, int]], str]:
    """The range of the page, paragraph or sentence beside an offset, and what it is called; nothing past the ends."""
    if what == "page":
        number = (document.page_at(at) or 0) + step
        return [(page.start, page.end) for page in document.pages if page.number == number], f"page {number}"
    parts = document.segments("paragraph" if what == "paragraph" else "sentence")
    place = next((number for number, part in enumerate(parts) if part.start <= at < part.end), None)
    if place is None or not 0 <= place + step < len(parts):
        return [], ""
    return [(parts[place + step].start, parts[place + step].end)], f"the {'next' if step > 0 else 'previous'} {what}"


def understood(answer: Answer, question: str, whole: str) -> Answer:
    """An answer to a question as it was put, with the whole question where that is another one."""
    if whole == question:
        return answer
    changed = replace(answer, question=question, rewritten=whole)
    return changed.with_usage(digest=changed.digest)


def turn(answer: Answer) -> Turn:
    """What a later question needs to know of an answer."""
    value = answer.value
    reply = value.text if value else answer.statements[0].text if answer.statements else ""
    period = (value.period or "") if value else ""
    return Turn(answer.rewritten or answer.question or "", reply, period, value.kind if value else "")
