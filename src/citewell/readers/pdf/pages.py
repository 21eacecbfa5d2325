"""PDF to Document: text in reading order, page map, rectangles on demand, without running headers and footers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from citewell.document import Document
from citewell.errors import CorruptDocumentError, EmptyDocumentError, EncryptedDocumentError, ScannedDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.headlines import ITEM
from citewell.readers.ocr import AUTO, Tesseract, engine_for, without
from citewell.readers.pdf.blocks import make_blocks
from citewell.readers.pdf.chars import PageChars, blank_page, read_page
from citewell.readers.pdf.furniture import strip_furniture
from citewell.readers.pdf.grids import grids
from citewell.readers.pdf.layout import page_rows
from citewell.readers.pdf.locate import PdfLocator
from citewell.readers.pdf.margins import LineNumbers
from citewell.readers.pdf.outline import Bookmark, bookmarks
from citewell.readers.pdf.protos import Proto
from citewell.readers.pdf.scans import NOTHING, ranges, read_scans
from citewell.readers.pdf.text import Runs, write
from citewell.readers.pdf.visible import LAYER
from citewell.readers.titles import filing, names_nothing
from citewell.text.headings import CAPTION
from citewell.types import Block, Locator, Page
from citewell.types.pdfium import LOCK

_COMPANY = re.compile(r".{2,60}\b(?:Inc|Corp|Co|Ltd|S\.A|N\.V|L\.P)\.", re.IGNORECASE)  # no heading otherwise ends so
_NEXT_LINE = 1.5  # of the size: lines of one title stand no further apart
_UNREADABLE = re.compile("[\ufffd\ue000-\uefff\uf100-\uf8ff\x00]")
_NO_PAGES = re.compile(rb"/Type\s*/Pages\b[^>]{0,200}/Count\s+0\b|/Count\s+0\b[^>]{0,200}/Type\s*/Pages\b")


def read_pdf(
    data: bytes,
    source: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    budget: Budget = DEFAULT,
    ocr: str = AUTO,
) -> Document:
    """Read a PDF; its pages without a text layer by OCR.

    Args:
        data: the file's bytes; the document keeps them to find rectangles.
        source: the path or name to show.
        progress: called with (pages done, pages in all).
        budget: the limits beyond which it is refused.
        ocr: the languages of its scanned pages, as Tesseract names them; `auto` is English where Tesseract is there,
            `off` leaves such pages without text.

    Raises:
        EncryptedDocumentError: a password is needed.
        CorruptDocumentError: pdfium cannot open it.
        EmptyDocumentError: there is no page in it, or no text that can be seen.
        TooLargeDocumentError: it is beyond the budget.
        ScannedDocumentError: no page has a text layer, and OCR is not there or finds no words.
        UsageError: `ocr` names languages that Tesseract does not have.
    """
    name = source or "the PDF"
    allowance = Allowance(budget, len(data), name)
    with LOCK:
        pages, bad, title, outline = _read_pages(data, allowance, progress)
    bare = [page.number for page in pages if not len(page.words) and page.number not in bad]
    engine = engine_for(ocr) if bare else None
    scans = read_scans(data, bare, engine, allowance, progress) if engine else NOTHING
    unseen = _unseen(pages)
    pages = [scans.pages.get(page.number, page) for page in pages]
    empty = [number for number in bare if number not in scans.pages]
    warnings = [f"page {number} is damaged and was skipped" for number in bad]
    if len(empty) + len(bad) == len(pages):
        _no_text(name, pages, bad, unseen, _why(engine, ocr, scans.warnings))
    if empty:
        warnings.append(_empty_warning(empty, len(pages), _why(engine, ocr, ())))
    warnings += [*scans.warnings, *_garbage(pages), *unseen]
    return compose(pages, source, title, warnings, lambda runs: PdfLocator(data, runs, read=scans.boxes), outline)


def compose(
    pages: Sequence[PageChars],
    source: str | None,
    title: str,
    warnings: Sequence[str],
    locator: Callable[[Runs], Locator],
    outline: Sequence[Bookmark] = (),
) -> Document:
    """The document of pages whose words are known; `title` is that of the metadata, `outline` the file's bookmarks.

    Raises EmptyDocumentError: there are only running headers and page numbers.
    """
    laid = [page_rows(page) for page in pages]
    rows = [page.rows for page in laid]
    furniture = strip_furniture(rows, [page.height for page in pages])
    protos = make_blocks([row for page in rows for row in page], outline)
    text, blocks, runs, cells = write(protos, [page.text for page in pages])
    if not text.strip():
        raise EmptyDocumentError(f"{source or 'the document'} has no text besides running headers and page numbers")
    starts = _page_starts(runs, len(pages), len(text))
    composed = tuple(
        Page(
            page.number,
            starts[i],
            starts[i + 1],
            round(page.width, 3),
            round(page.height, 3),
            (*furniture[i], *laid[i].aside, *page.margin),
        )
        for i, page in enumerate(pages)
    )
    return Document(
        text,
        title=_title(title, protos, text, blocks),
        source=source,
        blocks=blocks,
        pages=composed,
        warnings=tuple(warnings),
        locator=locator(runs),
        grids=grids(protos, cells, text),
    )


def _read_pages(
    data: bytes, allowance: Allowance, progress: Callable[[int, int], None] | None
) -> tuple[list[PageChars], list[int], str, tuple[Bookmark, ...]]:
    """The characters of every page, the numbers of damaged pages, the metadata's title, the bookmarks."""
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    name = allowance.what
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = raw.FPDF_GetLastError()
        # The last error may be that of a document before.
        if b"/Encrypt" in data and (code == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower()):
            raise EncryptedDocumentError(
                f"{name} is encrypted: save a copy without a password and read that"
            ) from error
        if b"/Encrypt" in data and "security" in str(error).lower():
            raise EncryptedDocumentError(f"{name} is encrypted in a way that cannot be opened") from error
        if _NO_PAGES.search(data):
            raise EmptyDocumentError(f"{name} has no pages") from error
        raise CorruptDocumentError(f"{name} is truncated or damaged: it cannot be opened as a PDF") from error
    pages: list[PageChars] = []
    bad: list[int] = []
    try:
        total = len(pdf)
        if not total:
            raise EmptyDocumentError(f"{name} has no pages")
        allowance.pages(total)
        characters = 0
        title = str(pdf.get_metadata_value("Title") or "")
        outline = bookmarks(pdf)
        beside = LineNumbers()
        for number in range(1, total + 1):
            try:
                pages.append(_page(pdf, number, beside))
            except pdfium.PdfiumError:
                bad.append(number)
                pages.append(blank_page(number, 0.0, 0.0, ""))
            characters += len(pages[-1].text)
            allowance.written(characters)
            if progress:
                progress(number, total)
        if beside.counts_on and 1 not in bad:
            pages[0] = _page(pdf, 1, beside)  # its line numbers are known by those of the page behind it
    finally:
        pdf.close()
    return pages, bad, title, outline


