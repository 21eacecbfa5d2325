"""Documents and answers made by hand, for tests of what happens after the pipeline; and how much work a call is."""

import sys
import time
from collections.abc import Callable

from citewell.document import Document
from citewell.types import Answer, Citation, Label, Segment, Statement

TEXT = """Northwater Ferries

Revenue

Revenue rose to 41.3 million in 2025. Costs fell by two per cent.

Fleet

The fleet has five ships. MV Eider runs on batteries."""


def make_document(text: str = TEXT, title: str | None = "Report", source: str | None = "report.txt") -> Document:
    """A document from text."""
    return Document.from_text(text, title, source=source)


def sentence(document: Document, words: str) -> Segment:
    """The sentence of the document that holds the words."""
    return next(segment for segment in document.segments("sentence") if words in segment.text)


def cite(document: Document, words: str, answer_start: int, answer_end: int, score: float = 0.9) -> Citation:
    """A citation of the sentence that holds the words, with its page and rectangles."""
    result = sentence(document, words)
    place = (document.id, result.id, "sentence", result.text, result.start, result.end)
    return document.placed(Citation(*place, answer_start, answer_end, score=score, method="lexical"))


def make_answer(
    document: Document,
    parts: list[tuple[str, Label, list[str]]],
    question: str | None = "How did the year go?",
    warnings: tuple[str, ...] = (),
) -> Answer:
    """An answer whose statements are (text, label, words of the sentences that it rests on), joined by blanks."""
    text = " ".join(part[0] for part in parts)
    statements, citations, position = [], [], 0
    for result, label, evidence in parts:
        numbers = tuple(range(len(citations), len(citations) + len(evidence)))
        citations += [cite(document, words, position, position + len(result)) for words in evidence]
        statements.append(Statement(result, position, position + len(result), label, 0.87, numbers))
        position += len(result) + 1
    infos = (document.info,)
    return Answer(text, tuple(statements), tuple(citations), infos, question, method="lexical", warnings=warnings)


def calls(work: Callable[[], object]) -> int:
    """How many functions are called by some work: a measure of it that no other work on the machine changes."""
    number = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return number


def growth(work: Callable[[int], object], few: int, times: int = 8) -> float:
    """How many times as long some work takes for some times as many: `times` where it is linear, its square if quadratic.

    Processor time, the least of three, since others may use the machine meanwhile; what takes no time counts as 10 ms.
    """

    def least(count: int) -> float:
        tried = []
        for _ in range(3):
            began = time.process_time()
            work(count)
            tried.append(time.process_time() - began)
        return max(min(tried), 0.01)

    return least(times * few) / least(few)
