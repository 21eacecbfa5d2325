"""Reasons to be read: claims of the published sets that are not supported, drawn by a seed, with what the checker says.

    python lab/benchmarks/checking/reasons.py --data DIR --seed 7 [--count 50]

The last line says how many of the claims that fall short have one. A reader counts those that a person would shake the head at. What was read once is development data: take another seed.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from citewell.checkers.lexical import LexicalChecker
from citewell.document import Document
from citewell.protocols import Pair
from citewell.types import Verdict
from citewell_lab.train.checker.rows import Row, load
from citewell_lab.train.checker.sets import SETS

_SAMPLE = 90  # rows a set from which they are drawn
_AROUND = 250  # characters of the evidence on either side of what a reason quotes
_FALLING_SHORT = ("not_supported", "contradicted", "partially_supported")


def draw(data: Path, seed: int) -> Iterator[tuple[Row, Document, Verdict]]:
    """Rows whose claims fall short, by the seed and one of a group, with their documents and verdicts."""
    rows = load(data, SETS, sample=_SAMPLE, seed=seed)
    random.Random(seed).shuffle(rows)
    checker, groups = LexicalChecker(), set[tuple[str, str]]()
    for row in rows:
        if (row.set, row.group) in groups:
            continue
        groups.add((row.set, row.group))
        document = Document.from_passages(row.evidence)
        verdict = checker.check([Pair(row.claim, (document,))])[0]
        if verdict.label in _FALLING_SHORT:
            yield row, document, verdict


def shorten(document: Document, verdict: Verdict) -> str:
    """The evidence around what the first reason quotes of it; its beginning where none quotes it."""
    at = next((reason.evidence.start for reason in verdict.reasons if reason.evidence), 0)
    return " ".join(document.text[max(at - _AROUND, 0) : at + 2 * _AROUND].split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=50)
    options = parser.parse_args()
    number, short, told = 0, Counter[str](), Counter[str]()
    for row, document, verdict in draw(options.data, options.seed):
        short[verdict.label] += 1
        if not verdict.reasons:
            continue
        number += 1
        told[verdict.label] += 1
        print(f"{number}. [{row.set}, {row.label}] {row.claim}\n   EVIDENCE {shorten(document, verdict)}")
        print(f"   {verdict.label} {verdict.score:.2f}")
        for reason in verdict.reasons:
            print(f"   - {reason.kind}: {reason.message}")
        if number == options.count:
            break
    print("with a reason:", ", ".join(f"{told[label]} of {short[label]} {label}" for label in _FALLING_SHORT))


if __name__ == "__main__":
    main()
