"""What lies in a data folder, beside what was published."""

import hashlib
import json
from dataclasses import replace

from bench import benchdata
from citewell.cli import main
from citewell_lab.bench import completeness
from citewell_lab.bench.datasets.dataset import File, Published, Split
from citewell_lab.bench.tasks import task


def test_a_folder_says_which_splits_are_partial_or_absent(tmp_path, capsys):
    benchdata.wice(tmp_path)
    split = {(split.dataset, split.split): split for split in completeness.splits(tmp_path)}
    assert split["wice", "dev"].state == "partial"
    assert split["wice", "dev"].why == "2 of the published 349 claims"
    assert split["wice", "dev"].files == ("wice/claim/dev.jsonl",)
    assert split["wice", "test"].state == "absent"
    assert split["hagrid", "dev"].why == "there is no hagrid/"
    assert main(["bench", "data", "--data", str(tmp_path), "--task", "wice"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["wice", "dev", "partial"]
    assert main(["bench", "data", "--data", str(tmp_path), "--json"]) == 0
    assert {split["state"] for split in json.loads(capsys.readouterr().out)["splits"]} == {"partial", "absent"}
    assert main(["bench", "data", "--data", str(tmp_path / "no")]) == 2


def test_a_task_that_is_made_from_other_data_has_no_split_to_be_complete(tmp_path, capsys):
    benchdata.supported(tmp_path)
    assert "flips" not in {split.dataset for split in completeness.splits(tmp_path)}
    assert list(completeness.splits(tmp_path, ("flips",))) == []
    assert main(["bench", "fetch", "flips", "--data", str(tmp_path)]) == 0
    assert "made from the other data sets" in capsys.readouterr().out
    assert main(["bench", "list", "--data", str(tmp_path)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("flips")]
    assert "(no " not in line


def test_a_split_with_the_published_checksum_is_complete(tmp_path, monkeypatch):
    benchdata.wice(tmp_path)
    digest = hashlib.sha256((tmp_path / "wice" / "claim" / "dev.jsonl").read_bytes()).hexdigest()
    published = Published("W", "H", "L", {"dev": Split(9)}, files=(File("dev.jsonl", sha256=digest, split="dev"),))
    wice = replace(task("wice"), data=replace(task("wice").data, published_as=published))
    monkeypatch.setattr(completeness, "task", lambda _: wice)
    assert [split.state for split in completeness.splits(tmp_path, ("wice",))] == ["complete"]


def test_more_items_than_published_differ_and_broken_rows_are_counted(tmp_path):
    benchdata.lines(tmp_path / "wice" / "claim" / "dev.jsonl", [{"claim": "c"}] * 350)
    (splits, _) = completeness.splits(tmp_path, ("wice",))
    assert (splits.state, splits.broken) == ("differs", 350)


def test_a_damaged_file_is_unreadable_and_not_absent(tmp_path):
    path = tmp_path / "contractnli" / "dev.json"
    path.parent.mkdir()
    path.write_text("{")
    states = {split.split: split.state for split in completeness.splits(tmp_path, ("contract-nli",))}
    assert (states["dev"], states["test"]) == ("unreadable", "absent")
