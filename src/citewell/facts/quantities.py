"""Quantities in a text: numbers with sign, scale, unit, currency, modifier and precision."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from citewell.facts import number_words, units
from citewell.facts.context import bracketed_negative, is_identifier, is_name, lead, modifier_after, modifier_before
from citewell.facts.dates import periods
from citewell.facts.joining import joined
from citewell.facts.lexicon import alternation, lowered, without_addresses, words_before
from citewell.facts.lists import read, words
from citewell.facts.numbers import NAME, Numeral, digits_at, glyph_value
from citewell.facts.types import Fact, Quantity
from citewell.types import Span

_ZERO, _UNITY, _THOUSAND, _MILLION = Decimal(0), Decimal(1), Decimal(1000), Decimal(1_000_000)
_ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_MULTIPLIER = re.compile(
    r"[ -]?times[ ](?=(?:as|more|higher|larger|greater|bigger|the|longer|faster|its|lower|smaller|that|over"
    r"|slower|less|fewer|better|worse|cheaper|heavier|lighter|stronger|weaker|shorter|older|younger)\b)"
    r"|[ -]?fold\b|[x×](?![\w.×])|[ ]?\$?\\times[ ]?\$?(?![ ]?\d)"
)
_NEXT_WORD = re.compile(r"[ \-]?([a-z']*)")
_ONE_IN = re.compile(
    r"[ -](?:in|out of)[ -](?:every )?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|a hundred)\b"
)
# Behind a name and no count: "3M's", "3M Company", "3M acquired", "3M is".
_NAMED = re.compile(r"['’]s\b|[ \xa0](?:[A-Z]|[a-z]+ed\b|(?:is|are|was|were|has|had|have|will|may|does|did|said)\b)")
_TALL = re.compile(
    r"[ ]?(?:tall|high|long|wide|deep|thick|above|below|from|away|x|×|by|in (?:height|length|width|depth|diameter))\b"
)
_PEOPLE = re.compile(r"[ ](?:people|[a-z]{2,}s)\b(?<!was)(?<!is)(?<!has)")
_CODE_BEHIND = re.compile(r"\s?([A-Z]{3})(?![\w-])")
# What stood there in earlier periods, behind a figure: " (46.6; 42.6) " before "million".
_EARLIER = re.compile(r" ?\(\d[\d.,;/ ]{0,40}\) ")
# "(in thousands, except per share data)", "($ in millions)", "Dollars in thousands", "in Mio. €".
_MONEY = r"(?:u\.?s\.? ?)?(?:[$€£¥] ?|[a-z]{3} )?(?:dollars |euros |amounts |figures |all amounts )?"
_STATED_SCALE = re.compile(
    rf"(?:\bin |\(){_MONEY}(?:in )?{_MONEY}(?:in )?"
    r"[’']?(thousands?|millions?|billions?|hundreds|000s?|mio\.?|mrd\.?|tsd\.?|mn|bn|m|teur|crores?|lakhs?)\b"
)


class _After(NamedTuple):
    """What stands behind a numeral: where that ends, a scale word's factor, a unit; `kind` where it settles that."""

    end: int
    scale: Decimal = _UNITY
    unit: units.Unit = units.NO_UNIT
    kind: str = ""


class _Scales(NamedTuple):
    spelled: dict[str, Decimal]
    letters: dict[str, Decimal]
    pattern: re.Pattern[str]


@cache
def _scan() -> re.Pattern[str]:
    glyphs = "".join(read(NAME)["glyphs"])
    # "Rs" before digits is a gene more often than an amount.
    codes = "|".join(code.lower() for code in units.lexicon().before if code.isalpha() and code != "Rs")
    return re.compile(rf"(?<![a-z\d])(?:\d|[{glyphs}]|{number_words.lexicon().run}|(?:{codes})(?=\d))")


@cache
def _scales() -> _Scales:
    data = read(NAME)
    spelled = {word: Decimal(value) for word, value in data["written_scales"].items()}
    letters = {letter: Decimal(value) for letter, value in data["letter_scales"].items()}
    pattern = re.compile(rf"[\s\-]{{0,2}}{alternation(spelled)}(?![^\W\d_])|\s?(k|mm?|b|t)(?![\w²³])")
    return _Scales(spelled, letters, pattern)


