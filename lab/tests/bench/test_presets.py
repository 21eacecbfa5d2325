"""The preset of LAB against the paper's values, and prompts, examples and the declining rule of one's own."""

import hashlib
import json
from pathlib import Path

import pytest

from bench import answerdata, benchdata
from citewell.cli import main
from citewell.errors import SpecError, UsageError
from citewell.llm.scripted import Scripted
from citewell_lab.bench.choice import choose
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task

PAPER = json.loads((Path(__file__).parents[1] / "papers" / "lab_settings.json").read_text(encoding="utf-8"))
TASKS = tuple(PAPER["segments"])
APPROACHES = ("post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation")


def settings(name, approach, **arguments):
    arguments = {"preset": "lab", "llm": "scripted(reply=x)", "checker": None, **arguments}
    return choose(task(name), approach=approach, **arguments)


@pytest.mark.parametrize("approach", APPROACHES)
@pytest.mark.parametrize("name", TASKS)
def test_the_preset_sets_what_the_paper_sets(name, approach):
    chosen = settings(name, approach)
    assert chosen.checker == PAPER["judge"].get(name)
    how = settings(name, approach, checker="lexical" if chosen.checker else None).build(task(name))
    result = how.parameters["approach"]
    assert {key: result[key] for key in ("instruct", "examples", "max_input", "temperature")} == {
        key: PAPER[key] for key in ("instruct", "examples", "max_input", "temperature")
    }
    few = PAPER["segments"][name]
    # Summaries are asked for by no words: paragraphs are ranked by all others (appendix F.2).
    alike = "self-similarity(retriever={})" if name == "govreport" else "{}"
    reduced = {
        "retrieve-then-read": f"top(retriever={alike.format(PAPER['retrieve-then-read'][name])}, k={few})",
        "reduced-citation": f"top(retriever={alike.format(PAPER['reduced-citation'][name])}, k={PAPER['reduced']})",
    }
    reduced["reduced-post-hoc"] = reduced["reduced-citation"]
    assert result["reduce"] == reduced.get(approach, "whole")
    if approach.endswith("post-hoc"):
        assert result["attributor"] == f"retrieval(retriever={PAPER['post-hoc'][name]}, query=question, k={few})"
    elif approach.endswith("citation"):
        assert (result["attributor"], result["uncited"]) == (None, "leave")
    assert result["verify"] is False
    generator = how.backends.approach.system.generator
    assert len(generator.template.examples) == PAPER["examples"]
    labels = name in ("wice", "contract-nli", "evidence-inference")
    assert result["declining"] == ("never" if labels else "lab")
    assert generator.template.declines == (name in PAPER["abstains"])


