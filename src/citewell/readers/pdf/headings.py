"""The headings of a PDF and their levels: by bookmarks, contents, numbering, size and weight."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from citewell.readers.headlines import BEHIND, FORMULA, KNOWN, LONGEST_TITLE, PAGE_NAME, TIME, Line, Style, style_of
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.outline import Announced, Bookmark
from citewell.readers.pdf.protos import CAPTION, OPENS, Proto
from citewell.readers.pdf.rows import Row

_ITEMS = 3  # headings that are called items, as in the reports of companies
_FEW = 3  # styles: where there are more, one that is used once pushes no other down


@dataclass(slots=True)
class _Line(Line):
    """A block that may be a heading, and what its looks say."""

    proto: Proto = field(kw_only=True)


def mark(protos: list[Proto], outline: Sequence[Bookmark], body: float) -> None:
    """Make headings of the blocks that are, with their levels; a heading may be cut off its paragraph."""
    announced = Announced(outline, [row for proto in protos for row in proto.rows])
    _cut_off(protos, announced)
    lines = [_line(place, proto, body) for place, proto in enumerate(protos)]
    title = _title(protos, lines, body)
    chained = _chained(lines)
    headings: list[_Line] = []
    for line in lines:
        if line is None or any(announced.lists(row) for row in line.proto.rows):
            continue
        page = line.proto.rows[0].page
        line.depth = announced.depth(page, line.text) if announced.marks(page) else 0
        # "Part II" among the lines of the contents has no page of its own.
        near = protos[line.place + 1 : line.place + 3] if line.item else ()
        if CAPTION.match(line.text) or any(announced.lists(row) for proto in near for row in proto.rows[:1]):
            continue
        if (
            line.depth
            or line is title
            or (_sound(line) and (_looks_like_heading(protos, line, body) or line.place in chained))
            or (line.proto.kind != "table_row" and announced.listed(line.text) and _sound(line))
        ):
            headings.append(line)
    kept = _kept(protos, headings, title)
    for line in kept:
        line.proto.kind = "heading"
        for row in line.proto.rows:
            row.join_cells()  # a number set apart from its title makes no cell
    _rank(kept)


def _cut_off(protos: list[Proto], announced: Announced) -> None:
    """Part a heading that a bookmark names from the paragraph that it was read with."""
    for place in range(len(protos) - 1, -1, -1):
        proto = protos[place]
        rows, page = proto.rows, proto.rows[0].page
        if proto.kind not in ("paragraph", "list_item") or len(rows) < 2 or not announced.marks(page):
            continue
        for count in range(1, min(4, len(rows))):
            if announced.depth(page, " ".join(row.text for row in rows[:count])):
                protos[place : place + 1] = [
                    Proto(rows[:count], "paragraph", 0, rows[0].size),
                    Proto(rows[count:], "paragraph", 0, rows[count].size),
                ]
                break


def _line(place: int, proto: Proto, body: float) -> _Line | None:
    """A block as one that may be a heading; None for what is too long, or of a kind that is none."""
    rows = proto.rows
    if proto.kind not in ("paragraph", "list_item") and not (proto.kind == "table_row" and len(rows) == 1):
        return None
    if len(rows) > 5:
        return None
    text = " ".join([row.text for row in rows]) if len(rows) > 1 else rows[0].text
    if len(text) > LONGEST_TITLE or not any(map(str.isalpha, text)):
        return None
    weight = min(row.weight for row in rows)
    style = style_of(text, proto.size / body if body else 1.0, bold=weight >= 2, italic=bool(weight % 2))
    return _Line(place, text, style, one_row=len(rows) == 1, proto=proto)


def _title(protos: Sequence[Proto], lines: Sequence[_Line | None], body: float) -> _Line | None:
    """The largest line of the first page, where it is larger than the text."""
    first = protos[0].rows[0].page
    large = [
        line
        for line in lines[:60]
        if line
        and line.proto.rows[0].page == first
        and line.proto.size >= geometry().big * body
        and line.proto.kind == "paragraph"
        and len(line.text) > 3
        and not line.text[0].islower()
        and not FORMULA.search(line.text)
        and not TIME.fullmatch(line.text)
        and not PAGE_NAME.fullmatch(line.text)
    ]
    return max(large, key=lambda line: (round(line.proto.size, 1), -line.place)) if large else None


def _sound(line: _Line) -> bool:
    """Whether a line is short and reads like a heading."""
    return len(line.proto.rows) <= 3 and line.reads_like_heading()


def _looks_like_heading(protos: Sequence[Proto], line: _Line, body: float) -> bool:
    """Whether a line is set like a heading, and stands where one does."""
    proto, text, style, g = line.proto, line.text, line.style, geometry()
    place, numbered, item = line.place, line.numbered, line.item
    if proto.kind == "table_row":
        return False
    big = proto.size >= g.big * body
    follower = protos[place + 1] if place + 1 < len(protos) else None
    above = protos[place - 1] if place else None
    goes_on = follower is not None and OPENS.match(follower.rows[0].text) is not None
    if (goes_on and not numbered and follower is not None and follower.kind == "paragraph" and not style.bold) or (
        len(text) > 60 and (goes_on or (not style.bold and proto.size < g.much_bigger * body and len(text) > 90))
    ):
        return False  # a line of a paragraph that symbols made taller
    after, before = follower.kind if follower else None, above.kind if above else None
    if not (item or (numbered and style.bold)) and _in_table(protos, place):
        return False
    slanted = style.weight and not style.bold and after in ("paragraph", "list_item") and before != "table_row"
    slanted = bool(slanted and (numbered or len(text) < 70))
    if (
        proto.kind == "list_item"
        and not (numbered and (style.bold or big))
        and not (line.lettered and (slanted or style.bold))
    ):
        return False
    capitals = style.capitals and (
        numbered or (proto.size >= g.capitals * body and (" " in text or KNOWN.fullmatch(text) or after == "paragraph"))
    )
    if not (big or style.bold or slanted or (item and len(text) < 90) or capitals):
        return False
    if text[0].islower():
        return False
    return proto.size >= (g.small_capitals if numbered and style.capitals else g.small) * body


def _in_table(protos: Sequence[Proto], place: int) -> bool:
    """Whether a short line stands among the rows of a table: over a column, or between two rows."""
    row = protos[place].rows[-1]
    above = _neighbour(protos, place, -1)
    below = _neighbour(protos, place, 1)
    if below is None or below.page != row.page:
        return False
    # A row of the table beside it comes before it and stands lower.
    if above is not None and above.page == row.page and above.y0 < row.y0:
        return True
    # Headers stand over the columns: right of the labels, close above the first row.
    return (
        row.x0 > below.x0 + geometry().header_left * (below.pieces[-1].x0 - below.x0) / 2
        and below.y0 - row.y1 < (geometry().header_gap * row.size)
        and not _centred(row, below)
    )


def _centred(row: Row, table: Row) -> bool:
    """Whether a line stands in the middle over a table."""
    return abs(row.x0 + row.x1 - table.x0 - table.x1) < 2 * row.size


def _neighbour(protos: Sequence[Proto], place: int, step: int) -> Row | None:
    """The row of a table that is next to a line, with nothing but short lines between; None where a text is next."""
    for near in range(place + step, place + 4 * step, step):
        if not 0 <= near < len(protos):
            return None
        proto = protos[near]
        if proto.kind == "table_row":
            return proto.rows[0]
        if len(proto.rows) > 1 or len(proto.rows[0].text) > 40 or proto.kind == "caption":
            return None
    return None


def _chained(lines: Sequence[_Line | None]) -> set[int]:
    """The places of numbered lines in the text's own type whose numbers follow each other."""
    open_: dict[tuple[int, ...], int] = {}
    result: set[int] = set()
    groups: dict[Style, list[_Line]] = defaultdict(list)
    for line in lines:
        if (
            line
            and line.numbered
            and line.numbered["n"]
            and len(line.proto.rows) <= 2
            and line.proto.kind == "paragraph"
        ):
            groups[line.style].append(line)
    for group in groups.values():
        open_.clear()
        for line in group:
            match = line.numbered
            number = tuple(map(int, match["n"].split("."))) if match else ()
            if len(number) < 2:
                continue
            before = (*number[:-1], number[-1] - 1)
            if number[-1] == 1 or before in open_:
                open_[number] = line.place
                if before in open_:
                    result |= {line.place, open_[before]}
                elif len(number) > 2 or number[:-1] in open_:
                    result.add(line.place)
    return result


