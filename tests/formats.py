"""Documents in every format but PDF, written from one description: what a test says is in the file is in the file.

story = [heading("Results"), paragraph("Revenue rose."), table(["Item", "2022"], ["Revenue", "5.9"])]
html(story), docx(story), markdown(story), jats(story), plain(story)   # bytes
words(story)                                                          # every visible word, in order
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.message import EmailMessage
from typing import NamedTuple
from xml.sax.saxutils import escape

from hypothesis import strategies as st


class Part(NamedTuple):
    """A heading, paragraph, list, table or piece of code; `rows` are its texts, cell by cell."""

    kind: str
    rows: tuple[tuple[str, ...], ...]
    level: int = 0


Story = Sequence[Part]


def heading(text: str, level: int = 1) -> Part:
    return Part("heading", ((text,),), level)


def paragraph(text: str) -> Part:
    return Part("paragraph", ((text,),))


def bullets(*items: str) -> Part:
    return Part("list", tuple((item,) for item in items))


def table(*rows: Sequence[str]) -> Part:
    return Part("table", tuple(tuple(row) for row in rows))


def code(text: str) -> Part:
    return Part("code", ((text,),))


def words(story: Story) -> list[str]:
    """Every visible word, in reading order."""
    return [word for part in story for row in part.rows for cell in row for word in cell.split()]


def html(story: Story, title: str | None = None, *, head: str = "", before: str = "", after: str = "") -> bytes:
    """An HTML page; `before` and `after` are raw HTML around the text."""
    body = []
    for part in story:
        texts = [[escape(cell) for cell in row] for row in part.rows]
        if part.kind == "heading":
            body.append(f"<h{part.level}>{texts[0][0]}</h{part.level}>")
        elif part.kind == "list":
            body.append("<ul>" + "".join(f"<li>{row[0]}</li>" for row in texts) + "</ul>")
        elif part.kind == "table":
            rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in texts)
            body.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        else:
            tag = "pre" if part.kind == "code" else "p"
            body.append(f"<{tag}>{texts[0][0]}</{tag}>")
    name = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<!doctype html><html><head><meta charset="utf-8">{name}{head}</head>'
        f"<body>{before}{''.join(body)}{after}</body></html>"
    ).encode()


def markdown(story: Story, title: str | None = None) -> bytes:
    """A Markdown file; every mark inside the texts is escaped."""

    def safe(text: str) -> str:
        return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)

    blocks = [f'---\ntitle: "{title}"\n---'] if title else []
    for part in story:
        if part.kind == "code":
            blocks.append(f"```\n{part.rows[0][0]}\n```")
            continue
        texts = [[safe(cell) for cell in row] for row in part.rows]
        if part.kind == "heading":
            blocks.append("#" * part.level + " " + texts[0][0])
        elif part.kind == "list":
            blocks.append("\n".join(f"- {row[0]}" for row in texts))
        elif part.kind == "table":
            lines = ["| " + " | ".join(row) + " |" for row in texts]
            blocks.append("\n".join([lines[0], "|" + " --- |" * len(texts[0]), *lines[1:]]))
        else:
            blocks.append(texts[0][0])
    return "\n\n".join(blocks).encode()


def plain(story: Story, title: str | None = None) -> bytes:
    """A text file: headings underlined, paragraphs apart."""
    blocks = []
    for part in story:
        if part.kind == "table":
            blocks.append("\n".join("\t".join(row) for row in part.rows))
        elif part.kind == "list":
            blocks.append("\n".join(row[0] for row in part.rows))
        else:
            blocks.append(part.rows[0][0])
    return "\n\n".join(blocks).encode()


def jats(story: Story, title: str | None = None, *, front: str = "", back: str = "", doctype: str = "") -> bytes:
    """A JATS article; headings open sections inside one another."""
    body: list[str] = []
    open_levels: list[int] = []
    for part in story:
        texts = [[escape(cell) for cell in row] for row in part.rows]
        if part.kind == "heading":
            while open_levels and open_levels[-1] >= part.level:
                open_levels.pop()
                body.append("</sec>")
            open_levels.append(part.level)
            body.append(f"<sec><title>{texts[0][0]}</title>")
        elif part.kind == "list":
            items = "".join(f"<list-item><p>{row[0]}</p></list-item>" for row in texts)
            body.append(f"<list>{items}</list>")
        elif part.kind == "table":
            rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in texts)
            body.append(f"<table-wrap><table><tbody>{rows}</tbody></table></table-wrap>")
        else:
            tag = "preformat" if part.kind == "code" else "p"
            body.append(f"<{tag}>{texts[0][0]}</{tag}>")
    name = f"<title-group><article-title>{escape(title)}</article-title></title-group>" if title else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{doctype}<article><front><article-meta>{name}{front}</article-meta>'
        f"</front><body>{''.join(body)}{'</sec>' * len(open_levels)}</body><back>{back}</back></article>"
    ).encode()


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_NUMBERED = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'


def _style(key: str, name: str, more: str = "") -> str:
    return f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'


# As a German Word writes them: the keys are translated, the names are not.
_STYLES = f"<w:styles {_W}>" + "".join(
    [
        _style("Titel", "Title"),
        _style("Beschriftung", "caption"),
        _style("Verzeichnis1", "toc 1"),
        _style("Liste", "List Bullet", _NUMBERED),
        _style("Eigene", "Our own", '<w:basedOn w:val="Berschrift2"/>'),
        *(_style(f"Berschrift{n}", f"heading {n}") for n in range(1, 10)),
        "</w:styles>",
    ]
)


def run(text: str, properties: str = "") -> str:
    """A run of WordprocessingML."""
    message = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{message}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def word_paragraph(inside: str, style: str = "") -> str:
    """A paragraph of WordprocessingML around runs."""
    message = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{message}{inside}</w:p>"


def word_table(*rows: Sequence[str]) -> str:
    """A table of WordprocessingML; cells are raw block XML."""
    texts = ("".join(f"<w:tc>{cell}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in texts) + "</w:tbl>"


def docx(
    story: Story,
    title: str | None = None,
    *,
    extra: str = "",
    footnotes: Mapping[int, str] | None = None,
    members: Mapping[str, bytes] | None = None,
    without: Sequence[str] = (),
) -> bytes:
    """A Word document; `extra` is raw block XML at its end, `members` more files, `without` files left out."""
    body = []
    for part in story:
        if part.kind == "table":
            body.append(word_table(*([word_paragraph(run(cell)) for cell in row] for row in part.rows)))
            continue
        style = {"heading": f"Berschrift{part.level}", "list": "Liste"}.get(part.kind, "")
        body.extend(word_paragraph(run(row[0]), style) for row in part.rows)
    notes = "".join(
        f'<w:footnote w:id="{key}">{word_paragraph(run(text))}</w:footnote>' for key, text in (footnotes or {}).items()
    )
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relations({"officeDocument": "word/document.xml", "core-properties": "docProps/core.xml"}),
        "word/document.xml": f"<w:document {_W}><w:body>{''.join(body)}{extra}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relations({"styles": "styles.xml", "footnotes": "footnotes.xml"}),
        "word/styles.xml": _STYLES,
        "word/footnotes.xml": f"<w:footnotes {_W}>{notes}</w:footnotes>",
        "docProps/core.xml": '<cp:p xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title or '')}</dc:title></cp:p>",
    }
    files = {name: text for name, text in files.items() if name not in without}
    return archive({**{name: text.encode() for name, text in files.items()}, **(members or {})})


def archive(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return buffer.getvalue()


def _relations(targets: Mapping[str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/{role}" Target="{target}"/>'
        for number, (role, target) in enumerate(targets.items())
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inside}</Relationships>'
    )


def odt(
    story: Story,
    title: str | None = None,
    *,
    extra: str = "",
    styles: str = "",
    members: Mapping[str, bytes] | None = None,
    without: Sequence[str] = (),
) -> bytes:
    """An OpenDocument text; `extra` is raw XML at the end of its body, `styles` raw automatic styles."""
    body = []
    for part in story:
        texts = [[escape(cell) for cell in row] for row in part.rows]
        if part.kind == "heading":
            body.append(f'<text:h text:outline-level="{part.level}">{texts[0][0]}</text:h>')
        elif part.kind == "list":
            items = "".join(f"<text:list-item><text:p>{row[0]}</text:p></text:list-item>" for row in texts)
            body.append(f"<text:list>{items}</text:list>")
        elif part.kind == "table":
            cells = (
                "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
                for row in texts
            )
            body.append(
                f"<table:table>{''.join(f'<table:table-row>{row}</table:table-row>' for row in cells)}</table:table>"
            )
        else:
            body.append(f"<text:p>{texts[0][0]}</text:p>")
    spaces = "".join(f' xmlns:{name}="urn:{name}"' for name in ("office", "text", "table", "style", "fo", "draw"))
    files = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content{spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{''.join(body)}{extra}</office:text></office:body></office:document-content>",
        "meta.xml": f'<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title or "")}</dc:title></m>',
    }
    files = {name: text for name, text in files.items() if name not in without}
    return archive({**{name: text.encode() for name, text in files.items()}, **(members or {})})


def epub(
    story: Story,
    title: str | None = None,
    *,
    chapters: Mapping[str, bytes] | None = None,
    contents: bytes | None = None,
    spine: Sequence[str] | None = None,
    members: Mapping[str, bytes] | None = None,
) -> bytes:
    """An EPUB book: the story's file, then more chapters by their paths; `contents` is its navigation file."""
    texts = {"text/one.xhtml": html(story), **(chapters or {})}
    items = [f'<item id="{path}" href="{path}" media-type="application/xhtml+xml"/>' for path in texts]
    if contents is not None:
        items.append('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>')
    order = "".join(f'<itemref idref="{path}"/>' for path in (spine if spine is not None else texts))
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title or '')}</dc:title></metadata><manifest>{''.join(items)}</manifest>"
        f"<spine>{order}</spine></package>"
    )
    files = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": b'<c><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></c>',
        "OPS/book.opf": opf.encode(),
        **({"OPS/nav.xhtml": contents} if contents is not None else {}),
        **{f"OPS/{path}": text for path, text in texts.items()},
    }
    return archive({**files, **(members or {})})


