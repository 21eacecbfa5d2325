"""How well the grids of PDFs' tables fit those of ICDAR 2013: relations between neighbouring cells, as the contest counts.

python lab/benchmarks/tables/icdar.py DATA/icdar2013_tables [--worst] [--found] [--peers]

A table counts where it touches a true region; with --found every table counts that was read, on whatever page.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree
from measures import GridCells, Score, peers, relations

from citewell import read

Box = tuple[float, float, float, float]
Detected = tuple[int, Box, GridCells]


def plain(text: str) -> str:
    """A cell's letters and digits: blanks and signs are written differently by every reader."""
    return re.sub(r"[\W_]+", "", text).lower()


def gold(path: Path) -> list[Detected]:
    """Page, box and cells of each region of a file of true tables."""
    regions = []
    for region in etree.parse(path).iter("region"):
        cells: GridCells = {}
        boxes = []
        for number, cell in enumerate(region.iter("cell")):
            text = plain(cell.findtext("content") or "")
            row, column = int(cell.get("start-row")), int(cell.get("start-col"))
            box = cell.find("bounding-box")
            boxes.append([float(box.get(side)) for side in ("x1", "y1", "x2", "y2")])
            if text:
                for r in range(row, int(cell.get("end-row", row)) + 1):
                    for c in range(column, int(cell.get("end-col", column)) + 1):
                        cells[r, c] = number, text
        if boxes:
            box = (
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            )
            regions.append((int(region.get("page")), box, cells))
    return regions


def ours(path: Path) -> Iterator[Detected]:
    """Page, box (from the top left) and cells of each table that we read, once for each page that it is on."""
    document = read(path)
    for table in document.tables():
        cells = {
            (row, column): (number, plain(cell.text))
            for number, cell in enumerate(table.cells)
            for row in range(cell.row, cell.row + cell.rows)
            for column in range(cell.column, cell.column + cell.columns)
            if plain(cell.text)
        }
        rects = document.locate(table.start, table.end)
        page = rects[0].page
        here = [rect for rect in rects if rect.page == page]
        box = (min(r.x0 for r in here), min(r.y0 for r in here), max(r.x1 for r in here), max(r.y1 for r in here))
        yield page, box, cells


def touches(page: int, box: Box, truth: Sequence[Detected], heights: Sequence[float]) -> bool:
    """Whether a table lies over one of the true ones, whose boxes count from the bottom."""
    return any(
        page == other
        and box[3] > heights[page - 1] - true[3] - 2
        and box[1] < heights[page - 1] - true[1] + 2
        and box[2] > true[0]
        and box[0] < true[2]
        for other, true, _ in truth
    )


def main() -> None:
    """Print precision, recall and F1 over all relations, and the mean over documents, by halves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--worst", action="store_true")
    parser.add_argument("--found", action="store_true")
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    documents: list[tuple[Path, list[Detected], list[float]]] = []
    for path in sorted(options.folder.glob("*.pdf")):
        names = (f"{path.stem}-str.xml", f"{path.stem}a-str.xml")
        truth = [table for name in names if (options.folder / name).exists() for table in gold(options.folder / name)]
        if truth:
            documents.append((path, truth, [page.height for page in read(path).pages]))
    for name, finder in {"citewell": ours, **(peers() if options.peers else {})}.items():
        scores = {}
        totals, spent = [Score(), Score()], time.process_time()
        for number, (path, truth, heights) in enumerate(documents):
            wanted = sum((relations(cells) for _, _, cells in truth), Counter())
            have: Counter[tuple[str, str, str]] = Counter()
            for page, box, cells in finder(path):
                if options.found or touches(page, box, truth, heights):
                    have += relations({place: (n, plain(text)) for place, (n, text) in cells.items() if plain(text)})
            score = Score()
            score.add(wanted, have)
            totals[number % 2] += score
            scores[path.stem] = score.f1
        spent = time.process_time() - spent
        total = totals[0] + totals[1]
        print(
            f"{name}: documents {len(scores)}  precision {total.precision:.1f}  recall {total.recall:.1f}  F1 {total.f1:.1f}  "
            f"mean over documents {sum(scores.values()) / len(scores):.1f}  halves {totals[0].f1:.1f} {totals[1].f1:.1f}  "
            f"{spent:.1f} s"
        )
        if options.worst:
            print(
                *(f"{score:5.1f} {name}" for name, score in sorted(scores.items(), key=lambda item: item[1])), sep="\n"
            )


if __name__ == "__main__":
    main()