def quantities(text: str, times: Iterable[Fact] | None = None) -> tuple[Quantity, ...]:
    """The quantities of `text` in order; a number that is part of a time (`times`, else `periods(text)`) is none."""
    text = without_addresses(text)
    lower = lowered(text)
    search = _scan().search
    match = search(lower)
    if match is None:
        return ()
    upcoming = iter(periods(text) if times is None else times)
    time = next(upcoming, None)
    result: list[Quantity] = []
    while match is not None:
        start, end = match.span()
        while time is not None and time.end <= start:
            time = next(upcoming, None)
        if time is not None and time.start <= start:
            match = search(lower, time.end)
            continue
        numeral = _numeral(text, lower, start, end)
        if numeral is not None:
            quantity = _quantity(text, lower, numeral)
            end = numeral.end
            if quantity is not None:
                result.append(quantity)
                end = max(end, quantity.end)
        match = search(lower, end)
    return tuple(_scaled_behind(text, lower, joined(text, lower, result))) if len(result) > 1 else tuple(result)


def _scaled_behind(text: str, lower: str, parts: list[Quantity]) -> list[Quantity]:
    """`parts` with the scale that stands once, behind a bracket of earlier figures: "EUR 49.1 (46.6; 42.6) million"."""
    places = {part.end: place for place, part in enumerate(parts)}
    for bracket in _EARLIER.finditer(lower):
        scale, _ = _scale_at(text, lower, bracket.end(), "")
        first = places.get(bracket.start())
        if scale == _UNITY or first is None or parts[first].kind not in ("cardinal", "money"):
            continue
        unit = parts[first]
        for place in range(first, len(parts)):
            part = parts[place]
            if part.start >= bracket.end():
                break
            if part.scale == _UNITY and part.kind in ("cardinal", unit.kind):
                parts[place] = replace(
                    part, low=part.low * scale, high=part.high * scale, tolerance=part.tolerance * scale, scale=scale,
                    kind=unit.kind, unit=unit.unit, family=unit.family, factor=unit.factor, currency=unit.currency,
                )  # fmt: skip
    return parts


class Stated(NamedTuple):
    """A scale that a heading states, and where it does."""

    factor: Decimal
    start: int
    end: int


def scale_stated(heading: str) -> Stated | None:
    """The scale that a heading states for the numbers below it: 1000 for "(in thousands)", "£'000"; None for none."""
    match = _STATED_SCALE.search(lowered(heading))
    if match is None:
        return _compact(heading)
    word = match[1].rstrip(".")
    factor = _scales().spelled.get(word, _THOUSAND)
    if word in {"m", "hundreds"}:
        factor = _MILLION if word == "m" else Decimal(100)
    return Stated(factor, *match.span())


_ZEROS = 6  # of a million: "NT$’000,000"


def _compact(heading: str) -> Stated | None:
    """A scale that stands right behind a currency: "2023 £'000", "RM'000", "US$ million"."""
    match = units.currency_before(rf"{units.SCALE_BEHIND}(?!\w)").search(heading)
    if match is None:
        return None
    word, zeros = (match["word"] or "").lower(), (match["zeros"] or "").count("0")
    factor = _MILLION if word == "m" or zeros == _ZEROS else _THOUSAND if word in ("", "k") else _scales().spelled[word]
    return Stated(factor, *match.span())


def _numeral(text: str, lower: str, start: int, end: int) -> Numeral | None:
    first = lower[start]
    if first.isdecimal():
        return digits_at(text, start)
    if first.isascii():
        if lower[end : end + 1].isdecimal():
            return digits_at(text, end)  # EUR5
        return _repeated(text, number_words.words_at(lower, start, end))
    return Numeral(start, end, glyph_value(first), Decimal("0.01"), "fraction")


def _repeated(text: str, numeral: Numeral | None) -> Numeral | None:
    """Contracts say a number twice: "ten (10) days"."""
    if numeral is None or not text.startswith(" (", numeral.end):
        return numeral
    match = _SAME_IN_DIGITS.match(text, numeral.end)
    return numeral._replace(end=match.end()) if match is not None and Decimal(match[1]) == numeral.value else numeral


_SAME_IN_DIGITS = re.compile(r" \((\d{1,4})\)")


