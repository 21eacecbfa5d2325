"""Features of a sentence as the answer to a question: which words it has, what stands around it, what kind it offers.

They are measured for the few dozen sentences that share most with the question, and are shares between 0 and 1, so
that one set of weights serves short and long documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from citewell.generate.context import Surroundings
from citewell.generate.matching import Slots
from citewell.generate.questions import KINDS, Question
from citewell.index import Floats, TermIndex

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DATE = re.compile(rf"\b(?:1\d|20)\d\d(?:s\b|\b)|\b{_MONTH}\b\.? \d|\b\d+ {_MONTH}\b|\bcentur(?:y|ies)\b|\b\d+ (?:BC|AD|BCE|CE)\b|\b(?:{_MONTH[3:-1]})\b", re.IGNORECASE)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w])\d[\d,]*(?:\.\d+)?")
_NUMBER_WORD = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|half|once|twice|dozens?|several|third|quarter)\b", re.IGNORECASE)  # fmt: skip
_MONEY = re.compile(r"[$€£¥₹]|\b(?:dollars?|euros?|pounds?|USD|EUR|GBP|cents?|[bm]illion)\b")
_PERCENT = re.compile(r"%|\bper ?cent\b|\bpercentage\b|\bbasis points\b", re.IGNORECASE)
_UNIT = re.compile(r"\d\s?(?:%|°|k|[kcm]?m|km/h|mph|g|[km]g|ml|hours?|minutes?|seconds?|days?|weeks?|months?|years?|meters?|metres?|feet|foot|ft|miles?|inch(?:es)?|acres?|tons?|points?|times|people|words|tokens|sentences|examples|hz|[gm]hz|[kmgt]b)\b", re.IGNORECASE)  # fmt: skip
_NAME = re.compile(r"(?<![.?!:|]\s)(?<!^)\b[A-Z][\w’'&-]+(?:\s+(?:of |the |de |van |von )?[A-Z][\w.’'&-]*)*")
_PLACE = re.compile(r"\b(?:in|at|from|near|to|of|between|through|across|into|around|north|south|east|west)(?: the)? [A-Z]\w+|\b(?:located|situated|headquartered|based|where|area|region|city|country|coast)\b")  # fmt: skip
_REASON = re.compile(r"\b(?:because|due to|owing to|as a result|results? (?:in|from)|caus(?:e|ed|es|ing)|led to|leads? to|reasons?|since|so that|therefore|thus|hence|driven by|attribut(?:ed|able)|in order to|reflect(?:s|ed|ing)|primarily|thanks to|why|to (?:avoid|prevent|ensure|allow|enable|reduce|increase|improve|protect|provide|make))\b", re.IGNORECASE)  # fmt: skip
_MANNER = re.compile(r"\b(?:by (?:the )?\w+(?:ing|ion)?|us(?:e|es|ed|ing)|through|via|based on|method|process|steps?|first|then|consists? of|train(?:ed|ing)?|in which|with the help)\b", re.IGNORECASE)  # fmt: skip
_DEFINITION = re.compile(r"\b(?:is|are|was|were) (?:an?|the|one|any|defined|known|called|used|considered)\b|\b(?:refers? to|means?|meaning|defined as|denotes?|consists? of|stands? for|known as|called|describes?|represents?|that is)\b", re.IGNORECASE)  # fmt: skip
_LIST = re.compile(r",[^,]{1,60},|,[^,]{1,60} (?:and|or) |: |;|\b(?:include|includes|including|such as|following|namely)\b")  # fmt: skip
_NEGATION = re.compile(r"\b(?:not|no|never|without|neither|nor|none|cannot|except|lack\w*)\b|n['’]t\b", re.IGNORECASE)
_ANAPHOR = re.compile(r"^\W*(?:it|they|he|she|this|these|that|those|such|its|their|his|her|the (?:latter|former))\b", re.IGNORECASE)  # fmt: skip
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?!\d|[.,]\d)")
_REFERENCE = re.compile(r"\b(?:see|refer to) (?:note|item|part|section|table|figure|appendix)\b|\. ?\.+ ?\. ?\d", re.IGNORECASE)  # fmt: skip

BASE = (
    "own", "soft", "around", "context", "bm25", "pairs", "near", "rarest", "rarest_around", "full", "focus",
    "years", "years_around", "numbers", "names", "names_around", "new", "short", "long", "question", "heading",
    "row", "row_figures", "list_item", "negation", "anaphor", "reference", "opening", "answer_kind",
)  # fmt: skip
FITS = tuple(f"fits_{kind}" for kind in KINDS if kind not in ("yes_no", "open"))
NAMES = (*BASE, *FITS)


def fits(asked: Question, text: str, kind: str, question_words: frozenset[str]) -> float:
    """How well a sentence offers the kind of answer that is asked for, 0 to 1; what the question has does not count."""
    found: float
    figures = [n for n in _NUMBER.findall(text) if n not in asked.years and n not in asked.numbers]
    row = kind == "table_row"
    match asked.kind:
        case "date":
            dates = [m for m in _DATE.findall(text) if m and m not in asked.years]
            found = 1.0 if dates else 0.3 * bool(_NUMBER_WORD.search(text))
        case "count" | "measure":
            figures_left = [n for n in figures if not _YEAR.fullmatch(n)]
            found = (0.8 + 0.2 * bool(_UNIT.search(text))) if figures_left else 0.7 * bool(_NUMBER_WORD.search(text))
        case "money":
            found = float(bool(figures)) * (1.0 if _MONEY.search(text) or row else 0.4)
        case "percent":
            found = float(bool(figures)) * (1.0 if _PERCENT.search(text) else 0.5 if row else 0.3)
        case "person" | "place":
            names = [n for n in _NAME.findall(text) if not set(n.lower().split()) <= question_words]
            found = 0.7 * bool(names) + 0.3 * bool(_PLACE.search(text)) if asked.kind == "place" else float(bool(names))
        case "reason":
            found = float(bool(_REASON.search(text)))
        case "manner":
            found = float(bool(_MANNER.search(text)))
        case "definition":
            found = float(bool(_DEFINITION.search(text)))
        case "list":
            found = 1.0 if _LIST.search(text) else 0.6 * (kind == "list_item")
        case "thing":
            found = float(bool(_NAME.search(text)))
        case _:
            found = 0.0
    return found


def features(
    asked: Question,
    slot: Slots,
    found: TermIndex,
    where: Surroundings,
    candidates: npt.NDArray[np.int64],
    exact: Floats,
    soft: Floats,
    near: Floats,
    ranked: Floats,
) -> Floats:
    """(C, len(NAMES)) features of C candidates.

    `exact`, `soft` and `near` are the (U, C) presences of slots in the sentence itself, with related forms, and in
    what surrounds it; `ranked` its BM25 score.
    """
    count = len(candidates)
    result = np.zeros((count, len(NAMES)), dtype=np.float32)
    column = {name: result[:, number] for number, name in enumerate(NAMES)}
    weights = slot.weights
    both = np.maximum(soft, near)
    column["own"][:] = weights @ exact
    column["soft"][:] = weights @ soft
    column["around"][:] = weights @ near
    column["context"][:] = weights @ both
    column["bm25"][:] = ranked / max(1e-6, float(ranked.max(initial=0)))
    if len(slot.terms):
        rarest = int(np.argmax(slot.rarity))
        column["rarest"][:] = soft[rarest]
        column["rarest_around"][:] = both[rarest]
        column["full"][:] = (both > 0).all(axis=0)
    pairs, closeness = _runs(slot, found, candidates)
    column["pairs"][:] = pairs
    column["near"][:] = closeness
    question_words = frozenset(re.findall(r"\w+", asked.text.lower()))
    question_terms = {int(number) for number in slot.ids}
    focus = {int(number) for number in found.query(asked.focus).ids if number >= 0} & question_terms
    focus_rows = [row for row, number in enumerate(slot.ids.tolist()) if number in focus]
    if focus_rows:
        column["focus"][:] = soft[focus_rows].max(axis=0)
    for name, wanted in (("years", asked.years), ("numbers", asked.numbers), ("names", asked.names)):
        rows = _rows(slot, found, wanted)
        column[name][:] = soft[rows].mean(axis=0) if rows else 1.0
        if f"{name}_around" in column:
            column[f"{name}_around"][:] = both[rows].mean(axis=0) if rows else 1.0
    fit = np.zeros(count, dtype=np.float32)
    for row, number in enumerate(candidates.tolist()):
        segment = found.segments[number]
        text = segment.text
        own = found.word_terms[found.words_of(number)]
        content = np.unique(own[~found.stop[own]])
        new = len(content) - sum(int(term) in question_terms for term in content.tolist())
        column["new"][row] = min(1.0, new / 8)
        column["short"][row] = max(0.0, 1 - len(own) / 8)
        column["long"][row] = min(1.0, max(0.0, (len(own) - 30) / 60))
        column["question"][row] = text.rstrip().endswith("?")
        column["row_figures"][row] = segment.kind == "table_row" and bool(_NUMBER.search(text))
        column["list_item"][row] = segment.kind == "list_item"
        column["negation"][row] = bool(_NEGATION.search(text)) != asked.negated
        column["anaphor"][row] = bool(_ANAPHOR.match(text))
        column["reference"][row] = bool(_REFERENCE.search(text))
        column["opening"][row] = (
            where.before[number] < 0 or where.paragraph[where.before[number]] != where.paragraph[number]
        )
        fit[row] = fits(asked, text, segment.kind, question_words)
    column["heading"][:] = where.titles[candidates]
    column["row"][:] = where.rows[candidates]
    column["answer_kind"][:] = fit * column["context"]
    if f"fits_{asked.kind}" in column:
        column[f"fits_{asked.kind}"][:] = fit
    return result


def _rows(slot: Slots, found: TermIndex, wanted: Sequence[str]) -> list[int]:
    """The slots of the words of `wanted`."""
    terms = {term for text in wanted for term in found.query(text).terms}
    return [row for row, term in enumerate(slot.terms) if term in terms]


def _runs(slot: Slots, found: TermIndex, candidates: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Shares of the question's neighbouring words that stand together in each candidate, and how close its words are."""
    pairs = {(a, b): slot.weights[a] + slot.weights[b] for a, b in _neighbours(slot.order)}
    total = float(sum(pairs.values())) or 1.0
    together = np.zeros(len(candidates), dtype=np.float32)
    closeness = np.zeros(len(candidates), dtype=np.float32)
    ids = {int(number): row for row, number in enumerate(slot.ids.tolist()) if number >= 0}
    for row, number in enumerate(candidates.tolist()):
        own = found.word_terms[found.words_of(number)].tolist()
        places = [(place, ids[term]) for place, term in enumerate(own) if term in ids]
        seen: set[tuple[int, int]] = set()
        gaps = []
        for (left, first), (right, second) in zip(places, places[1:], strict=False):
            if first != second:
                gaps.append(right - left)
                if right - left <= 3:  # words between, such as "of the", do not part a pair
                    seen.update(pair for pair in ((first, second), (second, first)) if pair in pairs)
        together[row] = sum(pairs[pair] for pair in seen) / total
        closeness[row] = float(np.mean([1 / gap for gap in gaps])) if gaps else 0.0
    return together, closeness


def _neighbours(order: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of slots that follow each other in the question, with at most one other word between."""
    placed = [(place, slot) for place, slot in enumerate(order) if slot >= 0]
    return [
        (first, second)
        for (left, first), (right, second) in zip(placed, placed[1:], strict=False)
        if right - left <= 2 and first != second
    ]
