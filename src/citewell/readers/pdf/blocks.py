"""Rows to blocks: paragraphs, headings, list items, captions and table rows, whole across columns and pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.layout import CELL, JOINT, NUMBER, SPACE, Row
from citewell.types import BlockKind

_LIST = re.compile(r"(?:[•‣◦▪■●○➢✓∙·–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{2,5})[.)])(?:\s|$)")
_MARKER = re.compile(
    r"(?:[•‣◦▪■●○➢✓∙·–—*o☐☒☑-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{2,5})\)?[.):]?|\d+(?:\.\d+)+\.?|(?:item|note|part|section)\s+\w{1,4}(?:\.\d+)?[.:]?)$",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:Figure|Fig\.|Table|Abbildung|Tabelle|Tableau|Algorithm|Listing)\s*[A-Z]?\d+(?:[-.]\d+)*\s*[.:|–—]"
)
_NUMBERED = re.compile(
    r"(?P<n>\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+[A-Z]|(?P<a>[A-Z](?:\.\d{1,2}){1,3}|[IVX]{1,5}\.)\s+[A-Z]"
)
ITEM = re.compile(r"(?:(?P<part>PART|Part)\s+[IVX]+\b|(?:ITEM|Item)\s+\d{1,2}[A-C]?\b)")
_ENDS = re.compile(r"[.!?:;。！？؟]['\"”’»)\]]*(?:\d{1,3})?$")
_Style = tuple[int, int, bool]
_OPENS = re.compile(r"[a-zß-öø-ÿα-ωа-я]")


@dataclass(slots=True)
class Proto:
    """A block before its text is put together."""

    rows: list[Row]
    kind: BlockKind
    level: int = 0
    size: float = 0.0
    text: str = field(default="", repr=False)


@dataclass(slots=True)
class _Column:
    """What the rows of one column share."""

    left: float
    right: float
    leading: float
    table: float


def make_blocks(rows: Sequence[Row]) -> list[Proto]:
    """Blocks in reading order."""
    if not rows:
        return []
    body = body_size(rows)
    protos: list[Proto] = []
    for _, group in groupby(rows, key=lambda row: (row.page, row.flow)):
        protos.extend(_column_blocks(list(group)))
    _mark_headings(protos, body)
    return _across(protos)


def body_size(rows: Sequence[Row]) -> float:
    """The size in which most characters are set."""
    weights: Counter[float] = Counter()
    for row in rows:
        if row.cells == 1:
            weights[round(row.size * 5) / 5] += len(row.text)
    return weights.most_common(1)[0][0] if weights else rows[0].size


def _column_blocks(rows: list[Row]) -> list[Proto]:
    """Blocks of one column of one page."""
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
    if row.cells > 1:
        cut = row.joins.index(CELL)
        first = _cell_text(row, 0)
        if _MARKER.match(first):
            if row.cells == 2 and not NUMBER.match(row.text[len(first) :].strip()):
                row.joins[cut], row.cells = SPACE, 1
                return "list_item" if _LIST.match(first + " ") else "paragraph"
            if row.cells > 2 and first in "•‣◦▪■●○":
                row.joins[cut] = SPACE
                row.cells -= 1
        if _stretched(row, before, after, column):
            row.joins = [SPACE if join == CELL else join for join in row.joins]
            row.cells = 1
            return "paragraph"
        return "table_row"
    if _LIST.match(row.text) and len(row.text) > 2:
        return "list_item" if not (before and _runs_on(before, row, column)) else "paragraph"
    return "caption" if _CAPTION.match(row.text) else "paragraph"


def _stretched(row: Row, before: Row | None, after: Row | None, column: _Column) -> bool:
    """Whether wide gaps come from justification: a line of prose as wide as its column or as its neighbours."""
    words = row.text.count(" ") + 2 - row.cells
    figures = sum(map(str.isdigit, row.text))
    if words < 4 or figures * 6 > len(row.text) or _widest(row) > 3 * row.size or "..." in row.text:
        return False
    size, g = row.size, geometry()
    near = [one for one in (before, after) if one and one.cells == 1 and abs(one.y1 - row.y1) < g.next_line * size]
    full = row.x0 < column.left + size and row.x1 > column.right - size and (row.cells == 2 or near)
    return bool(full) or any(
        abs(one.x1 - row.x1) < g.same_edge * size and abs(one.x0 - row.x0) < g.aligned * size for one in near
    )


def _cell_text(row: Row, number: int) -> str:
    """The text of one cell, without its neighbours."""
    return row.text.split(JOINT[CELL])[number]


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
        return not (before.cells > 1 and _cell_wraps(before, row, column))
    step, size, g = row.y1 - before.y1, before.size, geometry()
    if step > max(g.apart_leading * column.leading, g.apart_size * size) or step < -size or step > g.far * size:
        return True
    ratio = row.size / size if size else 1.0
    short = before.x1 < column.right - g.short * (column.right - column.left)
    if not g.smaller < ratio < g.larger and (short or step > g.looser * column.leading or len(row.text) > 20):
        return True
    if row.weight != before.weight and short and 2 in (row.weight, before.weight):
        return True
    if row.weight != before.weight and short and step > g.looser * column.leading:
        return True
    ended = _ENDS.search(before.text) is not None
    # The first word of this row would have found room in the row above: somebody ended that one.
    room = column.right - before.x1
    first = row.pieces[0]
    word = row.text.partition(" ")[0]
    wide = (first.x1 - first.x0) * (len(word) + 1) / max(1, first.end - first.start)
    if room > g.room * wide + size and (ended or not _OPENS.match(row.text)) and step > 0:
        return True
    indent = row.x0 - last.rows[0].x0
    if last.kind == "paragraph" and len(last.rows) > 1:
        indent = row.x0 - before.x0
    if last.kind == "paragraph":
        return indent > g.indent * size and ended
    # The rows of a list item hang: what starts left of its marker is not its own.
    return (indent < -g.outdent * size and (ended or not _OPENS.match(row.text))) or (
        ended and step > g.item_apart * column.leading
    )


def _label_wraps(before: Row, row: Row, column: _Column) -> bool:
    """Whether a row without figures is the first half of the label of the table row under it."""
    step, g = row.y1 - before.y1, geometry()
    if _ENDS.search(before.text) or before.x0 > row.x0 + 1 or not 0 < step < g.next_line * before.size:
        return False
    if before.x1 > column.right - g.label_right * (column.right - column.left) or NUMBER.match(
        row.text.partition(" ")[0]
    ):
        return False
    # Lines of one label stand closer than rows do, or the second goes on in lower case.
    return _OPENS.match(row.text) is not None or step < g.label_close * column.table


def _cell_wraps(before: Row, row: Row, column: _Column) -> bool:
    """Whether a short row under a table row goes on with its label."""
    g = geometry()
    return (
        _OPENS.match(row.text) is not None
        and row.y1 - before.y1 < g.cell_step * before.size
        and row.x1 < column.left + g.cell_width * (column.right - column.left)
        and not NUMBER.match(before.text.partition(" ")[0])
    )


def _mark_headings(protos: list[Proto], body: float) -> None:
    """Find headings by size, weight, capitals and numbering; rank them by style."""
    found: list[tuple[Proto, _Style | int]] = []
    g = geometry()
    for index, proto in enumerate(protos):
        rows = proto.rows
        if proto.kind not in ("paragraph", "list_item") or len(rows) > 3:
            continue
        text = " ".join([row.text for row in rows]) if len(rows) > 1 else rows[0].text
        if len(text) > 140 or not any(map(str.isalpha, text)):
            continue
        weight = min(row.weight for row in rows)
        bold = weight == 2
        item = ITEM.match(text)
        numbered = _NUMBERED.match(text)
        if text[-1] in ".,;:" and not (item and bold):
            continue
        big = proto.size >= g.big * body
        capitals = text.isupper() and len(text) > 5 and " " in text
        follower = protos[index + 1].rows[0].text if index + 1 < len(protos) else ""
        if len(text) > 60 and (
            _OPENS.match(follower) or (weight < 2 and proto.size < g.much_bigger * body and len(text) > 90)
        ):
            continue  # a line of a paragraph that symbols made taller
        after = protos[index + 1].kind if index + 1 < len(protos) else None
        before = protos[index - 1].kind if index else None
        if before == after == "table_row" and not big:  # a line between rows belongs to their table
            continue
        # Italics are a heading's only where a paragraph follows a short line of its own.
        slanted = weight == 1 and after == "paragraph" and before != "table_row" and (numbered or len(text) < 70)
        lettered = re.match(r"[A-Z]\. [A-Z]", text) is not None and len(rows) == 1
        if proto.kind == "list_item" and not (numbered and (bold or big)) and not (lettered and (slanted or bold)):
            continue
        if not (
            big
            or bold
            or slanted
            or (item and len(text) < 90)
            or (capitals and (numbered or proto.size >= g.capitals * body))
        ):
            continue
        if not text[0].isalnum() and text[0] not in "\"“'‘([¿¡":
            continue
        if text[0].islower() and not big:
            continue
        if proto.size < (g.small_capitals if numbered and capitals else g.small) * body:
            continue
        proto.kind = "heading"
        if item:
            style: _Style | int = 1 if item["part"] else 2
        elif lettered:
            style = 2
        elif numbered:
            style = (numbered["n"] or numbered["a"].rstrip(".")).count(".") + 1
        else:
            style = (round(proto.size), weight, capitals)
        found.append((proto, style))
    _rank(found)


def _rank(found: list[tuple[Proto, _Style | int]]) -> None:
    """Give headings their depth: numbering tells it, else the rank of their style by size, weight and capitals."""
    uses = Counter(style for _, style in found if not isinstance(style, int))
    # A cover page has a dozen styles that never come again: they do not push the others down.
    styles = sorted((style for style, count in uses.items() if count > 1 or len(uses) < 4), reverse=True)
    sizes = [proto.size for proto, style in found if isinstance(style, int)]
    middle = sorted(sizes)[len(sizes) // 2] if sizes else 0.0
    shallow = max((style for _, style in found if isinstance(style, int)), default=0)
    for proto, style in found:
        if isinstance(style, int):
            proto.level = min(style, 6)
            continue
        rank = 1 + sum(1 for other in styles if other > style)
        # Beside numbered headings the others of no greater size stand below them.
        proto.level = min(rank + min(shallow, 2) if sizes and proto.size <= geometry().no_greater * middle else rank, 6)


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
                early = [one for one in between if one.rows[-1].page == page and whole]
                late = [one for one in between if one not in early]
                if all(one.rows[0].page == first.page for one in late):
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
            if last.hyphen or last.text.endswith(("-", "\xad", ",")) or _OPENS.match(row.text):
                return position
            # A capital goes on only where both rows look like the inside of a paragraph.
            full = len(half.rows) > 1 and last.x1 > max(one.x1 for one in half.rows[:-1]) - 3 * last.size
            return position if full and len(proto.rows) > 1 and len(last.text) > 25 else None
        small = half.size < (1 - geometry().halves) * proto.size
        if half.kind == "heading" or not (small or half.kind in ("table_row", "caption")):
            return None
    return None
