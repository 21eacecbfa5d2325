"""Units and currencies as written in texts, each with its family and the factor to the base unit."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts.lexicon import alternation
from citewell.facts.lists import read

_NAME = "units"
_UNITY = Decimal(1)


# Of a header, right behind a currency: "£'000", "€ million", "$m", "Rs. in crore".
_SCALE_WORD = r"m(?:n|illions?)?|bn|billions?|k|thousands?|crores?|lakhs?"
SCALE_BEHIND = rf"\s?(?:in )?(?:[’'‘`´]?\s?(?P<zeros>000(?:[,.]?000)?)s?|(?P<word>{_SCALE_WORD}))"


class Unit(NamedTuple):
    """A unit: its canonical name, what it measures, the factor to the base unit; for money the currency's code."""

    name: str
    family: str
    factor: Decimal = _UNITY
    currency: str = ""


NO_UNIT = Unit("", "")


class _Lexicon(NamedTuple):
    symbols: dict[str, Unit]  # as written
    words: dict[str, Unit]  # in lower case
    phrases: re.Pattern[str]  # units of several words, in lower case
    phrase_starts: frozenset[str]
    before: dict[str, str]  # currency signs and codes that stand before the number
    offsets: dict[str, Decimal]


def _plural(word: str) -> str:
    return word + ("es" if word.endswith(("x", "ch")) else "s")


def _first_plural(phrase: str) -> str:
    head, _, rest = phrase.partition(" ")
    return f"{_plural(head)} {rest}"


@cache
def lexicon() -> _Lexicon:
    """The units, read once."""
    data = read(_NAME)
    symbols: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    for family, units in data["families"].items():
        for name, (factor, names, signs, prefixes) in units.items():
            unit = Unit(name, family, Decimal(factor))
            symbols.update(dict.fromkeys(signs, unit))
            for word in names:
                words[word] = words[_plural(word)] = unit
                if word.startswith(("degree ", "part ")):
                    words[_first_plural(word)] = unit
            for prefix in prefixes:
                long, power = data["prefixes"].get(prefix, ("", "1"))
                if not long:
                    continue
                scaled = Unit(long + name, family, Decimal(factor) * Decimal(power))
                symbols.update({prefix + sign: scaled for sign in signs})
                if prefix == "µ":
                    symbols.update({letter + sign: scaled for sign in signs for letter in ("μ", "u")})
                for word in names[:2]:
                    words[long + word] = words[_plural(long + word)] = scaled
    currencies = data["currencies"]
    for word, code in currencies["words"].items():
        unit = Unit(code, "money", _UNITY, code)
        words[word] = unit
        words.setdefault(_plural(word), unit)
    for word, code in currencies["hundredths"].items():
        unit = Unit(code, "money", Decimal("0.01"), code)
        words[word] = words[_plural(word)] = unit
    for code in currencies["codes"].split():
        symbols[code] = Unit(code, "money", _UNITY, code)
    for sign, code in currencies["before"].items():
        if len(sign) < 3:
            symbols.setdefault(sign, Unit(code, "money", _UNITY, code))
    several = {word for word in words if " " in word or "-" in word} | {sign.lower() for sign in symbols if " " in sign}
    for sign in [sign for sign in symbols if " " in sign]:
        words[sign.lower()] = symbols[sign]
    before = {**currencies["before"], **{code: code for code in currencies["codes"].split()}}
    offsets = {name: Decimal(value) for name, value in data["offsets"].items()}
    starts = frozenset(re.split(r"[ .\-]", word)[0] for word in several)
    return _Lexicon(symbols, words, re.compile(alternation(several) + r"(?![^\W\d_])"), starts, before, offsets)


@lru_cache(maxsize=8)
def currency_before(scale: str) -> re.Pattern[str]:
    """A currency sign or code, captured as `sign`, with a pattern of what follows it."""
    signs = "|".join(map(re.escape, sorted(lexicon().before, key=len, reverse=True)))
    return re.compile(rf"(?<![\w$€£¥₹])(?P<sign>{signs}){scale}", re.ASCII)


