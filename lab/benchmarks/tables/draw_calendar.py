"""Draw what is read of a report's tables over its pages: the calendar, and each figure's period, scope, scale and unit.

    python lab/benchmarks/tables/draw_calendar.py REPORT.pdf --out report.html [--tables 6]

The report's own statements, and other tables drawn by a seed. A figure is framed by its fiscal year; the
frame tells the rest under the pointer, and the table below the page lists it, so that a person can check it by eye.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2

import citewell
from citewell import Document
from citewell.generators.extractive.cells.coverage import cell_period
from citewell.generators.extractive.cells.rows import Index, index
from citewell.types import Cell, Table

SEED = 27
ZOOM = 1.5
COLOURS = ("#1b6e3c", "#1f4e9c", "#9c4a1f", "#6b1f9c", "#7a7a1a")
STYLE = (
    "body{font:14px sans-serif;margin:2em}figure{position:relative;display:inline-block;margin:0}"
    "figure i{position:absolute;border:2px solid;opacity:.8}table{border-collapse:collapse}td,th{border:1px solid #bbb;"
    "padding:2px 6px;text-align:left}img{display:block}"
)


def chosen(document: Document, known: Index, most: int) -> list[int]:
    """The numbers of a report's own statements, and of other tables drawn by a seed."""
    own = [number for number, about in enumerate(known.about) if about.primary]
    rest = [number for number, table in enumerate(known.tables) if number not in own and any(table.values())]
    return own + random.Random(SEED).sample(rest, min(most, len(rest)))  # a sample, no secret


def rows(document: Document, known: Index, number: int) -> Iterator[tuple[Cell, tuple[str, ...]]]:
    """The figures of a table with what is read of each: page, label, header, figure, period, year, scope, scale."""
    table = known.tables[number]
    for cell in table.values():
        if cell.value is None:
            continue
        period = cell_period(table, cell)
        year = "none" if cell.year is None else str(cell.year)
        length = period.words or ("a moment" if period.ending or table.kind == "balance" else "the year")
        scope = "whole" if known.about[number].primary else " › ".join(cell.row_path[:-1]) or table.title
        cells = (" › ".join(cell.row_path), " › ".join(cell.column_path), cell.text, length, year, scope)
        yield cell, (str(document.page_at(cell.start)), *cells, f"{cell.scale:,}", cell.unit)


def picture(pdf: pypdfium2.PdfDocument, page: int) -> str:
    """A page as an image that stands in the HTML itself."""
    buffer = io.BytesIO()
    pdf[page - 1].render(scale=ZOOM).to_pil().save(buffer, format="PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def drawn(document: Document, pdf: pypdfium2.PdfDocument, known: Index, numbers: Sequence[int]) -> Iterator[str]:
    """The HTML of each table: its page with frames, and the list of its figures."""
    for number in numbers:
        table = known.tables[number]
        page = document.page_at(table.start)
        listed = list(rows(document, known, number))
        if page is None or not listed:
            continue
        years = sorted({cell.year for cell, _ in listed if cell.year is not None}, reverse=True)
        yield f"<h2>Page {page}: {html.escape(table.title or 'no title')} ({table.kind or 'no statement'})</h2><figure>"
        yield f'<img alt="page {page}" src="data:image/png;base64,{picture(pdf, page)}">'
        for cell, parts in listed:
            colour = COLOURS[years.index(cell.year) % len(COLOURS)] if cell.year in years else "#777"
            hint = html.escape(" | ".join(parts))
            yield from (
                frame(rect, colour, hint) for rect in document.locate(cell.start, cell.end) if rect.page == page
            )
        yield "</figure>" + listing(table, [parts for _, parts in listed])


def frame(rect: citewell.Rect, colour: str, hint: str) -> str:
    """A frame around a figure of a page."""
    left, top = rect.x0 * ZOOM, rect.y0 * ZOOM
    size = f"width:{(rect.x1 - rect.x0) * ZOOM:.0f}px;height:{(rect.y1 - rect.y0) * ZOOM:.0f}px"
    return f'<i title="{hint}" style="left:{left:.0f}px;top:{top:.0f}px;{size};color:{colour}"></i>'


def listing(table: Table, listed: Sequence[Sequence[str]]) -> str:
    """The figures of a table as rows."""
    heads = ("page", "row", "header", "figure", "length", "fiscal year", "scope", "scale", "unit")
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(part)}</td>' for part in parts)}</tr>" for parts in listed)
    over = "".join(f"<th>{head}</th>" for head in heads)
    return f"<table><caption>{html.escape(table.title)}</caption><tr>{over}</tr>{body}</table>"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=6, help="how many tables beside the report's own statements")
    options = parser.parse_args()
    document = citewell.read(options.report)
    known, pdf = index(document), pypdfium2.PdfDocument(options.report)
    ends = ", ".join(
        f"{end.year}-{end.month:02}-{end.day:02} is fiscal {known.years.name(end)}" for end in known.years.ends
    )
    stated = known.years.stated
    quote = f" “{document.text[stated.start : stated.end]}”, page {document.page_at(stated.start)}" if stated else ""
    calendar = f"Years end in month {known.years.month}{', by weeks' if known.years.by_weeks else ''}: {ends}.{quote}"
    parts = "".join(drawn(document, pdf, known, chosen(document, known, options.tables)))
    page = (
        f'<!doctype html><meta charset="utf-8"><title>{html.escape(document.title or "")}</title><style>{STYLE}</style>'
    )
    options.out.write_text(f"{page}<h1>Calendar</h1><p>{html.escape(calendar)}</p>{parts}", encoding="utf-8")


if __name__ == "__main__":
    main()