def _kept(protos: Sequence[Proto], headings: list[_Line], title: _Line | None) -> list[_Line]:
    """The headings without the names, dates and addresses of a first page."""
    if not headings:
        return []
    first = protos[0].rows[0].page
    sure = (
        line.place
        for line in headings
        if line is not title and (line.depth or line.numbered or line.item or KNOWN.match(line.text))
    )
    prose = (place for place, proto in enumerate(protos) if proto.kind == "paragraph" and len(proto.rows) > 2)
    front = min(next(sure, len(protos)), next(prose, len(protos)))
    kept = []
    for line in headings:
        if line.place < front and line.proto.rows[0].page == first and line is not title and not line.depth:
            leads = line.place + 1 < len(protos) and len(protos[line.place + 1].rows) > 1
            goes_on = title is not None and 0 < line.place - title.place < 4 and line.style == title.style
            if not leads and not goes_on:
                continue
        kept.append(line)
    return kept


def _rank(headings: Sequence[_Line]) -> None:
    """Give headings their depth: bookmarks and numbers tell it, else how prominent their style is beside those."""
    items = sum(line.item is not None for line in headings) >= _ITEMS
    stated: dict[Style, list[int]] = defaultdict(list)
    plain: Counter[Style] = Counter()
    last = max((line.place for line in headings if line.item), default=0)
    for line in headings:
        line.depth = line.depth or _stated(line, 2 if items else 0)
        if items and line.place > last and BEHIND.match(line.text):
            line.depth = 1
        if line.depth:
            stated[line.style].append(line.depth)
        else:
            plain[line.style] += 1
    anchors = {style: Counter(depths).most_common(1)[0][0] for style, depths in stated.items()}
    steps: dict[Style, float] = {}
    # In a report of items every other heading stands below them.
    least = 2.01 if items else 0.01
    few = len(plain) <= _FEW
    for style in sorted({*anchors, *plain}, reverse=True):
        shared = style in anchors and plain[style] <= 2 * len(stated[style])
        above = [steps[other] for other in steps if few or plain[other] > 1 or other in anchors]
        # A style of more plain headings than numbered ones stands below these; else it is one with them.
        step = float(anchors[style]) if shared and style in anchors else anchors.get(style, 0) + 0.5
        steps[style] = max(step if style in anchors else max(above, default=0.0) + 0.01, least)
    depths = [line.depth or steps[line.style] for line in headings]
    ranks = {depth: number for number, depth in enumerate(sorted(set(depths)), start=1)}
    for line, depth in zip(headings, depths, strict=True):
        line.proto.level = ranks[depth]


def _stated(line: _Line, base: int) -> int:
    """The depth that a heading's number or name as an item tells; 0 where nothing does."""
    if line.item:
        return 1 if line.item["part"] else 2
    if line.numbered:
        return base + (line.numbered["n"] or line.numbered["a"].rstrip(".")).count(".") + 1
    return base + 2 if line.lettered else 0
