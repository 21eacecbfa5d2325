"""Memory of `library add` on a folder and of `batch` with Parquet in and out, as both grow: the largest resident size.

    python lab/benchmarks/library/memory.py DATA FOLDER [--documents 250,1000] [--rows 1000,4000]

Documents are the trial reports of Evidence Inference as text files, and the pages of FEVER; rows attribute sentences to
them. Of a batch the driver and its largest worker are told apart.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path


def texts(data: Path) -> list[str]:
    files = [path.read_text(encoding="utf-8") for path in sorted((data / "evidence_inference/txt_files").glob("*.txt"))]
    return files + [json.loads(line)["text"] for line in (data / "fever/docs.jsonl").open(encoding="utf-8")]


def largest(command: list[str]) -> tuple[float, int, int]:
    """Seconds, and the largest resident size of a process and of its children, in MB."""
    started, own_memory, others = time.perf_counter(), 0, 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            own_memory = max(own_memory, peak(process.pid))
            others = max([others, *map(peak, children(process.pid))])
            time.sleep(0.05)
    assert process.returncode == 0
    return time.perf_counter() - started, own_memory, others


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def peak(pid: int) -> int:
    try:
        mapping = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return int(mapping["VmHWM"].split()[0]) // 1024
    except (OSError, KeyError):
        return 0


def main() -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", default="250,1000")
    parser.add_argument("--rows", default="1000,4000")
    args = parser.parse_args()
    whole, citewell = texts(args.data), [sys.executable, "-m", "citewell"]
    files = []
    for count in map(int, args.documents.split(",")):
        place = args.folder / f"files{count}"
        place.mkdir(parents=True)
        files = [place / f"{number:05}.txt" for number in range(count)]
        for file, text in zip(files, whole, strict=False):
            file.write_text(text, encoding="utf-8")
        size = sum(map(len, whole[:count])) / 1e6
        for workers in ("1", "2"):
            lib = str(args.folder / f"lib{count}-{workers}")
            took, own_memory, others = largest(
                [*citewell, "library", "add", str(place), "--library", lib, "--workers", workers]
            )
            memory_line = f"{own_memory} MB, its largest worker {others} MB"
            print(
                f"add {count} documents ({size:.1f} million characters), {workers} workers: {took:.0f} s, {memory_line}"
            )
    draw = random.Random(0)
    for count in map(int, args.rows.split(",")):
        rows = []
        for number in range(count):
            place = draw.randrange(len(files))
            line = draw.choice([line for line in whole[place].splitlines() if len(line) > 30] or [whole[place]])[:300]
            rows.append({"id": str(number), "documents": [str(files[place])], "answer": line})
        source, out = args.folder / f"rows{count}.parquet", args.folder / f"out{count}"
        parquet.write_table(pa.Table.from_pylist(rows), source, row_group_size=1024)
        command = ["batch", "attribute", "--in", str(source), "--out", str(out), "--format", "parquet"]
        took, own_memory, others = largest([*citewell, *command])
        size = (out / "results.parquet").stat().st_size / 2**20
        print(
            f"batch of {count} rows, Parquet in and out ({size:.1f} MB): {took:.0f} s, driver {own_memory} MB, worker {others} MB"
        )


if __name__ == "__main__":
    main()
