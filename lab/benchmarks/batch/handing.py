"""The same rows handed out by a loop, `citewell batch`, Dask, Ray, Ray Data and Spark: same lines, order, processor time.

    python lab/benchmarks/batch/handing.py --rows rows/rows.jsonl [--most 300] [--workers 2] [--ways loop,batch,...]

Rows are those of `make_rows.py`. Each way runs in a process of its own with Parquet rows as its input. Processor time is
of that process and of those that it waited for: of Ray's and Spark's workers nothing is counted. The lines are compared
with those of the loop, in their order and, where they differ, as a set.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import citewell

Row = dict[str, Any]
PART = 25  # rows of one Parquet file: what Ray Data and Spark hand out


def work(row: Row) -> str:
    return json.dumps(citewell.batch.row("attribute", json.loads(row["row"])), ensure_ascii=False, sort_keys=True)


def by_loop(folder: Path, _: int) -> list[str]:
    return [work(row) for row in _rows(folder)]


def by_batch(folder: Path, workers: int) -> list[str]:
    rows = [json.loads(row["row"]) for row in _rows(folder)]
    with tempfile.TemporaryDirectory() as out:
        citewell.batch("attribute", rows, Path(out, "out"), workers=workers)
        lines = Path(out, "out", "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.dumps(json.loads(line), ensure_ascii=False, sort_keys=True) for line in lines]


def by_dask(folder: Path, workers: int) -> list[str]:
    from dask import bag

    return bag.from_sequence(_rows(folder), partition_size=PART).map(work).compute(
        scheduler="processes", num_workers=workers
    )  # fmt: skip


def by_ray(folder: Path, workers: int) -> list[str]:
    import ray

    with _ray(workers):
        remote = ray.remote(work)
        return ray.get([remote.remote(row) for row in _rows(folder)])


def by_ray_data(folder: Path, workers: int, *, ordered: bool = True) -> list[str]:
    import ray

    with _ray(workers):
        ray.data.DataContext.get_current().execution_options.preserve_order = ordered
        rows = ray.data.read_parquet(str(folder)).map(lambda row: {"line": work(row)})
        return [row["line"] for row in rows.iter_rows()]


def by_spark(folder: Path, workers: int) -> list[str]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
    session = settings.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    try:
        frame = session.read.parquet(str(folder))
        return frame.rdd.map(lambda row: work(row.asDict())).collect()
    finally:
        session.stop()


WAYS: dict[str, Callable[[Path, int], list[str]]] = {
    "loop": by_loop,
    "batch": by_batch,
    "dask": by_dask,
    "ray": by_ray,
    "ray-data": by_ray_data,
    "ray-data-any-order": functools.partial(by_ray_data, ordered=False),
    "spark": by_spark,
}


@contextmanager
def _ray(workers: int) -> Iterator[None]:
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        yield
    finally:
        ray.shutdown()


def _rows(folder: Path) -> list[Row]:
    return [row for path in sorted(folder.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        Path(args.one).write_text(json.dumps(WAYS[args.ways](args.rows, args.workers)), encoding="utf-8")
        return
    lines = args.rows.read_text(encoding="utf-8").splitlines()[: args.most]
    first: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        parts, out = Path(folder, "rows"), Path(folder, "out.json")
        parts.mkdir()
        for start in range(0, len(lines), PART):
            pq.write_table(pa.table({"row": lines[start : start + PART]}), parts / f"{start:06d}.parquet")
        for way in args.ways.split(","):
            before, started = os.times(), time.perf_counter()
            command = [sys.executable, __file__, "--rows", str(parts), "--ways", way, "--one", str(out)]
            subprocess.run([*command, "--workers", str(args.workers)], check=True)
            took, after = time.perf_counter() - started, os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            results = json.loads(out.read_text(encoding="utf-8"))
            first = first or results
            same = "same order" if results == first else "same lines" if sorted(results) == sorted(first) else "OTHER"
            digest = hashlib.sha256("\n".join(results).encode()).hexdigest()[:12]
            print(
                f"{way:20s} {len(results)} rows, {same:10s} {digest} {cpu:6.1f} s cpu {took:6.1f} s clock", flush=True
            )


if __name__ == "__main__":
    main()