_WORD = re.compile(
    r"[ \t\n\u00a0\u202f\u2009]?[ \-]?(%-?(?: ?points?\b)?|[‰°º℃℉€$£¥₹₩₽₺¢٪%元円]C?F?"
    r"|[^\W\d_]+(?:[²³]|\^?[23](?![\w.,]))?)"
)
_RATE = re.compile(
    r"(?:/|[ \-]per[ \-](?:square |cubic )?"
    r"|[ ]an?[ ](?=year|month|week|day|hour|minute|second|barrel|share|gallon|ton|litre|mile|acre))([^\W\d_]+[²³23]?)"
)
_SPACES = re.compile(r"[\s\-]+")


def unit_at(text: str, lower: str, end: int) -> tuple[Unit, int]:
    """The unit that follows a number that ends at `end`, and where it ends; `NO_UNIT` where none does."""
    match = _WORD.match(text, end)
    if match is None:
        return NO_UNIT, end
    units = lexicon()
    word, start = match[1], match.start(1)
    low = lower[start : match.end()]
    if word in "$€£¥₹" and start > end:
        return NO_UNIT, end  # the next number's
    unit = None
    stop = match.end()
    if low in units.phrase_starts or low[0] in "%°":
        phrase = units.phrases.match(lower, start)
        if phrase is not None:
            unit = units.words.get(_SPACES.sub(" ", phrase[0])) or units.words.get(phrase[0])
            stop = phrase.end()
    if unit is None:
        stop = match.end()
        unit = units.symbols.get(word) or units.words.get(low)
        if unit is None or (len(word) == 1 and not _is_symbol(text, word, end, start, stop)):
            return NO_UNIT, end
    if unit.family == "money" and text[stop : stop + 1] == "-" and text[stop + 1 : stop + 2].isalpha():
        return NO_UNIT, end  # "50 real-world queries" are no reais
    return with_rate(text, lower, unit, stop)


def _is_symbol(text: str, word: str, end: int, start: int, stop: int) -> bool:
    """Whether a single letter after a number is a unit: "5 m", "20 C"; not "5 C's" nor "20-F"."""
    if not word.isalpha():
        return True
    if word == "s" and end == start and text[end - 1] == "0" and text[end - 2 : end - 1].isdigit():
        return False  # the 70s
    if text[stop : stop + 1] in {"'", "’", "-", "&"} or text[end:start] == "-":
        return False
    return (
        word not in "CFKVWJd"
        or end == start
        or not text[stop : stop + 2].strip()[:1].isalpha()
        or text[stop : stop + 1] == "."
    )


def with_rate(text: str, lower: str, unit: Unit, stop: int) -> tuple[Unit, int]:
    """The unit that ends at `stop` with what it is told per: mg/kg, miles per hour, dollars a barrel."""
    if text[stop : stop + 1] != "/" and not lower.startswith((" per", "-per", " a"), stop):
        return unit, stop
    units = lexicon()
    for _ in range(2):
        match = _RATE.match(lower, stop)
        if match is None:
            break
        word = text[match.start(1) : match.end()]
        low = match[1]
        below = units.symbols.get(word) or units.words.get(low)
        if below is None:
            if low not in {"share", "person", "capita", "head", "unit", "household", "employee", "patient"}:
                break
            below = Unit(low, low)
        between = lower[stop : match.start(1)]
        if "square" in between or "cubic" in between:
            power = 2 if "square" in between else 3
            below = Unit(
                f"{'square' if power == 2 else 'cubic'} {below.name}",
                "area" if power == 2 else "volume",
                below.factor**power,
            )
        unit = Unit(
            f"{unit.name}/{below.name}", _family(unit.family, below.family), unit.factor / below.factor, unit.currency
        )
        stop = match.end()
    return unit, stop


def _family(above: str, below: str) -> str:
    return "speed" if (above, below) == ("length", "time") else f"{above}/{below}"
