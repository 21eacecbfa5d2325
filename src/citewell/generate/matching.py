"""The words of a question as slots: each is filled by its own term, a related form, or another way to say it.

Weights of slots come from the documents (inverse document frequency), so that a rare word counts most.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generate.questions import Question
from citewell.index import UNKNOWN, Floats, Query, TermIndex

RELATED = 0.7  # how much a related form fills a slot ("acquisition" for "acquired")
ALIAS = 0.85  # how much another name fills it ("net sales" for "revenue")
_PREFIX = 5  # letters that related forms share at least
_SUBJECT = 0.3  # what a name weighs that stands in many sentences: this share of them, and this many
_SHARE, _OFTEN = 0.01, 40
_PALE = 0.3  # what a word weighs that is little more than part of the way of asking
_RARE = 10.0  # the inverse document frequency of a very rare term
_MOST = 12  # related forms of one word
# Question words whose meaning is the kind of answer, not something that the evidence repeats.
_ASKING = frozenset(
    "what which who whom whose when where why how many much do does did is are was were be been has have had can could "
    "will would should may might must kind type sort name list describe explain please tell give find there any it "
    "its they their them this that these those you your i me my we our".split()
)
_PALE_WORDS = frozenset(
    "spend spends spent main mainly primary primarily major located lie lies happen happened happens occur occurred "
    "called got get gets make makes made use uses used go goes went come comes came become became own mean means say "
    "says said take takes took place approximately exactly different various certain amount number total".split()
)
# Other names for the same thing, by the spelling in the question; each alternative is a phrase.
ALIASES: dict[str, tuple[str, ...]] = {
    "revenue": ("net sales", "sales", "turnover"),
    "revenues": ("net sales", "sales", "turnover"),
    "sales": ("revenue", "revenues"),
    "profit": ("net income", "net earnings", "earnings", "income"),
    "earnings": ("net income", "profit"),
    "capex": ("capital expenditures", "additions to property", "purchases of property"),
    "cogs": ("cost of sales", "cost of goods sold", "cost of products sold"),
    "employees": ("workforce", "headcount", "people employed"),
    "ceo": ("chief executive officer",),
    "cfo": ("chief financial officer",),
    "buybacks": ("repurchases", "share repurchase", "treasury shares"),
    "buyback": ("repurchase", "share repurchase"),
    "headquarters": ("headquartered", "executive offices", "head office"),
    "headquartered": ("headquarters", "executive offices"),
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


class Slots(NamedTuple):
    """U slots: the terms of a question that evidence should have.

    Attributes:
        terms: U terms.
        ids: U term ids of the index, `UNKNOWN` where no document has the term.
        weights: U shares of the question's weight, adding up to 1.
        rarity: U inverse document frequencies as shares of that of a very rare term.
        order: the slot of each word of the question in turn, -1 for words that are no slot.
    """

    terms: tuple[str, ...]
    ids: npt.NDArray[np.int32]
    weights: Floats
    rarity: Floats
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
    array, idf = np.array(ids, dtype=np.int32), np.array(rarities, dtype=np.float32)
    total = float(idf.sum())
    weights = (idf / total).astype(np.float32) if total > 0 else np.full(len(idf), 1 / max(1, len(idf)), np.float32)
    return Slots(tuple(position), array, weights, np.minimum(1, idf / _RARE), tuple(order))


def _weights(asked: Question, query: Query, found: TermIndex) -> Floats:
    """Inverse document frequencies; what a document is about stands everywhere in it and tells little."""
    result = found.weights(query).copy()
    names = {term for name in asked.names for term in found.query(name).terms}
    for place, (term, number) in enumerate(zip(query.terms, query.ids.tolist(), strict=True)):
        if asked.text[query.starts[place] : query.ends[place]].lower() in _PALE_WORDS:
            result[place] *= _PALE
        if term in names and number != UNKNOWN and found.df[number] >= max(_OFTEN, _SHARE * len(found.segments)):
            result[place] *= _SUBJECT
    return result


def presence(slot: Slots, asked: Question, found: TermIndex, vocabulary: Sequence[str]) -> tuple[Floats, Floats]:
    """(U, S) twice: 1 where a sentence has the term itself; then up to 1 where it has it, a related form or an alias.

    `vocabulary` holds the sorted terms of the index.
    """
    exact = found.presence(slot.ids.tolist()).astype(np.float32)
    soft = exact.copy()
    spelled = {term: asked.text[start:end].lower() for term, start, end in _spellings(asked, found)}
    for row, term in enumerate(slot.terms):
        forms = [found.term_ids[form] for form in _related(term, vocabulary)]
        if forms:
            soft[row] = np.maximum(soft[row], RELATED * found.presence(forms).any(axis=0))
        for phrase in ALIASES.get(spelled.get(term, term), ()) if found.code == "en" else ():
            query = found.query(phrase)
            numbers = query.ids[~query.stop].tolist()
            if numbers and UNKNOWN not in numbers:
                soft[row] = np.maximum(soft[row], ALIAS * found.presence(numbers).all(axis=0))
    return exact, soft


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
