"""Pages per second of reading PDFs, beside bare pypdfium2, pypdf and pdfplumber, all in one run.

python lab/benchmarks/reading.py --data DIR      # DIR holds financebench/pdfs, or PDFs anywhere below it
"""

from __future__ import annotations

import argparse
import io
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2 as pdfium

import citewell


def bare(data: bytes) -> Iterator[int]:
    """pypdfium2: the text of every page, nothing else."""
    pdf = pdfium.PdfDocument(data)
    for number in range(len(pdf)):
        page = pdf[number]
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
        yield number
    pdf.close()


def whole(data: bytes) -> int:
    """citewell: reading order, blocks, page map, sentences."""
    document = citewell.read(data, name="report.pdf")
    document.segments("sentence")
    return len(document.pages)


def pypdf_pages(data: bytes) -> Iterator[int]:
    import pypdf

    for number, page in enumerate(pypdf.PdfReader(io.BytesIO(data)).pages):
        page.extract_text()
        yield number


def pdfplumber_pages(data: bytes) -> Iterator[int]:
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for number, page in enumerate(pdf.pages):
            page.extract_text()
            page.close()
            yield number


def sampled(files: list[bytes], pages: Callable[[bytes], Iterator[int]], each: int) -> tuple[int, float]:
    """The first `each` pages of every file: pages and seconds, opening included."""
    count, start = 0, time.perf_counter()
    for data in files:
        for number in pages(data):
            count += 1
            if number + 1 == each:
                break
    return count, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("CITEWELL_DATA"), help="folder with PDFs")
    parser.add_argument("--sample", type=int, default=10, help="pages a file for pypdf and pdfplumber")
    parser.add_argument("--repeat", type=int, default=2, help="the best of so many runs counts")
    options = parser.parse_args()
    if not options.data:
        parser.error("give --data DIR or set CITEWELL_DATA")
    folder = Path(options.data)
    preferred = folder / "financebench" / "pdfs"
    paths = sorted((preferred if preferred.is_dir() else folder).rglob("*.pdf"))
    if not paths:
        parser.error(f"no PDFs in {folder}")
    files = [path.read_bytes() for path in paths]
    rows: list[tuple[str, int, float]] = []

    best = {"bare": float("inf"), "ours": float("inf"), "segments": float("inf")}
    total = 0
    for _ in range(options.repeat):
        count, seconds = sampled(files, bare, 1 << 30)
        total, best["bare"] = count, min(best["bare"], seconds)
        start = time.perf_counter()
        assert sum(whole(data) for data in files) == total
        best["ours"] = min(best["ours"], time.perf_counter() - start)
    documents = [citewell.read(data, name="report.pdf") for data in files]
    start = time.perf_counter()
    sentences = sum(len(document.segments("sentence")) for document in documents)
    segmenting = time.perf_counter() - start
    rows.append(("pypdfium2, text only", total, best["bare"]))
    rows.append(("citewell.read, sentences", total, best["ours"]))
    for name, pages in (("pypdf", pypdf_pages), ("pdfplumber", pdfplumber_pages)):
        try:
            rows.append((f"{name} (first {options.sample} pages a file)", *sampled(files, pages, options.sample)))
        except ModuleNotFoundError:
            print(f"{name} is not installed: left out")

    print(f"{len(files)} files, {total} pages, {sentences} sentences; segmenting alone {segmenting:.2f} s")
    print(f"{'reader':40} {'pages':>6} {'seconds':>8} {'pages/s':>8} {'of bare':>8}")
    reference = total / best["bare"]
    for name, count, seconds in rows:
        print(f"{name:40} {count:6} {seconds:8.2f} {count / seconds:8.1f} {count / seconds / reference:8.2f}")

    start, located = time.perf_counter(), 0
    for document in documents:
        segments = document.segments("sentence")
        for segment in segments[:: max(1, len(segments) // 20)]:
            document.locate(segment.start, segment.end)
            located += 1
    print(
        f"rectangles on demand: {(time.perf_counter() - start) / located * 1000:.1f} ms a sentence ({located} sentences)"
    )


if __name__ == "__main__":
    main()
