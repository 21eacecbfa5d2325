"""Promised against realised risk, on items left out and on other data sets.

    python benchmarks/promises.py DATA --out RUNS [--limit 1500] [--splits 200]

Each set is scored once (a run in RUNS, which goes on where it stopped). Within a set a threshold is chosen on a random
half and looked at on the other; between sets it is chosen on one whole set and looked at on another, where nothing is
promised. One JSON object a line.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from citewell.bench import promises, records
from citewell.bench.run import run
from citewell.errors import CitewellError

SETS = {
    "claims": [("attributionbench", "dev"), ("salad", "test"), ("flips", "dev")],
    "answers": [("squad2", "dev"), ("clapnq", "dev")],
    "answers, unanswerable": [("squad2", "dev"), ("clapnq", "dev")],
}
RISKS = {"claims": (0.1, 0.2), "answers": (0.3, 0.5), "answers, unanswerable": (0.1, 0.2, 0.3)}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1500)
    parser.add_argument("--splits", type=int, default=200)
    args = parser.parse_args()
    for kind, tasks in SETS.items():
        of, _, error = kind.partition(", ")
        items = {}
        for task, split in tasks:
            stage = {"approach": "extractive"} if of == "answers" else {"checker": "lexical"}
            folder = args.out / f"{task}-{split}"
            try:
                run(task, args.data, split, out=folder, limit=args.limit, **stage)
            except CitewellError as error:
                print(json.dumps({"task": task, "left out": str(error)}))
                continue
            items[task] = promises.judged(records.good(records.counted(folder)[1]), error or "any")
        for risk in RISKS[kind]:
            for task, own in items.items():
                trial = promises.tried(own, risk, 0.95, splits=args.splits)
                plain = float(own.wrong.mean())
                told = {"of": kind, "set": task, "items": len(own.scores), "wrong of all": plain, "promised": risk}
                print(json.dumps({**told, **asdict(trial)}), flush=True)
                for other, there in items.items():
                    if other != task:
                        shift = promises.moved(own, there, risk, 0.95)
                        print(
                            json.dumps({"of": kind, "set": task, "moved to": other, "promised": risk, **shift}),
                            flush=True,
                        )


if __name__ == "__main__":
    main()
