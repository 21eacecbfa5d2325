"""Do the sentences that the extractive reader gives hold the answer? Beside BM25 over the same sentences, in one run.

    python lab/benchmarks/reading_answers.py --data DIR [--sets qasper financebench ...] [--every N] [--show]

hit@k: an answer's place is among the k best sentences; given: among the sentences of the answer (threshold 0).
FinanceBench: the share of gold pages among the pages of the best 1 and 5 (pages counted once). Abstention: the
area under the ROC curve of the confidence for "has an answer", and the area under the risk-coverage curve (lower is
better), where an answer to a question without one is wrong; BM25's own score is the peer. The shipped weights were
fitted on some of these sets: for figures on unseen documents see the cross-validated ones of fit_extractive.py.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from questions_data import SETS, Item

from citewell.document import Document
from citewell.generators.extractive.candidates import read
from citewell.generators.extractive.scoring import confidence, fitted, scores, signals
from citewell.generators.extractive.selection import select
from citewell.readers import read as read_file
from citewell.retrievers.bm25 import BM25
from citewell.text.index import index

# Positions of sentences, best first; those of the answer; how sure.
Ranked = tuple[list[int], list[int], float]


def extractive(question: str, document: Document) -> Ranked:
    reading = read(question, [document])
    if not len(reading.candidates):
        return [], [], 0.0
    ranked = scores(reading, fitted())
    order = reading.candidates[np.argsort(-ranked, kind="stable")]
    return order.tolist(), list(select(reading, ranked, 3)), confidence(signals(reading, ranked), fitted())


def bm25(question: str, document: Document) -> Ranked:
    score = BM25().scores(question, index([document]))
    order = np.argsort(-score, kind="stable")[:50]
    order = order[score[order] > 0].tolist()
    return order, order[:2], float(score.max(initial=0))


def rank_bm25() -> Callable[[str, Document], Ranked]:
    from rank_bm25 import BM25Okapi

    def rank(question: str, document: Document) -> Ranked:
        index = document.memo(
            "rank_bm25", lambda: BM25Okapi([segment.text.lower().split() for segment in document.segments()])
        )
        score = index.get_scores(question.lower().split())
        order = np.argsort(-score, kind="stable")[:50].tolist()
        return order, order[:2], float(score.max(initial=0))

    return rank


def methods() -> dict[str, Callable[[str, Document], Ranked]]:
    rankers: dict[str, Callable[[str, Document], Ranked]] = {"extractive": extractive, "bm25 (ours)": bm25}
    try:
        rankers["rank_bm25"] = rank_bm25()
    except ImportError:
        print("rank_bm25 is not installed: left out")
    return rankers


def auroc(score: np.ndarray, label: np.ndarray) -> float:
    if label.all() or not label.any():
        return float("nan")
    above = score[label][:, None] - score[~label][None, :]
    return float((above > 0).mean() + 0.5 * (above == 0).mean())


def aurc(score: np.ndarray, right: np.ndarray) -> float:
    order = np.argsort(-score, kind="stable")
    return float(np.mean(np.cumsum(~right[order]) / np.arange(1, len(right) + 1)))


def sentences(name: str, items: list[Item]) -> None:
    answerable = np.array([bool(item.gold) for item in items])
    for label, method in methods().items():
        started = time.perf_counter()
        hits: dict[str, list[float]] = defaultdict(list)
        sure, right, lengths = [], [], []
        for item in items:
            order, answered, score = method(item.question, item.document)
            segments = item.document.segments()

            def holds(number: int, item: Item = item, segments=segments) -> bool:
                segment = segments[number]
                return any(span.start < segment.end and segment.start < span.end for span in item.gold)

            sure.append(score)
            right.append(any(holds(number) for number in answered))
            if item.gold:
                hits["1"].append(any(holds(number) for number in order[:1]))
                hits["3"].append(any(holds(number) for number in order[:3]))
                lengths.append(len(answered))
        seconds = time.perf_counter() - started
        scored = np.array(sure)
        print(
            f"| {name} | {label} | {len(items)} | {answerable.sum()} | {np.mean(hits['1']):.3f} | {np.mean(hits['3']):.3f} | "
            f"{np.mean(np.array(right)[answerable]):.3f} | {np.mean(lengths):.2f} | {auroc(scored, answerable):.3f} | "
            f"{aurc(scored, np.array(right)):.3f} | {1000 * seconds / len(items):.1f} |",
            flush=True,
        )


def pages(data: Path, show: bool) -> None:
    rows = [json.loads(line) for line in (data / "financebench/questions.jsonl").read_text().splitlines()]
    documents = {
        name: read_file(str(data / f"financebench/pdfs/{name}.pdf"))
        for name in dict.fromkeys(r["doc_name"] for r in rows)
    }
    print("\n| FinanceBench | questions | page_recall@1 | page_recall@5 | ms a question |\n|---|---|---|---|---|")
    for label, method in methods().items():
        recalls: list[tuple[float, float]] = []
        started = time.perf_counter()
        for row in rows:
            document = documents[row["doc_name"]]
            segments = document.segments()
            order, answered, score = method(row["question"], document)
            gold = {evidence["evidence_page_num"] + 1 for evidence in row["evidence"]}
            ranked = list(dict.fromkeys(document.page_at(segments[number].start) for number in order))
            recalls.append((len(gold & set(ranked[:1])) / len(gold), len(gold & set(ranked[:5])) / len(gold)))
            if show and label == "extractive":
                print(f"\n{row['question']}\n   gold {sorted(gold)}: {row['answer'][:200]!r}; confidence {score:.2f}")
                for number in order[:6]:
                    mark = "*" if number in answered else " "
                    text = segments[number].text.replace("\n", " ")[:160]
                    print(f"   {mark} page {document.page_at(segments[number].start)}: {text}")
        seconds = time.perf_counter() - started
        mean, five = np.mean(recalls, axis=0)
        print(f"| {label} | {len(rows)} | {mean:.3f} | {five:.3f} | {1000 * seconds / len(rows):.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", default=[*SETS, "financebench"])
    parser.add_argument("--every", type=int, default=1, help="use one question in so many")
    parser.add_argument("--show", action="store_true", help="print what was found for FinanceBench")
    options = parser.parse_args()
    print(
        "| set | method | questions | answerable | hit@1 | hit@3 | given | sentences | AUROC | AURC | ms a question |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.sets:
        if name in SETS:
            sentences(name, list(SETS[name](options.data))[:: options.every])
    if "financebench" in options.sets:
        pages(options.data, options.show)


if __name__ == "__main__":
    main()
