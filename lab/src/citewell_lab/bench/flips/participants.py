"""Changes the participants of a claim: another name, or two names or figures swapped."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence

from citewell_lab.bench.flips.edits import Edit
from citewell_lab.bench.flips.figures import is_day, numerals
from citewell_lab.bench.flips.names import Name, Pool, bound, names, type_of
from citewell_lab.bench.flips.words import TOKEN, finite, listed, spoken, table, verbs


def entity(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[list[Edit]]:
    """Another name of the same type, of the evidence or of the data set."""
    whole = " ".join(evidence)
    mine = [name for name in names(claim, whole) if not bound(claim, name) and name.text in whole]
    chance.shuffle(mine)
    texts = {name.text for name in mine}
    for name in mine:
        for other in pool.others(claim, name, evidence, chance):
            if other not in texts and other not in claim and not _stands_near(other, name.text, evidence):
                yield [Edit(name.start, name.end, other)]
                break


def _stands_near(other: str, name: str, evidence: Sequence[str]) -> bool:
    """Whether both stand in one sentence of the evidence, where what holds for the one may hold for the other."""
    return any(other in sentence and name in sentence for sentence in evidence)


def roles(claim: str, evidence: Sequence[str], chance: random.Random) -> Iterator[list[Edit]]:
    """Two names, or two numbers of one kind, in each other's place."""
    whole = " ".join(evidence)
    pairs = [
        (first, second)
        for first, second in _neighbours([name for name in names(claim, whole) if not bound(claim, name)])
        if _ordered(claim, first, second)
    ]
    figures = [
        pair
        for years in (True, False)
        for pair in _neighbours(
            [
                Name(*numeral[:3])
                for numeral in numerals(claim)
                if numeral.is_year == years and not is_day(claim, numeral.start, numeral.end)
            ]
        )
        if pair[0].text != pair[1].text and _told_apart(claim, *pair)
    ]
    chance.shuffle(pairs)
    chance.shuffle(figures)
    for first, second in (*pairs, *figures):
        places = _with_article(claim, first), _with_article(claim, second)
        texts = [claim[place.start : place.end] for place in places]
        texts[0] = re.sub(r"\AThe ", "the ", texts[0])
        yield [Edit(places[0].start, places[0].end, texts[1]), Edit(places[1].start, places[1].end, texts[0])]


def _with_article(claim: str, name: Name) -> Name:
    """A name with the "the" before it, which moves with it."""
    before = re.search(r"\b[Tt]he \Z", claim[: name.start])
    return Name(before.start(), name.end, claim[before.start() : name.end]) if before else name


def _neighbours(parts: Sequence[Name]) -> list[tuple[Name, Name]]:
    return list(itertools.pairwise(parts))


_IN_TITLE = re.compile(r"\b[Aa]n? \Z|[A-Z]\w* (?:in|on|of|to|and|for|at|with)(?: the)? \Z")
_LIES_IN = re.compile(r" (?:is|are|was|were) (?:located |situated |based )?(?:in|inside|within) (?:the )?")


def _ordered(claim: str, first: Name, second: Name) -> bool:
    """Whether the words between two names put them in an order that matters, and either may stand first."""
    between = claim[first.end : second.start]
    words = spoken(between)
    if first.text in second.text or second.text in first.text or not words or words & set(table("symmetric")):
        return False
    if re.search(r"[;,()]", between) or len(words) > 8:
        return False
    if _qualifies(claim, first, acts=True) or _qualifies(claim, second, acts=False):
        return False
    if any(_IN_TITLE.search(claim[: name.start]) for name in (first, second)):
        return False
    if re.search(r"[A-Z]\w*, \Z", claim[: first.start]):  # "Prescott, Arizona" is one place
        return False
    if _LIES_IN.fullmatch(between):
        return re.match(r"\.?\Z|,", claim[second.end :]) is not None
    kinds = type_of(first.text), type_of(second.text)
    alike = kinds[0] == kinds[1] != "" or first.text.split()[-1] == second.text.split()[-1]
    if "demonym" in kinds:
        return False
    tokens = [token.lower() for token in TOKEN.findall(between) if token.lower() not in ("the", "a", "an")]
    if alike:
        return bool(words & {"by", "than", "from", "before", "after", "over"}) or any(
            token in finite() or token in verbs() or token.endswith("ed") for token in tokens
        )
    return kinds[0] == kinds[1] and (
        tokens[-1:] in (["by"], ["than"]) or (len(tokens) < 3 and tokens[-1:] != [] and tokens[-1] in finite())
    )


def _qualifies(claim: str, name: Name, *, acts: bool) -> bool:
    """Whether a name only says more about the noun behind it, as in "Facebook group"; `acts`: a verb may follow."""
    behind = re.match(r" ([a-z]+|\d)", claim[name.end :])
    if behind is None or (acts and (behind[1].endswith("ed") or behind[1] in finite())):
        return False
    return behind[1] not in (
        listed("be")
        | listed("have")
        | listed("modal")
        | listed("no_subject")
        | listed("subordinate")
        | listed("after_name")
    )


def _told_apart(claim: str, first: Name, second: Name) -> bool:
    """Whether two numbers stand for different things, by the words between them."""
    between = claim[first.end : second.start]
    words = spoken(between)
    if words & {"or", "of"} or re.fullmatch(r"\W*(?:and)?\W*", between) or "between" in spoken(claim[: first.start]):
        return False
    if words & {"to", "until", "till", "through"} and len(words) <= 5:  # a range, if nothing moves along it
        return _MOVES.search(claim[: first.start]) is not None
    return len(words) >= 2


_MOVES = re.compile(
    r"\b(?:ris|rose|fall|fell|grew|grow|increas|decreas|declin|drop|improv|reduc|cut|rais|chang|w[eo]nt|gain)\w*\b.*\bfrom\b",
    re.IGNORECASE,
)
