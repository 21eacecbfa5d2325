"""What a document is called: the title that its reader took, or the line of its first page that names what it is.

title(bylaws)     # Particular("BY-LAWS OF THE TOWN OF ELMHURST", Span(22, 53)), not its first section
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.prose.statements import is_statement
from citewell.text.headings import COMMON_HEADING
from citewell.types import Block, Span

COVER = 4_000  # characters
_TOP = 12  # blocks above the text
_LONGEST, _SHORT = 160, 60  # characters of a title, and of a first line that is one
_PRINTED = 0.7  # share of the words of a title that a cover has
_SPEAKING = 3  # words of a line that says what a document is, where a heading is there too
CALLED = re.compile(  # what a document is, in its title
    r"\b(?:agreements?|contract|addendum|lease|policy|policies|handbook|manual|guides?|guidelines?|reports?|by-?laws?|"
    r"directive|specification|minutes|ordinance|charter|code of \w+|terms and conditions|user guide)\b",
    re.IGNORECASE,
)
_GENUS = re.compile(r"(?:news|press|media|earnings) release", re.IGNORECASE)  # what follows is the title
_NO_TITLE = re.compile(  # of a part that many documents have
    r"(?:table of )?contents|disclaimer|purpose|agenda|foreword|notice|between\b.*|note\W?\d\w*:.*",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:version|revision) history|document control|(?:our )?(?:mission|vision)(?: statement)?|"
    r"(?:board )?members(?:hip)?|officers|(?:zoom|video|web|tele)\W?(?:tele)?conference",
    re.IGNORECASE,
)
_BODY = re.compile(  # who issued a document, in capital letters and nothing else
    r"(?:the )?(?:[A-Z][\w.’'&-]*,? |(?i:of|and|for|the|&) )*"
    r"(?i:department|society|association|university|company|foundation|"
    r"committee|council|club|church|district|authority|agency|ministry|institute|bureau|commission|corporation|security|"
    r"inc\.?|ltd\.?|llc|plc|gmbh|city|town|county|village)(?: of(?: the)?(?: [A-Z][\w.’'&-]*| of){1,5})?"
)
_FILE = re.compile(r"\S+\.[A-Za-z]{2,5}|[\w.]+-\d{6,}")
_LETTERS = re.compile(r"(?:\b[^\W\d_] ){3}")  # set apart: "F i n a n c i a l"
_CUT = re.compile(r"[,;]$|\b(?:a|an|and|as at|from|of|or|the)$", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?!\d*[-/]\d)")
_MANY = 2  # parts of one name
_PROGRAM = re.compile(
    r"^Microsoft (?:Word|PowerPoint|Excel) - | - Google (?:Docs|Slides|Sheets)$|\.(?:docx?|pdf|rtf|odt)$"
)  # what prints a file adds
_TITLE = re.compile(r"title:\s+(\S.+)", re.IGNORECASE | re.DOTALL)
_LABELLED = re.compile(r"[A-Z][\w ]{1,24}: ?\S|.*(?:https?:|www\.|@\w)")


class Particular(NamedTuple):
    """What is known of a document, and where it says so; None where its metadata do, or its cover in other words."""

    text: str
    at: Span | None = None


def title(document: Document) -> Particular | None:
    """The title, with its place where it stands in the text; made once."""
    return document.memo("title", lambda: _title(document))


def cover(document: Document) -> tuple[Block, ...]:
    """The lines above the first text of a document."""
    return tuple(_cover(document))


def _title(document: Document) -> Particular | None:
    known, lines = _known(document), [block for block in _top(document) if _may_name(document, block)]
    heads = {block.start for block in document.blocks if block.kind == "heading"}
    headed = known is not None and known.at is not None and known.at.start in heads
    printed = known is not None and (known.at is not None or _is_printed(document, known.text))
    for block in cover(document):
        if (known is None or headed) and (label := _TITLE.match(document.text, block.start, block.end)):
            return Particular(" ".join(label[1].split()), Span(*label.span(1)))
    if known is not None and not headed and printed and not _GENUS.fullmatch(known.text):
        return known  # of the metadata, or of a filing
    if known is not None and _GENUS.fullmatch(known.text):
        begins = known.at.end if known.at else 0
        return next((_named(document, block) for block in lines if block.start >= begins), known)
    if known is not None and CALLED.search(known.text):
        return known
    for block in lines:
        line = _named(document, block)
        if CALLED.search(line.text) and (known is None or len(line.text.split()) >= _SPEAKING):
            return line
    if running := _running(document):
        return Particular(running)
    in_cover = known is not None and known.at is not None and known.at.start in {b.start for b in cover(document)}
    if known is not None and in_cover:
        return known
    if not lines or not _is_first(document, lines[0]):
        return None
    above = (_plain(document, block) for block in _top(document) if block.start < lines[0].start)
    skipped = any(_is_of_less(document, text) for text in (document.title or "", *above))
    return None if skipped else _named(document, lines[0])  # the line behind such a one is no better


def _known(document: Document) -> Particular | None:
    """The title that the reader took, unless it names a part that many documents have."""
    text = _PROGRAM.sub("", document.title or "")
    if not text or text.startswith("(") or text.endswith(":") or _NO_TITLE.fullmatch(text):
        return None  # "Summary:" leads to what stands below it
    if COMMON_HEADING.fullmatch(text) or _is_foreign(document, text) or _is_of_less(document, text):
        return None
    at = document.text.find(text, 0, COVER)
    if at >= 0:
        return Particular(text, Span(at, at + len(text)))
    broken = next((b for b in document.blocks[:_TOP] if _plain(document, b) == text), None)  # over several lines
    return Particular(text, Span(broken.start, broken.end) if broken else None)


def _is_of_less(document: Document, text: str) -> bool:
    """Whether a line names less than a document: who issued it, a file, one of its parts, or half of a line."""
    issuer = bool(document.pages) and _BODY.fullmatch(text) is not None and not CALLED.search(text)
    return issuer or any(
        (
            _PART.fullmatch(text),
            _FILE.fullmatch(text),
            _LETTERS.search(text),
            _CUT.search(text),
            _is_part(document, text),
        )
    )


def _is_foreign(document: Document, text: str) -> bool:
    """Whether a line is in another script than the text below it."""
    latin, above = sum(char < "\u0250" for char in text if char.isalpha()), document.text[:COVER]
    return 2 * latin < sum(map(str.isalpha, text)) and 2 * sum(map(str.isascii, above)) > len(above)


def _is_part(document: Document, text: str) -> bool:
    """Whether the heading that has a title heads one part of several: "Week 1" above "Week 2", a policy of many.

    A heading further on than the first pages is one, too.
    """
    headings = [block for block in document.blocks if block.kind == "heading"]
    here = next((block for block in headings if _plain(document, block) == text), None)
    if here is None:
        return False
    others = [(_plain(document, block), block.level) for block in headings if block is not here]
    numbered = {other for other, _ in others if _NUMBER.sub("", other) == _NUMBER.sub("", text)} - {text}
    sort = CALLED.search(text)
    alike = [
        other for other, level in others if sort and level <= here.level and other.lower().endswith(sort[0].lower())
    ]
    return len(numbered) >= _MANY or len(set(alike) - {text}) > _MANY or here.start > COVER


def _top(document: Document) -> tuple[Block, ...]:
    """The lines above the text; of a first page with a heading, those of that page."""
    lines = cover(document)
    end = document.pages[1].start if len(document.pages) > 1 else len(document.text)
    first = tuple(block for block in lines if block.start < end)
    return first if any(block.kind == "heading" for block in first) else lines


def _is_printed(document: Document, text: str) -> bool:
    """Whether most words of a file's title stand on its first pages; else it may be the name of a draft."""
    if not document.pages:
        return True
    terms = re.findall(r"\w+", text.casefold())
    above = set(re.findall(r"\w+", document.text[:COVER].casefold()))
    return len(terms) > 1 and sum(term in above for term in terms) >= _PRINTED * len(terms)


