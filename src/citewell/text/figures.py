"""Figures in cells: numbers with signs, currencies and marks, dashes for zero; and their values.

is_figure("$ (1,234.5)")   # True
worth("(1,234.5)%")        # -1234.5
"""

from __future__ import annotations

import re
from functools import lru_cache

_NIL = re.compile(r"[-–—−‐]+|nil|n/?[am]|nm|\.\.\.?|…", re.IGNORECASE)
_MARKS = re.compile(r"(?:\s*(?:[*†‡§#]|\((?:\d|[a-z])\)|\[\w{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]))+$")
_MARK_ENDS = frozenset("*†‡§#)]¹²³⁴⁵⁶⁷⁸⁹⁰")  # what marks end with
_LONGEST_MARKS = 40  # characters of marks at a cell's end
_AROUND = re.compile(
    r"(?:US|C|A|HK|NZ|R)?[$€£¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|SEK|NOK|DKK|CAD|AUD|RMB|Rs\.?)\b|[%‰]"
    r"|(?<=[\d)])p\b|\bbps?\b|\bpts?\b"
)
_NUMBER = re.compile(
    r"(?P<minus>[-–—−+]?)(?P<open>\(?)[-–—−]?"
    r"(?P<digits>\d{1,3}(?:[,.'’ ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)\)?[xX]?"
)
_MEASURED = re.compile(r"[<>≤≥=~±(+−–-]*\s*[$€£¥]?\d")
_SPREAD = re.compile(
    r"\d\s*[(\[][\s<>≤≥=±+–−-]*[\d.]|\d\s*±|±\s*\d|[<>≤≥=]\s*[\d.]|\d[.,]\d+\s*(?:[-–/]|to)\s*[$€£¥]?\d|%"
)
_TIGHT = re.compile(r"(?<=[-–—−+(]) | (?=\))")
_YEAR = re.compile(  # also above a column of an amount: "2020 €", "2020 (RM)"
    r"(?i:FY|fiscal|CY)?\s*(?:19|20)\d\d(?i:\s*[AEPF])?(?:\s*[$€£¥₹]|\s+[A-Z]{2,3}|\s*\((?:[$€£¥₹]|[A-Z]{2,3})\))?"
)
_THIRDS = re.compile(r"\d{1,3}(?:([,.'’ ])\d{3})(?:\1\d{3})*")


@lru_cache(maxsize=4096)
def bare(cell: str) -> str:
    """A cell without the marks of its notes, its currency and percent signs, and blanks."""
    plain = _AROUND.sub("", _unmarked(cell)).strip() or _AROUND.sub("", cell).strip()
    return _TIGHT.sub("", " ".join(plain.split()))


@lru_cache(maxsize=4096)
def is_figure(cell: str) -> bool:
    """Whether a cell is a number, with whatever signs, or stands for none."""
    inner = bare(cell)
    if inner.lstrip("'’‘ ") == "000":
        return False  # "€000" is a scale
    if not inner:
        return bool(cell.strip()) and not any(map(str.isalpha, cell)) and "%" not in cell and len(cell) < 4
    return _NUMBER.fullmatch(inner) is not None or _NIL.fullmatch(inner) is not None


def is_year(cell: str) -> bool:
    """Whether a cell is a bare year."""
    return _YEAR.fullmatch(_unmarked(cell)) is not None


def _unmarked(cell: str) -> str:
    """A cell without the marks of notes at its end."""
    cell = cell.strip()
    if cell[-1:] not in _MARK_ENDS:
        return cell
    return cell[:-_LONGEST_MARKS] + _MARKS.sub("", cell[-_LONGEST_MARKS:])


@lru_cache(maxsize=4096)
def is_measured(cell: str) -> bool:
    """Whether a cell is a figure, or figures with their spread or range: "32.9 (8.8)", "<0.001", "24 [13-35]"."""
    if is_figure(cell):
        return True
    digits, letters = sum(map(str.isdigit, cell)), sum(map(str.isalpha, cell))
    return digits > letters and _MEASURED.match(cell.strip()) is not None and _SPREAD.search(cell) is not None


@lru_cache(maxsize=4096)
def worth(cell: str) -> float | None:
    """The number of a cell with its sign, 0 for a dash, None where it has none."""
    inner = bare(cell)
    match = _NUMBER.fullmatch(inner)
    if match is None:
        return 0.0 if inner and _NIL.fullmatch(inner) and not any(map(str.isalpha, inner)) else None
    number = _plain(match["digits"])
    negative = match["open"] == "(" or match["minus"] in tuple("-–—−") or inner.startswith(("(-", "(−"))
    return -number if negative else number


def _plain(digits: str) -> float:
    """The value of digits whose separators are told by their places."""
    if digits.isascii() and digits.isdigit():
        return float(digits)
    if _THIRDS.fullmatch(digits) and not (digits.startswith("0") and digits.count(".") == 1):
        separator = next(char for char in digits if not char.isdigit())
        # One point before three digits is a decimal point in English tables, a comma before them parts thousands.
        return float(digits) if separator == "." and digits.count(".") == 1 else float(re.sub(r"\D", "", digits))
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return float(re.sub(r"\D", "", digits))
    return float(re.sub(r"\D", "", digits[:last] or "0") + "." + re.sub(r"\D", "", digits[last + 1 :]))
