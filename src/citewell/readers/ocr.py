"""The words of pictures through the program Tesseract, each with its box and Tesseract's confidence."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from citewell.errors import UsageError
from citewell.readers.budget import Allowance
from citewell.readers.markup import parse_xml
from citewell.readers.pdf.boxes import Floats
from citewell.readers.pdf.chars import PageChars, blank_page

if TYPE_CHECKING:
    from lxml.etree import _Element

INSTALL = "pip install 'citewell[ocr]' and install Tesseract (Debian: apt-get install tesseract-ocr)"
"""What must be done before pictures can be read."""

SECONDS = 120
"""So long may Tesseract work on one page; full pages take about five."""

_LANGUAGES = re.compile(r"[A-Za-z_]{2,20}(?:/[A-Za-z_]{2,20})?(?:\+[A-Za-z_]{2,20}(?:/[A-Za-z_]{2,20})?)*")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BOX = re.compile(r"\bbbox (\d+) (\d+) (\d+) (\d+)")
_BASELINE = re.compile(rf"\bbaseline {_NUMBER} {_NUMBER}")
_DETAIL = re.compile(rf"\b(x_size|x_descenders|x_wconf|textangle) {_NUMBER}")


AUTO = "auto"
"""English where Tesseract is there, else nothing."""
OFF = "off"


class Word(NamedTuple):
    """A word: its text, the box of its ink, the box of its line's font, how sure Tesseract is (0 to 100)."""

    text: str
    ink: tuple[float, float, float, float]
    box: tuple[float, float, float, float]
    confidence: float
    line: int
    turn: int


class Recognised(NamedTuple):
    """What was read of a page, and the boxes of its characters in points."""

    page: PageChars
    boxes: Floats
    confidence: float


class UnreadPageError(Exception):
    """Tesseract could not read a page; the text says why."""


@cache
def installed() -> bool:
    """Whether pictures can be read here."""
    return shutil.which("tesseract") is not None and find_spec("PIL") is not None


@dataclass(frozen=True, slots=True)
class Tesseract:
    """Tesseract, for these languages by its own names: `eng`, `deu+fra`."""

    languages: str = "eng"

    def __post_init__(self) -> None:
        if not _LANGUAGES.fullmatch(self.languages):
            raise UsageError(f"OCR: {self.languages!r} names no languages: write eng, or eng+deu")
        if not installed():
            raise UsageError(f"OCR is not there: {INSTALL}")
        known = _known()
        for language in self.languages.split("+"):
            if known and language not in known:
                raise UsageError(
                    f"Tesseract has no language {language!r} (it has {', '.join(sorted(known))}): "
                    f"install it (Debian: apt-get install tesseract-ocr-{language.lower().replace('_', '-')})"
                )

    def read(
        self, greys: Any, number: int, scale: float, allowance: Allowance, size: tuple[float, float] | None = None
    ) -> Recognised:
        """Read a page that is given as greys, row by row, of which `scale` make a point; `size` is that of the page.

        Raises UnreadPageError: Tesseract took too long, or failed.
        """
        high, wide = greys.shape
        size = size or (wide / scale, high / scale)
        if not greys.size or int(greys.min()) == int(greys.max()):
            return Recognised(blank_page(number, *size, ""), np.zeros((0, 4)), 0.0)
        words = _words(self._run(greys, round(scale * 72)), allowance)
        return _page(words, number, size, scale)

    def _run(self, greys: Any, dpi: int) -> bytes:
        from PIL import Image

        # Orientation is told where the data for that is there.
        mode = "1" if "osd" in _known() else "3"
        picture = io.BytesIO()
        Image.fromarray(greys).save(picture, "PPM")  # which costs no time to write; Tesseract reads it too
        command = ["tesseract", "stdin", "stdout", "-l", self.languages, "--psm", mode, "--dpi", str(dpi), "hocr"]
        try:
            done = subprocess.run(  # noqa: S603  (the languages are names, the rest is ours)
                command,
                input=picture.getvalue(),
                capture_output=True,
                timeout=SECONDS,
                check=False,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # the same result everywhere, and no core is fought over
            )
        except subprocess.TimeoutExpired as error:
            raise UnreadPageError(f"took more than {SECONDS} seconds") from error
        except OSError as error:
            raise UnreadPageError(f"cannot be started: {error}") from error
        if done.returncode:
            says = " ".join(done.stderr.decode("utf-8", "replace").split())[-200:]
            raise UnreadPageError(f"failed: {says or f'code {done.returncode}'}")
        return done.stdout


def engine_for(ocr: str) -> Tesseract | None:
    """Tesseract for languages, or as `auto` and `off` say; None where nothing is to be read.

    Raises UsageError: Tesseract is not there, or has no such language.
    """
    if ocr == OFF or (ocr == AUTO and not installed()):
        return None
    return Tesseract() if ocr == AUTO else Tesseract(ocr)


