"""The targets of attribution in a draft, and which of them are checked: targets, statements, claims."""

from __future__ import annotations

import re

from citewell.text import segments, spans
from citewell.text.claims import makes_claim
from citewell.text.stopwords import stopwords
from citewell.text.words import language, terms, words
from citewell.types import Draft, Granularity, Span

SHORT = 5  # words; a written answer of at most so many is judged together with its question, as LAB builds claims

_CONFIRMS = frozenset(
    "yes no yeah yep nope sure certainly absolutely definitely correct right indeed exactly true "
    "ja nein doch oui non si sí sim não nee да нет".split()
)
_ASKS_WHAT = re.compile(r"\s*(?:what|who|whom|whose|when|where|which|why|how|list|name|give|tell)\b", re.IGNORECASE)
EXACT: tuple[Granularity, ...] = ("token", "window")  # what was copied, with the words it was copied from


def unit_of(granularity: Granularity) -> Granularity:
    """The segments that are looked through for a granularity: sentences where exact words are wanted."""
    return "sentence" if granularity in EXACT else granularity


def statements(draft: Draft) -> tuple[Span, ...]:
    """The statements of a draft, found in its text where it brings none."""
    return draft.statements or segments.statements(draft.text)


def targets(draft: Draft) -> tuple[Span, ...]:
    """The spans to attribute."""
    return draft.targets or statements(draft)


def unsourced(draft: Draft) -> tuple[Span, ...]:
    """The targets that have no source of the generator's own."""
    return spans.without(targets(draft), (source.answer_start for source in draft.sources))


def statement_around(draft: Draft, target: Span) -> Span:
    """The statements that a target lies in, as one span with the target."""
    return spans.around(statements(draft), target)


def query_of(draft: Draft, target: Span, words_of: str) -> str:
    """What is looked for on behalf of a target: the `target`, its `statement`, the `question` with it or as `asked`."""
    span = target if words_of == "target" else statement_around(draft, target)
    text = draft.text[span.start : span.end]
    if words_of == "asked":
        return draft.question or text
    return f"{draft.question} {text}" if words_of == "question" and draft.question else text


def claim(draft: Draft, span: Span) -> str:
    """What is judged for a part of a draft: its words, with the question before them where a model wrote only a few.

    An answer that says the question's words again stands by itself: they would be asked for twice. So does what claims
    nothing ("Sure!"), but for a word that says yes or no to the question.
    """
    text = draft.text[span.start : span.end]
    spellings = words(text).spellings
    short = draft.origin == "written" and len(spellings) <= SHORT
    if short and not makes_claim(text):
        short = (
            bool(len(spellings)) and spellings[0].lower() in _CONFIRMS and not _ASKS_WHAT.match(draft.question or "")
        )
    question = draft.question if short and not _repeats(text, draft.question or "") else None
    return f"{question} {text}" if question else text


def _repeats(answer: str, question: str) -> bool:
    """Whether an answer has at least half of its question's words, function words apart."""
    spellings = words(question).spellings
    code = language(spellings)
    content = set(terms(spellings, code)) - set(terms(stopwords()[code].intersection(map(str.lower, spellings)), code))
    return bool(content) and 2 * len(content.intersection(terms(words(answer).spellings, code))) >= len(content)
