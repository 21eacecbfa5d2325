"""How well the headings, paths, captions and sentence starts of PDFs are read, on articles printed in several styles.

python lab/benchmarks/structure.py --data DIR [--half chosen|held|all] [--pages FOLDER] [--errors]

Every article is printed by Chromium (Playwright, development only) in each style and read back. Half of the articles
are left out while rules are chosen. `--pages` keeps the PDFs, so that the next run need not print them.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from bisect import bisect_right
from collections import Counter, defaultdict
from pathlib import Path

from structure_articles import STYLES, Article, Style, articles, html, styled

import citewell
from citewell.document import Document
from citewell.text.segments import sentences

LEAST = 25
"""Letters and digits of a sentence that is looked for in the article."""


def key(text: str) -> str:
    """Letters and digits alone, in small letters: blanks and hyphens at line ends do not count."""
    return re.sub(r"[\W_]+", "", text.replace("ß", "ss")).casefold()


class Gold:
    """What is true of an article: its text as keys, one after another, with where each paragraph begins."""

    def __init__(self, article: Article, style: Style) -> None:
        self.headings = Counter(
            [key(article.title), *(key(part.text) for part in article.parts if part.kind == "heading")]
        )
        self.headings["contents"] += style.contents
        self.captions = [part for part in article.parts if part.kind == "caption"]
        self.text, self.at, self.paths, self.starts = "", [0], [()], set()
        path: list[tuple[int, str]] = []
        for part in article.parts:
            if part.kind == "heading":
                path = [item for item in path if item[0] < part.level]
                path.append((part.level, key(part.text)))
            elif part.kind == "paragraph":
                self.at.append(len(self.text))
                self.paths.append(tuple(title for _, title in path))
                self._sentences(part.runs)
                self.text += key(part.text)

    def _sentences(self, runs: tuple[tuple[str, bool], ...]) -> None:
        """Where the sentences of a paragraph begin; a mark behind a sentence belongs to it."""
        plain = "".join(text for text, mark in runs if not mark)
        begins = {span.start for span in sentences(plain)}
        written = position = 0
        for text, mark in runs:
            for char in text:
                if not mark and position in begins:
                    self.starts.add(len(self.text) + written)
                written += len(key(char))
                position += not mark


def score(document: Document, article: Article, style: Style) -> Counter[str]:
    """Counts of what was right, and of what there was, by name."""
    gold, counts = Gold(article, style), Counter[str]()
    title = key(article.title)
    left = gold.headings.copy()
    for segment in document.segments("paragraph"):
        if segment.kind == "heading":
            name = key(segment.text)
            counts["headings read"] += 1
            counts["headings right"] += left[name] > 0
            counts["headings wrong: " + segment.text[:70]] += not left[name] > 0
            left[name] -= 1
    counts["headings"] = gold.headings.total()
    for name, number in left.items():
        counts["headings missed: " + name[:60]] += max(0, number)
    matched = set()
    for segment in document.segments("sentence"):
        text = key(segment.text)
        if segment.kind not in ("paragraph", "list_item") or len(text) < LEAST:
            continue
        counts["sentences read"] += 1
        place = gold.text.find(text)
        if place < 0:
            counts["sentences strange: " + segment.text[:90]] += 1
            continue
        counts["sentences placed"] += 1
        counts["starts right"] += place in gold.starts
        counts["starts wrong: " + segment.text[:60]] += place not in gold.starts
        matched.add(place)
        true = gold.paths[bisect_right(gold.at, place) - 1]
        names = tuple(name for name in map(key, segment.path) if name != title)
        counts["paths right"] += names == true
        counts["paths shown"] += bool(names)
        counts["shown paths right"] += bool(names) and names == true
        counts["innermost right"] += names[-1:] == true[-1:]
        counts["paths clean"] += bool(names) and set(names) <= set(true)
    counts["starts"] = len(gold.starts)
    counts["starts met"] = len(gold.starts & matched)
    blocks = [(block, key(document.text[block.start : block.end])) for block in document.blocks]
    tables = document.tables()
    for part in gold.captions:
        name = key(part.text)
        caption = next((block for block, text in blocks if text == name and block.kind == "caption"), None)
        counts["captions"] += 1
        counts["captions whole"] += caption is not None
        if not caption:
            counts["captions lost: " + part.text[:60]] += 1
        if part.table:
            counts["table captions"] += 1
            bound = any(key(table.title) == name for table in tables)
            counts["captions bound"] += bound
            if caption and not bound:
                counts["captions unbound: " + part.text[:60]] += 1
    return counts


RATES = (
    ("heading precision", "headings right", "headings read"),
    ("heading recall", "headings right", "headings"),
    ("sentences placed", "sentences placed", "sentences read"),
    ("sentence starts, precision", "starts right", "sentences placed"),
    ("sentence starts, recall", "starts met", "starts"),
    ("path right", "paths right", "sentences placed"),
    ("path right where shown", "shown paths right", "paths shown"),
    ("no wrong heading in it", "paths clean", "paths shown"),
    ("innermost heading right", "innermost right", "sentences placed"),
    ("captions whole", "captions whole", "captions"),
    ("captions with their table", "captions bound", "table captions"),
)


def printed(chosen: list[Article], folder: Path) -> None:
    """Print what is not in the folder yet."""
    todo = [(article, style) for article in chosen for style in STYLES if not path_of(folder, article, style).exists()]
    if not todo:
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        page = browser.new_page()
        for article, style in todo:
            page.set_content(html(styled(article, style), style))
            footer = '<div style="font-size:8px;width:100%;padding:0 18mm;font-family:Liberation Sans">'
            page.pdf(
                path=path_of(folder, article, style),
                prefer_css_page_size=True,
                display_header_footer=style.running,
                header_template=f"{footer}Journal of Examples, volume 7, 2024</div>",
                footer_template=f'{footer}Example Press — <span class="pageNumber"></span></div>',
                outline=style.outline,
                tagged=style.outline,
            )
        browser.close()


def path_of(folder: Path, article: Article, style: Style) -> Path:
    return folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', article.name)}.{style.name}.pdf"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=("chosen", "held", "all"), default="chosen")
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--style", choices=[style.name for style in STYLES])
    parser.add_argument("--errors", action="store_true", help="what is wrong, too")
    options = parser.parse_args()
    every = articles(options.data)
    chosen = {"all": every, "chosen": every[::2], "held": every[1::2]}[options.half]
    folder = options.pages or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    printed(chosen, folder)
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for article in chosen:
        for style in STYLES:
            if options.style in (None, style.name):
                path = path_of(folder, article, style)
                counts = score(citewell.read(path), styled(article, style), style)
                groups[style.name] += counts
                groups["all"] += counts
    print(f"{len(chosen)} articles")
    print(f"{'':30}" + "".join(f"{name:>12}" for name in groups))
    for name, part, whole in RATES:
        values = (
            f"{100 * counts[part] / counts[whole]:12.1f}" if counts[whole] else f"{'-':>12}"
            for counts in groups.values()
        )
        print(f"{name:30}" + "".join(values))
    if options.errors:
        for style_name, counts in groups.items():
            wrong = [(name, number) for name, number in counts.items() if ": " in name and number]
            for name, number in sorted(wrong) if style_name != "all" else ():
                print(style_name, number, name)


if __name__ == "__main__":
    main()
