"""Words with which a time can begin, and the patterns of each kind of time, compiled once from the lists."""

from __future__ import annotations

import re
from functools import cache

from citewell.facts.lexicon import GAP, alternation
from citewell.facts.lists import read

NAME = "dates"
# Four digits that no thousands, decimals or letters continue.
_YEAR = r"(\d{4})(?![\w%]|[.,]\d)"
_ERA = r"(b\.?\s?c\.?(?:\s?e\b\.?)?|a\.?\s?d\.?|c\.?\s?e\.?)(?![a-z])"
_CENTURY = rf"{GAP}centur(?:y|ies)(?![a-z])(?:\s{_ERA})?"
# "of fiscal 2021", ", 2021", "FY21" behind a quarter.
_OF_YEAR = (
    r"(?:(?:[\s,]{1,2}(?:of\s|in\s)?(?:the\s)?|[\s’']?)(fiscal\s|fy\s?|financial\s)?(?:year\s)?"
    r"[’']?(\d{4}|\d\d)(?![\w%]|[.,]\d))?"
)


@cache
def months() -> dict[str, int]:
    """Month names with their number; those of other languages than English count only beside a day."""
    data = read(NAME)
    return {
        word: number
        for names in ("months", "months_after_a_day")
        for number, line in enumerate(data[names], 1)
        for word in line.split()
    }


def _units() -> tuple[list[str], list[str]]:
    """Units of time, and with them what else stands behind "last" or "prior"."""
    units = [form for unit in read(NAME)["units"] for form in (unit, f"{unit}s")]
    return units, [*units, "period", "fiscal year", "fiscal quarter", "year period", "year quarter", "prior year"]


def _parts() -> list[str]:
    """Words that number a part of a year."""
    return [word for word, number in read(NAME)["ordinals"].items() if number < 5]


@cache
def anchors() -> dict[str, str]:
    """What a time can begin with (or, "behind", end with) in a lower-case text, and the kind of time that it is."""
    data = read(NAME)
    units, spans = _units()
    kinds = {
        "month": [word for line in data["months"] for word in line.split()],
        "part": [
            f"{word} {fiscal}{part}" for word in _parts() for fiscal in ("", "fiscal ") for part in ("quarter", "half")
        ]
        + [f"{letter}{number}" for letter, most in (("q", 4), ("h", 2)) for number in range(1, most + 1)],
        "century": [f"{word} {name}" for word in data["ordinals"] for name in ("century", "centuries")],
        "decade": [f"{before}{name}" for name in data["decades"] for before in ("", "nineteen ", "eighteen ")],
        "behind": [f"{unit} {word}" for unit in units for word in data["behind_unit"]],
        "before": [f"{word} {unit}" for word in data["before_unit"] for unit in spans],
        "ended": [
            f"{unit} {verb}"
            for unit in ("year", "years", "fiscal year", "fiscal years", "quarter", "fiscal quarter", "months", "weeks")
            for verb in ("ended", "ending")
        ],
        "weekday": [form for day in data["weekdays"] for form in (day, f"{day}s")],
        "season": data["seasons"],
        "lone": data["lone"],
        "hour": ["noon", "midnight"],
        "fiscal": ["fy", "fiscal", "fiscal year", "fiscal years", "financial year", "financial years"],
    }
    return {phrase: kind for kind, phrases in kinds.items() for phrase in phrases}


@cache
def scan() -> re.Pattern[str]:
    """Finds where a time may stand: digits, or a word of `anchors`."""
    kinds = anchors()
    rest = alternation(phrase for phrase, kind in kinds.items() if kind not in ("before", "behind"))
    data = read(NAME)
    units, spans = _units()
    # Two lists that go with each other stay two: all their pairs make a pattern that takes long to compile.
    apart = (word for word in data["before_unit"] if "-" not in word)  # "prior-year" is "prior" before "year"
    before = rf"{alternation(apart)}{GAP}{alternation(spans)}"
    behind = rf"{alternation(units)}{GAP}{alternation(data['behind_unit'])}"
    return re.compile(rf"(?<![^\W_])(?:\d++|(?:{behind}|{before}|{rest})(?![^\W\d_]))")


@cache
def pattern(kind: str) -> re.Pattern[str]:
    """The pattern of a kind, to be matched where `scan` stops; few texts have all kinds."""
    return re.compile(sources()[kind])


@cache
def sources() -> dict[str, str]:
    """What the pattern of each kind is made of."""
    data = read(NAME)
    english = alternation(word for line in data["months"] for word in line.split())
    every = alternation(months())
    ordinals = alternation(data["ordinals"])
    seasons = alternation(data["seasons"])
    parts = alternation(_parts())
    return {
        "month": rf"({english})(?![^\W\d_])(?:\.?\s{{1,2}}(\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{{1,2}}))?"
        r"(?![\w%]|[.,:/]\d)"
        rf"(?:\s?,?\s{{0,2}}{_YEAR})?|\.?,?\s(?:of\s)?[’']?{_YEAR}|[ ]?[’'](\d\d)\b)?",
        "day": rf"(\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{{1,2}}))?\.?\s(?:day\s)?(?:of\s|de\s)?"
        rf"({every})(?![^\W\d_])"
        rf"(?:\.?,?\s{{0,2}}(?:de\s|of\s)?{_YEAR})?",
        "iso": r"(\d{4})-(\d\d)-(\d\d)(?:t\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:\d\d)?)?(?!\w)",
        "numeric": r"(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|\.\d)",
        "years": r"(\d{4})\s?[-–—/]\s?(\d{4}|\d{2})(?![\w%]|[-.,]\d)",
        # "Q3 2021", "3Q16", "H2 FY21", "third quarter of fiscal 2021", "2nd half 2020"
        "part": rf"([qh][1-4]|[1-4][qh]|(?:[1-4](?:st|nd|rd|th)|{parts}){GAP}(?:fiscal{GAP})?(?:quarter|half)(?![a-z]))"
        + _OF_YEAR,
        "part_behind": r"(\d{4})\s?([qh][1-4])\b",
        "fiscal": r"(?:fy|fiscal|financial)\s?(?:years?\s)?(?:of\s)?[’']?(\d{4}|\d\d)"
        r"(?:\s?[-/–]\s?(\d{4}|\d\d))?(?![\w%]|[.,]\d)",
        "century": rf"({ordinals}){_CENTURY}",
        "ordinal_century": rf"(\d{{1,2}})(?:st|nd|rd|th){_CENTURY}",
        "era": rf"(\d{{1,4}})\s?{_ERA}",
        "fiscal_behind": r"(\d{4})\s(?:fiscal|financial)\s(?:year|quarter)(?![a-z])",
        "season": rf"({seasons})(?:\s(?:of\s)?{_YEAR})?",
        "decade": r"(\d{3}0|\d0)[’']?s(?![a-z])",
        "clock": r"(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s?([ap])\.?m\b\.?)?|(\d{1,2})\s?([ap])\.?m\b\.?",
        "ended": rf"(?:fiscal\s)?(years?|quarter|months|weeks)\s(?:ended|ending)\s(?:on\s)?"
        rf"(?:({english})\.?\s(\d{{1,2}})|(\d{{1,2}})\s({english}))(?!\w)(?:\s?,?\s{{1,2}}{_YEAR})?",
    }


def part_number(name: str) -> int:
    """The number of a part of a year in lower case: "second quarter", "2nd half", "q2", "2h"; 0 for "last quarter"."""
    digit = re.search(r"\d", name)
    return int(digit[0]) if digit else int(read(NAME)["ordinals"].get(re.split(r"[\s-]", name, maxsplit=1)[0], 0))
