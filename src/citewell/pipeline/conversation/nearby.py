"""The paragraphs around the last evidence, because follow-ups often ask about what was just read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell.document import Document
from citewell.generators.extractive.settings import settings
from citewell.pipeline import Pipeline
from citewell.types import Answer, Citation, Draft, Nearest

_BEFORE, _BEHIND = 1, 3  # paragraphs around the one that was cited
_MOST = 4_000  # characters of them
_AGREED = 0.2  # the confidence that is enough where the whole document points to the same paragraphs


def best(
    pipeline: Pipeline, document: Document, at: int, questions: Sequence[str], nearest: Sequence[Nearest] = ()
) -> Answer | None:
    """The surest answer to any wording from the paragraphs around an offset.

    None where they have none, or where a language model answers. `nearest` are the places that came nearest in the
    whole document: if the first of them is one of these paragraphs, both readings point there, and half of the usual
    confidence is enough.
    """
    if pipeline.generator != "extractive":
        return None
    start, end = around(document, at)
    first = next((each.citation for each in nearest), None)
    agreed = first is not None and first.document_id == document.id and start <= first.start < end
    part = Document.from_text(document.text[start:end], title=document.title)
    drafts = [pipeline.draft((part,), question) for question in dict.fromkeys(questions)]
    if agreed:
        drafts = [_given(draft) for draft in drafts]
    answered = [
        draft
        for draft in drafts
        if not draft.abstention
        and draft.sources
        and not any(_in_table(each, document, start) for each in draft.sources)
    ]
    draft = max(answered, key=lambda each: each.confidence or 0.0, default=None)
    return None if draft is None else pipeline.ground((document,), _moved(draft, document, start))


def _given(draft: Draft) -> Draft:
    """A draft that was withheld, with a hedge; as it is where it is too unsure even so."""
    if draft.withheld is None or (draft.confidence or 0.0) < _AGREED:
        return draft
    return replace(draft.withheld, confidence=settings()["hedged"])


def _in_table(source: Citation, document: Document, by: int) -> bool:
    """Whether a source is a row of a table: a part of a document has none, so that headers read as if they answered."""
    return document.segment_at(source.start + by).kind == "table_row"


def around(document: Document, at: int) -> tuple[int, int]:
    """Where the paragraphs around an offset begin and end."""
    parts = document.segments("paragraph")
    place = next((number for number, part in enumerate(parts) if part.start <= at < part.end), 0)
    near = parts[max(0, place - _BEFORE) : place + _BEHIND + 1]
    start, end = near[0].start, near[-1].end
    if end - start > _MOST:
        start = max(start, at - _MOST // 2)
        end = min(end, start + _MOST)
    return start, end


def _moved(draft: Draft, document: Document, by: int) -> Draft:
    """A draft about a part of a document as one about the document."""
    sentences = document.segments("sentence")

    def moved(source: Citation) -> Citation:
        start, end = source.start + by, source.end + by
        segment = next((each.id for each in sentences if each.start <= start < each.end), source.segment_id)
        return replace(source, document_id=document.id, segment_id=segment, start=start, end=end)

    sources = tuple(map(moved, draft.sources))
    return replace(draft, sources=sources, candidates=sources, nearest=())
