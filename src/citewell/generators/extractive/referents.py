"""Questions about two documents, side by side or in successive clauses, and the question for each.

    split("Who had more staff, Oriel in fiscal 2019 or Tarrow in 2018?", (oriel, tarrow))
    # [(oriel, "Oriel in fiscal 2019"), (tarrow, "Tarrow in 2018")]

A document is named, or described by words that it has and the other has not: "the ferry agreement". A period that
stands behind one of them is its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive import companies
from citewell.text.stopwords import stopwords
from citewell.text.words import terms

KINDS = (
    "trial|study|paper|article|agreement|contract|lease|policy|statement|law|act|statute|bill|program|programme|plan|"
    "letter|minutes|meeting|manual|guide|report|filing|text|review|summary|case|book|novel|chapter|story|page|document|"
    "company|one|experiment|experiments|survey|order|deed|notice"
)
_PREPOSITIONS = "in|of|for|by|at|on|from|with|to|under"
_QUESTION_WORDS = "how|what|which|who|whose|when|where"
_WORD = r"[a-z]?[A-Z0-9][\w.&’'-]*"
_NAME = rf"(?:the )?{_WORD}(?: (?:(?:of|the|and|de|&|for) )?{_WORD}){{0,5}}"
_TIME = (
    r"(?:,? (?:in|at|for|by|as of|of)(?: the)?"
    r"(?: (?:end|close|year|fiscal|calendar|of|[A-Z][a-z]+|\d\d?,?)){0,4} (?:19|20)\d\d)"
)
_LEAD = re.compile(rf"^(?:{_PREPOSITIONS}) ")
_TIMED = re.compile(rf"{_TIME}$")
_LATE = re.compile(rf"(?<=\w){_TIME}$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEARLY = r"(?:the )?(?:(?:fiscal|calendar|[A-Z][a-z]+) )?(?:19|20)\d\d"
_BEFORE = rf"(?:(?!(?:{_PREPOSITIONS}|the)\b)[\w’'-]+ ){{0,5}}?"  # words before a noun
_ABOUT = r" (?:on|of|in|with|for|from|about|by|at) [^,;:?]{3,60}"
_DESCRIBED = rf"(?:the|that|this) {_BEFORE}(?:{KINDS})\b(?:{_ABOUT})?"
_DESCRIPTION = re.compile(
    rf"(?P<before>(?:{_PREPOSITIONS}) )?(?:the|that|this) [^,;:?]{{0,80}}?\b(?P<noun>{KINDS})\b.*"
)
_DEFINITE = rf"the(?: (?!(?:{_PREPOSITIONS}|the)\b)[\w’'-]+){{1,4}}"
_PHRASE = re.compile(rf"(?:{_NAME}{_TIME}?|{_YEARLY}(?: (?:{KINDS}))?|{_DESCRIBED}|{_DEFINITE})")
_AT_START = tuple(
    re.compile(form)
    for form in (
        rf"(?:the )?{_BEFORE}(?:{KINDS})\b(?! (?:in|of) (?:19|20)\d\d)",
        rf"{_NAME}{_TIME}?",
        rf"{_YEARLY}(?: (?:{KINDS}))?",
        _DEFINITE,
    )
)
_JOINED = re.compile(
    rf",? (?:and|or)(?: also)? (?:both )?(?P<again>(?:{_PREPOSITIONS}|between|those of|that of) )?(?=\S)"
)
_NO_NAME = re.compile(
    rf"(?:{_PREPOSITIONS}|{_QUESTION_WORDS}|do|does|did|is|are|was|were|has|have|had|can)\b", re.IGNORECASE
)
_COLLECTIVE = re.compile(
    r"\b(?:each|both|either)(?: of (?:the|these)(?: two)?(?: [a-z]+)?)?(?=[\s,])(?P<rest>[^,]{0,80}), $"
)
_BOTH = re.compile(rf"\b(?:both|either) (?=(?:{_PREPOSITIONS})? ?$)|^ (?:both|each)\b|,? respectively\b,?")
_PLURAL = {"do": "does", "are": "is", "were": "was", "have": "has"}
_AUXILIARY = re.compile(r"\b(do|are|were|have)( (?:the|its)? ?)$", re.IGNORECASE)
_THEIR = re.compile(r"\btheir\b", re.IGNORECASE)
_YEAR_ENDS = re.compile(
    r" at (?:the|their) (?:fiscal )?(?:year[ -]?ends?|ends? of (?:the|their) (?:fiscal )?years?)", re.IGNORECASE
)
_AGAIN = re.compile(
    rf",? and (?P<asked>(?:(?:{_PREPOSITIONS}) )?"
    rf"(?:how (?:many|much|long|old|large|often|far|big)|{_QUESTION_WORDS}))\b"
    r"(?P<rest>[^?]{2,80})\??\s{0,3}$",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"{_ABOUT}(?=[,;:?]|$)")
_MOST_JOINTS = 8  # of a question that are looked at
_LONGEST = 10  # words of a phrase
_LEAST = math.log(2)  # by how much the words of both phrases tell the documents apart, in nats


class Referent(NamedTuple):
    """A document as a question calls it.

    Attributes:
        phrase: with its period.
        question: with this phrase alone; a description that has served to find the document is cut to its noun.
    """

    document: Document
    phrase: str
    question: str


def split(question: str, documents: Sequence[Document]) -> tuple[Referent, ...]:
    """Both documents of a question with the question for each; empty where it does not speak of two, or not clearly."""
    if len(documents) < 2:
        return ()
    for first, second, whole, other in (*_repeated(question), *_adjacent(question)):
        pair = _documents(first, second, documents)
        if pair is not None:
            return tuple(
                Referent(document, phrase, asked.replace(phrase, _plain(phrase)))
                for document, phrase, asked in zip(pair, (first, second), (whole, other), strict=True)
            )
    return ()


def shown_names(names: Mapping[str, str], question: str, documents: Sequence[Document]) -> dict[str, str]:
    """What documents are called by their ids, those without any name as the question calls them."""
    phrases = {
        referent.document.id: _TIMED.sub("", _LEAD.sub("", referent.phrase)) for referent in split(question, documents)
    }
    return {key: phrases.get(key, name) if name == key else name for key, name in names.items()}


def _plain(phrase: str) -> str:
    """A description without what tells one document from the other: "the trial" of "the succimer trial"."""
    match = _DESCRIPTION.fullmatch(phrase)
    return f"{match['before'] or ''}the {match['noun']}" if match and match["noun"] != "one" else phrase


def _repeated(question: str) -> Iterator[tuple[str, str, str, str]]:
    """The second clause asks again: "how many did X have in 2021 and how many in 2023"."""
    match = _AGAIN.search(question)
    if match is None:
        return
    whole = question[: match.start()]
    rest = match["rest"].split()
    asked = whole.lower().find(match["asked"].lower().split()[-1])
    behind = whole[asked:].split()[1:] if asked >= 0 else []
    while rest and behind and rest[0].lower() == behind[0].lower():
        rest, behind = rest[1:], behind[1:]
    phrase = " ".join(rest)
    if not phrase or len(rest) > _LONGEST + 2:
        return
    opening = re.escape(rest[0])
    places = [found.start() for found in re.finditer(rf"(?<!\S){opening}(?!\S)", whole, re.IGNORECASE)]
    for place in reversed(places):
        end = re.compile(rf"{re.escape(rest[-1])}(?!\w)", re.IGNORECASE).search(whole, place)
        stop = end.end() if end and not re.fullmatch(_YEARLY, rest[-1]) else len(whole)
        if len(whole[place:stop].split()) <= len(rest) + 5:
            yield whole[place:stop], phrase, f"{whole}?", f"{whole[:place]}{phrase}{whole[stop:]}?"


def _adjacent(question: str) -> Iterator[tuple[str, str, str, str]]:
    """Phrases on both sides of "and" or "or"."""
    for joint in islice(_JOINED.finditer(question), _MOST_JOINTS):
        left, right = question[: joint.start()], question[joint.end() :]
        starts = [found.start() for found in re.finditer(r"(?<![^\s,:])\S", left)][-_LONGEST:]
        for start in starts:
            if _NO_NAME.match(left, start) or not _PHRASE.fullmatch(left, start):
                continue
            if joint["again"] and not left[:start].lower().endswith(joint["again"].lower()):
                continue  # "of A and of B"
            for form in _AT_START:
                if not (found := form.match(right)):
                    continue
                end = found.end()
                if (tail := _TAIL.match(right, end)) and re.search(rf"\b(?:{KINDS})$", found[0]):
                    end = tail.end()
                first = left[start:]
                if not _YEAR.search(first) and (late := _LATE.search(right, 0, end)):
                    end = late.start()  # "of A and of B in 2022": the time is that of both
                second, behind = right[:end], right[end:]
                before = left[:start]
                yield first, second, put(before, first, behind), put(before, second, behind)


def put(before: str, subject: str, behind: str) -> str:
    """The question with one subject in place of several, its verb in the singular."""
    if match := _COLLECTIVE.search(before):  # "does each use, the study of poems": the subject stands at the end
        before, behind = before[: match.start()], f"{match['rest']}{behind}"
    before = _AUXILIARY.sub(lambda verb: f"{_PLURAL[verb[1].lower()]}{verb[2]}", _BOTH.sub("", before))
    behind = _THEIR.sub("its", _BOTH.sub("", _YEAR_ENDS.sub("", behind)))
    whole = " ".join(f"{before}{subject}{behind}".split())
    return f"{whole[:1].upper()}{whole[1:]}"


def _documents(first: str, second: str, documents: Sequence[Document]) -> tuple[Document, Document] | None:
    """The document of each phrase."""
    # The first word of a sentence is no sign of a name.
    by_name = [companies.named(f"What of {phrase}?", documents) for phrase in (first, second)]
    if all(len(chosen) == 1 for chosen in by_name):
        (one,), (other,) = by_name
        return (one, other) if one.id != other.id else None
    if len(documents) != 2:
        return None
    here, there = documents
    if len(by_name[0]) == 1 or len(by_name[1]) == 1:
        known = (by_name[0] if len(by_name[0]) == 1 else by_name[1])[0]
        rest = there if known.id == here.id else here
        unknown = second if len(by_name[0]) == 1 else first
        if _leans(unknown, rest, known) <= 0:
            return None
        return (known, rest) if len(by_name[0]) == 1 else (rest, known)
    leans = _leans(first, here, there), _leans(second, here, there)
    if abs(leans[0] - leans[1]) < _LEAST or min(leans) > 0 or max(leans) < 0:
        return None
    return (here, there) if leans[0] > leans[1] else (there, here)


def _leans(phrase: str, here: Document, there: Document) -> float:
    """By how much the words of a phrase are more frequent here than there: the mean difference of their logarithms."""
    spoken = [
        word
        for word in re.findall(r"[^\W_]+", phrase.lower())
        if word not in stopwords()["en"] and not re.fullmatch(rf"(?:{KINDS})s?|\d+", word)
    ]
    counts = [(_rate(here, term), _rate(there, term)) for term in terms(spoken)]
    known = [math.log(one / other) for one, other in counts if one != other]
    return sum(known) / len(known) if known else 0.0


def _rate(document: Document, term: str) -> float:
    frequencies = document.memo("term rates", lambda: _rates(document))
    return frequencies.get(term, 0.1 * frequencies[""]) + frequencies[""] * 0.1


def _rates(document: Document) -> dict[str, float]:
    found = terms(re.findall(r"[^\W_]+", f"{document.title or ''} {document.text}".lower()))
    result: dict[str, float] = {"": 1 / (len(found) + 1)}
    for term in found:
        result[term] = result.get(term, 0.0) + result[""]
    return result
