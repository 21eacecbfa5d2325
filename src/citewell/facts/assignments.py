"""Assigns each of two figures in a claim to its words: "12% of the boys and 9% of the girls".

Labels and figures alternate: either each figure has its words before it or each behind it, in the claim one way and in
its evidence perhaps the other. The first label is the first figure's. Where claim and evidence give two labels to two
figures crosswise, whatever label of the two figures is looked at, each figure is the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from citewell.facts.changes import alike
from citewell.facts.extract import Facts
from citewell.facts.figures import Stands, relate
from citewell.facts.pairing import partners
from citewell.facts.tokens import Tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.words_aligned import Aligned
from citewell.types import Span

_REACH = 12  # words before the first figure and behind the second in which their labels stand
_WIDE = 40  # words of the evidence in which two figures and their labels stand
_PARTS = frozenset("and or but while whereas against versus".split())
_MARKS = frozenset(",;:")


class _Home(NamedTuple):
    """The place of a word or figure in the evidence: the sentence, and the word of it."""

    sentence: int
    place: int


def assigned(
    claim: Facts, stands: Sequence[Stands], evidence: Sequence[Facts], aligned: Sequence[Aligned]
) -> list[Stands]:
    """The same, where two figures that the evidence has are exchanged: each then conflicts with the other's."""
    result = list(stands)
    equal = [n for n, stand in enumerate(stands) if stand.standing in ("agrees", "elsewhere")]
    for first, second in combinations(sorted(equal, key=lambda n: stands[n].fact.start), 2):
        both = result[first], result[second]
        if _comparable(both[0].fact, both[1].fact) and _crossed(claim, *both, evidence, aligned):
            for n, its, instead in ((first, *both), (second, *both[::-1])):
                if instead.counterpart is not None:
                    result[n] = its._replace(
                        standing="conflicts",
                        counterpart=instead.counterpart,
                        sentence=instead.sentence,
                        relation=relate(its.fact, instead.counterpart),
                    )
    return result


def _comparable(first: Quantity | Period, second: Quantity | Period) -> bool:
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        return alike(first, second) and relate(first, second).outcome == "conflicts"
    if isinstance(first, Period) and isinstance(second, Period):
        return first.granularity == second.granularity and relate(first, second).outcome == "conflicts"
    return False


def _crossed(
    claim: Facts, first: Stands, second: Stands, evidence: Sequence[Facts], aligned: Sequence[Aligned]
) -> bool:
    here, there = _home(first, evidence), _home(second, evidence)
    if here is None or there is None or first.fact.start in partners(claim.text):
        return False
    sentences = {here.sentence, there.sentence}

    def known(place: int) -> bool:
        return sum(aligned[sentence].places[place] >= 0 for sentence in sentences) == 1

    pairs = list(_labels(claim.tokens, first.fact.span, second.fact.span, known))
    joined = [(before, behind) for before, behind, apart in pairs if not apart] or [pair[:2] for pair in pairs]
    votes = [vote for pair in joined for vote in _votes(pair, here, there, aligned)]
    return bool(votes) and not any(votes)


def _home(stand: Stands, evidence: Sequence[Facts]) -> _Home | None:
    """Where the one figure of the evidence stands that agrees; None where there are several."""
    homes = {
        _Home(sentence, facts.tokens.between(figure.start, figure.end)[0])
        for sentence, facts in enumerate(evidence)
        for figure in (facts.quantities if isinstance(stand.fact, Quantity) else facts.periods)
        if relate(stand.fact, figure).outcome == "agrees" and facts.tokens.between(figure.start, figure.end)
    }
    return homes.pop() if len(homes) == 1 else None


def _labels(tokens: Tokens, first: Span, second: Span, known: Callable[[int], bool]) -> Iterator[tuple[int, int, bool]]:
    """The words that may be the labels of two figures: the nearest before each, and the nearest behind each.

    With them whether a comma or "and" parts one of them from its figure.
    """
    here, there = tokens.between(*first), tokens.between(*second)
    if not here or not there:
        return
    before = [n for n in range(here[0] - 1, max(-1, here[0] - _REACH), -1) if known(n) and tokens.content[n]]
    between = [n for n in range(here[-1] + 1, there[0]) if known(n) and tokens.content[n]]
    after = range(there[-1] + 1, min(len(tokens), there[-1] + _REACH))
    behind = [n for n in after if known(n) and tokens.content[n]]
    for left, right in ((before, between[::-1]), (between, behind)):
        shared = {tokens.keys[n] for n in left} & {tokens.keys[n] for n in right}
        labels = [next((n for n in side if tokens.keys[n] not in shared), -1) for side in (left, right)]
        if min(labels) >= 0:
            yield labels[0], labels[1], _apart(tokens, labels[0], here) or _apart(tokens, labels[1], there)


def _apart(tokens: Tokens, label: int, figure: range) -> bool:
    """Whether something that joins or parts stands between a label and its figure."""
    low, high = (label, figure[0]) if label < figure[0] else (figure[-1], label)
    return any(tokens.lower[n] in _PARTS or not _MARKS.isdisjoint(tokens.gap(n)) for n in range(low + 1, high + 1))


def _votes(pair: tuple[int, int], first: _Home, second: _Home, aligned: Sequence[Aligned]) -> Iterator[bool]:
    """Whether two labels stand by their own figures in the evidence (or by each other's); nothing where neither."""
    if first.sentence != second.sentence:
        homes = (first.sentence, second.sentence)
        where = tuple(next((n for n in homes if aligned[n].places[word] >= 0), -1) for word in pair)
        if where in (homes, homes[::-1]):
            yield where == homes
        return
    left, right = (aligned[first.sentence].places[word] for word in pair)
    labels, figures = sorted((left, right)), sorted((first.place, second.place))
    if max(*labels, *figures) - min(*labels, *figures) > _WIDE:
        return
    if labels[0] < figures[0] < labels[1] < figures[1] or figures[0] < labels[0] < figures[1] < labels[1]:
        yield (left < right) == (first.place < second.place)
