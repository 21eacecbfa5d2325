"""Numbers of a spreadsheet as displayed: Excel's format codes, including dates and times."""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from citewell.text.times import MONTHS

GENERAL = "General"
# The codes that a file names by number alone (ISO/IEC 29500-1, section 18.8.30). Days whose order is the reader's
# country's are written year first, so that nobody takes the month for the day.
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)", 41: "#,##0_);(#,##0);-_)", 42: "$#,##0_);($#,##0);$-_)",
    43: "#,##0.00_);(#,##0.00);-_)", 44: "$#,##0.00_);($#,##0.00);$-_)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 49: "@",
}  # fmt: skip

_LONGEST = 255  # characters of a code, as Excel allows
_LAST_DAY = 2_958_465  # the last day of the year 9999
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*+)[^\]]*+\]|\[(?P<elapsed>h+|m+|s+)\]|'
    r"\[(?P<bracket>[^\]]*)\]|(?P<general>General)|(?P<half>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+)|"
    r"(?P<exponent>E[+-]0+)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<text>@)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_WIDE = Context(prec=400)  # of the largest number that a cell can hold
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


class Token(NamedTuple):
    """A piece of a code: its kind (`literal`, `digit`, `date`, ...) and what it says."""

    kind: str
    text: str


class Plan(NamedTuple):
    """How a section writes digits, worked out once."""

    least: int  # digits before the point, at least
    whole: int  # places before the point
    places: int  # digits behind the point, at most
    least_after: int  # digits behind the point, at least
    exponent: str  # the code of the exponent, empty where there is none
    # Powers of ten by which the number is shown larger: two for each per cent sign, three less a comma behind
    shift: int
    grouped: bool  # whether thousands are parted
    head: str  # what stands before the digits
    tail: str  # what stands behind them
    among: tuple[Token, ...]  # the tokens of the digits where other signs stand between them, as in "000-00-0000"


class Section(NamedTuple):
    """One of the parts of a code that semicolons divide; `condition` says for which numbers it is meant.

    `plan` is None where digits are not written one by one: in dates, words and fractions.
    """

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None
    kinds: frozenset[str]
    plan: Plan | None


def format_number(number: float, code: str, *, since_1904: bool = False) -> str:
    """A number as a cell of this format shows it; as a plain number where the code is none that can be followed."""
    sections = _sections(code[:_LONGEST])
    section, magnitude = _choose(sections, number)
    if section is None:
        return ""
    kinds = section.kinds
    if not kinds.isdisjoint({"date", "elapsed"}):
        day = _day(number, since_1904=since_1904)
        return _plain(number) if day is None else _as_date(section, number, day).strip()
    if "general" in kinds or kinds.isdisjoint({"digit", "literal"}):
        return _literals(section, _plain(magnitude)) if section.tokens else ""
    if "digit" not in kinds:
        return _literals(section, "").strip()
    try:
        return _plain(number) if section.plan is None else _as_number(section.plan, magnitude).strip()
    except (InvalidOperation, OverflowError):
        return _plain(number)


def hides_text(code: str) -> bool:
    """Whether a format shows nothing where a cell holds text: its fourth section, for texts, is empty."""
    sections = _sections(code[:_LONGEST])
    return len(sections) > 3 and not sections[3].tokens


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[Section, ...]:
    parts: list[list[Token]] = [[]]
    conditions: list[tuple[str, float] | None] = [None]
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup
        text = match[kind] if kind else ""
        if kind == "other" and text == ";":
            parts.append([])
            conditions.append(None)
        elif kind == "bracket":
            condition = _CONDITION.fullmatch(text)
            if condition:
                conditions[-1] = condition[1], float(condition[2])
        elif kind in {"quoted", "escaped", "currency", "other"}:
            parts[-1].append(Token("literal", text))
        elif kind:
            parts[-1].append(Token(kind, text))
        elif match[0][0] == "_":
            parts[-1].append(Token("literal", " "))
    return tuple(_section(tuple(part), condition) for part, condition in zip(parts, conditions, strict=True))


def _section(tokens: tuple[Token, ...], condition: tuple[str, float] | None) -> Section:
    kinds = frozenset(token.kind for token in tokens)
    return Section(tokens, condition, kinds, _plan(tokens) if "digit" in kinds else None)


