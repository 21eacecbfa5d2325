"""Questions and answers by rules: a phrase of the claim becomes a gap, and evidence that shares the rest fills it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from citewell.checkers.numbered import Line
from citewell.text.stopwords import stopwords
from citewell.text.words import language, terms, words
from citewell.types import Span

GAP = "____"
LOOKED = 8  # lines that may answer a question
LONGEST = 3  # words of a phrase that is neither a name nor a number
_CAPITAL = re.compile(r"[^\W\d_]")


class Word(NamedTuple):
    """A word of a text: offsets, its term, whether it is a function word, and its kind."""

    start: int
    end: int
    term: str
    small: bool
    kind: str  # "number", "name" or "other"


class Question(NamedTuple):
    """A question, the answer that the claim gives, and where that stands in the claim, if it does."""

    text: str
    answer: str
    span: Span | None = None


class Reply(NamedTuple):
    """An answer from the evidence and the position of the line that has it; an empty one is none."""

    text: str = ""
    line: int | None = None


def read(text: str, code: str | None = None) -> list[Word]:
    """The words of a text, in the language `code` or its own."""
    outcome = words(text)
    if not len(outcome):
        return []
    code = code or language(outcome.spellings)
    stems = terms(outcome.spellings, code)
    small = stopwords().get(code, frozenset())
    result: list[Word] = []
    for start, end, number in zip(outcome.starts.tolist(), outcome.ends.tolist(), outcome.ids.tolist(), strict=True):
        spelling = outcome.spellings[number]
        kind = "number" if spelling[0].isdigit() else "name" if _named(text, start, spelling) else "other"
        result.append(Word(start, end, stems[number], spelling.lower() in small, kind))
    # A capital at the beginning of a sentence says nothing, unless a name follows: "Ann Smith founded".
    for n in range(len(result) - 1):
        item, other = result[n : n + 2]
        if other.kind == "name" and item.kind == "other" and not item.small and text[item.start].isupper():
            result[n] = item._replace(kind="name" if text[item.end : other.start] == " " else "other")
    return result


def ask(claim: str) -> list[Question]:
    """A question with a gap for each name, number and run of up to three other words that matter."""
    spans: list[Span] = []
    calls: list[Word] = []
    for word in [*read(claim), None]:
        joins = (
            word is not None
            and calls
            and word.kind == calls[-1].kind
            and not word.small
            and claim[calls[-1].end : word.start] in (" ", "-", "")
            and (word.kind != "other" or len(calls) < LONGEST)
        )
        if calls and not joins:
            spans.append(Span(calls[0].start, calls[-1].end))
            calls = []
        if word is not None and not word.small:
            calls.append(word)
    return [
        Question(f"{claim[: span.start]}{GAP}{claim[span.end :]}".strip(), claim[span.start : span.end], span)
        for span in spans
    ]


def answer(questions: Sequence[Question], lines: Sequence[Line], least: float) -> list[Reply]:
    """For each question the phrase of the evidence that stands where the answer should.

    The lines are looked at that have most of the question's words, weighted by rarity; one that has less than the
    share `least` of their weight answers nothing. The first of them that has all words of the claim's answer answers
    so. Otherwise it is the best line's phrase of the same kind (number, name, other), not said by the question, that
    is nearest to the words beside the gap.
    """
    code = language(words(" ".join(line.text for line in lines[:200])).spellings)
    texts = [read(line.text, code) for line in lines]
    kept = [frozenset(word.term for word in text) for text in texts]
    counts = Counter(term for mine in kept for term in mine)
    weights = {term: math.log(1 + len(lines) / number) for term, number in counts.items()}
    unknown = math.log(1 + 2 * len(lines))  # rarer than what stands in one line
    result: list[Reply] = []
    for question in questions:
        known = {word.term for word in read(question.text.replace(GAP, " "), code) if not word.small}
        wanted = read(question.answer, code)
        total = sum(weights.get(term, unknown) for term in known)
        shares = [sum(weights[term] for term in sorted(known & mine)) / total if total else 1.0 for mine in kept]
        able = [n for n in range(len(lines)) if shares[n] >= least] if wanted else []
        able = sorted(able, key=lambda n: -round(shares[n], 6))[:LOOKED]
        goal = {word.term for word in wanted}
        place = next((n for n in able if goal <= kept[n]), None)
        if place is not None:
            text_by_key = {word.term: lines[place].text[word.start : word.end] for word in reversed(texts[place])}
            result.append(Reply(" ".join(text_by_key[word.term] for word in wanted), place))
        elif able:
            kinds = Counter(word.kind for word in wanted)
            kind = max(("number", "name", "other"), key=kinds.__getitem__)
            result.append(
                Reply(_fill(lines[able[0]].text, texts[able[0]], known, kind, _beside(question, code)), able[0])
            )
        else:
            result.append(Reply())
    return result


def _fill(text: str, result: Sequence[Word], known: set[str], kind: str, beside: set[str]) -> str:
    """The phrase of a line that stands nearest to what stands beside the gap, or to anything the question has."""
    phrases = _phrases(result, known, kind)
    if not phrases:
        return ""
    anchors = [n for n, word in enumerate(result) if word.term in beside]
    anchors = anchors or [n for n, word in enumerate(result) if word.term in known]
    first, last = min(phrases, key=lambda first: (min((_far(n, first) for n in anchors), default=0), first[0]))
    return text[result[first].start : result[last].end]


def overlap(expected: str, result: str) -> float:
    """How far two answers agree, 0 to 1: F1 of their terms; 0 where their numbers differ."""
    left, right = ([word for word in read(text, "en") if not word.small] for text in (expected, result))
    if not left or not right:
        return float(expected.strip().casefold() == result.strip().casefold() != "")
    numbers = [{word.term for word in side if word.kind == "number"} for side in (left, right)]
    if numbers[0] != numbers[1]:
        return 0.0
    shared = sum((Counter(word.term for word in left) & Counter(word.term for word in right)).values())
    return 2 * shared / (len(left) + len(right))


def _phrases(text: Sequence[Word], known: set[str], kind: str) -> list[tuple[int, int]]:
    """Runs of a line's words that could fill the gap: of the kind wanted, not said by the question."""
    able = [n for n, word in enumerate(text) if not word.small and word.term not in known and word.kind == kind]
    runs: list[tuple[int, int]] = []
    for n in able:
        size = n - runs[-1][0] if runs else 0
        if runs and runs[-1][1] == n - 1 and (kind != "other" or size < LONGEST):
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs


def _beside(question: Question, code: str) -> set[str]:
    """The words that matter next to the gap, one on each side."""
    left, gap, right = question.text.partition(GAP)
    if not gap:
        return set()
    before = [word.term for word in read(left, code) if not word.small]
    after = [word.term for word in read(right, code) if not word.small]
    return {*before[-1:], *after[:1]}


def _far(n: int, phrase: tuple[int, int]) -> int:
    return phrase[0] - n if n < phrase[0] else n - phrase[1]


def _named(text: str, start: int, spelling: str) -> bool:
    """Whether a capital letter stands there for another reason than the beginning of a sentence."""
    if not (_CAPITAL.match(spelling) and spelling[0].isupper()):
        return False
    return any(char.isupper() for char in spelling[1:]) or not re.search(r"(?:\A|[.!?:\n])[\s\"“'‘(]*\Z", text[:start])
