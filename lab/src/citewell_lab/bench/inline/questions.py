"""Questions whose answers a filing tags: common items in people's words, drawn by a seed before anything is asked.

The wording comes from `concepts.json`, never from the filing, which calls its rows as it likes.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from citewell import Answer, ask
from citewell.document import Document
from citewell.text.data import read_json
from citewell_lab.bench.inline.reading import member_name
from citewell_lab.bench.inline.tagged import Fact, Filing

Ask = Callable[[Document, str], Answer]
KINDS = {"plain": 40, "part": 10, "absent": 6}  # questions drawn from a filing
OUTCOMES = ("right", "wrong", "hedged", "withheld")
_SURE = 0.8  # confidence below which an answer is hedged
_HALF = 0.5001  # of the last place that is printed
_YEARS = {True: 3, False: 2}  # back from the newest: of items that last, of balances
_OF_PARTS = ("StatementBusinessSegmentsAxis", "ProductOrServiceAxis", "StatementGeographicalAxis")
_WHOLE = ("srt:ConsolidationItemsAxis", "us-gaap:OperatingSegmentsMember")


class Item(NamedTuple):
    """A common item: the concepts that it is tagged with, others that its words may mean, and how people ask for it."""

    concepts: tuple[str, ...]
    also: tuple[str, ...]
    ask: tuple[str, ...]
    absent: bool
    parts: bool


class Question(NamedTuple):
    """A question with what is right: figures with their precisions, none where the filing tags no such item."""

    kind: str
    concept: str
    text: str
    right: tuple[tuple[float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return self._asdict()


class Asked(NamedTuple):
    """A question with its outcome and the answer."""

    question: Question
    outcome: str
    answer: Answer


@cache
def items() -> tuple[Item, ...]:
    """The items that may be asked for."""
    rows = read_json(__package__, "concepts.json")["items"]
    return tuple(
        Item(tuple(row["concepts"]), tuple(row["also"]), tuple(row["ask"]), row["absent"], row["parts"]) for row in rows
    )


def questions(filing: Filing, seed: int) -> list[Question]:
    """Questions about a filing, drawn by a seed: as many of each kind as `KINDS` says, or as there are."""
    draw = random.Random(f"{seed} {filing.name}")  # noqa: S311  (draws questions)
    pool = {
        "plain": list(_plain(filing, draw)),
        "part": list(_parts(filing, draw)),
        "absent": list(_absent(filing, draw)),
    }
    return [one for kind, most in KINDS.items() for one in draw.sample(pool[kind], min(most, len(pool[kind])))]


def _plain(filing: Filing, draw: random.Random) -> Iterator[Question]:
    tagged = _by_year(filing, [fact for fact in filing.facts if not fact.context.members])
    for item in items():
        years = sorted({year for concept, year in tagged if concept in item.concepts}, reverse=True)
        for year in years:
            if right := _right(item, tagged, year):
                yield Question("plain", item.concepts[0], _worded(filing, item.ask, year, draw), right)


def _parts(filing: Filing, draw: random.Random) -> Iterator[Question]:
    of_member: dict[str, list[Fact]] = defaultdict(list)
    for fact in filing.facts:
        members = [one for one in fact.context.members if one != _WHOLE]
        if len(members) == 1 and members[0][0].rpartition(":")[2] in _OF_PARTS:
            of_member[members[0][1]].append(fact)
    for member, facts in sorted(of_member.items()):
        tagged = _by_year(filing, facts)
        for item in (item for item in items() if item.parts):
            for year in sorted({year for _, year in tagged}, reverse=True):
                if right := _right(item, tagged, year):
                    text = _worded(filing, [one for one in item.ask if one.startswith("What")], year, draw)
                    part = f"of {member_name(member)} in fiscal"
                    yield Question("part", item.concepts[0], text.replace("in fiscal", part, 1), right)


def _absent(filing: Filing, draw: random.Random) -> Iterator[Question]:
    tagged = {_name(fact.concept) for fact in filing.facts}
    for item in items():
        if item.absent and tagged.isdisjoint((*item.concepts, *item.also)):
            yield Question("absent", item.concepts[0], _worded(filing, item.ask, filing.year, draw), ())


def _worded(filing: Filing, asks: Sequence[str], year: int, draw: random.Random) -> str:
    ends = {fact.context.end for fact in filing.facts if not fact.context.members and fact.context.begin is None}
    end = next((end for end in sorted(ends) if filing.ends_year(end) and filing.year_of(end) == year), None)
    day = f"at {end:%B} {end.day}, {end.year}" if end else f"in fiscal {year}"
    return draw.choice(asks).format(year=f"fiscal {year}", day=draw.choice((f"at the end of fiscal {year}", day)))


def _by_year(filing: Filing, facts: Sequence[Fact]) -> Mapping[tuple[str, int], set[tuple[float, float]]]:
    """The figures of each concept for fiscal years and at their ends, of the last years."""
    tagged: dict[tuple[str, int], set[tuple[float, float]]] = defaultdict(set)
    for fact in facts:
        lasts = fact.context.begin is not None
        year = filing.year_of(fact.context.end)
        of_year = fact.context.months == 12 if lasts else True
        if of_year and filing.ends_year(fact.context.end) and 0 <= filing.year - year < _YEARS[lasts]:
            tagged[_name(fact.concept), year].add((fact.worth, fact.precision))
    return tagged


def _right(
    item: Item, tagged: Mapping[tuple[str, int], set[tuple[float, float]]], year: int
) -> tuple[tuple[float, float], ...]:
    """What is right for an item in a year; nothing where the concept that is asked for has none, or several figures."""
    first = next((tagged[concept, year] for concept in item.concepts if (concept, year) in tagged), set())
    exact = max(first, key=lambda figure: -figure[1], default=None)
    if exact is None or not exact[0] or any(abs(worth - exact[0]) > precision * _HALF for worth, precision in first):
        return ()
    named = [tagged.get((concept, year), set()) for concept in (*item.concepts, *item.also)]
    return tuple(dict.fromkeys((exact, *sorted(set().union(*named)))))


def _name(concept: str) -> str:
    return concept.rpartition(":")[2]


def ask_all(document: Document, drawn: Sequence[Question], ask: Ask = ask) -> list[Asked]:
    """Ask the questions, and hold each answer against what is right."""
    result = []
    for question in drawn:
        answer = ask(document, question.text)
        result.append(Asked(question, outcome(question, answer), answer))
    return result


def outcome(question: Question, answer: Answer) -> str:
    """Whether an answer is right, wrong, wrong with a hedge, or withheld; of what is absent the last is right."""
    if answer.abstained:
        return "withheld" if question.right else "right"
    if answer.value is not None and answer.value.number is not None:
        scale = answer.value.scale or 1
        number = answer.value.number * scale / (100 if answer.value.unit == "percent" else 1)
        digits = answer.value.text.replace(",", "").partition(".")[2]
        place = 10.0 ** -sum(map(str.isdigit, digits)) * scale
        if any(abs(abs(number) - worth) <= max(place, precision) * _HALF for worth, precision in question.right):
            return "right"
    return "wrong" if answer.confidence is None or answer.confidence >= _SURE else "hedged"


def counts(asked: Sequence[Asked]) -> Mapping[str, Counter[str]]:
    """The outcomes by the kinds of questions."""
    result: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for one in asked:
        result[one.question.kind].update(("n", one.outcome))
    return result
