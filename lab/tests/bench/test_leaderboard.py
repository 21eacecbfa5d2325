"""A leaderboard takes runs that are what they say, and keeps what made them."""

import json

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell_lab.bench import leaderboard
from citewell_lab.bench.run import run


@pytest.fixture
def folder(tmp_path):
    benchdata.wice(tmp_path)
    for name, method in (("a", "lexical"), ("b", "verbatim")):
        run("wice", tmp_path, "dev", method=method, out=tmp_path / name)
    return tmp_path


def test_an_entry_holds_the_figures_and_what_made_them(folder):
    leaderboard.add(folder / "a", folder / "board.json")
    leaderboard.add(folder / "b", folder / "board.json", "copied words")
    entries = json.loads((folder / "board.json").read_text())["entries"]
    assert [entry["name"] for entry in entries] == ["copied words", "lexical | lexical"]
    entry = entries[1]
    assert entry["n"] == 2
    assert entry["checksums"] == {"wice/claim/dev.jsonl": entry["checksums"]["wice/claim/dev.jsonl"]}
    assert {"citewell", "numpy", "python"} <= set(entry["versions"])
    assert (entry["seed"], entry["prompts"]) == (0, {})
    assert len(entry["items_sha256"]) == 64


def test_the_same_run_is_there_once(folder):
    for _ in range(2):
        leaderboard.add(folder / "a", folder / "board.json")
    assert len(leaderboard.load(folder / "board.json")["entries"]) == 1


def test_a_run_whose_summary_was_improved_by_hand_is_refused(folder):
    path = folder / "a" / "summary.json"
    summary = json.loads(path.read_text())
    summary["metrics"]["label_accuracy"] = 0.123
    path.write_text(json.dumps(summary))
    with pytest.raises(UsageError, match="label_accuracy differ"):
        leaderboard.add(folder / "a", folder / "board.json")
    assert not (folder / "board.json").exists()


def test_a_limited_or_unfinished_run_is_refused(folder):
    run("wice", folder, "dev", limit=1, out=folder / "c")
    with pytest.raises(UsageError, match="limited to 1"):
        leaderboard.add(folder / "c", folder / "board.json")
    (folder / "a" / "summary.json").unlink()
    with pytest.raises(UsageError, match="no summary"):
        leaderboard.add(folder / "a", folder / "board.json")


def test_a_run_over_other_data_is_refused(folder):
    leaderboard.add(folder / "a", folder / "board.json")
    path = folder / "wice" / "claim" / "dev.jsonl"
    path.write_text(path.read_text().replace("rain", "hail"))
    run("wice", folder, "dev", out=folder / "other")
    with pytest.raises(UsageError, match="other data"):
        leaderboard.add(folder / "other", folder / "board.json")


def test_hashes_of_prompts_are_kept():
    assert leaderboard.prompts({"approach": {"prompt": "qasper", "sha256": "ab"}, "checker": {"x": 1}}) == {
        "qasper": "ab"
    }


def test_a_file_that_is_no_leaderboard_is_left_alone(folder):
    path = folder / "board.json"
    for text in ("[]", "{", '{"format": 9, "entries": []}'):
        path.write_text(text)
        with pytest.raises(InputError, match="not a leaderboard"):
            leaderboard.add(folder / "a", path)
        assert path.read_text() == text


def test_the_commands_add_show_and_check(folder, capsys):
    board = str(folder / "board.json")
    assert main(["bench", "leaderboard", "add", str(folder / "a"), "--file", board]) == 0
    assert main(["bench", "leaderboard", "show", board]) == 0
    out = capsys.readouterr().out
    assert "wice, dev" in out
    assert "lexical | lexical" in out
    assert main(["bench", "leaderboard", "check", board, str(folder / "a")]) == 0
    assert main(["bench", "leaderboard", "check", board, str(folder / "b")]) == 1
    data = json.loads((folder / "board.json").read_text())
    data["entries"][0]["metrics"]["evidence_f1"] = 0.99
    (folder / "board.json").write_text(json.dumps(data))
    assert main(["bench", "leaderboard", "check", board, str(folder / "a")]) == 1
    assert "differs in metrics" in capsys.readouterr().err
