"""Changes that make a supported claim false, and rewrites that keep it true, in wordings of their own.

They differ on purpose from those of the benchmark of one-fact changes: a judge that knew the benchmark's wordings by
heart would be measured on what it was taught.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from citewell.text.data import read_json
from citewell.types import Span
from citewell_lab.bench.flips.edits import Edit, applied
from citewell_lab.bench.flips.figures import numerals
from citewell_lab.bench.flips.names import Pool, bound, names, type_of
from citewell_lab.bench.flips.words import TOKEN, finite, verbs
from citewell_lab.train.judge.examples import CONTRADICTED, NEITHER, OPEN
from citewell_lab.train.judge.rewrites import capital, clause, lower, transitive

_AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|had|will|can|could|would|should|did|does|do)\b(?! not\b|n['’]t)")
_SHORT = {
    "is": "isn't", "was": "wasn't", "are": "aren't", "were": "weren't", "has": "hasn't", "have": "haven't",
    "had": "hadn't", "will": "won't", "can": "can't", "could": "couldn't", "would": "wouldn't",
    "should": "shouldn't", "did": "didn't", "does": "doesn't", "do": "don't",
}  # fmt: skip
_DENIAL = re.compile(r"\b(?:not|never|no|none|nor|neither|without|cannot|fail\w*|lack\w*)\b|n['’]t\b", re.IGNORECASE)
_SYMMETRIC = re.compile(
    r"\b(?:and|or|with|between|married|met|both|versus|vs|near|adjacent|equal|same|similar|cousin|sibling)\b|[;&/]",
    re.IGNORECASE,
)
_SCALE = re.compile(r"(?<=\d) ?(hundred|thousand|million|billion|trillion|[kKmM]|bn|mn)\b")
_SCALES = ("hundred", "thousand", "million", "billion", "trillion")
_BRIEF = {"k": "m", "K": "M", "m": "bn", "M": "bn", "bn": "m", "mn": "k"}
_SPOKEN = re.compile(r"\b(hundreds|thousands|millions|billions|dozens) of\b")
_SPOKEN_OTHER = {
    "hundreds": "thousands", "thousands": "millions", "millions": "thousands", "billions": "millions",
    "dozens": "thousands",
}  # fmt: skip


class Variant(NamedTuple):
    """A claim that was made from another.

    Attributes:
        kind: the kind of change.
        text: the new claim.
        wrong: the places that no longer hold; empty for a rewrite.
        label: a class, or OPEN; for a rewrite it is SUPPORTED.
        swaps: pairs of wordings that, put for each other in the evidence, turn the labels around.
    """

    kind: str
    text: str
    wrong: tuple[Span, ...]
    label: int
    swaps: tuple[tuple[str, str], ...] = ()


Way = Callable[[str, Sequence[str], Pool, random.Random], Iterator[Variant]]


def _variant(
    kind: str, claim: str, edits: Sequence[Edit], label: int, swaps: tuple[tuple[str, str], ...] = ()
) -> Variant:
    change = applied(kind, claim, edits)
    return Variant(kind, change.text, tuple(span for span in change.spans if span.end > span.start), label, swaps)


def exchanged(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """Two names anywhere in a claim in each other's place, within a sentence or between two."""
    del pool
    listed = [name for name in names(claim, " ".join(evidence)) if not bound(claim, name)]
    pairs = list(itertools.combinations(listed, 2))
    chance.shuffle(pairs)
    for first, second in pairs:
        between = claim[first.end : second.start]
        left, other = first.text, second.text
        kinds = type_of(left), type_of(other)
        if left in other or other in left or len(TOKEN.findall(between)) < 1 or _SYMMETRIC.search(between):
            continue
        if kinds[0] != kinds[1] and "demonym" in kinds:
            continue
        yield _variant(
            "exchanged",
            claim,
            [Edit(first.start, first.end, other), Edit(second.start, second.end, left)],
            OPEN,
            ((left, other), (other, left)),
        )


