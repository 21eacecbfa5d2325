"""OpenDocument text: headings, paragraphs, lists, tables and notes; hidden and deleted text is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from citewell.document import Document
from citewell.errors import EncryptedDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import CELL, Builder
from citewell.readers.grid import Grid
from citewell.readers.markup import attribute, exponent_mark, inherited, name
from citewell.readers.package import Package
from citewell.readers.paint import UNKNOWN, WHITE, Colour, alike, colour

if TYPE_CHECKING:
    from lxml.etree import _Element

_NEVER = frozenset(
    "annotation annotation-end tracked-changes sequence-decls user-field-decls variable-decls forms ruby-text "
    "bookmark bookmark-start bookmark-end reference-mark desc title settings scripts dde-connection-decls".split()
)
_INDEXES = frozenset(
    "table-of-content illustration-index table-index object-index user-index alphabetical-index".split()
)
_MOST_SPACES = 64  # of one element that stands for several
_REPEATED = 100  # rows or cells that are one element
_LEVELS = 10
_TEXTS = frozenset({"span", "p", "h"})  # whose styles give text its colour


class _Style(NamedTuple):
    """What matters of a style, its ancestors included."""

    title: bool = False
    hidden: bool = False
    raised: bool = False
    colour: Colour | None = None
    ground: Colour | None = None


def read_odt(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A text of LibreOffice and others. Page headers and footers, comments and tables of contents stay out.

    Raises DocumentError: as `citewell.read`.
    """
    allowance = Allowance(budget, len(data), source or "the document")
    with Package(data, allowance, "OpenDocument text", "content.xml") as package:
        manifest = package.xml("META-INF/manifest.xml")
        if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
            raise EncryptedDocumentError(f"{allowance.what} has a password: save it without one")
        reader = _Reader(package)
        title = package.title("meta.xml")
        reader.body()
    return reader.builder.document(title=title or reader.title, source=source)


