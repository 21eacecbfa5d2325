"""Words per second of each reader beside a named peer in the same run, on documents generated here.

python lab/benchmarks/reading_formats.py            peers that are not installed are left out
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import formats
from citewell.readers import read


def story(sections: int) -> list[formats.Part]:
    dice = random.Random(1)
    vocabulary = ["".join(dice.choices("abcdefghilmnoprstu", k=dice.randint(2, 9))) for _ in range(5000)]

    def words(count: int) -> str:
        return " ".join(dice.choices(vocabulary, k=count))

    parts = []
    for _ in range(sections):
        parts += [formats.heading(words(5), 2), *(formats.paragraph(words(80)) for _ in range(5))]
        parts += [formats.bullets(*(words(12) for _ in range(4)))]
        parts += [formats.table(*([words(2) for _ in range(4)] for _ in range(6)))]
    return parts


def trafilatura(data: bytes) -> object:
    import trafilatura as peer

    return peer.extract(data)


def beautifulsoup(data: bytes) -> object:
    import bs4

    return bs4.BeautifulSoup(data, "lxml").get_text()


def python_docx(data: bytes) -> object:
    import docx

    document = docx.Document(io.BytesIO(data))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return [paragraph.text for paragraph in document.paragraphs] + cells


def markdown_it(data: bytes) -> object:
    import markdown_it as peer

    return peer.MarkdownIt("commonmark").enable("table").parse(data.decode())


def itertext(data: bytes) -> object:
    from lxml import etree

    return "".join(etree.fromstring(data).itertext())


PEERS: list[tuple[str, str, Callable[[bytes], object]]] = [
    ("page.html", "trafilatura", trafilatura),
    ("page.html", "beautifulsoup4 get_text", beautifulsoup),
    ("report.docx", "python-docx", python_docx),
    ("notes.md", "markdown-it-py (tokens only)", markdown_it),
    ("article.nxml", "lxml itertext (no structure)", itertext),
]


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    html_story = story(100)
    count = len(formats.words(html_story))
    print(f"{count:,} words")
    for name, write in formats.WRITERS.items():
        data = write(html_story)
        ours = seconds(lambda data=data, name=name: read(data, name=name))
        print(f"{name:14} citewell {count / ours:12,.0f} words/s")
        for wanted, label, peer in PEERS:
            if wanted == name:
                try:
                    theirs = seconds(lambda data=data, peer=peer: peer(data))
                except ImportError:
                    print(f"{'':14} {label} is not installed")
                else:
                    print(
                        f"{'':14} {label} {count / theirs:,.0f} words/s; citewell is {theirs / ours:.1f} times as fast"
                    )


if __name__ == "__main__":
    main()