_R = f'xmlns:r="{_OFFICE}"'


def sheet(cells: Mapping[str, str], more: str = "", before: str = "") -> str:
    """A sheet of SpreadsheetML: the raw XML of each cell's inside by its place, row by row; numbers as they are."""
    rows: dict[int, list[str]] = {}
    for place, inside in cells.items():
        match = re.fullmatch(r"([A-Z]+)(\d+)((?: \w+=\S+)*)", place)
        text = "".join(f" {name}" for name in re.sub(r"=(\S+)", r'="\1"', match[3]).split())
        rows.setdefault(int(match[2]), []).append(f'<c r="{match[1]}{match[2]}"{text}>{inside}</c>')
    body = "".join(f'<row r="{number}">{"".join(row)}</row>' for number, row in rows.items())
    return f"<worksheet>{before}<sheetData>{body}</sheetData>{more}</worksheet>"


def xlsx(
    story: Story = (),
    title: str | None = None,
    *,
    sheets: Sequence[tuple[str, str]] | None = None,
    codes: Sequence[str] = (),
    state: Mapping[str, str] | None = None,
    properties: str = "",
    members: Mapping[str, bytes] | None = None,
    without: Sequence[str] = (),
) -> bytes:
    """A workbook: a story with a sheet for each heading, or sheets of raw XML by their names.

    `codes` are formats: style 1 is the first. `state` says of a sheet that it is hidden.
    """
    pages = list(sheets) if sheets is not None else list(_story_sheets(story))
    formats = "".join(
        f'<numFmt numFmtId="{200 + n}" formatCode="{escape(code, {chr(34): "&quot;"})}"/>'
        for n, code in enumerate(codes)
    )
    styles = "".join(f'<xf numFmtId="{200 + n}"/>' for n in range(len(codes)))
    entries = "".join(
        f'<sheet name="{escape(called, {chr(34): "&quot;"})}" sheetId="{n}" state="{(state or {}).get(called, "visible")}" r:id="r{n - 1}"/>'
        for n, (called, _) in enumerate(pages, start=1)
    )
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(len(pages))
    )
    files = {
        "_rels/.rels": _relations({"officeDocument": "xl/workbook.xml", "core-properties": "docProps/core.xml"}),
        "xl/workbook.xml": f"<workbook {_R}><workbookPr {properties}/><sheets>{entries}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        f'{relations}<Relationship Id="s" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet><numFmts>{formats}</numFmts><cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>',
        **{f"xl/worksheets/sheet{n}.xml": content for n, (_, content) in enumerate(pages)},
        "docProps/core.xml": f"<p><title>{escape(title or '')}</title></p>",
    }
    files = {name: text for name, text in files.items() if name not in without}
    return archive({**{name: text.encode() for name, text in files.items()}, **(members or {})})


