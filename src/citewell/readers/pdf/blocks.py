"""Rows to blocks: paragraphs, headings, list items, captions and table rows, joined across columns and pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from citewell.readers.pdf import headings
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.outline import Bookmark
from citewell.readers.pdf.protos import CAPTION, OPENS, Proto
from citewell.readers.pdf.rows import ASIDE, CELL, JOINT, NUMBER, SPACE, Row
from citewell.types import BlockKind

_LIST = re.compile(r"(?:[•‣◦▪■●○➢✓∙·–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{2,5})[.)])(?:\s|$)")
_MARKER = re.compile(
    r"(?:[•‣◦▪■●○➢✓∙·–—*o☐☒☑-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{2,5})\)?[.):]?|\d+(?:\.\d+)+\.?|(?:item|note|part|section)\s+\w{1,4}(?:\.\d+)?[.:]?)$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?:;。！？؟]['\"”’»)\]]*(?:\d{1,3})?$")


@dataclass(slots=True)
class _Column:
    """What the rows of one column share."""

    left: float
    right: float
    leading: float
    table: float


def make_blocks(rows: Sequence[Row], outline: Sequence[Bookmark] = ()) -> list[Proto]:
    """Blocks in reading order; `outline` are the bookmarks of the file."""
    if not rows:
        return []
    body = body_size(rows)
    protos: list[Proto] = []
    for _, group in groupby(rows, key=lambda row: (row.page, row.flow)):
        protos.extend(_column_blocks(list(group)))
    headings.mark(protos, outline, body)
    return _across(protos)


def body_size(rows: Sequence[Row]) -> float:
    """The size in which most characters are set."""
    weights: Counter[float] = Counter()
    for row in rows:
        if row.cells == 1:
            weights[round(row.size * 5) / 5] += len(row.text)
    return weights.most_common(1)[0][0] if weights else rows[0].size


def _column_blocks(rows: list[Row]) -> list[Proto]:
    column = _column(rows)
    protos: list[Proto] = []
    before: Row | None = None
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        kind = _kind(row, before, after, column)
        last = protos[-1] if protos else None
        if last is None or before is None or kind != "paragraph" or _breaks(before, row, last, column):
            if (
                kind == "table_row"
                and last is not None
                and before is not None
                and last.kind == "paragraph"
                and len(last.rows) == 1
                and _label_wraps(before, row, column)
            ):
                last.kind = "table_row"
                last.rows.append(row)
            else:
                protos.append(Proto([row], kind, 0, row.size))
        else:
            last.rows.append(row)
        before = row
    return protos


def _column(rows: list[Row]) -> _Column:
    left = min(row.x0 for row in rows)
    right = max(row.x1 for row in rows)
    steps = sorted(b.y1 - a.y1 for a, b in pairwise(rows) if b.y1 > a.y1)
    usual = steps[len(steps) // 3] if steps else rows[0].size
    tabular = sorted(b.y1 - a.y1 for a, b in pairwise(rows) if b.cells > 1 and a.cells > 1)
    return _Column(left, right, usual, tabular[len(tabular) // 2] if tabular else 0.0)


def _kind(row: Row, before: Row | None, after: Row | None, column: _Column) -> BlockKind:
    """What one row looks like by itself."""
    if row.places:
        return "table_row"
    if row.cells > 1:
        cut = row.joins.index(CELL)
        first = row.text.split(JOINT[CELL])[0]
        if _MARKER.match(first):
            if row.cells == 2 and not NUMBER.match(row.text[len(first) :].strip()):
                row.joins[cut], row.cells = SPACE, 1
                row.text = row.text.replace(JOINT[CELL], JOINT[SPACE], 1)
                return "list_item" if _LIST.match(first + " ") else "paragraph"
            if row.cells > 2 and first in "•‣◦▪■●○":
                row.joins[cut] = SPACE
                row.cells -= 1
                row.text = row.text.replace(JOINT[CELL], JOINT[SPACE], 1)
        if _stretched(row, before, after, column):
            row.join_cells()
            return "caption" if CAPTION.match(row.text) else "paragraph"
        return "table_row"
    if _LIST.match(row.text) and len(row.text) > 2:
        return "list_item" if not (before and _runs_on(before, row, column)) else "paragraph"
    begins = CAPTION.match(row.text) and not (before and _runs_on(before, row, column))
    return "caption" if begins else "paragraph"


def _stretched(row: Row, before: Row | None, after: Row | None, column: _Column) -> bool:
    """Whether wide gaps come from justification: a line of prose as wide as its column or as its neighbours."""
    words = row.text.count(" ") + 2 - row.cells
    figures = sum(map(str.isdigit, row.text))
    if words < 4 or figures * 6 > len(row.text) or _widest(row) > 3 * row.size or "..." in row.text:
        return False
    size, g = row.size, geometry()
    near = [
        neighbour
        for neighbour in (before, after)
        if neighbour and neighbour.cells == 1 and abs(neighbour.y1 - row.y1) < g.next_line * size
    ]
    full = row.x0 < column.left + size and row.x1 > column.right - size and (row.cells == 2 or near)
    return bool(full) or any(
        abs(neighbour.x1 - row.x1) < g.same_edge * size and abs(neighbour.x0 - row.x0) < g.aligned * size
        for neighbour in near
    )


def _widest(row: Row) -> float:
    return max(b.x0 - a.x1 for a, b in pairwise(row.pieces))


def _runs_on(before: Row, row: Row, column: _Column) -> bool:
    """Whether a row that starts like a list item is the middle of a sentence: "in 2019 and / 20. The"."""
    full = before.x1 > column.right - 2 * before.size
    close = row.y1 - before.y1 < geometry().close * column.leading
    return full and close and before.cells == 1 and row.text[0] not in "•‣◦▪■●○" and not _ENDS.search(before.text)


def _breaks(before: Row, row: Row, last: Proto, column: _Column) -> bool:
    """Whether a plain row begins a new block."""
    if last.kind == "table_row":
        return bool(before.places) or not (before.cells > 1 and _cell_wraps(before, row, column))
    step, size, g = row.y1 - before.y1, before.size, geometry()
    if step > max(g.apart_leading * column.leading, g.apart_size * size) or step < -size or step > g.far * size:
        return True
    ratio = row.size / size if size else 1.0
    short = before.x1 < column.right - g.short * (column.right - column.left)
    if not g.smaller < ratio < g.larger and (short or step > g.looser * column.leading or len(row.text) > 20):
        return True
    ended = _ENDS.search(before.text) is not None
    if row.weight != before.weight:
        apart = step > g.looser * column.leading
        if short and (apart or max(row.weight, before.weight) >= 2):
            return True
        # A heading as wide as its column, and one right below a paragraph that fills its last line.
        if apart and (ended or (before.weight >= 2 and all(above.weight >= 2 for above in last.rows))):
            return True
    after_capitals = any(map(str.islower, row.text)) and all(above.text.isupper() for above in last.rows)
    if after_capitals and (short or step > g.looser * column.leading):
        return True
    # The first word of this row would have found room in the row above: somebody ended that one.
    room = column.right - before.x1
    first = row.pieces[0]
    word = row.text.partition(" ")[0]
    wide = (first.x1 - first.x0) * (len(word) + 1) / max(1, first.end - first.start)
    if room > g.room * wide + size and (ended or not OPENS.match(row.text)) and step > 0:
        return True
    indent = row.x0 - last.rows[0].x0
    if last.kind == "paragraph" and len(last.rows) > 1:
        indent = row.x0 - before.x0
    if last.kind == "paragraph":
        return indent > g.indent * size and ended
    # The rows of a list item hang: what starts left of its marker is not its own.
    return (indent < -g.outdent * size and (ended or not OPENS.match(row.text))) or (
        ended and step > g.item_apart * column.leading
    )


def _label_wraps(before: Row, row: Row, column: _Column) -> bool:
    """Whether a row without figures is the first half of the label of the table row under it."""
    step, g = row.y1 - before.y1, geometry()
    goes_on = OPENS.match(row.text) is not None and before.text[-1:].isdigit()  # "2.4 and 2.5 / million"
    if row.places or (_ENDS.search(before.text) and not goes_on):
        return False
    if before.x0 > row.x0 + 1 or not 0 < step < g.next_line * before.size:
        return False
    if ASIDE.fullmatch(before.text):  # it speaks of the whole table
        return False
    figures = next((piece.x0 for piece, join in zip(row.pieces, row.joins, strict=True) if join == CELL), column.right)
    beyond = before.x1 > column.right - g.label_right * (column.right - column.left)
    if (beyond and before.x1 > figures) or NUMBER.match(row.text.partition(" ")[0]):
        return False
    # Lines of one label stand closer than rows do, or the second goes on in lower case.
    return OPENS.match(row.text) is not None or step < g.label_close * column.table


def _cell_wraps(before: Row, row: Row, column: _Column) -> bool:
    """Whether a short row under a table row goes on with its label."""
    g = geometry()
    return (
        OPENS.match(row.text) is not None
        and row.y1 - before.y1 < g.cell_step * before.size
        and row.x1 < column.left + g.cell_width * (column.right - column.left)
        and not NUMBER.match(before.text.partition(" ")[0])
    )


def _across(protos: list[Proto]) -> list[Proto]:
    """Join paragraphs that a column or page break cut; notes and floats between the halves move out of the way."""
    done: list[Proto] = []
    for proto in protos:
        first = proto.rows[0]
        if proto.kind == "paragraph" and done:
            position = _open_end(done, proto)
            if position is not None:
                half = done[position]
                between = done[position + 1 :]
                page = half.rows[-1].page
                whole = half.rows[0].page == page
                early = [block for block in between if block.rows[-1].page == page and whole]
                late = [block for block in between if block not in early]
                if all(block.rows[0].page == first.page for block in late):
                    half.rows.extend(proto.rows)
                    done[position:] = [*early, half, *late]
                    continue
        done.append(proto)
    return done


def _open_end(done: list[Proto], proto: Proto) -> int | None:
    """The position of the block whose sentence goes on in `proto`, None where none does."""
    row = proto.rows[0]
    for position in range(len(done) - 1, max(-1, len(done) - 60), -1):
        half = done[position]
        last = half.rows[-1]
        if last.page < row.page - 1:
            return None
        same_column = (last.page, last.flow) == (row.page, row.flow)
        if half.kind in ("paragraph", "list_item") and abs(half.size - proto.size) < geometry().halves * proto.size:
            if same_column or _ENDS.search(last.text):
                return None
            if last.hyphen or last.text.endswith(("-", "\xad", ",")) or OPENS.match(row.text):
                return position
            # A capital goes on only where both rows look like the inside of a paragraph.
            full = len(half.rows) > 1 and last.x1 > max(above.x1 for above in half.rows[:-1]) - 3 * last.size
            return position if full and len(proto.rows) > 1 and len(last.text) > 25 else None
        small = half.size < (1 - geometry().halves) * proto.size
        if half.kind == "heading" or not (small or half.kind in ("table_row", "caption")):
            return None
    return None
