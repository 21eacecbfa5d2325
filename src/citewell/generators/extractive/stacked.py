"""Combines several answers into one: their texts one below the other, with their statements and sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.types import Citation, Draft, Span, Value


class Stack(NamedTuple):
    """Several drafts as one, and where the sources of each stand among its sources."""

    draft: Draft
    places: tuple[tuple[int, ...], ...]


def stack(drafts: Sequence[Draft]) -> Stack:
    """The first draft with the texts, statements and sources of all of them, and without a value.

    Two figures of one row have the same text: it is given once, with the cells of both. What an earlier draft cites is
    not cited again; the sources of the first draft keep their places.
    """
    texts, starts = list[str](), dict[tuple[str, str, int], int]()
    statements, computed = dict[Span, None](), dict[Span, None]()
    sources, known = list[Citation](), dict[tuple[str, int, int, Span], int]()
    places, length = list[tuple[int, ...]](), 0
    for draft in drafts:
        key = (draft.text, *((draft.sources[0].document_id, draft.sources[0].start) if draft.sources else ("", 0)))
        if key not in starts:
            starts[key] = length
            texts.append(draft.text)
            length += len(draft.text) + 1
        by = starts[key]
        statements |= dict.fromkeys(_moved(span, by) for span in draft.statements)
        computed |= dict.fromkeys(_moved(span, by) for span in draft.computed)
        moved = [_cited(source, by) for source in draft.sources]
        new = [source for source in moved if _place(source) not in known]
        numbers = iter(range(len(sources), len(sources) + len(new)))
        places.append(tuple(known.get(_place(source), -1) for source in moved))
        places[-1] = tuple(next(numbers) if place < 0 else place for place in places[-1])
        sources += new
        known |= {_place(source): number for source, number in zip(moved, places[-1], strict=True)}
    whole = replace(
        drafts[0],
        text="\n".join(texts),
        statements=tuple(statements),
        computed=tuple(computed),
        sources=tuple(sources),
        value=None,
    )
    return Stack(whole, tuple(places))


def stacked(drafts: Sequence[Draft]) -> Draft:
    """Several drafts as one, where nobody asks for the places of their sources."""
    return stack(drafts).draft


def listed(drafts: Sequence[tuple[str, Draft]]) -> Draft:
    """Named answers as one; their short answers as a list where all have one, else none and no phrase is cited."""
    values = [draft.value for _, draft in drafts if draft.value]
    if len(values) < len(drafts):
        return stacked([without_phrase(draft) for _, draft in drafts])
    whole, places = stack([draft for _, draft in drafts])
    cited = tuple(at[n] for at, value in zip(places, values, strict=True) for n in value.citations)
    text = "; ".join(f"{name}: {value.text}" for (name, _), value in zip(drafts, values, strict=True))
    return replace(whole, value=Value(text, "list", citations=cited, formula=text))


def without_phrase(draft: Draft) -> Draft:
    """The draft without its short answer and the phrase that this cites."""
    phrases = draft.value.citations if draft.value else ()
    kept = (s for n, s in enumerate(draft.sources) if n not in phrases or s.granularity != "window")
    return replace(draft, sources=tuple(kept), value=None)


def inside(draft: Draft, span: Span) -> list[Citation]:
    """The sources of a draft that stand for a part of its text."""
    return [s for s in draft.sources if span.start <= s.answer_start and s.answer_end <= span.end]


def joined(question: str, drafts: Sequence[Draft], whole: Draft) -> Draft:
    """Several drafts as `whole`, as sure as the least sure of them, with the warnings of all."""
    return replace(
        whole,
        question=question,
        candidates=whole.sources,
        confidence=min(draft.confidence or 0.0 for draft in drafts),
        warnings=tuple(dict.fromkeys(warning for draft in drafts for warning in draft.warnings)),
    )


def narrowed(draft: Draft, span: Span) -> Draft:
    """The draft with one of its statements alone; without the short answer where that rests on another one."""
    kept = inside(draft, span)
    wanted = [draft.sources[number] for number in draft.value.citations] if draft.value else []
    places = tuple(kept.index(source) for source in wanted if source in kept)
    return replace(
        draft,
        text=draft.text[span.start : span.end],
        statements=(_moved(span, -span.start),),
        computed=(_moved(span, -span.start),) if span in draft.computed else (),
        sources=tuple(_cited(source, -span.start) for source in kept),
        value=replace(draft.value, citations=places) if draft.value and len(places) == len(wanted) else None,
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _cited(source: Citation, by: int) -> Citation:
    return replace(source, answer_start=source.answer_start + by, answer_end=source.answer_end + by)


def _place(source: Citation) -> tuple[str, int, int, Span]:
    return source.document_id, source.start, source.end, Span(source.answer_start, source.answer_end)
