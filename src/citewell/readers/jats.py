"""JATS XML, the format of PubMed Central's articles, and, with a warning, any other XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citewell.document import Document
from citewell.errors import EmptyDocumentError, UnsupportedFormatError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.grid import Grid
from citewell.readers.markup import before_superscript, name, note_mark, outermost, parse_xml, raised

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCKS = frozenset(
    "p sec list def-list table-wrap table-wrap-group fig fig-group disp-formula disp-formula-group disp-quote "
    "boxed-text supplementary-material statement speech verse-group array preformat code ref-list fn-group "
    "chem-struct-wrap question answer explanation glossary app".split()
)
_NEVER = frozenset(
    "object-id graphic inline-graphic media tex-math permissions alt-text long-desc processing-meta annotation "
    "annotation-xml private-char".split()
)
_APART = frozenset(["break", "title", "td", "name", "given-names", "suffix", "def", "term"])
_PEOPLE = frozenset({"person-group", "name", "collab", "string-name"})
_PERSONS = ("name", "string-name", "collab")
_NUMBERS = frozenset({"year", "volume", "issue", "fpage", "lpage"})
# Floating tables are printed with the body; after the references they would seem to belong to them.
_ORDER = {"front": 0, "front-stub": 0, "body": 1, "floats-group": 2, "floats-wrap": 2, "back": 3}
_SUMMARIES = ("abstract", "trans-abstract", "kwd-group")
_SECTIONS = frozenset({"sec", "ack", "app", "glossary", "fn-group", "notes", "ref-list", "boxed-text", "app-group"})


def read_jats(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A journal article: title, authors, abstract, body, back matter, references. Journal and licence stay out.

    Raises DocumentError: as `citewell.read`.
    """
    builder = Builder(Allowance(budget, len(data), source or "the article"))
    root = parse_xml(data, builder.allowance, builder.warnings)
    articles = [root] if name(root) == "article" else list(outermost(root, "article"))
    for article in articles or [root]:
        _Article(builder).article(article)
    if not builder.blocks:
        raise EmptyDocumentError(f"{source or 'the article'} has no text")
    return builder.document(source=source)


