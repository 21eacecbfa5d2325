"""Whether a line can be quoted as an answer: it states something, or gives the value of what its label names.

A heading, a caption, the names of columns, an entry of contents, a line of code and a piece of a sentence do neither.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.prose.statements import has_clause
from citewell.generators.extractive.scoring import only
from citewell.text.index import Floats
from citewell.text.times import FULL_MONTH
from citewell.types import Segment

_ENDS = re.compile(r"[.!:;…][\"'”’)\]*\d]{0,4}$|[。！]$")
_ASKS = re.compile(r"(?:[^.!?？]*+[?？])++\W*+$")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|chart|exhibit|plate|box) ?\d[\w.]*(?: \([^()]{1,40}\))?\s?[:.|–—-]", re.IGNORECASE
)
_LEADER = re.compile(r"\.{4}|(?:\. ){4}")  # from an entry of contents to its page
_ENTRY = re.compile(r"\d[\d.]*\s(?:\| )?[^|]*\| \d{1,3}$")  # of contents in a table: "4. | Duties | 4"
LABELLED = re.compile(r"\W{0,4}(?P<label>[^\W\d_][\w /&()’'.-]{1,48}?)\**:\**\s+(?P<value>\S.*)", re.DOTALL)
_DONE = re.compile(r"\W*[A-Z]\w+(?:ed|en|de|pt) (?:by|for|in|on|at|to) \S")  # "Operated by Transdev", a label too
_DAY = re.compile(rf"\b\d{{1,2}}\w* {FULL_MONTH}|{FULL_MONTH} \d", re.IGNORECASE)
_REFERENCES = re.compile(
    r"\W*(?:[\divx]{1,4}[.)]?\s+)?(?:list of )?(?:references?|bibliography|works cited|literature(?: cited)?)\W*",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://\S+")
_FIGURE = re.compile(r"\d")
_BLANKS = re.compile(r"_{3}.*_{3}")  # a form that nobody filled in


def quotable_first(reading: Reading, ranked: Floats) -> Floats:
    """The candidates' log odds without those that state nothing: headings, captions, names of columns, pieces."""
    if reading.question.kind in FIGURES and reading.where.rows[reading.candidates[int(np.argmax(ranked))]]:
        return ranked  # the rows of statements are read cell by cell
    heads = reading.where.heads()
    segments = ((number, reading.sentences.segments[number]) for number in reading.candidates.tolist())
    use = np.array([quotable(segment, heads=bool(heads[number])) for number, segment in segments], dtype=bool)
    return only(ranked, use) if use.any() else ranked


def quotable(segment: Segment, *, heads: bool = False) -> bool:
    """Whether a segment may be quoted as an answer; `heads` is whether it is the row that names columns of others."""
    if _is_reference(segment):
        return False
    if segment.kind == "table_row":
        return not (heads and segment.text.count(" | ") > 1) and _is_fact(" ".join(segment.text.split()))
    if segment.kind == "heading" and not _DAY.search(segment.text):
        return False
    return _is_quotable(segment.text, code=segment.kind == "code")


def is_apparatus(segment: Segment) -> bool:
    """Whether a line leads to something else: an entry of contents or of a list of references, a line of code."""
    line = " ".join(segment.text.split())
    return segment.kind == "code" or bool(_LEADER.search(line) or _ENTRY.match(line)) or _is_reference(segment)


def _is_reference(segment: Segment) -> bool:
    """Whether a line stands in a list of references."""
    return any(_REFERENCES.fullmatch(heading) for heading in segment.path)


def _is_fact(row: str) -> bool:
    """Whether a row says something of what it is a row of: no entry of contents, not only a label."""
    return " | " in row and not _ENTRY.match(row) and not _LEADER.search(row)


@lru_cache(maxsize=8192)
def _is_quotable(text: str, *, code: bool) -> bool:
    line = " ".join(text.split())
    labelled = LABELLED.match(line) or _DONE.match(line)
    links = _LINK.findall(line)
    if len(links) > 1 and not has_clause(_LINK.sub("it", line)):
        return False
    if _LEADER.search(line) or _ASKS.match(line) or _BLANKS.search(line) or (code and not labelled):
        return False
    if _CAPTION.match(line):
        return has_clause(_CAPTION.sub("", line, count=1).strip())
    # A line of a form or a list has no mark at its end, but a figure or a label; a piece of a page has neither.
    return bool(labelled or _ENDS.search(line) or _FIGURE.search(line)) or has_clause(line)
