"""How paragraphs' scores become a document's: every rule at three sizes, chosen with each set of questions left out.

    python lab/benchmarks/library/document_score.py DATA [--sizes 100,1000,10000]

The questions and documents are those of `many.py`, with SQuAD 2.0 beside them. A rule counts by the mean over the sets
of the share of questions whose document is first and of those whose document is in five. For each set the rule is
chosen on the other sets and measured on it.

Beside it: how surely the first document is the one that is meant, by how far it is ahead of the five behind it, fitted
without FinanceBench, whose questions name their company, and with each set left out. The library withholds where that
is under a half.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import many
import numpy as np
import questions_data
import retrieval
from sklearn.linear_model import LogisticRegression

from citewell.library.asking import RIVALS, ordered

Hits = Sequence[tuple[str, float]]
_NAMES = "financebench"  # its questions name their documents
FADING = (0.2, 0.3, 0.4, 0.5, 0.6)


def _summed(hits: Hits, fading: float) -> list[str]:
    """Every document by its paragraphs' scores, each further one `fading` times the one before."""
    scores: dict[str, list[float]] = defaultdict(list)
    for name, score in hits:
        scores[name].append(score)
    return sorted(scores, key=lambda name: -sum(score * fading**place for place, score in enumerate(scores[name])))


def _first(hits: Hits, fading: float) -> list[str]:
    """The first document by the sum, the others by their best paragraph: what the library does."""
    return [name for name, _ in ordered(hits, fading)]


def _alternate(hits: Hits, fading: float) -> list[str]:
    """Documents by the sum and by their best paragraph in turn."""
    pairs = zip(_summed(hits, fading), _summed(hits, 0.0), strict=True)
    return list(dict.fromkeys(name for pair in pairs for name in pair))


RULES: dict[str, Callable[[Hits], list[str]]] = {"best paragraph": lambda hits: _summed(hits, 0.0)}
for _value in FADING:
    RULES[f"sum {_value}"] = lambda hits, value=_value: _summed(hits, value)
    RULES[f"first by sum {_value}"] = lambda hits, value=_value: _first(hits, value)
    RULES[f"sum {_value} and best in turn"] = lambda hits, value=_value: _alternate(hits, value)


def shares(results: Sequence[tuple[str, str, Hits]]) -> dict[str, dict[str, tuple[float, float]]]:
    """By rule and set: percent of the questions whose document is first, and is in five."""
    table: dict[str, dict[str, tuple[float, float]]] = {}
    for rule, rank in RULES.items():
        right = defaultdict(list)
        for name, gold, hits in results:
            order = rank(hits)
            right[name].append((gold in order[:1], gold in order[:5]))
        table[rule] = {name: tuple(100 * np.mean(rows, axis=0)) for name, rows in right.items()}
    return table


def report(table: dict[str, dict[str, tuple[float, float]]]) -> None:
    """Print the rules, and what a rule chosen on the other sets is worth on each."""
    names = list(table["best paragraph"])
    for rule, by_set in table.items():
        first, five = np.mean([by_set[name] for name in names], axis=0)
        worst = min(by_set[name][1] for name in names)
        print(f"  {rule:28s} first {first:5.1f}  in five {five:5.1f}  in five, worst set {worst:5.1f}")
    chosen = []
    for left_out in names:
        others = [name for name in names if name != left_out]
        best = max(table, key=lambda rule: sum(sum(table[rule][name]) for name in others))
        chosen.append(table[best][left_out])
        print(f"  {left_out:18s} left out: {best:28s} {chosen[-1][0]:5.1f} {chosen[-1][1]:5.1f}")
    print("  chosen without the set: first {:.1f}, in five {:.1f}".format(*np.mean(chosen, axis=0)), flush=True)


def ahead(hits: Hits) -> float:
    """How far the best document is ahead of the next ones, as a share of its score."""
    scores: dict[str, float] = {}
    for name, score in hits:
        scores.setdefault(name, score)
    ranked = [*scores.values(), *[0.0] * RIVALS][: RIVALS + 1]
    return 1 - sum(ranked[1:]) / RIVALS / ranked[0]


def standing(results: Sequence[tuple[str, str, Hits]]) -> None:
    """Print the line over `ahead`, and what it withholds of each set that was left out."""
    rows = [(name, ahead(hits), _first(hits, 0.4)[0] == gold) for name, gold, hits in results if name != _NAMES]
    names = list(dict.fromkeys(name for name, _, _ in rows))
    for left_out in [*names, None]:
        fitted = [row for row in rows if row[0] != left_out]
        weights = [1 / sum(other[0] == row[0] for other in fitted) for row in fitted]
        line = LogisticRegression(C=100)
        line.fit([[x] for _, x, _ in fitted], [right for *_, right in fitted], np.array(weights) / np.mean(weights))
        print(f"  standing {line.intercept_[0]:.2f}, distance {line.coef_[0][0]:.2f}", end="")
        asked = [row for row in rows if row[0] == left_out]
        if asked:
            sure = line.predict([[x] for _, x, _ in asked])
            right = np.array([right for *_, right in asked])
            print(
                f"; {left_out} left out: first document right {right.mean():.2f}, where it is answered "
                f"{right[sure].mean():.2f}, withheld {1 - sure.mean():.2f}, of the right ones {1 - sure[right].mean():.2f}"
            )
    print(flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", default="100,1000,10000")
    args = parser.parse_args()
    queries = many.questions(args.data)
    squad = [item for item in questions_data.squad2(args.data) if item.gold]
    queries += [(item.dataset, item.document, item.question, item.gold) for item in squad[:: len(squad) // 60][:60]]
    document_by_key = {document.id: document for _, document, _, _ in queries}
    for size in map(int, args.sizes.split(",")):
        documents = many.library_of(args.data, document_by_key, max(size, len(document_by_key)))
        snapshot = retrieval.snapshot(documents)
        results = [
            (name, document.id, [(entry.id, hit.score) for entry, hit in snapshot.search(question, many.DEEP)])
            for name, document, question, _ in queries
        ]
        print(f"{len(documents)} documents, {len(queries)} questions", flush=True)
        report(shares(results))
        standing(results)


if __name__ == "__main__":
    main()
