"""What the first stage finds as a library grows: the right document and page or paragraph among 1,000 to 10,000.

    python lab/benchmarks/library/many.py DATA [--sizes 1000,3000,10000] [--peers]

Questions are those of FinanceBench (reports; the page), QASPER (papers), COVID-QA (articles; the paragraph) and Natural
Questions (pages; a paragraph with the short answer, as the data marks none). Distractors are whole texts of other data
sets, drawn once with a seed, so that each size holds the smaller ones; `--peers` adds bm25s, SQLite's FTS5 and tantivy.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import questions_data
import retrieval

from citewell.document import Document
from citewell.library.search.rank import shipped
from citewell_lab.bench.tasks.natural_questions import TASK as NATURAL_QUESTIONS

SIZES = "1000,3000,10000"
SEED = 7
MOST = 100  # questions of one data set


def questions(data: Path):
    """(set, document, question, gold spans); every set, a question of each document before the second of any."""
    queries = []
    for name in ("qasper", "covidqa"):
        queries += _some([item for item in questions_data.SETS[name](data) if item.gold])
    for item in retrieval.financebench(data):
        if hasattr(item, "pages"):
            pages = [page for page in item.document.pages if page.number in item.pages]
            gold = tuple(questions_data.Span(page.start, page.end) for page in pages)
            queries.append(("financebench", item.document, item.question, gold))
    return queries + list(_natural(data))


def _some(items):
    step = max(1, len(items) // MOST)
    return [(item.dataset, item.document, item.question, item.gold) for item in items[::step][:MOST]]


def _natural(data: Path):
    for item in NATURAL_QUESTIONS.data.load([data / "natural_questions" / "leval_pages.jsonl"]):
        text = item.document.text.casefold()
        answers = {_plain(part) for reference in item.references for part in reference.text.split(",")}
        gold = [
            questions_data.Span(part.start, part.end)
            for part in item.document.segments("paragraph")
            if any(answer and answer in _plain(text[part.start : part.end]) for answer in answers)
        ]
        yield "natural_questions", item.document, item.question, tuple(gold)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def distractors(data: Path) -> Iterator[Document]:
    """Whole texts of other data sets, under their titles where they have any."""
    yield from retrieval.distractors(data)  # FEVER and HotpotQA
    for item in questions_data.squad2(data):
        yield item.document
    for passage in (row["ctxs"][0] for row in _lines(data / "nq_open_oracle/oracle.jsonl")):
        yield Document.from_text(passage["text"], passage["title"])
    for name in ("dev_answerable", "dev_unanswerable"):
        for row in _lines(data / f"clapnq/{name}.jsonl"):
            yield Document.from_text(" ".join(row["passages"][0]["sentences"]), row["passages"][0]["title"])
    for path in sorted((data / "evidence_inference/txt_files").glob("*.txt")):
        yield Document.from_text(path.read_text(encoding="utf-8"))
    for row in _lines(data / "govreport/leval_reports.jsonl"):
        yield Document.from_text(row["input"])
    for row in _lines(data / "wice/claim/dev.jsonl"):
        yield Document.from_text("\n\n".join(row["evidence"]))
    for contract in json.loads((data / "contractnli/dev.json").read_text())["documents"]:
        yield Document.from_text(contract["text"])
    for report in json.loads((data / "tatqa/dev.json").read_text()):
        yield Document.from_text("\n\n".join(part["text"] for part in report["paragraphs"]))
    for row in _lines(data / "attributionbench/dev.jsonl"):
        for text in row["references"]:
            yield Document.from_text(text)
    for path in sorted((data / "summedits").glob("*.json")):
        for text in dict.fromkeys(row["doc"] for row in json.loads(path.read_text())):
            yield Document.from_text(text)
    for name, column in (("scifact/train", "evidence"), ("scifact/dev", "evidence"), ("factcg/cg2c_doc", "premise"),
                         ("factcheckbench/claim_evidence_stance", "evidence")):  # fmt: skip
        for text in dict.fromkeys(str(row[column]) for row in _lines(data / f"{name}.jsonl")):
            yield Document.from_text(text)
    for entry in json.loads((data / "policyqa/dev.json").read_text())["data"]:
        yield Document.from_text("\n\n".join(dict.fromkeys(part["context"] for part in entry["paragraphs"])))
    for path in sorted((data / "salad/docs").glob("*.json")):
        for row in json.loads(path.read_text()):
            for part in row["docs"]:
                yield Document.from_text(part["text"], part.get("title"))


def _lines(path: Path):
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--peers", action="store_true")
    args = parser.parse_args()
    queries = questions(args.data)
    document_by_key = {document.id: document for _, document, _, _ in queries}
    others = {
        distractor.id: distractor
        for distractor in distractors(args.data)
        if distractor.text.strip() and distractor.id not in document_by_key
    }
    drawn = random.Random(SEED).sample(sorted(others), len(others))
    print(
        f"{len(document_by_key)} documents that are asked about, {len(others)} others at hand, {len(queries)} questions"
    )
    for size in map(int, args.sizes.split(",")):
        documents = [*document_by_key.values(), *(others[name] for name in drawn[: size - len(document_by_key)])]
        started = time.process_time()
        snap = retrieval.snapshot(documents)
        took = time.process_time() - started
        count, characters = (
            len(snap.segments[0].arrays["starts"]),
            sum(len(distractor.text) for distractor in documents),
        )
        print(f"\n{len(documents)} documents, {count} paragraphs, {characters / 1e6:.1f} million characters")
        print(f"citewell: built in {took:.1f} s")
        retrieval.show("citewell", *retrieval.measured(snap, queries, shipped()))
        if args.peers:
            retrieval.peers(documents, queries)


if __name__ == "__main__":
    main()
