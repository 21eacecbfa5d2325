"""People's corrections as data: read, trained on, calibrated on; from the service to a checker that loads."""

import json

import numpy as np
import pytest

from citewell.cli import main
from citewell.document import Document
from citewell.errors import InputError, UsageError
from citewell.protocols import Pair
from citewell.registry import build
from citewell_lab.train import threshold
from citewell_lab.train.checker import fit, weights
from citewell_lab.train.checker.rows import CORRECTIONS, load
from citewell_lab.train.corrections import read

PLANTS = ("steel", "paper", "glass", "cotton", "copper", "salt", "sugar", "cement")
CLAIMS = (
    ("The {} output increased by {} tonnes in 1990.", "supported"),
    ("The {} output decreased by {} tonnes in 1990.", "contradicted"),
    ("The {} output won {} medals for its taste.", "not_supported"),
)


def line(claim, label, evidence, **more):
    return {"claim": claim, "label": label, "evidence": evidence, **more}


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path):
    rows = [
        line(text.format(plant, n + 3), label, [f"The {plant} output increased by {n + 3} tonnes in 1990."],
             history=f"{n:032x}", statement=at)
        for n, plant in enumerate(PLANTS) for at, (text, label) in enumerate(CLAIMS)
    ]  # fmt: skip
    return written(tmp_path / "corrections.jsonl", *rows)


def test_the_last_correction_of_a_statement_counts_and_a_note_takes_nothing_back(tmp_path):
    first = line("It froze.", "supported", ["It froze."], history="a", statement=0)
    file = written(tmp_path / "c.jsonl", first, {**first, "label": "contradicted"}, {**first, "label": None},
                   {**first, "statement": 1}, {**first, "history": "b", "label": "no_claim"})  # fmt: skip
    corrections = read(file)
    assert [(row.label, row.result) for row in corrections.rows] == [("contradicted", "a"), ("supported", "a")]
    assert corrections.unused == 3


def test_lines_of_ones_own_need_claim_evidence_and_label_alone(tmp_path):
    file = written(tmp_path / "c.jsonl", line("A", "supported", "B"), line("C", "contradicted", ["D", " "]),
                   line("E", "not_supported", []))  # fmt: skip
    assert [(row.claim, row.evidence) for row in read(file).rows] == [("A", ("B",)), ("C", ("D",))]


@pytest.mark.parametrize("bad", ["{", "[]", '{"claim": 3}', '{"claim": "A", "label": "true", "evidence": "B"}',
                                 '{"claim": "A", "label": "supported", "evidence": [1]}'])  # fmt: skip
def test_a_line_that_is_no_correction_is_named(tmp_path, bad):
    (tmp_path / "c.jsonl").write_text('{"claim": "A", "label": "supported", "evidence": "B"}\n' + bad)
    with pytest.raises(InputError, match="line 2"):
        read(tmp_path / "c.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "none.jsonl")


def test_corrections_are_a_set_whose_groups_are_answers_and_evidences(file):
    rows = load(None, corrected=read(file).rows)
    assert {row.set for row in rows} == {CORRECTIONS}
    assert len({row.group for row in rows}) == len(PLANTS)
    assert {row.label for row in rows} == {"supported", "contradicted", "not"}


@pytest.mark.slow
def test_a_checker_is_trained_on_corrections_alone_and_loads(file, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    quick = {**fit.chosen(), "folds": 2}
    for module in (fit, weights):
        monkeypatch.setattr(module, "chosen", lambda: quick)
    monkeypatch.delenv("CITEWELL_DATA", raising=False)
    weights_file = file.parent / "own.json"
    assert main(["train", "checker", "--corrections", str(file), "--out", str(weights_file)]) == 0
    assert "fitted on corrections" in capsys.readouterr().out
    evidence = (Document.from_text("The salt output increased by 8 tonnes in 1990."),)
    pairs = [Pair(text.format("salt", 8), evidence) for text, _ in CLAIMS]
    checker = build("checker", f"lexical(weights={weights_file})")
    verdicts = checker.check(pairs)
    assert verdicts[0].label == "supported"
    scores = [verdict.score for verdict in verdicts]
    assert scores[0] > max(scores[1:])
    assert scores != [verdict.score for verdict in build("checker", "lexical").check(pairs)]
    monkeypatch.setattr(weights, "chosen", lambda: {**quick, "folds": 20})
    assert main(["train", "checker", "--corrections", str(file), "--out", str(weights_file)]) == 2
    assert "there are too few claims to fit on" in capsys.readouterr().err


def test_weights_that_are_none_are_named(tmp_path):
    pair = [Pair("It froze.", (Document.from_text("It froze."),))]
    (tmp_path / "no.json").write_text("{}")
    with pytest.raises(InputError, match="contains no checker weights"):
        build("checker", f"lexical(weights={tmp_path}/no.json)").check(pair)
    with pytest.raises(InputError, match="cannot be read"):
        build("checker", f"lexical(weights={tmp_path}/none.json)").check(pair)


def test_the_threshold_that_parts_the_claims_is_chosen_and_measured_on_other_answers(file, capsys):
    assert main(["calibrate", "lexical(threshold=0.999)", "--corrections", str(file), "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["claims"], payload["answers"]) == (24, 8)
    assert payload["threshold"] < 0.999
    assert payload["spec"] == f"lexical(threshold={payload['threshold']})"
    assert payload["after"]["mean"] == 1.0 >= payload["before"]["mean"]
    assert main(["calibrate", "lexical", "--corrections", str(file)]) == 0
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("lexical")
    assert main(["calibrate", "lexical", "--corrections", str(file), "--latex"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(r"\end{table}")


def test_of_thresholds_that_part_alike_the_nearest_to_the_checkers_own_is_chosen():
    scores, gold = np.array([0.9, 0.8, 0.2, -1.0] * 4), np.array([True, True, False, False] * 4)
    assert threshold._best(scores, gold, 0.5) == 0.5
    assert threshold._best(scores, gold, 0.1) == 0.5  # between 0.2 and 0.8
    assert threshold._best(scores[:2], gold[:2], 0.7) == 0.7  # of one kind nothing is learnt


def test_a_threshold_that_is_better_by_chance_does_not_replace_the_checkers_own():
    scores, gold = np.array([0.9, 0.8, 0.45, 0.2]), np.array([True, True, False, False])
    assert threshold._best(scores, gold, 0.4) == 0.4  # one claim of two is no reason
    assert threshold._best(np.tile(scores, 6), np.tile(gold, 6), 0.4) > 0.45


@pytest.mark.parametrize(("args", "message"), [
    (["lexical"], "give one of --task, --corrections and --watch"),
    (["lexical", "--corrections", "c.jsonl", "--task", "quotesum"], "give one of --task, --corrections and --watch"),
    (["lexical", "--corrections", "c.jsonl", "--grid", "gain=1"], "--grid would change nothing"),
    (["judge(llm=scripted(reply=a))", "--corrections", "FILE"], "has no threshold to choose"),
])  # fmt: skip
def test_what_cannot_be_calibrated_is_said(file, capsys, args, message):
    assert main(["calibrate", *(str(file) if arg == "FILE" else arg for arg in args)]) == 2
    assert message in capsys.readouterr().err


def test_corrections_of_one_kind_are_too_few():
    with pytest.raises(InputError, match="0 corrections of 0 answers are too few"):
        threshold.choose("lexical", [])
    with pytest.raises(UsageError):
        threshold.choose("judge(llm=scripted(reply=a))", [])
