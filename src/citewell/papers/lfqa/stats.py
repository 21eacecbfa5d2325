"""Intervals by questions: sentences of one question are alike, so questions are what is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from citewell.report.intervals import Interval

Floats = npt.NDArray[np.float64]


def sums(rows: Iterable[tuple[str, Sequence[float]]]) -> Floats:
    """(questions, columns) sums of the rows of each question."""
    found: dict[str, Floats] = {}
    for question, values in rows:
        array = np.asarray(values, dtype=float)
        found[question] = found[question] + array if question in found else array
    return np.stack(list(found.values())) if found else np.zeros((0, 1))


def resampled(
    by_question: Floats, statistic: Callable[[Floats], Floats], *, samples: int = 2000, seed: int = 0
) -> Interval | None:
    """A statistic of the column sums and its 95% percentile interval over draws of questions; None where undefined.

    Args:
        by_question: (questions, columns) sums, from `sums`.
        statistic: from (..., columns) to (...): vectorised over draws.
        samples: how many draws.
        seed: makes the draws repeatable.
    """
    if not len(by_question):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(by_question.sum(axis=0)))
        if not np.isfinite(value):
            return None
        generator = np.random.default_rng(seed)
        count = len(by_question)
        drawn = generator.multinomial(count, np.full(count, 1 / count), samples) @ by_question
        found = statistic(drawn)
    found = found[np.isfinite(found)]
    if not len(found):
        return Interval(value, value, value)
    low, high = np.percentile(found, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def ratio(columns: Floats) -> Floats:
    """The first column's sum by the second's: a share."""
    return np.asarray(columns[..., 0] / columns[..., 1])


def difference(columns: Floats) -> Floats:
    """The share of the first two columns less the share of the next two."""
    return np.asarray(columns[..., 0] / columns[..., 1] - columns[..., 2] / columns[..., 3])


def moments(x: float, y: float, weight: float = 1.0) -> tuple[float, ...]:
    """The columns that `pearson` needs, of one pair."""
    return weight, weight * x, weight * y, weight * x * x, weight * y * y, weight * x * y


def pearson(columns: Floats) -> Floats:
    """Pearson's r from sums of `moments`; not a number where one side does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(columns, -1, 0)
    spread_x, spread_y = n * xx - x * x, n * yy - y * y
    flat = (spread_x <= 1e-9 * np.maximum(n * xx, 1)) | (spread_y <= 1e-9 * np.maximum(n * yy, 1))
    safe = np.sqrt(np.where(flat, 1.0, spread_x) * np.where(flat, 1.0, spread_y))
    return np.where(flat, np.nan, (n * xy - x * y) / safe)
