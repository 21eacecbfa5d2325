"""Prompt experiments: each setting asks what it says, and what was asked is kept."""

import json

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators.prompted.generator import Prompted
from citewell.llm.scripted import Scripted
from citewell.types import Passage
from citewell_lab.bench.run import run
from citewell_lab.papers.lab import prompting


def request_texts(**settings):
    """The messages of a request, as one text each."""
    maker = Prompted(llm=Scripted(reply="x"), **settings)
    document = Document.from_text("Tea is green.\n\nMilk is white.")
    passages = [Passage(0, segment) for segment in document.segments("paragraph")]
    request, _, _ = maker.request("What is tea?", [document], passages)
    return [message.content for message in request.messages], maker.template.opening(cite=True)


@pytest.mark.parametrize(("instruct", "times", "first"), [("before", 1, True), ("after", 1, False), ("both", 2, True)])
def test_the_instruction_stands_where_it_is_wanted(instruct, times, first):
    (text,), opening = request_texts(instruct=instruct, examples=0)
    assert text.count(opening) == times
    assert text.startswith(opening) == first
    assert text.endswith(opening) == (instruct != "before")


def test_examples_come_before_the_document_whatever_the_place_of_the_instruction():
    messages, opening = request_texts(instruct="after", examples=2)
    assert len(messages) == 5
    assert messages[-1].endswith(opening)
    assert not any(opening in message for message in messages[:-1])
    with pytest.raises(ValueError, match="instruct is one of"):
        request_texts(instruct="between")


def test_six_settings_are_run_and_told_beside_the_papers(tmp_path):
    benchdata.wice(tmp_path)
    experiments = list(
        prompting.experiments("wice", tmp_path, "dev", tmp_path / "runs", llm=Scripted(reply="supported [2]"))
    )
    assert [experiment.name for experiment in experiments] == [name for name, _, _ in prompting.SETTINGS]
    specs = [
        json.loads((experiment.result.out / "spec.json").read_text())["resolved"]["approach"]
        for experiment in experiments
    ]
    assert specs[0] == "citation(instruct=both, examples=0)"
    assert len(set(specs)) == 6
    table = prompting.table("wice", experiments)
    assert [row[0] for row in table.rows] == [experiment.name for experiment in experiments]
    assert table.notes == ("best mean: instruction before and after",)


def test_a_task_without_language_models_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no prompt experiments"):
        prompting.metrics("salad")
    args = ["bench", "prompts", "salad", "--data", str(tmp_path), "--llm", "scripted(reply=x)", "--out", str(tmp_path)]
    assert main(args) == 2


def test_an_approach_takes_parameters_of_the_prompt(tmp_path):
    benchdata.wice(tmp_path)
    llm = Scripted(reply="not supported")
    result = run("wice", tmp_path, "dev", approach="citation(examples=1)", llm=llm, out=tmp_path / "r")
    assert result.method.startswith("citation(examples=1)")


PUBLISHED = """
task_explanation:
  qasper: &two {answer_and_segments: Answer and name the segments., answer_only: Answer.}
  natural_questions: *two
  evidence_inference: *two
  wice: {answer_and_segments: Judge and name the sentences., answer_only: Judge.}
  contract_nli: *two
  govreport: *two
format_explanation:
  node_id:
    single: {text: 'Like this: "{dummy_answer}"'}
    multi: {text: 'Each: "{dummy_answer}"'}
"""


def test_published_prompts_become_files_that_a_run_asks_by_and_records(tmp_path, capsys):
    source, out = tmp_path / "prompts.yaml", tmp_path / "prompts"
    source.write_text(PUBLISHED)
    assert main(["papers", "lab", "prompts", str(source), "--out", str(out)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 12
    benchdata.wice(tmp_path)
    asked = []

    def reply(request):
        asked.append([message.content for message in request.messages])
        return "supported [1]"

    preset = f"lab(prompt={out / 'wice.citing.txt'}, examples=2)"
    run("wice", tmp_path, "dev", preset=preset, llm=Scripted(replies=reply), out=tmp_path / "run", retriever="bm25")
    assert asked[0][0].startswith('Judge and name the sentences.\nLike this: "<answer> [X] [Y]"\n\nDocument: ')
    assert asked[0][-1].rstrip().endswith("[End of Document]\nClaim: rain fell")
    parameters = json.loads((tmp_path / "run" / "spec.json").read_text())["parameters"]["approach"]
    assert "Judge and name the sentences." in parameters["prompt_text"]
    assert parameters["examples"] == len(parameters["shown"]) == 2
    for example in parameters["shown"]:
        assert any(example["question"] in message for message in asked[0])
    run("wice", tmp_path, "dev", approach=f"post-hoc(prompt={out / 'wice.plain.txt'}, examples=0)", retriever="bm25",
        llm=Scripted(replies=reply))  # fmt: skip
    assert asked[-1][0].startswith("Judge.\n\nDocument: ")


@pytest.mark.parametrize("text", ["[1]", "task_explanation: {}", "a: [", ""])
def test_another_file_is_no_file_of_prompts(tmp_path, text, capsys):
    (tmp_path / "x.yaml").write_text(text)
    assert main(["papers", "lab", "prompts", str(tmp_path / "x.yaml"), "--out", str(tmp_path / "out")]) == 2
    assert "x.yaml" in capsys.readouterr().err
