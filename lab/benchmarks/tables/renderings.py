"""Tables of JATS articles, rendered to PDF by Chromium in four styles and read back: cells with both header paths.

python lab/benchmarks/tables/renderings.py DATA/evidence_inference/nxml --pdfs DIR [--half 0|1] [--misses N] [--peers]

What the reader of JATS makes of an article is the truth; its tables are printed with a paragraph between them, and may
break over pages. PDFs that lie in DIR are not made again. Needs Playwright and a Chromium (development only).
"""

from __future__ import annotations

import argparse
import html
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from measures import GridCells, Score, key, peers, relations, resemblance

from citewell import Document, read

STYLES = {
    "ruled": "table{border-collapse:collapse} td,th{border:.5pt solid #000;padding:2pt 4pt}",
    "unruled": "table{border-collapse:collapse} td,th{padding:2pt 7pt}",
    "zebra": "table{border-collapse:collapse} td,th{padding:2pt 7pt} thead{background:#ccc} "
    "tbody tr:nth-child(even){background:#eee}",
    "narrow": "table{border-collapse:collapse;width:270pt;font:7pt/1.2 sans-serif;border-bottom:.7pt solid #000} "
    "td,th{padding:1pt 4pt} thead{border-top:.7pt solid #000;border-bottom:.5pt solid #000}",
}
PAGE = (
    "@page{size:A4;margin:2cm} body{font:10pt/1.3 serif} table{font-size:8.5pt;margin:6pt 0 12pt} tr{break-inside:avoid} "
    "td,th{text-align:left;vertical-align:top} th{font-weight:bold} p{text-align:justify} .caption{font-weight:bold}"
)
_INLINE = {"italic": "i", "bold": "b", "sup": "sup", "sub": "sub", "underline": "u", "break": "br"}
_ROWS = {"thead", "tbody", "tfoot", "tr", "td", "th"}
CHROMIUM = "/usr/bin/chromium"


class Item(NamedTuple):
    """A value cell by what it says and where it stands."""

    text: str
    row_path: str
    column_path: str


def markup(element: etree._Element) -> str:
    """A table's element as HTML, spans and alignment kept."""
    kind = etree.QName(element).localname if isinstance(element.tag, str) else ""
    inner = html.escape(element.text or "") + "".join(
        markup(child) + html.escape(child.tail or "") for child in element if isinstance(child.tag, str)
    )
    if kind in _INLINE:
        return f"<{_INLINE[kind]}>{inner}</{_INLINE[kind]}>"
    if kind in _ROWS:
        kept = {name: element.get(name) for name in ("colspan", "rowspan", "align") if element.get(name)}
        kept = {
            "style" if name == "align" else name: f"text-align:{v}" if name == "align" else v
            for name, v in kept.items()
        }
        return (
            f"<{kind}"
            + "".join(f' {name}="{html.escape(value)}"' for name, value in kept.items())
            + f">{inner}</{kind}>"
        )
    return inner


def page(article: Path, style: str) -> str:
    """The article's tables as a page of HTML, a paragraph of its text before each."""
    root = etree.parse(article).getroot()
    paragraphs = [" ".join("".join(p.itertext()).split()) for p in root.iterfind(".//{*}body//{*}p")]
    paragraphs = [text for text in paragraphs if len(text) > 300]
    parts = []
    for number, wrap in enumerate(root.iter("{*}table-wrap")):
        label, caption = (
            " ".join("".join(e.itertext()).split()) if (e := wrap.find(f"{{*}}{n}")) is not None else ""
            for n in ("label", "caption")
        )
        parts.append(f"<p>{html.escape(paragraphs[number % len(paragraphs)])}</p>" if paragraphs else "")
        parts.append(f'<p class="caption">{html.escape(label)}. {html.escape(caption)}</p>')
        parts.extend(f"<table>{markup(table)}</table>" for table in wrap.iter("{*}table"))
    return f'<meta charset="utf-8"><style>{PAGE} {STYLES[style]}</style>{"".join(parts)}'


