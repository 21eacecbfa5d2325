"""Changes a number, a year or its magnitude."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from citewell_lab.bench.flips.edits import Edit
from citewell_lab.bench.flips.words import table

_NUMBER = re.compile(
    r"(?<![\w.,/:#^–-])(?<!\d\s)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/:–-]|[.,]\d|\]|\.\w|\s\d|['’]\d)"
)
_DECADE = re.compile(r"\b((?:1[5-9]|20)\d0)s\b")
SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(SMALL + _TENS)})(?![\w-])", re.IGNORECASE)
MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|"
    r"Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
# What tells 1,200 things from the year 1200: a currency or name before it, the plural of a thing behind it.
_NO_YEAR_BEFORE = re.compile(r"[$€£#]\s?\Z")
_NO_YEAR_AFTER = re.compile(
    r"\s*%|\s(?!was\b|is\b|has\b|as\b|its\b|his\b|this\b|does\b)(?!census\b|series\b)[a-z]+s\b|\s(?:square|cubic|percent|km|people|feet|men|women)\b"
)
_OPENS = (  # words that open a sentence before a number and name nothing
    "About|Around|Nearly|Almost|Approximately|Roughly|Over|Under|In|Since|By|The|Only|Some|All|At|From|With|Of|Its|His|"
    "Her|Their|These|Those|Another|After|Before|During|Until|For|On|And|But|Of"
)
_NAMED = re.compile(rf"(?<![.!?])[\s)](?!(?:{MONTH}|{_OPENS})\s)[A-Z][\w’'-]*\s\Z|['’]\Z")  # "Apollo 11", "5'9"
_NAMES = re.compile(rf" (?!{MONTH}\b)[A-Z][a-z]{{2,}}")  # "21 Jump Street"
# A bound holds for other years and numbers too.
BOUND = re.compile(
    r"\b(?:between|from|over|under|at least|at most|more than|less than|fewer than|greater than|above|below|up to|"
    r"exceed(?:s|ed|ing)?|minimum of|maximum of|within|beyond|past|no|around|than|late|early|mid)\s+(?:the |[$€£])?\Z|"
    r"[<>≤≥]\s*\Z|\band\s+\Z|\d (?:to|or)\s+\Z",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"\b(?:before|after|by|until|till|since|prior to|earlier than|later than)\s+(?:the )?(?:\w+ (?:\d\d?, )?)?\Z",
    re.IGNORECASE,
)
_COUNTS_ON = re.compile(r" (?:of|or|and a|million|hundred|thousand|to|times)\b")
LOOSE = re.compile(
    r"\b(?:about|approximately|around|roughly|nearly|almost|circa|some|estimated)\s+[$€£]?\Z", re.IGNORECASE
)
_BOUND_AFTER = re.compile(
    r"\s*+(?:(?:%|percent)\s*+)?"
    r"(?:(?:to|or) \d|or (?:more|less|fewer|older|younger|later|earlier)|\+|and (?:over|above))"
)
_DAY = re.compile(rf"\b{MONTH}\s\Z", re.IGNORECASE), re.compile(rf"\s(?:of )?{MONTH}\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:by|ris(?:e|es|en|ing)|rose|fell|fall(?:s|en)?|increas\w+|decreas\w+|grew|grow\w*|declin\w+|drop\w*|gain\w*|up|down|"
    r"reduc\w+)\s+(?:(?:by|of|about|nearly)\s+)?\Z",
    re.IGNORECASE,
)
NEAR = 0.3  # the share of changes that take another number of the evidence, which a search for the number misses


class Numeral(NamedTuple):
    """A number as it is written."""

    start: int
    end: int
    text: str
    value: float
    is_year: bool


def numerals(text: str) -> list[Numeral]:
    """The numbers in digits, in order."""
    result = []
    for match in _NUMBER.finditer(text):
        written = match.group()
        is_year = (
            re.fullmatch(r"1[0-9]\d\d|20[0-4]\d", written) is not None
            and _NO_YEAR_BEFORE.search(text, max(0, match.start() - 2), match.start()) is None
            and _NO_YEAR_AFTER.match(text, match.end()) is None
        )
        if (
            _NAMED.search(" " + text[: match.start()])
            or _NAMES.match(text, match.end())
            or (
                match.start() == 0 and text.startswith(". ", match.end())  # the number of a list's item
            )
        ):
            continue
        result.append(Numeral(*match.span(), written, float(written.replace(",", "")), is_year))
    return result


@lru_cache(maxsize=1000)
def _values(evidence: str) -> frozenset[float]:
    """Every number of the evidence, in digits or small words."""
    values = {float(match.replace(",", "")) for match in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", evidence)}
    lowered = evidence.lower()
    values |= {float(n) for n, word in enumerate(SMALL, 2) if re.search(rf"\b{word}", lowered)}
    return frozenset(values | {10.0 * n for n, word in enumerate(_TENS, 2) if re.search(rf"\b{word}", lowered)})


def number(claim: str, evidence: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Another number, in the same form."""
    candidates: list[tuple[int, int, str]] = [
        (numeral.start, numeral.end, numeral.text)
        for numeral in numerals(claim)
        if not numeral.is_year and not _is_bound(claim, numeral)
    ]
    candidates += [
        (*match.span(), match.group())
        for match in _WORD.finditer(claim)
        if not _COUNTS_ON.match(claim, match.end())
        and (match.group().islower() or not (match.start() or claim[match.end() + 1 : match.end() + 2].isupper()))
        and not BOUND.search(claim, max(0, match.start() - 20), match.start())
    ]
    chance.shuffle(candidates)
    known = _values(evidence)
    for start, end, written in candidates:
        loose = LOOSE.search(claim, max(0, start - 20), start) is not None
        if not written[0].isdigit():
            text = _other_word(written.lower(), known, chance, loose=loose)
        else:
            day = is_day(claim, start, end)
            near = (
                None if day or loose or chance.random() >= NEAR else _of_evidence(claim, start, end, evidence, chance)
            )
            text = near or _other_number(written, known, chance, loose=loose, limit=28 if day else None)
        if text:
            yield [Edit(start, end, text)]


