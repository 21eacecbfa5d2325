"""What every hand-set value and word list is worth: the figures with it a fifth smaller, a fifth larger, or left out.

    python lab/benchmarks/settings_worth.py --data DIR [--every 40]

For the extractive reader: the share of answerable questions (SQuAD 2.0, COVID-QA, CLAPNQ) whose given sentences hold
an answer. For the PDF reader: the share of sentences of the example report's DOCX that its PDF is read with, whole;
DOCX needs no distances.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from questions_data import SETS

import citewell
from citewell.generators.extractive import candidates, patterns, scoring, selection
from citewell.generators.extractive import settings as extractive
from citewell.readers.pdf.geometry import geometry
from citewell.text import data

ROOT = Path(__file__).resolve().parents[2]
CACHES = (
    extractive.aliases,
    extractive.irregular,
    patterns.any_of,
    geometry,
    data.settings,
    data.words,
)


@contextmanager
def changed(place: dict, key: str, value: object) -> Iterator[None]:
    """A value of a data file replaced for a while."""
    before = place[key]
    place[key] = value
    for cached in CACHES:
        cached.cache_clear()
    try:
        yield
    finally:
        place[key] = before
        for cached in CACHES:
            cached.cache_clear()


def answers(folder: Path, every: int) -> Callable[[], float]:
    items = [item for name in ("squad2", "covidqa", "clapnq") for item in SETS[name](folder) if item.gold][::every]

    def measure() -> float:
        hits = 0
        for item in items:
            reading = candidates.read(item.question, [item.document])
            if not len(reading.candidates):
                continue
            chosen = selection.select(reading, scoring.scores(reading, scoring.fitted()), 3)
            segments = [reading.sentences.segments[number] for number in chosen]
            hits += any(g.start < s.end and s.start < g.end for g in item.gold for s in segments)
        return hits / len(items)

    return measure


def pages() -> Callable[[], float]:
    def sentences(name: str) -> set[str]:
        document = citewell.read(str(ROOT / "examples" / name))
        return {"".join(segment.text.split()) for segment in document.segments("sentence")}

    whole = sentences("annual-report.docx")
    return lambda: len(whole & sentences("annual-report.pdf")) / len(whole)


def vary(title: str, package: str, name: str, measure: Callable[[], float]) -> None:
    base = measure()
    content = data.read_json(package, name)
    print(
        f"\n{title}: {100 * base:.1f} as it is; differences in points\n\n| value | a fifth less | a fifth more |\n|---|---|---|"
    )
    for key, (value, what) in content.get("values", {}).items():
        moved = []
        for factor in (0.8, 1.2):
            with changed(content["values"], key, [value * factor, what]):
                moved.append(f"{100 * (measure() - base):+.1f}")
        print(f"| {key} {value} | {' | '.join(moved)} |", flush=True)
    if "lists" in content:
        print("\n| list | without it |\n|---|---|")
        for key in content["lists"]:
            with changed(content["lists"], key, "zzzz"):
                print(f"| {key} | {100 * (measure() - base):+.1f} |", flush=True)
    for key in ("aliases", "irregular"):
        if key in content:
            with changed(content, key, type(content[key])()):
                print(f"| {key} | {100 * (measure() - base):+.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=40, help="use one question in so many")
    options = parser.parse_args()
    request = answers(options.data, options.every)
    vary("Extractive reader, settings", extractive.PACKAGE, "settings.json", request)
    vary("Extractive reader, words", extractive.PACKAGE, "words.json", request)
    vary("PDF reader, geometry", "citewell.readers.pdf", "geometry.json", pages())


if __name__ == "__main__":
    main()