def _quantity(text: str, lower: str, numeral: Numeral) -> Quantity | None:
    form = numeral.form
    if form == "multiplier":
        return _multiplied(text, lower, numeral)
    if form == "vague":
        return _vague(lower, numeral)
    if not _is_number(lower, numeral) or (not numeral.value and text.startswith("00", numeral.start)):
        return None  # $000 is no amount
    start, negative, currency, bracket = lead(text, numeral)
    after = _after(text, lower, numeral, currency)
    unit = after.unit
    end = after.end
    if currency and unit.family.startswith("money"):
        unit = unit._replace(currency=currency)
    elif currency and not unit.name:
        unit, end = units.with_rate(text, lower, units.Unit(currency, "money", _UNITY, currency), end)
    kind = after.kind or _KINDS.get(unit.family) or ("money" if unit.currency else "measure" if unit.name else "")
    bare = not kind and after.scale == _UNITY
    if not kind:
        kind = form if form == "ordinal" else "ratio" if form == "fraction" else "cardinal"
    span = Span(numeral.start, numeral.end)
    if (form in {"digits", "version"} and not currency and is_identifier(text, numeral, bare=bare)) or (
        text[numeral.start].isupper() and not _ONE_IN.match(lower, numeral.end) and is_name(text, numeral)
    ):
        return Quantity("identifier", numeral.start, numeral.end, span, numeral.value, numeral.value, _ZERO)
    scale = after.scale
    if not negative and kind in {"cardinal", "money", "percent"}:
        inner = numeral.start if bracket else start
        negative = bracketed_negative(text, inner, end, after_currency=bracket)
        if negative:
            start, end = min(start, inner - 1), end + 1
            if after.scale == _UNITY and scale == _UNITY:
                scale, end = _scale_at(text, lower, end, currency)  # "$(5) million"
            if text[end : end + 1] == "%" and kind == "cardinal":
                kind, unit, end = "percent", units.lexicon().symbols["%"], end + 1
    value, tolerance = numeral.value, numeral.tolerance
    if scale != _UNITY:
        value, tolerance = value * scale, tolerance * scale
    modifier, modifier_span = modifier_before(lower, start, unit.family)
    if not modifier:
        modifier, modifier_span = modifier_after(lower, end)
        if modifier_span is not None and not unit.name and kind == "cardinal":
            unit, stop = units.unit_at(text, lower, modifier_span.end)
            if unit.name:
                kind, end = _KINDS.get(unit.family) or ("money" if unit.currency else "measure"), stop
    if negative:
        value = -value
    return Quantity(
        kind, start, end, span, value, value, tolerance if kind != "ordinal" else _ZERO, scale * numeral.scale,
        unit.name, unit.family, unit.factor, unit.currency, modifier, modifier_span,
    )  # fmt: skip


_KINDS = {"ratio": "percent", "points": "points"}


def _after(text: str, lower: str, numeral: Numeral, currency: str) -> _After:
    end = numeral.end
    following = lower[end : end + 2]
    if not following or (following[0] in ".,;:)" and not following[1:].isalpha()):
        return _After(end)
    if numeral.form == "digits":
        if following in _ORDINAL_SUFFIXES and not lower[end + 2 : end + 3].isalnum():
            return _After(end + 2, kind="ordinal")
    elif numeral.form == "ordinal":
        return _After(end)
    elif numeral.form == "fraction":
        return _after_fraction(text, lower, end)
    match = _MULTIPLIER.match(lower, end)
    if match is not None:
        return _After(match.end() if not match[0].endswith(" ") else match.end() - 1, kind="multiplier")
    scale, end = _scale_at(text, lower, end, currency)
    unit, stop = units.unit_at(text, lower, end)
    if unit.name == "pound" and scale >= _MILLION and not lower.startswith(" of", stop):
        unit = units.Unit("GBP", "money", _UNITY, "GBP")
    return _After(stop, scale, unit)


def _after_fraction(text: str, lower: str, end: int) -> _After:
    """Half an hour, a quarter mile; of anything else a fraction is a share."""
    article = 3 if lower.startswith(" an ", end) else 2 if lower.startswith(" a ", end) else 0
    unit, stop = units.unit_at(text, lower, end + article)
    return _After(stop, unit=unit) if unit.family in {"length", "time", "mass", "volume", "area"} else _After(end)


