"""One question put to each of several documents: "Which law governs each of the two agreements?", "do A and B employ".

    parts("How many people do Oriel and Tarrow employ?", (oriel, tarrow))
    # [(oriel, "How many people does Oriel employ?"), (tarrow, "How many people does Tarrow employ?")]

Each part is answered by its own document; where one of them has no answer, neither has the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from citewell.document import Document
from citewell.generators.extractive import companies, referents
from citewell.generators.extractive.stacked import joined, listed
from citewell.types import Abstention, Draft, Nearest

_MOST = 12  # documents that are asked one by one
_COLLECTIVE = re.compile(
    r"\b(?:(?:each|both|either|all) of (?:the|these|those)(?: (?:two|three|four|five|several|\d+))?|"
    r"(?:the|these|those|all|both|all the|both the) (?:two|three|four|five|several)|each|both|either|"
    r"all(?: the| these)?) "
    r"(?:(?P<kind>[a-z-]+) )?(?P<noun>companies|firms|banks|reports|filings|documents|papers|studies|articles|trials|"
    r"agreements|contracts|policies|laws|acts|statutes|bills|programs|programmes|plans|letters|minutes|meetings|"
    r"manuals|guides|pages|texts|authors|reviews|cases|"
    r"company|firm|bank|report|filing|document|paper|study|article|trial|agreement|contract|policy|law|act|statute|"
    r"bill|program|programme|plan|letter|meeting|manual|guide|page|text|review|case)\b"
)
_COMPARED = re.compile(
    r"\b(?:higher|more|larger|bigger|greater|longer|later|earlier|older|newer|shorter|lower|less|fewer|smaller|most|"
    r"least|highest|largest|biggest|longest|lowest|fewest|smallest|shortest|combined|total|together|difference|sum|"
    r"differ|in common|same|than)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,]*(?:(?:and of|and for|and by|and at|and in|and|or|of|for)[\s,]*)?(?:the )?", re.IGNORECASE)
_SPREAD = re.compile(
    r",? \b(?:respectively|each)\b,?(?= (?:have|has|had|do|make|employ|report|say|use|cover|\w+)\b|\W*$)"
)
# One of them is asked for, not what each says.
_CHOICE = re.compile(
    r"\W*(?:which|who|whose) "
    r"(?:of the|one|company|firm|trial|study|paper|agreement|policy|report|had|has)\b",
    re.IGNORECASE,
)


def parts(question: str, documents: Sequence[Document]) -> list[tuple[Document, str]]:
    """The question for each document; none where it is not put to several, or where it compares them."""
    if not 1 < len(documents) <= _MOST or _COMPARED.search(question):
        return []
    named = _by_name(question, documents)
    if len(named) > 2:  # two of three names would make a pair that leaves the third in the question
        return named
    if not _CHOICE.match(question) and (pair := referents.split(question, documents)):
        return [(referent.document, referent.question) for referent in pair]
    if match := _COLLECTIVE.search(question):
        kind = f"{match['kind']} " if match["kind"] else ""
        chosen = [document for document in documents if companies.is_named(question, document)]
        if not chosen and len(documents) > 2 and re.search(r"\btwo\b", match[0]):
            return []
        noun = f"the {kind}{_singular(match['noun'])}"
        return [(document, _put(question, match.start(), match.end(), noun)) for document in chosen or documents]
    return named


def _singular(noun: str) -> str:
    if noun.endswith("ies") and noun != "series":
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "minutes")) else noun


def _put(question: str, start: int, end: int, subject: str) -> str:
    """The question with one subject in place of several."""
    return referents.put(_SPREAD.sub("", question[:start]), subject, _SPREAD.sub("", question[end:]))


def _by_name(question: str, documents: Sequence[Document]) -> list[tuple[Document, str]]:
    """The question with one name where it has several beside each other: "do A, B and C employ"."""
    places = sorted((span, n) for n, document in enumerate(documents) for span in companies.spans(question, document))
    if len({n for _, n in places}) < 2 or len(places) != len({n for _, n in places}):
        return []
    if any(_BETWEEN.fullmatch(question[left[1] : right[0]]) is None for (left, _), (right, _) in pairwise(places)):
        return []
    start, end = places[0][0][0], places[-1][0][1]
    return [(documents[n], _put(question, start, end, question[slice(*span)])) for span, n in places]


def answer(question: str, documents: Sequence[Document], alone: companies.Alone) -> Draft | None:
    """The answers of the documents in one; None where the question is not put to each of several."""
    wanted = parts(question, documents)
    if not wanted:
        return None
    chosen = [document for document, _ in wanted]
    called = referents.shown_names(companies.short_names(chosen, chosen), question, documents)
    drafts = [(document, alone(part, (document,))) for document, part in wanted]
    lacking = [called[document.id] for document, draft in drafts if draft.abstention or not draft.statements]
    if lacking:
        near = tuple(Nearest(draft.sources[0]) for _, draft in drafts if draft.sources)[:3]
        message = f"no answer was found in {', '.join(lacking)}"
        low = Abstention("low_confidence", 0.0, None, message, near)
        blank = replace(drafts[0][1], text="", question=question, statements=(), sources=(), computed=(), value=None)
        return replace(blank, abstention=low, confidence=0.0)
    answers = [draft for _, draft in drafts]
    return joined(question, answers, listed([(called[document.id], draft) for document, draft in drafts]))
