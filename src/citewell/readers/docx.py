"""DOCX: paragraphs, headings, lists, tables, notes and text boxes; deleted and hidden text is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.document import Document
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.docx_paint import Paint
from citewell.readers.grid import Grid
from citewell.readers.markup import attribute, exponent_mark, inherited, outermost, tag, value
from citewell.readers.package import Package
from citewell.types import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_NEVER = frozenset(
    "pPr rPr sdtPr tblPr trPr tcPr sectPr instrText delText delInstrText del moveFrom rt Fallback fldData tblGrid "
    "commentRangeStart commentRangeEnd proofErr bookmarkStart bookmarkEnd docPr cNvPr".split()
)
_BREAKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SMALLEST = 2  # half-points: Word's smallest size, which nobody can read
_LONGEST_HEADING = 300  # people give whole paragraphs the style of a heading


class Style(NamedTuple):
    """What matters of a paragraph style, its ancestors included."""

    name: str = ""
    outline: int | None = None
    listed: bool = False
    hidden: bool = False


def read_docx(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A Word document. Page headers and footers, comments and the table of contents stay out of the text.

    Raises DocumentError: as `citewell.read`.
    """
    with Package(data, Allowance(budget, len(data), source or "the document")) as package:
        reader = _Reader(package)
        title = package.title()
        reader.body()
    return reader.builder.document(title=title or reader.title, source=source)


class _Reader:
    def __init__(self, package: Package) -> None:
        self.builder = Builder(package.allowance)
        self.builder.warnings += package.warnings
        self.title: str | None = None
        self._package = package
        styles = package.part("styles")
        self._styles = _styles(styles)
        self._paint = Paint(package, styles)
        self._vanishing = {key for key, style in self._styles.items() if style.hidden}
        self._notes = {kind: _notes(package.part(kind)) for kind in ("footnotes", "endnotes")}
        self._pending: list[tuple[str, _Element]] = []  # footnotes that the paragraph refers to
        self._boxes: list[_Element] = []  # text boxes anchored in the paragraph
        self._endnotes: list[tuple[str, _Element]] = []
        self._marks: dict[str, dict[str, str]] = {"footnotes": {}, "endnotes": {}}  # by the note's id
        self._adding = False  # whether text boxes and notes are being appended
        self._shift = 0
        self._contents = 0

    def body(self) -> None:
        document = self._package.main()
        body = document.find("{*}body")
        if body is not None:
            self._blocks(body)
        for mark, note in self._endnotes:  # which grows where a note refers to another
            self._note(mark, note)
            self._after()
        self._warn(document)

    def _warn(self, document: _Element) -> None:
        deleted = sum(1 for _ in document.iter("{*}del", "{*}moveFrom"))
        inserted = sum(1 for _ in document.iter("{*}ins", "{*}moveTo"))
        if deleted or inserted:
            self.builder.warnings.append(
                f"tracked changes were accepted: {inserted} insertions kept, {deleted} deletions left out"
            )
        comments = self._package.part("comments")
        if comments is not None and (count := sum(1 for _ in comments.iter("{*}comment"))):
            self.builder.warnings.append(f"{count} comments were left out")
        if self._contents:
            self.builder.warnings.append(f"a table of contents ({self._contents} lines) was left out")
        if any(True for _ in document.iter("{*}altChunk")):
            self.builder.warnings.append("a document embedded in this one was left out")

    def _blocks(self, parent: _Element) -> None:
        for child in parent:
            kind = tag(child)
            if kind == "p":
                self._paragraph(child)
            elif kind == "tbl":
                self._table(child)
            elif kind not in _NEVER:
                self._blocks(child)  # content controls, insertions, custom XML

    def _paragraph(self, paragraph: _Element) -> None:
        style = self._styles.get(value(paragraph, "pPr/pStyle") or "", Style())
        if re.match(r"(?i)toc \d", style.name):
            self._contents += 1
            return
        if not len(paragraph):
            return
        text = self._text(paragraph)
        if style.hidden:
            self.builder.hide(text)
            text = ""
        kind, level = self._kind(paragraph, style, text)
        self.builder.add(text, kind, level)
        self._after()

    def _kind(self, paragraph: _Element, style: Style, text: str) -> tuple[BlockKind, int]:
        level = value(paragraph, "pPr/outlineLvl")
        outline = _small(level)
        outline = style.outline if outline is None else outline
        short = len(text) <= _LONGEST_HEADING
        if style.name.lower() == "title" and short and text.strip():
            self.title = self.title or " ".join(text.split())
            self._shift = 1
            return "heading", 1
        if outline is not None and outline < 9 and short:
            return "heading", outline + 1 + self._shift
        if style.name.lower() == "caption":
            return "caption", 0
        number = value(paragraph, "pPr/numPr/numId")
        if number != "0" and (number or style.listed):
            return "list_item", (_small(value(paragraph, "pPr/numPr/ilvl")) or 0) + 1
        return "paragraph", 0

    def _after(self) -> None:
        """Text boxes and footnotes of what was just appended, and theirs."""
        if self._adding:
            return
        self._adding = True
        while self._boxes or self._pending:
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                self._blocks(box)
            notes, self._pending = self._pending, []
            for mark, note in notes:
                self._note(mark, note)
        self._adding = False

    def _note(self, mark: str, note: _Element) -> None:
        text = " ".join(self._text(paragraph) for paragraph in outermost(note, "p"))
        self.builder.add(f"{mark} {text.strip()}" if text.strip() else "")

    def _text(self, element: _Element) -> str:
        parts: list[str] = []
        self._collect(element, parts)
        return "".join(parts)

    def _collect(self, element: _Element, parts: list[str]) -> None:
        for child in element:
            kind = tag(child)
            if kind == "t":
                if child.text:
                    parts.append(child.text)
            elif kind in _BREAKS:
                parts.append(_BREAKS[kind])
            elif kind == "txbxContent":
                self._boxes.append(child)
            elif kind in {"footnoteReference", "endnoteReference"}:
                parts += filter(None, [self._refer(child, kind.replace("Reference", "s"))])
            elif kind == "r":
                self._run(child, parts)
            elif kind == "sup":  # of a formula
                parts.append("^")
                self._collect(child, parts)
            elif kind == "AlternateContent":
                # The same content once for new and once for old readers.
                self._collect(child[0] if len(child) else child, parts)
            elif kind not in _NEVER:
                self._collect(child, parts)

    def _run(self, run: _Element, parts: list[str]) -> None:
        properties = next(run.iterchildren("{*}rPr"), None)
        inner: list[str] = []
        self._collect(run, inner)
        if self._hides(properties) or self._paint.unseen(run, properties):
            self.builder.hide("".join(inner), "".join(parts[-5:]))
            return
        if properties is not None and value(properties, "vertAlign") == "superscript":
            parts += filter(None, [exponent_mark("".join(inner), parts[-1] if parts else "")])
        parts += filter(None, inner)

    def _hides(self, properties: _Element | None) -> bool:
        if properties is None:
            return False
        return _vanishes(properties) or bool(self._vanishing and value(properties, "rStyle") in self._vanishing)

    def _refer(self, reference: _Element, kind: str) -> str:
        key, marks = attribute(reference, "id") or "", self._marks[kind]
        note = self._notes[kind].get(key)
        if note is None:
            return ""
        if key in marks:  # a note is given once, however often it is referred to, by itself too
            return marks[key]
        mark = marks[key] = f"[{len(marks) + 1}]" if kind == "footnotes" else f"[e{len(marks) + 1}]"
        (self._pending if kind == "footnotes" else self._endnotes).append((mark, note))
        return mark

    def _table(self, table: _Element) -> None:
        grid, inner = Grid(), list[Any]()
        rows = [list(_inside(row, "tc")) for row in _inside(table, "tr") if row.find("{*}trPr/{*}del") is None]
        if max(map(len, rows), default=0) < 2:
            for row in rows:  # a frame around text, not a table
                for cell in row:
                    self._blocks(cell)
            return
        for row in rows:
            grid.row()
            for cell in row:
                follows = cell.find("{*}tcPr/{*}vMerge") is not None and value(cell, "tcPr/vMerge") != "restart"
                texts = [] if follows else [self._text(p) for p in _inside(cell, "p")]
                grid.cell(" ".join(texts), value(cell, "tcPr/gridSpan"))
                inner += _inside(cell, "tbl")
        self.builder.table(grid.rows, grid.spans)
        self._after()
        for nested in inner:
            self._table(nested)


