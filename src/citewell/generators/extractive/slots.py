"""The words of a question as slots: each is filled by its own term, a related form, or another way to say it.

Weights of slots come from the documents (inverse document frequency), so that a rare word counts most.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive.questions import Question
from citewell.text.index import UNKNOWN, Floats, Query, TermIndex

RELATED = 0.7  # how much a related form fills a slot ("acquisition" for "acquired")
ALIAS = 0.85  # how much another name fills it ("net sales" for "revenue")
_PREFIX = 5  # letters that related forms share at least
# A name is what a document is about if it stands in this share of its sentences, less if also at its beginning.
_SHARE, _SHARE_OPENING, _OFTEN = 0.04, 0.005, 20
_COVER = frozenset(("unit", "state"))  # terms that stand on every American cover page and are rarely the subject
_OPENING = 25  # sentences at the beginning: a cover page
_LONG = 300  # sentences from which a document is long
_SUBJECT = 0.2  # what it weighs then
_PALE = 0.3  # what a word weighs that is little more than part of the way of asking
_RARE = 10.0  # the inverse document frequency of a very rare term
_MOST = 12  # related forms of one word
# Question words whose meaning is the kind of answer, not something that the evidence repeats.
_ASKING = frozenset(
    "what which who whom whose when where why how many much do does did is are was were be been has have had can could "
    "will would should may might must kind type sort name list describe explain please tell give find there any it "
    "its they their them this that these those you your i me my we our".split()
)
PALE_WORDS = frozenset(
    "spend spends spent main mainly primary primarily major located lie lies happen happened happens occur occurred "
    "called got get gets make makes made use uses used go goes went come comes came become became own mean means say "
    "says said take takes took place approximately exactly different various certain amount number total".split()
)
# The same where the meaning of an expression is asked for.
_MEANING_WORDS = frozenset("stand stands refer refers meant counts qualifies".split())
# Other names for the same thing, by the spelling in the question; each alternative is a phrase.
ALIASES: dict[str, tuple[str, ...]] = {
    "revenue": ("net sales", "sales", "turnover"),
    "revenues": ("net sales", "sales", "turnover"),
    "sales": ("revenue", "revenues"),
    "profit": ("net income", "net earnings", "earnings", "income"),
    "earnings": ("net income", "profit"),
    "capex": ("capital expenditures", "additions to property", "purchases of property"),
    "cogs": ("cost of sales", "cost of goods sold", "cost of products sold"),
    "employees": ("workforce", "headcount", "staff"),
    "staff": ("employees",),
    "people": ("employees", "persons"),
    "employ": ("employees", "workforce"),
    "employed": ("employees", "workforce"),
    "ceo": ("chief executive officer",),
    "cfo": ("chief financial officer",),
    "buybacks": ("repurchases", "share repurchase", "treasury shares"),
    "buyback": ("repurchase", "share repurchase"),
    "headquarters": ("head office",),
    "headquartered": ("head office",),
    "spend": ("expense", "expenses", "cost", "costs"),
    "spent": ("expense", "expenses", "cost", "costs"),
    "audits": ("auditor", "independent registered public accounting firm"),
    "auditor": ("independent registered public accounting firm",),
    "shareholders": ("stockholders", "shareowners"),
    "stockholders": ("shareholders",),
    "competitors": ("compete", "competition"),
    "risks": ("risk", "adversely affect"),
    "ppe": ("property plant equipment",),
    "baselines": ("compare", "baseline"),
    "dataset": ("corpus", "corpora", "data"),
    "datasets": ("corpus", "corpora", "data"),
    "big": ("size", "total"),
    "large": ("size", "total"),
    "created": ("founded", "established"),
    "started": ("founded", "began", "established"),
}


# Forms of verbs that no stemmer brings together.
_IRREGULAR = (
    "begin began begun", "bring brought", "build built", "buy bought", "choose chose chosen", "fall fell fallen",
    "feel felt", "fight fought", "find found", "fly flew flown", "give gave given", "grow grew grown", "hold held",
    "keep kept", "know knew known", "lead led", "leave left", "lose lost", "mean meant", "meet met", "pay paid",
    "rise rose risen", "run ran", "sell sold", "send sent", "sing sang sung", "speak spoke spoken", "spend spent",
    "take took taken", "teach taught", "think thought", "win won", "write wrote written", "die died death dead",
    "born birth",
)  # fmt: skip
FORMS = {
    form: tuple(other for other in group.split() if other != form) for group in _IRREGULAR for form in group.split()
}


# What a question calls the one whose report it is about, which calls itself "we" or by its name.
_REPORTER = re.compile(
    r"\b(?:the|this|your|our) (company|firm|group|business|corporation|enterprise|organi[sz]ation|cooperative|"
    r"registrant|issuer)\b(?! \w+s\b)",
    re.IGNORECASE,
)


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


def slots(asked: Question, found: TermIndex) -> Slots:
    """The slots of a question for the documents of an index."""
    query = found.query(asked.text)
    position: dict[str, int] = {}
    order: list[int] = []
    ids: list[int] = []
    rarities: list[float] = []
    weighed = _weights(asked, query, found).tolist()
    for term, number, stop, start, end, weight in zip(
        query.terms,
        query.ids.tolist(),
        query.stop.tolist(),
        query.starts.tolist(),
        query.ends.tolist(),
        weighed,
        strict=True,
    ):
        if stop or asked.text[start:end].lower() in _ASKING or (len(term) == 1 and term.isascii() and term.isalpha()):
            order.append(-1)
            continue
        if term not in position:
            position[term] = len(position)
            ids.append(number)
            rarities.append(weight)
        order.append(position[term])
    everywhere = subjects(asked, found)
    subject = np.fromiter((term in everywhere for term in position), dtype=bool, count=len(position))
    array, idf = np.array(ids, dtype=np.int32), np.array(rarities, dtype=np.float32)
    if not subject.all():
        idf[subject] *= _SUBJECT
    total = float(idf.sum())
    weights = (idf / total).astype(np.float32) if total > 0 else np.full(len(idf), 1 / max(1, len(idf)), np.float32)
    return Slots(tuple(position), array, weights, np.minimum(1, idf / _RARE), subject, tuple(order))


def _weights(asked: Question, query: Query, found: TermIndex) -> Floats:
    """Inverse document frequencies; words that belong to the way of asking weigh less."""
    result = found.weights(query).copy()
    for place, (start, end) in enumerate(zip(query.starts.tolist(), query.ends.tolist(), strict=True)):
        word = asked.text[start:end].lower()
        if word in PALE_WORDS or (asked.meaning and word in _MEANING_WORDS):
            result[place] *= _PALE
    return result


def subjects(asked: Question, found: TermIndex) -> frozenset[str]:
    """Terms of names in the question that a long document is about: they stand everywhere, or at its beginning too.

    "How many employees does Nike have?" is answered in Nike's report by a sentence that says "we". Where several
    documents are read, names tell them apart, so there are no subjects. "The company" is one wherever it stands.
    """
    reporter = {term for word in _REPORTER.findall(asked.text) for term in found.query(word).terms}
    count = len(found.segments)
    if count < _LONG or int(found.documents[-1]) > 0:
        return frozenset(reporter)
    opening = set(found.word_terms[: int(found.segment_ptr[min(_OPENING, count)])].tolist())
    result = reporter
    for term in (term for name in asked.names for term in found.query(name).terms if term in found.term_ids):
        seen = int(found.df[found.term_ids[term]])
        share = _SHARE_OPENING if found.term_ids[term] in opening else _SHARE
        if seen >= max(_OFTEN, share * count) and term not in _COVER:
            result.add(term)
    return frozenset(result)


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


def presence(slot: Slots, asked: Question, found: TermIndex, vocabulary: Sequence[str]) -> Presence:
    """Where each sentence fills the slots; `vocabulary` holds the sorted terms of the index."""
    accepted = set(slot.ids.tolist())
    exact = found.presence(slot.ids.tolist()).astype(np.float32)
    soft = exact.copy()
    written = {term: asked.text[start:end] for term, start, end in _spellings(asked, found)}
    for row, term in enumerate(slot.terms):
        forms = [found.term_ids[form] for form in _related(term, vocabulary)]
        if forms:
            accepted.update(forms)
            soft[row] = np.maximum(soft[row], RELATED * found.presence(forms).any(axis=0))
        word = written.get(term, term)
        several = (f"{word}s",) if word.isupper() and len(word) > 1 else ()  # stemmers do not know "MAUs"
        word = word.lower()
        for phrase in (*ALIASES.get(word, ()), *FORMS.get(word, ()), *several) if found.code == "en" else ():
            query = found.query(phrase)
            numbers = query.ids[~query.stop].tolist()
            if numbers and UNKNOWN not in numbers:
                accepted.update(numbers)
                soft[row] = np.maximum(soft[row], ALIAS * found.presence(numbers).all(axis=0))
    return Presence(exact, soft, frozenset(accepted))


def _spellings(asked: Question, found: TermIndex) -> list[tuple[str, int, int]]:
    query = found.query(asked.text)
    return list(zip(query.terms, query.starts.tolist(), query.ends.tolist(), strict=True))


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
