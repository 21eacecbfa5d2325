"""The relation of a claim's quantity or time to one in the evidence, taking account of what both leave open."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from citewell.facts.days import weekday_of
from citewell.facts.lists import read
from citewell.facts.types import Aspect, Modifier, Period, Quantity, Relation
from citewell.facts.units import lexicon

_ZERO, _UNITY, _INFINITY = Decimal(0), Decimal(1), Decimal("Infinity")
_FAR = Decimal(100)  # times a bound: it is no bound of that
_WHOLE, _HUNDRED = Decimal("0.5"), Decimal(100)  # the tolerance of a whole number; percents of one
_FEW = Decimal(12)  # up to that number a bare one counts things
_AGREES = Relation("agrees")
_UPPER: frozenset[Modifier] = frozenset({"less_than", "at_most"})
_LOWER: frozenset[Modifier] = frozenset({"more_than", "at_least"})


@cache
def _looseness() -> Decimal:
    """How far from a rounded number the counted one may lie, as a share of it."""
    return Decimal(read("number_words")["rounding"])


class _Values:
    """The values that a quantity allows, in base units: a nominal interval, widened by its precision or modifier."""

    __slots__ = ("high", "low", "modifier", "tolerance")

    def __init__(self, quantity: Quantity, *, convert: bool = True) -> None:
        factor = quantity.factor if convert else _UNITY
        offset = lexicon().offsets.get(quantity.unit) if convert else None
        self.low, self.high = quantity.low * factor, quantity.high * factor
        self.tolerance = quantity.tolerance * factor
        if offset is not None:
            self.low, self.high = self.low + offset, self.high + offset
        if quantity.scale > _UNITY:
            # "1 million" is ± 500,000 by its last place; nobody means as much.
            self.tolerance = min(self.tolerance, max(abs(self.low), abs(self.high)) * _looseness())
        self.modifier = quantity.modifier

    def wide(self) -> tuple[Decimal, Decimal]:
        """The interval with what the modifier opens."""
        if self.modifier in _LOWER:
            return self.low, _INFINITY
        if self.modifier in _UPPER:
            return -_INFINITY, self.high
        if self.modifier == "about":
            slack = max(self.tolerance, abs(self.high) * _looseness())
            return self.low - slack, self.high + slack
        return self.low, self.high


def compare(claim: Quantity, evidence: Quantity) -> Relation:
    """How `claim` stands to `evidence`: agrees, conflicts in an aspect, or incomparable.

    A rounded number agrees with the exact one that it may stand for, not the other way round: the exact claim of
    rounded evidence is "incomparable" in "precision". "More than 40" agrees with 41, conflicts with 39.
    """
    if "identifier" in (claim.kind, evidence.kind) or "ordinal" in (claim.kind, evidence.kind):
        return _named(claim, evidence)
    if "multiplier" in (claim.kind, evidence.kind):
        return _multiplied(claim, evidence)
    mismatch = _units(claim, evidence)
    if mismatch is not None:
        return mismatch
    # Cents have the name of the currency that they are hundredths of; a cell's percents are told without a factor.
    other = claim.unit != evidence.unit or (bool(claim.currency) and claim.factor != evidence.factor)
    convert = other and bool(claim.unit and evidence.unit)
    return _values(_Values(claim, convert=convert), _Values(evidence, convert=convert))


def compare_lengths(claim: Quantity, evidence: Period) -> Relation:
    """How a length of time of the claim stands to one that the evidence counts from something: "30 days after it"."""
    if claim.family != "time" or evidence.direction is None or not evidence.distance:
        return Relation("incomparable", "kind")
    if claim.unit != evidence.granularity:
        return Relation("incomparable", "unit")
    return _AGREES if claim.low <= evidence.distance <= claim.high else Relation("conflicts", "number")


def _named(claim: Quantity, evidence: Quantity) -> Relation:
    if claim.low == evidence.low:
        return _AGREES if claim.kind == evidence.kind else Relation("agrees", "kind")
    if claim.kind == evidence.kind:
        return Relation("conflicts", "number")
    return Relation("incomparable", "kind")


def _multiplied(claim: Quantity, evidence: Quantity) -> Relation:
    """Doubled is twice as much, or 100 percent more."""
    if claim.kind == evidence.kind:
        same = claim.low == evidence.low
        return _AGREES if same else Relation("conflicts", "number")
    factor, share = (claim, evidence) if claim.kind == "multiplier" else (evidence, claim)
    if share.kind == "percent" and (factor.low - 1) * 100 == share.low:
        return _AGREES
    if share.kind == "cardinal" and share.unit in ("", "time") and share.low == share.high == factor.low:
        return Relation("agrees", "kind")  # "32 times" and "32x more"
    return Relation("incomparable", "kind")


def _units(claim: Quantity, evidence: Quantity) -> Relation | None:
    """What the units alone decide; None where the values do."""
    if claim.currency and evidence.currency and claim.currency != evidence.currency:
        return Relation("conflicts", "unit")
    if (claim.kind == "ratio" and evidence.kind == "percent") or (claim.kind == "percent" and evidence.kind == "ratio"):
        return _shares(claim, evidence)
    if {claim.kind, evidence.kind} == {"percent", "points"}:
        return Relation("conflicts", "unit")
    if claim.family == evidence.family:
        return None
    if {claim.kind, evidence.kind} == {"money", "cardinal"} and _UNITY in (claim.scale, evidence.scale):
        counted = claim if claim.kind == "cardinal" else evidence
        if abs(counted.high) <= _FEW:
            return Relation("incomparable", "kind")  # "one of the firms", and an amount of money
    same = claim.low == evidence.low and claim.high == evidence.high
    if not claim.unit or not evidence.unit:
        if "percent" in (claim.kind, evidence.kind) or "points" in (claim.kind, evidence.kind):
            return Relation("agrees" if _as_decimal(claim, evidence) else "incomparable", "unit")
        if claim.family == "money" or evidence.family == "money":
            return None
        return Relation("agrees", "unit") if same else Relation("incomparable", "unit")
    return Relation("conflicts", "unit") if same else Relation("incomparable", "unit")


def _as_decimal(claim: Quantity, evidence: Quantity) -> bool:
    """Whether one is a percentage and the other the same without its sign: "94.3%" and "94.3", or "0.943"."""
    percent, bare = (claim, evidence) if claim.kind == "percent" else (evidence, claim)
    if percent.kind != "percent" or bare.kind != "cardinal" or bare.scale != _UNITY or bare.tolerance >= _WHOLE:
        return False
    factors = (_UNITY, _HUNDRED) if _ZERO < bare.low < _UNITY else (_UNITY,)
    return any((percent.low, percent.high) == (bare.low * factor, bare.high * factor) for factor in factors)


def _shares(claim: Quantity, evidence: Quantity) -> Relation | None:
    """Half is 50 percent."""
    if "score" in (claim.unit, evidence.unit):
        return Relation("incomparable", "kind")
    off = abs(claim.low * claim.factor - evidence.low * evidence.factor)
    if evidence.kind == "ratio" and claim.modifier == evidence.modifier and off <= claim.tolerance * claim.factor:
        return _AGREES  # "66.7 percent" of two thirds, which is exact
    return _values(_Values(claim), _Values(evidence))


def _values(claim: _Values, evidence: _Values) -> Relation:
    nominal = _nominally_equal(claim, evidence)
    if nominal and claim.modifier == evidence.modifier:
        return _AGREES
    if (
        nominal
        and claim.modifier
        and evidence.modifier
        and {claim.modifier, evidence.modifier} & _LOWER
        and {claim.modifier, evidence.modifier} & _UPPER
    ):
        return Relation("conflicts", "modifier")
    if claim.modifier == evidence.modifier == "range" and (claim.low == evidence.low or claim.high == evidence.high):
        return Relation("conflicts", "number")  # "12 to 34" of "12 to 22": another end
    low, high = claim.wide()
    if claim.modifier in {"", "range"}:
        low, high = low - claim.tolerance, high + claim.tolerance
    first, last = evidence.wide()
    if (
        claim.modifier == "more_than"
        and evidence.modifier in {"", "about", "range"}
        and first <= low < _INFINITY
        and nominal
    ):
        return Relation("conflicts", "modifier")
    if claim.modifier == "less_than" and evidence.modifier in {"", "about", "range"} and last >= high and nominal:
        return Relation("conflicts", "modifier")
    if nominal:
        return Relation("agrees", "modifier")
    if low <= first and last <= high:
        if claim.modifier in _LOWER and _ZERO < claim.low * _FAR <= evidence.low:
            return Relation("incomparable", "magnitude")  # true of 25 billion, but nobody says "over 25 million" of it
        finer = evidence.tolerance <= claim.tolerance or claim.modifier != ""
        return _AGREES if finer else Relation("incomparable", "precision")
    if first - evidence.tolerance <= low and high <= last + evidence.tolerance:
        aspect: Aspect = "precision" if evidence.modifier in {"", "about"} else "modifier"
        return Relation("incomparable", aspect)
    return Relation("conflicts", _aspect(claim, evidence))


def _nominally_equal(claim: _Values, evidence: _Values) -> bool:
    """Whether both give the same number, as exactly as the claim gives it and no more exactly than the evidence."""
    slack = claim.tolerance if evidence.tolerance < claim.tolerance else _ZERO
    return abs(claim.low - evidence.low) <= slack and abs(claim.high - evidence.high) <= slack


def _aspect(claim: _Values, evidence: _Values) -> Aspect:
    """What kind of difference it is: the sign, the power of ten, or the digits."""
    low, other = claim.low, evidence.low
    if low and other:
        if abs(low + other) <= max(claim.tolerance, evidence.tolerance, _ZERO) and (low < 0) != (other < 0):
            return "sign"
        power = abs(low).adjusted() - abs(other).adjusted()
        for shift in (power, power - 1, power + 1):
            moved = abs(other).scaleb(shift)
            if shift and abs(abs(low) - moved) <= max(claim.tolerance, evidence.tolerance.scaleb(shift)):
                return "magnitude"
    if (claim.modifier in _LOWER and evidence.modifier in _UPPER) or (
        claim.modifier in _UPPER and evidence.modifier in _LOWER
    ):
        return "modifier"
    return "number"


def compare_periods(claim: Period, evidence: Period) -> Relation:
    """How the claim's time stands to the evidence's: agrees, contains it, lies within it, conflicts.

    "In 2010" contains "in March 2010"; two times without a common part, such as a month and a weekday, are
    incomparable. Fiscal years are compared by their names.
    """
    if claim.begin is None or evidence.begin is None or claim.until is None or evidence.until is None:
        return _parts(claim, evidence)
    if claim.fiscal != evidence.fiscal and _same_name(claim, evidence):
        return Relation("agrees", "fiscal")
    if claim.fiscal and evidence.fiscal and _same_name(claim, evidence):
        return _AGREES
    if claim.modifier in _OPEN or evidence.modifier in _OPEN:
        return _opened(claim, evidence)
    if (claim.begin, claim.until) == (evidence.begin, evidence.until):
        vague = {claim.modifier, evidence.modifier} - {"", "about"}
        if claim.modifier != evidence.modifier and len(vague) > 1:
            return Relation("conflicts", "modifier")
        return _AGREES if claim.modifier == evidence.modifier else Relation("agrees", "modifier")
    if claim.granularity == evidence.granularity == "years" and (
        claim.begin == evidence.begin or claim.until == evidence.until
    ):
        return Relation("conflicts", "period")  # "from 2009 to 2015" of "from 2009 to 2012": another end
    if claim.begin <= evidence.begin and evidence.until <= claim.until:
        return Relation("contains")
    if evidence.begin <= claim.begin and claim.until <= evidence.until:
        return Relation("within")
    return Relation("conflicts", "period")


_OPEN = frozenset({"before", "after", "since", "until", "by"})


def _same_name(claim: Period, evidence: Period) -> bool:
    if claim.granularity == "years" and claim.until != evidence.until:
        return False
    return (claim.granularity, claim.year, claim.quarter) == (evidence.granularity, evidence.year, evidence.quarter)


def _bounds(period: Period) -> tuple[float, float]:
    begin, until = float(period.begin or 0), float(period.until or 0)
    if period.modifier == "before":
        return -float("inf"), begin
    if period.modifier in {"until", "by"}:
        return -float("inf"), until
    if period.modifier == "after":
        return until, float("inf")
    if period.modifier == "since":
        return begin, float("inf")
    return begin, until


def _opened(claim: Period, evidence: Period) -> Relation:
    """Before 2010 agrees with 2009; since 2010 and 2010 are told apart by the modifier alone."""
    same = (claim.begin, claim.until) == (evidence.begin, evidence.until)
    if same and claim.modifier == evidence.modifier:
        return _AGREES
    (begin, until), (first, last) = _bounds(claim), _bounds(evidence)
    if until <= first or last <= begin:
        return Relation("conflicts", "modifier" if same else "period")
    if begin <= first and last <= until:
        return _AGREES if not same else Relation("agrees", "modifier")
    return Relation("agrees" if same else "incomparable", "modifier")


def _parts(claim: Period, evidence: Period) -> Relation:
    """Compares what both tell: the month of "in March" and of "5 March 2010"."""
    if claim.direction is not None and evidence.direction is not None:
        if (claim.direction, claim.distance, claim.granularity) == (
            evidence.direction,
            evidence.distance,
            evidence.granularity,
        ):
            return _AGREES
        if claim.granularity == evidence.granularity and claim.distance and evidence.distance:
            return Relation("conflicts", "period")
        return Relation("incomparable", "period")
    shared = [
        (mine, theirs)
        for mine, theirs in zip(_stated_parts(claim), _stated_parts(evidence), strict=True)
        if mine is not None and theirs is not None
    ]
    if not shared:
        return Relation("incomparable", "period")
    if any(mine != theirs for mine, theirs in shared):
        return Relation("conflicts", "period")
    mine, theirs = (sum(part is not None for part in _stated_parts(period)) for period in (claim, evidence))
    return _AGREES if mine == theirs else Relation("contains") if mine < theirs else Relation("within")


def _stated_parts(period: Period) -> tuple[int | None, ...]:
    weekday = period.weekday
    if weekday is None and period.granularity == "day" and period.begin is not None:
        weekday = weekday_of(period.begin)
    quarter = period.quarter
    return period.year, quarter, period.month, period.day, weekday, period.minute
