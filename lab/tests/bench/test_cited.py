"""ALCE, LongBench-Cite and FACTS Grounding on made files in the published forms, against values reckoned by hand.

The checker finds a claim supported where the evidence has all its words, and in part where it has half of them.
"""

import csv
import json
from dataclasses import dataclass

import pytest

from bench.benchdata import Share, words
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell.llm.scripted import Scripted
from citewell.types import Verdict
from citewell_lab.bench.items import Broken
from citewell_lab.bench.kinds.alce import list_figures, string_em
from citewell_lab.bench.kinds.cited import token_count
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task
from citewell_lab.papers.beside import printed, standings


@dataclass(frozen=True)
class Asked:
    """A judge: a response does what was asked where it speaks of ships."""

    name = "asked"

    def check(self, pairs):
        fits = ["ships" in words(pair.evidence[0].text) for pair in pairs]
        return [
            Verdict(pair.claim, "supported" if fit else "not_supported", float(fit))
            for pair, fit in zip(pairs, fits, strict=True)
        ]


def alce(data, name, rows, texts):
    docs = [
        {"id": str(n), "title": f"T{n}", "text": text, "score": 1.0 / n} for n, text in enumerate(texts.split("/"), 1)
    ]
    path = data / "alce" / f"{name}_top100.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([{**row, "docs": docs} for row in rows]))


def model(replies):
    """A language model that knows each question by its words."""

    def reply(request):
        (found,) = [text for question, text in replies.items() if question in request.messages[-1].content]
        return found

    return Scripted(replies=reply)


def ran(data, name, replies, **options):
    out = data / "run"
    result = run(name, data, "all", approach="citation", llm=model(replies), checker=Share(), out=out, **options)
    return result, [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]


def asqa(data):
    pairs = [["Beta gamma", "x y"], ["eta theta"], ["The Delta"]]
    rows = [
        {"sample_id": name, "question": f"{name} letters?", "answer": "Alpha.", "annotations": [],
         "qa_pairs": [{"question": "q", "short_answers": wordings, "context": "", "wikipage": None}
                      for wordings in pairs]}
        for name in ("first", "second")
    ]  # fmt: skip
    alce(data, "asqa_eval_gtr", rows, "alpha beta/gamma/delta epsilon/zeta/eta/theta")
    reply = "Alpha beta gamma [1][2]. Delta [3][4]. Zeta eta. Alpha zeta [1]. Eta [1][2][3][5]."
    return {"first letters?": reply, "second letters?": "unanswerable"}


def test_asqa_by_the_definitions_of_alce(tmp_path):
    result, (first, second) = ran(tmp_path, "alce-asqa", asqa(tmp_path))
    # Together supported: of the five only "Alpha beta gamma" and "Delta"; the fifth's fourth citation does not count.
    assert first["recalled"] == [1, 1, 0, 0, 0]
    # Both of the first are needed; the second's [4] is not, as [3] is enough; those of unsupported ones are not precise.
    assert first["precise"] == [1, 1, 1, 0, 0, 0, 0, 0]
    assert (first["citation_recall"], first["citation_precision"]) == (2 / 5, 3 / 8)
    assert first["string_em"] == pytest.approx(2 / 3, abs=1e-6)  # "Beta gamma" and "The Delta"
    assert second["abstained"]
    assert {second[name] for name in ("citation_recall", "citation_precision", "string_em")} == {0}
    expected = {"string_em": 1 / 3, "citation_recall": 1 / 5, "citation_precision": 3 / 16}
    assert result.scores.metrics == pytest.approx(expected, abs=1e-6)
    assert str(result.standing) == "partial: 2 of the published 948 items"
    items = list(task("alce-asqa").data.items(task("alce-asqa").data.files(tmp_path, "all"), "all"))
    assert [item.document.text.count("Title:") for item in items] == [5, 5]  # the sixth passage is not read


