"""The context of a numeral: sign, currency, bounds, and the names and labels it belongs to."""

from __future__ import annotations

import re
import string
from functools import cache
from typing import NamedTuple, cast

from citewell.facts import units
from citewell.facts.lexicon import alternation
from citewell.facts.lists import read
from citewell.facts.lists import words as listed
from citewell.facts.numbers import NAME, Numeral
from citewell.facts.types import Modifier
from citewell.text.data import words
from citewell.types import Span

_MINUS = frozenset("-−–")
_LEADING = frozenset("-−–+±$€£¥₹₩₽₺₪₫₱₦฿₴(.~")
_LEAD = re.compile(
    r"([-−–+±])?[ ]?((?<![^\W\d_])(?:US[ ]?|AU?|CAD?|NZ|HK|S|R|NT|Mex)?\$|[€£¥₹₩₽₺₪₫₱₦฿₴]|\bRs\.)?"
    r"[ ]?([-−–])?(\([ ]?)?$"
)
_NUMERIC_BEFORE = re.compile(r"[\d)|%—–-][\s$€£|]*$")
_NUMERIC_AFTER = re.compile(r"[\s|$€£]*[\d(|—]")
# "3." and "3)" of a list, "3.1 Scope" of an outline.
_HEADING = re.compile(r"\d{1,2}[.)]\s|\d+\.\d+\s+[\"“”'(A-Z]")
_CAPITALISED_CHAPTER = re.compile(r"-[A-Z]\b")


class _Modifiers(NamedTuple):
    phrases: dict[str, Modifier]
    last_words: frozenset[str]
    signs: dict[str, Modifier]
    after: re.Pattern[str]
    after_values: dict[str, Modifier]


@cache
def _modifiers() -> _Modifiers:
    data = read(NAME)
    phrases: dict[str, Modifier] = {}
    for modifier, joined in data["modifiers_before"].items():
        words, *longer = joined.split("|")
        phrases.update(dict.fromkeys([*words.split(), *longer], cast("Modifier", modifier)))
    after: dict[str, Modifier] = {
        phrase: cast("Modifier", modifier)
        for modifier, joined in data["modifiers_after"].items()
        for phrase in joined.split("|")
    }
    signs = {phrase: modifier for phrase, modifier in phrases.items() if not phrase[0].isalnum()}
    pattern = re.compile(rf"\+(?!\w)|\s?(?:{alternation(after)})(?![a-z])")
    return _Modifiers(phrases, frozenset(phrase.rsplit(" ", 1)[-1] for phrase in phrases), signs, pattern, after)


def modifier_before(lower: str, start: int, family: str) -> tuple[Modifier, Span | None]:
    """The words or sign before a number that bound it: "more than", "at least", "~"."""
    known = _modifiers()
    before = lower[max(0, start - 26) : start].rstrip(f"{string.whitespace}\u00a0(")
    if not before.strip():
        return "", None
    end = max(0, start - 26) + len(before)
    if before[-1] in "~≈≃<>≤≥⩾⩽=":
        sign = before[-2:] if before[-2:] in known.signs else before[-1]
        modifier = known.signs.get(sign, "")
        return (modifier, Span(end - len(sign), end)) if modifier else ("", None)
    words = before.split()[-3:]
    if words[-1] not in known.last_words:
        return "", None
    for count in range(len(words), 0, -1):
        phrase = " ".join(words[-count:])
        modifier = known.phrases.get(phrase, "")
        if modifier:
            if family == "time" and phrase in {"over", "under", "above", "below", "unter", "past"}:
                return "", None
            first = len(before)
            for word in reversed(words[-count:]):
                first = before.rindex(word, 0, first)
            return modifier, Span(max(0, start - 26) + first, end)
    return "", None


def modifier_after(lower: str, end: int) -> tuple[Modifier, Span | None]:
    """The words or sign behind a number that bound it: "or more", "+"."""
    if lower[end : end + 1] not in {" ", "+", "-"}:
        return "", None
    known = _modifiers()
    match = known.after.match(lower, end)
    if match is None:
        return "", None
    phrase = match[0].strip()
    span = Span(match.end() - len(phrase), match.end())
    return ("at_least" if phrase == "+" else known.after_values.get(re.sub(r"[\s]+", " ", phrase), "")), span


def lead(text: str, numeral: Numeral) -> tuple[int, bool, str, bool]:
    """Where the expression begins, whether a minus stands there, its currency, and whether "(" follows that."""
    start = numeral.start
    if not start:
        return start, False, "", False
    previous = text[start - 1]
    if previous == " " and start > 1:
        previous = text[start - 2]
    if previous.isalpha():
        return _lead_word(text, start)
    if previous not in _LEADING:
        return start, False, "", False
    match = _LEAD.search(text, max(0, start - 9), start)
    if match is None or match.start() == start:
        return start, False, "", False
    first, currency, second, bracket = match.groups()
    begin = match.start() + (text[match.start()] == " ")
    negative = second in _MINUS if second else False
    if second and not currency:
        begin, negative, first = match.start(3), False, second
    if first:
        joined = begin and (text[begin - 1].isalnum() or text[begin - 1] in ")%.")
        apart = text[begin + 1 : begin + 2] == " "
        if joined or apart:
            begin += 1 + apart
        else:
            negative |= first in _MINUS
    if not currency:
        begin = start if not negative else begin
        return begin, negative, "", False
    code = "".join(currency.split())
    return begin, negative, units.lexicon().before.get(code, "USD"), bool(bracket)


