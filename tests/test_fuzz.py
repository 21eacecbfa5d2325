"""A small part of `make fuzz`, and the smallest form of every input that once failed (`fuzz/kept`, by its target)."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fuzz import campaign, mutate, targets

KEPT = sorted((Path(__file__).parent / "fuzz" / "kept").iterdir())


@pytest.mark.parametrize("path", KEPT, ids=[path.name for path in KEPT])
def test_what_once_failed_is_used_or_refused(path):
    target, _, _ = path.name.rpartition("-")
    assert campaign.outcome(target.replace("-", " "), path.read_bytes()) in {"used", "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 100))
def test_inputs_that_nobody_meant_are_used_or_refused(first):
    for number in range(first, first + 100):
        target, data = campaign.drawn(0, number)
        assert campaign.outcome(target, data) in {"used", "refused"}, (target, data)


def test_the_same_seed_gives_the_same_inputs():
    assert [campaign.drawn(3, number) for number in range(30)] == [campaign.drawn(3, number) for number in range(30)]
    assert campaign.drawn(3, 1) != campaign.drawn(4, 1)


def test_every_sample_is_used_as_it_is():
    for name, target in targets.targets().items():
        assert [campaign.outcome(name, sample) for sample in target.samples] == ["used"] * len(target.samples), name


def test_a_fault_is_told_by_its_place_and_made_small(monkeypatch):
    def fails(data):
        if b"#" in data:
            raise KeyError(data)

    monkeypatch.setitem(targets.targets(), "spec", targets.Target((b"a",), fails))
    what = campaign.outcome("spec", b"word # word")
    assert what.startswith("KeyError at test_fuzz.py:")
    assert campaign.smallest(b"word # word", lambda data: campaign.outcome("spec", data) == what) == b"#"


def test_a_campaign_goes_on_where_it_stopped_and_keeps_failures(monkeypatch, tmp_path):
    def fails(data):
        raise ZeroDivisionError(data)

    monkeypatch.setitem(targets.targets(), "spec", targets.Target((b"bm25",), fails))
    monkeypatch.setattr(mutate, "changed", lambda data, draw, samples: data)
    for most in (40, 80):
        campaign.work(tmp_path, 0, most, float("inf"))
    state = campaign.State(tmp_path)
    assert state.next == 80
    assert sum(sum(count.values()) for count in state.counts.values()) == 80
    assert list(state.failures) == [fault for fault in state.failures if fault.startswith("spec: ZeroDivisionError")]
    assert len(list(tmp_path.glob("spec-*"))) == len(state.failures) == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed by Linux alone")
def test_the_worker_of_a_campaign_ends_with_it(tmp_path):
    command = [sys.executable, campaign.__file__, "--inputs", "1000000", "--state", str(tmp_path)]
    begun = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_until((tmp_path / "at").exists)
        children = Path(f"/proc/{begun.pid}/task/{begun.pid}/children").read_text().split()
    finally:
        begun.kill()
        begun.wait()
    assert children
    wait_until(lambda: not any(running(child) for child in children))


def wait_until(holds):
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen in two minutes")


def running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_edits_keep_a_zip_a_zip():
    sample = next(sample for sample in targets.targets()["read docx"].samples if len(sample) < 20_000)
    changed = [mutate.changed(sample, random.Random(seed), [sample]) for seed in range(40)]
    assert sum(data.startswith(b"PK") for data in changed) > 30
    assert len(set(changed)) > 30
