"""XLSX: sheets as sections, cells as displayed, in tables; hidden content is left out and reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.markup import name
from citewell.readers.number_formats import BUILT_IN, GENERAL, format_number, hides_text
from citewell.readers.package import Package
from citewell.readers.sheets import COLUMNS, ROWS, Area, Row, Sheet, areas

if TYPE_CHECKING:
    from lxml.etree import _Element

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")
_NUMBER = re.compile(r"[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:E[-+]?\d{1,3})?", re.IGNORECASE)
_YES = frozenset({"1", "true", "on"})
_LONGEST_TITLE = 100
_NAMED = 5  # of what was left out so many are named, the rest counted


class _Formats(NamedTuple):
    """How cells are shown: the code of each style, and whether days are counted from 1904."""

    codes: tuple[str, ...]
    since_1904: bool

    def code(self, style: str | None) -> str:
        number = int(style) if style and style.isdecimal() and len(style) < 7 else 0
        return self.codes[number] if number < len(self.codes) else GENERAL


def read_xlsx(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """An Excel workbook. Formulas have the value that was last calculated; charts and comments stay out.

    Raises DocumentError: as `citewell.read`.
    """
    with Package(
        data, Allowance(budget, len(data), source or "the workbook"), "workbook", "xl/workbook.xml"
    ) as package:
        reader = _Reader(package)
        title = package.title()
        reader.sheets()
    if not reader.builder.grids and all(block.kind == "heading" for block in reader.builder.blocks):
        raise EmptyDocumentError(f"{source or 'the workbook'} has no text in the sheets that it shows")
    return reader.builder.document(title=title or reader.title, source=source)


class _Reader:
    def __init__(self, package: Package) -> None:
        self.builder = Builder(package.allowance)
        self.title: str | None = None
        self._package = package
        self._workbook = package.main()
        properties = self._workbook.find("{*}workbookPr")
        since_1904 = properties is not None and properties.get("date1904") in _YES
        self._formats = _Formats(_codes(package.part("styles")), since_1904)
        strings = package.part("sharedStrings")
        self._strings = [] if strings is None else [_rich(item) for item in strings.iterfind("{*}si")]
        self._unknown = 0  # formulas whose value nobody stored
        self._characters = 0
        self._visited: set[str] = set()

    def sheets(self) -> None:
        """Append every sheet that is shown."""
        relations = self._package.relations(self._package.main_path)
        hidden: list[str] = []
        comments = drawn = 0
        rows: list[str] = []
        columns: list[str] = []
        for entry in self._workbook.iterfind("{*}sheets/{*}sheet"):
            called = " ".join((entry.get("name") or "").split())
            key = next((str(content) for key, content in entry.attrib.items() if str(key).endswith("}id")), "")
            relation = relations.get(key)
            if entry.get("state", "visible") != "visible":
                hidden.append(called)
                continue
            if relation is None or relation.path in self._visited:
                continue
            self._visited.add(relation.path)
            root = self._package.xml(relation.path)
            if root is None:
                self.builder.warnings.append(f"the sheet {called!r} is missing from the file")
                continue
            sheet = self._sheet(root)
            self._append(called, sheet)
            rows += [f"{sheet.hidden_rows} in {called!r}"] if sheet.hidden_rows else []
            columns += [f"{sheet.hidden_columns} in {called!r}"] if sheet.hidden_columns else []
            roles = [part.role for part in self._package.relations(relation.path).values()]
            comments += sum(role in {"comments", "threadedComment"} for role in roles)
            drawn += relation.role == "chartsheet" or "drawing" in roles
        self._warn("hidden sheets", [repr(sheet) for sheet in hidden])
        self._warn("hidden rows", rows)
        self._warn("hidden columns", columns)
        if drawn:
            self.builder.warnings.append(f"charts, pictures and text boxes of {_count(drawn, 'sheet')} were left out")
        if comments:
            self.builder.warnings.append(f"comments in {_count(comments, 'sheet')} were left out")
        if self._unknown:
            self.builder.warnings.append(
                f"{_count(self._unknown, 'formula')} without a stored value left out: "
                "open the file in a spreadsheet program and save it"
            )
        self.builder.warnings += self._package.warnings

    def _warn(self, what: str, parts: list[str]) -> None:
        if parts:
            more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
            self.builder.warnings.append(f"{what} were left out: {', '.join(parts[:_NAMED])}{more}")

    def _append(self, called: str, sheet: Sheet) -> None:
        headed = False
        for area in areas(sheet):
            if not headed:
                self.builder.add(called, "heading", 1)
                headed = True
            if self.title is None:  # what stands on top of the first sheet, unless it is a sentence
                top = " ".join(area.above[0].split()) if area.above else ""
                self.title = "" if len(top) > _LONGEST_TITLE or top.endswith((".", ":", "!", "?", ";")) else top
            for line in area.above:
                self.builder.add(line)
            self._table(area)
            for line in area.below:
                self.builder.add(line)

    def _table(self, area: Area) -> None:
        if area.rows:
            # Empty cells between become bars: what that comes to is held against the budget before it is made.
            bars = sum(3 * (max(cells) + 1) for cells in area.rows)
            self._package.allowance.written(self._characters + bars)
            dense = [[cells.get(column, "") for column in range(max(cells) + 1)] for cells in area.rows]
            self.builder.table(dense, area.spans)

    def _sheet(self, root: _Element) -> Sheet:
        columns = _hidden_columns(root)
        rows: dict[int, Row] = {}
        unseen: set[int] = set()
        number = 0
        filled_and_hidden: set[int] = set()
        for element in root.iterfind("{*}sheetData/{*}row"):
            number = _small(element.get("r"), number + 1, ROWS)
            row = rows.setdefault(number, {})
            if element.get("hidden") in _YES:
                if len(element):
                    unseen.add(number)
                continue
            for column, text in self._cells(element):
                if columns[column]:
                    filled_and_hidden.add(column)
                else:
                    row[column] = text
        for number in unseen:
            rows.pop(number, None)
        filled = [(number, rows[number]) for number in sorted(rows) if rows[number]]
        merged = [
            reach for element in root.iterfind("{*}mergeCells/{*}mergeCell") if (reach := _range(element.get("ref")))
        ]
        return Sheet(filled, merged, sorted(unseen), columns, len(filled_and_hidden))

    def _cells(self, row: _Element) -> Iterator[tuple[int, str]]:
        """The columns and texts of the cells of a row that have text."""
        column = -1
        for cell in row:
            reference = _REFERENCE.fullmatch(cell.get("r") or "")
            column = min(_column(reference[1]) if reference else column + 1, COLUMNS - 1)
            text = self._text(cell)
            if text and not text.isspace():
                self._characters += len(text)
                self._package.allowance.written(self._characters)
                yield column, text

    def _text(self, cell: _Element) -> str:
        kind, code = cell.get("t", "n"), self._formats.code(cell.get("s"))
        stored = cell.find("{*}v")
        raw = (stored.text or "") if stored is not None else ""
        if kind == "inlineStr":
            text = "".join(_rich(inner) for inner in cell.iterfind("{*}is"))
        elif stored is None or (kind == "n" and not raw.strip()):
            self._unknown += cell.find("{*}f") is not None
            return ""
        elif kind == "n" and _NUMBER.fullmatch(raw) and isfinite(float(raw)):
            text = format_number(float(raw), code, since_1904=self._formats.since_1904)
            if not text:
                self.builder.hide(raw)
            return text
        elif kind == "s":
            text = self._strings[int(raw)] if raw.isdecimal() and len(raw) < 9 and int(raw) < len(self._strings) else ""
        elif kind == "b":
            text = "TRUE" if raw in _YES else "FALSE"
        else:
            text = raw
        if text and hides_text(code):
            self.builder.hide(text)
            return ""
        return text


def _codes(styles: _Element | None) -> tuple[str, ...]:
    """The code of each cell style."""
    if styles is None:
        return ()
    codes = dict(BUILT_IN)
    for element in styles.iterfind("{*}numFmts/{*}numFmt"):
        codes[_small(element.get("numFmtId"), 0, 1 << 20)] = element.get("formatCode") or GENERAL
    return tuple(
        codes.get(_small(element.get("numFmtId"), 0, 1 << 20), GENERAL)
        for element in styles.iterfind("{*}cellXfs/{*}xf")
    )


def _rich(item: _Element) -> str:
    """The text of a string; its reading aids (`rPh`) stay out."""
    parts: list[str] = []
    for child in item:
        kind = name(child)
        if kind == "t":
            parts.append(child.text or "")
        elif kind == "r":
            parts += [text.text or "" for text in child.iterfind("{*}t")]
    return "".join(parts)


def _hidden_columns(root: _Element) -> list[bool]:
    """Whether each column is hidden."""
    steps = [0] * (COLUMNS + 1)
    for element in root.iterfind("{*}cols/{*}col"):
        first, last = _small(element.get("min"), 1, COLUMNS), _small(element.get("max"), 1, COLUMNS)
        if element.get("hidden") in _YES and first <= last:
            steps[first - 1] += 1
            steps[last] -= 1
    open_, hidden = 0, []
    for step in steps[:-1]:
        open_ += step
        hidden.append(open_ > 0)
    return hidden


def _range(reference: str | None) -> tuple[int, int, int, int] | None:
    """First row and column, last row and column, of "A1:D2"; None where it is no such range."""
    first, _, last = (reference or "").partition(":")
    begin, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
    if begin is None or end is None:
        return None
    reach = int(begin[2]), _column(begin[1]), int(end[2]), _column(end[1])
    return reach if reach[0] <= reach[2] <= ROWS and reach[1] <= reach[3] < COLUMNS else None


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _small(number: str | None, default: int, most: int) -> int:
    return min(max(int(number), 0), most) if number and number.isdecimal() and len(number) < 9 else default


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
