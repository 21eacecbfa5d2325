"""`citewell train checker`: rows and their groups, and weights that the same data gives again."""

import json

import pytest

from citewell.cli import main
from citewell.facts.features import names
from citewell.facts.model import parse, shipped
from citewell_lab.train.checker import fit, weights
from citewell_lab.train.checker.changed import ORIGINAL, with_originals
from citewell_lab.train.checker.rows import load, present
from citewell_lab.train.checker.sets import CHANGED, CONTRASTS, NOT_TRAINED_ON, SETS, plain

PLANTS = ("steel", "paper", "glass", "cotton", "copper", "salt", "sugar", "cement")
VERDICTS = (
    ("The {} output increased by {} tonnes in 1990.", "SUPPORTS"),
    ("The {} output decreased by {} tonnes in 1990.", "REFUTES"),
    ("The {} output won {} medals for its taste.", "NOT_ENOUGH_INFO"),
)


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    rows = [
        {"claim": text.format(plant, n + 3), "label": label,
         "evidence": f"The {plant} output increased by {n + 3} tonnes in 1990. It had been stable before."}
        for n, plant in enumerate(PLANTS) for text, label in VERDICTS
    ]  # fmt: skip
    lines(tmp_path / "scifact" / "train.jsonl", rows[:15])
    lines(tmp_path / "scifact" / "dev.jsonl", rows[15:])
    return tmp_path


def test_claims_over_one_evidence_are_one_group(data):
    rows = load(data, ["scifact"])
    assert len(rows) == len(PLANTS) * len(VERDICTS)
    assert len({row.group for row in rows}) == len(PLANTS)
    assert all(len({row.group for row in rows if row.evidence == result.evidence}) == 1 for result in rows)


def test_groups_reach_across_sets_that_share_an_evidence(tmp_path):
    claim = {"evidences": [[{"text": "Ada was born in Ulm .", "docid": "Ada"}]], "query": "Ada was born in Ulm.",
             "classification": "SUPPORTS"}  # fmt: skip
    lines(tmp_path / "fever" / "val.jsonl", [claim])
    pair = {"premise": "Ada was born in Ulm .", "hypothesis": "Ada was born in Bonn .", "label": "contradiction"}
    for name in ("generated", "dev"):
        lines(tmp_path / "fever_symmetric" / f"{name}.jsonl", [pair])
    rows = load(tmp_path, ["fever", "fever_symmetric"])
    assert [row.set for row in rows] == ["fever", "fever_symmetric", "fever_symmetric"]
    assert len({row.group for row in rows}) == 1
    assert rows[1].claim == "Ada was born in Bonn."


def test_a_sample_takes_whole_groups_and_is_the_same_each_time(data):
    drawn = load(data, ["scifact"], sample=4)
    assert len(drawn) == 2 * len(VERDICTS)
    assert drawn == load(data, ["scifact"], sample=4)
    assert drawn != load(data, ["scifact"], sample=4, seed=1)


def test_a_set_that_does_not_lie_there_is_not_present(data):
    assert present(data) == ("scifact",)


def test_changed_claims_stand_after_their_originals_and_say_what_was_changed(data):
    rows = with_originals(load(data, ["scifact"]), 3, half="all")
    originals = [row for row in rows if row.kind == ORIGINAL]
    changed = [row for row in rows if row.kind != ORIGINAL]
    assert rows == originals + changed
    assert {row.of for row in changed} == {row.claim for row in originals}
    assert {row.kind for row in changed if row.label == "contradicted"} >= {"number", "year", "negation"}
    assert max(sum(row.kind == kind for row in changed) for kind in {row.kind for row in changed}) == 3


def test_every_set_has_a_licence_and_a_reader():
    assert all(result.permits() for result in SETS.values())
    assert {*CHANGED, *CONTRASTS, *NOT_TRAINED_ON} <= set(SETS)


def test_tokens_become_text_again():
    assert plain("It is `` new '' , -LRB- he said -RRB- .") == 'It is "new", (he said).'


def test_the_shipped_weights_were_fitted_to_the_features_that_the_checker_reads():
    assert list(shipped().names) == list(names())


@pytest.mark.slow
def test_the_same_data_gives_the_same_bytes_and_the_file_says_what_it_was_fitted_on(data, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    quick = {**fit.chosen(), "folds": 2}
    for module in (fit, weights):
        monkeypatch.setattr(module, "chosen", lambda: quick)
    for name in ("first.json", "second.json"):
        assert main(["train", "checker", "--data", str(data), "--out", str(data / name)]) == 0
    assert "fitted on scifact" in capsys.readouterr().out
    content = (data / "first.json").read_text()
    assert content == (data / "second.json").read_text()
    about = json.loads(content)["about"]
    assert about["sets"]["scifact"]["claims"] == len(PLANTS) * len(VERDICTS)
    assert about["sets"]["scifact"]["flips"] == sum(about["changed"].values())
    assert about["sets"]["scifact"]["licence"] == "CC BY 4.0 and ODC-BY"
    model = parse(content)
    rows = load(data, ["scifact"])
    chances = model.support.probability(fit.features(rows))
    right = [chance for chance, row in zip(chances, rows, strict=True) if row.label == "supported"]
    wrong = [chance for chance, row in zip(chances, rows, strict=True) if row.label != "supported"]
    assert min(right) > max(wrong)


def test_without_scikit_learn_the_command_says_what_to_install(data, monkeypatch, capsys):
    monkeypatch.setattr(weights, "find_spec", lambda _: None)
    assert main(["train", "checker", "--data", str(data)]) == 2
    wanted = "citewell train checker needs the package 'scikit-learn': pip install 'citewell-lab[train]'"
    assert wanted in capsys.readouterr().err


def test_a_folder_without_the_sets_is_bad_input(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(weights, "find_spec", lambda _: "there")
    assert main(["train", "checker", "--data", str(tmp_path)]) == 2
    assert "has none of the sets" in capsys.readouterr().err
    assert main(["train", "checker", "--data", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err