def _cover(document: Document) -> Iterator[Block]:
    for block in islice(document.blocks, _TOP):
        text = _plain(document, block)
        if (len(text) > _LONGEST and block.kind != "heading") or re.fullmatch(
            r"(?:table of )?contents", text, re.IGNORECASE
        ):
            return
        if block.kind != "heading" and text.endswith((".", ";")) and is_statement(text):
            return
        yield block


def _may_name(document: Document, block: Block) -> bool:
    """Whether a line may be a title: no row, no item, no label with its value, no address."""
    text = _plain(document, block)
    return (
        block.kind in ("heading", "paragraph")
        and len(text) > 3
        and (text[0].isalnum() or text[0] in '#"“‘')
        and not text.endswith((".", ",", ";", ":"))
        and any(map(str.isalpha, text))
        and not COMMON_HEADING.fullmatch(text)
        and not _NO_TITLE.fullmatch(text)
        and not _is_foreign(document, text)
        and not _is_of_less(document, text)
        and (block.kind == "heading" or not _LABELLED.match(text))
    )


def _is_first(document: Document, block: Block) -> bool:
    """Whether a line without a better one is the title: a heading, or the first line, on a page a short one."""
    text = _plain(document, block)
    short = len(text) <= _SHORT or not document.pages or _is_capitalised(text)
    begins = next((each.start for each in document.blocks[:_TOP] if not _plain(document, each).endswith(":")), -1)
    return block.kind == "heading" or (block.start == begins and short and not text[0].islower())


def _is_capitalised(text: str) -> bool:
    """Whether a line is set as titles are: all its longer words begin with capitals."""
    return all(word[:1].isupper() for word in re.findall(r"[^\W\d_]{5,}", text))


def _running(document: Document) -> str | None:
    """What stands above or below the text of the first pages and says what the document is."""
    pages = [set(page.furniture) for page in document.pages[:3]]
    lines = [line for line in document.pages[0].furniture if len(pages) > 1 and line in pages[1]] if pages else []
    called = (line for line in lines if CALLED.search(line) and len(line.split()) >= _SPEAKING and "|" not in line)
    return next((" ".join(line.split()) for line in called if len(line) <= _SHORT), None)


def _named(document: Document, block: Block) -> Particular:
    return Particular(_plain(document, block), Span(block.start, block.end))


def _plain(document: Document, block: Block) -> str:
    return " ".join(document.text[block.start : block.end].split())
