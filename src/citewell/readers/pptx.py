"""PPTX: slides as pages, their titles as headings, text, tables and notes; hidden content is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.grid import Grid
from citewell.readers.markup import exponent_mark, name
from citewell.readers.package import Package
from citewell.readers.paint import alike, colour

if TYPE_CHECKING:
    from lxml.etree import _Element

_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"ftr", "dt", "sldNum", "hdr"})
_LISTS = frozenset({"body", "obj"})  # placeholders whose paragraphs are bullets unless they say otherwise
_NO = frozenset({"0", "false"})
_YES = frozenset({"1", "true"})
_FILLS = {"tc": "{*}tcPr", "sp": "{*}spPr", "csld": "{*}bg/{*}bgPr"}  # where each says what it is filled with
_OTHER_FILLS = frozenset({"gradfill", "blipfill", "pattfill", "grpfill"})


class _Size(NamedTuple):
    """The size of the slides, in the units of their shapes."""

    width: int
    height: int


def read_pptx(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A PowerPoint presentation. Pages are slides, by the numbers that PowerPoint shows.

    Raises DocumentError: as `citewell.read`.
    """
    allowance = Allowance(budget, len(data), source or "the presentation")
    with Package(data, allowance, "presentation", "ppt/presentation.xml") as package:
        reader = _Reader(package)
        title = package.title()
        reader.slides()
    if not reader.builder.blocks:
        raise EmptyDocumentError(f"{source or 'the presentation'} has no text in the slides that it shows")
    return reader.builder.document(title=title, source=source)


class _Reader:
    def __init__(self, package: Package) -> None:
        self.builder = Builder(package.allowance)
        self._package = package
        self._main = package.main()
        size = self._main.find("{*}sldSz")
        self._size = _Size(_whole(size, "cx"), _whole(size, "cy")) if size is not None else _Size(0, 0)
        self._furniture: list[str] = []
        self._drawn = 0

    def slides(self) -> None:
        """Append every slide that is shown."""
        relations = self._package.relations(self._package.main_path)
        entries = list(self._main.iterfind("{*}sldIdLst/{*}sldId"))
        self._package.allowance.budget.hold("pages", len(entries), self._package.source)
        hidden: list[str] = []
        visited: set[str] = set()
        for number, entry in enumerate(entries, start=1):
            key = next((str(content) for key, content in entry.attrib.items() if str(key).endswith("}id")), "")
            relation = relations.get(key)
            slide = self._package.xml(relation.path) if relation and relation.path not in visited else None
            if relation is None or slide is None:
                self.builder.warnings.append(f"slide {number} is missing from the file")
                continue
            visited.add(relation.path)
            if slide.get("show") in _NO:
                hidden.append(str(number))
                continue
            self._furniture = []
            with self.builder.page(number, self._furniture):
                self._slide(slide)
                self._notes(relation.path)
        if hidden:
            self.builder.warnings.append(f"hidden slides were left out: {', '.join(hidden)}")
        if self._drawn:
            self.builder.warnings.append(f"charts and diagrams were left out: {self._drawn}")
        self.builder.warnings += self._package.warnings

    def _slide(self, slide: _Element) -> None:
        tree = slide.find("{*}cSld/{*}spTree")
        shapes = list(_shapes(tree)) if tree is not None else []
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        for shape in (*titles, *(shape for shape in shapes if _placeholder(shape) not in _TITLES)):
            self._shape(shape)

    def _shape(self, shape: _Element) -> None:
        if name(shape) == "graphicframe":
            table = shape.find("{*}graphic/{*}graphicData/{*}tbl")
            if table is not None and not self._unseen(shape, table):
                self._table(table)
            else:
                data = shape.find("{*}graphic/{*}graphicData")
                self._drawn += table is None and (data is None or not str(data.get("uri", "")).endswith("/ole"))
            return
        body = shape.find("{*}txBody")
        if body is None or self._unseen(shape, body):
            return
        kind = _placeholder(shape)
        if kind in _TITLES:
            self.builder.add(" ".join(self._paragraphs(body)).replace("\n", " "), "heading", 1)
        elif kind in _FURNITURE:
            self._furniture += [text for text in self._paragraphs(body) if text.strip()]
        else:
            self._text(body, listed=kind in _LISTS)

    def _text(self, body: _Element, *, listed: bool) -> None:
        for paragraph in body.iterfind("{*}p"):
            properties = paragraph.find("{*}pPr")
            bullet = listed
            if properties is not None:
                marks = {name(child) for child in properties}
                bullet = "bunone" not in marks and (listed or bool(marks & {"buchar", "buautonum", "bublip"}))
            level = _whole(properties, "lvl") if properties is not None else 0
            text = self._words(paragraph)
            self.builder.add(text, *(("list_item", min(level, 8) + 1) if bullet else ("paragraph", 0)))

    def _table(self, table: _Element) -> None:
        grid = Grid()
        for row in table.iterfind("{*}tr"):
            grid.row()
            for cell in row.iterfind("{*}tc"):
                if cell.get("hMerge") in _YES or cell.get("vMerge") in _YES:
                    continue  # the cell that reaches here has the place
                texts = [text for body in cell.iterfind("{*}txBody") for text in self._paragraphs(body)]
                grid.cell(" ".join(texts), cell.get("gridSpan"), cell.get("rowSpan"))
        self.builder.table(grid.rows, grid.spans)

    def _notes(self, slide: str) -> None:
        """What the speaker wrote below the slide, under a heading as PowerPoint has it."""
        notes = self._package.part("notesSlide", slide)
        tree = notes.find("{*}cSld/{*}spTree") if notes is not None else None
        bodies = [
            body
            for shape in (_shapes(tree) if tree is not None else ())
            if _placeholder(shape) == "body" and (body := shape.find("{*}txBody")) is not None
        ]
        if any(_every_word(body) for body in bodies):
            self.builder.add("Notes", "heading", 2)
            for body in bodies:
                self._text(body, listed=False)

    def _unseen(self, shape: _Element, inner: _Element) -> bool:
        """Whether a shape is hidden or lies off the slide; the document's warnings tell of its text."""
        drawn = next((child for child in shape.iterfind("{*}*/{*}cNvPr")), None)
        hidden = drawn is not None and drawn.get("hidden") in _YES
        if not hidden and name(shape.getparent()) == "sptree" and self._size.width and self._size.height:
            place = shape.find("{*}spPr/{*}xfrm")
            place = shape.find("{*}xfrm") if place is None else place
            at, size = (place.find("{*}off"), place.find("{*}ext")) if place is not None else (None, None)
            if at is not None and size is not None:
                x, y, width, height = _whole(at, "x"), _whole(at, "y"), _whole(size, "cx"), _whole(size, "cy")
                hidden = x >= self._size.width or y >= self._size.height or x + width <= 0 or y + height <= 0
        if hidden:
            self.builder.hide(_every_word(inner))
        return hidden

    def _paragraphs(self, body: _Element) -> list[str]:
        return [self._words(paragraph) for paragraph in body.iter("{*}p")]

    def _words(self, paragraph: _Element) -> str:
        parts: list[str] = []
        for child in paragraph:
            kind = name(child)
            if kind in {"r", "fld"}:
                text = "".join(inner.text or "" for inner in child.iterfind("{*}t"))
                properties = child.find("{*}rPr")
                if properties is not None and _blends(properties, paragraph):
                    self.builder.hide(text, "".join(parts[-5:]))
                    continue
                if properties is not None and _whole(properties, "baseline") > 0:
                    parts.append(exponent_mark(text, parts[-1] if parts else ""))
                parts.append(text)
            elif kind == "br":
                parts.append("\n")
            elif kind == "m":  # a formula
                parts.append("".join(inner.text or "" for inner in child.iter("{*}t")))
        return "".join(parts)