def _vanishes(properties: _Element) -> bool:
    size = value(properties, "sz") or ""
    if size.isdecimal() and int(size) <= _SMALLEST:
        return True
    return properties.find("{*}vanish") is not None and value(properties, "vanish") not in {"0", "false", "off"}


def _small(number: str | None) -> int | None:
    """A level as Word writes it, None where it is none."""
    return int(number) if number and re.fullmatch("[0-9]{1,2}", number) else None


def _inside(parent: _Element, wanted: str) -> Iterator[_Element]:
    """Children of a name, looked for through content controls and insertions, not inside one another."""
    for child in parent:
        kind = tag(child)
        if kind == wanted:
            yield child
        elif kind in {"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"}:
            yield from _inside(child, wanted)


def _styles(part: _Element | None) -> dict[str, Style]:
    if part is None:
        return {}
    raw: dict[str, tuple[str | None, Style]] = {}
    for style in part.iter("{*}style"):
        level, number = value(style, "pPr/outlineLvl"), value(style, "pPr/numPr/numId")
        name = value(style, "name") or ""
        outline = _small(level)
        if outline is None and (heading := re.fullmatch(r"(?i)heading ([1-9])", name)):
            outline = int(heading[1]) - 1
        drawn = style.find("{*}rPr")
        hidden = drawn is not None and _vanishes(drawn)
        looks = Style(name, outline, number not in {None, "0"}, hidden)
        raw[attribute(style, "styleId") or ""] = value(style, "basedOn"), looks
    return {key: _resolved(list(inherited(raw, key))) for key in raw}


def _resolved(chain: list[Style]) -> Style:
    outline = next((style.outline for style in chain if style.outline is not None), None)
    listed, hidden = any(style.listed for style in chain), any(style.hidden for style in chain)
    return Style(chain[0].name, outline, listed, hidden)


def _notes(part: _Element | None) -> dict[str, _Element]:
    if part is None:
        return {}
    return {
        attribute(note, "id") or "": note
        for note in part.iterchildren()
        if attribute(note, "type") in {None, "normal"} and tag(note) in {"footnote", "endnote"}
    }