class _Reader:
    def __init__(self, package: Package) -> None:
        self.builder = Builder(package.allowance)
        self.title: str | None = None
        self._package = package
        self._content = package.needed("content.xml")
        styles = package.xml("styles.xml")
        self._styles = _styles(self._content, styles)
        self._coloured = any(style.colour for style in self._styles.values())
        self._paper = _paper(styles)
        self._pending: list[tuple[str, _Element]] = []  # notes and frames of what is being read
        self._shift = 0
        self._left_out = dict.fromkeys(("changes", "comments", "contents"), 0)
        self._adding = False
        self._written = 0  # characters of cells

    def body(self) -> None:
        """Append the text, and tell what was left out."""
        body = self._content.find("{*}body/{*}text")
        if body is not None:
            self._blocks(body, 0)
        left = self._left_out
        if left["changes"]:
            self.builder.warnings.append(f"tracked changes were accepted: {left['changes']} deletions left out")
        if left["comments"]:
            self.builder.warnings.append(f"{left['comments']} comments were left out")
        if left["contents"]:
            self.builder.warnings.append(f"a table of contents ({left['contents']} lines) was left out")
        self.builder.warnings += self._package.warnings

    def _blocks(self, parent: _Element, depth: int) -> None:
        for child in parent:
            kind = name(child)
            if kind in {"p", "h"}:
                self._paragraph(child, kind, depth)
            elif kind == "table":
                self._table(child)
            elif kind == "tracked-changes":
                self._left_out["changes"] += sum(1 for _ in child.iter("{*}deletion"))
            elif kind in _INDEXES:
                self._left_out["contents"] += sum(1 for _ in child.iter("{*}p"))
            elif kind == "section" and attribute(child, "display") == "none":
                self.builder.hide(" ".join(child.itertext()))
            elif kind == "annotation":
                self._left_out["comments"] += 1
            elif kind == "frame":
                self._blocks(child, depth)
            elif kind not in _NEVER and kind:
                self._blocks(child, depth + (kind == "list"))

    def _paragraph(self, paragraph: _Element, kind: str, depth: int) -> None:
        style = self._style(paragraph)
        text = self._text(paragraph)
        if style.hidden:
            self.builder.hide(text)
        elif style.title and text.strip():
            self.title = self.title or " ".join(text.split())
            self._shift = 1
            self.builder.add(text, "heading", 1)
        elif kind == "h":
            level = attribute(paragraph, "outline-level") or "1"
            self.builder.add(text, "heading", min(_number(level, 1), _LEVELS) + self._shift)
        else:
            self.builder.add(text, *(("list_item", depth) if depth else ("paragraph", 0)))
        self._after()

    def _after(self) -> None:
        """The notes and text boxes of what was just appended, and theirs."""
        if self._adding:
            return
        self._adding = True
        while self._pending:
            waiting, self._pending = self._pending, []
            for mark, element in waiting:
                if mark:
                    text = " ".join(self._text(part) for part in element.iter("{*}p", "{*}h"))
                    self.builder.add(f"{mark} {text.strip()}" if text.strip() else "")
                else:
                    self._blocks(element, 0)
        self._adding = False

    def _text(self, element: _Element) -> str:
        parts: list[str] = []
        self._collect(element, parts)
        return "".join(parts)

    def _collect(self, element: _Element, parts: list[str]) -> None:
        self._append(element, element.text, parts)
        for child in element:
            kind = name(child)
            if kind == "s":
                parts.append(" " * min(_number(attribute(child, "c"), 1), _MOST_SPACES))
            elif kind == "tab":
                parts.append("\t")
            elif kind == "line-break":
                parts.append("\n")
            elif kind == "note":
                parts.append(self._note(child))
            elif kind == "frame":
                self._pending += [("", box) for box in child.iterchildren("{*}text-box")]
            elif kind in {"hidden-text", "hidden-paragraph"}:
                self.builder.hide("".join(child.itertext()), "".join(parts[-5:]))
            elif kind == "annotation":
                self._left_out["comments"] += 1
            elif kind == "span":
                self._span(child, parts)
            elif kind and kind not in _NEVER:
                self._collect(child, parts)
            self._append(element, child.tail, parts)

    def _append(self, element: _Element, text: str | None, parts: list[str]) -> None:
        """Text that stands directly in an element, unless it has the colour of what is behind it."""
        if text and self._coloured and not text.isspace() and self._blends(element):
            self.builder.hide(text, "".join(parts[-5:]))
        elif text:
            parts.append(re.sub(r"\s+", " ", text))

    def _blends(self, element: _Element) -> bool:
        """Whether text in an element surely has the colour of what is behind it."""
        text: Colour | None = None
        for at in (element, *element.iterancestors()):
            kind = name(at)
            style = self._style(at)
            text = style.colour if text is None and kind in _TEXTS else text
            if style.ground is not None:
                return alike(text, style.ground)
            if kind in {"text-box", "note"}:
                return False  # a drawing may have a ground, a note stands elsewhere
        return alike(text, self._paper)

    def _span(self, span: _Element, parts: list[str]) -> None:
        style = self._style(span)
        inner: list[str] = []
        self._collect(span, inner)
        if style.hidden:
            self.builder.hide("".join(inner), "".join(parts[-5:]))
            return
        if style.raised:
            parts.append(exponent_mark("".join(inner), "".join(parts[-2:])))
        parts += inner

    def _note(self, note: _Element) -> str:
        body = note.find("{*}note-body")
        citation = note.find("{*}note-citation")
        mark = f"[{''.join(citation.itertext()).strip() if citation is not None else ''}]"
        if body is None:
            return ""
        self._pending.append((mark, body))
        return mark

    def _table(self, table: _Element) -> None:
        if attribute(table, "display") == "none" or self._style(table).hidden:
            self.builder.hide(" ".join(table.itertext()))
            return
        grid, inner = Grid(), list["_Element"]()
        self._rows(table, grid, inner)
        self.builder.table(grid.rows, grid.spans)
        self._after()
        for nested in inner:
            self._table(nested)

    def _rows(self, parent: _Element, grid: Grid, inner: list[_Element]) -> None:
        for child in parent:
            kind = name(child)
            if kind in {"table-header-rows", "table-rows", "table-row-group"}:
                self._rows(child, grid, inner)
            elif kind == "table-row":
                if attribute(child, "visibility") in {"collapse", "filter"}:
                    self.builder.hide(" ".join(child.itertext()))
                    continue
                cells = [cell for cell in child if name(cell) == "table-cell"]
                empty = not any("".join(cell.itertext()).strip() for cell in cells)
                for _ in range(1 if empty else min(_number(attribute(child, "number-rows-repeated"), 1), _REPEATED)):
                    grid.row()
                    for cell in cells:
                        self._cell(cell, grid, inner)

    def _cell(self, cell: _Element, grid: Grid, inner: list[_Element]) -> None:
        texts = [self._text(part) for part in _lines(cell)]
        for _ in range(min(_number(attribute(cell, "number-columns-repeated"), 1), _REPEATED)):
            across, down = attribute(cell, "number-columns-spanned"), attribute(cell, "number-rows-spanned")
            text = " ".join(texts)
            self._written += len(text) + len(CELL)
            self._package.allowance.written(self._written)  # what is repeated costs the file next to nothing
            grid.cell(text, across, down)
        inner += [child for child in cell if name(child) == "table"]

    def _style(self, element: _Element) -> _Style:
        return self._styles.get(attribute(element, "style-name") or "", _Style())


