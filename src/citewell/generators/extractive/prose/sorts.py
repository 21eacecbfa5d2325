"""The kind of a document: by its title, otherwise by the weighted wording of its first pages."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import Any, cast

from citewell.document import Document
from citewell.generators.extractive.prose.titles import cover, title
from citewell.text.data import read_json
from citewell.types.overview import DocumentKind

OF_COMPANIES: tuple[DocumentKind, ...] = ("annual report", "quarterly report", "current report", "press release")
REPORTING: tuple[DocumentKind, ...] = (*OF_COMPANIES, "report")
PACKAGE = "citewell.generators.extractive.prose"
_FIRST = 15_000  # characters in which a kind shows
_HEAD = 1_500  # characters that say what a policy is on
_LINES = 4  # above the first sentence
_LABEL = re.compile(r"\W{0,3}(?:licen[cs]e|copyright|status|version|tags)\b[^:\n]{0,20}:", re.IGNORECASE)
_LINE = 100  # characters of a line that is no sentence, at most
# Wordings of a kind that a text has at least; one of them stands in other kinds too.
_LEAST = {"report": 2, "minutes": 2, "paper": 2, "speech": 2, "bylaws": 2}
_PRIVACY = re.compile(r"\b(?:privacy|personal (?:information|data)|cookies?)\b", re.IGNORECASE)


@lru_cache(maxsize=512)
def table(name: str) -> Any:
    """A table of `kinds.json`."""
    return read_json(PACKAGE, "kinds.json")[name]


@lru_cache(maxsize=512)
def pattern(text: str) -> re.Pattern[str]:
    """A pattern of the tables, compiled once."""
    return re.compile(text, re.IGNORECASE)


def kind_of(document: Document) -> DocumentKind:
    """The kind of a document: that of its title, else the one with most different wordings on its first pages."""
    return document.memo("kind", lambda: _kind_of(document))


def _kind_of(document: Document) -> DocumentKind:
    headings = (document.text[block.start : block.end] for block in document.blocks if block.kind == "heading")
    first = "\n".join((document.text[:_FIRST], *headings))
    head = _head(document)
    for name, cues in table("kinds").items():
        if pattern(cues["title"]).search(head):
            return cast("DocumentKind", name)
    counts = {
        name: len({match[0].lower() for match in pattern(cues["text"]).finditer(first)})
        + ("sure" in cues and bool(pattern(cues["sure"]).search(first))) * _LEAST.get(name, 1)
        for name, cues in table("kinds").items()
    }
    counts = {name: count if count >= _LEAST.get(name, 1) else 0 for name, count in counts.items()}
    best = max(counts, key=lambda name: counts[name])  # the first of equals: the table is in order
    return cast("DocumentKind", best if counts[best] else "text")


def genre(document: Document) -> str:
    """The kind of a document by which its points and questions are listed: a policy on privacy has its own."""
    kind = kind_of(document)
    head = f"{document.title or ''}\n{document.text[:_HEAD]}"
    return "privacy policy" if kind == "policy" and _PRIVACY.search(head) else kind


def _head(document: Document) -> str:
    """The title, and the lines above the first sentence: what a document calls itself. A label is no title."""
    named = title(document)
    lines = (document.text[block.start : block.end] for block in cover(document)[:_LINES])
    short = takewhile(lambda line: len(line) < _LINE and not line.rstrip().endswith((".", ",", ";")), lines)
    above = (line for line in short if not _LABEL.match(line))
    return "\n".join(filter(None, (document.title, named.text if named else "", *above)))
