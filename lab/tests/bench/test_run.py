import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bench import benchdata
from bench.benchdata import Overlap, Share
from citewell import readers
from citewell.errors import BackendError, InputError, MissingExtraError, UsageError
from citewell.text import segments
from citewell_lab.bench import records
from citewell_lab.bench import run as running
from citewell_lab.bench.run import run, summarise


def read(folder):
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]


def test_a_run_writes_a_line_an_item_its_spec_and_its_summary(tmp_path):
    benchdata.veri_gran(tmp_path, 3)
    result = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r")
    assert [result["id"] for result in read(tmp_path / "r")] == ["dev:0", "dev:1", "dev:2"]
    spec = json.loads((tmp_path / "r" / "spec.json").read_text())
    assert spec["resolved"] == {"attributor": "overlap"}
    assert spec["parameters"] == {"attributor": {"tokens": False}}
    assert spec["text"] == {"reader": readers.VERSION, "segmenter": segments.VERSION}
    assert list(spec["checksums"]) == ["verifiability_granular/dev.jsonl"]
    assert {"python", "numpy"} <= set(spec["versions"])
    summary = json.loads((tmp_path / "r" / "summary.json").read_text())
    assert {key: summary[key] for key in result.to_dict()} == json.loads(json.dumps(result.to_dict()))


def test_a_run_of_before_versions_of_reader_and_segmenter_were_told_goes_on_and_one_of_others_does_not(tmp_path):
    benchdata.veri_gran(tmp_path, 3)
    path = tmp_path / "r" / "spec.json"
    run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r", limit=1)
    spec = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in spec.items() if key != "text"}))
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r", limit=2).n == 2
    path.write_text(json.dumps({**spec, "text": {"reader": "0", "segmenter": "0"}}))
    with pytest.raises(UsageError, match="differs in text"):
        run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r")


def test_the_json_of_a_run_has_exactly_the_contracts_keys(tmp_path):
    benchdata.veri_gran(tmp_path)
    payload = run("verifiability-granular", tmp_path, "dev", method=Overlap()).to_dict()
    keys = ["task", "split", "method", "n", "abstained", "failed", "metrics", "by_group", "seconds"]
    assert list(payload) == keys


def test_a_run_without_out_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    benchdata.veri_gran(tmp_path)
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap()).out is None
    assert list((tmp_path / "t").iterdir()) == []


def test_a_limit_takes_the_first_items_and_a_larger_one_goes_on(tmp_path):
    benchdata.veri_gran(tmp_path, 70)
    out = tmp_path / "r"
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap(), limit=5, out=out).n == 5
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=out).n == 70
    whole = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "w")
    assert (out / "items.jsonl").read_bytes() == (whole.out / "items.jsonl").read_bytes()
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap(), limit=2, out=out).n == 2


def test_a_line_that_was_cut_off_is_written_again_with_the_same_batches(tmp_path):
    batches = []

    class Spy(Share):
        def check(self, pairs):
            batches.append(len(pairs))
            return super().check(pairs)

    rows = [{"claim": f"a {n}", "references": ["a b"], "attribution_label": "attributable", "src_dataset": "x"}
            for n in range(40)]  # fmt: skip
    benchdata.lines(tmp_path / "attributionbench" / "dev.jsonl", rows)
    run("attributionbench", tmp_path, "dev", checker=Spy(), out=tmp_path / "r")
    path = tmp_path / "r" / "items.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"dev:35") + 20])
    batches.clear()
    run("attributionbench", tmp_path, "dev", checker=Spy(), out=tmp_path / "r")
    assert path.read_bytes() == whole
    assert batches == [8]


