"""The names of months, and words of time and scale, for all code that reads or writes them."""

from __future__ import annotations

import re

MONTHS = "January February March April May June July August September October November December".split()
FULL_MONTH = f"(?:{'|'.join(MONTHS)})"
MONTH = (  # also short
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    "Nov(?:ember)?|Dec(?:ember)?)"
)
TIME_WORDS = (  # of headers
    rf"\b(?:ended|ending|months|weeks|years?|quarter|fiscal|as (?:of|at)|{'|'.join(MONTHS)}|(?:19|20)\d\d)\b"
)
TIME = re.compile(TIME_WORDS, re.IGNORECASE)
SCALES = {1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}


def scale_word(scale: float | None) -> str:
    """The word for a scale, empty for others: "million"."""
    return SCALES.get(int(scale or 1), "") if scale is None or scale == int(scale) else ""
