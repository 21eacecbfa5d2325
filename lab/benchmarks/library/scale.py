"""How a library grows: time to add, to open and to ask, memory and disk, from 1,000 paragraphs to 1,000,000.

    python lab/benchmarks/library/scale.py DATA FOLDER|postgresql://... [--most 1000000]

Paragraphs are those of the data at hand, then new ones made of their sentences, drawn anew, in documents of 100. Each
size is measured in a process of its own, with the library's files read by nobody before where the system lets us. On a
server it is opened twice: by a machine that has nothing of the index yet, and by one that has.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from citewell.document import Document
from citewell.library.library import Library

SIZES = (1_000, 10_000, 100_000, 1_000_000)
EACH = 100  # paragraphs of a document
SEED = 7

QUESTIONS = (
    "Who was the first president of the company?",
    "What caused the outbreak of the disease in 2003?",
    "How many people lived in the city in 1990?",
    "Which treaty ended the war between the two countries?",
    "When did the band release its first album?",
    "What is the function of the protein in the cell?",
    "Who directed the film that won the award in 2010?",
    "Where does the river rise and where does it end?",
)

ASK = """
import json, sys, time
def memory():
    told = dict(line.split(":", 1) for line in open("/proc/self/status") if line.startswith(("VmRSS", "RssAnon")))
    return {name: int(value.split()[0]) // 1024 for name, value in told.items()}
from citewell.library.library import Library
import citewell.pipeline
base = memory()
started = time.perf_counter()
library = Library(sys.argv[1])
library.snapshot()
opened = time.perf_counter() - started
after = memory()
times = []
for question in json.loads(sys.argv[2]):
    started = time.perf_counter()
    library.search(question, 10)
    times.append(1000 * (time.perf_counter() - started))
again = []
for question in json.loads(sys.argv[2]):
    started = time.perf_counter()
    library.search(question, 10)
    again.append(1000 * (time.perf_counter() - started))
started = time.perf_counter()
library.ask(json.loads(sys.argv[2])[0])
asked = time.perf_counter() - started
print(json.dumps({"open s": round(opened, 3), "first ms": round(times[0], 1), "cold ms": round(sorted(times)[len(times) // 2], 1),
  "warm ms": round(sorted(again)[len(again) // 2], 1), "most ms": round(max(times), 1), "ask s": round(asked, 2),
  "opened RSS MB": after["VmRSS"] - base["VmRSS"], "anonymous MB": after["RssAnon"] - base["RssAnon"], "asked RSS MB": memory()["VmRSS"]}))
"""


def sentences(data: Path) -> list[str]:
    texts = [json.loads(line)["text"] for line in (data / "fever/docs.jsonl").open()]
    for entry in json.loads((data / "covidqa/200423_covidQA.json").read_text())["data"]:
        texts += [paragraph["context"] for paragraph in entry["paragraphs"]]
    for article in json.loads((data / "squad2/dev_part.json").read_text())["data"]:
        texts += [paragraph["context"] for paragraph in article["paragraphs"]]
    return [
        text[part.start : part.end]
        for text in texts
        if text.strip()
        for part in Document.from_text(text).segments("sentence")
        if part.end - part.start > 20
    ]


def generated(pool: list[str], number: int) -> Document:
    """Document `number`, the same each time it is made."""
    draw = random.Random(SEED * 1_000_003 + number)
    paragraphs = []
    for _ in range(EACH):
        # Names and figures differ from document to document, as in life: new words go on coming.
        words = " ".join(draw.sample(pool, draw.randint(1, 4))).split()
        words[draw.randrange(len(words))] = f"N{draw.randrange(10**6)}"
        paragraphs.append(" ".join(words))
    return Document.from_passages(paragraphs, f"Document {number}")


def sizes(place: str) -> tuple[int, int]:
    """Megabytes of the index, and of all."""
    if "://" in place:
        with Library(place) as library, library.database.reading() as connection:
            queries = ("SELECT sum(size) FROM segments", "SELECT pg_database_size(current_database())")
            index, whole = (int(connection.exec_driver_sql(words).scalar()) for words in queries)
    else:
        index, whole = (
            sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            for folder in (Path(place, "segments"), Path(place))
        )
    return index // 2**20, whole // 2**20


def measured(place: str) -> str:
    command = [sys.executable, "-c", ASK, place, json.dumps(QUESTIONS)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("place", metavar="FOLDER|URL")
    parser.add_argument("--most", type=int, default=SIZES[-1])
    args = parser.parse_args()
    pool = sentences(args.data)
    have = 0
    for wanted in (size for size in SIZES if size <= args.most):
        count = wanted // EACH
        started, used = time.perf_counter(), time.process_time()
        with Library(args.place, create=True) as library:
            library.add((generated(pool, number) for number in range(have, count)), tell=None)
        took, cpu = time.perf_counter() - started, time.process_time() - used
        have = count
        index, whole = sizes(args.place)
        grown = f"added in {took:.0f} s ({cpu:.0f} s of work) | index {index} MB, all {whole} MB"
        with tempfile.TemporaryDirectory() as empty:
            if "://" in args.place:
                os.environ["XDG_CACHE_HOME"] = empty
                grown += f" | by a machine without it {measured(args.place)}"
            print(f"{wanted:9d} paragraphs | {grown} | {measured(args.place)}", flush=True)
            os.environ.pop("XDG_CACHE_HOME", None)


if __name__ == "__main__":
    main()