def _lead_word(text: str, start: int) -> tuple[int, bool, str, bool]:
    stop = start - 1 if text[start - 1] == " " else start
    word = _LAST_WORD.search(text, max(0, stop - _LONGEST_SIGN), stop)
    if word is not None and word[0].rstrip(".").isalpha() and (code := units.lexicon().before.get(word[0])):
        return word.start(), False, code, False
    if stop < start:
        for minus in ("minus", "negative"):
            if text[max(0, stop - len(minus)) : stop].lower() == minus:
                return stop - len(minus), True, "", False
    return start, False, "", False


def bracketed_negative(text: str, start: int, end: int, *, after_currency: bool) -> bool:
    """Whether the brackets around an amount are an account's minus, not a remark's."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    if after_currency or text[end + 1 : end + 2] == "%":
        return True
    before = _NUMERIC_BEFORE.search(text, max(0, start - 6), start - 1) is not None
    after = _NUMERIC_AFTER.match(text, end + 1, end + 5) is not None
    grouped = "," in text[start:end]
    return before + after + grouped > 1


_LONGEST_SIGN = 5  # characters of a currency's letters: "KShs"
_LAST_WORD = re.compile(r"(?<![\w.])[A-Z][A-Za-z]{1,3}\.?$")


@cache
def _not_names() -> frozenset[str]:
    data = read(NAME)
    return words("citewell.text", "abbreviations.json", "starters") | frozenset(
        word.capitalize() for word in (*data["modifiers_before"]["about"].split(), *data["not_names"].split())
    )


def is_identifier(text: str, numeral: Numeral, *, bare: bool) -> bool:
    """Whether digits are part of a name, a label, a mark or a code instead of a count or a measure."""
    start, end = numeral.start, numeral.end
    if numeral.form == "version":
        return True
    before = text[start - 1] if start else " "
    after = text[end : end + 1]
    if (
        (before.isalpha() and before < "\u2e80")
        or before in "_@\\#"
        or (before == "-" and start > 1 and text[start - 2].isalpha())
    ):
        return True
    if not bare:
        return False
    if after == "(" and text[end + 1 : end + 2].isalpha() and text[end + 2 : end + 3] == ")":
        return True  # 401(k), Section 4(b)
    if (after.isalpha() and ord(after) < 0x2E80) or after in {"_", "@"} or _CAPITALISED_CHAPTER.match(text, end):
        return True
    digits = text[start:end]
    if before == "(" and len(digits) < 3 and after == ")" and digits.isdecimal() and int(digits) <= 20:
        return True
    if start < 3 and not text[:start].strip() and _HEADING.match(text, start):
        return True
    if before == "[" and after in {"]", ",", "-", "–", ";"} and text[start:end].isdecimal():
        return True
    if before in "/." and start > 1 and not text[start - 2].isspace() and text[start - 2] not in "<>=(":
        return not text[start - 2].isdigit() or before == "."
    if (digits[0] == "0" and len(digits) > 1 and digits.isdecimal()) or (digits.isdecimal() and len(digits) > 12):
        return True
    return _names_something(text, numeral, digits)


def is_name(text: str, numeral: Numeral) -> bool:
    """Whether number words are part of a name: the Second World War, the Fantastic Four, not at a sentence's head."""
    start = numeral.start
    before = text[max(0, start - 24) : start].rstrip(" -")
    if not before or not (before[-1].isalnum() or before[-1] in ",’'"):
        return False
    if text[numeral.end : numeral.end + 2].lstrip(" -")[:1].isupper():
        return True
    word = before.rsplit(maxsplit=1)[-1]
    return word[0].isupper() and word[-1].isalpha()


def _names_something(text: str, numeral: Numeral, digits: str) -> bool:
    """Section 4.2, type 2, Boeing 747, Apollo 11."""
    start, end = numeral.start, numeral.end
    window = text[max(0, start - 24) : start]
    if window[-1:] not in {" ", "\u00a0", "§", "№", "#"}:
        return False
    word = window.rstrip().rsplit(maxsplit=1)[-1] if window.strip() else ""
    if len(word) > 1:
        word = word.lstrip("([\"'“‘")
    if not word:
        return False
    if word.lower() in listed(NAME, "labels"):
        return "," not in digits
    if (
        not (word[0].isupper() and digits.isdecimal() and len(digits) < 5)
        or word in _not_names()
        or not (word[-1].isalnum() and word.isprintable())
    ):
        return False
    following = text[end : end + 16].lstrip()
    if not following or following[0].isdigit() or following[0] in "|($€£":
        return False  # a row of a table
    noun = following.split(maxsplit=1)[0].rstrip(",.;:)")
    return not (
        noun.islower() and (noun == "people" or (noun.endswith("s") and noun not in {"was", "is", "has", "as"}))
    )