def _lines(cell: _Element) -> list[_Element]:
    """The paragraphs of a cell, in lists too; those of tables inside it are read later."""
    lines: list[_Element] = []
    for child in cell:
        kind = name(child)
        if kind in {"p", "h"}:
            lines.append(child)
        elif kind in {"list", "list-item", "list-header", "section"}:
            lines += _lines(child)
    return lines


def _styles(*parts: _Element | None) -> dict[str, _Style]:
    raw: dict[str, tuple[str | None, _Style]] = {}
    for part in parts:
        for style in part.iter("{*}style") if part is not None else ():
            key = attribute(style, "name") or ""
            drawn = style.find("{*}text-properties")
            hidden = drawn is not None and attribute(drawn, "display") == "none"
            position = (attribute(drawn, "text-position") or "") if drawn is not None else ""
            raised = position.startswith("super") or bool(re.match(r"[1-9]", position))
            looks_here = _Style(key == "Title", hidden, raised, _colour(drawn), _ground(style))
            raw.setdefault(key, (attribute(style, "parent-style-name"), looks_here))

    return {**{key: _resolved(list(inherited(raw, key))) for key in raw}, "Title": _Style(title=True)}


def _resolved(chain: list[_Style]) -> _Style:
    return _Style(
        any(style.title for style in chain),
        any(style.hidden for style in chain),
        any(style.raised for style in chain),
        next((style.colour for style in chain if style.colour is not None), None),
        next((style.ground for style in chain if style.ground is not None), None),
    )


def _colour(drawn: _Element | None) -> Colour | None:
    if drawn is None:
        return None
    if attribute(drawn, "use-window-font-color") == "true":
        return UNKNOWN
    return colour(attribute(drawn, "color"))


def _ground(style: _Element) -> Colour | None:
    """The ground that any properties of a style give; None where what is around shows."""
    colours = (attribute(properties, "background-color") for properties in style)
    stated = next((candidate for candidate in colours if candidate and candidate != "transparent"), None)
    return None if stated is None else colour(stated) or UNKNOWN


def _paper(styles: _Element | None) -> Colour:
    """What is behind a page: white, unless a page's layout says anything else."""
    for layout in styles.iter("{*}page-layout") if styles is not None else ():
        if _ground(layout) not in {None, WHITE} or next(layout.iter("{*}background-image"), None) is not None:
            return UNKNOWN
    return WHITE


def _number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else default
