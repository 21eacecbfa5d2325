"""Synthetic texts about who did what to whom; the claims differ only in the order of names.

Names, verbs and frames are drawn; the same verb appears active and passive, with its converse, in the evidence and in
the claim, so that neither the words nor the voice tell which claim holds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from citewell.text.data import read_json
from citewell.types import Span
from citewell_lab.bench.flips.names import Pool
from citewell_lab.train.judge.examples import NEITHER, OPEN, SUPPORTED, Family, Judged


class Verb(NamedTuple):
    """A verb between two names: its past, its participle and what the other one does; empty where there is none."""

    past: str
    participle: str
    converse: str


def families(pools: Sequence[Pool], count: int, seed: int) -> list[Family]:
    """So many families, each over one made-up text."""
    chance = random.Random(f"{seed}:relations")  # noqa: S311  (a draw, no secret)
    table = read_json(__package__, "relations.json")
    return [_family(table, _cast(pools, table, chance), chance, number) for number in range(count)]


def _cast(pools: Sequence[Pool], table: Mapping[str, Any], chance: random.Random) -> list[str]:
    """Six different names, no word of which stands in another."""
    result: list[str] = []
    used: set[str] = set()
    while len(result) < 6:
        if chance.random() < 0.5:
            name = f"{chance.choice(table['first'])} {chance.choice(table['last'])}"
        elif chance.random() < 0.5:
            name = f"{chance.choice(table['last'])} {chance.choice(table['firms'])}"
        else:
            pool = chance.choice(pools)
            name = chance.choice(chance.choice(list(pool.by_type.values())))
        words = set(name.split())
        if name[:1].isupper() and len(words) <= 4 and not words & used:
            used |= words
            result.append(name)
    return result


def _family(table: Mapping[str, Any], cast: Sequence[str], chance: random.Random, number: int) -> Family:
    first, second, third, *others = cast
    verb = Verb(*chance.choice(table["verbs"]))
    when = chance.choice(table["times"])
    context = f" {when}" if chance.random() < 0.6 else ""
    facts = [_sentence(first, second, verb, context, chance)]
    double = chance.random() < 0.5  # a second fact with the same verb: names must be bound, not only met
    if double:
        facts.append(_sentence(third, first if chance.random() < 0.4 else others[0], verb, "", chance))
    asides = chance.sample(table["asides"], chance.randrange(0, 4))
    facts += [text.format(a=chance.choice(cast[:4]), b=others[1], c=others[2]) for text in asides]
    chance.shuffle(facts)
    evidence = " ".join(facts)
    members = [Judged(evidence, text, SUPPORTED, ()) for text in _forms(first, second, verb, context)]
    chance.shuffle(members)
    members = members[:2]
    wrong = _forms(second, first, verb, context)
    chance.shuffle(wrong)
    members += [Judged(evidence, text, OPEN, _places(text, first, second)) for text in wrong[:2]]
    stranger = _forms(first, third if double else others[1], verb, context)
    text = chance.choice(stranger)
    members.append(Judged(evidence, text, NEITHER, _places(text, third if double else others[1])))
    other = chance.choice([row for row in table["verbs"] if verb.past not in (row[0], row[2])])
    text = chance.choice(_forms(first, second, Verb(*other), context))
    members.append(Judged(evidence, text, NEITHER))
    mirror = " ".join(_swapped(fact, first, second) for fact in facts)
    members.append(Judged(mirror, wrong[0], SUPPORTED, ()))
    members.append(Judged(mirror, members[0].claim, OPEN, _places(members[0].claim, first, second)))
    return Family("relations", f"relations:{number}", tuple(members))


def _sentence(agent: str, other: str, verb: Verb, context: str, chance: random.Random) -> str:
    return chance.choice(_forms(agent, other, verb, context))


def _forms(agent: str, other: str, verb: Verb, context: str) -> list[str]:
    """All ways to word it: active, passive, by the converse, with the time first."""
    result = [f"{agent} {verb.past} {other}{context}."]
    if verb.participle:
        result.append(f"{other} was {verb.participle} by {agent}{context}.")
        result.append(f"It was {agent} that {verb.past} {other}{context}.")
    if verb.converse:
        result.append(f"{other} {verb.converse} {agent}{context}.")
    if context:
        time = context.strip()
        result.append(f"{time[:1].upper()}{time[1:]}, {agent} {verb.past} {other}.")
    return result


def _places(text: str, *cast: str) -> tuple[Span, ...]:
    return tuple(sorted(Span(text.find(name), text.find(name) + len(name)) for name in cast if name in text))


def _swapped(text: str, first: str, second: str) -> str:
    return text.replace(first, "\0").replace(second, first).replace("\0", second)
