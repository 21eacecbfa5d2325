"""Words, meaning and both on questions and claims with marked evidence; learns the weights of `hybrid`.

    python lab/benchmarks/hybrid.py DATA --encoder "dense(model=PATH, dtype=bfloat16, cache=DIR)" [--out FILE] [--write]

For each set: the share of queries whose first segment is evidence, and F1 of the first two segments, by BM25, by the
share of the query's words, by the encoder and by both, with the weight that the other sets choose (FinanceBench, whose
licence allows no more than measuring, chooses none, nor does a set of few queries). Then the same for how near the best a further segment must come to
be cited. Scores are kept in FILE, so that only the first run embeds. `--write` puts the weights that all permitted sets
choose into the package.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import citewell
from citewell import registry
from citewell.document import Document
from citewell.retrievers.bm25 import BM25, indexed
from citewell.retrievers.hybrid import shares
from citewell.types import Span
from citewell_lab.bench.items import EvidenceItem, PageItem, QuestionItem
from citewell_lab.bench.tasks import task

# The split, and how many items: the first ones, so that few long documents are embedded.
SETS = {
    "clapnq": ("dev", None), "qasper": ("all", None), "contract-nli": ("dev", 136), "evidence-inference": ("validation", 25),
    "paraphrases": ("", 600), "financebench": ("all", None),
}  # fmt: skip
MEASURED = ("financebench",)  # never chooses
FEWEST = 50  # queries of a set that chooses
WEIGHTS = np.linspace(0, 1, 11).round(2)
NEAR = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
POOL, MOST = 60, 5


class Query(NamedTuple):
    """Scores of all segments of a document, and the sets of segments that are evidence."""

    bm25: np.ndarray
    words: np.ndarray
    meaning: np.ndarray
    gold: list[set[int]]


def main() -> None:
    """Print a JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--out", type=Path, default=Path("hybrid-scores.pkl"))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    kept: dict[str, list[Query]] = pickle.loads(args.out.read_bytes()) if args.out.exists() else {}  # noqa: S301  (our own file)
    for name in SETS:
        if name not in kept:
            kept[name] = list(scored(args.data, name, args.encoder))
            args.out.write_bytes(pickle.dumps(kept))
    rankings = {name: {weight: ranking(queries, weight) for weight in WEIGHTS} for name, queries in kept.items()}
    choose = [name for name, queries in kept.items() if name not in MEASURED and len(queries) >= FEWEST]
    for name, queries in kept.items():
        others = [other for other in choose if other != name]
        weight = max(WEIGHTS, key=lambda one: np.mean([rankings[other][one][1] for other in others]))
        record = {
            "bm25": measure(queries, lambda query: query.bm25), "words": rankings[name][0.0],
            "meaning": rankings[name][1.0], f"both, {weight}": rankings[name][weight],
        }  # fmt: skip
        near = max(NEAR, key=lambda one: np.mean([cited(kept[other], weight, one) for other in others]))
        by_near = {f"cited, {near}": cited(queries, weight, near), "cited by words": cited(queries, 0.0, near)}
        print(json.dumps({"set": name, "queries": len(queries), **record, **by_near}))
    weight = max(WEIGHTS, key=lambda one: np.mean([rankings[name][one][1] for name in choose]))
    near = max(NEAR, key=lambda one: np.mean([cited(kept[name], weight, one) for name in choose]))
    print(json.dumps({"meaning": float(weight), "near": near, "chosen by": choose}))
    if args.write:
        for family, key, value in (("retrievers", "meaning", float(weight)), ("attributors", "near", near)):
            path = Path(citewell.__file__).parent / family / "hybrid.json"
            record = json.loads(path.read_text(encoding="utf-8"))
            record["values"][key][0] = value
            counts = ", ".join(f"{name} ({len(kept[name])} queries)" for name in choose)
            record["provenance"] = f"chosen on {counts} with embeddings of all-MiniLM-L6-v2"
            path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def scored(data: Path, name: str, encoder: str) -> Iterator[Query]:
    dense, bm25 = registry.build("retriever", encoder), BM25()
    count, segments, took = 0, 0, {"words": 0.0, "meaning": 0.0}
    for query, texts, gold in queries_of(data, name):
        start = time.process_time()
        terms, positions = indexed(tuple(texts))
        by_bm25 = np.zeros(len(texts), dtype=np.float32)
        by_bm25[list(positions)] = bm25.scores(query, terms)
        words = shares([query], texts)[0]
        middle = time.process_time()
        meaning = dense._scores([query], texts)[0]
        took["words"] += middle - start
        took["meaning"] += time.process_time() - middle
        count, segments = count + 1, segments + len(texts)
        yield Query(by_bm25, words, meaning, gold)
    print(json.dumps({"set": name, "queries": count, "segments": segments, "seconds": took}), flush=True)