SLOW = """
import sys, time
sys.path.insert(0, {tests!r})
from bench.benchdata import Overlap
from citewell_lab.bench.run import run
class Slow(Overlap):
    def attribute(self, *args, **kwargs):
        time.sleep(0.01)
        return super().attribute(*args, **kwargs)
run("verifiability-granular", {data!r}, "dev", method=Slow(), out={out!r})
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_run_resumes_to_the_same_bytes(tmp_path):
    benchdata.veri_gran(tmp_path, 80)
    expected = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "whole")
    out = tmp_path / "killed"
    script = SLOW.format(tests=str(Path(__file__).parents[1]), data=str(tmp_path), out=str(out))
    process = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (not (out / "items.jsonl").exists() or not read(out)):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 0 < len(read(out)) < 80
    resumed = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=out)
    assert (out / "items.jsonl").read_bytes() == (expected.out / "items.jsonl").read_bytes()
    assert resumed.scores == expected.scores


def test_one_broken_item_is_a_counted_failure_and_the_rest_goes_on(tmp_path):
    class Breaks(Overlap):
        def attribute(self, draft, documents, granularity="sentence", k=None):
            if draft.question.endswith(" 2"):
                raise RuntimeError("out of\nmemory")
            return super().attribute(draft, documents, granularity, k)

    benchdata.veri_gran(tmp_path, 4)
    result = run("verifiability-granular", tmp_path, "dev", method=Breaks(), out=tmp_path / "r")
    assert (result.n, result.failed) == (3, 1)
    assert result.failures == ("dev:2: RuntimeError: out of memory",)
    assert read(tmp_path / "r")[2] == {"id": "dev:2", "group": "", "failed": "RuntimeError: out of memory"}
    assert result.scores.metrics["span_accuracy"] == 1


def test_a_score_that_is_no_number_is_a_failure(tmp_path):
    class Lost(Share):
        def check(self, pairs):
            verdicts = super().check(pairs)
            return [
                verdict.__class__(verdict.claim, verdict.label, float("nan")) if verdict.claim == "x" else verdict
                for verdict in verdicts
            ]

    benchdata.attributionbench(tmp_path)
    result = run("attributionbench", tmp_path, "dev", checker=Lost())
    assert (result.n, result.failed) == (2, 1)


def test_a_checker_that_returns_too_few_verdicts_stops_the_run(tmp_path):
    class Short(Share):
        def check(self, pairs):
            return super().check(pairs)[1:]

    benchdata.attributionbench(tmp_path)
    with pytest.raises(BackendError, match="the checker gave 0 verdicts for 1 claims"):
        run("attributionbench", tmp_path, "dev", checker=Short())


def test_a_back_end_that_fails_from_the_start_stops_the_run_and_leaves_it_to_be_begun_anew(tmp_path):
    class Dead(Overlap):
        def attribute(self, draft, documents, granularity="sentence", k=None):
            raise BackendError("no model at 'x'")

    benchdata.veri_gran(tmp_path, 10)
    out = tmp_path / "r"
    with pytest.raises(BackendError, match="the first 3 items all failed: no model at 'x'"):
        run("verifiability-granular", tmp_path, "dev", method=Dead(), out=out)
    assert read(out) == []
    assert run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=out).n == 10


def test_a_missing_package_stops_the_run_at_once(tmp_path):
    class Bare(Share):
        def check(self, pairs):
            raise MissingExtraError("a local model", "torch", "local")

    benchdata.attributionbench(tmp_path)
    with pytest.raises(MissingExtraError, match="pip install"):
        run("attributionbench", tmp_path, "dev", checker=Bare())


def test_a_verdict_that_failed_is_a_counted_failure(tmp_path):
    class Once(Share):
        def check(self, pairs):
            verdicts = super().check(pairs)
            return [
                replace(verdict, failed="no label in the reply") if verdict.claim == "x" else verdict
                for verdict in verdicts
            ]

    benchdata.attributionbench(tmp_path)
    result = run("attributionbench", tmp_path, "dev", checker=Once())
    assert (result.n, result.failures) == (2, ("dev:2: no label in the reply",))


def test_items_are_written_as_they_finish_not_a_batch_at_once(tmp_path):
    benchdata.veri_gran(tmp_path, 6)
    out = tmp_path / "r"
    lengths = []

    class Watch(Overlap):
        def attribute(self, draft, documents, granularity="sentence", k=None):
            if granularity != "token":
                lengths.append(len(read(out)))
            return super().attribute(draft, documents, granularity, k)

    run("verifiability-granular", tmp_path, "dev", method=Watch(), out=out)
    assert lengths == [0, 1, 2, 3, 4, 5]


def test_a_folder_of_another_run_is_refused(tmp_path):
    benchdata.veri_gran(tmp_path)
    benchdata.attributionbench(tmp_path)
    run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r")
    with pytest.raises(UsageError, match="holds another run"):
        run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "r")
    benchdata.veri_gran(tmp_path, 2)
    with pytest.raises(UsageError, match="differs in checksums"):
        run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r")


def test_a_flag_that_a_task_does_not_use_is_refused(tmp_path):
    with pytest.raises(UsageError, match="does not use --method: it takes --checker"):
        run("salad", tmp_path, "all", method="lexical")
    with pytest.raises(UsageError, match="--limit is at least 1"):
        run("salad", tmp_path, "all", limit=0)


def test_a_split_without_items_is_an_error(tmp_path):
    benchdata.evidence_inference(tmp_path)
    with pytest.raises(InputError, match="no items"):
        run("evidence-inference", tmp_path, "test", checker=Share(), method=Overlap())


def test_a_summary_needs_neither_data_nor_back_ends(tmp_path):
    benchdata.veri_gran(tmp_path, 3)
    result = run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "r")
    (tmp_path / "verifiability_granular" / "dev.jsonl").unlink()
    again = summarise(tmp_path / "r")
    assert again.to_dict() | {"seconds": 0} == result.to_dict() | {"seconds": 0}
    with pytest.raises(InputError, match="is not a run"):
        summarise(tmp_path)


def test_the_bar_stays_away_unless_it_is_wanted(tmp_path, capsys):
    benchdata.veri_gran(tmp_path, 3)
    run("verifiability-granular", tmp_path, "dev", method=Overlap())
    assert capsys.readouterr().err == ""
    run("verifiability-granular", tmp_path, "dev", method=Overlap(), progress=True)
    assert "verifiability-granular" in capsys.readouterr().err


def test_chunks_begin_at_fixed_positions():
    assert [len(chunk.items) for chunk in running._chunks(range(running.CHUNK * 2 + 3))] == [
        running.CHUNK,
        running.CHUNK,
        3,
    ]


def test_a_record_with_half_a_character_is_written_and_read_back(tmp_path):
    record = {"id": "1", "group": "", "failed": "a\ud800b 😀"}
    (tmp_path / "items.jsonl").write_bytes(records.line(record))
    assert records.items(tmp_path) == [record]