def _story_sheets(story: Story) -> Iterator[tuple[str, str]]:
    called, rows = "", list[Sequence[str]]()
    for part in [*story, None]:
        if part is None or part.kind == "heading":
            cells = {
                f"{chr(65 + column)}{number} t=inlineStr": f"<is><t>{escape(text)}</t></is>"
                for number, row in enumerate(rows, start=1)
                for column, text in enumerate(row)
            }
            if called or cells:
                # A sheet without a cell is left out: the name of the heading stands in one, not beside it.
                yield (
                    (called, sheet(cells))
                    if cells
                    else ("", sheet({"A1 t=inlineStr": f"<is><t>{escape(called)}</t></is>"}))
                )
            called, rows = (part.rows[0][0], []) if part else ("", [])
        else:
            rows += [(), *part.rows]


def pptx(
    story: Story,
    title: str | None = None,
    *,
    slides: Sequence[str] | None = None,
    notes: Mapping[int, str] | None = None,
    members: Mapping[str, bytes] | None = None,
    without: Sequence[str] = (),
) -> bytes:
    """A presentation: a story with a slide for each heading, or slides of raw shapes; `notes` are shapes by slide."""
    pages = list(slides) if slides is not None else list(_story_slides(story))
    entries = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(pages)))
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/slide" Target="slides/slide{n}.xml"/>' for n in range(len(pages))
    )
    space = f'xmlns:p="urn:p" xmlns:a="urn:a" {_R}'
    files = {
        "_rels/.rels": _relations({"officeDocument": "ppt/presentation.xml", "core-properties": "docProps/core.xml"}),
        "ppt/presentation.xml": f'<p:presentation {space}><p:sldIdLst>{entries}</p:sldIdLst><p:sldSz cx="9000" cy="6000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": f"<Relationships>{relations}</Relationships>",
        **{f"ppt/slides/slide{n}.xml": _tree("sld", page) for n, page in enumerate(pages)},
        **{f"ppt/notesSlides/n{n}.xml": _tree("notes", inside) for n, inside in (notes or {}).items()},
        **{
            f"ppt/slides/_rels/slide{n}.xml.rels": _relations({"notesSlide": f"../notesSlides/n{n}.xml"})
            for n in notes or {}
        },
        "docProps/core.xml": f"<p><title>{escape(title or '')}</title></p>",
    }
    files = {name: text for name, text in files.items() if name not in without}
    return archive({**{name: text.encode() for name, text in files.items()}, **(members or {})})


