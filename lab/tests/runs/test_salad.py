"""SALAD's scripts make table 7 and the study."""

import json

import pytest

from bench import benchdata
from citewell.registry import canonical

pytestmark = [pytest.mark.slow, pytest.mark.rare]

CHECKERS = {
    "lexical": [],
    "nli(premise=sentences)": ["RoBERTa-L (M,S,A,F)"],
    "docnli": ["RoBERTa-L (D)"],
    "nli(model=tals/albert-xlarge-vitaminc-mnli, premise=sentences)": ["ALBERT-xl (M,V)"],
    "true(premise=sentences)": ["T5-11B (M,S,F,V)"],
}
COMPUTED = ("Random", "Majority", "Human")  # printed beside our rows from the annotations


def test_table_7_has_the_papers_checkers(tmp_path, scripted_run):
    benchdata.salad(tmp_path / "data")
    ran = scripted_run("salad-table-7.sh")
    rows = {canonical("checker", spec): names for spec, names in CHECKERS.items()}
    settings = ("webgpt", "gpt3_whudoc", "alpaca")  # those that the little data has
    columns = [
        "f1_tuned",
        "accuracy_tuned",
        *(f"{name}.{kind}_tuned" for name in settings for kind in ("f1", "accuracy")),
    ]
    ran.holds("salad-7", rows, columns=columns, without=(*COMPUTED, "QAFactEval"))


def test_the_study_is_written_with_every_table_that_the_data_allows(tmp_path, scripted_run, zoo):
    pytest.importorskip("matplotlib")
    pytest.importorskip("nltk")
    folder = tmp_path / "data" / "salad"
    benchdata.salad(tmp_path / "data")
    answers = {"webgpt_answer": "Cats sleep long. Cats purr.", "alpaca_answer": "Cats sleep long. Dogs bark."}
    (folder / "answers.json").write_text(json.dumps([{"question_id": 7, "question": "q", **answers}]))
    ran = scripted_run("salad-study.sh", CHECKER="true", LM="gpt2", ENCODER="dense(model=facebook/contriever-msmarco)")
    study = json.loads((ran.folder / "numbers.json").read_text())
    assert study["record"]["checker"] == "true(premise=sentences)"
    wanted = {"documents", "surface", "support", "support_annotated", "supportedness", "agreement", "patterns",
              "last_sentence", "unsupported_by_position"}  # fmt: skip
    assert {name for name, rows in study["tables"].items() if rows} >= wanted
    assert all(row["perplexity"] for row in study["tables"]["surface"])
    assert "paper" in (ran.folder / "report.html").read_text(encoding="utf-8")