def read_xml(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """XML of a vocabulary that is not known: every element that holds text is a paragraph, `title` is a heading.

    Raises DocumentError: as `citewell.read`.
    """
    what = source or "the XML file"
    builder = Builder(Allowance(budget, len(data), what))
    root = parse_xml(data, builder.allowance, builder.warnings)
    kind = name(root)
    if kind == "svg":
        raise UnsupportedFormatError(f"{what} is an SVG picture: give a PDF, DOCX, HTML, Markdown or text file")
    if kind in {"package", "worddocument"} and "schemas.microsoft.com/office" in str(root.tag):
        raise UnsupportedFormatError(f"{what} is Word's flat XML: save it as DOCX or PDF")
    builder.warnings.append(f"XML with the root {kind!r} is not known: its elements were read as paragraphs")
    _any(builder, root, 1)
    if not builder.blocks:
        raise EmptyDocumentError(f"{what} has no text")
    return builder.document(source=source)


def _any(builder: Builder, element: _Element, depth: int) -> None:
    if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
        heading = name(element) in {"title", "head", "heading"}
        builder.add(_flat(element), *(("heading", max(1, depth - 1)) if heading else ("paragraph", 0)))
        return
    for child in element:
        _any(builder, child, depth + 1)


class _Article:
    """Appends one article to a builder."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def article(self, article: _Element) -> None:
        """Title, authors, abstract, body, back, floats, then articles inside it."""
        for part in sorted(article, key=lambda part: _ORDER.get(name(part), len(_ORDER))):
            kind = name(part)
            if kind in {"front", "front-stub"}:
                self._front(part)
            elif kind == "body":
                self._children(part, 1)
            elif kind in {"floats-group", "floats-wrap"}:
                self.builder.add("Figures and tables", "heading", 2)
                self._children(part, 1)
            elif kind == "back":
                self._back(part)
            elif kind in {"sub-article", "response"}:
                self.article(part)

    def _front(self, front: _Element) -> None:
        # One search for all, so that what stands in another of them is that one's own text.
        parts = list(outermost(front, "article-title", "contrib", *_SUMMARIES))
        for title in [part for part in parts if name(part) == "article-title"][:1]:
            self.builder.add(_line(title), "heading", 1)
        authors = [_author(part) for part in parts if name(part) == "contrib"]
        self.builder.add(", ".join(author for author in authors if author))
        summaries = [part for part in parts if name(part) in _SUMMARIES]
        for part in sorted(summaries, key=lambda part: _SUMMARIES.index(name(part))):
            if name(part) == "kwd-group":
                self._keywords(part)
            else:
                self._section(part, 2, "Abstract")

    def _keywords(self, group: _Element) -> None:
        heading = group.find("{*}title")
        words = ", ".join(_line(word) for word in outermost(group, "kwd", "title") if name(word) == "kwd")
        self.builder.add(f"{_line(heading).rstrip(':')}: {words}" if heading is not None else words)

    def _back(self, back: _Element) -> None:
        for part in back:
            default = {"ack": "Acknowledgements", "ref-list": "References", "fn-group": ""}.get(name(part), "")
            if name(part) in _SECTIONS:
                self._section(part, 2, default)
            elif name(part) != "bio":
                self._block(part, 2)

    def _section(self, section: _Element, level: int, default: str = "") -> None:
        label, title = section.find("{*}label"), section.find("{*}title")
        if title is None and (caption := section.find("{*}caption")) is not None:
            title = caption.find("{*}title")
        heading = " ".join(_line(part) for part in (label, title) if part is not None)
        self.builder.add(heading or default, "heading", level)
        self._children(section, level)

    def _children(self, parent: _Element, level: int) -> None:
        for child in parent:
            if name(child) not in {"label", "title", "caption", "sec-meta"}:
                self._block(child, level)

    def _block(self, element: _Element, level: int) -> None:
        kind = name(element)
        if kind in _SECTIONS:
            self._section(element, level + 1)
        elif kind in {"table-wrap", "fig", "supplementary-material", "chem-struct-wrap"}:
            self._float(element, level)
        elif kind == "list":
            self._list(element, 1)
        elif kind == "def-list":
            for item in outermost(element, "def-item"):
                lines = [_line(part) for part in item]
                self.builder.add(": ".join(line for line in lines if line), "list_item", 1)
        elif kind == "ref":
            self.builder.add(_reference(element), "list_item", 1)
        elif kind in {"preformat", "code"}:
            self.builder.add("".join(map(str, element.itertext())), "code")
        elif kind == "table":
            self._table(element)
        elif kind in _NEVER or not kind:
            return
        elif kind in {"p", "fn", "disp-formula"} or not len(element) or (element.text or "").strip():
            self._paragraph(element, level)
        else:
            self._children(element, level)

    def _paragraph(self, paragraph: _Element, level: int) -> None:
        """Text between the blocks inside a paragraph (lists, tables, formulas) is a paragraph of its own."""
        parts = [paragraph.text or ""]
        for child in paragraph:
            if name(child) in _BLOCKS:
                self.builder.add(_tidy(parts))
                parts = []
                self._block(child, level)
            else:
                _collect(child, parts)
            parts.append(child.tail or "")
        self.builder.add(_tidy(parts))

    def _float(self, element: _Element, level: int) -> None:
        caption = [element.find("{*}label")]
        outer = element.find("{*}caption")
        paragraphs = list(outer) if outer is not None else []
        text = " ".join(_line(part) for part in (*caption, *paragraphs[:1]) if part is not None)
        self.builder.add(text, "caption")
        for paragraph in paragraphs[1:]:
            self.builder.add(_line(paragraph), "caption")
        self._children(element, level)

    def _list(self, items: _Element, depth: int) -> None:
        for item in items.iterchildren("{*}list-item"):
            for child in item:
                if name(child) == "list":
                    self._list(child, depth + 1)
                elif name(child) != "label":
                    inner = [part for part in child if name(part) == "list"]
                    self.builder.add(_line(child, without="list"), "list_item", depth)
                    for part in inner:
                        self._list(part, depth + 1)

    def _table(self, table: _Element) -> None:
        grid, heads = Grid(), 0
        for row in outermost(table, "tr"):
            grid.row()
            heads += (parent := row.getparent()) is not None and name(parent) == "thead"
            for cell in row.iterchildren("{*}td", "{*}th"):
                grid.cell(_line(cell), cell.get("colspan"), cell.get("rowspan"))
        self.builder.table(grid.rows, grid.spans, heads)


def _author(person: _Element) -> str:
    """A contributor's given and family name, or the group's."""
    parts = {name(part): part for part in reversed(list(outermost(person, "given-names", "surname")))}
    name_parts = [_line(parts[kind]) for kind in ("given-names", "surname") if kind in parts]
    collective = person.find(".//{*}collab")
    return " ".join(name_parts) or (_line(collective) if collective is not None else "")


def _reference(ref: _Element) -> str:
    """A reference as one line. Where the XML has no punctuation of its own, the parts are parted by full stops."""
    label = ref.find("{*}label")
    lines = [_line(label)] if label is not None else []
    for citation in ref:
        if name(citation) not in {"citation", "mixed-citation", "element-citation", "nlm-citation", "note", "p"}:
            continue
        if "".join([citation.text or "", *((child.tail or "") for child in citation)]).strip():
            lines.append(_line(citation))
            continue
        # What stands among them inside another part is that part's own text.
        groups = [part for part in citation if name(part) in _PEOPLE]
        authors = [
            person
            for group in groups
            for person in ([group] if name(group) != "person-group" else outermost(group, *_PERSONS))
        ]
        people = [
            " ".join(_line(part) for part in person if name(part) in {"surname", "given-names", "suffix"})
            for person in authors
            if name(person) != "collab"
        ]
        people += [_line(group) for group in authors if name(group) == "collab"]
        rest = [_line(part) for part in citation if name(part) not in _PEOPLE | _NUMBERS]
        parts = [", ".join(person for person in people if person), *rest[:2], _numbers(citation), *rest[2:]]
        lines.append(". ".join(part.rstrip(".") for part in parts if part) + ".")
    return " ".join(lines)


def _line(element: _Element, without: str = "") -> str:
    """An element's text on one line, its children of one name left out."""
    parts: list[str] = [element.text] if element.text else []
    for child in element:
        if not without or name(child) != without:
            _collect(child, parts)
        if child.tail:
            parts.append(child.tail)
    return _tidy(parts)


def _flat(element: _Element) -> str:
    return re.sub(r"\s+", " ", "".join(map(str, element.itertext())))


def _collect(element: _Element, parts: list[str]) -> None:
    """Append an element's own text, without its tail; nothing empty, so that the last part is what stands before."""
    kind = name(element)
    if kind in _NEVER or not kind:
        return
    before = parts[-1] if parts else ""
    note = False
    if kind == "sup" and not raised(element):
        note = note_mark(element, before)
        parts += filter(None, [before_superscript(element, before)])
    elif kind == "xref" and _glued(element, before):
        note = True
        parts.append("[")
    elif kind in _BLOCKS or kind in _APART:
        parts.append(" ")
    if element.text:
        parts.append(element.text)
    for child in element:
        _collect(child, parts)
        if child.tail:
            parts.append(child.tail)
    if kind in _BLOCKS:
        parts.append(" ")
    if note:
        parts.append("]")


def _glued(xref: _Element, before: str) -> bool:
    """Whether the number of a reference follows a word without brackets, as in `et al43`."""
    return (
        xref.get("ref-type") == "bibr"
        and xref.find("{*}sup") is None
        and (before[-1:].isalnum() or before[-1:] in {".", "%", ")", "”", "’", '"'})
        and next(xref.iterancestors("{*}xref"), None) is None
        and "".join(map(str, xref.itertext())).isdigit()
    )


def _numbers(citation: _Element) -> str:
    """Year, volume, issue and pages in their usual form: `2001;50(3):84-91`."""
    values = {name(part): _line(part) for part in citation if name(part) in _NUMBERS}
    volume = values.get("volume", "") + (f"({values['issue']})" if "issue" in values else "")
    pages = "-".join(values[key] for key in ("fpage", "lpage") if key in values)
    return values.get("year", "") + (f";{volume}" if volume else "") + (f":{pages}" if pages else "")


def _tidy(parts: list[str]) -> str:
    return re.sub(r"\s+", " ", "".join(parts)).strip()