def queries_of(data: Path, name: str) -> Iterator[tuple[str, list[str], list[set[int]]]]:
    """A query, the texts of the document's segments, and the alternative sets of those that are evidence."""
    split, most = SETS[name]
    if name == "paraphrases":
        yield from paraphrases(data, most)
        return
    source = task(name).data
    for item in source.picked(source.files(data, split), split, limit=most):
        if isinstance(item, QuestionItem):
            gold, query = [reference.evidence for reference in item.references if reference.evidence], item.question
        elif isinstance(item, EvidenceItem):
            first = item.annotations[0]
            gold = [reference for reference in first.sets if reference]
            query = item.statements.get(first.label) or next(iter(item.statements.values()))
        elif isinstance(item, PageItem):
            yield from pages(item)
            continue
        else:
            continue
        if gold:
            yield query, texts(item.document, item.segments), [set(reference) for reference in gold]


def texts(document: Document, segments) -> list[str]:
    return [document.text[part.start : part.end] for part in segments]


def pages(item: PageItem) -> Iterator[tuple[str, list[str], list[set[int]]]]:
    segments = item.document.segments("paragraph")
    spans = [Span(page.start, page.end) for page in item.document.pages if page.number in item.pages]
    gold = {
        place
        for place, segment in enumerate(segments)
        if any(segment.start < span.end and span.start < segment.end for span in spans)
    }
    if gold:
        yield item.question, texts(item.document, segments), [gold]


def paraphrases(data: Path, most: int) -> Iterator[tuple[str, list[str], list[set[int]]]]:
    """Statements that people wrote to follow from a premise (WANLI): which premise, among 60?"""
    lines = (data / "wanli_part/train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["label"] == "entailment"]
    random.Random(0).shuffle(rows)
    for first in range(0, most, POOL):
        pool = rows[first : first + POOL]
        premises = list(dict.fromkeys(row["premise"] for row in pool))
        for row in pool:
            yield row["hypothesis"], premises, [{premises.index(row["premise"])}]


def ranking(queries: list[Query], weight: float) -> tuple[float, float]:
    return measure(queries, lambda query: (1 - weight) * query.words + weight * query.meaning)


def measure(queries: list[Query], score) -> tuple[float, float]:
    """Percentages: the first segment is evidence; F1 of the first two."""
    first, two = [], []
    for query in queries:
        order = np.argsort(-score(query), kind="stable").tolist()
        first.append(order[0] in set().union(*query.gold))
        two.append(best_f1(order[:2], query.gold))
    return round(100 * float(np.mean(first)), 1), round(100 * float(np.mean(two)), 1)


def cited(queries: list[Query], weight: float, near: float) -> float:
    """Percentage: F1 of those that come near the best."""
    values = []
    for query in queries:
        score = (1 - weight) * query.words + weight * query.meaning
        order = np.argsort(-score, kind="stable").tolist()[:MOST]
        values.append(best_f1([place for place in order if score[place] >= near * score[order[0]]], query.gold))
    return round(100 * float(np.mean(values)), 1)


def best_f1(places: list[int], gold: list[set[int]]) -> float:
    return max(2 * len(set(places) & gold_item) / (len(places) + len(gold_item)) for gold_item in gold)


if __name__ == "__main__":
    main()