def is_day(text: str, start: int, end: int) -> bool:
    """Whether a number is the day of a month that is named beside it."""
    return _DAY[0].search(text, max(0, start - 12), start) is not None or _DAY[1].match(text, end) is not None


def _is_bound(claim: str, numeral: Numeral) -> bool:
    return (
        numeral.value in (0.0, 1.0)
        or BOUND.search(claim, max(0, numeral.start - 20), numeral.start) is not None
        or _BOUND_AFTER.match(claim, numeral.end) is not None
        or len(re.findall(rf"(?<!\d){re.escape(numeral.text)}(?!\d)", claim)) > 1
    )


def _other_word(written: str, known: frozenset[float], chance: random.Random, *, loose: bool) -> str:
    listed = _TENS if written in _TENS else SMALL[:11]
    place = listed.index(written) if written in listed else SMALL.index(written)
    if written not in listed:
        listed = SMALL
    step = 10 if listed is _TENS else 1
    first = 20 if listed is _TENS else 2
    far = max(3, place // 2) if loose else 1
    choices = [
        word
        for n, word in enumerate(listed)
        if far <= abs(n - place) <= far + 3 and float(first + step * n) not in known
    ]
    return chance.choice(choices) if choices else ""


def _other_number(
    written: str, known: frozenset[float], chance: random.Random, *, loose: bool, limit: int | None
) -> str:
    value = float(written.replace(",", ""))
    places = len(written.partition(".")[2])
    for _ in range(12):
        if limit:
            other = float(chance.randint(2, limit))
        elif value < 12 and not places:
            other = value + chance.choice((-4, -3, -2, -1, 1, 2, 3, 4))
        else:
            other = value * chance.choice((0.5, 0.6, 0.7, 1.4, 1.6, 1.8)) if loose else _one_digit(written, chance)
        other = round(other, places)
        if loose and value >= 100:  # a rounded number stays one
            unit = 10 ** max(0, len(str(int(value))) - len(str(int(value)).rstrip("0")))
            other = float(round(other / unit) * unit)
        if (
            (other < 2 and not places)
            or other <= 0
            or abs(other / value - 1) < (0.3 if loose else 0.02)
            or other in known
        ):
            continue
        text = f"{other:,.{places}f}" if "," in written else f"{other:.{places}f}"
        if text != written:
            return text
    return ""


def _one_digit(written: str, chance: random.Random) -> float:
    """Another digit in one of the first two places that count."""
    places = [place for place, char in enumerate(written) if char.isdigit()][:2]
    place = chance.choice(places)
    digit = chance.choice([char for char in "123456789" if char != written[place]])
    return float((written[:place] + digit + written[place + 1 :]).replace(",", ""))


def _of_evidence(claim: str, start: int, end: int, evidence: str, chance: random.Random) -> str:
    """A number of the evidence that stands for something else: in other words, not listed beside the claim's own."""
    written = claim[start:end]
    form = (claim[max(0, start - 1) : start] in "$€£", claim[end : end + 1] == "%", "." in written)
    same_numerals = [numeral for numeral in numerals(evidence) if numeral.text == written]
    if not same_numerals:
        return ""
    after = claim[end:].split()[:1]
    choices = []
    for numeral in numerals(evidence):
        other = (
            evidence[max(0, numeral.start - 1) : numeral.start] in "$€£",
            evidence[numeral.end : numeral.end + 1] == "%",
            "." in numeral.text,
        )
        if (
            other != form
            or numeral.is_year
            or numeral.text in claim
            or numeral.value < 2
            or len(numeral.text) > len(written) + 1
        ):
            continue
        if (
            any(abs(numeral.start - mine.start) < 40 for mine in same_numerals)
            or evidence[numeral.end :].split()[:1] == after
        ):
            continue
        choices.append(numeral.text)
    return chance.choice(choices) if choices else ""


def year(claim: str, evidence: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Another year or decade."""
    mine = [numeral for numeral in numerals(claim) if numeral.is_year and claim.count(numeral.text) == 1]
    chance.shuffle(mine)
    known = {int(text) for text in re.findall(r"(?<!\d)[12]\d{3}(?!\d)", evidence)}
    for numeral in mine:
        if _undated(claim, numeral.start) or claim[numeral.end :].startswith(("–", "-", " to ", " and ")):
            continue
        if chance.random() < NEAR and (near := _other_year(numeral, claim, evidence)):
            yield [Edit(numeral.start, numeral.end, str(chance.choice(near)))]
        steps = [step for step in (*range(-15, 0), *range(1, 16)) if int(numeral.value) + step not in known]
        later = [int(numeral.value) + step for step in steps if int(numeral.value) + step < 2026]
        if later:
            yield [Edit(numeral.start, numeral.end, str(chance.choice(later)))]
    for match in _DECADE.finditer(claim):
        if not _undated(claim, match.start()):
            others = [int(match[1]) + step for step in (-30, -20, -10, 10, 20) if int(match[1]) + step < 2026]
            free = [decade for decade in others if not any(decade <= year < decade + 10 for year in known)]
            if free:
                yield [Edit(*match.span(1), str(chance.choice(free)))]


def _undated(claim: str, at: int) -> bool:
    """Whether the time here only bounds another one."""
    return any(pattern.search(claim, max(0, at - 30), at) is not None for pattern in (BOUND, _DEADLINE))


def _other_year(numeral: Numeral, claim: str, evidence: str) -> list[int]:
    """Years of the evidence that stand in other sentences or far from the claim's own year."""
    years = [other for other in numerals(evidence) if other.is_year]
    same_years = [other for other in years if other.value == numeral.value]
    return [
        int(other.value)
        for other in years
        if same_years and other.text not in claim and all(abs(other.start - mine.start) > 40 for mine in same_years)
    ]


def magnitude(claim: str, evidence: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Another scale word, percent for percentage points and back, another unit, a factor of ten."""
    edits: list[Edit] = []
    lowered = evidence.lower()
    number_before = re.compile(
        rf"(?:\d|\b(?:{'|'.join(SMALL + _TENS)}|hundred|one|a|few|several|half a))[\s-]?\Z", re.IGNORECASE
    )
    for written, other in [*table("scales"), *table("units")]:
        for match in re.finditer(rf"(?<![^\W\d_]){written}\b", claim):
            if re.search(rf"(?<![^\W\d_]){other}\b", lowered) or _bound_further(claim, match.start()):
                continue
            if number_before.search(claim, max(0, match.start() - 12), match.start()) or claim[
                match.end() :
            ].startswith(" of"):
                edits.append(Edit(*match.span(), other))
    for match in re.finditer(r"(?<=\d)(?: ?%| percent\b| per cent\b)", claim):
        start = re.search(r"[\d.,]+\Z", claim[: match.start()])
        if start and _CHANGE.search(claim[: start.start()]) and not re.match(r" (?:of|point)", claim[match.end() :]):
            edits.append(Edit(*match.span(), " percentage points"))
    edits += [Edit(*match.span(), " percent") for match in re.finditer(r"(?<=\d) percentage points?", claim)]
    for numeral in numerals(claim):
        big = (
            numeral.value >= 20
            and not numeral.is_year
            and not _is_bound(claim, numeral)
            and not is_day(claim, numeral.start, numeral.end)
        )
        if big or ("." in numeral.text and not _is_bound(claim, numeral)):
            text = _scaled(numeral, claim, chance)
            if float(text.replace(",", "")) not in _values(evidence):
                edits.append(Edit(numeral.start, numeral.end, text))
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def _bound_further(claim: str, at: int) -> bool:
    """Whether the number before this place is a bound."""
    before = _WRITTEN.sub("", claim[:at])
    return BOUND.search(before, max(0, len(before) - 20)) is not None


_WRITTEN = re.compile(
    rf"(?:\b(?:[$€£]?[\d.,]++|{'|'.join(SMALL + _TENS)}|one|a|few|several|half|hundreds?|thousands?|millions?)"
    r"[\s-]*+)+\Z",
    re.IGNORECASE,
)


def _scaled(numeral: Numeral, claim: str, chance: random.Random) -> str:
    percent = claim[numeral.end : numeral.end + 1] == "%" or claim[numeral.end :].startswith((" percent", " per cent"))
    up = numeral.value * 10
    down = numeral.value / 10
    grouped = "," in numeral.text
    places = len(numeral.text.partition(".")[2])
    if (places and ((percent and up > 100) or chance.random() < 0.5)) or (percent and up > 100):
        return f"{down:.{places + 1}f}".removesuffix(".0")
    return f"{up:,.{max(0, places - 1)}f}" if grouped else f"{up:.{max(0, places - 1)}f}"
