"""Articles whose headings, paragraphs, captions and tables are known, and how they look as HTML in several styles.

Read by `structure.py`, which prints them to PDF and reads them back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from lxml import etree


class Part(NamedTuple):
    """A piece of an article: `text` is in runs, of which the marked ones are references set above the line.

    `kind` is heading, paragraph, caption (of a `table`, or of a figure where that is empty) or contents.
    """

    kind: str
    runs: tuple[tuple[str, bool], ...]
    level: int = 0
    table: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.runs)


class Article(NamedTuple):
    name: str
    title: str
    authors: str
    parts: tuple[Part, ...]


class Style(NamedTuple):
    """How an article is set."""

    name: str
    css: str
    numbered: bool = False
    outline: bool = False
    contents: bool = False
    running: bool = False
    lines: bool = False
    caption_below: bool = False


_PAGE = "@page { size: A4; margin: 22mm 18mm 24mm } body { margin: 0 } p { margin: 0 } td { padding: 1px 6px; text-align: left; vertical-align: top } sup { font-size: 65%; line-height: 0 } figure { margin: 8px 0; break-inside: avoid } .box { height: 90px; border: 1px solid #777 } table { font-size: 85%; border-collapse: collapse; max-width: 100% } .toc div { display: flex } .toc i { flex: 1; border-bottom: 1px dotted #555 } h1, h2, h3, h4, h5 { break-after: avoid } "
_SERIF, _SANS = "font-family: 'Liberation Serif', serif;", "font-family: 'Liberation Sans', sans-serif;"
STYLES = (
    Style(
        "journal",
        f"body {{ {_SERIF} font-size: 12.5px; text-align: justify; columns: 2; column-gap: 24px }} header {{ column-span: all }} h1 {{ font-size: 23px }} h2 {{ font-size: 15px; margin: 14px 0 6px }} h3, h4, h5 {{ font-size: 13px; margin: 10px 0 4px }} p + p {{ text-indent: 14px }}",
        numbered=True,
        running=True,
    ),
    Style(
        "report",
        f"body {{ {_SANS} font-size: 14px; line-height: 1.45 }} h1 {{ font-size: 30px }} h2 {{ font-size: 21px; margin: 26px 0 10px; color: #123f6b }} h3 {{ font-size: 17px; margin: 18px 0 8px }} h4, h5 {{ font-size: 14px; margin: 12px 0 6px }} p {{ margin: 0 0 9px }}",
        outline=True,
        contents=True,
        running=True,
        caption_below=True,
    ),
    Style(
        "even",
        f"body {{ {_SERIF} font-size: 14px; line-height: 1.3; text-align: justify }} h1 {{ font-size: 20px; text-align: center }} h2, h3, h4, h5 {{ font-size: 14px; margin: 12px 0 4px }} h3, h4, h5 {{ font-style: italic }} h4, h5 {{ font-weight: normal }} p + p {{ text-indent: 18px }}",
        running=True,
    ),
    Style(
        "capitals",
        f"body {{ {_SERIF} font-size: 12px; text-align: justify; columns: 2; column-gap: 20px }} header {{ column-span: all; text-align: center }} h1 {{ font-size: 20px; font-weight: normal }} h2 {{ font-size: 12px; font-weight: normal; text-transform: uppercase; text-align: center; margin: 12px 0 5px }} h3, h4, h5 {{ font-size: 12px; font-weight: normal; font-style: italic; margin: 9px 0 4px }} p + p {{ text-indent: 12px }}",
        running=True,
        caption_below=True,
    ),
    Style(
        "manuscript",
        f"body {{ {_SERIF} font-size: 16px }} .body * {{ line-height: 28px !important; margin: 0 }} h1, h2, h3, h4, h5 {{ font-size: 16px }} h3, h4, h5 {{ font-style: italic }} p {{ text-indent: 30px }} .numbers {{ position: fixed; left: 0; top: 0; width: 18px; text-align: right; font-size: 10px; line-height: 28px; color: #444 }} .body {{ margin-left: 30px }}",
        lines=True,
        running=True,
    ),
    Style(
        "numbers",
        f"body {{ {_SANS} font-size: 13px; line-height: 1.4 }} h1 {{ font-size: 22px }} h2, h3, h4, h5 {{ font-size: 13px; margin: 14px 0 5px }} h3, h4, h5 {{ font-weight: normal }} p {{ margin: 0 0 8px }}",
        numbered=True,
        contents=True,
        running=True,
        outline=True,
    ),
)


def html(article: Article, style: Style) -> str:
    """The article as a page to print."""
    out = [f"<h1>{escape(article.title)}</h1>", f"<p>{escape(article.authors)}</p>" if article.authors else ""]
    if style.contents:
        lines = "".join(
            f"<div><span>{escape(part.text)}</span><i></i><span>{2 + number // 3}</span></div>"
            for number, part in enumerate(part for part in article.parts if part.kind == "heading" and part.level < 3)
        )
        out.append(f'<h2>Contents</h2><div class="toc">{lines}</div>')
    head = f"<header>{''.join(out)}</header>"
    out = []
    for part in article.parts:
        runs = "".join(f"<sup>{escape(text)}</sup>" if mark else escape(text) for text, mark in part.runs)
        if part.kind == "heading":
            out.append(f"<h{part.level + 1}>{runs}</h{part.level + 1}>")
        elif part.kind == "caption":
            cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in part.table)
            figure, caption = f"<table>{cells}</table>" if cells else '<div class="box"></div>', f"<p><b>{runs}</b></p>"
            caption = caption.replace("<b>", "").replace("</b>", "") if style.name in ("journal", "even") else caption
            below = style.caption_below or not cells
            out.append(f"<figure>{figure}{caption}</figure>" if below else f"<figure>{caption}{figure}</figure>")
        else:
            out.append(f"<p>{runs}</p>")
    margin = f'<div class="numbers">{"<br>".join(map(str, range(1, 37)))}</div>' if style.lines else ""
    return f"<!doctype html><meta charset=utf-8><title>{escape(article.title)}</title><style>{_PAGE}{style.css}</style>{margin}{head}<div class=body>{''.join(out)}</div>"


def styled(article: Article, style: Style) -> Article:
    """The article with the numbers that its headings have in this style."""
    if not style.numbered:
        return article
    counts = [0] * 6
    parts = []
    for part in article.parts:
        if part.kind == "heading":
            counts[part.level - 1] += 1
            counts[part.level :] = [0] * (6 - part.level)
            number = ".".join(str(max(1, count)) for count in counts[: part.level])
            stop = " " if style.name == "numbers" else ". "
            parts.append(part._replace(runs=((f"{number}{stop}", False), *part.runs)))
        else:
            parts.append(part)
    return article._replace(parts=tuple(parts))


def articles(data: Path) -> list[Article]:
    """All articles of the data folder with their structure, by name."""
    jats = [_jats(path) for path in sorted((data / "evidence_inference" / "nxml").glob("*.nxml"))]
    return [
        *jats,
        *_qasper(data / "qasper" / "original_sample.json"),
        *_wikipedia(data / "natural_questions" / "leval_pages.jsonl"),
    ]


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _runs(element: etree._Element) -> tuple[tuple[str, bool], ...]:
    """The text of an element with its numeric references marked."""
    runs: list[tuple[str, bool]] = []

    def walk(node: etree._Element, *, mark: bool) -> None:
        if isinstance(node.tag, str) and node.tag not in (
            "table-wrap",
            "fig",
            "disp-formula",
            "boxed-text",
            "list",
            "tex-math",
        ):
            inside = mark or (node.tag == "xref" and node.get("ref-type") == "bibr")
            text = "".join(node.itertext())
            inside = inside and re.fullmatch(r"[\d,;–\- ]+", text) is not None
            if node.text:
                runs.append((_squeezed(node.text), inside))
            for child in node:
                walk(child, mark=inside)
        if node.tail and node is not element:
            runs.append((_squeezed(node.tail), mark))

    walk(element, mark=False)
    return _unbracketed(runs)


def _unbracketed(runs: Sequence[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    """References without their brackets and with the commas between them, as they are set above the line."""
    text = "".join(f"\x01{text}\x02" if mark else text for text, mark in runs if text)
    text = re.sub(
        r"\s*[\[(]?(\x01[\d\x01\x02,;–\- ]*\x02)[\])]?",
        lambda m: "\x01" + re.sub(r"[\x01\x02 ]", "", m[1]) + "\x02",
        text,
    )
    text = re.sub(r"(\x01[^\x02]*\x02)([.,])", r"\2\1", text)
    pieces = re.split(r"(\x01[^\x02]*\x02)", text.strip())
    return tuple((piece.strip("\x01\x02"), piece.startswith("\x01")) for piece in pieces if piece.strip("\x01\x02"))


def _jats(path: Path) -> Article:
    root = etree.parse(path, etree.XMLParser(load_dtd=False, no_network=True, huge_tree=True)).getroot()
    for node in root.iter(etree.ProcessingInstruction, etree.Comment):
        node.text = ""
    title = _squeezed("".join(root.find(".//article-title").itertext())).strip()
    names = [
        " ".join(filter(None, (match.findtext("given-names"), match.findtext("surname"))))
        for match in root.findall(".//contrib[@contrib-type='author']/name")
    ]
    parts: list[Part] = []
    abstract = root.find(".//abstract")
    if abstract is not None:
        parts.append(Part("heading", (("Abstract", False),), 1))
        parts.extend(_section(abstract, 1))
    parts.extend(_section(root.find("body"), 0))
    return Article(path.stem, title, ", ".join(names), tuple(part for part in parts if part.text.strip()))


def _section(element: etree._Element, level: int) -> Iterator[Part]:
    for node in element:
        if node.tag == "sec":
            title = node.find("title")
            if title is not None and "".join(title.itertext()).strip():
                yield Part("heading", _runs(title), min(level + 1, 4))
            yield from _section(node, level + 1)
        elif node.tag == "p":
            yield Part("paragraph", _runs(node))
            yield from (_float(text_item) for text_item in node.iter("table-wrap", "fig"))
        elif node.tag in ("table-wrap", "fig"):
            yield _float(node)


def _float(node: etree._Element) -> Part:
    label, caption = node.find("label"), node.find("caption")
    caption_text = " ".join(
        "".join(caption_item.itertext()).strip() for caption_item in (caption if caption is not None else ())
    )
    number = "".join(label.itertext()).strip(" .:") if label is not None else ""
    rows = tuple(
        tuple(_squeezed("".join(cell.itertext())).strip() for cell in row if cell.tag in ("td", "th"))
        for row in node.iter("tr")
    )
    return Part("caption", ((_squeezed(f"{number}. {caption_text}"), False),) if number else (), 0, rows)


def _qasper(path: Path) -> Iterator[Article]:
    text, position, decoder = path.read_text(encoding="utf-8"), 0, json.JSONDecoder()
    while text[position:].strip():
        position += len(text[position:]) - len(text[position:].lstrip())
        paper, position = decoder.raw_decode(text, position)
        parts = [Part("heading", (("Abstract", False),), 1), Part("paragraph", ((paper["abstract"], False),))]
        captions = [
            Part("caption", ((_squeezed(caption_item), False),))
            for caption_item in paper["figures_and_tables"]["caption"]
        ]
        whole = paper["full_text"]
        for name, paragraphs in zip(whole["section_name"], whole["paragraphs"], strict=True):
            names = (name or "").split(" ::: ")
            if names[-1]:
                parts.append(Part("heading", ((names[-1], False),), min(len(names), 4)))
            for paragraph in paragraphs:
                text_of = _squeezed(
                    re.sub(r" ?(?:BIBREF|INLINEFORM|DISPLAYFORM|TABREF|FIGREF|SECREF)\d*", "", paragraph)
                ).strip()
                if text_of:
                    parts.append(Part("paragraph", ((text_of, False),)))
                if captions and len(parts) % 5 == 0:
                    parts.append(captions.pop(0))
        yield Article(paper["id"], paper["title"], "Ann Example, Bo Sample", tuple(parts))


_BLOCK = re.compile(r"<(H[2-4]|P|Li|Table)(?:_[^>]*)?>(.*?)</\1>", re.DOTALL)


def _wikipedia(path: Path) -> Iterator[Article]:
    for line in path.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)["input"]
        title = re.search(r"<H1> (.*?) </H1>", page)
        parts: list[Part] = []
        for tag, inside in _BLOCK.findall(page):
            text = _squeezed(re.sub(r"<[^>]*>", " ", inside)).strip()
            for tight in (r" (?=[.,;:)\]%?!])", r"(?<=[(\[$]) "):
                text = re.sub(tight, "", text)
            if tag[0] == "H" and text not in ("Contents", ""):
                parts.append(Part("heading", ((text, False),), int(tag[1]) - 1))
            elif tag == "P" and text:
                parts.append(Part("paragraph", ((text, False),)))
            if text.startswith(("See also", "References", "Notes")) and tag == "H2":
                parts.pop()
                break
        if title and len(parts) > 9:
            yield Article(title[1], title[1], "", tuple(parts[:400]))
