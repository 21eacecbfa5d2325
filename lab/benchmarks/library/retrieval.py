"""What a library's first stage finds: the right document and paragraph among many (`many.py`: beside other engines).

    python lab/benchmarks/library/retrieval.py DATA [--grid] [--encoder SPEC] [--sample N] [--german [--record]]

One library of all the questions' documents (SQuAD 2.0's articles, COVID-QA, QASPER) and of distractors (FEVER's and
HotpotQA's pages). `--grid` tries BM25F's parameters, each data set left out in turn.
`--encoder` compares words, meaning and both, with rescoring and with a scan, by one encoder's vectors (a `cache` in its
spec keeps them between runs); each data set left out in turn, the others choose the weight of meaning. `--sample` keeps
N documents of each set, so that a processor embeds them in minutes. `--german` asks the sixty questions of german.json, in English
and in German (with `--sample 16`); `--record` writes the rankings by words and, with `--encoder`, by both (all
paragraphs compared, the library's own weight) into the store of figures.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import figures
import questions_data

from citewell.document import Document
from citewell.library import asking
from citewell.library.encoding import Encoder
from citewell.library.search.arrays import pack
from citewell.library.search.mixed import Mix, Vectors
from citewell.library.search.postings import Segment, merge, of_document
from citewell.library.search.rank import Weights, shipped
from citewell.library.snapshot import Snapshot
from citewell.library.store.records import Entry

SETS = ("squad2", "covidqa", "qasper")  # PolicyQA does not say whose policy it asks about
MOST = 150  # questions of one data set


def questions(data: Path, sample: int | None = None):
    """(set, document, question, gold spans), and all documents; with `sample` only so many documents of a set."""
    queries, documents = [], {}
    for name in SETS:
        items = [item for item in questions_data.SETS[name](data) if item.gold]
        kept = set(list(dict.fromkeys(item.document.id for item in items))[:sample])
        items = [item for item in items if item.document.id in kept]
        for item in items:
            documents.setdefault(item.document.id, item.document)
        step = max(1, len(items) // MOST)
        queries += [(name, item.document, item.question, item.gold) for item in items[::step][:MOST]]
    return queries, documents


def bilingual(queries):
    """The questions of german.json: each as it is, and in German as one of a set of its own."""
    german = json.loads(Path(__file__).with_name("german.json").read_text(encoding="utf-8"))["questions"]
    once = {item[2]: item for item in reversed(queries) if item[2] in german}
    for question, (_, *rest) in once.items():
        yield ("english", rest[0], question, rest[2]), ("german", rest[0], german[question], rest[2])


def distractors(data: Path):
    for line in (data / "fever/docs.jsonl").open():
        row = json.loads(line)
        yield Document.from_text(row["text"], row["docid"].replace("_", " "))
    for row in json.loads((data / "hotpotqa/distractor_sample.json").read_text()):
        for title, sentences in zip(row["context"]["title"], row["context"]["sentences"], strict=True):
            yield Document.from_text(" ".join(sentences), title)


def snapshot(documents: list[Document]) -> Snapshot:
    parts = [Segment(of_document(number, document)) for number, document in enumerate(documents)]
    whole = Segment(merge(parts, [np.ones(1, bool)] * len(parts)))
    entry_by_key = {
        number: Entry(
            number, document.title or "", document.id, document.sha256, "", "", document.title, None, 0, None, "en"
        )
        for number, document in enumerate(documents)
    }
    return Snapshot(1, (whole,), entry_by_key)


def touches(start: int, end: int, gold) -> bool:
    return any(start < span.end and span.start < end for span in gold)


def measured(snap: Snapshot, queries, weights: Weights | None):
    """Recall of the document at 1 and 5 and of the paragraph at 1, 5 and 20, by set; milliseconds a question."""
    hits, took = defaultdict(lambda: defaultdict(list)), 0.0
    fading = asking.settings("citewell.library")["fading"]
    for name, document, question, gold in queries:
        started = time.process_time()
        match = snap.search(question, 200, weights=weights)
        took += time.process_time() - started
        ranked = [name for name, _ in asking.ordered(((entry.id, hit.score) for entry, hit in match), fading)]
        for k in (1, 5):
            hits[name][f"document@{k}"].append(document.id in ranked[:k])
        for k in (1, 5, 20):
            right = [entry.id == document.id and touches(hit.start, hit.end, gold) for entry, hit in match[:k]]
            hits[name][f"paragraph@{k}"].append(any(right))
    return {
        name: {key: float(np.mean(values)) for key, values in kept.items()} for name, kept in hits.items()
    }, took / len(queries)


def show(name: str, table, ms: float) -> None:
    for dataset, values in table.items():
        print(f"{name:28s} {dataset:14s}", *(f"{key} {100 * value:5.1f}" for key, value in values.items()))
    mean = {key: np.mean([values[key] for values in table.values()]) for key in next(iter(table.values()))}
    print(
        f"{name:28s} {'mean':14s}",
        *(f"{key} {100 * value:5.1f}" for key, value in mean.items()),
        f"{1000 * ms:.1f} ms",
        flush=True,
    )


def grid(snap: Snapshot, queries) -> None:
    """Each setting's value for each set; for each set the setting that the other sets choose."""
    tried = {}
    for k1, b, heading, title in itertools.product(
        (0.9, 1.2, 1.6), (0.4, 0.6, 0.75), (0.0, 0.3, 0.6, 1.0), (0.0, 0.3, 0.6, 1.0)
    ):
        weights = Weights(k1, b, heading, title)
        table, _ = measured(snap, queries, weights)
        tried[weights] = {name: (v["document@1"] + v["paragraph@5"]) / 2 for name, v in table.items()}
    names = sorted(next(iter(tried.values())))
    best = max(tried, key=lambda w: np.mean(list(tried[w].values())))
    print("all sets choose", best, {name: round(100 * tried[best][name], 1) for name in names})
    for name in names:
        others = max(tried, key=lambda w: np.mean([tried[w][other] for other in names if other != name]))
        print(
            f"without {name}: {others} gives it {100 * tried[others][name]:.1f}, its own best {100 * max(t[name] for t in tried.values()):.1f}, shipped {100 * tried.get(shipped(), tried[best])[name]:.1f}"
        )


