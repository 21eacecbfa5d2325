"""Counts over the surfaces: shapes of providers, what `--fixed` keeps and mends, marks, refusals.

python lab/benchmarks/surfaces.py [--record]
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import citewell
from citewell.abstain.declining import Declining
from citewell.audit.edit import edited
from citewell.document import Document
from citewell.errors import CitewellError

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
SHAPES, MARKS, REFUSALS = "provider_shapes.py", "text/data/marks.json", "abstain/data/refusals.json"
_FIRST, _SECOND = "The port handled 5.2 million tonnes in 2024", "It employs 412 people."
_PORT = f"{_FIRST}. {_SECOND} The quay is 900 metres long."


def count_shapes() -> tuple[int, int, int, int]:
    """The shapes, those read rightly, and of two citations each how many are kept and how many mended."""
    sys.path.insert(0, str(TESTS))
    made: Any = importlib.import_module("provider_shapes")
    read = kept = mended = 0
    for make, documents in made.SHAPES.values():
        right, wrong = (made.FIRST, made.SECOND), (made.SECOND, made.FIRST)
        try:
            audits = [citewell.audit(make(*quotes), documents) for quotes in (right, wrong)]
        except CitewellError:
            continue
        figures = [(found.precision, found.recall) for found in audits]
        read += figures == [(1.0, 1.0), (0.0, 0.0)] and len(audits[0].citations) >= 2
        kept, mended = kept + _holding(audits[0], documents), mended + _holding(audits[1], documents)
    return len(made.SHAPES), read, kept, mended


def _holding(found: Any, documents: list[Document]) -> int:
    """The statements of the mended response that have citations, all of which support."""
    fixed = edited(found)
    again = citewell.audit(fixed if isinstance(fixed, str) else json.loads(json.dumps(fixed)), documents)
    cited: dict[int, list[bool]] = {}
    for entry in again.citations:
        if entry.statement is not None:
            cited.setdefault(entry.statement, []).append(entry.supports)
    return sum(all(supports) for supports in cited.values())


def count_marks(marks: list[str]) -> int:
    """The marks that are set aside before a full stop and behind it."""
    document, clean = Document.from_text(_PORT), 0
    for mark in marks:
        blank = "" if mark[0] in "¹²³†‡" else " "
        texts = [f"{_FIRST}{blank}{mark}. {_SECOND}", f"{_FIRST}.{blank}{mark} {_SECOND}"]
        clean += all(citewell.attribute(document, text).marked == f"{_FIRST}. [1] {_SECOND} [2]" for text in texts)
    return clean


def main() -> int:
    """Print the counts, or record them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write the counts into the store of figures")
    recording = parser.parse_args().record
    shapes, read, kept, mended = count_shapes()
    marks = json.loads((TESTS / MARKS).read_text(encoding="utf-8"))
    wordings = json.loads((TESTS / REFUSALS).read_text(encoding="utf-8"))
    declining = Declining()
    refused = {name: sum(map(declining.declines, texts)) for name, texts in wordings.items()}
    groups: list[tuple[str, str, dict[str, tuple[float | str, int]]]] = [
        (SHAPES, "chosen on", {"shapes": (read, shapes), "kept": (kept, 2 * shapes), "mended": (mended, 2 * shapes)}),
        (MARKS, "chosen on", {"marks": (count_marks(marks["forms"]), len(marks["forms"]))}),
        (MARKS, "first sight", {"relatives": (count_marks(marks["relatives"]), len(marks["relatives"]))}),
        *(
            (REFUSALS, "first sight" if name.startswith("later") else "chosen on", {name: (refused[name], len(texts))})
            for name, texts in wordings.items()
        ),
    ]
    for _, split, values in groups:
        for name, (value, n) in values.items():
            print(f"{name}: {value} of {n} ({split})")
    if recording:
        sys.path.insert(0, str(Path(__file__).parent))
        figures = importlib.import_module("figures")
        for data, split, values in groups:
            figures.record("surfaces", values, TESTS / data, split, "python lab/benchmarks/surfaces.py --record")
    return 0


if __name__ == "__main__":
    sys.exit(main())