def renamed(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """Another name: one of the evidence, one of the set, or one word of a longer name."""
    whole = " ".join(evidence)
    listed = [name for name in names(claim, whole) if not bound(claim, name)]
    chance.shuffle(listed)
    others = [name.text for sentence in evidence for name in names(sentence, whole)]
    everywhere = [text for texts in pool.by_type.values() for text in texts[:200]]
    for name in listed:
        size = len(name.text.split())
        near = [text for text in dict.fromkeys(others) if text not in claim and name.text not in text]
        near = [text for text in near if abs(len(text.split()) - size) <= 1 and type_of(text) == type_of(name.text)]
        if size > 1 and chance.random() < 0.3 and everywhere:
            words = name.text.split()
            place = chance.randrange(size)
            for _ in range(8):
                word = chance.choice(chance.choice(everywhere).split())
                if word[:1].isupper() and word.isalpha() and word not in words and words[place][:1].isupper():
                    text = " ".join((*words[:place], word, *words[place + 1 :]))
                    yield _variant(
                        "renamed", claim, [Edit(name.start, name.end, text)], CONTRADICTED, ((name.text, text),)
                    )
                    break
        if near and chance.random() < 0.6:
            yield _variant("renamed", claim, [Edit(name.start, name.end, chance.choice(near))], OPEN)
        for text in pool.others(claim, name, evidence, chance):
            if text not in whole and text not in claim:
                yield _variant("renamed", claim, [Edit(name.start, name.end, text)], OPEN, ((name.text, text),))
                break


def figure(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """Another figure or year: near it, with digits in another order, or one of other things in the evidence."""
    del pool
    whole = " ".join(evidence)
    written = set(re.findall(r"\d[\d,.]*\d|\d", whole))
    listed = [numeral for numeral in numerals(claim) if claim.count(numeral.text) == 1]
    chance.shuffle(listed)
    for numeral in listed:
        others = [
            other.text
            for other in numerals(whole)
            if other.is_year == numeral.is_year and other.text != numeral.text and other.text not in claim
        ]
        if others and chance.random() < 0.5:
            yield _variant("figure", claim, [Edit(numeral.start, numeral.end, chance.choice(others))], CONTRADICTED)
        text = _near(numeral.text, numeral.is_year, chance)
        if text != numeral.text and text not in written:
            swap = ((numeral.text, text),)
            yield _variant("figure", claim, [Edit(numeral.start, numeral.end, text)], CONTRADICTED, swap)


def _near(text: str, year: bool, chance: random.Random) -> str:
    if year:
        return str(int(text) + chance.choice((-1, 1)) * chance.choice((1, 1, 2, 3, 5, 10, 20, 100)))
    places = [place for place, letter in enumerate(text) if letter.isdigit()]
    if len(places) > 1 and chance.random() < 0.4:
        first, second = sorted(chance.sample(places, 2))
        letters = list(text)
        letters[first], letters[second] = letters[second], letters[first]
        if letters[0] != "0":
            return "".join(letters)
    place = chance.choice(places)
    digit = chance.choice([d for d in "123456789" if d != text[place]])
    return text[:place] + digit + text[place + 1 :]


def scaled(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """Another order of magnitude: the word, the letter, the digits, or percent for points."""
    del pool
    whole = " ".join(evidence)
    edits: list[tuple[Edit, tuple[tuple[str, str], ...]]] = []
    for match in _SCALE.finditer(claim):
        word = match[1]
        place = _SCALES.index(word) if word in _SCALES else -1
        far = chance.choice((-1, 1)) * chance.choice((1, 1, 2))
        other = _SCALES[min(max(place + far, 1), 4)] if place >= 0 else _BRIEF[word]
        if other != word:
            edits.append((Edit(match.start(1), match.end(1), other), ((word, other),)))
    for match in _SPOKEN.finditer(claim):
        other = _SPOKEN_OTHER[match[1]]
        edits.append((Edit(match.start(1), match.end(1), other), ((match[1], other),)))
    for numeral in numerals(claim):
        if numeral.is_year or numeral.value < 2:
            continue
        factor = chance.choice((10, 100, 1000))
        up = chance.random() < 0.5
        value = numeral.value * factor if up else numeral.value / factor
        text = f"{value:,.4f}".rstrip("0").rstrip(".") if not up else f"{value:,.2f}".rstrip("0").rstrip(".")
        if "," not in numeral.text and chance.random() < 0.5:
            text = text.replace(",", "")
        if claim[numeral.end : numeral.end + 1] == "%" and value > 100:
            continue
        if text not in whole:
            edits.append((Edit(numeral.start, numeral.end, text), ((numeral.text, text),)))
    chance.shuffle(edits)
    for edit, swaps in edits:
        yield _variant("scaled", claim, [edit], CONTRADICTED, swaps)


def denied(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """A denial in other words than "not": never, no longer, a contraction, failed to, it is untrue that."""
    del evidence, pool
    if _DENIAL.search(claim):
        return
    ways: list[Variant] = []
    match = _AUXILIARY.search(claim)
    if match and match.start():
        for text in (f"{match[1]} never", _SHORT[match[1]], f"{match[1]} no longer", f"{match[1]} hardly"):
            if text.endswith("no longer") and match[1] not in ("is", "are", "has", "have", "will", "can"):
                continue
            label = NEITHER if text.endswith("no longer") else CONTRADICTED
            ways.append(_variant("denied", claim, [Edit(match.start(), match.end(), text)], label))
    else:
        for token in TOKEN.finditer(claim):
            if token.start() and token.group() in finite() and token.group() in _past():
                base = finite()[token.group()][1]
                texts = f"never {token.group()}", f"failed to {base}", f"refused to {base}", f"didn't {base}"
                ways += [_variant("denied", claim, [Edit(*token.span(), text)], CONTRADICTED) for text in texts]
                break
    opening = chance.choice(("It is not true that", "It is false that", "Contrary to the text,", "Nobody says that"))
    if opening == "Contrary to the text,":
        ways = ways or []
    elif claim[:2] in ("Th", "In", "A ", "An", "It", "He", "Sh"):
        text = f"{opening} {claim[:1].lower()}{claim[1:]}"
        ways.append(Variant("denied", text, (Span(0, len(opening)),), CONTRADICTED))
    chance.shuffle(ways)
    yield from ways


@cache
def _past() -> frozenset[str]:
    return frozenset(verb.past for verb in verbs().values() if verb.past != verb.base)


@cache
def _words(name: str) -> Mapping[str, tuple[str, ...]]:
    result: dict[str, tuple[str, ...]] = {}
    for first, second in read_json(__package__, "words.json")[name]:
        result[first] = (*result.get(first, ()), second)
        if name == "opposed":
            result[second] = (*result.get(second, ()), first)
    return result


def opposed(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """A word or phrase for one that excludes it."""
    del pool
    yield from _worded("opposed", claim, evidence, chance, CONTRADICTED)


def stronger(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """More than was said: plans as done, one of some as the only one, what may be as what is."""
    del pool
    yield from _worded("stronger", claim, evidence, chance, NEITHER)


def _worded(name: str, claim: str, evidence: Sequence[str], chance: random.Random, label: int) -> Iterator[Variant]:
    whole = " ".join(evidence).lower()
    edits = []
    for phrase, others in _words(name).items():
        for match in re.finditer(rf"(?<![\w'’-]){re.escape(phrase)}(?![\w'’-])", claim):
            other = chance.choice(others)
            if not re.search(rf"\b{re.escape(other.lower())}\b", whole):
                edits.append((Edit(*match.span(), other), ((phrase, other),)))
    chance.shuffle(edits)
    for edit, swaps in edits:
        yield _variant(name, claim, [edit], label, swaps if label == CONTRADICTED else ())


def turned(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[Variant]:
    """Who did what to whom the other way round, active for passive: "A beat B" as "A was beaten by B"."""
    del evidence, pool, chance
    parts = transitive(claim)
    if parts:
        agent, verb, theme, rest = parts
        swaps = ((agent, theme), (theme, agent))
        text = f"{agent} was {verb[1]} by {theme}{rest}"
        yield Variant(
            "turned", text, (Span(0, len(agent)), Span(text.find(theme), text.find(theme) + len(theme))), OPEN, swaps
        )
        yield Variant("turned", f"{theme} {verb[0]} {agent}{rest}", (Span(0, len(theme)),), OPEN, swaps)


def invented(claim: str, other: str, chance: random.Random) -> Variant | None:
    """The claim with a clause of another text behind or before it: most of it holds, one clause does not."""
    tail = clause(other)
    body = claim.rstrip().removesuffix(".")
    if tail is None or not claim.rstrip().endswith(".") or len(body) > 220:
        return None
    if chance.random() < 0.25:
        text = f"{capital(tail)}, and {lower(body)}."
        return Variant("invented", text, (Span(0, len(tail)),), NEITHER)
    joint = chance.choice((", and ", ", while ", "; ", ". ", ", although "))
    second = capital(tail) if joint == ". " else tail
    text = f"{body}{joint}{second}."
    return Variant("invented", text, (Span(len(body) + len(joint), len(text) - 1),), NEITHER)


WAYS: Mapping[str, Way] = {
    "exchanged": exchanged, "turned": turned, "renamed": renamed, "figure": figure, "scaled": scaled,
    "denied": denied, "opposed": opposed, "stronger": stronger,
}  # fmt: skip


def changes(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> list[Variant]:
    """At most one change of each kind that the evidence does not word just so; kinds in random order."""
    if len(claim) > 600 or claim.rstrip().endswith("?"):
        return []
    normalized = _letters(" ".join(evidence))
    result = []
    for way in WAYS.values():
        for variant in itertools.islice(way(claim, evidence, pool, chance), 4):
            if variant.text != claim and _letters(variant.text) not in normalized:
                result.append(variant)
                break
    return result


def mirrored(evidence: str, variant: Variant) -> str | None:
    """The evidence with the wordings of a change put for each other; None where it has not all of them."""
    if not variant.swaps:
        return None
    table = dict(variant.swaps)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(table, key=len, reverse=True)))
    hit = {match.group() for match in pattern.finditer(evidence)}
    if not hit.issuperset(word for word, _ in variant.swaps):
        return None
    return pattern.sub(lambda match: table[match.group()], evidence)


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


__all__ = ["WAYS", "Variant", "changes", "invented", "mirrored"]
