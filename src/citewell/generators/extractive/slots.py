"""The words of a question as slots, each filled by its own term, a related form, or another wording.

Weights of slots come from the documents (inverse document frequency), so that a rare word counts most.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive.questions import Question
from citewell.generators.extractive.settings import aliases, irregular, settings, words
from citewell.text.index import UNKNOWN, Floats, Query, TermIndex
from citewell.text.meanings import meanings

_PREFIX = 5  # letters that related forms share at least
_OFTEN = 20  # sentences in which a name stands at least that a document is about
_OPENING = 25  # sentences at the beginning: a cover page
_LONG = 300  # sentences from which a document is long
_MOST = 12  # related forms of one word
_WORDS = 256  # of a question, at most: its rarest; a pasted page would take gigabytes, and asks nothing more clearly
# What a question calls the one whose report it is about, or the document itself: sentences say "we", or nothing.
_REPORTER = re.compile(
    r"\b(?:the|this|your|our) (company|firm|group|business|corporation|enterprise|organi[sz]ation|cooperative|"
    r"registrant|issuer|paper|document|report|article|study|trial|policy|agreement|contract|page|text|"
    r"website|site|service|app)\b(?! \w+s\b)",
    re.IGNORECASE,
)
_HEAD, _TITLE = 3, 30  # sentences and words at the beginning that may be a title
_TITLED = 30  # sentences from which a text has one: a passage begins with what it says
_DEGREE = re.compile(r"\bhow (long|often|far)\b", re.IGNORECASE)  # the kind of answer, not what it is about


class Slots(NamedTuple):
    """U slots: the terms of a question that evidence should have.

    Attributes:
        terms: U terms.
        ids: U term ids of the index, `UNKNOWN` where no document has the term.
        weights: U shares of the question's weight, adding up to 1.
        rarity: U inverse document frequencies as shares of that of a very rare term.
        subject: U flags of names of what a document is about, which its sentences need not repeat.
        order: the slot of each word of the question in turn, -1 for words that are no slot.
    """

    terms: tuple[str, ...]
    ids: npt.NDArray[np.int32]
    weights: Floats
    rarity: Floats
    subject: npt.NDArray[np.bool_]
    order: tuple[int, ...]


def slots(question: Question, terms: TermIndex) -> Slots:
    """The slots of a question for the documents of an index."""
    query = terms.query(question.text)
    position: dict[str, int] = {}
    order: list[int] = []
    ids: list[int] = []
    rarities: list[float] = []
    weighed = _weights(question, query, terms).tolist()
    degrees = {match.span(1) for match in _DEGREE.finditer(question.text)}
    for term, number, stop, start, end, weight in zip(
        query.terms,
        query.ids.tolist(),
        query.stop.tolist(),
        query.starts.tolist(),
        query.ends.tolist(),
        weighed,
        strict=True,
    ):
        if (
            stop
            or (start, end) in degrees
            or question.text[start:end].lower() in words("asking")
            or (len(term) == 1 and term.isascii() and term.isalpha())
        ):
            order.append(-1)
            continue
        if term not in position:
            position[term] = len(position)
            ids.append(number)
            rarities.append(weight)
        order.append(position[term])
    if len(position) > _WORDS:
        rarest = sorted(np.argsort(-np.array(rarities), kind="stable")[:_WORDS].tolist())
        place = {old: new for new, old in enumerate(rarest)}
        named = tuple(position)
        position = {named[old]: new for old, new in place.items()}
        ids, rarities = [ids[old] for old in rarest], [rarities[old] for old in rarest]
        order = [place.get(number, -1) for number in order]
    everywhere = subjects(question, terms)
    subject = np.fromiter((term in everywhere for term in position), dtype=bool, count=len(position))
    array, idf = np.array(ids, dtype=np.int32), np.array(rarities, dtype=np.float32)
    if not subject.all():
        idf[subject] *= settings()["subject_weight"]
    total = float(idf.sum())
    weights = (idf / total).astype(np.float32) if total > 0 else np.full(len(idf), 1 / max(1, len(idf)), np.float32)
    return Slots(tuple(position), array, weights, np.minimum(1, idf / settings()["rare"]), subject, tuple(order))


def _weights(question: Question, query: Query, terms: TermIndex) -> Floats:
    """Inverse document frequencies; words that belong to the way of asking weigh less."""
    result = terms.weights(query).copy()
    for place, (start, end) in enumerate(zip(query.starts.tolist(), query.ends.tolist(), strict=True)):
        word = question.text[start:end].lower()
        if word in words("pale") or (question.meaning and word in words("meaning")):
            result[place] *= settings()["pale_weight"]
    return result


def subjects(question: Question, terms: TermIndex) -> frozenset[str]:
    """Terms of names in the question that a long document is about: they stand everywhere, or at its beginning too.

    "How many employees does Nike have?" is answered in Nike's report by a sentence that says "we". Where several
    documents are read, names tell them apart, so there are no subjects. "The company" is one wherever it stands, and so
    are the words of the document's title.
    """
    reporter = {term for word in _REPORTER.findall(question.text) for term in terms.query(word).terms}
    reporter |= _titled(question, terms)
    count = len(terms.segments)
    if count < _LONG or int(terms.documents[-1]) > 0:
        return frozenset(reporter)
    opening = set(terms.word_terms[: int(terms.segment_ptr[min(_OPENING, count)])].tolist())
    result = reporter
    for term in (term for name in question.names for term in terms.query(name).terms if term in terms.term_ids):
        term_index = int(terms.df[terms.term_ids[term]])
        share = settings()["subject_share_opening"] if terms.term_ids[term] in opening else settings()["subject_share"]
        if term_index >= max(_OFTEN, share * count) and term not in words("cover"):
            result.add(term)
    return frozenset(result)


def _titled(question: Question, terms: TermIndex) -> set[str]:
    """Terms by which a question calls the document: words that follow each other in both it and the document's title.

    "Which law applies to the mutual non-disclosure agreement?" is answered below that title by "this Agreement".
    """
    if question.meaning or len(terms.segments) < _TITLED or int(terms.documents[-1]) > 0:
        return set()
    title = terms.word_terms[: int(terms.segment_ptr[_HEAD])][:_TITLE].tolist()
    pairs = set(pairwise(title))
    query = terms.query(question.text)
    asked = list(zip(query.terms, query.ids.tolist(), query.stop.tolist(), strict=True))
    titled = {
        term
        for (first, number, is_stop), (second, following, is_stop_too) in pairwise(asked)
        if (number, following) in pairs and not (is_stop or is_stop_too)
        for term in (first, second)
    }
    # Where nothing else of the question stands in the text, the title's words are all that can be looked for.
    others = (number for term, number, is_stop in asked if not is_stop and term not in titled)
    return titled if any(number != UNKNOWN for number in others) else set()


def without_subject(question: Question, slot: Slots, terms: TermIndex) -> str:
    """A question with "it" for each name of what the document is about, which its sentences need not repeat."""
    subject = {term for term, use in zip(slot.terms, slot.subject.tolist(), strict=True) if use}
    text = question.text
    for name in question.names:
        if subject & set(terms.query(name).terms):
            text = re.sub(
                rf"(?<!\w){re.escape(name)}(?P<of>['’]s)?(?!\w)", lambda match: "its" if match["of"] else "it", text
            )
    return text


class Presence(NamedTuple):
    """Where the slots of a question are filled.

    Attributes:
        exact: (U, S) 1 where a sentence has the term itself.
        soft: (U, S) up to 1 where it has the term, a related form or an alias.
        accepted: ids of all terms that fill a slot or a part of one.
    """

    exact: Floats
    soft: Floats
    accepted: frozenset[int]

    def at(self, candidates: npt.NDArray[np.int64]) -> Presence:
        """The same for some of the sentences."""
        return Presence(self.exact[:, candidates], self.soft[:, candidates], self.accepted)


def presence(slot: Slots, question: Question, terms: TermIndex, vocabulary: Sequence[str]) -> Presence:
    """Where each sentence fills the slots; `vocabulary` holds the sorted terms of the index."""
    accepted = set(slot.ids.tolist())
    exact = terms.presence(slot.ids.tolist()).astype(np.float32)
    soft = exact.copy()
    query = terms.query(question.text)
    spans = zip(query.starts.tolist(), query.ends.tolist(), strict=True)
    written = {term: question.text[start:end] for term, (start, end) in zip(query.terms, spans, strict=True)}
    for row, term in enumerate(slot.terms):
        forms = [terms.term_ids[form] for form in _related(term, vocabulary)]
        if forms:
            accepted.update(forms)
            soft[row] = np.maximum(soft[row], settings()["related"] * terms.presence(forms).any(axis=0))
        word = written.get(term, term)
        several = (f"{word}s",) if word.isupper() and len(word) > 1 else ()  # stemmers do not know "MAUs"
        word = word.lower()
        others = (*aliases().get(word, ()), *irregular().get(word, ()), *several)
        for phrase in others if terms.code == "en" else ():
            query = terms.query(phrase)
            numbers = query.ids[~query.stop].tolist()
            if numbers and UNKNOWN not in numbers:
                accepted.update(numbers)
                soft[row] = np.maximum(soft[row], settings()["alias"] * terms.presence(numbers).all(axis=0))
    return Presence(exact, soft, frozenset(accepted))


def likeness(slot: Slots, terms: TermIndex) -> Floats:
    """(U, S): how near in meaning the nearest word of each sentence comes to each slot, 1 for the same meaning.

    Words that are less alike than `unlike` are below 0: unrelated ones are often a little.
    """
    if terms.code != "en" or not len(terms.word_terms):
        return np.zeros((len(slot.terms), len(terms.segments)), dtype=np.float32)
    least = settings()["unlike"]
    alike = (meanings().of(slot.terms) @ terms.meanings.T - least) / (1 - least)
    result = np.zeros((len(slot.terms), len(terms.segments)), dtype=np.float32)
    filled = np.flatnonzero(np.diff(terms.segment_ptr))  # `reduceat` takes no empty ones
    result[:, filled] = np.maximum.reduceat(alike[:, terms.word_terms], terms.segment_ptr[filled], axis=1)
    return result


def _related(term: str, vocabulary: Sequence[str]) -> list[str]:
    """Terms of the vocabulary that share a long beginning with `term` and are not much longer or shorter."""
    if len(term) < _PREFIX or not term.isalpha() or not term.isascii():
        return []
    prefix = term[: max(_PREFIX, len(term) - 3)]
    result: list[str] = []
    for place in range(bisect_left(vocabulary, prefix), len(vocabulary)):
        other = vocabulary[place]
        if not other.startswith(prefix) or len(result) >= _MOST:
            break
        if other != term and abs(len(other) - len(term)) <= 4 and other.isalpha():
            result.append(other)
    return result
