"""HTML: the main text in reading order, tables as rows; scripts, styles, hidden parts and navigation are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from citewell.document import Document
from citewell.errors import EmptyDocumentError, TooLargeDocumentError
from citewell.readers import styles
from citewell.readers.budget import DEFAULT, HTML_DEPTH, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.decode import decode
from citewell.readers.grid import Grid
from citewell.readers.headlines import ITEM
from citewell.readers.looks import BREAKS, EMPHASIS, PLAIN, Look, look, overall
from citewell.readers.markup import before_superscript, name, outermost, superscript
from citewell.readers.prominence import mark_headings

if TYPE_CHECKING:
    from lxml.etree import _Element

_NEVER = frozenset(
    "script style template noscript head iframe object embed canvas audio video svg select option datalist button "
    "input textarea dialog map rp rt frameset noframes applet".split()
)
_BOILERPLATE = frozenset({"nav", "aside", "footer", "header", "menu"})
_PART_OF_ARTICLE = frozenset({"aside", "footer", "header"})  # its title and authors, its notes, its boxes
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar"})
_BLOCKS = frozenset(
    "html body div p section article main header footer nav aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote "
    "pre figure figcaption table caption thead tbody tfoot tr td th form fieldset legend address details summary "
    "hr center hgroup menu optgroup dir listing xmp plaintext search".split()
)
_INSIDE = frozenset({"article", "main"})
_BLANK = re.compile(r"[ \t\n\r\f]+")
_META = re.compile(
    rb"<meta[^>]{0,300}?charset\s*+=\s*+(?:[\"']\s*+)?([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*+=\s*+[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_FIGURES = 3  # rows with two figures or more that make a table one of data
_LONGEST_FIGURE = 20  # characters
_BARE_ITEM = re.compile(rf"\s*{ITEM.pattern}\.?\s*")
_BREAK = "\x00"  # a line break in the collected text, told apart from line breaks of the source


def read_html(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """An HTML or XHTML page. Raises DocumentError: as `citewell.read`."""
    allowance = Allowance(budget, len(data), source or "the page")
    allowance.tags(data, allowance.what)
    text, warnings = decode(data, declared_charset(data))
    root = parse(text, source)
    if root is not None:
        styles.hide(root)
    builder = Builder(allowance) if root is None else _main_text(root, allowance)
    builder.warnings[:0] = warnings
    mark_headings(builder)
    if not builder.blocks:
        raise EmptyDocumentError(f"{source or 'the page'} has no visible text")
    return builder.document(title=_title(root), source=source)


def declared_charset(data: bytes) -> str | None:
    """The charset that a page names itself."""
    declared = _META.search(data[:4096])
    return (declared[1] or declared[2]).decode("ascii", "replace") if declared else None


def parse(text: str, source: str | None = None) -> Any:
    """The element tree of a page, None where there is no element.

    Raises TooLargeDocumentError: tags are nested deeper than 2,048.
    """
    from lxml import etree

    # Bytes with a stated encoding: a str with an XML declaration would be refused.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    # Beyond the limit libxml2 drops text without raising; its log is the only sign.
    if any("depth" in entry.message for entry in parser.error_log.filter_from_fatals()):
        raise TooLargeDocumentError(
            f"{source or 'the page'} nests tags more than {HTML_DEPTH:,} deep: it is damaged or made to do harm",
            "nesting",
        )
    return root


def _main_text(root: _Element, allowance: Allowance) -> Builder:
    """The text without boilerplate, unless that would lose the article."""
    walker = Walker(Builder(allowance))
    walker.walk(root, boilerplate=False)
    best = walker.builder
    whole = _walk(root, allowance, boilerplate=True) if walker.skipped else best
    words = best.words
    for part in _marked_main(root):
        inner = _walk(part, allowance, boilerplate=False)
        # Some pages mark a teaser or an empty frame as main.
        if (count := inner.words) >= words / 2:
            best, words = inner, count
            break
    total = whole.words
    if words < total / 4:
        return whole
    if total > words:
        best.warnings.append(f"{total - words:,} words of navigation, page headers and footers were left out")
    return best


def _marked_main(root: _Element) -> Iterator[_Element]:
    """What a page says is its main part, none inside another."""
    yield from outermost(root, "main")
    if root.find(".//*[@role='main']") is not None:
        from lxml import etree

        events = etree.iterwalk(root, events=("start",))
        for _, element in events:
            if element.get("role") == "main":
                events.skip_subtree()
                yield element
    articles = list(islice(root.iter("article"), 2))
    if len(articles) == 1:
        yield articles[0]


def _walk(root: _Element, allowance: Allowance, *, boilerplate: bool) -> Builder:
    walker = Walker(Builder(allowance))
    walker.walk(root, boilerplate=boilerplate)
    return walker.builder


class Walker:
    """Turns elements into blocks, without recursion: pages may be nested deeper than Python's stack."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.skipped = False  # whether boilerplate was left out
        self._inline: list[str] = []
        self._set: list[Look] = []  # how each part of it is set
        self._open: list[Look] = [PLAIN]  # how the open elements set their text
        self._notes: set[_Element] = set()  # superscripts that are note marks and not closed yet
        self._lists = 0
        self._items = 0
        self._captions = 0
        self._inside = 0
        self._rows = 0

    def walk(self, root: _Element, *, boilerplate: bool = True) -> None:
        """Append the blocks of an element."""
        from lxml import etree

        events = etree.iterwalk(root, events=("start", "end"))
        skipped: Any = None
        for event, element in events:
            tag = name(element)
            if event == "start":
                left_out = not boilerplate and self._is_boilerplate(element, tag)
                self.skipped = self.skipped or left_out
                if left_out or skip(element, tag):
                    skipped = element
                    if not left_out:
                        self._hide(element)
                    events.skip_subtree()
                elif tag == "table" and _is_data(element):
                    self._flush()
                    self._table(element)
                    skipped = element
                    events.skip_subtree()
                elif tag in {"pre", "listing", "xmp", "plaintext"}:
                    self._flush()
                    self.builder.add(_verbatim(element, self._hide), "code")
                    skipped = element
                    events.skip_subtree()
                else:
                    self._start(element, tag)
            else:
                if element is skipped:
                    skipped = None
                else:
                    self._end(element, tag)
                if element is not root and element.tail:
                    self._write(_BLANK.sub(" ", element.tail))
        self._flush()

    def _start(self, element: _Element, tag: str) -> None:
        style = element.get("style") or ""
        if tag in _BLOCKS:
            self._flush()
            self._rows += tag == "tr"
            self._lists += tag in {"ul", "ol", "dl", "menu", "dir"}
            self._items += tag in {"li", "dt", "dd"}
            self._captions += tag in {"figcaption", "caption"}
            self._inside += tag in _INSIDE
        elif tag == "br":
            self._write(_BREAK)
        elif superscript(element, tag):
            self._write(before_superscript(element, self._inline[-1] if self._inline else ""))
            if self._inline[-1] == "[":
                self._notes.add(element)
        elif "padding-left" in style:  # set apart from what stands before
            self._write(" ")
        if "break-" in style and BREAKS.search(style):
            self.builder.page_tops.add(len(self.builder.blocks))
        self._open.append(look(tag, style, self._open[-1]) if style or tag in EMPHASIS else self._open[-1])
        if element.text:
            self._write(_BLANK.sub(" ", element.text))

    def _write(self, text: str) -> None:
        self._inline.append(text)
        self._set.append(self._open[-1])

    def _end(self, element: _Element, tag: str) -> None:
        if tag in _BLOCKS:
            self._rows -= tag == "tr"
            self._flush(int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0)
            self._lists -= tag in {"ul", "ol", "dl", "menu", "dir"}
            self._items -= tag in {"li", "dt", "dd"}
            self._captions -= tag in {"figcaption", "caption"}
            self._inside -= tag in _INSIDE
        elif element in self._notes:
            self._notes.remove(element)
            self._write("]")
        self._open.pop()

    def _hide(self, element: _Element) -> None:
        """Tell of an element that is not shown, unless elements of its kind never are."""
        if name(element) not in _NEVER:
            self.builder.hide(inline(element), "".join(self._inline[-5:]))

    def _flush(self, heading: int = 0) -> None:
        if not self._inline:
            return
        if self._rows and _BARE_ITEM.fullmatch("".join(self._inline)):
            self._write(" ")  # its title stands in the next cell
            return
        runs = list(zip(self._inline, self._set, strict=True))
        self._inline, self._set = [], []
        if heading:
            self.builder.add("".join(text for text, _ in runs).replace(_BREAK, " "), "heading", heading)
            return
        for part in _paragraphs(runs):
            tidy = "".join(text for text, _ in part).replace(_BREAK, "\n")
            if self._captions:
                self.builder.add(tidy, "caption")
            elif self._items:
                self.builder.add(tidy, "list_item", max(1, self._lists))
            else:
                self.builder.add(tidy, look=overall(part))

    def _table(self, table: _Element) -> None:
        for caption in table.iterchildren("caption"):
            self.builder.add(inline(caption, self._hide), "caption")
        grid, heads = Grid(), 0
        for row in outermost(table, "tr"):
            grid.row()
            heads += (parent := row.getparent()) is not None and name(parent) == "thead"
            for cell in row.iterchildren("td", "th"):
                if skip(cell, name(cell)):
                    self._hide(cell)
                else:
                    label = not any(grid.rows[-1])
                    indent = styles.indent(cell) if label else 0.0
                    grid.cell(inline(cell, self._hide), cell.get("colspan"), cell.get("rowspan"), indent)
        self.builder.table(grid.rows, grid.spans, heads, grid.indents)

    def _is_boilerplate(self, element: _Element, tag: str) -> bool:
        if element.get("role", "").lower() in _ROLES:
            return True
        return tag in _BOILERPLATE and not (self._inside and tag in _PART_OF_ARTICLE)


