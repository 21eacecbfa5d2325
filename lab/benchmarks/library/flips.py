"""Random bits of a library's index flipped, one at a time: are questions refused, answered as before, or answered wrongly?

python lab/benchmarks/library/flips.py DATA [--flips 56]
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
from collections import Counter
from pathlib import Path

import many
import retrieval

from citewell import Library
from citewell.errors import LibraryError

DOCUMENTS, QUESTIONS, SEED = 300, 56, 11


def rankings(place: Path, questions: list[str]) -> list[list[tuple[str, int, float]]]:
    with Library(place) as library:
        return [
            [(entry.id, hit.start, round(hit.score, 9)) for entry, hit in library.search(question, 5)]
            for question in questions
        ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--flips", type=int, default=56)
    args = parser.parse_args()
    questions = [question for _, _, question, _ in many.questions(args.data)][::5][:QUESTIONS]
    draw, counts = random.Random(SEED), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "library")
        with Library(place, create=True) as library:
            library.add(list(itertools.islice(retrieval.distractors(args.data), DOCUMENTS)))
        expected = rankings(place, questions)
        path = max((place / "segments").iterdir(), key=lambda file: file.stat().st_size)
        whole = path.read_bytes()
        for _ in range(args.flips):
            at = draw.randrange(len(whole))
            path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << draw.randrange(8))]) + whole[at + 1 :])
            try:
                counts["as before" if rankings(place, questions) == expected else "silently wrong"] += 1
            except LibraryError:
                counts["refused"] += 1
            with Library(place) as library:
                counts["named by verify"] += bool(list(library.verify()))
    print(dict(counts))


if __name__ == "__main__":
    main()
