"""Regular expressions that can take one string apart in ever more ways, told from their structure, not by a clock.

A pattern becomes the graph of its places that read a character (Glushkov's automaton). Where a cycle can be gone round in
two ways with one string, work doubles with every round: `(a+)+`. Where one cycle leads to another and both read one
character, work grows as the square: `\\s*\\s*`. What assertions forbid is not seen, so more is told than is true.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

MANY = 200
"""A repetition that may be longer than this is one without end."""
MOST = 3000
"""Places of a pattern that are looked at."""
UNROLLED = 2
"""Times that a bounded repetition is written out."""
LETTERS = "".join(map(chr, (*range(0x180), *range(0x2000, 0x2070), 0x3B1, 0x416, 0x5D0, 0x660, 0x3001, 0x4E00, 0xFF1A)))
"""Characters that tell whether two classes share any."""
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class Part(NamedTuple):
    """A part of a pattern: the places its strings can begin and end at, and whether it can be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool


NOTHING = Part(frozenset(), frozenset(), empty=True)


class Graph:
    """The places of a pattern that read a character, and which can follow which in how many ways."""

    def __init__(self, nodes: Any, flags: int) -> None:
        self.flags = flags
        self.reads: list[str] = []
        self.ways = Counter[tuple[int, int]]()
        self.asides: list[Any] = []
        self.whole = self._sequence(nodes)

    def after(self, *, kept: bool = True) -> dict[int, set[int]]:
        """What can follow each place, with or without the steps of possessive repetitions, which are not undone."""
        steps = defaultdict[int, set[int]](set)
        for (start, end), ways in self.ways.items():
            if kept or ways:
                steps[start].add(end)
        return steps

    def _sequence(self, nodes: Any) -> Part:
        whole = NOTHING
        for kind, result in nodes:
            whole = self._joined(whole, self._part(kind, result))
        return whole

    def _joined(self, left: Part, right: Part) -> Part:
        self._step(left.last, right.first)
        return Part(
            left.first | right.first if left.empty else left.first,
            left.last | right.last if right.empty else right.last,
            left.empty and right.empty,
        )

    def _step(self, starts: frozenset[int], ends: frozenset[int], *, kept: bool = False) -> None:
        for step in ((start, end) for start in starts for end in ends):
            self.ways[step] += not kept

    def _part(self, kind: Any, arguments: Any) -> Part:
        if kind in REPEATS:
            return self._repeated(kind, *arguments)
        if kind is _constants.SUBPATTERN:
            return self._sequence(arguments[-1])
        if kind is _constants.ATOMIC_GROUP:
            return self._sequence(arguments)
        if kind in (_constants.BRANCH, _constants.GROUPREF_EXISTS):
            return self._either(arguments[1] if kind is _constants.BRANCH else [body or [] for body in arguments[1:]])
        if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            self.asides.append(arguments[1])
            return NOTHING
        if kind in (_constants.AT, _constants.GROUPREF):
            return NOTHING
        self.reads.append(members(repr((kind, arguments)), self.flags, (kind, arguments)))
        place = frozenset({len(self.reads) - 1})
        return Part(place, place, empty=False)

    def _either(self, branches: Any) -> Part:
        parts = [self._sequence(branch) for branch in branches]
        return Part(
            frozenset().union(*(part.first for part in parts)),
            frozenset().union(*(part.last for part in parts)),
            any(part.empty for part in parts),
        )

    def _repeated(self, kind: Any, least: int, most: int, body: Any) -> Part:
        if most <= MANY:
            whole = NOTHING
            for number in reversed(range(min(most, UNROLLED))):
                whole = self._joined(self._sequence(body), whole)
                whole = whole._replace(empty=whole.empty or number >= least)
            return whole
        part = self._sequence(body)
        self._step(part.last, part.first, kept=kind is _constants.POSSESSIVE_REPEAT)
        return part._replace(empty=part.empty or not least)


_READ: dict[tuple[str, int], str] = {}


def members(key: str, flags: int, node: Any) -> str:
    """Which of the letters a place reads."""
    if (key, flags) not in _READ:
        state = _parser.State()
        state.flags = flags
        _READ[key, flags] = "".join(_compiler.compile(_parser.SubPattern(state, [node]), flags).findall(LETTERS))
    return _READ[key, flags]


def fault(pattern: str | bytes, flags: int) -> str | None:
    """`doubles` or `squares` for the work that a pattern takes at worst, with a character; else nothing."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = _parser.parse(text, flags & ~re.LOCALE)
    plain = (tree.state.flags & ~re.LOCALE) | (re.ASCII if isinstance(pattern, bytes) else 0)
    bodies, faults = [tree], set[str]()
    while bodies:
        graph = Graph(bodies.pop(), plain & ~re.DEBUG)
        if len(graph.reads) > MOST:
            return "too large to tell"
        bodies += graph.asides
        faults |= {fault for fault in (_doubling(graph), _square(graph)) if fault}
    return min(faults, default=None)


def _doubling(graph: Graph) -> str | None:
    after = graph.after(kept=False)
    for start, ends in list(after.items()):
        around = [end for end in ends if start in _reached(after, end)]
        for end in around:
            if graph.ways[start, end] > 1:
                return f"doubles with {graph.reads[end][:1]!r}"
        for number, left in enumerate(around):
            for right in around[number + 1 :]:
                if _shared(graph, left, right) and _meets(graph, after, (left, right), start):
                    return f"doubles with {_shared(graph, left, right)!r}"
    return None


def _meets(graph: Graph, after: dict[int, set[int]], pair: tuple[int, int], place: int) -> bool:
    """Whether two ways from a place can come back to it with the same string."""
    pairs, observed = [pair], {pair}
    while pairs:
        left, right = pairs.pop()
        if left == right == place:
            return True
        for step in ((result, other) for result in after[left] for other in after[right]):
            if step not in observed and _shared(graph, *step):
                observed.add(step)
                pairs.append(step)
    return False


def _shared(graph: Graph, left: int, right: int) -> str:
    return _common(graph.reads[left], graph.reads[right])


@cache
def _common(left: str, right: str) -> str:
    return next((letter for letter in left if letter in right), "")


def _square(graph: Graph) -> str | None:
    after, free = graph.after(), graph.after(kept=False)
    places = {
        letter: frozenset(place for place, reads in enumerate(graph.reads) if letter in reads) for letter in LETTERS
    }
    for inside in dict.fromkeys(places.values()):
        within = {place: after[place] & inside for place in inside}
        cycles = {place: reached for place in inside if place in (reached := _reached(within, *within[place]))}
        back = {place: free[place] & inside for place in inside}
        for place, reached in cycles.items():
            if place in _reached(back, *back[place]) and any(
                other in cycles and place not in cycles[other] for other in reached
            ):
                return f"squares with {next(letter for letter in LETTERS if places[letter] == inside)!r}"
    return None


def _reached(after: dict[int, set[int]], *starts: int) -> set[int]:
    result, waiting = set(starts), list(starts)
    while waiting:
        fresh = after[waiting.pop()] - result
        result |= fresh
        waiting += fresh
    return result