def _every_word(body: _Element) -> str:
    """The words of a body, hidden or not."""
    return " ".join(filter(None, (inner.text for inner in body.iter("{*}t")))).strip()


def _blends(properties: _Element, paragraph: _Element) -> bool:
    """Whether a run is not painted, or in the colour that its cell, shape or slide states as its fill."""
    if properties.find("{*}noFill") is not None and properties.find("{*}ln") is None:
        return True
    text = properties.find("{*}solidFill")
    if text is None:
        return False
    if any(_whole(alpha, "val") <= 0 for alpha in text.iter("{*}alpha")):
        return True
    for at in paragraph.iterancestors():
        kind = name(at)
        filled = at.find(_FILLS[kind]) if kind in _FILLS else None
        fill = None if filled is None else filled.find("{*}solidFill")
        if fill is not None:
            return _same(text, fill)
        if filled is not None and any(name(child) in _OTHER_FILLS for child in filled):
            return False
    return False


def _same(first_fill: _Element, other: _Element) -> bool:
    """Whether two fills are alike: by their digits, else by what they are called and how that is changed."""
    first, second = (fill.find("{*}srgbClr") for fill in (first_fill, other))
    if first is not None and second is not None and not len(first) and not len(second):
        return alike(colour(first.get("val")), colour(second.get("val")))
    return _parts(first_fill) == _parts(other)


def _parts(fill: _Element) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(name(part), sorted((str(key), str(value)) for key, value in part.attrib.items())) for part in fill.iter()]


def _shapes(tree: _Element) -> Iterator[_Element]:
    """The shapes of a tree in their order, those of groups too."""
    for child in tree:
        kind = name(child)
        if kind in {"sp", "graphicframe", "cxnsp"}:
            yield child
        elif kind == "grpsp":
            yield from _shapes(child)
        elif kind == "alternatecontent" and len(child):
            yield from _shapes(child[0])  # the same once for new and once for old programs


def _placeholder(shape: _Element) -> str:
    """What a shape is the placeholder of; empty for shapes that people drew themselves."""
    place = shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
    return "" if place is None else str(place.get("type", "obj"))


def _whole(element: _Element, attribute: str) -> int:
    number = element.get(attribute, "0")
    return int(number) if re.fullmatch("-?[0-9]{1,12}", number) else 0