def test_the_preset_is_printed_and_kept_and_what_else_is_given_wins(tmp_path, capsys):
    benchdata.wice(tmp_path)
    args = ["bench", "run", "wice", "--data", str(tmp_path), "--split", "dev", "--preset", "lab"]
    args += ["--approach", "post-hoc(examples=1)", "--retriever", "bm25", "--llm", "scripted(reply=supported)"]
    assert main([*args, "--out", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr().out
    assert "settings, by the preset lab:" in printed
    spec = json.loads((tmp_path / "run" / "spec.json").read_text())
    approach = spec["parameters"]["approach"]
    assert (approach["examples"], approach["max_input"]) == (1, 16_000)
    assert approach["attributor"] == "retrieval(retriever=bm25, query=question, k=5)"
    assert spec["given"]["preset"] == "lab"
    for name, value in approach.items():
        if name in {"prompt_text", "shown"}:  # stand in spec.json alone
            continue
        assert any(line.split()[:2] == ["approach", name] and str(value) in line for line in printed.splitlines()), name
    assert main([*args, "--json"]) == 0
    streams = capsys.readouterr()
    assert "settings, by the preset lab:" in streams.err
    assert json.loads(streams.out)["n"] == 2


def test_a_preset_goes_with_a_language_model_and_one_of_its_tasks(tmp_path):
    for name, arguments, why in (
        ("wice", {"llm": None}, "give --llm"),
        ("salad", {}, "none of those"),
        ("wice", {"preset": "labs"}, "there are: lab"),
        ("qasper", {"approach": "extractive"}, "asks no language model"),
        (
            "qasper",
            {"preset": None, "approach": "extractive", "llm": None, "declining": "lab"},
            "asks no language model",
        ),
        ("qasper", {"declining": "papers"}, "--declining is one of"),
    ):
        with pytest.raises(UsageError, match=why):
            settings(name, **{"approach": None, **arguments})


REPLY = "It is not specified which parser [1]."  # LAB's phrase, in a sentence that says something


@pytest.mark.parametrize(
    ("arguments", "abstained"),
    [
        ({"declining": "lab"}, 3),
        ({"approach": "citation(declining=lab)"}, 3),
        ({"preset": "lab"}, 3),
        ({"declining": "never"}, 0),
        ({"preset": "lab", "declining": "never"}, 0),
        ({"declining": "never", "approach": "citation(declining=lab)"}, 3),
    ],
)
def test_the_papers_rule_for_declining_can_be_chosen(tmp_path, arguments, abstained):
    answerdata.qasper(tmp_path)
    result = run("qasper", tmp_path, "dev", llm=Scripted(reply=REPLY), checker="lexical", **arguments)
    assert (result.n, result.failed, result.scores.abstained) == (3, 0, abstained)
    # All declined: q3 alone has no answer, so precision 1/3 and recall 1 of that class, and nothing of the other.
    if abstained:
        assert result.scores.metrics["unanswerable_f1"] == pytest.approx((0.5 + 0) / 2)


EXAMPLES = [
    {
        "title": "Ferries",
        "parts": ["# Boats", "The Aurora is a ferry."],
        "question": "The Aurora is a boat.",
        "context": "On boats.",
        "answer": [{"text": "supported", "evidence": [1]}],
    }
]


def test_prompt_and_examples_of_ones_own_are_asked_and_told(tmp_path):
    benchdata.wice(tmp_path)
    requests = []

    def reply(request):
        requests.append([message.content for message in request.messages])
        return "supported [2]"

    (tmp_path / "mine.txt").write_text("Say whether the page supports the claim.")
    (tmp_path / "mine.json").write_text(json.dumps(EXAMPLES))
    mine = f"prompt={tmp_path / 'mine.txt'}, examples={tmp_path / 'mine.json'}"
    hashes = set()
    for number, arguments in enumerate(
        [{"approach": f"citation({mine})"}, {"preset": f"lab({mine})"}, {"approach": "citation(examples=wice)"}, {}]
    ):
        out = tmp_path / str(number)
        result = run("wice", tmp_path, "dev", llm=Scripted(replies=reply), limit=1, out=out, **arguments)
        assert result.scores.metrics["label_accuracy"] == 1
        hashes.add(json.loads((out / "spec.json").read_text())["parameters"]["approach"]["sha256"])
    assert [len(messages) for messages in requests] == [3, 3, 7, 7]
    assert requests[0] == requests[1]
    assert requests[0][0].startswith("Say whether the page supports the claim.")
    assert "# Boats\n[1] The Aurora is a ferry." in requests[0][0]
    assert requests[0][1] == "supported [1]"
    assert len(hashes) == 2  # the last two ask the same


def test_a_prompt_of_ones_own_keeps_the_tasks_examples_and_context_and_the_record_counts_them(tmp_path):
    benchdata.wice(tmp_path)
    path = tmp_path / "wice" / "claim" / "dev.jsonl"
    rows = [
        {**json.loads(line), "meta": {"claim_context": "Of the weather."}} for line in path.read_text().splitlines()
    ]
    benchdata.lines(path, rows)
    requests = []

    def reply(request):
        requests.append([message.content for message in request.messages])
        return "supported [2]"

    (tmp_path / "mine.txt").write_text("Say whether the page supports the claim.")
    mine = tmp_path / "mine.txt"
    for preset, shown in ((f"lab(prompt={mine})", 3), (f"lab(prompt={mine}, examples=1)", 1), ("lab(examples=9)", 3)):
        out = tmp_path / str(len(requests))
        run("wice", tmp_path, "dev", llm=Scripted(replies=reply), limit=1, out=out, preset=preset)
        assert len(requests[-1]) == 2 * shown + 1
        assert "Of the weather." in requests[-1][-1]
        record = json.loads((out / "spec.json").read_text())["parameters"]["approach"]
        assert record["examples"] == shown
        assert hashlib.sha256(record["prompt_text"].encode()).hexdigest() == record["sha256"]
    assert requests[0][0].startswith("Say whether the page supports the claim.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no examples"),
        ("[", "no JSON"),
        ("{}", "a JSON list"),
        ('["x"]', "question is a text"),
        ('[{"question": "q"}]', "parts is a list"),
        ('[{"question": "q", "parts": [" "]}]', "parts is a list"),
        ('[{"question": "q", "parts": ["a"], "answer": "supported"}]', "answer is a list"),
        ('[{"question": "q", "parts": ["a"], "answer": [{"text": "a"}]}]', "a list of numbers"),
        ('[{"question": "q", "parts": ["# h", "a"], "answer": [{"text": "a", "evidence": [2]}]}]', "from 1 to 1"),
        ('[{"question": "q", "parts": ["a"], "answer": [{"text": "a", "evidence": [true]}]}]', "from 1 to 1"),
    ],
)
def test_a_file_of_examples_that_is_none_says_what_is_wrong(tmp_path, text, why):
    benchdata.wice(tmp_path)
    path = tmp_path / "mine.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=why):
        run("wice", tmp_path, "dev", approach=f"citation(examples={path})", llm=Scripted(reply="supported"))


def test_a_prompt_that_is_not_there_or_no_prompt_is_told_before_anything_is_asked(tmp_path):
    benchdata.wice(tmp_path)
    llm = Scripted(replies=[])
    (tmp_path / "empty.txt").write_text("=== inputs\nx")
    for prompt, why in ((tmp_path / "none.txt", "no prompt"), (tmp_path / "empty.txt", "no section 'inputs'")):
        with pytest.raises(UsageError, match=why):
            run("wice", tmp_path, "dev", approach=f"citation(prompt={prompt})", llm=llm)
    with pytest.raises(SpecError, match="examples is"):
        run("wice", tmp_path, "dev", approach="citation(examples=0.5)", llm=llm)
