"""How well the grids of PDFs' tables fit those of ICDAR 2013: relations between neighbouring cells, as the contest counts.

python benchmarks/tables/icdar.py DATA/icdar2013_tables [--worst]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

from lxml import etree

from citewell import read

Cells = dict[tuple[int, int], str]


def plain(text: str) -> str:
    """A cell's letters and digits: blanks and signs are written differently by every reader."""
    return re.sub(r"[\W_]+", "", text).lower()


def relations(owners: Cells) -> Counter[tuple[str, str, str]]:
    """Pairs of neighbouring cells with text, empty ones skipped: (text, text, direction)."""
    found: set[tuple[int, int, str]] = set()
    texts: list[str] = []
    numbers: dict[str, int] = {}
    ids: dict[tuple[int, int], int] = {}
    for place, key in owners.items():
        if key not in numbers:
            numbers[key] = len(texts)
            texts.append(key.partition("\0")[2])
        ids[place] = numbers[key]
    rows = 1 + max((row for row, _ in ids), default=-1)
    columns = 1 + max((column for _, column in ids), default=-1)
    for (row, column), own in ids.items():
        for along, way in (((0, 1), "across"), ((1, 0), "down")):
            r, c = row + along[0], column + along[1]
            while r < rows and c < columns and ((r, c) not in ids or ids[r, c] == own):
                r, c = r + along[0], c + along[1]
            if (r, c) in ids:
                found.add((own, ids[r, c], way))
    return Counter((texts[a], texts[b], way) for a, b, way in found)


def gold(path: Path) -> list[tuple[int, tuple[float, float, float, float], Cells]]:
    """Page, box and cells of each region of a file of true tables."""
    regions = []
    for region in etree.parse(path).iter("region"):
        cells: Cells = {}
        boxes = []
        for number, cell in enumerate(region.iter("cell")):
            text = plain(cell.findtext("content") or "")
            row, column = int(cell.get("start-row")), int(cell.get("start-col"))
            box = cell.find("bounding-box")
            boxes.append([float(box.get(side)) for side in ("x1", "y1", "x2", "y2")])
            if text:
                for r in range(row, int(cell.get("end-row", row)) + 1):
                    for c in range(column, int(cell.get("end-col", column)) + 1):
                        cells[r, c] = f"{number}\0{text}"
        if boxes:
            box = (
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            )
            regions.append((int(region.get("page")), box, cells))
    return regions


def main() -> None:
    """Print precision, recall and F1 over all relations, and the mean over documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--worst", action="store_true")
    options = parser.parse_args()
    right = ours = theirs = 0
    scores: list[tuple[float, str]] = []
    for path in sorted(options.folder.glob("*.pdf")):
        truth: list[tuple[int, tuple[float, float, float, float], Cells]] = []
        for name in (f"{path.stem}-str.xml", f"{path.stem}a-str.xml"):
            if (options.folder / name).exists():
                truth += gold(options.folder / name)
        if not truth:
            continue
        document = read(path)
        wanted: Counter[tuple[str, str, str]] = Counter()
        for _, _, cells in truth:
            wanted += relations(cells)
        regions = [(page, box, document.pages[page - 1].height) for page, box, _ in truth]
        have: Counter[tuple[str, str, str]] = Counter()
        for table in document.tables():
            rects = document.locate(table.start, table.end)
            inside = any(
                rect.page == page
                and rect.y1 > height - box[3] - 2
                and rect.y0 < height - box[1] + 2
                and rect.x1 > box[0]
                and rect.x0 < box[2]
                for rect in rects
                for page, box, height in regions
            )
            if inside:  # where a table lies is not what is measured: the true regions are given
                cells = {}
                for number, cell in enumerate(table.cells):
                    text = plain(cell.text)
                    for r in range(cell.row, cell.row + cell.rows):
                        for c in range(cell.column, cell.column + cell.columns):
                            if text:
                                cells[r, c] = f"{number}\0{text}"
                have += relations(cells)
        same = sum((wanted & have).values())
        right, ours, theirs = right + same, ours + sum(have.values()), theirs + sum(wanted.values())
        scores.append((2 * same / max(1, sum(have.values()) + sum(wanted.values())), path.stem))
    precision, recall = right / max(1, ours), right / max(1, theirs)
    print(f"documents {len(scores)}  precision {100 * precision:.1f}  recall {100 * recall:.1f}")
    print(
        f"F1 {200 * right / max(1, ours + theirs):.1f}  mean over documents {100 * sum(s for s, _ in scores) / len(scores):.1f}"
    )
    if options.worst:
        print(*(f"{100 * score:5.1f} {name}" for score, name in sorted(scores)), sep="\n")


if __name__ == "__main__":
    main()
