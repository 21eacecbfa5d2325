"""A PDF's own description of its sections: its bookmarks, and the lines of its printed table of contents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from citewell.readers.headlines import unnumbered
from citewell.readers.pdf.rows import Row

MOST = 5_000
"""So many bookmarks are read; more are no help to anybody."""
LEAST = 4
"""So many lines in a row that end in page numbers are a table of contents."""
DEEPEST = 8
"""Levels of bookmarks that are read."""

_MARKS = re.compile(r"[\W_]+")
_PAGE = re.compile(r"(?<=[\s.·…|])(?:\d{1,4}|[ivxl]{1,6}|[A-Z]-\d{1,3})\Z")
_LETTER = re.compile(r"[^\W\d_]")
_LEADING = re.compile(r"[\s.·…|]*+")
_LEADERS = ("....", ". . . . ", "……", " | ")
_NAMES = re.compile(r"(?:part|item|chapter|section|note)\s+[\dIVX]", re.IGNORECASE)


class Bookmark(NamedTuple):
    """An entry of a PDF's outline: what it says, how deep it stands (0 the outermost), the page that it opens."""

    title: str
    depth: int
    page: int


def bookmarks(pdf: Any) -> tuple[Bookmark, ...]:
    """The outline of a pypdfium2 document, empty where it has none or a broken one."""
    from pypdfium2 import PdfiumError

    result: list[Bookmark] = []
    with suppress(PdfiumError, UnicodeDecodeError):
        for item in islice(pdf.get_toc(max_depth=DEEPEST), MOST):
            opened = item.get_dest()
            page = opened.get_index() if opened else None
            if page is not None:
                result.append(Bookmark(" ".join(item.get_title().split()), item.level, page + 1))
    return tuple(result)


def named(text: str) -> str:
    """A title's letters and digits: bookmarks, contents and headings differ in blanks, dots and capitals."""
    return _MARKS.sub("", text).casefold()


class Announced:
    """The titles of the sections that a document announces, by bookmarks or in its table of contents."""

    def __init__(self, outline: Sequence[Bookmark], rows: Sequence[Row]) -> None:
        self._marks: dict[int, dict[str, int]] = defaultdict(dict)
        for mark in outline:
            if name := named(mark.title):
                self._marks[mark.page].setdefault(name, mark.depth + 1)
        self._contents, self._lines = _contents(rows)

    def depth(self, page: int, text: str) -> int:
        """How deep the bookmark stands that names a text on this page, from 1; 0 where none does."""
        marks = self._marks.get(page)
        if not marks:
            return 0
        return marks.get(named(text)) or marks.get(named(unnumbered(text))) or 0

    def marks(self, page: int) -> bool:
        """Whether a bookmark opens this page."""
        return page in self._marks

    def listed(self, text: str) -> bool:
        """Whether the table of contents has a line that says the same."""
        return bool(self._contents) and (named(text) in self._contents or named(unnumbered(text)) in self._contents)

    def lists(self, row: Row) -> bool:
        """Whether a row is a line of the table of contents."""
        return id(row) in self._lines


def _contents(rows: Sequence[Row]) -> tuple[frozenset[str], frozenset[int]]:
    """The titles in the table of contents, and its rows by identity: runs of lines whose page numbers rise."""
    titles: set[str] = set()
    lines: set[int] = set()
    run: list[tuple[Row, str]] = []
    last, since = 0, 0

    def close() -> None:
        if len(run) >= LEAST:
            for row, title in run:
                lines.add(id(row))
                titles.update((named(title), named(unnumbered(title))))
        run.clear()

    for row in rows:
        text = row.text
        entry = _entry(text) if any(sign in text for sign in _LEADERS) or _NAMES.match(text) else None
        if entry is None:
            since += 1
            if since > 2:
                close()
                last = 0
            continue
        title, number = entry
        page = int(number) if number.isdecimal() else last
        if page < last:
            close()
        run.append((row, title.strip(" .·…|")))
        last, since = page, 0
    close()
    return frozenset(title for title in titles if len(title) > 2), frozenset(lines)


def _entry(line: str) -> tuple[str, str] | None:
    """The title and the page of an entry of a table of contents: what parts them is two signs or a blank."""
    page = _PAGE.search(line)
    if page is None:
        return None
    before = line[: page.start()]
    leading = _LEADING.match(before[::-1])
    size = leading.end() if leading else 0
    title = before[: len(before) - size]
    return (title, page[0]) if _LETTER.search(title) and (size > 1 or before[-1].isspace()) else None