def render(articles: list[Path], folder: Path) -> None:
    """Print what is not printed yet."""
    wanted = [(article, style) for article in articles for style in STYLES]
    wanted = [(a, s) for a, s in wanted if not (folder / f"{a.stem}-{s}.pdf").exists()]
    if not wanted:
        return
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        tab = browser.new_page()
        for article, style in wanted:
            tab.set_content(page(article, style))
            tab.pdf(path=str(folder / f"{article.stem}-{style}.pdf"), prefer_css_page_size=True, print_background=True)
        browser.close()


def items(document: Document) -> Counter[Item]:
    """The value cells of a document's tables."""
    return Counter(
        Item(key(cell.text), key(" ".join(cell.row_path)), key(" ".join(cell.column_path)))
        for table in document.tables()
        for cell in table.values()
        if key(cell.text)
    )


def grids(document: Document) -> Iterator[GridCells]:
    """The cells of each table by place."""
    for table in document.tables():
        yield {
            (row, column): (number, key(cell.text))
            for number, cell in enumerate(table.cells)
            for row in range(cell.row, cell.row + cell.rows)
            for column in range(cell.column, cell.column + cell.columns)
            if key(cell.text)
        }


def main() -> None:
    """Print cell F1 with paths, how many cells' paths are right, and F1 of relations, by style and half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pdfs", type=Path, required=True)
    parser.add_argument("--half", type=int)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--article", default="")
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    articles = sorted(options.folder.glob("*.nxml"))
    render(articles, options.pdfs)
    missed = options.misses
    for half in (0, 1) if options.half is None else (options.half,):
        total = Score()
        for style in STYLES:
            score, texts, structure, alike = Score(), Score(), Score(), []
            for article in articles[half::2]:
                if options.article not in article.stem:
                    continue
                truth = read(article)
                document = read(options.pdfs / f"{article.stem}-{style}.pdf")
                wanted, have = items(truth), items(document)
                score.add(wanted, have)
                texts.add(Counter(i.text for i in wanted.elements()), Counter(i.text for i in have.elements()))
                gold, ours = list(grids(truth)), list(grids(document))
                structure.add(sum(map(relations, gold), Counter()), sum(map(relations, ours), Counter()))
                alike += [max((resemblance(g, o) for o in ours), default=0.0) for g in gold]
                if missed > 0:
                    print(f"  {article.stem} {style}: {len(gold)} tables, {len(ours)} read")
                    for sign, rest in (("-", wanted - have), ("+", have - wanted)):
                        for item in list(rest.elements())[:missed]:
                            print("    ", sign, *item, sep=" ; ")
            total += score
            print(
                f"half {half} {style:8} cells P {score.precision:.1f} R {score.recall:.1f} F1 {score.f1:.1f}  "
                f"text alone {texts.f1:.1f}  paths right {100 * score.same / max(1, texts.same):.1f}  "
                f"relations F1 {structure.f1:.1f}  GriTS {100 * sum(alike) / max(1, len(alike)):.1f}"
            )
        print(f"half {half} all      cells F1 {total.f1:.1f}  ({total.wanted} cells)")
        if options.peers:
            for name, finder in peers().items():
                for style in STYLES:
                    structure, alike, spent = Score(), [], 0.0
                    for article in articles[half::2]:
                        gold = list(grids(read(article)))
                        begun = time.process_time()
                        theirs = [cells for _, _, cells in finder(options.pdfs / f"{article.stem}-{style}.pdf")]
                        spent += time.process_time() - begun
                        structure.add(sum(map(relations, gold), Counter()), sum(map(relations, theirs), Counter()))
                        alike += [max((resemblance(g, o) for o in theirs), default=0.0) for g in gold]
                    print(
                        f"half {half} {style:8} {name}: relations F1 {structure.f1:.1f}  "
                        f"GriTS {100 * sum(alike) / max(1, len(alike)):.1f}  {spent:.1f} s"
                    )


if __name__ == "__main__":
    main()
