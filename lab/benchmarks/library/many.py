"""What the first stage finds as a library grows: the right document and page or paragraph among 1,000 to 10,000.

    python lab/benchmarks/library/many.py DATA [--sizes 1000,4000] [--fast] [--record]

Questions are those of FinanceBench (reports; the page), QASPER (papers), COVID-QA (articles; the paragraph) and Natural
Questions (pages; a paragraph with the short answer, as the data marks none). Distractors are whole texts of other data
sets, drawn once with a seed, so that each size holds the smaller ones. tantivy, SQLite's FTS5, bm25s and rank_bm25 are
asked in the same run, each at its best (`peers.py`).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import figures
import numpy as np
import peers
import questions_data
import retrieval
from peers import Engine

from citewell.document import Document
from citewell.library.asking import ordered
from citewell.text.data import settings
from citewell_lab.bench.tasks.financebench import load as financebench
from citewell_lab.bench.tasks.natural_questions import TASK as NATURAL_QUESTIONS

SIZES = "1000,4000"
DEEP = 200  # paragraphs of which documents are ranked
SEED = 7
MOST = 100  # questions of one data set


def questions(data: Path):
    """(set, document, question, gold spans); every set, a question of each document before the second of any."""
    queries = []
    for name in ("qasper", "covidqa"):
        queries += _some([item for item in questions_data.SETS[name](data) if item.gold])
    for item in financebench([data / "financebench" / "questions.jsonl"]):
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


def measured(paragraphs, engine: Engine, queries, fading: float, kept=None):
    """Recall of the document and paragraph by set, milliseconds a question, and what was found, to be ranked again."""
    answers, took = kept or [], 0.0
    for _, _, question, _ in () if kept else queries:
        started = time.process_time()
        answers.append(engine.search(question, DEEP))
        took += time.process_time() - started
    table = defaultdict(lambda: defaultdict(list))
    for (name, document, _, gold), hits in zip(queries, answers, strict=True):
        places = [paragraphs[place] for place, _ in hits]
        order = [
            name_ for name_, _ in ordered(((at[0], score) for at, (_, score) in zip(places, hits, strict=True)), fading)
        ]
        for k in (1, 5):
            table[name][f"document@{k}"].append(document.id in order[:k])
            right = [owner == document.id and retrieval.touches(start, end, gold) for owner, start, end in places]
            table[name][f"paragraph@{k}"].append(any(right[:k]))
    return table, took / len(queries), answers


def means(table) -> dict[str, float]:
    """Over all questions, in percent."""
    names = next(iter(table.values()))
    return {name: round(100 * float(np.mean([v for rows in table.values() for v in rows[name]])), 1) for name in names}


def beside(documents, queries, *, slow: bool) -> dict[str, tuple[str, dict[str, float], float, float]]:
    """The best setting of each peer, its figures, milliseconds a question and seconds to build."""
    fields, owners = [], []
    for document in documents:
        for part in document.segments("paragraph"):
            fields.append(peers.Paragraph(document.title or "", " ".join(part.path), part.text))
            owners.append((document.id, part.start, part.end))
    best = {}
    for engine in peers.engines(fields, slow=slow):
        kept, ms = None, 0.0
        for fading in peers.FADING:
            table, took, kept = measured(owners, engine, queries, fading, kept)
            ms = took or ms  # ranked again, nothing is asked again
            values = means(table)
            value = values["document@1"] + values["paragraph@5"]
            setting = f"{engine.setting}, fading {fading}"
            print(f"  {engine.name:12s} {setting:24s} {values} {1000 * ms:.1f} ms", flush=True)
            if engine.name not in best or value > best[engine.name][0]:
                best[engine.name] = value, (setting, values, 1000 * ms, engine.build)
    return {name: row for name, (_, row) in best.items()}


def ours(documents, queries):
    started = time.process_time()
    snap = retrieval.snapshot(documents)
    built = time.process_time() - started
    owners, places = [], {}

    def search(question: str, k: int) -> list[tuple[int, float]]:
        hits = []
        for entry, hit in snap.search(question, k):
            key = entry.id, hit.start, hit.end
            if key not in places:
                places[key] = len(owners)
                owners.append(key)
            hits.append((places[key], hit.score))
        return hits

    engine = Engine("citewell", "as it ships", search, built)
    table, took, _ = measured(owners, engine, queries, float(settings("citewell.library")["fading"]))
    return len(snap.segments[0].arrays["starts"]), table, ("as it ships", means(table), 1000 * took, built)


def library_of(data: Path, document_by_key: Mapping[str, Document], size: int) -> list[Document]:
    """The documents that are asked about, and others up to a size."""
    return [*document_by_key.values(), *_others(data, document_by_key)[: size - len(document_by_key)]]


def _others(data: Path, document_by_key: Mapping[str, Document]) -> list[Document]:
    """All other texts once each, in an order that is drawn once."""
    others = {
        distractor.id: distractor
        for distractor in distractors(data)
        if distractor.text.strip() and distractor.id not in document_by_key
    }
    return [others[key] for key in random.Random(SEED).sample(sorted(others), len(others))]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--fast", action="store_true", help="without rank_bm25, which takes most of the time")
    parser.add_argument(
        "--record", action="store_true", help="write lab/figures/library.json, which docs/library.md shows"
    )
    args = parser.parse_args()
    queries = questions(args.data)
    document_by_key = {document.id: document for _, document, _, _ in queries}
    others = _others(args.data, document_by_key)
    print(
        f"{len(document_by_key)} documents that are asked about, {len(others)} others at hand, {len(queries)} questions"
    )
    for size in map(int, args.sizes.split(",")):
        documents = [*document_by_key.values(), *others[: size - len(document_by_key)]]
        count, table, row = ours(documents, queries)
        characters = sum(len(document.text) for document in documents)
        print(
            f"\n{len(documents)} documents, {count} paragraphs, {characters / 1e6:.1f} million characters", flush=True
        )
        for name, rows in table.items():
            print(f"  citewell on {name} ({len(rows['document@1'])}): {means({name: rows})}")
        rows = {"citewell": row, **beside(documents, queries, slow=not args.fast)}
        for name, (setting, values, ms, built) in rows.items():
            print(f"{name:12s} {setting:24s} {values} {ms:.1f} ms a question, built in {built:.1f} s", flush=True)
        if args.record:
            _record(size, count, len(queries), rows, args.data)


def _record(size: int, count: int, total: int, rows, data: Path) -> None:
    values: dict[str, tuple[float | str, int]] = {f"{size}.paragraphs": (count, size)}
    for name, (setting, measures, ms, built) in rows.items():
        key = f"{size}.{name.replace(' ', '_')}"
        values |= {f"{key}.{measure.replace('@', '.')}": (value, total) for measure, value in measures.items()}
        values |= {
            f"{key}.ms": (round(ms, 1), total),
            f"{key}.built": (round(built), count),
            f"{key}.setting": (setting, total),
        }
    figures.record(
        "library",
        values,
        data / "financebench" / "questions.jsonl",
        "chosen on",
        "python lab/benchmarks/library/many.py DATA --record",
    )


if __name__ == "__main__":
    main()