def _paragraphs(runs: Sequence[tuple[str, Look]]) -> Iterator[Sequence[tuple[str, Look]]]:
    """The runs of each paragraph: two breaks in a row are how old pages part paragraphs."""
    begin, broken = 0, False
    for number, (text, _) in enumerate(runs):
        if text == _BREAK and broken:
            yield runs[begin:number]
            begin = number
        broken = text == _BREAK or (broken and not text.strip())
    yield runs[begin:]


def skip(element: _Element, tag: str) -> bool:
    """Whether an element is never shown."""
    return (
        tag in _NEVER
        or element.get("hidden") is not None
        or (element.get("aria-hidden") == "true" and tag != "body")
        or bool(styles.hides(element.get("style") or ""))
    )


def inline(root: _Element, hide: Callable[[_Element], None] | None = None) -> str:
    """The text of a cell on one line; its blocks are parted by blanks. `hide` is told of what is not shown."""
    from lxml import etree

    if not len(root):  # most cells
        return _BLANK.sub(" ", root.text or "").strip()
    parts: list[str] = []
    notes: set[_Element] = set()
    events = etree.iterwalk(root, events=("start", "end"))
    for event, element in events:
        tag = name(element)
        if event == "start":
            hidden = element is not root and skip(element, tag)
            if hidden:
                events.skip_subtree()
                if hide:
                    hide(element)
            elif tag in _BLOCKS or tag == "br":
                parts.append(" ")
            elif superscript(element, tag):
                parts.append(before_superscript(element, parts[-1] if parts else ""))
                if parts[-1] == "[":
                    notes.add(element)
            if element.text and not hidden:
                parts.append(element.text)
        else:
            if element in notes:
                notes.remove(element)
                parts.append("]")
            if tag in _BLOCKS:
                parts.append(" ")
            if element is not root and element.tail:
                parts.append(element.tail)
    return _BLANK.sub(" ", "".join(parts)).strip()


