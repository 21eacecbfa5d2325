"""Which of two figures belongs to which words, where a claim tells both: "12% of the boys and 9% of the girls".

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

REACH = 12  # words before the first figure and behind the second in which their labels stand
WIDE = 40  # words of the evidence in which two figures and their labels stand


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
        one, other = result[first], result[second]
        if _comparable(one.fact, other.fact) and _crossed(claim, one, other, evidence, aligned):
            for n, its, instead in ((first, one, other), (second, other, one)):
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
    homes = [_home(stand, evidence) for stand in (first, second)]
    if None in homes or first.fact.start in partners(claim.text):
        return False
    sentences = {home.sentence for home in homes if home is not None}

    def known(place: int) -> bool:
        return sum(aligned[sentence].places[place] >= 0 for sentence in sentences) == 1

    pairs = list(_labels(claim.tokens, first.fact.span, second.fact.span, known))
    joined = [(one, other) for one, other, apart in pairs if not apart] or [pair[:2] for pair in pairs]
    votes = [vote for pair in joined for vote in _votes(pair, homes, aligned)]  # type: ignore[arg-type]
    return bool(votes) and not any(votes)


def _home(stand: Stands, evidence: Sequence[Facts]) -> _Home | None:
    """Where the one figure of the evidence stands that agrees; None where there are several."""
    found_at = {
        _Home(sentence, facts.tokens.between(figure.start, figure.end)[0])
        for sentence, facts in enumerate(evidence)
        for figure in (facts.quantities if isinstance(stand.fact, Quantity) else facts.periods)
        if relate(stand.fact, figure).outcome == "agrees" and facts.tokens.between(figure.start, figure.end)
    }
    return found_at.pop() if len(found_at) == 1 else None


def _labels(tokens: Tokens, first: Span, second: Span, known: Callable[[int], bool]) -> Iterator[tuple[int, int, bool]]:
    """The words that may be the labels of two figures: the nearest before each, and the nearest behind each.

    With them whether a comma or "and" parts one of them from its figure.
    """
    here, there = tokens.between(*first), tokens.between(*second)
    if not here or not there:
        return
    before = [n for n in range(here[0] - 1, max(-1, here[0] - REACH), -1) if known(n) and tokens.content[n]]
    between = [n for n in range(here[-1] + 1, there[0]) if known(n) and tokens.content[n]]
    after = range(there[-1] + 1, min(len(tokens), there[-1] + REACH))
    behind = [n for n in after if known(n) and tokens.content[n]]
    for left, right in ((before, between[::-1]), (between, behind)):
        shared = {tokens.keys[n] for n in left} & {tokens.keys[n] for n in right}
        one, other = (next((n for n in side if tokens.keys[n] not in shared), -1) for side in (left, right))
        if one >= 0 and other >= 0:
            yield one, other, _apart(tokens, one, here) or _apart(tokens, other, there)


def _apart(tokens: Tokens, label: int, figure: range) -> bool:
    """Whether something that joins or parts stands between a label and its figure."""
    low, high = (label, figure[0]) if label < figure[0] else (figure[-1], label)
    return any(tokens.lower[n] in _PARTS or not _MARKS.isdisjoint(tokens.gap(n)) for n in range(low + 1, high + 1))


def _votes(pair: tuple[int, int], homes: Sequence[_Home], aligned: Sequence[Aligned]) -> Iterator[bool]:
    """Whether two labels stand by their own figures in the evidence (or by each other's); nothing where neither."""
    ours = [
        [_Home(n, words.places[word]) for n, words in enumerate(aligned) if words.places[word] >= 0] for word in pair
    ]
    first, second = homes
    if first.sentence != second.sentence:
        where = [{home.sentence for home in label} & {first.sentence, second.sentence} for label in ours]
        if where == [{first.sentence}, {second.sentence}]:
            yield True
        elif where == [{second.sentence}, {first.sentence}]:
            yield False
        return
    one, other = ([home.place for home in label if home.sentence == first.sentence] for label in ours)
    if not one or not other or one == other:
        return
    labels, figures = sorted((one[0], other[0])), sorted((first.place, second.place))
    if max(*labels, *figures) - min(*labels, *figures) > WIDE:
        return
    if labels[0] < figures[0] < labels[1] < figures[1] or figures[0] < labels[0] < figures[1] < labels[1]:
        yield (one[0] < other[0]) == (first.place < second.place)