def _tree(kind: str, shapes: str) -> str:
    show, _, shapes = shapes.rpartition("\f")
    return f'<p:{kind} xmlns:p="urn:p" xmlns:a="urn:a" {show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{kind}>'


def shape(*paragraphs: str, kind: str = "", place: str = "", drawn: str = "") -> str:
    """A shape of PresentationML with paragraphs of text; `kind` is what it is the placeholder of."""
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    texts = "".join(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>" for text in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" {drawn}/><p:nvPr>{holder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody>{texts}</p:txBody></p:sp>"
    )


def slide_table(*rows: Sequence[str]) -> str:
    """A table of PresentationML."""
    text = "".join(
        "<a:tr>"
        + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{escape(cell)}</a:t></a:r></a:p></a:txBody></a:tc>" for cell in row)
        + "</a:tr>"
        for row in rows
    )
    return f'<p:graphicFrame><a:graphic><a:graphicData uri="t"><a:tbl>{text}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>'


def _story_slides(story: Story) -> Iterator[str]:
    shapes: list[str] = []
    for part in story:
        if part.kind == "heading":
            yield from ["".join(shapes)] if shapes else []
            shapes = [shape(part.rows[0][0], kind="title")]
        elif part.kind == "table":
            shapes.append(slide_table(*part.rows))
        else:
            shapes.append(shape(*(row[0] for row in part.rows), kind="body" if part.kind == "list" else ""))
    yield "".join(shapes)


def eml(story: Story, title: str | None = None) -> bytes:
    """An e-mail with a story in both forms, and a message inside it."""
    email_message, inner = EmailMessage(), EmailMessage()
    email_message["Subject"], email_message["From"], email_message["Message-ID"] = (
        title or "A story",
        "me@example.org",
        "<1@example.org>",
    )
    email_message.set_content(plain(story).decode())
    email_message.add_alternative(html(story).decode(), subtype="html")
    inner.set_content("Inside.")
    email_message.add_attachment(inner)
    return email_message.as_bytes()


WRITERS: dict[str, Callable[..., bytes]] = {
    "page.html": html,
    "notes.md": markdown,
    "report.docx": docx,
    "article.nxml": jats,
    "text.txt": plain,
    "report.odt": odt,
    "book.epub": epub,
    "figures.xlsx": xlsx,
    "talk.pptx": pptx,
}

_LETTERS = st.characters(categories=["Lu", "Ll", "Lo", "Nd"], max_codepoint=0x30000)
_MARKS = st.sampled_from(
    [".", ",", "&", "<", ">", "'", '"', "%", "$", "#", "*", "_", "-", "(", ")", "|", "\\", "`", "~"]
)
_WORDS = st.builds("".join, st.tuples(_LETTERS, st.text(st.one_of(_LETTERS, _MARKS), max_size=6), _LETTERS))


def texts(most: int = 12) -> st.SearchStrategy[str]:
    """Words of many scripts with characters that mean something in one of the formats."""
    # A bar apart is what parts cells in the canonical text, so that a test could not tell it from one.
    return st.lists(_WORDS, min_size=1, max_size=most).map(" ".join)


def stories() -> st.SearchStrategy[list[Part]]:
    """Documents of all kinds of blocks."""
    wide = st.integers(2, 4).flatmap(
        lambda columns: st.lists(st.lists(texts(3), min_size=columns, max_size=columns), min_size=1, max_size=4)
    )
    part = st.one_of(
        st.builds(heading, texts(5), st.integers(1, 6)),
        st.builds(paragraph, texts()),
        st.lists(texts(5), min_size=1, max_size=4).map(lambda items: bullets(*items)),
        wide.map(lambda rows: table(*rows)),
        st.builds(code, texts()),
    )
    return st.lists(part, min_size=1, max_size=8)