def _verbatim(root: _Element, hide: Callable[[_Element], None]) -> str:
    from lxml import etree

    parts: list[str] = []
    events = etree.iterwalk(root, events=("start", "end"))
    for event, element in events:
        if event == "start":
            if skip(element, name(element)):
                events.skip_subtree()
                hide(element)
                continue
            parts.append("\n" if name(element) == "br" else "")
            parts.append(element.text or "")
        elif element is not root:
            parts.append(element.tail or "")
    return "".join(parts).replace("\r\n", "\n").replace("\r", "\n")


def _is_data(table: _Element) -> bool:
    """Whether a table holds data, not the layout of a page."""
    if (table.get("role") or "").lower() in {"presentation", "none"}:
        return False
    if any(element is not table for element in table.iter("table", "article", "section", "nav")):
        return False
    rows = [list(row.iterchildren("td", "th")) for row in table.iter("tr")]
    if max(map(len, rows), default=0) < 2 or _is_one_line(table):
        return False
    blocks = table.iter("h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "pre")
    if next(blocks, None) is None and all(len(list(islice(cell.iter("p"), 4))) < 4 for cell in outermost(table, "td")):
        return True
    # A statement may have a heading or a list in a cell.
    return sum(sum(map(_is_figure, map(inline, row))) > 1 for row in rows) >= _FIGURES


def _is_one_line(table: _Element) -> bool:
    """Whether a table only places a line on the page: one text, or the number of an item of a report and its title."""
    texts = (text for cell in outermost(table, "td", "th") if (text := "".join(cell.itertext()).strip()))
    first, *others = (*islice(texts, 3), "")
    return len(others) < 2 or (len(others) == 2 and bool(_BARE_ITEM.fullmatch(first)) and not _is_figure(others[0]))


def _is_figure(text: str) -> bool:
    return len(text) <= _LONGEST_FIGURE and any(map(str.isdigit, text))


def _title(root: Any) -> str | None:
    if root is None:
        return None
    for path in (".//meta[@name='citation_title']/@content", ".//meta[@property='og:title']/@content"):
        for content in root.xpath(path):
            if content.strip():
                return str(content)
    for element in root.iterfind(".//head//title"):
        if (element.text or "").strip():
            return str(element.text)
    return None
