"""Values in reports: figures, means with intervals, and their formatting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Interval(NamedTuple):
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of several runs, their standard deviation (of a sample), and how many they are."""

    mean: float
    deviation: float
    runs: int


Value = str | int | float | bool | Interval | Spread | None


def percent(value: float | None) -> str:
    """A fraction as a percentage with one digit, a dash where there is none."""
    return "–" if value is None else f"{100 * value:.1f}"


def number(value: float | None) -> str:
    """A figure that is no fraction, in as many digits as tell something."""
    if value is None:
        return "–"
    size = abs(value)
    return f"{value:.1f}" if size >= 10 else f"{value:.3f}" if size >= 0.001 or size == 0 else f"{value:.0e}"


def mean_of(interval: Interval | None) -> float | None:
    """The mean alone."""
    return interval.mean if interval else None


def ranged(interval: Interval | None, sign: str = "") -> str | None:
    """An interval of a fraction alone; with the sign `+` that of a difference."""
    return f"{100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f}" if interval else None


def format_value(value: Value, *, share: bool = True) -> str:
    """A cell's text; floats are percentages, or with `share` off plain numbers."""
    write = percent if share else number
    if isinstance(value, Interval):
        return f"{write(value.mean)} ({write(value.low)} to {write(value.high)})"
    if isinstance(value, Spread):
        return f"{write(value.mean)} ± {write(value.deviation)}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return write(value) if value is None or isinstance(value, float) else str(value)
