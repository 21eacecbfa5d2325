"""Joins numbers that belong together: ranges, ratios, scores, "5 feet 10 inches", lists with one unit, codes."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from citewell.facts.types import Quantity
from citewell.types import Span

_RANGE = re.compile(r"\s?[-–—−~〜]\s?|[ ](?:to|through|bis|à)[ ]")
_DASH = re.compile(r"\s?[-–—−]\s?")
_BETWEEN = re.compile(
    r"(?:\bbetween|\banywhere from|\brang(?:e|es|ed|ing) (?:from|of)|\bvar(?:y|ies|ied|ying) from|zwischen|entre)\s$"
)
_FROM = re.compile(r"\bfrom\s$")
_BY = re.compile(r"\bby\s(?:about |nearly |almost |over )?$")
_SHARED = re.compile(r"(?:, | and | or | to |, and |, or | - | & )")
# What stands before the last of a list; commas alone may part things of different units.
_SHARING = re.compile(r",? and |,? or | to | - | & ")
_SHARE = re.compile(r"[ -](?:in|out of|of every|in every|for every)[ -](?:every )?")
_CARRIES = frozenset({"cardinal", "money", "measure", "percent", "points", "multiplier"})
_ZERO, _UNITY = Decimal(0), Decimal(1)


def joined(text: str, lower: str, parts: list[Quantity]) -> list[Quantity]:
    """`parts` with those that make up one quantity joined, and units shared where they are written once."""
    result: list[Quantity] = []
    for part in parts:
        if result:
            last = result[-1]
            gap = lower[last.end : part.start]
            if len(gap) <= 14:
                union = _union(lower, last, part, gap)
                if union is not None:
                    result[-1] = union
                    continue
                if last.kind == "identifier" and part.kind == "cardinal" and not part.unit and _lists(gap, text, last):
                    result.append(
                        Quantity("identifier", *part.numeral, part.numeral, abs(part.low), abs(part.high), _ZERO)
                    )
                    continue
                if _SHARING.fullmatch(gap):
                    _share_back(lower, result, part)
        result.append(part)
    return result


def _share_back(lower: str, result: list[Quantity], part: Quantity) -> None:
    """Gives the unit and scale of `part` to the listed numbers before it: "5, 6 and 7 million"."""
    for place in range(len(result) - 1, -1, -1):
        shared = _share(result[place], part)
        if shared is result[place]:
            break
        result[place] = shared
        if not place or not _SHARED.fullmatch(lower[result[place - 1].end : shared.start]):
            break


def _lists(gap: str, text: str, last: Quantity) -> bool:
    """Sections 2 and 3; [1, 2]."""
    return gap in {", ", " and ", "-", "–", ",", ", and ", " & ", " to ", " or "} and not text[last.end - 1].isalpha()


def _union(lower: str, first: Quantity, second: Quantity, gap: str) -> Quantity | None:
    if first.kind not in _CARRIES or second.kind not in _CARRIES | {"ratio"}:
        return None
    if gap in {" and ", " und ", " et "}:
        return (
            _range(first, second, lower, opened=True)
            if _BETWEEN.search(lower, max(0, first.start - 20), first.start)
            else None
        )
    if _RANGE.fullmatch(gap):
        opened = bool(_BETWEEN.search(lower, max(0, first.start - 20), first.start))
        if gap == " to " and not opened and _FROM.search(lower, max(0, first.start - 8), first.start):
            return None
        if gap == " to " and first.unit and _BY.search(lower, max(0, first.start - 12), first.start):
            return None  # "by 2 percent to 40 percent": how much and where to
        return _range(first, second, lower, opened=opened, dash=bool(_DASH.fullmatch(gap)))
    bare = not (first.unit or second.unit) and first.kind == second.kind == "cardinal"
    if not bare or first.low < 0 or second.low <= 0:
        return None
    if gap in {":", " : ", "-to-"}:
        return _ratio(first, second)
    if (
        (_SHARE.fullmatch(gap) or gap == "/")
        and first.low < second.low <= 10_000
        and lower[second.end : second.end + 1] != "/"
    ):
        return _ratio(first, second)
    return None


def _ratio(first: Quantity, second: Quantity) -> Quantity:
    value = first.low / second.low
    return replace(
        first,
        kind="ratio",
        end=second.end,
        numeral=Span(first.numeral.start, second.numeral.end),
        low=value,
        high=value,
        tolerance=_ZERO,
    )


def _range(first: Quantity, second: Quantity, lower: str, *, opened: bool, dash: bool = False) -> Quantity | None:
    lower_bound = _share(first, second)
    if (lower_bound.unit, lower_bound.kind) != (second.unit, second.kind):
        return None
    low, high = lower_bound.low, second.high
    if low > high:
        # 3–2 is a score; anything else that falls is no range.
        if dash and not second.unit and first.kind == "cardinal" and low == int(low) and second.low > 0:
            return replace(_ratio(first, second), unit="score", family="score")
        return None
    start, modifier_span = first.start, first.modifier_span
    if opened:
        match = _BETWEEN.search(lower, max(0, first.start - 20), first.start)
        modifier_span = Span(match.start(), match.start() + len(match[0].rstrip())) if match else None
    return replace(
        second, start=start, numeral=Span(first.numeral.start, second.numeral.end), low=low, high=high,
        tolerance=min(lower_bound.tolerance, second.tolerance), modifier="range", modifier_span=modifier_span,
    )  # fmt: skip


def _share(first: Quantity, second: Quantity) -> Quantity:
    """`first` with the scale, unit or currency that is written only at `second`: "5 to 10 million", "$5-10"."""
    changed = first
    if not first.unit and first.kind == "cardinal" and second.unit and second.kind in _CARRIES:
        changed = replace(
            changed,
            kind=second.kind,
            unit=second.unit,
            family=second.family,
            factor=second.factor,
            currency=second.currency,
        )
    if first.scale == _UNITY and second.scale > _UNITY and _alike(first.high, second.high / second.scale):
        scale = second.scale
        changed = replace(
            changed,
            low=changed.low * scale,
            high=changed.high * scale,
            tolerance=changed.tolerance * scale,
            scale=scale,
        )
    return changed


def _alike(first: Decimal, second: Decimal) -> bool:
    """Whether two numbers are of about the same size, so that a scale word behind the second is meant for both."""
    return second > 0 and second / 100 <= abs(first) <= second * 100