def test_a_board_scores_a_prediction_as_the_run_did_and_refuses_other_statements(tmp_path):
    _, records = ran(tmp_path, "alce-asqa", asqa(tmp_path))
    wanted = task("alce-asqa")
    items = list(wanted.data.items(wanted.data.files(tmp_path, "all"), "all"))
    fields = [{name: record[name] for name in wanted.predicted} for record in records]
    again = [
        wanted.rescored(item, Predicted(item.id, values), Share()) for item, values in zip(items, fields, strict=True)
    ]
    assert json.loads(json.dumps(again)) == records
    forged = {**fields[0], "claims": [["Alpha.", [0]]]}
    with pytest.raises(InputError, match="are not the statements of the answer"):
        wanted.rescored(items[0], Predicted("first", forged), Share())
    with pytest.raises(InputError, match="where the system abstains"):
        wanted.rescored(items[1], Predicted("second", {**fields[1], "claims": [["Alpha.", [0]]]}), Share())


def test_qampari_judges_the_parts_of_a_list(tmp_path):
    row = {"question": "Delta?", "answers": [["Alpha", "A"], ["Beta gamma"], ["Epsilon"]]}
    alce(tmp_path, "qampari_eval_gtr", [row], "delta alpha/delta gamma/delta omega")
    result, (record,) = ran(tmp_path, "alce-qampari", {"Delta?": "Alpha [1], the beta gamma [2], Omega [3], Delta."})
    assert [claim for claim, _ in record["claims"]] == ["Alpha", " the beta gamma", " Omega", " Delta"]
    assert [places for _, places in record["claims"]] == [[0], [1], [2], []]
    expected = {
        "list_precision": 2 / 4,  # Alpha, Beta gamma of four
        "list_recall": 2 / 3,
        "list_recall_5": 2 / 3,
        "list_f1_5": 4 / 7,
        "citation_recall": 2 / 4,  # "Delta? Alpha" and "Delta? Omega"
        "citation_precision": 2 / 3,
    }
    assert result.scores.metrics == pytest.approx(expected, abs=1e-6)
    five = list_figures("a1, a2, a3, a4, a5, b.", [[f"a{n}"] for n in range(1, 8)])
    assert five == pytest.approx(
        {"list_precision": 5 / 6, "list_recall": 5 / 7, "list_recall_5": 1, "list_f1_5": 10 / 11}
    )
    assert set(list_figures("", [["a"]]).values()) == {0}


def test_eli5_counts_the_claims_that_the_answer_entails(tmp_path):
    row = {"question": "Why alpha?", "claims": ["Alpha.", "Beta alpha.", "Gamma."], "answer": "Beta."}
    alce(tmp_path, "eli5_eval_bm25", [row], "alpha/beta")
    result, _ = ran(tmp_path, "alce-eli5", {"Why alpha?": "Alpha beta [1][2]."})
    expected = {"claim_recall": 2 / 3, "citation_recall": 1, "citation_precision": 1}
    assert result.scores.metrics == pytest.approx(expected, abs=1e-6)
    assert string_em("An Alpha, beta", [["alpha beta"]]) == 1
    assert string_em("", [["alpha"]]) == 0


def longbench(data):
    context = "Alpha beta. Gamma delta. Epsilon zeta. Eta theta."
    rows = [
        {"idx": n, "dataset": name, "query": f"{word} what?", "context": context, "answer": "x", "few_shot_scores": []}
        for n, (name, word) in enumerate((("multifieldqa_en", "So"), ("multifieldqa_zh", "Now"), ("hotpotqa", "Then")))
    ]
    path = data / "longbench_cite" / "LongBench-Cite.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows))
    return {
        "So what?": "Alpha beta gamma [1][2]. Eta epsilon [4]. Is it so? Zeta.",
        "Now what?": "Alpha [1].",
        "Then what?": "Omega [3].",
    }


