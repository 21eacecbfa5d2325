"""The short answer for an answer in sentences: a typed phrase, or yes and no."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citewell.facts.types import Period, Quantity
from citewell.generators.extractive.phrases.chooser import Phrase, Sentence, choose, confidence, fitted
from citewell.generators.extractive.phrases.counts import counted
from citewell.generators.extractive.phrases.events import tells
from citewell.generators.extractive.phrases.polarity import polarity
from citewell.generators.extractive.phrases.words import CLASSES, words
from citewell.generators.extractive.questions import Question
from citewell.text.times import scale_word
from citewell.types import Span, Value

_BREAKS = re.compile(r"\s+")
_KINDS = {"cardinal": "number", "ordinal": "number", "ratio": "number", "multiplier": "number", "points": "percent"}
_WHOSE = re.compile(r"(?:our|its|their|his|her|my|your)\b", re.IGNORECASE)  # what begins so is nobody's name
_HAPPENS = re.compile(r"\bwhat (?:happens|happened|(?:will|would|shall) happen)\b", re.IGNORECASE)
_NUMBERS = ("date", "number", "money", "percent", "measure")


class Short(NamedTuple):
    """A short answer and where it stands: the position of the sentence, the offsets in it, how sure it is."""

    value: Value
    sentence: int
    span: Span
    score: float


def short(question: Question, sentences: Sequence[Sentence], sure: float) -> Short | None:
    """The short answer to a question, None where none is sure enough. Its value has no citations yet."""
    if question.kind == "yes_no":
        message = polarity(question.text, [sentence.text for sentence in sentences])
        if message is None:
            return None
        whole = Span(0, len(sentences[message.sentence].text))
        return Short(Value("Yes" if message.holds else "No", "yes_no"), message.sentence, whole, message.score)
    if question.meaning or _HAPPENS.search(question.text):
        return None  # a definition is a sentence, and so is what happens
    dates = question.kind == "date"
    telling = [n for n, sentence in enumerate(sentences) if dates and tells(question.text, sentence.text)]
    telling = telling or list(range(len(sentences)))
    phrase = choose(question, [sentences[n] for n in telling], sure, fitted())
    if phrase is None:
        return None
    phrase = phrase._replace(sentence=telling[phrase.sentence])
    score = confidence(phrase.signals, fitted())
    if score < fitted().threshold:
        return None
    if question.kind == "person" and _WHOSE.match(sentences[phrase.sentence].text, phrase.start):
        return None
    if isinstance(phrase.fact, Quantity) and phrase.form in _NUMBERS:
        fact = counted(question.text, question.focus, sentences[phrase.sentence].text, phrase.fact)
        if fact.start != phrase.fact.start:
            phrase = phrase._replace(start=fact.start, end=fact.end, fact=fact)
    text = sentences[phrase.sentence].text[phrase.start : phrase.end]
    return Short(typed(_BREAKS.sub(" ", text), phrase), phrase.sentence, Span(phrase.start, phrase.end), score)


def typed(text: str, phrase: Phrase) -> Value:
    """A phrase as a value: a figure with its number, unit and scale, a time in the form of ISO 8601."""
    fact = phrase.fact
    if isinstance(fact, Period):
        return Value(text, "date", period=_iso(fact))
    if isinstance(fact, Quantity) and phrase.form in _NUMBERS:
        scale = float(fact.scale) or 1.0
        number = float(fact.value) / scale if fact.low == fact.high else None
        if text[-1:].isdigit() and scale > 1:  # the scale stands apart: "EUR 49.1 (46.6) million"
            text = f"{text} {scale_word(scale)}".rstrip()
        return Value(text, _KINDS.get(fact.kind, fact.kind), number, fact.currency or fact.unit or None, scale)
    return Value(text, "name" if phrase.form == "name" or _is_name(text) else "text")


def _is_name(text: str) -> bool:
    """Whether a phrase is a name after its article: "the Clean Air Act"."""
    first, *rest = (CLASSES[kind] for kind in words(text).classes)
    return first == "article" and bool(rest) and set(rest) <= {"name", "of"}


def _iso(time: Period) -> str | None:
    """A year, a month or a day as ISO 8601 writes it; None for other times."""
    if time.granularity not in ("day", "month", "year") or time.year is None or not 0 < time.year <= 9999:
        return None
    parts = [f"{time.year:04d}"]
    if time.granularity != "year" and time.month:
        parts.append(f"{time.month:02d}")
        if time.granularity == "day" and time.day:
            parts.append(f"{time.day:02d}")
    return "-".join(parts)
