"""Rewrites a claim without changing its meaning: figures, dates, contractions, voice, order, synonyms."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator

from citewell_lab.bench.flips.edits import Edit
from citewell_lab.bench.flips.figures import BOUND, LOOSE, MONTH, SMALL, numerals
from citewell_lab.bench.flips.words import Half, listed, synonyms, verbs

_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_LIKE = r"(?:\d{1,2})"
_MONTH_FIRST = re.compile(rf"\b({MONTH}) ({_LIKE}), (\d{{4}})\b")
_DAY_FIRST = re.compile(rf"\b({_LIKE}) ({MONTH}),? (\d{{4}})\b")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_CONTRACTED = {
    f"{word} not": short
    for word, short in (
        ("is", "isn't"), ("are", "aren't"), ("was", "wasn't"), ("were", "weren't"), ("did", "didn't"),
        ("does", "doesn't"), ("do", "don't"), ("has", "hasn't"), ("have", "haven't"), ("had", "hadn't"),
        ("could", "couldn't"), ("would", "wouldn't"), ("should", "shouldn't"),
    )
} | {"cannot": "can't"}  # fmt: skip
_NOUN = r"(?:[^\s,;:]+ ){0,6}[^\s,;:]+"
_PASSIVE = re.compile(
    rf"({_NOUN}) (?:was|were) ([a-z]+) by ((?:[^\s,;:]+ ){{0,6}}?[^\s,;:]+?)( (?:in|on|during|at) [^,;]*\d{{4}})?\.?"
)
_LAST_YEAR = re.compile(rf"([^,;:]+?) ((?:in|on|during) (?:{MONTH} )?(?:\d{{1,2}},? )?\d{{4}})\.?")
_FIRST_YEAR = re.compile(rf"((?:In|On|During) (?:{MONTH} )?(?:\d{{1,2}},? )?\d{{4}}),? ([^,;:]+?)\.?")
_FIXED = re.compile(r"\b(?:how|so|as|too|very|more|most) \Z", re.IGNORECASE)


def form(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A figure in another notation: 1.75 million and 1,750,000; 5% and 5 percent."""
    edits = []
    for numeral in numerals(claim):
        after = re.match(r" (thousand|million|billion|trillion)\b", claim[numeral.end :])
        if after:
            digits = numeral.value * 10 ** _SCALES[after[1]]
            if digits < 1e9 and abs(digits - round(digits)) < 1e-6 and not numeral.is_year:
                edits.append(Edit(numeral.start, numeral.end + after.end(), f"{round(digits):,}"))
            continue
        if numeral.is_year:
            continue
        if numeral.value >= 1_000_000 and _places(numeral.value / 1e6) <= 2:
            edits.append(
                Edit(numeral.start, numeral.end, f"{numeral.value / 1e6:.{_places(numeral.value / 1e6)}f} million")
            )
        elif "," in numeral.text and numeral.value < 1_000_000:
            edits.append(Edit(numeral.start, numeral.end, numeral.text.replace(",", "")))
        elif numeral.value >= 10_000 and "." not in numeral.text:
            edits.append(Edit(numeral.start, numeral.end, f"{numeral.value:,.0f}"))
        if claim.startswith("%", numeral.end):
            edits.append(Edit(numeral.end, numeral.end + 1, " percent"))
        elif claim.startswith(" percent ", numeral.end):
            edits.append(Edit(numeral.end, numeral.end + 8, "%"))
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def _places(value: float) -> int:
    return next(places for places in range(12) if abs(value - round(value, places)) < 1e-9)


