"""`citewell bench build`: VERI-GRAN from judgments, and paraphrased answers that every method shares."""

import json

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.types import Span
from citewell_lab.bench.datasets import granular

SUPPORTED = {"source_supports_statement": "complete_support"}
PAGE = "Mills are old. The mill of Arle burned down in 1841. Nobody was hurt."


def judgment(statement, evidence, **more):
    return {
        "query": "what happened", "response": f"Well. {statement} Bye.", "statement": statement,
        "source_text": PAGE, "source_localized_evidence": evidence, **SUPPORTED, **more,
    }  # fmt: skip


def test_words_are_copied_whatever_their_case_and_the_marks_around_them():
    pytest.importorskip("diff_match_patch")
    statement = "The **mill** of Arle, it is said, burned down."
    spans = granular.copied_spans(statement, "the Mill of Arle burned down in 1841.")
    assert next(statement[a:b] for a, b in spans) == "The **mill** of Arle,"
    assert [statement[a:b] for a, b in spans][-1] == "burned down."


def test_a_word_of_which_one_character_differs_is_not_copied_and_function_words_alone_are_nothing():
    pytest.importorskip("diff_match_patch")
    assert granular.copied_spans("mills", "mill") == ()
    assert granular.copied_spans("of the xyz", "of the abc") == ()


@pytest.mark.slow  # loads nltk
def test_judgments_become_rows_where_their_evidence_is_one_sentence(tmp_path, capsys):
    pytest.importorskip("diff_match_patch")
    pytest.importorskip("nltk")
    fire, twice = "The mill of Arle burned down.", "Mills are old, and nobody was hurt."
    rows = [
        judgment(fire, "The mill of Arle burned down in 1841."),
        judgment(twice, "Mills are old.\nNobody was hurt."),  # two sentences
        judgment("Mills burn.", ""),  # no evidence marked
        judgment("Nobody cared.", "Nobody was hurt.", source_supports_statement="no_support"),
        judgment("Mills are old.", "Trains are old and slow and red."),  # evidence that the page has not
    ]
    benchdata.lines(tmp_path / "verifiability" / "verifiability_judgments_dev.jsonl", rows)
    args = ["bench", "build", "verifiability-granular", "--data", str(tmp_path), "--split", "dev"]
    published = tmp_path / "published.jsonl"
    sentences = ["Mills are old.", "The mill of Arle burned down in 1841.", "Nobody was hurt."]
    row = {"question": "what happened", "summary": f"Well. [ 2 {fire} ] Bye.", "chunk": fire, "passages": sentences}
    benchdata.lines(published, [row, {**row, "chunk": "Other."}])
    assert main([*args, "--against", str(published)]) == 0
    out = capsys.readouterr().out
    assert "1 answers" in out
    assert "of 2 published statements 1 are not built" in out
    assert "characters 100.0% are marked (precision 100.0%), 1 statements alike" in out
    written = tmp_path / "verifiability_granular" / "dev.jsonl"
    assert [json.loads(line) for line in written.read_text().splitlines()] == [row]
    assert main(args) == 2  # a file that is there is not written over
    assert "is there already" in capsys.readouterr().err
    run = ["bench", "run", "verifiability-granular", "--data", str(tmp_path), "--split", "dev", "--json"]
    assert main(run) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["span_accuracy"] == 1


def test_marks_agree_by_character_without_white_space():
    def row(summary):
        return {"question": "q", "chunk": "c", "summary": summary}

    alike = granular.compare([row("[ 1 ab ] cd ef")], [row("[ 1 ab cd ] ef")])
    assert alike == granular.Likeness(1, 0, 0.5, 1.0, 0)
    assert granular.marked("ab cd ef", [(Span(0, 2), 1), (Span(6, 8), 3)]) == "[ 1 ab ] cd [ 3 ef ]"


def test_paraphrased_answers_are_saved_once_and_run_by_name(tmp_path, capsys):
    row = {
        "question": "q", "summary": "[ 1 The big firm started early ] and [ 2 Ada Stone ] left.",
        "title1": "A", "source1": "The big firm started early in 1990.", "title2": "B", "source2": "Ada Stone left it.",
    }  # fmt: skip
    benchdata.lines(tmp_path / "quotesum" / "v1" / "dev.jsonl", [row])
    args = ["--data", str(tmp_path), "--split", "dev"]
    assert main(["bench", "build", "quotesum-paraphrased", *args]) == 0
    saved = json.loads((tmp_path / "quotesum_paraphrased" / "dev.jsonl").read_text())
    assert (saved["of"], saved["by"], saved["source1"]) == ("dev:0", "rules", row["source1"])
    assert saved["summary"] != row["summary"]
    assert "[ 2 Ada Stone ]" in saved["summary"]  # names stay
    assert main(["bench", "run", "quotesum-paraphrased", *args, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n")[2])["metrics"]["span_accuracy"] == 1
    # The study takes the saved set, whatever model is named.
    broken = {**saved, "summary": "[ 1 Quite other words ] and [ 2 Ada Stone ] left."}
    benchdata.lines(tmp_path / "quotesum_paraphrased" / "dev.jsonl", [broken])
    study = ["papers", "hidden-states", "paraphrased", "--task", "quotesum", *args, "--method", "lexical", "--json",
             "--llm", "scripted(reply=never asked)"]  # fmt: skip
    assert main(study) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    everything, changed = table["rows"]
    assert (everything["spans"], changed["spans"], everything["original"]) == (2, 1, 1)
    assert "rules, saved" in table["notes"][0]


def test_what_cannot_be_built_is_told(tmp_path, capsys):
    assert main(["bench", "build", "wice", "--data", str(tmp_path)]) == 2
    assert "these can: verifiability-granular, quotesum-paraphrased" in capsys.readouterr().err
