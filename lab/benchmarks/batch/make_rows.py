"""Rows for a batch from FEVER: its documents as text files, its claims and their sentences as answers to attribute.

python lab/benchmarks/batch/make_rows.py --data DATA --out rows --rows 20000 --documents 500
"""

import argparse
import json
import random
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=500)
    args = parser.parse_args()
    texts = {}
    for line in (args.data / "fever" / "docs.jsonl").read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        texts[document["docid"]] = document["text"]
    chosen = sorted(texts)[: args.documents]
    (args.out / "documents").mkdir(parents=True, exist_ok=True)
    paths = {}
    for number, name in enumerate(chosen):
        paths[name] = args.out / "documents" / f"{number:04d}.txt"
        paths[name].write_text(texts[name], encoding="utf-8")
    pairs = []
    for line in (args.data / "fever" / "val.jsonl").read_text(encoding="utf-8").splitlines():
        claim = json.loads(line)
        name = claim["evidences"][0][0]["docid"]
        if name in paths:
            pairs.append((name, claim["query"]))
    drawn = random.Random(0)
    sentences = {name: [line for line in texts[name].splitlines() if 30 < len(line) < 400] for name in chosen}
    sentences = {name: lines for name, lines in sentences.items() if lines}
    while len(pairs) < args.rows:
        name = drawn.choice(sorted(sentences))
        pairs.append((name, " ".join(drawn.sample(sentences[name], min(2, len(sentences[name]))))))
    drawn.shuffle(pairs)
    with (args.out / "rows.jsonl").open("w", encoding="utf-8") as file:
        for number, (name, answer) in enumerate(pairs[: args.rows]):
            row = {"id": number, "documents": [str(paths[name].resolve())], "answer": answer}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
