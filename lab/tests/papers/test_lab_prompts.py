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
