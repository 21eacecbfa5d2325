"""Lines that may be headings: whether their words read like one, and how prominent they are set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

ITEM = re.compile(r"(?:(?P<part>PART|Part)\s+[IVX]+\b|(?:ITEM|Item)\s+\d{1,2}[A-C]?\b)")
_NUMBER = re.compile(
    r"(?:(?:section|chapter|part|item)\s+)?(?:[A-Z]?\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.:)]?\s+", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"(?P<n>\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+[^\W\d_a-z]|(?P<a>[A-Z](?:\.\d{1,2}){1,3}|[IVX]{1,5}\.)\s+[A-Z]"
)
# What a report prints behind its last item, in which it does not stand.
BEHIND = re.compile(
    r"signatures?|exhibits?\b|index to\b|(?:consolidated )?(?:financial statements|statements? of|balance sheets?)|"
    r"reports? of (?:independent|management)|management['’]s (?:report|responsibility)|article\b|notes to\b",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"[A-Z]\. [A-Z]")
FORMULA = re.compile(
    r"[=←→↦⇒≤≥≠≈⊢⊆∈×÷±∑∏∫√∀∃∧∨|{}<>;⟨⟩λµσΓΔΣ\\^]|::|/s/|,\s+in\s+(?:thousands|millions|billions)$|https?:|www\.|@\w|\w\(\)"
)
TIME = re.compile(
    r"(?:(?:as\s+of|at|for\s+the|dated?:?|years?(?:\s+ended)?|fiscal|(?:three|six|nine|twelve)\s+months(?:\s+ended)?|quarters?\s+ended|\(?unaudited\)?)\s*+)*+"
    r"(?:(?:jan(?:uary)?|feb(?:r(?:uary)?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?\s*+)?[\d\s,/–-]*+(?:and)?",
    re.IGNORECASE,
)
KNOWN = re.compile(
    r"(?:abstract|summary|introduction|background|(?:patients|materials|data|subjects)(?:,| and) methods|methods?|"
    r"results|(?:results and )?discussion|conclusions?(?: and [\w ]+)?|references|bibliography|acknowledge?ments?|"
    r"appendix|related work|contents|table of contents|keywords)",
    re.IGNORECASE,
)
_NAME = 5  # letters of a name in capitals
LONGEST_TITLE = 260  # characters of a document's title
_LONG = 140  # of a heading
_LABEL = 50  # characters of a title with a stop behind it
_STEPS = 20  # of the size of a document's text
_LETTERS = 0.6  # of the signs of a heading
PAGE_NAME = re.compile(r"[A-Z]{1,2}[-–.][A-Z\d]{1,3}|[\divxlc]+|page \d+", re.IGNORECASE)


class Style(NamedTuple):
    """How prominent a heading is set: greater is more prominent."""

    size: int
    bold: bool
    capitals: bool
    weight: int


def style_of(text: str, size: float, *, bold: bool, italic: bool) -> Style:
    """How prominent a text is set that is `size` times as large as most of its document."""
    # "COVID-19" and "BERT" are names, not titles set in capitals.
    capitals = text.isupper() and (" " in text or (text.isalpha() and len(text) > _NAME))
    steps = round(_STEPS * size)
    return Style(steps if abs(steps - _STEPS) > 1 else _STEPS, bold, capitals, -int(italic))


@dataclass(slots=True)
class Line:
    """A line that may be a heading: its place among the blocks, and what its words and looks say."""

    place: int
    text: str
    style: Style
    one_row: bool = True
    depth: int = 0
    item: re.Match[str] | None = field(init=False)
    numbered: re.Match[str] | None = field(init=False)
    lettered: bool = field(init=False)

    def __post_init__(self) -> None:
        self.item, self.numbered = ITEM.match(self.text), _NUMBERED.match(self.text)
        self.lettered = self.one_row and _LETTERED.match(self.text) is not None

    def reads_like_heading(self) -> bool:
        """Whether a text reads like a heading: no formula, date, address, sentence or page."""
        text = self.text
        known = self.item or self.numbered
        if len(text) > _LONG:
            return False
        if text[-1] in ".,;:" and not (self.item and self.style.bold) and not self._labels():
            return False
        if not text[0].isalnum() and text[0] not in "\"“'‘¿¡":
            return False
        letters = sum(map(str.isalpha, text))
        if letters < 3 or letters < _LETTERS * len(text.replace(" ", "")) - (4 if known else 0):
            return False
        words = text.split()
        if len(words) > 3 and sum(len(word) == 1 and word.isalpha() for word in words) * 3 > len(words):
            return False
        bare = unnumbered(text) if self.numbered else text
        return not (FORMULA.search(text) or TIME.fullmatch(text) or PAGE_NAME.fullmatch(bare))

    def _labels(self) -> bool:
        """Whether a line with a stop is a short title all the same: "Objective:", "4.1 Results."."""
        text = self.text
        marked = text[-1] == ":" or (text[-1] == "." and self.numbered is not None)
        return marked and self.style.bold and len(text) < _LABEL and ". " not in text[4:]


def unnumbered(text: str) -> str:
    """A title without the number before it."""
    return _NUMBER.sub("", text, count=1)
