"""A conversation about documents: each question is interpreted by the earlier ones, and the answer states how.

talk = Conversation([document])
talk.ask("What was revenue in 2021?")
talk.ask("And in 2022?").rewritten        # "What was revenue in 2022?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from citewell.document import Document
from citewell.generators.extractive.prose.sorts import OF_COMPANIES, kind_of
from citewell.pipeline import Pipeline, answering
from citewell.pipeline.conversation import nearby, threads
from citewell.pipeline.conversation.follow_up import leans, rewrite
from citewell.pipeline.conversation.frames import Turn
from citewell.pipeline.conversation.pronouns import document_noun, of_document, points, refers
from citewell.pipeline.sources import Documents, opened
from citewell.types import Abstention, Answer, Citation, Draft, Span

_PAGE = re.compile(
    r"^\W*(?:(?:show|open|read|give|quote)(?: me)? )?(?:the )?(?:(?P<first>previous|next) (?P<what>page|"
    r"paragraph|sentence)|"
    r"(?P<other>page|paragraph|sentence) (?P<second>before|after)(?: (?:that|it|this))?)\W*$",
    re.IGNORECASE,
)
_ISSUED = (*OF_COMPANIES, "policy", "contract", "bylaws", "law")
_NAME = re.compile(
    r"(?!(?:read ?me|introduction|overview|abstract|contents|home|index|untitled)\b)[\w.+-]{2,24}", re.IGNORECASE
)
_KEPT = 1_500  # characters of an answer that a later question may point into
_QUOTED = 6  # sentences of a page or paragraph that are quoted


class Conversation:
    """Questions about the same documents, one after another.

    Nothing is shared between conversations: each has its own turns, and a thread on disk its own file.

    Args:
        documents: results of `read`, or paths of files, one or more.
        thread: the name of a thread on disk to continue, written after each question; None keeps the turns in memory.
        pipeline: a ready pipeline; built from `settings` if None.
        turns: earlier questions and answers, if no thread is continued.
        settings: settings of `ask`, such as `llm` and `abstain`.

    Raises:
        UsageError: a setting is unknown, or the thread's name is invalid.
        InputError: the thread's file contains no thread.
    """

    def __init__(
        self,
        documents: Documents,
        *,
        thread: str | None = None,
        pipeline: Pipeline | None = None,
        turns: Sequence[Turn] = (),
        **settings: Any,
    ) -> None:
        self.documents: tuple[Document, ...] = opened(documents)
        self.thread = thread
        self._pipeline = pipeline or answering(**settings)
        self._turns: tuple[Turn, ...] = threads.load(thread).turns if thread else tuple(turns)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The questions so far as they were interpreted, each with its short answer."""
        return self._turns

    def ask(self, question: str, tell: Any = None, doubt: Abstention | None = None) -> Answer:
        """Answer a question, or abstain; `rewritten` states how a follow-up was interpreted, None if it stood alone.

        Args:
            question: in words.
            tell: as for `Pipeline.run`.
            doubt: as for `Pipeline.run`.

        Raises:
            UsageError: the question is empty.
            BackendError: a model failed.
        """
        answer = self._neighbour(question)
        if answer is None:
            whole = self._called(rewrite(question, self._turns), question)
            answer = self._pipeline.run(self._meant(question, whole), whole, tell, doubt)
            answer = understood(self._nearer(question, whole, answer), question, whole)
        done = turn(answer)
        place = done.place or (self._turns[-1].place if self._turns else "") or _nearest(answer)
        self._turns = (*self._turns, done._replace(place=place))[-threads.KEPT :]
        if self.thread:
            threads.save(self.thread, self._turns)
        return answer

    def _last(self) -> tuple[Document, int] | None:
        """The document and offset of the last evidence; None where there is none."""
        name, _, at = (self._turns[-1].place if self._turns else "").rpartition(" ")
        document = next((each for each in self.documents if each.id == name), None)
        return (document, int(at)) if document and at.isdecimal() and int(at) < len(document.text) else None

    def _called(self, whole: str, question: str) -> str:
        """The whole question with the document called what it calls itself, "the agreement", or by its name.

        Who "they" are is open where a document has no authors: a policy is of who issues it.
        """
        last = self._last()
        document = last[0] if last else self.documents[0]
        title = document.title or ""
        if "the authors" in whole and "authors" not in question and kind_of(document) in _ISSUED:
            return question
        noun = document_noun(title) or ("" if of_document(whole) or not _NAME.fullmatch(title) else title)
        put_in = noun and "the document" in whole.lower() and "the document" not in question.lower()
        return re.sub(r"\bthe document\b", noun, whole, count=1, flags=re.IGNORECASE) if put_in else whole

    def _meant(self, question: str, whole: str) -> tuple[Document, ...]:
        """The document of the last evidence where "it" is that document, as in "who wrote it"; else all of them."""
        last = self._last() if of_document(whole) and points(question) else None
        return (last[0],) if last else self.documents

    def _nearer(self, question: str, whole: str, answer: Answer) -> Answer:
        """The answer to a follow-up from what stands around the last evidence, where that one is surer."""
        last = self._last()
        if last is None or of_document(whole) or not (whole != question or leans(question) or refers(question)):
            return answer
        # Around the last evidence names are not said again, so the question is also asked as it was put.
        questions = (whole, question) if points(question) else (whole,)
        near = nearby.best(self._pipeline, *last, questions, answer.abstention.nearest if answer.abstention else ())
        if near is None or (not answer.abstained and (answer.confidence or 0.0) >= (near.confidence or 0.0)):
            return answer
        return near

    def _neighbour(self, question: str) -> Answer | None:
        """The page, paragraph or sentence beside what was cited last, quoted; None where that is not asked for."""
        match = _PAGE.match(" ".join(question.split()))
        last = self._last() if match else None
        if match is None or last is None:
            return None
        document, at = last
        step = 1 if (match["first"] or match["second"]).lower() in ("next", "after") else -1
        what = (match["what"] or match["other"]).lower()
        spans, where = _beside(document, at, what, step)
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


def _nearest(answer: Answer) -> str:
    """Where an answer was looked for that was not given."""
    nearest = answer.abstention.nearest[:1] if answer.abstention else ()
    return "".join(f"{each.citation.document_id} {each.citation.start}" for each in nearest)


def turn(answer: Answer) -> Turn:
    """What a later question needs to know of an answer."""
    value = answer.value
    reply = value.text if value else answer.statements[0].text if answer.statements else ""
    period = (value.period or "") if value else ""
    best = max(answer.citations, key=lambda citation: citation.score, default=None)
    place = f"{best.document_id} {best.start}" if best else ""
    kind, text = value.kind if value else "", answer.text[:_KEPT]
    return Turn(answer.rewritten or answer.question or "", reply, period, kind, text, place)