def _page(pdf: Any, number: int, beside: LineNumbers) -> PageChars:
    page = pdf[number - 1]
    try:
        return read_page(page, number, beside)
    finally:
        page.close()


def _why(engine: Tesseract | None, ocr: str, remarks: Sequence[str]) -> str:
    """Why pages have no words, or what gives them some."""
    if engine is None:
        return without(ocr)
    return "OCR finds no words there" + (f" ({'; '.join(remarks)})" if remarks else "")


def _no_text(name: str, read: Sequence[PageChars], bad: Sequence[int], unseen: Sequence[str], why: str) -> NoReturn:
    total = len(read)
    if unseen:
        raise EmptyDocumentError(f"{name} has no text that can be seen: {'; '.join(unseen)}")
    if len(bad) == total:
        raise CorruptDocumentError(f"{name} is damaged: none of its {total} pages can be opened")
    pages = "its one page has no" if total == 1 else f"none of its {total} pages has"
    raise ScannedDocumentError(f"{name} has no text layer ({pages} text): {why}")


def _empty_warning(numbers: Sequence[int], total: int, why: str) -> str:
    single = len(numbers) == 1
    which = f"(page{'' if single else 's'} {ranges(numbers)})"
    have = "has" if single else "have"
    return f"{len(numbers)} of {total} pages {have} no text layer and cannot be cited {which}: {why}"


def _garbage(pages: Sequence[PageChars]) -> list[str]:
    """A warning for pages whose fonts do not say which letters they draw."""
    bad = [
        page.number for page in pages if len(page.words) and len(_UNREADABLE.findall(page.text)) * 5 > len(page.text)
    ]
    if not bad:
        return []
    which = f"page{'' if len(bad) == 1 else 's'} {ranges(bad)}"
    return [f"the text of {which} is unreadable: its fonts do not name their letters"]


def _unseen(pages: Sequence[PageChars]) -> list[str]:
    """Warnings about words that nobody sees, and about text that only stands behind a picture."""
    warnings: list[str] = []
    for reason in sorted({reason for page in pages for reason in page.unseen}):
        where = [page for page in pages if reason in page.unseen]
        words = sum(page.unseen[reason] for page in where)
        which = f"page{'s' * (len(where) > 1)} {ranges([page.number for page in where])}"
        if reason == LAYER:
            warnings.append(
                f"the text of {which} is an invisible layer over pictures, as OCR makes it ({words:,} words): "
                "what the pictures show may differ"
            )
        else:
            warnings.append(f"hidden text was left out: {words:,} word{'s' * (words != 1)} {reason} ({which})")
    return warnings


def _page_starts(runs: Runs, total: int, length: int) -> list[int]:
    """Where each page's text starts, and the end of the last."""
    pages, starts = runs.page.tolist(), runs.start.tolist()
    offsets = [starts[bisect_left(pages, number)] if number <= pages[-1] else length for number in range(2, total + 1)]
    return [0, *offsets, length]


def _title(metadata: str, protos: Sequence[Proto], text: str, blocks: Sequence[Block]) -> str | None:
    """The name of a filing, else the metadata's title where it is one, else the largest heading of the first page."""
    if named := filing(text):
        return named
    metadata = " ".join(metadata.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").split())
    if not names_nothing(metadata):
        return metadata
    headings = [
        (-round(proto.size, 1), index)
        for index, (proto, block) in enumerate(zip(protos, blocks, strict=True))
        if (proto.kind == "heading" or _COMPANY.fullmatch(proto.rows[0].text))
        and proto.rows[0].page == protos[0].rows[0].page  # a heading further on names a section
        and block.end - block.start > 3
        and not ITEM.match(proto.rows[0].text)
        and not text[block.start].islower()
        and not names_nothing(text[block.start : block.end])
        and not CAPTION.match(text, block.start)
    ]
    if not headings:
        return None
    first = last = min(headings)[1]
    while last + 1 < len(protos) and _goes_on(protos[last], protos[last + 1]):
        last += 1
    return " ".join(text[blocks[first].start : blocks[last].end].split())


def _goes_on(proto: Proto, after: Proto) -> bool:
    """Whether a heading is the next line of the one before it: a title that is centred in several lines."""
    above, below = proto.rows[-1], after.rows[0]
    return (
        after.kind == "heading"
        and (below.page, below.flow, round(after.size, 1)) == (above.page, above.flow, round(proto.size, 1))
        and below.weight == above.weight
        and 0 < below.y1 - above.y1 < _NEXT_LINE * above.size
    )
