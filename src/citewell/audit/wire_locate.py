"""Locates another system's citation in our text by its words, without trusting its offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from citewell.audit.claims import Claim
from citewell.document import Document
from citewell.text import quotes
from citewell.types import Citation, Span

# File names that say nothing of what is in the file.
_COMMON = frozenset(("index", "default", "download", "view", "document", "file", "main", "home"))


_SITE = re.compile(r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}", re.IGNORECASE)
_ENDING = re.compile(r"\.\w{1,5}\Z")
_TEXTS = (".txt", ".md", ".markdown")


class Located(NamedTuple):
    """A claim and what became of it.

    `citation` is its place in a document, None where there is none: then `problem` says why, or the claim names a whole
    `document` only. `remark` tells what was corrected.
    """

    claim: Claim
    document: Document | None = None
    citation: Citation | None = None
    problem: str | None = None
    remark: str | None = None

    def at(self, claim: Claim) -> Located:
        """The same place for another statement, as another claim that names it gives it."""
        cited = self.citation
        citation = cited and replace(cited, answer_start=claim.answer_start, answer_end=claim.answer_end)
        return self._replace(claim=claim, citation=citation)

    @property
    def exists(self) -> bool:
        """Whether what it names is there."""
        return self.problem is None


def locate(claim: Claim, documents: Sequence[Document], method: str) -> Located:
    """Find a claim's place."""
    if claim.problem:
        return Located(claim, problem=claim.problem)
    named = _named(claim, documents)
    if not named:
        name = claim.address or claim.document
        return Located(claim, problem=f"it names the document {name!r}, which was not given")
    if missing := _missing_page(claim, named[0]):
        return Located(claim, named[0], problem=missing)
    if all(_is_name(quote, claim, named[0]) for quote in claim.quotes):
        return _whole(claim, named[0], method)
    for document in named:
        for quote in claim.quotes:
            span = _find(document, quote, claim.start)
            if span:
                start, end = span
                remark = None
                if claim.start is not None and claim.start != start:
                    remark = f"the quote stands at {start}, not at {claim.start}"
                if claim.pages and (page := document.page_at(start)) and not claim.pages[0] <= page <= claim.pages[1]:
                    remark = f"the quote stands on page {page}, not on page {claim.pages[0]}"
                return Located(claim, document, _citation(claim, document, start, end, method), remark=remark)
    quote_shown = " ".join(claim.quotes[0].split())[:80]
    return Located(claim, named[0], problem=f"its words are not in the document: “{quote_shown}”")


def _named(claim: Claim, documents: Sequence[Document]) -> list[Document]:
    """The documents that a claim may mean; all where it names none."""
    if claim.address is not None:
        return [document for document in documents if _lies_at(document, claim.address) or _called(claim, document)]
    if claim.document is None:
        return list(documents)
    if isinstance(claim.document, int) and not isinstance(claim.document, bool):
        return [documents[claim.document]] if 0 <= claim.document < len(documents) else []
    wanted = _name(str(claim.document))
    matches = [
        document
        for document in documents
        if wanted in {_name(document.title or ""), _name(document.source or ""), document.id, _name(document.id)}
    ]
    if not matches and _SITE.fullmatch(str(claim.document)):  # behind a redirect a source is called by its site
        matches = [document for document in documents if _site(document) == str(claim.document).lower()]
        matches = matches if len(matches) == 1 else []
    # A service knows a document by a name of its own; with one document given there is nothing to confuse.
    return matches or (list(documents) if len(documents) == 1 or claim.quotes else [])


def _is_name(quote: str, claim: Claim, document: Document) -> bool:
    """Whether what stands for words is only what the document is called, as in many a list of sources."""
    names = {_name(document.title or ""), _name(document.source or "")} - {""}
    return quote.strip() == claim.document and _name(quote) in names


def _called(claim: Claim, document: Document) -> bool:
    """Whether a claim that gives an address calls the document by its title or its file's name."""
    names = {(document.title or "").casefold(), _file(document.source or "").casefold()} - {""}
    return isinstance(claim.document, str) and claim.document.strip().casefold() in names


def _lies_at(document: Document, address: str) -> bool:
    """Whether a document is what lies at a web address: read from there, or from a file of that name.

    A file of text may have been made from one of another kind, whose ending it has not.
    """
    source = document.source or ""
    if "://" in source:
        return _address(source) == _address(address)
    file, name = _file(source).casefold(), _file(address).casefold()
    stem, kind = _name(file), _ENDING.search(name)
    same = name in (file, stem) or (kind is not None and file.endswith(_TEXTS) and stem == _name(name))
    return same and bool(stem) and stem not in _COMMON


def _address(address: str) -> str:
    """A web address without what does not tell pages apart."""
    rest = address.split("://", 1)[-1].split("#", 1)[0]
    host, _, path = rest.partition("/")
    return f"{host.lower().removeprefix('www.')}/{unquote(path).rstrip('/')}"


def _site(document: Document) -> str:
    """The site that a document was read from; empty for a file."""
    source = document.source or ""
    return _address(source).partition("/")[0] if "://" in source else ""


def _file(path: str) -> str:
    """The last part of a path or an address."""
    plain = re.split(r"[?#]", path, maxsplit=1)[0] if "://" in path else path
    return unquote(re.split(r"[\\/]", plain.strip().rstrip("/"))[-1])


def _missing_page(claim: Claim, document: Document) -> str | None:
    """What is wrong with the pages that a claim names, where the document has pages and lacks them."""
    last = max((page.number for page in document.pages), default=None)
    if not claim.pages or last is None or 1 <= claim.pages[0] <= claim.pages[1] <= last:
        return None
    wrong = claim.pages[0] if not 1 <= claim.pages[0] <= last else claim.pages[1]
    return f"it names page {wrong}, and the document has {last} page{'s' * (last != 1)}"


def _name(text: str) -> str:
    """A title or file name without folders, ending and case."""
    last = re.split(r"[\\/]", text.strip().rstrip("/"))[-1]
    return _ENDING.sub("", last).casefold().strip()


def _whole(claim: Claim, document: Document, method: str) -> Located:
    """A claim without words: pages, or the document as such."""
    if not claim.pages:
        return Located(claim, document)
    pages = [
        page for page in document.pages if claim.pages[0] <= page.number <= claim.pages[1] and page.end > page.start
    ]
    if not pages:
        return Located(claim, document, problem=f"the document has no page {claim.pages[0]}")
    return Located(claim, document, _citation(claim, document, pages[0].start, pages[-1].end, method))


def _find(document: Document, quote: str, start: int | None) -> tuple[int, int] | None:
    """The quote's place: at its offset, else nearest to it."""
    wanted = quote.strip()
    lead = len(quote) - len(quote.lstrip())
    if wanted and start is not None and start >= 0 and document.text.startswith(wanted, start + lead):
        return start + lead, start + lead + len(wanted)
    compact = document.memo("compact", lambda: quotes.letters(document.text))
    return quotes.find(document.text, compact, quote, start or 0)


def _citation(claim: Claim, document: Document, start: int, end: int, method: str) -> Citation:
    inside = document.segment_at(start)
    is_single = end <= inside.end
    cited = document.cite(
        Span(start, end),
        inside.id if is_single else inside.id.partition(".")[0],
        Span(claim.answer_start, claim.answer_end),
        granularity="sentence" if is_single else "paragraph",
        method=method,
    )
    return document.placed(cited)