def test_longbench_cite_grades_recall_and_counts_runs_of_sentences_as_one_citation(tmp_path):
    result, records = ran(tmp_path, "longbench-cite", longbench(tmp_path))
    first = records[0]
    assert first["recalled"] == [1, 0.5, 1, 0]  # all, half, a question needs none, a claim without any
    assert first["precise"] == [1, 1]
    assert first["lengths"] == [6, 3]  # "Alpha beta. Gamma delta." and "Eta theta."
    assert first["citation_f1"] == pytest.approx(2 * 0.625 / 1.625, abs=1e-6)
    groups = result.scores.by_group
    assert {name: group["citation_recall"] for name, group in groups.items()} == {"multifieldqa": 0.8125, "hotpotqa": 0}
    expected = {
        "citation_recall": 0.8125 / 2,
        "citation_precision": 1 / 2,
        "citation_f1": (2 * 0.625 / 1.625 + 1) / 2 / 2,
        "citation_length": (6 + 3 + 3 + 3) / 4,
    }
    assert result.scores.metrics == pytest.approx(expected, abs=1e-6)
    text = printed(standings([result]))
    assert "LongCite-8B" in text
    assert " 3.750" in text  # tokens, no percentage
    assert token_count("猫が two, 3.5!") == 8


def facts(data):
    path = data / "facts_grounding" / "examples.csv"
    path.parent.mkdir(parents=True)
    rows = [
        {"system_instruction": "Use the document alone.", "user_request": f"{word} ships?",
         "context_document": "Red ships sail.\nBlue boats sink.", "full_prompt": "..."}
        for word in ("One", "Two", "Three", "Four")
    ]  # fmt: skip
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return {
        "One ships?": "Sure! Red ships sail. [1]",
        "Two ships?": "Blue boats sink. [2]",
        "Three ships?": "Red ships sail. [1] Red ships sink slowly. [2]",
        "Four ships?": "unanswerable",
    }


def test_facts_counts_responses_that_are_grounded_whole_and_do_what_was_asked(tmp_path):
    replies = facts(tmp_path)
    result, records = ran(tmp_path, "facts-grounding", replies, judge=Asked())
    assert [record["grounded"] for record in records] == [1, 1, 0, 0]  # "Sure!" claims nothing; nothing sinks slowly
    assert [record["eligible"] for record in records] == [1, 0, 1, 0]  # the second speaks of boats
    assert result.backends["judge"] == "asked"
    assert result.scores.metrics == {"factuality": 1 / 4, "grounded": 2 / 4, "eligible": 2 / 4}
    assert result.scores.notes == ()


def test_facts_without_a_judge_says_so_and_other_tasks_take_none(tmp_path):
    result, _ = ran(tmp_path, "facts-grounding", facts(tmp_path))
    assert result.scores.metrics == {"factuality": 2 / 4, "grounded": 2 / 4, "eligible": 3 / 4}
    assert result.scores.notes == ("no judge: every response that was given counts as eligible",)
    with pytest.raises(UsageError, match="does not use --judge"):
        run("squad2", tmp_path, "dev", judge="lexical")


@pytest.mark.parametrize("name", ["alce-asqa", "longbench-cite"])
def test_files_that_are_no_rows_are_named_and_rows_that_are_none_are_counted(tmp_path, name):
    (asqa if name == "alce-asqa" else longbench)(tmp_path)
    data = task(name).data
    (path,) = data.files(tmp_path, "all")
    rows = json.loads(path.read_text())
    path.write_text(json.dumps({"args": {}, "data": [*rows, "no row", {"question": "?"}]}))
    items = list(data.items([path], "all"))
    assert [isinstance(item, Broken) for item in items] == [False] * len(rows) + [True, True]
    path.write_text('{"args": {}}')
    with pytest.raises(InputError, match="no list of rows"):
        list(data.items([path], "all"))


def test_the_command_line_runs_them_without_a_language_model(tmp_path, capsys):
    longbench(tmp_path)
    facts(tmp_path)
    for name in ("longbench-cite", "facts-grounding"):
        judge = ["--judge", "lexical"] if name == "facts-grounding" else []
        assert main(["bench", "run", name, "--data", str(tmp_path), "--json", *judge]) == 0
        assert json.loads(capsys.readouterr().out)["failed"] == 0
