"""The papers' own words: where they are asked with, what a run records of them, and that they are the papers'."""

import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from bench import answerdata, benchdata
from citewell.cli import main
from citewell.errors import UsageError
from citewell.llm.prompts import builtin
from citewell.llm.scripted import Scripted
from citewell_lab.bench import quoted
from citewell_lab.bench.choice import choose
from citewell_lab.bench.run import called, run
from citewell_lab.bench.tasks import task
from citewell_lab.papers.lfqa import write

FOLDER = os.environ.get("CITEWELL_PAPERS", "")
TEXTS = {
    "lab": "lab-attribute-or-abstain-v2.txt",
    "lfqa": "lfqa-salad.txt",
    "hidden-states": "hidden-states-peering.txt",
    "adiosaa": "adiosaa-post-hoc-attribution.txt",
}


def recording(reply):
    """A model that keeps the texts of what it is asked."""
    requests = []

    def answer(request):
        requests.append([message.content for message in request.messages])
        return reply

    return requests, Scripted(replies=answer)


def passages(paper):
    """Every quotation of a paper, without its gaps."""
    values = [value for key, value in quoted.quotations()[paper].items() if key != "source"]
    texts = [text for value in values for text in (value.values() if isinstance(value, dict) else [value])]
    return [part for text in texts for part in re.split(r"\{\w+\}", text) if part.strip()]


def squeezed(text):
    """Without blanks, hyphens and the marks of Markdown tables: lines end anywhere in a text that a machine read."""
    return re.sub(r"[\s|-]", "", text)


@pytest.mark.skipif(not FOLDER, reason="needs the papers' texts: set CITEWELL_PAPERS")
@pytest.mark.parametrize("paper", TEXTS)
def test_every_quotation_stands_in_its_paper(paper):
    text = squeezed((Path(FOLDER) / TEXTS[paper]).read_text(encoding="utf-8"))
    assert [part for part in passages(paper) if squeezed(part) not in text] == []


def test_every_quotation_names_its_source_and_is_short():
    for paper in TEXTS:
        assert re.search(r"20\d\d, .*(?:section|appendix)", quoted.quotations()[paper]["source"])
        assert all(len(part.split()) < 80 for part in passages(paper))


@pytest.mark.parametrize("name", quoted.TASKS)
@pytest.mark.parametrize("approach", ["citation", "post-hoc"])
def test_the_preset_asks_in_the_words_of_the_paper(name, approach):
    chosen = choose(task(name), approach=approach, llm="scripted(reply=x)", preset="lab(prompt=paper)", checker=None)
    generator = chosen.build(task(name)).backends.approach.system.generator
    words, opening = quoted.quotations()["lab"], generator.template.opening(cite=approach == "citation")
    assert opening.startswith(words[name]["explanation"])
    assert (words[name]["citing"] in opening) == (approach == "citation")
    form = words["format"]["multi" if name == "govreport" else "single"].strip()
    assert opening.endswith(form) == (approach == "citation")
    filled = generator.template.filled("TEXT", "ASKED", "BESIDE")
    assert filled.startswith(words[name]["input"].split("{")[0] + "TEXT [End of Document]")
    assert ("Additional Info: BESIDE" in filled) == (name == "wice")
    assert len(generator.template.examples) == 3


def test_a_run_records_the_words_and_examples_that_were_asked_and_keeps_the_claims_context(tmp_path):
    benchdata.wice(tmp_path)
    path = tmp_path / "wice" / "claim" / "dev.jsonl"
    rows = map(json.loads, path.read_text().splitlines())
    benchdata.lines(path, [{**row, "meta": {"claim_context": "Of the weather."}} for row in rows])
    requests, llm = recording("supported [2]")
    run("wice", tmp_path, "dev", llm=llm, preset="lab(prompt=paper, examples=2)", out=tmp_path / "run")
    record = json.loads((tmp_path / "run" / "spec.json").read_text())["parameters"]["approach"]
    assert (record["prompt"], record["examples"]) == ("paper/wice.citing", 2)
    assert hashlib.sha256(record["prompt_text"].encode()).hexdigest() == record["sha256"]
    words = quoted.quotations()["lab"]
    assert words["wice"]["explanation"] in record["prompt_text"]
    assert requests[0][0].startswith(words["wice"]["explanation"])
    assert len(requests[0]) == 2 * 2 + 1
    for message, example in zip(requests[0][::2], record["shown"], strict=False):
        assert example["question"] in message
    assert requests[0][-1].endswith("Claim: rain fell\nAdditional Info: Of the weather.")


def test_files_of_the_words_can_be_changed_and_asked_with(tmp_path, capsys):
    assert main(["papers", "lab", "prompts", "--out", str(tmp_path / "words")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 * len(quoted.TASKS)
    answerdata.qasper(tmp_path)
    asked = []
    for prompt in ("paper", tmp_path / "words" / "qasper.citing.txt"):
        requests, llm = recording("unanswerable")
        run("qasper", tmp_path, "dev", llm=llm, checker="lexical", approach=f"citation(prompt={prompt})")
        asked.append(requests)
    assert asked[0] == asked[1]


def test_a_task_without_a_prompt_in_a_paper_is_refused():
    with pytest.raises(UsageError, match="no paper prints a prompt for question"):
        choose(task("clapnq"), llm="scripted(reply=x)", approach="citation(prompt=paper)").build(task("clapnq"))


def test_hidden_states_read_the_words_of_their_paper_and_the_record_has_them():
    chosen = choose(task("quotesum"), method="hidden-states(model=m, prompt=paper)")
    words = quoted.quotations()["hidden-states"]["prompt"].strip()
    assert chosen.attributor == quoted.worded(chosen.attributor)
    built = chosen.build(task("quotesum"))
    assert built.backends.attributor.prompt == words
    assert built.parameters["attributor"]["prompt"] == words
    with pytest.raises(UsageError, match="no paper prints a prompt of icr"):
        quoted.worded("icr(model=m, prompt=paper)")


def test_a_table_calls_a_method_by_paper_and_not_by_the_words():
    spec = "hidden-states(model=m, prompt=paper)"
    assert quoted.called(quoted.worded(spec)) == spec
    assert quoted.called('hidden-states(prompt="Read {document}\nnow")') == "hidden-states(prompt=Read {document} now)"
    assert called({"attributor": quoted.worded(spec), "checker": "lexical"}) == f"lexical | {spec}"


def test_the_long_form_study_asks_in_the_words_of_its_paper():
    alone, documents = write.Decoding(alone="paper", documents="paper").prompts
    assert alone.gaps == {"question"}
    assert documents.gaps == {"question", "documents"}
    assert alone.user.startswith("Generate a long answer to the following question.\nQuestion: ")
    assert write.Decoding().record["prompts"] != write.Decoding(alone="paper", documents="paper").record["prompts"]


def test_the_decomposer_asks_in_the_words_of_its_paper():
    words = quoted.quotations()["adiosaa"]["facts"].rstrip(":")
    assert builtin("citewell.decomposers", "facts").user.startswith(words)
