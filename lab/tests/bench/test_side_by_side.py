"""A run whose items others predict: the records of one process, in their order, whatever ends on the way."""

import json
import os
import signal
from dataclasses import dataclass

import pytest

from batch_workers import Here
from bench import benchdata
from bench.benchdata import Overlap, Share
from citewell.cli import main
from citewell.errors import BackendError, MissingExtraError
from citewell.library.batch.processes import Processes
from citewell.library.batch.workers import Crew
from citewell_lab.bench.run import run

TWO = Crew(2)


def items(folder):
    return (folder / "items.jsonl").read_bytes()


@pytest.fixture
def ends(monkeypatch):
    """Ids of items that end whoever works on them; workers are no processes, and the newest chunk is done first."""
    ids = []
    monkeypatch.setattr(Crew, "workers", lambda crew, work: Here(work, 3, ids))
    return ids


def claims(data, count):
    rows = [{"claim": f"a {n}", "references": ["a b"], "attribution_label": "attributable", "src_dataset": "x"}
            for n in range(count)]  # fmt: skip
    benchdata.lines(data / "attributionbench" / "dev.jsonl", rows)


def test_records_are_those_of_one_process_and_a_run_that_stopped_goes_on(tmp_path, ends):
    claims(tmp_path, 150)
    run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "one")
    several = run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "several", crew=TWO)
    whole = items(tmp_path / "one")
    assert items(tmp_path / "several") == whole
    assert several.n == 150
    (tmp_path / "several" / "items.jsonl").write_bytes(whole[: whole.index(b"dev:70") + 20])
    run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "several", crew=TWO)
    assert items(tmp_path / "several") == whole
    run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "few", limit=40, crew=TWO)
    assert items(tmp_path / "few") == whole[: whole.index(b'{"id":"dev:40"')]


def test_an_item_that_ends_its_workers_is_a_counted_failure(tmp_path, ends):
    benchdata.veri_gran(tmp_path, 70)
    ends.append("dev:40")
    result = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r", crew=TWO)
    assert (result.n, result.failed) == (69, 1)
    assert result.failures == ("dev:40: WorkerLost: the worker ended 2 times on this row (signal SIGSEGV)",)


@dataclass(frozen=True)
class Fails(Overlap):
    """Fails on some questions."""

    at: str = ""

    def attribute(self, draft, documents, granularity="sentence", k=None):
        if draft.question.endswith(self.at):
            raise RuntimeError("out of\nmemory")
        return super().attribute(draft, documents, granularity, k)


@dataclass(frozen=True)
class Dead(Overlap):
    """Fails always."""

    def attribute(self, draft, documents, granularity="sentence", k=None):
        raise BackendError("no model at 'x'")


class Bare(Share):
    """Lacks its package."""

    def check(self, pairs):
        raise MissingExtraError("a local model", "torch", "local")


def test_failures_are_those_of_one_process(tmp_path, ends):
    benchdata.veri_gran(tmp_path, 70)
    for name, crew in (("one", Crew()), ("several", TWO)):
        result = run("verifiability-granular", tmp_path, "dev", method=Fails(at=" 33"), out=tmp_path / name, crew=crew)
        assert result.failures == ("dev:33: RuntimeError: out of memory",)
    assert items(tmp_path / "one") == items(tmp_path / "several")
    with pytest.raises(BackendError, match="the first 3 items all failed: no model at 'x'"):
        run("verifiability-granular", tmp_path, "dev", method=Dead(), out=tmp_path / "dead", crew=TWO)
    assert items(tmp_path / "dead") == b""


def test_what_fails_for_every_item_stops_the_run(tmp_path, ends):
    claims(tmp_path, 70)
    with pytest.raises(MissingExtraError, match="pip install"):
        run("attributionbench", tmp_path, "dev", checker=Bare(), out=tmp_path / "r", crew=TWO)
    assert items(tmp_path / "r") == b""


def test_gpus_are_shared_on_a_cluster_alone(tmp_path, capsys):
    assert main(["bench", "run", "wice", "--data", str(tmp_path), "--gpus", "1"]) == 2
    assert "workers share GPUs on a cluster (--ray)" in capsys.readouterr().err


@pytest.mark.slow
def test_processes_give_the_records_of_one_and_a_killed_one_is_replaced(tmp_path, monkeypatch):
    benchdata.veri_gran(tmp_path, 100)
    run("verifiability-granular", tmp_path, "dev", method="lexical", out=tmp_path / "one")

    class Killed(Processes):
        def start(self, task):
            super().start(task)
            if task.shard == 1 and not task.tried:
                busy = next(worker for worker in self._workers if worker.task is task)
                os.kill(busy.process.pid, signal.SIGKILL)

    monkeypatch.setattr(Crew, "workers", lambda crew, work: Killed(work, crew.number))
    command = ["bench", "run", "verifiability-granular", "--data", str(tmp_path), "--split", "dev", "--workers", "2"]
    assert main([*command, "--method", "lexical", "--out", str(tmp_path / "two"), "-q"]) == 0
    assert items(tmp_path / "one") == items(tmp_path / "two")
    assert len([json.loads(line) for line in items(tmp_path / "two").splitlines()]) == 100
