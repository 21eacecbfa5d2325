"""Drafts of sentences with the requested phrase as their value, cited by its own words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from citewell.generators.extractive.questions import Question
from citewell.types import Citation, Draft, Value

_LEAST = 1e-6  # of a confidence, so that it has a logarithm
_DENIED = re.compile(r"\b(?:not|never|nor|neither|cannot|\w+n['’]t)\s+(?:to\s+)?$", re.IGNORECASE)


def with_phrase(draft: Draft, question: Question, prose: Sequence[bool]) -> Draft:
    """A draft with the short answer that its sources hold; `prose` says which of them may hold one.

    A phrase has a citation of its own, after those of the sentences; yes and no rest on a whole sentence.
    """
    places = [number for number, use in enumerate(prose) if use]
    if not places:
        return draft
    from citewell.generators.extractive.phrases.chooser import Sentence  # rows of tables need none of it
    from citewell.generators.extractive.phrases.values import short

    sure = max(_LEAST, draft.confidence or 0.0)
    sentences = [Sentence(draft.sources[n].quote, math.log(max(_LEAST, draft.sources[n].score) / sure)) for n in places]
    answer = short(question, sentences, sure)
    if answer is None:
        return draft
    number = places[answer.sentence]
    source = draft.sources[number]
    if answer.value.kind == "yes_no":
        return replace(draft, value=replace(answer.value, citations=(number,)))
    if _DENIED.search(source.quote[: answer.span.start]):
        return draft  # "never" is a part of what is said
    score = min(source.score, answer.score)  # no phrase is surer than its sentence
    cited = part_of(source, answer.span.start, answer.span.end, draft, score)
    value = replace(answer.value, citations=(len(draft.sources),))
    return replace(draft, sources=(*draft.sources, cited), value=value)


def with_name(draft: Draft, start: int, end: int) -> Draft:
    """A draft of one source with a name in it, by its offsets there, as the short answer."""
    cited = part_of(draft.sources[0], start, end, draft, draft.sources[0].score)
    value = Value(draft.sources[0].quote[start:end], "name", citations=(len(draft.sources),))
    return replace(draft, sources=(*draft.sources, cited), value=value)


def part_of(source: Citation, start: int, end: int, draft: Draft, score: float) -> Citation:
    """A part of a source as a citation of its own; the answer has it as a part of the sentence, on one line."""
    text = draft.text[source.answer_start : source.answer_end]
    answer_start = source.answer_start + _place(source.quote, text, start)
    return replace(
        source,
        granularity="window",
        quote=source.quote[start:end],
        start=source.start + start,
        end=source.start + end,
        answer_start=answer_start,
        answer_end=source.answer_start + _place(source.quote, text, end - 1) + 1,
        score=score,
    )


def _place(quote: str, text: str, offset: int) -> int:
    """Where a character of a quote that is no space stands in the same words with other spaces."""
    left = sum(not char.isspace() for char in quote[:offset])
    for place, char in enumerate(text):
        if not char.isspace():
            if not left:
                return place
            left -= 1
    return len(text)
