"""Twenty kinds of forged and partial submissions and more: each is refused, and the message names what is wrong."""

import json
import shutil

import pytest

from bench import answerdata, benchdata
from citewell.cli import main
from citewell.errors import CitewellError
from citewell_lab.bench.board import board, submission
from citewell_lab.bench.run import run

TASKS = {
    "wice": (benchdata.wice, {}),
    "squad2": (answerdata.squad2, {}),
    "attributionbench": (benchdata.attributionbench, {}),
    "verifiability-granular": (benchdata.veri_gran, {"method": "lexical"}),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A folder of data and runs, and the text of each task's honest submission."""
    folder = tmp_path_factory.mktemp("honest")
    texts = {}
    for name, (make, options) in TASKS.items():
        make(folder)
        run(name, folder, "dev", out=folder / "runs" / name, **options)
        texts[name] = submission.pack(folder / "runs" / name, "words").text()
    return folder, texts


def submit(text, folder, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "s.json").write_text(text)
    return board.add(submission.read(folder / "s.json"), folder / "board", data)


def first(**fields):
    return lambda data: data["predictions"][0].update(fields)


def system(**fields):
    return lambda data: data["system"].update(fields)


def prompt(text, sha256):
    return lambda data: data["system"]["parameters"].update(attributor={"prompt_text": text, "sha256": sha256})


def twice(data):
    data["predictions"].append(data["predictions"][0])


def exchanged(data):
    rows = data["predictions"]
    rows[0] = {**rows[1], "id": rows[0]["id"]}
    rows.pop(1)


# Kind: the task, what is changed in the file of its honest submission, what the message says.
FILES = {
    "a prediction that the reply does not give": (
        "wice", first(label="supported", answer="It is not supported."), "label is 'supported', which the reply does"),
    "a prediction of another task": ("wice", first(label="entailment"), "label is 'entailment', which is no label"),
    "several predictions at once": ("wice", first(label=["supported", "not_supported"]), "label is .* no label"),
    "a gold label beside a prediction": ("wice", first(gold="supported"), "gold is nothing that a system predicts"),
    "a figure of an item": ("wice", first(value=1.0), "value is nothing that a system predicts"),
    "a figure of evidence": ("wice", first(evidence_f1=1.0), "evidence_f1 is nothing that a system predicts"),
    "figures of a whole run": ("wice", lambda data: data.update(metrics={"label_accuracy": 1.0}), "differs in metrics"),
    "attributability judged by oneself": ("squad2", first(attributable=[1]), "attributable is nothing that a system"),
    "an item left out": ("wice", lambda data: data["predictions"].pop(), "1 of 2 items lack a prediction"),
    "all items left out": ("wice", lambda data: data["predictions"].clear(), "2 of 2 items lack a prediction"),
    "an easy item in place of a hard one": ("wice", exchanged, "1 of 2 items lack a prediction"),
    "an item twice": ("wice", twice, "two predictions for the item dev:0"),
    "an item more": (
        "wice", lambda data: data["predictions"].append({**data["predictions"][0], "id": "dev:99"}),
        "1 predictions are of no item"),
    "an item by another name": ("wice", first(id="dev:0 "), "1 predictions are of no item"),
    "an item that failed": (
        "wice", lambda data: data["predictions"].__setitem__(0, {"id": "dev:0", "failed": "timeout"}),
        "failed is nothing that a system predicts"),
    "an item that is no object": ("wice", lambda data: data["predictions"].__setitem__(0, ["dev:0"]), "an object with an"),
    "the checksum of other data": (
        "wice", lambda data: data["checksums"].update({"wice/claim/dev.jsonl": "0" * 64}),
        "read other data: wice/claim/dev.jsonl differs"),
    "no checksums": ("wice", lambda data: data["checksums"].clear(), "read other data"),
    "a file of data more": (
        "wice", lambda data: data["checksums"].update({"wice/claim/more.jsonl": "0" * 64}), "wice/claim/more.jsonl"),
    "another task": ("wice", lambda data: data.update(task="fever"), "fever"),
    "another split": ("wice", lambda data: data.update(split="test"), "test"),
    "a task of nobody": ("wice", lambda data: data.update(task="wise"), "wise"),
    "evidence that is not there": ("wice", first(evidence=[99]), "none of the item's 3 segments"),
    "evidence counted from the end": ("wice", first(evidence=[-1]), "none of the item's 3 segments"),
    "evidence named twice": ("wice", first(evidence=[2, 2]), "names a segment twice"),
    "evidence that is true": ("wice", first(evidence=[True]), "none of the item's 3 segments"),
    "no evidence": ("wice", lambda data: data["predictions"][0].pop("evidence"), "evidence is no list"),
    "a span's passage that is not there": ("verifiability-granular", first(predicted=[7, 1]), "predicted names what"),
    "a passage for a span that is not marked": ("verifiability-granular", first(predicted=[1, 2, 1]), "not 2 values"),
    "marks of tokens beyond the answer": (
        "verifiability-granular", first(token_marks="1" * 400), "characters 0 or 1"),
    "an empty answer": ("squad2", first(answer=" ", abstained=False), "answer is empty"),
    "an answer where the system abstains": ("squad2", first(abstained=True, answer="1890"), "where the system abstains"),
    "a score above 1": ("attributionbench", first(score=1.2), "score is 1.2, which is no score from 0 to 1"),
    "a score that is a word": ("attributionbench", first(score="high"), "score is high, which is no score"),
    "no score": ("attributionbench", lambda data: data["predictions"][0].pop("score"), "score is None"),
    "no system": ("wice", lambda data: data.pop("system"), "differs in system"),
    "a system without its parameters": ("wice", lambda data: data["system"].pop("parameters"), "parameters"),
    "a checker that was not run": (
        "wice", lambda data: data["system"]["resolved"].update(judge="true"), "other back ends .judge."),
    "another parameter than the one in use": (
        "wice", lambda data: data["system"]["resolved"].update(attributor="lexical(gain=0.9)"), "gain=0.9 by its spec"),
    "another prompt than the one recorded": ("wice", prompt("Answer well.", "0" * 64), "is not the one whose hash"),
    "a prompt without its text": ("wice", prompt(None, "0" * 64), "is not the one whose hash"),
    "segments of another version": ("wice", system(text={"reader": "0", "segmenter": "0"}), "segmenter 0; here reader"),
    "another version of the form": ("wice", lambda data: data.update(format=9), "no submission of format 1"),
    "no name": ("wice", lambda data: data.update(name=" "), "has no name"),
}  # fmt: skip


@pytest.mark.parametrize("name", TASKS)
def test_an_honest_submission_is_accepted(honest, tmp_path, name):
    data, texts = honest
    entry = submit(texts[name], tmp_path, data)
    assert entry["n"] == len(json.loads(texts[name])["predictions"]) >= 1
    assert board.check(tmp_path / "board", data) == []


@pytest.mark.parametrize("kind", FILES)
def test_a_forged_submission_is_refused_by_name_and_leaves_no_trace(honest, tmp_path, kind):
    data, texts = honest
    name, change, message = FILES[kind]
    content = json.loads(texts[name])
    change(content)
    assert content != json.loads(texts[name])
    with pytest.raises(CitewellError, match=message) as caught:
        submit(json.dumps(content), tmp_path, data)
    assert caught.value.exit_code == 2
    assert not (tmp_path / "board" / "board.json").exists()


@pytest.mark.parametrize(
    ("number", "message"), [("NaN", "NaN is no JSON"), ("1e999", "score is inf"), ("-0.5", "-0.5")]
)
def test_a_score_that_is_no_number_is_refused(honest, tmp_path, number, message):
    data, texts = honest
    content = json.loads(texts["attributionbench"])
    content["predictions"][0]["score"] = "SCORE"
    with pytest.raises(CitewellError, match=message):
        submit(json.dumps(content).replace('"SCORE"', number), tmp_path, data)


def edited(name, change):
    def edit(folder):
        path = folder / name
        path.write_text(change(path.read_text()))

    return edit


def with_spec(**fields):
    return edited("spec.json", lambda text: json.dumps({**json.loads(text), **fields}))


# Kind: options of the run, what is changed in its folder, what the message says.
RUNS = {
    "a limited run": ({"limit": 1}, None, "was run with --limit 1"),
    "a sample": ({"sample": 1}, None, "was run with --sample 1"),
    "a limited run told as whole": ({"limit": 1}, with_spec(limit=None), "spec.json is not the file that the run wrote"),
    "a sample told as whole": ({"sample": 1}, with_spec(sample=None), "spec.json is not the file that the run wrote"),
    "a spec with another seed": ({}, with_spec(seed=7), "spec.json is not the file that the run wrote"),
    "a run told as another task's": ({}, with_spec(task="scifact"), "spec.json is not the file that the run wrote"),
    "a prediction changed": (
        {}, edited("items.jsonl", lambda text: text.replace('"label":"not_supported"', '"label":"supported"')),
        "items.jsonl is not the file"),
    "a gold label changed": (
        {}, edited("items.jsonl", lambda text: text.replace('"gold":"', '"gold":"not_')), "items.jsonl is not the file"),
    "a figure changed": (
        {}, edited("items.jsonl", lambda text: text.replace('"value":1.0', '"value":0.5')), "items.jsonl is not the file"),
    "an item taken out": (
        {}, edited("items.jsonl", lambda text: text.partition("\n")[2]), "items.jsonl is not the file"),
    "a run that did not end": ({}, lambda folder: (folder / "summary.json").unlink(), "no summary.json of a run that"),
    "a damaged spec": ({}, edited("spec.json", lambda text: text[:40]), "spec.json is damaged"),
    "no spec": ({}, lambda folder: (folder / "spec.json").unlink(), "is not a run"),
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_that_was_changed_or_is_no_whole_run_gives_no_submission(honest, tmp_path, capsys, kind):
    data, _ = honest
    options, change, message = RUNS[kind]
    folder = tmp_path / "run"
    run("wice", data, "dev", out=folder, checker=benchdata.Share(), **options)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    if change:
        assert not options or submission.records.items(folder)
        change(folder)
        assert before != {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(CitewellError, match=message):
        submission.pack(folder)
    assert main(["bench", "submission", str(folder), "--out", str(tmp_path / "s.json")]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not (tmp_path / "s.json").exists()


def test_a_run_of_other_data_is_refused(honest, tmp_path):
    data, texts = honest
    shutil.copytree(data / "wice", tmp_path / "data" / "wice")
    path = tmp_path / "data" / "wice" / "claim" / "dev.jsonl"
    path.write_text(path.read_text().replace("rain", "hail"))
    with pytest.raises(CitewellError, match="read other data: wice/claim/dev.jsonl differs"):
        submit(texts["wice"], tmp_path, tmp_path / "data")


def test_there_are_more_than_twenty_kinds():
    assert len(FILES) + len(RUNS) >= 20 + 20