def without(ocr: str) -> str:
    """Why pictures are not read, and what to do about it."""
    return "OCR is off" if ocr == OFF else f"to read it by OCR, {INSTALL}"


@cache
def _known() -> frozenset[str]:
    """The languages that Tesseract has, none where it does not tell."""
    try:
        process = subprocess.run(
            ["tesseract", "--list-langs"],  # noqa: S607  (the one that the user installed)
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    lines = process.stdout.decode("utf-8", "replace").splitlines()
    return frozenset(line.strip() for line in lines if _LANGUAGES.fullmatch(line.strip()))


def _words(hocr: bytes, allowance: Allowance) -> list[Word]:
    root = parse_xml(hocr, Allowance(allowance.budget, len(hocr), allowance.what), [])
    words: list[Word] = []
    numbers: dict[_Element, int] = {}
    for element in root.iter("{*}span"):
        text = "".join("".join(element.itertext()).split()) if element.get("class") == "ocrx_word" else ""
        line = element.getparent()
        if text and line is not None:
            number = numbers.setdefault(line, len(numbers))
            word = _word(text, str(element.get("title")), str(line.get("title")), number)
            words += [word] if word else []
    return words


def _word(text: str, title: str, line: str, number: int) -> Word | None:
    ink, around = _BOX.search(title), _BOX.search(line)
    if ink is None or around is None:
        return None
    x0, y0, x1, y1 = map(float, ink.groups())
    if x1 <= x0 or y1 <= y0:
        return None
    details = {key: float(value) for key, value in _DETAIL.findall(line)}
    turn = round(details.get("textangle", 0.0) / 90) % 4
    left, top, right, bottom = map(float, around.groups())
    baseline = _BASELINE.search(line)
    size = details.get("x_size") or (bottom - top if turn % 2 == 0 else right - left)
    if turn % 2:
        middle = (left + right) / 2
        box = (middle - size / 2, y0, middle + size / 2, y1)
    elif baseline and not turn:
        low = (
            bottom + float(baseline[2]) + float(baseline[1]) * ((x0 + x1) / 2 - left) + details.get("x_descenders", 0.0)
        )
        box = (x0, low - size, x1, low)
    else:
        middle = (top + bottom) / 2
        box = (x0, middle - size / 2, x1, middle + size / 2)
    confidence = {key: float(value) for key, value in _DETAIL.findall(title)}.get("x_wconf", 0.0)
    return Word(text, (x0, y0, x1, y1), box, confidence, number, turn)


def _page(words: list[Word], number: int, size: tuple[float, float], scale: float) -> Recognised:
    """The words as the PDF reader has them from a text layer, with a box for each character."""
    if not words:
        return Recognised(blank_page(number, *size, ""), np.zeros((0, 4)), 0.0)
    text = ""
    spans: list[tuple[int, int]] = []
    boxes: list[Floats] = []
    turns: list[int] = []
    parts: list[str] = []
    length, before = 0, -1
    for word in words:
        gap = "" if before < 0 else " " if word.line == before else "\r\n"
        if word.line != before:
            turns.append(word.turn)
        parts += gap, word.text
        boxes += np.zeros((len(gap), 4)), _split(word)
        spans.append((length + len(gap), length + len(gap) + len(word.text)))
        length, before = spans[-1][1], word.line
    text = "".join(parts)
    line = np.cumsum([0, *(a.line != b.line for a, b in pairwise(words))])
    limit = np.tile(np.array(size), 2)
    page = PageChars(
        number,
        *size,
        text,
        np.array(spans, np.int64),
        np.clip(np.array([word.box for word in words]) / scale, 0.0, limit),
        np.asarray(line, np.int64),
        np.zeros(len(turns), np.bool_),
        np.array(turns, np.int64),
        np.zeros(len(turns), np.int64),
    )
    confidence = float(np.mean([word.confidence for word in words]))
    return Recognised(page, np.clip(np.concatenate(boxes) / scale, 0.0, limit), confidence)


def _split(word: Word) -> Floats:
    """A box for each character of a word: as if all were of one width."""
    x0, y0, x1, y1 = word.ink
    count = len(word.text)
    along = (x0, x1) if word.turn % 2 == 0 else (y0, y1)
    edges = np.linspace(*(along if word.turn in (0, 3) else along[::-1]), count + 1)
    low, high = np.minimum(edges[:-1], edges[1:]), np.maximum(edges[:-1], edges[1:])
    if word.turn % 2 == 0:
        return np.stack((low, np.full(count, y0), high, np.full(count, y1)), axis=1)
    return np.stack((np.full(count, x0), low, np.full(count, x1), high), axis=1)
