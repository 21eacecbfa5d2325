"""Drafts of the sentences that a way found: each a statement with its exact source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.asking import Way, asking, pattern
from citewell.generators.extractive.prose.ways import select
from citewell.types import MAX_NEAREST, Abstention, Citation, Draft, Nearest, Span

_NONE: Mapping[Way, str] = {
    "about": "no sentence tells what it is about",
    "business": "no sentence says what a company does",
    "definition": "no sentence says what “{}” is",
    "theme": "neither a section nor a sentence is on “{}”",
}
_BREAKS = re.compile(r"[^\S\n\r\v\f\u2028\u2029]{0,20}[\n\r\v\f\u2028\u2029]\s*")


def answer_by_way(question: str, documents: Sequence[Document], method: str, least: float) -> Draft | None:
    """The answer of one of the ways; None where the question is of none, or where the general reader may know better.

    What a document or a theme is about, and what a company does, is told by no single sentence that has the words of
    the question: where the way finds nothing, it abstains.
    """
    wanted = asking(question)
    if wanted is None:
        return None
    answer = select(wanted, documents)
    if answer is None or answer.sure < least:
        if wanted.way not in _NONE or (wanted.way == "definition" and not pattern("meaning").search(question)):
            return None
        low = Abstention("no_evidence", 0.0, least, _NONE[wanted.way].format(wanted.topic))
        return Draft("", question, method=method, origin="quoted", cites=True, confidence=0.0, abstention=low)
    text, statements, sources = "", list[Span](), list[Citation]()
    for pick in answer.picks:
        line = _BREAKS.sub(" ", pick.segment.text.strip())
        start = len(text) + bool(text)
        text = f"{text} {line}" if text else line
        statements.append(Span(start, len(text)))
        sources.append(Citation.of(pick.segment, pick.document.id, statements[-1], answer.sure, method))
    return Draft(
        text,
        question,
        tuple(statements),
        sources=tuple(sources),
        method=method,
        origin="quoted",
        cites=True,
        confidence=answer.sure,
        candidates=tuple(sources),
        nearest=tuple(map(Nearest, sources[:MAX_NEAREST])),
    )