def by_meaning(documents: list[Document], snap: Snapshot, items, spec: str) -> None:
    """Words, meaning and both, and what the others choose for each set."""
    encoder = Encoder(spec)
    started = time.process_time()
    whole = embedded(documents, encoder)
    took = time.process_time() - started
    count, bare = len(whole.arrays["starts"]), len(pack(snap.segments[0].arrays))
    print(
        f"{encoder.name.partition('(')[0]}: {count} vectors of {encoder.kept.dimensions}; a paragraph takes "
        f"{bare / count:.0f} bytes, with its vector {len(pack(whole.arrays)) / count:.0f}; made or read in {took:.0f} s"
    )
    started = time.process_time()
    queries = {question: encoder.query(question) for _, _, question, _ in items}
    print(
        f"embedding a question: {1000 * (time.process_time() - started) / len(queries):.1f} ms (0 where it was cached)"
    )
    most = int(asking.settings("citewell.library")["candidates"])

    def table(mix: Callable[[Vectors], Mix]):
        snapshot = Snapshot(1, (whole,), snap.visible, lambda question, _: mix(queries[question]))
        return measured(snapshot, items, None)

    for scan in (False, True):
        way = "scan" if scan else "rescoring"
        tried = {}
        show("lexical", *measured(snap, items, None))
        for weight in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0):
            tried[weight], ms = table(lambda query, w=weight, s=scan: Mix(query, w, most, s))
            show(f"{way}, meaning {weight}", tried[weight], ms)
        value = {
            weight: {name: (v["document@1"] + v["paragraph@5"]) / 2 for name, v in by_set.items()}
            for weight, by_set in tried.items()
        }
        sets = sorted(tried[1.0])
        for name in sets:
            chosen = max(value, key=lambda w: np.mean([value[w][other] for other in sets if other != name]))
            print(
                f"{way} without {name}: weight {chosen} gives it {100 * value[chosen][name]:.1f}", tried[chosen][name]
            )


def embedded(documents: list[Document], encoder: Encoder) -> Segment:
    """One segment of all documents with their vectors."""
    parts = [
        Segment({**of_document(number, document), **encoder.arrays(document)})
        for number, document in enumerate(documents)
    ]
    return Segment(merge(parts, [np.ones(1, bool)] * len(parts)))


def record(snap: Snapshot, documents: list[Document], items, spec: str) -> None:
    """The questions of german.json by words, and by words and meaning as `--retrieval hybrid --scan` ranks them."""
    encoder = Encoder(spec)
    whole = embedded(documents, encoder)
    queries = {question: encoder.query(question) for _, _, question, _ in items}
    settings = asking.settings("citewell.library")
    most, weight = int(settings["candidates"]), float(settings["weight"])
    both = Snapshot(1, (whole,), snap.visible, lambda question, _: Mix(queries[question], weight, most, scan=True))
    count = len(items) // 2
    values = {
        f"german.{way}.{name}.{measure.replace('@', '.')}": (round(100 * value, 1), count)
        for way, ranking in (("lexical", snap), ("hybrid", both))
        for name, measures in measured(ranking, items, None)[0].items()
        for measure, value in measures.items()
    }
    values["german.paragraphs"] = (len(whole.arrays["starts"]), len(documents))
    command = "python lab/benchmarks/library/retrieval.py DATA --sample 16 --german --encoder SPEC --record"
    figures.record("library", values, Path(__file__).with_name("german.json"), "chosen on", command)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--encoder", metavar="SPEC")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--german", action="store_true", help="the questions of german.json in both languages")
    parser.add_argument("--record", action="store_true", help="write what --german finds into the store of figures")
    args = parser.parse_args()
    if args.record and not (args.german and args.encoder):
        parser.error("--record goes with --german and --encoder")
    queries, sources = questions(args.data, args.sample)
    if args.german:
        queries = [item for both in bilingual(queries) for item in both]
    other = {document.id: document for document in distractors(args.data)}
    documents = list((other | sources).values())
    started = time.process_time()
    snap = snapshot(documents)
    print(
        f"{len(documents)} documents, {len(snap.segments[0].arrays['starts'])} paragraphs, {len(queries)} questions; "
        f"indexed in {time.process_time() - started:.1f} s"
    )
    table, ms = measured(snap, queries, shipped())
    show("citewell", table, ms)
    if args.record:
        record(snap, documents, queries, args.encoder)
    elif args.encoder:
        by_meaning(documents, snap, queries, args.encoder)
    if args.grid:
        grid(snap, queries)


if __name__ == "__main__":
    main()
