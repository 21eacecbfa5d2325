"""Converts grids to tables: each cell with paths, value, unit, scale and period, and the kind of the table.

tables(document.text, document.blocks, document.pages, document.grids)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from citewell.facts.calendar.fiscal import FiscalYears, fiscal_years
from citewell.facts.tables.captions import captions
from citewell.facts.tables.paths import (
    Heads,
    Section,
    below_parts,
    column_path,
    handed_down,
    header_rows,
    heads_over,
    lines,
    row_paths,
    stub,
)
from citewell.facts.tables.repeated import UsualScale, with_repeated_scale
from citewell.facts.tables.scales import Scale, exceptions, notes_scale, over_all, own_scale, table_scale
from citewell.facts.tables.sums import parts, proofs, sums
from citewell.facts.tables.times import dates_all, time_of, with_times_around
from citewell.facts.tables.units import CURRENCIES, currency_at_end, in_dollars_of, percents, units_of
from citewell.facts.tables.wording import called, kind_of, says, titles
from citewell.facts.units import lexicon, unit_at
from citewell.text.figures import is_measured, worth
from citewell.text.spans import cut, on_one_line
from citewell.types import Block, Cell, Grid, Page, Slot, Span, Table

_ABOVE = 5  # blocks above a table that may name it or say its scale
_SHORT = 80  # characters of a line that states the scale of the table below it, without a mark that leads to it
_WHOLE = 200_000  # places of a table: of a larger one empty cells and rows that a cell reaches over are left out
_LONG = 160  # characters of such a block, at most; a longer one counts only where its end leads over to the table
_UNIT = 12  # characters of a cell that says in what the figures beside it are
_MOST_EACH = 1_000  # a figure without decimals is no amount for a share
_MOST_PERCENT = 100  # without a sign of its own a larger figure is no percentage: a "gross margin" of 4,506
_MOST_SHARES = 1e12  # no company has so many: their number is in no scale
_FEW_ROWS = 6  # of rows that go on with a table below a label of their own
_ABOVE_ALL = -1000.0  # points: the indent of such a label
_SENTENCE = re.compile(r"(?<=[a-z0-9)]\.)\s+(?=[A-Z])")
_NAMING = ("heading", "caption")
_NOTES = re.compile(r"(?:notes?|anhang|anm\.)(?: no\.?| nos\.?| ref\.?| reference)?", re.IGNORECASE)
_EACH_PAGE = 3  # times that a line stands in a text, at least, that is the head or foot of its pages
_CODE = re.compile(r"\b(?:USD|EUR|GBP|JPY|CHF|CNY|INR|CAD|AUD|SEK|NOK|DKK)\b")

_SCALED = re.compile(
    r"\b(?:thousands|millions|billions) of\b|\b([A-Za-z]{3,12}) in (?:thousands|millions|billions)\b", re.IGNORECASE
)


class _Context(NamedTuple):
    """What stands around a table: its name and kind, and what it says of scale and currency, with the place."""

    title: str
    kind: str
    scale: int
    scale_at: Span | None
    currency: str
    shares_too: bool  # numbers of shares are in the scale as well
    years: FiscalYears  # how the document names its years
    exceptions: tuple[str, ...] = ()  # what the scale does not hold for: "except revenue per membership"
    dated: str = ""  # the line above that tells the time of all figures: "For the year ended December 31, 2021"


class _Column(NamedTuple):
    """What stands over a column: its path, where its headers are, and the scale that one of them states."""

    path: tuple[str, ...]
    headers: tuple[Span, ...]
    scale: Scale | None


_BARE = _Column((), (), None)


def tables(text: str, blocks: Sequence[Block], pages: Sequence[Page], grids: Sequence[Grid]) -> tuple[Table, ...]:
    """The tables of a document, in order; one without headers, or with the same, behind another goes on with it."""
    starts = [block.start for block in blocks]
    named, years = captions(text, blocks, grids), fiscal_years(text) if grids else FiscalYears()
    notes = notes_scale(text) if grids else None
    result: list[Table] = []
    before: tuple[Grid, Heads, _Context] | None = None
    sections: list[Section] = []
    usual = UsualScale()
    repeated = {line for line, count in Counter(text.split("\n") if grids else ()).items() if count >= _EACH_PAGE}
    for grid in grids:
        rows = lines(grid)
        marks = header_rows(grid, rows, text)
        heads = heads_over(grid, rows, marks, text)
        context = _context(text, blocks, starts, pages, grid, rows, marks, years)
        if notes and context.scale_at is None and context.currency and grid.start > notes[1].end:
            context = context._replace(scale=notes[0], scale_at=notes[1], exceptions=exceptions(notes[2]))
        if caption := named.get(grid.start):
            context = context._replace(title=on_one_line(text, caption))
        again = any(marks) and before is not None and _column_paths(heads[0], text) == _column_paths(before[1], text)
        wide = None if any(marks[:1]) or before is None else handed_down(before[0], before[1], grid, rows, text)
        if before and (again or wide) and _follows(before[0], grid, pages) and not _another(before[2], context):
            if wide:
                heads = [wide, *heads[1:]]
            inherited = before[2]
            section = _is_section(inherited, context)
            nearest = context if context.scale_at and context.scale_at.start >= before[0].end else inherited
            context = context._replace(
                title=inherited.title if section else context.title or inherited.title,
                kind=inherited.kind if section else context.kind or inherited.kind,
                scale=nearest.scale,
                scale_at=nearest.scale_at,
                currency=context.currency or inherited.currency,
            )
        elif grid.rows == 1 and not any(marks):  # the foot of a page, perhaps: a table goes on behind it
            result.append(_table(text, grid, rows, marks, heads, context, []))
            continue
        else:
            before = None
        figures = [abs(worth(cut(text, slot)) or 0.0) for row in rows for slot in row if slot.column]
        scale, scale_at = usual.scale((context.scale, context.scale_at), figures, money=bool(context.currency))
        context = context._replace(scale=scale, scale_at=scale_at)
        # With headers of its own a table on the same page is another one: the rows of neither belong to the other's.
        if before is None or (again and pages and _page(pages, grid.start) == _page(pages, before[0].start)):
            sections = []
        sections = [section for section in sections if section.indent != _ABOVE_ALL]
        if not any(marks) and before is not None:
            label = _label_before(text, blocks, starts, before[0], grid)
            if label and label not in repeated:
                sections = [Section(_ABOVE_ALL, label)]
        result.append(_table(text, grid, rows, marks, heads, context, sections))
        before = grid, heads[-1], context
    return in_dollars_of(text, with_repeated_scale(result))


def _label_before(text: str, blocks: Sequence[Block], starts: Sequence[int], before: Grid, grid: Grid) -> str:
    """The label that a reader left between a table and the few rows that go on with it: "Earnings per share:"."""
    place = bisect_right(starts, grid.start - 1) - 1
    if grid.rows > _FEW_ROWS or place < 0:
        return ""
    block = blocks[place]
    label = on_one_line(text, block)
    inside = block.start >= before.end and block.kind in ("paragraph", "heading") and "|" not in label
    return label.rstrip(":") if inside and label and len(label) <= _SHORT and not is_measured(label) else ""


def _column_paths(heads: Heads, text: str) -> list[tuple[str, ...]]:
    return [path for over in heads.over if (path := column_path(over, text))]


def _follows(before: Grid, grid: Grid, pages: Sequence[Page]) -> bool:
    """Whether a grid goes on with the one before it: on the same page or atop the next, with nothing between."""
    here, there = _page(pages, grid.start), _page(pages, before.end - 1)
    if here is None or there is None:
        return grid.start - before.end < _LONG
    if here.number == there.number:
        return grid.start - before.end < 3 * _LONG
    between = pages[there.number : here.number - 1]
    beside = here.number > there.number and all(page.start == page.end for page in between)
    return beside and grid.start - here.start < _LONG and there.end - before.end < _LONG


def _another(before: _Context, context: _Context) -> bool:
    """Whether a table has the name of a statement, and it is not that of the table before it."""
    if _is_section(before, context):
        return False
    return bool(context.kind) and context.kind != before.kind and bool(called([context.title]))


def _is_section(before: _Context, context: _Context) -> bool:
    """Whether a table is called by a section of the statement before it: "Liabilities and shareholders' equity:"."""
    section = context.title.endswith(":") or "liabilities and" in context.title.lower()
    return before.kind == "balance" and context.kind in ("equity", "balance", "") and section


def _page(pages: Sequence[Page], offset: int) -> Page | None:
    at = bisect_right([page.start for page in pages], offset) - 1
    return pages[at] if 0 <= at < len(pages) else None


def _context(
    text: str,
    blocks: Sequence[Block],
    starts: Sequence[int],
    pages: Sequence[Page],
    grid: Grid,
    rows: Sequence[Sequence[Slot]],
    marks: Sequence[bool],
    years: FiscalYears,
) -> _Context:
    first = max(0, bisect_right(starts, grid.start) - 1)
    page = _page(pages, grid.start)
    # A row alone above a table names it: "Balance sheet as at: | (Dollars in millions)".
    alone = first > 1 and blocks[first - 2].kind != "table_row"
    near = [
        block
        for number, block in enumerate(reversed(blocks[max(0, first - _ABOVE) : first]))
        if (block.kind != "table_row" or (alone and number == 0)) and (page is None or block.start >= page.start)
    ]
    short = [
        block
        for block in near
        if block.end - block.start <= _LONG and (block.kind in _NAMING or text[block.end - 1] != ".")
    ]
    inside = [Span(slot.start, slot.end) for row, head in zip(rows, marks, strict=True) if head for slot in row]
    labels = " \n ".join(cut(text, row[0]).lower() for row in rows if row)
    named = [Span(block.start, block.end) for block in short] + inside
    headed = [cut(text, b) for b in short if b.kind in _NAMING][:1]
    kind = called(headed)
    if kind in ("", "comprehensive"):
        kind = kind_of(headed if kind else [cut(text, span) for span in named], labels)
    title = next((Span(block.start, block.end) for block in short if block.kind in _NAMING), None)
    if title is None and near[:1] == short[:1] != [] and _is_name(on_one_line(text, near[0])):
        title = Span(near[0].start, near[0].end)
    if near and cut(text, near[0]).rstrip().endswith(":"):
        title = _last_sentence(text, near[0])  # what leads over to it: "Net sales by segment (in millions):"
    if kind:
        spans = [*(Span(block.start, block.end) for block in short), *inside]
        title = next((span for span in spans if titles()[kind].search(cut(text, span).lower())), title)
    lead = [Span(max(block.start, block.end - _LONG), block.end) for block in near]
    scale, scale_at, scale_text = table_scale(text, over_all(rows, marks, grid.columns, text), lead, page)
    money = "".join(cut(text, slot)[:4] for row in rows for slot in row if slot.column)
    return _Context(
        on_one_line(text, title) if title else "",
        kind,
        scale,
        scale_at,
        _currency(f"{money} {scale_text}", scale_text if scale_at else ""),
        not says("except_shares").search(scale_text.lower()),
        years,
        exceptions(scale_text) if scale_at else (),
        next((line for line in (cut(text, _last_sentence(text, block)) for block in near) if dates_all(line)), ""),
    )


def _is_name(line: str) -> bool:
    """Whether the line right above a table may name it: it is short, and no time or scale."""
    return len(line) <= _SHORT and line[:1] != "(" and not dates_all(line) and any(map(str.isalpha, line))


def _last_sentence(text: str, block: Block | Span) -> Span:
    begins = [match.end() for match in _SENTENCE.finditer(text, block.start, block.end)]
    return Span(begins[-1] if begins else block.start, block.end)


def _currency(signs: str, codes: str) -> str:
    """The currency that signs tell, else a code or a word beside the scale: "EUR thousand", "thousands of euros"."""
    code = _CODE.search(codes)
    named = currency_at_end(codes) or (code[0] if code else _currency_word(codes))
    return next((code for sign, code in CURRENCIES if sign in signs), named)


def _currency_word(scale: str) -> str:
    for match in _SCALED.finditer(scale):
        unit = lexicon().words.get(match[1].lower()) if match[1] else unit_at(scale, scale.lower(), match.end())[0]
        if unit is not None and unit.family == "money" and unit.factor == 1:  # no cents
            return unit.name
    return ""


def _table(
    text: str,
    grid: Grid,
    rows: Sequence[Sequence[Slot]],
    marks: Sequence[bool],
    heads: Sequence[Heads],
    context: _Context,
    sections: list[Section],
) -> Table:
    labels = stub(rows, marks, text)
    whole = grid.rows * grid.columns <= _WHOLE
    added = sums(rows, marks, text, labels) if whole else {}
    proven = proofs(rows, text, labels, added) if whole else {}
    paths = below_parts(row_paths(rows, marks, text, labels, sections, added), parts(rows, marks, text, labels))
    columns = [(block.first, [_column(over, text) for over in block.over]) for block in reversed(heads)]
    named = {units_of(column.path).currency for _, above in columns for column in above} - {""}
    if len(named) == 1 and not context.currency:
        context = context._replace(currency=named.pop())
    filled = {
        (row, column): slot
        for slot in grid.slots
        for row in range(slot.row, slot.row + (slot.rows if whole else 1))
        for column in range(slot.column, slot.column + slot.columns)
    }
    cells: list[Cell] = []
    signed = percents(filled, text, labels)
    at = grid.start
    for row in range(grid.rows):
        over = next(above for first, above in columns if first <= row) if not marks[row] else []
        path = paths.get(row, ())
        label = next(
            (slot for slot in reversed(rows[row][:labels]) if slot.column < labels), next(iter(rows[row]), None)
        )
        corner = over[0].path if over and labels else ()
        row_scale = own_scale(text, label) if label and not marks[row] else None
        here = context
        if measure := _measure(text, rows[row][1:]):  # a column of units
            row_scale, here = own_scale(text, measure), _in_currency(context, cut(text, measure))
        for column in range(grid.columns):
            slot = filled.get((row, column))
            above = over[column] if column < len(over) else _BARE
            if slot is None:
                if whole:
                    cells.append(Cell(row, column, 1, 1, at, at, "", "empty", path, above.path))
                continue
            at = slot.end
            if (slot.row, slot.column) != (row, column):
                continue
            place = (row, column, slot.rows, slot.columns, slot.start, slot.end, cut(text, slot))
            if marks[row]:
                cells.append(Cell(*place, "head"))
            elif above.path and _NOTES.fullmatch(above.path[-1]):
                cells.append(Cell(*place, "label", path))  # the number of a note, no figure
            elif column < labels and slot in rows[row][:labels] and grid.columns > 1:
                cells.append(Cell(*place, "label", path))
            elif label is None or slot is label:
                cells.append(_value(place, path, above, above.scale, context, corner))
            else:
                beside = above._replace(headers=(Span(label.start, label.end), *above.headers))
                stated = row_scale or above.scale
                known = proven.get((row, column)), (row, column) in signed
                cells.append(_value(place, path, beside, stated, here, corner, *known))
    whole_cells = with_times_around(cells, (context.title, context.dated), context.years)
    return Table(grid.start, grid.end, context.title, context.kind, grid.rows, grid.columns, whole_cells)


def _measure(text: str, row: Sequence[Slot]) -> Slot | None:
    """The cell of a row that says in what its figures are: "$m"."""
    words = (slot for slot in row if slot.end - slot.start <= _UNIT and not is_measured(cut(text, slot)))
    return next((slot for slot in words if own_scale(text, slot)), None)


def _in_currency(context: _Context, label: str) -> _Context:
    return context._replace(currency=currency_at_end(label) or context.currency)


def _column(over: Sequence[Slot], text: str) -> _Column:
    scale = next(filter(None, (own_scale(text, slot) for slot in over)), None)
    return _Column(column_path(over, text), tuple(Span(slot.start, slot.end) for slot in over), scale)


def _value(
    place: tuple[int, int, int, int, int, int, str],
    row_path: tuple[str, ...],
    above: _Column,
    stated: Scale | None,
    context: _Context,
    corner: tuple[str, ...],
    adds_up: bool | None = None,
    is_percent: bool = False,
) -> Cell:
    text = place[-1]
    value = worth(text)
    label, head = units_of(row_path), units_of(above.path)
    unit, (scale, scale_at) = "", stated or (context.scale, context.scale_at)
    currency = next((code for sign, code in CURRENCIES if sign in text or sign in label.signs), "")
    whole = abs(value or 0.0) >= _MOST_EACH and "." not in text
    # An amount for each of something is in no scale of its table's.
    each = value is not None and "." in text and says("per_each").search(" ".join((context.title, *row_path)).lower())
    per_share = (label.per_share or head.per_share or bool(each)) and not label.counts_shares and not whole
    share = not currency and value is not None and abs(value) <= _MOST_PERCENT
    money = context.kind == "cash" or (adds_up and context.currency)  # what is summed with money is no count
    if "%" in text or (share and (head.percent or label.percent or is_percent)):
        unit, scale, scale_at = "percent", 1, None
    elif value is not None and text.rstrip().endswith("p"):
        unit, scale, scale_at = "pence", 1, None  # "37.8p"
    elif per_share:
        unit, scale, scale_at = currency or head.currency or context.currency, 1, None
    elif label.shares or (head.shares and not head.currency) or label.counts_shares:
        unit = "shares"
        if not context.shares_too or abs(value or 0.0) * scale >= _MOST_SHARES:
            scale, scale_at = 1, None
    elif not currency and (label.counted or head.counted) and not money:
        scale, scale_at = (1, None) if head.currency or stated is None else stated
    else:
        unit = currency or head.currency or context.currency
    labelled = " ".join(part for part in row_path if "except" not in part).lower()  # not the scale's own words
    if any(name in labelled for name in context.exceptions):
        scale, scale_at = stated or (1, None)
    period, year = time_of(above.path, row_path, corner, context.years)
    if value is None:
        unit, scale, scale_at = "", 1, None
    if unit == "percent" or per_share:
        adds_up = None
    headers = above.headers
    return Cell(*place, "value", row_path, above.path, value, unit, scale, scale_at, period, year, headers, adds_up)
