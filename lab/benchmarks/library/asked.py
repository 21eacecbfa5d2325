"""What a library of many documents answers: right, wrong or withheld, and from which document.

    python lab/benchmarks/library/asked.py DATA [--size 1000] [--questions 60]

Questions and documents are those of `many.py`, every nth question of it. An answer is right where a quote of it lies on
what the data marks; wrong ones are told apart by the document that they quote. An answer beside the marked place may
still be true, so "right" is a lower bound.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import many
import retrieval

from citewell import Library
from citewell.document import Document
from citewell.types.answers import Answer


def outcome(answer: Answer, document: Document, gold) -> str:
    """`right`, `withheld`, `beside` (the right document, another place) or `elsewhere` (another document)."""
    if answer.abstained:
        return "withheld"
    quotes = [quote for quote in answer.citations if quote.document_id == document.id]
    if any(retrieval.touches(quote.start, quote.end, gold) for quote in quotes):
        return "right"
    return "beside" if quotes else "elsewhere"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=60)
    args = parser.parse_args()
    queries = many.questions(args.data)
    document_by_key = {document.id: document for _, document, _, _ in queries}
    documents = many.library_of(args.data, document_by_key, args.size)
    step = max(1, len(queries) // args.questions)
    counts: Counter[tuple[str, str]] = Counter()
    hedges: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, Library(folder + "/library", create=True) as library:
        library.add(documents)
        for name, document, question, gold in queries[::step][: args.questions]:
            answer = library.ask(question)
            kind = outcome(answer, document, gold)
            counts[name, kind] += 1
            several = len({quote.document_id for quote in answer.citations}) > 1
            hedges[kind] += several
            print(
                f"{name:18s} {kind:9s} {answer.confidence or 0.0:.2f} {'several' if several else 'one':7s} {question[:70]}"
                f" | {answer.text[:90]!r} | {'; '.join(answer.warnings)[:120]}",
                flush=True,
            )
    total: Counter[str] = Counter()
    for (name, kind), count in sorted(counts.items()):
        print(f"{name:18s} {kind:9s} {count}")
        total[kind] += count
    print(dict(total), "answers from several documents:", dict(hedges))


if __name__ == "__main__":
    main()