def words(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A small number in words, or in digits."""
    edits = []
    for numeral in numerals(claim):
        after = claim[numeral.end :]
        before = claim[: numeral.start].split()[-1:]
        name = before and (before[0][0].isupper() or not before[0][-1].isalnum())
        if numeral.text.isdigit() and 2 <= numeral.value <= 12 and re.match(r" [a-z]", after) and not name:
            edits.append(Edit(numeral.start, numeral.end, SMALL[:11][int(numeral.value) - 2]))
    for value, word in enumerate(SMALL[:11], 2):
        edits += [Edit(*match.span(), str(value)) for match in re.finditer(rf"(?<![\w-]){word}(?= [a-z]+s\b)", claim)]
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def rounded(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A figure of three digits and more, rounded to two or three and said to be so."""
    edits = []
    for numeral in numerals(claim):
        before = claim[max(0, numeral.start - 24) : numeral.start]
        digits = len(numeral.text.replace(",", "").replace(".", "").rstrip("0"))
        exact = numeral.start > 0 and not numeral.is_year and not BOUND.search(before) and not LOOSE.search(before)
        if (
            not exact
            or digits < 3
            or numeral.value < 10
            or re.search(r"(?:\b(?:a|an|the|his|her|its|their|No\.?)|[A-Z]\w*) [$€£]?\Z", before)
        ):
            continue
        keep = 2 if digits == 3 else 3
        places = keep - 1 - math.floor(math.log10(numeral.value))
        value = round(numeral.value, places)
        if value != numeral.value:
            start = numeral.start - (claim[numeral.start - 1] in "$€£")
            figure = f"{value:,.{max(0, places)}f}" if "," in numeral.text else f"{value:.{max(0, places)}f}"
            word = chance.choice(("about", "roughly", "approximately", "around"))
            edits.append(Edit(start, numeral.end, f"{word} {claim[start : numeral.start]}{figure}"))
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def date(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A date in another order."""
    for match in _MONTH_FIRST.finditer(claim):
        month, day, year = match.groups()
        yield [Edit(*match.span(), chance.choice((f"{day} {month} {year}", _iso(month, day, year))))]
    for match in _DAY_FIRST.finditer(claim):
        day, month, year = match.groups()
        yield [Edit(*match.span(), chance.choice((f"{month} {day}, {year}", _iso(month, day, year))))]


def _iso(month: str, day: str, year: str) -> str:
    return f"{year}-{_MONTHS.index(month[:3].lower()) + 1:02}-{int(day):02}"


def contraction(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Contract what is written out, write out what is contracted."""
    edits = []
    for long, short in _CONTRACTED.items():
        edits += [Edit(*match.span(), short) for match in re.finditer(rf"\b{long}\b", claim)]
        pattern = rf"\b{short}\b".replace("'", "['’]")
        edits += [Edit(*match.span(), long) for match in re.finditer(pattern, claim)]
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def synonym(claim: str, chance: random.Random, half: Half) -> Iterator[list[Edit]]:
    """Another word or phrase for the same, up to two places."""
    edits: list[Edit] = []
    for phrase, others in synonyms(half).items():
        for match in re.finditer(rf"(?<![\w'’-]){re.escape(phrase)}(?![\w'’-])", claim):
            fixed = _FIXED.search(claim, max(0, match.start() - 6), match.start()) or claim.startswith(
                " to ", match.end()
            )
            if not fixed and not any(edit.start < match.end() and match.start() < edit.end for edit in edits):
                edits.append(Edit(*match.span(), chance.choice(others)))
    chance.shuffle(edits)
    if edits:
        yield edits[:2]


def voice(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Passive to active, where nothing but a year stands behind the agent."""
    del chance  # there is one way
    match = _PASSIVE.fullmatch(claim)
    past = {verb.participle: verb.past for verb in verbs().values()}
    if not match or match[2] not in past or {match[1].lower(), match[3].split()[0].lower()} & listed("pronouns"):
        return
    if re.search(r"\b(?:and|or|who|which|that|was|were|is|not|by|to)\b", f"{match[1]} {match[3]}"):
        return
    agent, theme = match[3], match[1]
    head = theme.split()[0]
    theme = theme[0].lower() + theme[1:] if head in listed("opening") else theme
    agent = agent[0].upper() + agent[1:]
    end = "." if claim.endswith(".") else ""
    yield [Edit(0, len(claim), f"{agent} {past[match[2]]} {theme}{match[4] or ''}{end}")]


def order(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """The time at the other end of the sentence."""
    del chance  # there is one way
    end = "." if claim.endswith(".") else ""
    last, first = _LAST_YEAR.fullmatch(claim), _FIRST_YEAR.fullmatch(claim)
    if last and not re.search(r"\b(?:and|or|who|which|that|when|while|between|from)\b|\d{4}", last[1]):
        head = last[1].split()[0]
        body = last[1][0].lower() + last[1][1:] if head in listed("opening") else last[1]
        yield [Edit(0, len(claim), f"{last[2][0].upper()}{last[2][1:]}, {body}{end}")]
    elif first and not re.search(r"\b(?:and|or|who|which|that|when|while)\b|\d{4}", first[2]):
        body = first[2][0].upper() + first[2][1:]
        yield [Edit(0, len(claim), f"{body} {first[1][0].lower()}{first[1][1:]}{end}")]
