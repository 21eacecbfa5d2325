"""A document as HTML for the report: headings, paragraphs, lists and tables, evidence marked, pages in the margin."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from citewell.document import Document
from citewell.export.html_text import escape, pieces
from citewell.export.view import View, one_line
from citewell.text.spans import touched
from citewell.types import Block, Page

CELL = " | "  # how readers part the cells of a table row
CHUNK = 24  # blocks that the browser lays out together; chunks out of sight cost nothing
_FIGURE = re.compile(r"[-–−+(]?\s*[$€£¥]?\s*\d[\d.,\s]*\s*[%)]?")


def document_html(shown: View, number: int) -> str:
    """The document as an article."""
    document = shown.documents[number]
    writer = _Writer(document, shown)
    chunks = "\n".join(f'<div class="chunk">{body}</div>' for body in writer.chunks())
    name = shown.name(document)
    pages = len(document.pages)
    file = re.split(r"[\\/]", document.source)[-1] if document.source else ""
    facts = [one_line(file)] if file and file != name else []
    facts += [f"{pages} pages" if pages > 1 else "1 page"] if pages else []
    about = f'<p class="about">{escape(" · ".join(facts))}</p>' if facts else ""
    return (
        f'<article class="document" id="d{number}" aria-labelledby="t{number}"><header>'
        f'<h2 id="t{number}" dir="auto">{escape(name)}</h2>{about}</header>\n{chunks}</article>'
    )


class _Writer:
    """Goes through the blocks once, and puts marks and page numbers where they belong."""

    def __init__(self, document: Document, shown: View) -> None:
        self.document = document
        blocks = document.blocks
        self.spans: dict[int, list[tuple[int, int, int]]] = {}
        self.pages: dict[int, list[Page]] = {}
        self.first = dict[int, int]()
        # Reasons are numbered on after the citations.
        evidence = [*shown.answer.citations, *(reason.evidence for _, reason in shown.reasons())]
        self.cited = len(shown.answer.citations)
        for index, place in enumerate(evidence):
            if place is None or place.document_id != document.id:
                continue
            for position in touched(blocks, place):
                self.spans.setdefault(position, []).append((place.start, place.end, index))
                self.first.setdefault(index, max(place.start, blocks[position].start))
        for page in document.pages:
            position = bisect_right(blocks, page.start, key=lambda block: block.end)
            if position < len(blocks):
                self.pages.setdefault(position, []).append(page)

    def chunks(self) -> Iterator[str]:
        """The body in parts; a table or a list is never cut in two."""
        parts: list[str] = []
        count = 0
        for kind, group in groupby(enumerate(self.document.blocks), key=_grouping):
            numbered = list(group)
            parts.append(self.group(kind, numbered))
            count += len(numbered)
            if count >= CHUNK:
                yield "\n".join(parts)
                parts, count = [], 0
        if parts:
            yield "\n".join(parts)

    def group(self, kind: str, numbered: Sequence[tuple[int, Block]]) -> str:
        if kind == "table_row":
            return self.table(numbered)
        bodies = [(block, self.inline(position, block.start, block.end)) for position, block in numbered]
        if kind == "list_item":
            return f'<ul>{"".join(f"""<li dir="auto">{body}</li>""" for _, body in bodies)}</ul>'
        return "\n".join(_element(block, body) for block, body in bodies)

    def table(self, numbered: Sequence[tuple[int, Block]]) -> str:
        """Rows of cells. A row with fewer cells lacks those on the left if it begins with a figure, else the last."""
        rows = [(position, list(self.cells(block))) for position, block in numbered]
        wide = max(len(cells) for _, cells in rows)
        figures = self.figures([cells for _, cells in rows if len(cells) == wide], wide)
        lines = []
        for position, cells in rows:
            made = []
            lacking = wide - len(cells)
            ahead = lacking > 0 and self.is_figure(*cells[0])
            for column, (start, end) in enumerate(cells, lacking if ahead else 0):
                figure = ' class="figure"' if column in figures else ""
                made.append(f'<td{figure} dir="auto">{self.inline(position, start, end)}</td>')
            empty = [f'<td colspan="{lacking}"></td>'] if lacking else []
            lines.append(f"<tr>{''.join([*empty, *made] if ahead else [*made, *empty])}</tr>")
        return f'<div class="scroll"><table>{"".join(lines)}</table></div>'

    def is_figure(self, start: int, end: int) -> bool:
        """Whether a cell holds a number and nothing else."""
        return _FIGURE.fullmatch(self.document.text[start:end].strip()) is not None

    def figures(self, rows: Sequence[Sequence[tuple[int, int]]], wide: int) -> set[int]:
        """The columns that hold figures in at least half of the rows; they are set flush right, heads included."""
        return {
            column for column in range(wide) if 2 * sum(self.is_figure(*cells[column]) for cells in rows) >= len(rows)
        }

    def cells(self, block: Block) -> Iterator[tuple[int, int]]:
        """Where the cells of a row stand."""
        start = block.start
        for part in self.document.text[block.start : block.end].split(CELL):
            yield start, start + len(part)
            start += len(part) + len(CELL)

    def inline(self, position: int, start: int, end: int) -> str:
        """A range of a block's text with its marks; page numbers stand before the first word of their page."""
        spans, pages = self.spans.get(position, ()), self.pages.get(position, ())
        text = self.document.text
        if not spans and not pages:
            return escape(text[start:end])
        block = self.document.blocks[position]
        places = {max(page.start, block.start): page for page in pages}
        parts = []
        for left, right, inside in pieces(start, end, spans, places):
            if left in places:
                page = places[left].number
                parts.append(f'<span class="page" id="p{page}" role="note" aria-label="page {page}">{page}</span>')
            parts += [
                f'<button type="button" class="ref" id="c{index}" data-c="{index}" '
                f'aria-label="evidence {index + 1}: show the statements that rest on it">{index + 1}</button>'
                for index in inside
                if self.first[index] == left and index < self.cited
            ]
            body = escape(text[left:right])
            cited = " ".join(str(index) for index in inside if index < self.cited)
            differs = " ".join(str(index - self.cited) for index in inside if index >= self.cited)
            body = f'<span class="fault" data-r="{differs}">{body}</span>' if differs else body
            parts.append(f'<mark data-c="{cited}">{body}</mark>' if cited else body)
        return "".join(parts)


def _grouping(numbered: tuple[int, Block]) -> str:
    """Neighbouring rows make a table, neighbouring items a list; everything else stands alone."""
    position, block = numbered
    return block.kind if block.kind in ("table_row", "list_item") else f"{block.kind} {position}"


def _element(block: Block, body: str) -> str:
    if block.kind == "heading":
        level = min(6, max(1, block.level) + 2)
        return f'<h{level} dir="auto">{body}</h{level}>'
    if block.kind == "code":
        return f"<pre>{body}</pre>"
    name = "caption" if block.kind == "caption" else "paragraph"
    return f'<p class="{name}" dir="auto">{body}</p>'
