"""Batches on a Ray cluster: the bytes of one process, with a node that is lost; a cluster that goes away is an error."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import batch_workers
from bench import benchdata
from citewell.cli import main
from citewell.errors import UnreachableError
from citewell.library.batch import processes
from citewell.library.batch import run as running
from citewell.library.batch.job import Job
from citewell.library.batch.processes import Processes
from citewell.library.batch.run import run
from citewell.library.library import Library

pytestmark = [pytest.mark.slow, pytest.mark.rare]
pytest.importorskip("ray")

# Two nodes in a process of their own, which does as it is told by lines: `node` loses one, `all` both.
CLUSTER = """
import sys
from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "num_gpus": 1, "include_dashboard": False})
second = cluster.add_node(num_cpus=1, num_gpus=1)  # as they say: nothing looks for one
print(cluster.address, flush=True)
for line in sys.stdin:
    if line.strip() == "node":
        cluster.remove_node(second)
    else:
        cluster.shutdown()
    print("done", flush=True)
"""


@pytest.fixture
def cluster():
    with tempfile.TemporaryDirectory() as folder:
        # Ray hands the interpreter of a node to a shell without quotes: its path must have no space.
        environment = Path(folder, "environment")
        environment.symlink_to(sys.prefix)
        yield from _nodes(str(environment / "bin" / "python"))


def _nodes(python):
    with subprocess.Popen(
        [python, "-c", CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    ) as process:

        def tell(line):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert process.stdout.readline().strip() == "done"

        yield process.stdout.readline().strip(), tell
        tell("all")
        process.stdin.close()


def _begun(out):
    deadline = time.monotonic() + 120
    while not ((out / "run.jsonl").is_file() and (out / "run.jsonl").stat().st_size):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_items_of_a_benchmark_and_files_of_a_library_are_worked_on_on_a_cluster(tmp_path, cluster):
    address, _ = cluster
    benchdata.veri_gran(tmp_path, 70)
    for number in range(6):
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / f"{number}.md").write_text(f"# Ship {number}\n\nShip {number} sailed.\n")
    for name, crew in (("here", []), ("there", ["--ray", address, "--workers", "2"])):
        command = ["bench", "run", "verifiability-granular", "--data", str(tmp_path), "--split", "dev", *crew]
        command += ["--gpus", "0.8"] if crew else []  # so that each node has room for one
        assert main([*command, "--method", "lexical", "--out", str(tmp_path / name), "-q"]) == 0
        assert main(["library", "add", str(tmp_path / "files"), "--library", str(tmp_path / f"{name}.lib"), *crew]) == 0
    assert (tmp_path / "here" / "items.jsonl").read_bytes() == (tmp_path / "there" / "items.jsonl").read_bytes()
    with Library(tmp_path / "here.lib") as here, Library(tmp_path / "there.lib") as there:
        assert [entry.id for entry in here.entries()] == [entry.id for entry in there.entries()]
        names = [sorted(path.name for path in Path(item.place, "segments").iterdir()) for item in (here, there)]
        assert names[0] == names[1] != []


def test_a_cluster_that_loses_a_node_and_then_all_gives_the_bytes_of_one_process(tmp_path, cluster, monkeypatch):
    address, tell = cluster
    (tmp_path / "harbour.md").write_text("The harbour froze in January. The Eider line lost 1.1 million euros.")
    source, out, job = tmp_path / "rows.jsonl", tmp_path / "out", Job("attribute")
    with source.open("w") as file:
        for number in range(600):
            answer = f"The Eider line lost {number}.1 million euros."
            file.write(json.dumps({"documents": [str(tmp_path / "harbour.md")], "answer": answer}) + "\n")
    verb = ["batch", "attribute", "--in", str(source), "--out", str(out)]
    command = [sys.executable, "-m", "citewell", *verb, "--ray", address, "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        _begun(out)
        tell("node")
        (before,) = [(out / "run.jsonl").stat().st_size]
        while process.poll() is None and (out / "run.jsonl").stat().st_size == before:
            time.sleep(0.05)  # it goes on without that node
        tell("all")
        _, result = process.communicate()
    assert process.returncode == 1
    assert result == f"citewell: the Ray cluster at {address} went away: run the same command again to go on\n"
    summary = run(job, source, out, lambda: Processes(job, 1))
    assert 0 < summary.done_before < 600
    whole = run(job, source, tmp_path / "whole", lambda: Processes(job, 2))
    assert (summary.rows, summary.failed) == (whole.rows, whole.failed) == (600, 0)
    assert (out / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()


def test_a_cluster_that_does_not_start_is_told(monkeypatch):
    from citewell.library.batch import cluster as clusters

    monkeypatch.setattr(clusters, "started", lambda *_: processes.started(batch_workers.ended))
    with pytest.raises(UnreachableError, match="no Ray cluster could be started or joined at local: CITEWELL_DEBUG=1"):
        clusters.Cluster(batch_workers.Ends(3), "local", 1)


def test_a_cluster_of_this_machine_says_nothing_and_a_row_that_ends_its_worker_is_a_failed_row(tmp_path, monkeypatch):
    from citewell.library.batch.cluster import Cluster

    monkeypatch.setenv("PYTHONPATH", str(Path(batch_workers.__file__).parent), prepend=os.pathsep)  # for the actors
    monkeypatch.setattr(running, "SIZE", 2)
    source = tmp_path / "rows.jsonl"
    source.write_text("".join(json.dumps({"id": number}) + "\n" for number in range(5)))
    run(batch_workers.Ends(3), source, tmp_path / "out", lambda: Cluster(batch_workers.Ends(3), "local", 1))
    payloads = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert [row.get("result") for row in payloads] == [0, 1, 2, None, 4]
    assert payloads[3]["error"]["type"] == "WorkerLost"
