"""A service's own citations: documents sent as blocks; returned citations are read as sources and not trusted.

Anthropic's document blocks with citations enabled: `content_block_location` names blocks, `char_location` characters of
a document of one block. A citation stands only where its quoted text is the text of those very blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from citewell.document import Document
from citewell.protocols import Attachment, Completion
from citewell.text import segments, spans
from citewell.types import Abstention, Citation, Draft, Passage, Span


def attachments(documents: Sequence[Document], passages: Sequence[Passage]) -> tuple[Attachment, ...]:
    """One attachment a document, its passages as blocks."""
    return tuple(
        Attachment(blocks=tuple(block.segment.text for block in group), title=documents[number].title)
        for number, group in groupby(passages, key=lambda passage: passage.document)
    )


def draft(
    completion: Completion, question: str, documents: Sequence[Document], passages: Sequence[Passage], method: str
) -> Draft:
    """The reply with the citations that hold; the others are told in its warnings."""
    text = completion.text
    if not any(map(str.isalnum, text)):
        return Draft(
            "", question, abstention=Abstention("declined", message="the model's reply is empty"), method=method
        )
    groups = [tuple(group) for _, group in groupby(passages, key=lambda passage: passage.document)]
    sources: list[Citation] = []
    warnings: list[str] = []
    statements = segments.statements(text)
    for annotation in completion.annotations:
        document, problem = _read(annotation, documents, groups, text)
        if problem:
            warnings.append(problem)
        sources += [_cited(citation, statements, method) for citation in document]
    sources.sort(key=lambda citation: citation.answer_start)
    return Draft(text, question, statements, sources=tuple(sources), method=method, warnings=tuple(warnings))


def _cited(place: _Place, statements: Sequence[Span], method: str) -> Citation:
    """A citation that lies in the statement that it shares most with."""
    document, block, start, end, span = place
    home = spans.home(statements, span)
    part = span if home is None else spans.within(statements[home], span)
    segment = block.segment
    return document.cite(Span(start, end), segment.id, part, granularity=segment.granularity, method=method)


_Place = tuple[Document, Passage, int, int, Span]


def _read(
    annotation: Mapping[str, Any], documents: Sequence[Document], groups: Sequence[Sequence[Passage]], text: str
) -> tuple[list[_Place], str | None]:
    citation = annotation.get("citation")
    try:
        span = Span(int(annotation["answer_start"]), int(annotation["answer_end"]))
        kind, quote = citation["type"], str(citation["cited_text"])  # type: ignore[index]
        group = groups[_at_least_0(citation["document_index"])]  # type: ignore[index]
        if kind == "content_block_location":
            blocks = group[_at_least_0(citation["start_block_index"]) : _at_least_0(citation["end_block_index"])]  # type: ignore[index]
            wanted = "".join(block.segment.text for block in blocks)
            places = [
                (documents[block.document], block, block.segment.start, block.segment.end, span) for block in blocks
            ]
        elif kind == "char_location" and len(group) == 1:
            start, end = _at_least_0(citation["start_char_index"]), _at_least_0(citation["end_char_index"])  # type: ignore[index]
            block, shift = group[0], group[0].segment.start
            wanted = block.segment.text[start:end]
            places = [(documents[block.document], block, shift + start, shift + start + len(wanted), span)]
        else:
            return [], f"a citation of the kind {kind!r} names no place in the text: left out"
    except (KeyError, IndexError, TypeError, ValueError):
        return [], "a citation of the service names a place that does not exist: left out"
    if not places or not 0 <= span.start <= span.end <= len(text) or "".join(wanted.split()) != "".join(quote.split()):
        return [], f"a citation of the service does not have the words at its place: left out ({quote[:60]!r})"
    return places, None


def _at_least_0(value: Any) -> int:
    number = int(value)
    if number < 0:
        raise ValueError(number)
    return number