def _choose(sections: tuple[Section, ...], number: float) -> tuple[Section | None, float]:
    """The section for a number, and the number that it shows: without its sign where the section is for negatives."""
    conditional = [section for section in sections if section.condition]
    if conditional:
        for section in sections[:3]:
            if section.condition is None or _meets(number, *section.condition):
                return section, number
        return None, number
    if len(sections) == 1 or (number >= 0 and not (number == 0 and len(sections) > 2)):
        return sections[0], number
    if number < 0:
        return sections[1], -number
    return sections[2], number


def _meets(number: float, sign: str, limit: float) -> bool:
    return {
        "<": number < limit,
        ">": number > limit,
        "=": number == limit,
        "<=": number <= limit,
        ">=": number >= limit,
        "<>": number != limit,
    }[sign]


def _literals(section: Section, inside: str) -> str:
    """The section's own words around a number that is written plainly."""
    parts = [
        token.text if token.kind == "literal" else "%" if token.kind == "percent" else "" for token in section.tokens
    ]
    at = next((n for n, token in enumerate(section.tokens) if token.kind in {"general", "text", "digit"}), len(parts))
    return "".join([*parts[:at], inside, *parts[at:]]).strip()


def _plain(number: float) -> str:
    """A number without a format: at most eleven places, as a cell of ordinary width has them."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    rounded = Context(prec=11).create_decimal_from_float(number)
    text = f"{rounded:f}" if 1e-9 < abs(number) < 1e15 else f"{rounded.normalize():E}"
    return text.rstrip("0").rstrip(".") if "." in text and "E" not in text else text


def _plan(tokens: tuple[Token, ...]) -> Plan | None:
    digits = [n for n, token in enumerate(tokens) if token.kind == "digit"]
    last = digits[-1]
    if any(token.kind == "literal" and token.text == "/" for token in tokens[digits[0] : last]):
        return None  # a fraction: its decimals say the same
    exponent = next((n for n, token in enumerate(tokens) if token.kind == "exponent"), None)
    point = next((n for n, token in enumerate(tokens) if token.kind == "point" and n < last + 1), None)
    whole = [n for n in digits if (point is None or n < point) and (exponent is None or n < exponent)]
    after = [n for n in digits if point is not None and point < n and (exponent is None or n < exponent)]
    start, end = min(digits[0], digits[0] if point is None else point), max([*whole, *after], default=last)
    behind = next((n for n in range(end + 1, len(tokens)) if tokens[n].kind != "comma"), len(tokens)) - end - 1
    among = tokens[start : end + 1]
    return Plan(
        least=sum(tokens[n].text == "0" for n in whole),
        whole=len(whole),
        places=min(len(after), 30),
        least_after=max((k for k, n in enumerate(after, start=1) if tokens[n].text == "0"), default=0),
        exponent="" if exponent is None else tokens[exponent].text,
        shift=2 * sum(token.kind == "percent" for token in tokens) - 3 * behind,
        grouped=any(token.kind == "comma" for token in tokens[whole[0] : whole[-1]]) if whole else False,
        head="".join(_sign(token) for token in tokens[:start]),
        tail="".join(_sign(token) for token in tokens[max(end, point or 0, exponent or 0) + 1 :]),
        among=among if exponent is None and any(token.kind == "literal" for token in among) else (),
    )


def _as_number(plan: Plan, number: float) -> str:
    text = _rounded(plan, Decimal(repr(number)).scaleb(plan.shift))
    if plan.among:
        text = _threaded(plan.among, text)
    return f"{'-' if text.startswith('-') else ''}{plan.head}{text.removeprefix('-')}{plan.tail}"


def _sign(token: Token) -> str:
    return token.text if token.kind == "literal" else "%" if token.kind == "percent" else ""


def _rounded(plan: Plan, value: Decimal) -> str:
    power = ""
    if plan.exponent:
        size = value.adjusted() if value else 0
        shift = size - size % max(1, plan.whole)
        value = value.scaleb(-shift)
        power = f"E{'-' if shift < 0 else '+' if '+' in plan.exponent else ''}"
        power += str(abs(shift)).zfill(len(plan.exponent) - 2)
    kept = value.quantize(Decimal(1).scaleb(-plan.places), ROUND_HALF_UP, _WIDE)
    text = f"{abs(kept):{',' if plan.grouped else ''}.{plan.places}f}"
    front, _, back = text.partition(".")
    front = ("" if front == "0" and not plan.least else front).zfill(plan.least)
    while len(back) > plan.least_after and back.endswith("0"):
        back = back[:-1]
    joined = front + ("." + back if back else "") + power
    return f"-{joined}" if kept < 0 else joined


def _threaded(tokens: tuple[Token, ...], text: str) -> str:
    """Digits from the right into the places of a code that has other signs between them."""
    minus, left = text.startswith("-"), list(text.removeprefix("-"))
    out: list[str] = []
    for n in range(len(tokens) - 1, -1, -1):
        token = tokens[n]
        if token.kind == "literal":
            out.append(token.text[::-1])
        elif token.kind in {"digit", "point"} and left:
            out.append(left.pop())
            while left and left[-1] == ",":
                out.append(left.pop())
    return ("-" if minus else "") + "".join(left) + "".join(out)[::-1]


def _day(number: float, *, since_1904: bool) -> dt.datetime | None:
    """The moment that a number of days means, None where it means none."""
    if since_1904:
        number += 1462
    if not 0 <= number <= _LAST_DAY + 1 - 1e-9:
        return None
    # Excel takes 1900 for a leap year, so that days before 1 March 1900 are counted from a day later.
    start = dt.datetime(1899, 12, 31) if number < 60 else dt.datetime(1899, 12, 30)  # noqa: DTZ001 (cells have no zone)
    whole = int(number)
    return start + dt.timedelta(days=whole, milliseconds=round((number - whole) * 86_400_000))


def _as_date(section: Section, number: float, day: dt.datetime) -> str:
    half = "half" in section.kinds
    tokens = section.tokens
    if not any(token.kind == "point" for token in tokens):
        day += dt.timedelta(milliseconds=500)
        day = day.replace(microsecond=0)
    out: list[str] = []
    fraction = False
    for n, token in enumerate(tokens):
        kind, text = token
        if kind == "literal":
            out.append(text)
        elif kind == "elapsed":
            seconds = number * 86_400
            per = {"h": 3600, "m": 60, "s": 1}[text[0].lower()]
            out.append(str(int((seconds + 0.5) // per)).zfill(len(text)))
        elif kind == "half":
            out.append(("PM" if day.hour >= 12 else "AM")[: 2 if len(text) > 3 else 1])
        elif kind == "date":
            out.append(_part(text.lower(), day, minutes=_is_minutes(tokens, n), half=half))
        elif kind == "point":
            fraction = True
            out.append(".")
        elif kind == "digit" and fraction:
            out.append(str(day.microsecond // 100_000))
        elif kind == "comma":
            out.append(",")
    return "".join(out)


def _is_minutes(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether an m stands for minutes: behind hours or before seconds."""
    before = next((token for token in reversed(tokens[:at]) if token.kind in {"date", "elapsed"}), None)
    after = next((token for token in tokens[at + 1 :] if token.kind in {"date", "elapsed"}), None)
    return (before is not None and before.text[0] in "hH") or (after is not None and after.text[0] in "sS")


def _part(text: str, day: dt.datetime, *, minutes: bool, half: bool) -> str:
    wide = len(text)
    match text[0]:
        case "y":
            return f"{day.year:04d}" if wide > 2 else f"{day.year % 100:02d}"
        case "m" if minutes and wide < 3:
            return str(day.minute).zfill(wide)
        case "m":
            name = MONTHS[day.month - 1]
            return str(day.month).zfill(wide) if wide < 3 else name[:3] if wide == 3 else name[0] if wide == 5 else name
        case "d":
            name = _DAYS[day.weekday()]
            return str(day.day).zfill(wide) if wide < 3 else name[:3] if wide == 3 else name
        case "h":
            return str((day.hour - 1) % 12 + 1 if half else day.hour).zfill(min(wide, 2))
        case _:
            return str(day.second).zfill(min(wide, 2))
