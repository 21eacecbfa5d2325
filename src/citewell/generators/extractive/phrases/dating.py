"""Excludes figures that cannot answer: those for another time, or without a time if one is requested."""

from __future__ import annotations

import re

from citewell.facts.bindings import Bound, times
from citewell.facts.extract import extract
from citewell.generators.extractive.questions import Question
from citewell.types import Span

_UNTIMELY = ("money", "percent", "points", "ratio")
_FROM = re.compile(r"\bfrom (?:what|which|how)\b|\bfrom\W*$", re.IGNORECASE)


def unfit(question: Question, sentence: str) -> list[Span]:
    """Where figures stand that cannot answer: those of another time; sums of money and shares to "when"."""
    other = other_times(question.text, sentence)
    if question.kind != "date":
        return other
    return other + [q.span for q in extract(sentence).quantities if q.kind in _UNTIMELY]


def other_times(question: str, sentence: str) -> list[Span]:
    """Where the figures stand that are of another time than the one that is asked for.

    Without a time in the question they are those from which something came: 38 of "41 in 2024, up from 38".
    """
    bound = times(sentence)
    if not bound or _FROM.search(question):
        return []
    asked = [period for period in extract(question).periods if period.kind == "period" and period.year is not None]
    if len({(period.begin, period.until) for period in asked}) > 1:
        return []

    def excluded(time: Bound) -> bool:
        return time.excludes(asked[0]) if asked else time.before

    starts = {start for start, time in bound.items() if excluded(time)}
    return [figure.span for figure in extract(sentence).quantities if figure.start in starts]
