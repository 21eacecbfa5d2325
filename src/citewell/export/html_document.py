"""A document as HTML for the report: headings, paragraphs, lists and tables, marked evidence, page numbers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from citewell.document import Document
from citewell.export.html_text import escape, pieces
from citewell.export.view import View, one_line
from citewell.text.spans import last_before, touched
from citewell.types import Block, Citation, Grid, Page, Slot, Span

CELL = " | "  # how readers part the cells of a table row
CHUNK = 24  # blocks that the browser lays out together; chunks out of sight cost nothing
_FIGURE = re.compile(r"[-–−+(]?\s*+(?:[$€£¥]\s*+)?\d[\d.,\s]*+[%)]?")


def document_html(view: View, number: int) -> str:
    """The document as an article."""
    document = view.documents[number]
    writer = _Writer(document, view)
    chunks = "\n".join(f'<div class="chunk">{body}</div>' for body in writer.chunks())
    name = view.title(document.id)
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

    def __init__(self, document: Document, view: View) -> None:
        self.document = document
        blocks = document.blocks
        self.spans: dict[int, list[tuple[int, int, int]]] = {}
        self.pages: dict[int, list[Page]] = {}
        self.first = dict[int, int]()
        self.starts = [block.start for block in blocks]
        self.cells_at = sorted(slot.start for grid in document.grids for slot in grid.slots)
        self.exact = dict[int, Span]()  # where the cells, and the short answer, stand that are cited
        # Reasons are numbered on after the citations.
        evidence = [*view.answer.citations, *(reason.evidence for _, reason in view.reasons())]
        self.cited, self.folded = len(view.answer.citations), view.folded
        short = view.answer.value.citations if view.answer.value else ()
        for index, place in enumerate(evidence):
            if place is None or place.document_id != document.id:
                continue
            for position in touched(blocks, place):
                self.spans.setdefault(position, []).append((place.start, place.end, index))
                self.first.setdefault(index, max(place.start, blocks[position].start))
            cell = place.cell if isinstance(place, Citation) else None
            if cell is None:
                if index in short and isinstance(place, Citation) and place.granularity == "window":
                    self.exact[index] = Span(place.start, place.end)
                continue
            self.exact[index] = Span(place.start, place.end)
            for header in cell.headers:
                for position in touched(blocks, header):
                    self.spans.setdefault(position, []).append((*header, index))
        for page in document.pages:
            position = bisect_right(blocks, page.start, key=lambda block: block.end)
            if position < len(blocks):
                self.pages.setdefault(position, []).append(page)

    def chunks(self) -> Iterator[str]:
        """The body in parts; a table or a list is never cut in two."""
        parts: list[str] = []
        count = 0
        for kind, group in groupby(enumerate(self.document.blocks), key=self.grouping):
            numbered = list(group)
            parts.append(self.grid(kind, numbered) if isinstance(kind, Grid) else self.group(kind, numbered))
            count += len(numbered)
            if count >= CHUNK:
                yield "\n".join(parts)
                parts, count = [], 0
        if parts:
            yield "\n".join(parts)

    def grouping(self, numbered: tuple[int, Block]) -> Grid | str:
        """Blocks of one table belong together, lines between its rows too, and neighbouring rows or list items."""
        position, block = numbered
        grids = self.document.grids
        number = bisect_right(grids, block.start, key=lambda grid: grid.end)
        if number < len(grids) and grids[number].start < block.end and grids[number].slots:
            return grids[number]
        return block.kind if block.kind in ("table_row", "list_item") else f"{block.kind} {position}"

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
            rendered = []
            lacking = wide - len(cells)
            ahead = lacking > 0 and self.is_figure(*cells[0])
            for column, (start, end) in enumerate(cells, lacking if ahead else 0):
                figure = ' class="figure"' if column in figures else ""
                rendered.append(f'<td{figure} dir="auto">{self.inline(position, start, end)}</td>')
            empty = [f'<td colspan="{lacking}"></td>'] if lacking else []
            lines.append(f"<tr>{''.join([*empty, *rendered] if ahead else [*rendered, *empty])}</tr>")
        return f'<div class="scroll"><table>{"".join(lines)}</table></div>'

    def grid(self, grid: Grid, numbered: Sequence[tuple[int, Block]]) -> str:
        """A table whose reader told rows and columns: empty cells in their places, a single cell over all columns."""
        by_row: dict[int, list[Slot]] = {}
        for slot in grid.slots:
            by_row.setdefault(slot.row, []).append(slot)
        figures = {
            column
            for column in range(grid.columns)
            if 2 * sum(self.is_figure(slot.start, slot.end) for slot in grid.slots if slot.column == column)
            >= max(1, sum(slot.column == column for slot in grid.slots) - max(0, grid.heads))
        }
        taken = set[tuple[int, int]]()
        lines = list[tuple[int, str]]()
        for row, slots in sorted(by_row.items()):
            column, rendered = 0, list[str]()
            for slot in sorted(slots, key=lambda slot: slot.column):
                rendered += ["<td></td>" for empty in range(column, slot.column) if (row, empty) not in taken]
                alone = len(slots) == 1 and not self.is_figure(slot.start, slot.end)
                across = grid.columns - slot.column if alone else max(1, slot.columns)
                column = slot.column + across
                taken |= {(row + down, slot.column + right) for down in range(slot.rows) for right in range(across)}
                rendered.append(self.slot(slot, across, figure=slot.column in figures and not alone))
            rendered += ["<td></td>" for empty in range(column, grid.columns) if (row, empty) not in taken]
            head = ' class="head"' if row < grid.heads else ""
            lines.append((min(slot.start for slot in slots), f"<tr{head}>{''.join(rendered)}</tr>"))
        starts = sorted(slot.start for slot in grid.slots)
        for position, block in numbered:
            first = bisect_left(starts, block.start)
            if first == len(starts) or starts[first] >= block.end:  # a line that is in no cell
                body = self.inline(position, block.start, block.end)
                lines.append((block.start, f'<tr><td colspan="{grid.columns}" dir="auto">{body}</td></tr>'))
        return f'<div class="scroll"><table class="grid">{"".join(line for _, line in sorted(lines))}</table></div>'

    def slot(self, slot: Slot, across: int, *, figure: bool) -> str:
        """One cell with its text, and what of its block stands in no cell behind it."""
        position = last_before(self.starts, slot.start)
        block = self.document.blocks[position]
        number = bisect_right(self.cells_at, slot.start)
        end = min(block.end, self.cells_at[number]) if number < len(self.cells_at) else block.end
        rest = self.document.text[slot.end : end]
        end = slot.start + len(self.document.text[slot.start : end].rstrip(" |\n")) if rest.strip(" |\n") else slot.end
        spans = f' colspan="{across}"' if across > 1 else ""
        spans += f' rowspan="{slot.rows}"' if slot.rows > 1 else ""
        words = "" if self.is_figure(slot.start, slot.end) else " words"
        kind = f' class="figure{words}"' if figure else ""
        return f'<td{kind}{spans} dir="auto">{self.inline(position, slot.start, end)}</td>'

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
            begun = [index for index in inside if self.first[index] == left and index < self.cited]
            parts += [
                f'<span id="c{index}"></span>'
                if index in self.folded
                else f'<button type="button" class="ref" id="c{index}" data-c="{index}" '
                f'aria-label="evidence {index + 1}: show the statements that rest on it">{index + 1}</button>'
                for index in begun
            ]
            body = escape(text[left:right])
            cited = " ".join(str(index) for index in inside if index < self.cited)
            differs = " ".join(str(index - self.cited) for index in inside if index >= self.cited)
            body = f'<span class="fault" data-r="{differs}">{body}</span>' if differs else body
            cell = any(at.start <= left and right <= at.end for at in map(self.exact.get, inside) if at)
            kind = ' class="cell"' if cell else ""
            parts.append(f'<mark{kind} data-c="{cited}">{body}</mark>' if cited else body)
        return "".join(parts)


def _element(block: Block, body: str) -> str:
    if block.kind == "heading":
        level = min(6, max(1, block.level) + 2)
        return f'<h{level} dir="auto">{body}</h{level}>'
    if block.kind == "code":
        return f"<pre>{body}</pre>"
    name = "caption" if block.kind == "caption" else "paragraph"
    return f'<p class="{name}" dir="auto">{body}</p>'
