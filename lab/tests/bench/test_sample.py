"""Seeded samples: the same items everywhere, a smaller sample inside a larger, all where there are no more."""

import json

import pytest

from bench import answerdata, benchdata
from citewell.cli import main
from citewell.errors import UsageError
from citewell_lab.bench import everything
from citewell_lab.bench.datasets.sample import sampled
from citewell_lab.bench.items import Broken
from citewell_lab.bench.run import run

ITEMS = [Broken(f"item {number}", "") for number in range(500)]


def ids(*args):
    return [item.id for item in sampled(*args)]


def test_a_sample_keeps_the_order_and_does_not_take_the_first_items():
    drawn = ids(ITEMS, 100)
    assert len(set(drawn)) == 100
    assert drawn == sorted(drawn, key=lambda name: int(name.split()[1]))
    assert 30 < sum(int(name.split()[1]) < 250 for name in drawn) < 70


def test_who_is_in_a_sample_hangs_on_the_seed_alone():
    assert set(ids(ITEMS[::-1], 100)) == set(ids(ITEMS, 100))
    assert set(ids(ITEMS, 20)) < set(ids(ITEMS, 100))
    assert ids(ITEMS, 100, 1) != ids(ITEMS, 100)
    assert ids(ITEMS, 2000) == [item.id for item in ITEMS]
    assert ids([Broken("same", "")] * 3, 2) == ["same", "same"]


def test_a_run_of_a_sample_is_partial_goes_on_and_is_no_other_samples_run(tmp_path):
    benchdata.veri_gran(tmp_path, 40)
    place = tmp_path / "run"
    result = run("verifiability-granular", tmp_path, "dev", sample=7, seed=3, out=place)
    assert (result.n, result.standing.state) == (7, "partial")
    drawn = [json.loads(line)["id"] for line in (place / "items.jsonl").read_text().splitlines()]
    again = run("verifiability-granular", tmp_path, "dev", sample=7, seed=3, limit=5)
    assert again.n == 5
    assert drawn[:5] != [f"dev:{number}" for number in range(5)]
    for other in ({"sample": 8, "seed": 3}, {"sample": 7}, {}):
        with pytest.raises(UsageError, match="another run"):
            run("verifiability-granular", tmp_path, "dev", out=place, **other)
    with pytest.raises(UsageError, match="--sample is at least 1"):
        run("verifiability-granular", tmp_path, "dev", sample=0)
    with pytest.raises(UsageError, match="goes with --sample or --llm"):
        run("verifiability-granular", tmp_path, "dev", seed=3)


def test_the_command_draws_a_sample(tmp_path, capsys):
    benchdata.veri_gran(tmp_path, 12)
    args = ["bench", "run", "verifiability-granular", "--data", str(tmp_path), "--split", "dev", "--sample", "5"]
    assert main([*args, "--seed", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 5
    assert main(["bench", "tables", "--data", str(tmp_path), "--task", "verifiability-granular", "--sample", "4",
                 "--out", str(tmp_path / "runs"), "--json"]) == 0  # fmt: skip
    table = json.loads(capsys.readouterr().out)["tables"][0]
    assert [row["n"] for row in table["rows"] if row["kind"] == "ours"] == [4]


def test_tables_say_first_which_package_is_missing(tmp_path, capsys, monkeypatch):
    answerdata.govreport(tmp_path)
    benchdata.wice(tmp_path)
    find_spec = everything.importlib.util.find_spec
    monkeypatch.setattr(
        everything.importlib.util, "find_spec", lambda name: None if name == "rouge_score" else find_spec(name)
    )
    args = ["bench", "tables", "--data", str(tmp_path), "--out", str(tmp_path / "runs")]
    assert main(args) == 3
    assert "govreport needs the package 'rouge-score': pip install 'citewell-lab[bench]'" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
    assert main([*args, "--task", "wice"]) == 0
