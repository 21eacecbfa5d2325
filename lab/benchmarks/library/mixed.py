"""What documents in other languages change: the questions of `many.py` before and after manual pages are added.

    python lab/benchmarks/library/mixed.py DATA [--size 7416] [--pages /usr/share/man]

The longest thirty pages of each language that the system has, without their markup.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import many
import retrieval

from citewell.document import Document
from citewell.library.asking import ordered
from citewell.text.data import settings

LANGUAGES = ("de", "fr", "es", "it", "nl", "sv", "pl")
EACH = 30
SHORTEST = 1500  # characters


def pages(root: Path) -> Iterator[Document]:
    for language in LANGUAGES:
        paths = sorted((root / language).rglob("*.gz"), key=lambda path: (-path.stat().st_size, path.name))
        for text in map(plain, paths[:EACH]):
            if len(text) > SHORTEST:
                yield Document.from_text(text)


def plain(path: Path) -> str:
    """A manual page without requests and escapes of troff; its paragraphs stay."""
    parts = []
    for line in gzip.decompress(path.read_bytes()).decode("utf-8", "replace").splitlines():
        if line.startswith((".SH", ".SS", ".PP", ".TP", ".IP")):
            parts.append("\n")
        elif not line.startswith((".", "'")):
            parts.append(re.sub(r"\\f.|\\\(..|\\-|\\", "", line))
    return re.sub(r"\n\n+", "\n\n", "\n".join(parts)).strip()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--size", type=int, default=7416)
    parser.add_argument("--pages", type=Path, default=Path("/usr/share/man"))
    args = parser.parse_args()
    queries = many.questions(args.data)
    documents = many.library_of(args.data, {document.id: document for _, document, _, _ in queries}, args.size)
    foreign = list(pages(args.pages))
    fading = float(settings("citewell.library")["fading"])
    first: list[str] = []
    for name, whole in (("before", documents), ("after", [*documents, *foreign])):
        snap = retrieval.snapshot(whole)
        rankings = []
        for _, _, question, _ in queries:
            hits = ((entry.id, hit.score) for entry, hit in snap.search(question, many.DEEP))
            rankings.append([key for key, _ in ordered(hits, fading)][:5])
        right = [sum(item[1].id in ranked[:k] for item, ranked in zip(queries, rankings, strict=True)) for k in (1, 5)]
        best = [ranked[0] if ranked else "" for ranked in rankings]
        changed = sum(old != new for old, new in zip(first or best, best, strict=True))
        displaced = len({document.id for document in foreign}.intersection(best))
        first = best
        print(f"{name}: {len(whole)} documents, first {100 * right[0] / len(queries):.1f}, in five", end=" ")
        print(
            f"{100 * right[1] / len(queries):.1f}; {changed} first places changed, {displaced} foreign documents first"
        )


if __name__ == "__main__":
    main()
