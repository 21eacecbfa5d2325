"""Puts the document's name before each part of an answer if several documents were asked.

The names stand between the statements and are none themselves, so a statement stays what its document says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell.document import Document
from citewell.generators.extractive import companies
from citewell.generators.extractive.stacked import inside
from citewell.types import Citation, Draft, Span


def titled(draft: Draft, documents: Sequence[Document]) -> Draft:
    """The draft with "Oriel lease: " before the first statement of each document, a document a line.

    What is computed from several documents names them itself; texts without a name are passages of one document.
    """
    distinct = {document.id: document for document in documents}
    if draft.abstention or len(distinct) < 2 or not all(each.title or each.source for each in distinct.values()):
        return draft
    called = companies.titles(tuple(distinct.values()))
    inserted, text, position, last = list[tuple[int, int]](), "", 0, ""
    for span in sorted(draft.statements):
        owners = {source.document_id for source in inside(draft, span)}
        owner = owners.pop() if len(owners) == 1 and span not in draft.computed else ""
        between = draft.text[position : span.start]
        head = f"{called[owner]}: " if owner and owner != last else ""
        if head and between.strip():
            head = ""  # the generator says whose it is
        elif head and text:
            between = "\n"
        text += between + head + draft.text[span.start : span.end]
        inserted.append((span.start, len(text) - (span.end - span.start) - span.start))
        position, last = span.end, owner
    text += draft.text[position:]

    def moved(span: Span) -> Span:
        by = max((shift for start, shift in inserted if start <= span.start), default=0)
        return Span(span.start + by, span.end + by)

    def cited(source: Citation) -> Citation:
        start, end = moved(Span(source.answer_start, source.answer_end))
        return replace(source, answer_start=start, answer_end=end)

    return replace(
        draft,
        text=text,
        statements=tuple(map(moved, draft.statements)),
        computed=tuple(map(moved, draft.computed)),
        sources=tuple(map(cited, draft.sources)),
        candidates=tuple(map(cited, draft.candidates)),
    )
