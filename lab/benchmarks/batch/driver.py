"""What the driver of a batch takes: ready results for rows of the size of FEVER's, kept as a batch keeps them.

python lab/benchmarks/batch/driver.py --rows 20000 --out FOLDER [--waits]
"""

import argparse
import json
import os
import resource
import time
from pathlib import Path

from citewell.library.batch import run as running
from citewell.library.batch.schedule import Ended

EACH, RESULT = 297, 1_966  # bytes of a row and of its result, as measured on attributions


class Ready:
    """Workers that have their results already: eight at a time; with `waits` the newest is done first."""

    def __init__(self, waits: bool) -> None:
        self.tasks, self.waits, self.line = [], waits, json.dumps({"id": 0, "result": "x" * RESULT}).encode() + b"\n"

    def free(self) -> bool:
        return len(self.tasks) < 8

    def start(self, task) -> None:
        self.tasks.append(task)

    def wait(self):
        task = self.tasks.pop() if self.waits else self.tasks.pop(0)
        return [Ended(task, [(self.line, True)] * len(task.rows), "", 0.3, "here")]

    def close(self) -> None:
        """Nothing to end."""


class Nothing:
    """A batch of no verb."""

    def record(self):
        return {}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shard", type=int, default=running.SIZE)
    parser.add_argument("--waits", action="store_true", help="shards are finished before their turn")
    args = parser.parse_args()
    args.out.mkdir(parents=True)
    source = args.out / "rows.jsonl"
    with source.open("w") as file:
        for number in range(args.rows):
            row = {"id": number, "answer": ""}
            file.write(json.dumps(row | {"answer": "x" * (EACH - len(json.dumps(row)))}) + "\n")
    synced, sync = [], os.fsync
    os.fsync = lambda handle: synced.append(handle) or sync(handle)
    started, worked = time.perf_counter(), time.process_time()
    running.run(Nothing(), source, args.out / "results", lambda: Ready(args.waits), size=args.shard)
    took, worked = time.perf_counter() - started, time.process_time() - worked
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{args.rows} rows: {took:.2f} s, {worked:.2f} s of work, {len(synced)} waits for the disk, {memory} MB")


if __name__ == "__main__":
    main()
