"""Numerals in digits: six conventions for grouping and decimals, exponents, fractions, with value and precision."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from citewell.facts.lists import read

NAME = "number_words"
_UNITY = Decimal(1)
_HALVES = tuple(Decimal(5).scaleb(-places - 1) for places in range(40))
# Signs that group digits by three; a full stop and a comma may do that or end the whole number.
_MINUS = frozenset("-−–")
_GROUPING = frozenset("'’٬\u00a0\u2009\u202f")

# Bounded: a list without blanks ("1,2,3,...") is not read again and again to its end.
_DIGITS = re.compile(r"\d+(?:[.,'’٬٫·\u00a0\u2009\u202f]\d+){0,12}+")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})++(?:[.,]\d{1,2})?(?![\w.,]?\d)")
_EXPONENT = re.compile(
    r"\s?[x×·*]\s?10\s?(?:\^|\*\*)?\s?(\(?)([-−–+]?)(\d{1,3})\)?(?![\w.])|[eE]([-−+]?)(\d{1,3})(?!\w)"
)
_POWER_OF_TEN = re.compile(r"(?:\^|\*\*)(?:\{([-−–+]?)(\d{1,3})\}|\(?([-−–+]?)(\d{1,3})\)?)(?!\w|\.\d)")
_SIMPLE_FRACTION = re.compile(r"\s?(?:([¼-¾⅐-⅞])|(?<=\s)(\d{1,2})/(\d{1,3})(?![\d/]))")
# Function words that English has not: a text with two of them and no "the" writes decimals with a comma.
_COMMA_LANGUAGES = re.compile(
    r"\b(?:der|die|das|und|von|mit|für|auf|wurde|betrug|les|des|une|dans|pour|avec|est|el|los|las|del|una|por|con|il|gli|della|"
    r"nel|het|een|van|och|att|som|på|og|til|na|не|и|в|на|por|um|uma|não|dos)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|of|and|was|is|to|in)\b", re.IGNORECASE)


class Numeral(NamedTuple):
    """A number as written: offsets, value, half of its last place.

    `form` is "digits", "words", "ordinal", "fraction", "vague" ("dozens"), "multiplier" or "version" (dots that make no
    number). `scale` is what scale words inside it multiplied by.
    """

    start: int
    end: int
    value: Decimal
    tolerance: Decimal
    form: str
    scale: Decimal = _UNITY


@lru_cache(maxsize=64)  # asked for every number with a comma, of one text after the other
def writes_comma_decimals(text: str) -> bool:
    """Whether the words of `text` are of a language that writes 1.234,5."""
    return len(_COMMA_LANGUAGES.findall(text)) > 1 and len(_ENGLISH.findall(text)) < 2


def digits_at(text: str, start: int) -> Numeral:
    """The numeral whose first digit stands at `start`; it may begin one sign earlier (".5")."""
    match = _DIGITS.match(text, start)
    if match is None:
        raise ValueError(f"no digit at {start}")
    spelled, end = match[0], match.end()
    if spelled.isdecimal():
        if (
            start
            and text[start - 1] == "."
            and (start == 1 or not (text[start - 2].isalnum() or text[start - 2] == "."))
        ):
            numeral = Numeral(start - 1, end, Decimal("0." + spelled), _half_place(len(spelled)), "digits")
        elif end - start < 4 and text[end : end + 1] == " " and _is_spaced(text, start):
            return _spaced(text, start)
        else:
            numeral = Numeral(start, end, Decimal(spelled), _HALVES[0], "digits")
    else:
        numeral = _separated(text, start, spelled)
    return _with_fraction(text, _with_exponent(text, numeral))


def _half_place(places: int) -> Decimal:
    return _HALVES[places] if places < len(_HALVES) else Decimal(5).scaleb(-places - 1)


def _with_exponent(text: str, numeral: Numeral) -> Numeral:
    if numeral.value == 10 and (power_match := _POWER_OF_TEN.match(text, numeral.end)):  # 10^-5
        sign, digits = power_match[1] or power_match[3], power_match[2] or power_match[4]
        value = _UNITY.scaleb(int(digits) * (-1 if sign in _MINUS else 1))
        return numeral._replace(end=power_match.end(), value=value, tolerance=value / 2)
    if text[numeral.end : numeral.end + 2].strip()[:1] not in {"x", "×", "·", "*", "e", "E"}:
        return numeral
    match = _EXPONENT.match(text, numeral.end)
    if match is None:
        return numeral
    power = int(match[3] or match[5])
    if (match[2] or match[4]) not in {None, "", "+"}:
        power = -power
    return numeral._replace(
        end=match.end(), value=numeral.value.scaleb(power), tolerance=numeral.tolerance.scaleb(power)
    )


def _with_fraction(text: str, numeral: Numeral) -> Numeral:
    """A vulgar fraction after a whole number: 1½, 1 1/2."""
    after = text[numeral.end : numeral.end + 4]
    if "/" not in after and (after[:2].isascii() or not after):
        return numeral
    match = _SIMPLE_FRACTION.match(text, numeral.end)
    if match is None or numeral.value != int(numeral.value):
        return numeral
    if match[1]:
        part = glyph_value(match[1])
    elif 0 < int(match[2]) < int(match[3]):
        part = Decimal(match[2]) / Decimal(match[3])
    else:
        return numeral
    return numeral._replace(end=match.end(), value=numeral.value + part, tolerance=_HALVES[2])


def glyph_value(glyph: str) -> Decimal:
    """The value of a one-character fraction."""
    top, bottom = read(NAME)["glyphs"][glyph].split("/")
    return Decimal(top) / Decimal(bottom)


def _is_spaced(text: str, start: int) -> bool:
    """Whether "1 234" is one number: in a row of a table its groups would be numbers of their own."""
    match = _SPACED.match(text, start)
    if match is None or text[start] == "0":
        return False
    before = text[max(0, start - 2) : start].rstrip()[-1:]
    after = text[match.end() : match.end() + 2].lstrip()[:1]
    follows = bool(after) and (after.isalpha() or after in "%€$£¥)°")
    if " 0" in match[0] and before != "|":
        return True  # no number begins with 0
    return (follows and not before.isdigit() and before != "|") or (bool(before) and before in "€$£¥")


def _spaced(text: str, start: int) -> Numeral:
    match = _SPACED.match(text, start)
    if match is None:
        raise ValueError(f"no spaced number at {start}")
    spelled = match[0].replace(" ", "").replace(",", ".")
    return Numeral(start, match.end(), Decimal(spelled), _half_place(len(spelled.partition(".")[2])), "digits")


def _separated(text: str, start: int, spelled: str) -> Numeral:
    """The value of digits with signs between them, cut where they are several numbers ("1,2,3")."""
    groups = _GROUPS.split(spelled)
    parts, signs = groups[::2], groups[1::2]
    grouping = signs[0]
    if len(signs) == 1:
        whole, places = parts
        if grouping in _GROUPING:
            if len(places) != 3 or len(whole) > 3:
                return Numeral(start, start + len(whole), Decimal(whole), _HALVES[0], "digits")
            return _grouped(start, spelled, parts, "")
        thousands = len(places) == 3 and len(whole) < 4 and whole != "0" and grouping in ",."
        if thousands and (grouping == ",") != writes_comma_decimals(text):
            return _grouped(start, spelled, parts, "")
        return _grouped(start, spelled, [whole], places)
    last = signs[-1]
    inner, places = (parts[:-1], parts[-1]) if last != grouping else (parts, "")
    if len(set(signs[: len(inner) - 1])) == 1 and _are_groups(inner) and (last == grouping or last in ".,٫·"):
        return _grouped(start, spelled, inner, places)
    if set(signs) == {"."}:
        return Numeral(start, start + len(spelled), Decimal(parts[0]), _HALVES[0], "version")
    # Several numbers without a space between them: the first alone.
    cut = spelled.find(",") if "," in spelled else len(parts[0])
    first = spelled[:cut] if cut > 0 else parts[0]
    if first.isdecimal():
        return Numeral(start, start + len(first), Decimal(first), _HALVES[0], "digits")
    whole, _, places = first.partition(".")
    if whole.isdecimal() and places.isdecimal():
        return _grouped(start, first, [whole], places)
    return Numeral(start, start + len(parts[0]), Decimal(parts[0]), _HALVES[0], "digits")


_GROUPS = re.compile(r"(\D)")


def _are_groups(parts: list[str]) -> bool:
    """1,234,567, or the Indian 12,34,567."""
    first, *middle, last = parts
    return (
        0 < len(first) < 4
        and len(last) == 3
        and (all(len(part) == 3 for part in middle) or all(len(part) == 2 for part in middle))
    )


def _grouped(start: int, spelled: str, parts: list[str], places: str) -> Numeral:
    value = Decimal("".join(parts) + ("." + places if places else ""))
    return Numeral(start, start + len(spelled), value, _half_place(len(places)), "digits")