def _scale_at(text: str, lower: str, end: int, currency: str) -> tuple[Decimal, int]:
    known = _scales()
    match = known.pattern.match(lower, end)
    if match is None:
        return _UNITY, end
    stop = match.end()
    letter = match[1]
    if letter is None:
        return known.spelled[re.sub(r"[\s\-]+", " ", match[0]).strip()], stop
    start = stop - len(letter)
    attached = start == end
    written = text[start:stop]
    if currency and letter != "mm":
        return known.letters[letter.upper() if letter == "t" else letter], stop
    if currency:
        return _MILLION, stop
    counts = not text[stop : stop + 1].isalnum() and not _NAMED.match(text, stop)
    counts = counts and not text[:start].strip().isdecimal()  # nobody begins a sentence with such a count
    if attached and (written in {"k", "K"} or (written in {"M", "B"} and counts)):
        return known.letters[written], stop
    code = _CODE_BEHIND.match(text, stop)
    if written in known.letters and code is not None and code[1] in units.lexicon().before:
        return known.letters[written], stop  # "27.6m USD"
    if attached and written == "m" and _PEOPLE.match(lower, stop) and not _TALL.match(lower, stop):
        return _MILLION, stop
    return _UNITY, end


def _neighbours(lower: str, numeral: Numeral) -> tuple[str, str]:
    before = words_before(lower, numeral.start, 18)
    after = _NEXT_WORD.match(lower, numeral.end)
    return (before[-1].lstrip("([\"'“‘") if before else ""), (after[1] if after else "")


def _is_number(lower: str, numeral: Numeral) -> bool:
    """Whether a number word counts: "one" is a pronoun, "half" and "quarter" name times and things, too."""
    if numeral.form not in {"words", "fraction", "ordinal"} or numeral.end - numeral.start > 9:
        return True
    word = lower[numeral.start : numeral.end]
    if word == "one":
        before, after = _neighbours(lower, numeral)
        if _ONE_IN.match(lower, numeral.end):
            return True
        return bool(after) and before not in words(NAME, "one_not_after") and after not in words(NAME, "one_not_before")
    if word in {"half", "a half", "a quarter"}:
        before, after = _neighbours(lower, numeral)
        if before in {"first", "second", "other", "latter", "last", "third", "fourth"} or lower.startswith(
            "-", numeral.end
        ):
            return False
        return after in (words(NAME, "half_after") if word != "a quarter" else {"of", "mile"}) or before in words(
            NAME, "half_before"
        )
    if word == "second":
        return _neighbours(lower, numeral)[0] not in words(NAME, "second_not_after")
    return True


def _multiplied(text: str, lower: str, numeral: Numeral) -> Quantity | None:
    """Twice as much, doubled; "twice" alone counts occasions."""
    word = lower[numeral.start : numeral.end]
    _, after = _neighbours(lower, numeral)
    span = Span(numeral.start, numeral.end)
    value = numeral.value
    if word in {"twice", "thrice"} and after not in words(NAME, "multiplier_after") - {
        "in",
        "by",
        "from",
        "during",
        "to",
        "since",
        "with",
    }:
        return Quantity("cardinal", *span, span, value, value, _ZERO, unit="time", family="occasions")
    if word in words(NAME, "bare_adjectives") and (
        after not in words(NAME, "multiplier_after") or text[numeral.start].isupper()
    ):
        return None
    modifier, modifier_span = modifier_before(lower, numeral.start, "")
    return Quantity("multiplier", *span, span, value, value, _ZERO, modifier=modifier, modifier_span=modifier_span)


_TENFOLD = ("ten", "score", "dozen", "hundred", "several hundred")


def _vague(lower: str, numeral: Numeral) -> Quantity | None:
    """Dozens of, hundreds of thousands: at least the number, less than ten times that; "millions": a thousand times."""
    word = lower[numeral.start : numeral.end]
    before, after = _neighbours(lower, numeral)
    if before == "in" or (after != "of" and word in {"tens", "scores", "dozens"}):
        return None
    top = numeral.value * (10 if word.startswith(_TENFOLD) else 1000)
    span = Span(numeral.start, numeral.end)
    return Quantity("cardinal", *span, span, numeral.value, top, _ZERO, numeral.scale, modifier="range")
