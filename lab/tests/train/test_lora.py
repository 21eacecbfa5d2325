"""Fine-tuning runs for real: tiny models, a few steps, the same code as users'."""

import dataclasses
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from citewell.document import Document
from citewell.errors import BackendError, CitewellError, InputError, UsageError
from citewell.protocols import Message, Request
from citewell.types import Span
from citewell_lab.bench.items import (
    Annotation,
    Broken,
    ClaimItem,
    EvidenceItem,
    QuestionItem,
    RankItem,
    Reference,
    SpanItem,
)

pytest.importorskip("torch", reason="fine-tuning needs torch: pip install 'citewell[local]'")
pytest.importorskip("peft", reason="fine-tuning needs peft: pip install 'citewell[local]'")
# The libraries change names among themselves.
pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore::FutureWarning")]

from citewell.cli import main  # noqa: E402
from citewell_lab.train import data, tasks  # noqa: E402
from citewell_lab.train.data import Example  # noqa: E402
from citewell_lab.train.folder import Folder  # noqa: E402
from citewell_lab.train.lora import train  # noqa: E402
from citewell_lab.train.settings import Settings  # noqa: E402


def example(words, target):
    return Example((Message("user", words),), target)


def toy(count):
    """Claims whose answer stands in the first word: a tiny model can learn it."""
    pairs = (("Costs fell by 2%.", "true"), ("Revenue rose to 41.", "false"))
    return [example(f"Claim: {pairs[i % 2][0]} {i}", pairs[i % 2][1]) for i in range(count)]


def recipe(model, **more):
    defaults = {
        "steps": 6,
        "rank": 4,
        "learning_rate": 1e-2,
        "device_batch": 4,
        "dev_every": 3,
        "targets": "all-linear",
    }
    return Settings(model=model, **{**defaults, **more})


def losses(out, name="loss"):
    return [row[name] for row in Folder(out).rows() if name in row]


def weights(out):
    from safetensors.torch import load_file

    return load_file(Path(out) / "adapter" / "adapter_model.safetensors")


def same(first, two):
    import torch

    return first.keys() == two.keys() and all(torch.equal(first[name], two[name]) for name in first)


@pytest.mark.parametrize("kind", ["t5", "llama", "gpt2"])
def test_a_few_steps_lower_the_loss_on_what_was_not_trained_on(zoo, tmp_path, kind):
    model = getattr(zoo, kind)
    report = train(toy(24), toy(30)[24:], recipe(model, steps=12, learning_rate=2e-2), tmp_path / "run")
    before, after = report.dev
    assert after["dev_loss"] < before["dev_loss"]
    result = losses(tmp_path / "run")
    assert len(result) == report.steps == 12
    assert sum(result[-3:]) < sum(result[:3])
    assert (report.train, report.dev_size, report.left_out) == (24, 6, 0)


def test_the_client_replies_with_the_adapter_as_it_was_trained_to(zoo, tmp_path):
    from citewell.llm.transformers import Transformers

    examples = [example(f"Claim: Costs fell. {i}", "true [1]") for i in range(16)]
    settings = recipe(zoo.opt, steps=60, rank=16, learning_rate=3e-2, dev_every=30, dropout=0)
    report = train(examples, examples[:4], settings, tmp_path / "run")
    assert report.dev[0]["dev_exact_match"] == 0
    assert report.dev[1] == {**report.dev[1], "dev_exact_match": 1.0, "dev_answer_match": 1.0}
    request = Request((Message("user", "Claim: Costs fell. 1"),), max_tokens=12)
    assert Transformers(model=zoo.opt, device="cpu", adapter=str(report.adapter)).complete(request).text == "true [1]"
    assert Transformers(model=zoo.opt, device="cpu").complete(request).text != "true [1]"


def test_a_run_that_stopped_goes_on_to_the_same_weights_and_losses(zoo, tmp_path, monkeypatch):
    settings = recipe(zoo.t5, steps=7)
    train(toy(20), toy(24)[20:], settings, tmp_path / "whole")
    log = Folder.log

    def stop(self, row):
        log(self, row)
        if row["step"] == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "log", stop)
    with pytest.raises(KeyboardInterrupt):
        train(toy(20), toy(24)[20:], settings, tmp_path / "parts")
    monkeypatch.undo()
    parts = tmp_path / "parts"
    assert not (parts / "adapter").exists()
    (parts / "checkpoints" / "checkpoint-4").mkdir()  # what a kill leaves of a checkpoint
    with (parts / "losses.jsonl").open("a") as file:
        file.write('{"step": 6, "lo')
    report = train(toy(20), toy(24)[20:], settings, parts)
    assert report.resumed == 3
    assert (parts / "losses.jsonl").read_text() == (tmp_path / "whole" / "losses.jsonl").read_text()
    assert same(weights(parts), weights(tmp_path / "whole"))
    again = train(toy(20), toy(24)[20:], settings, parts)
    assert again.resumed == 7
    assert again.loss == report.loss


def test_a_run_killed_after_its_last_checkpoint_needs_no_more_steps(zoo, tmp_path):
    settings = recipe(zoo.gpt2)
    train(toy(20), [], settings, tmp_path)
    kept = weights(tmp_path)
    (tmp_path / "summary.json").unlink()
    (tmp_path / "adapter" / "adapter_model.safetensors").unlink()
    assert train(toy(20), [], settings, tmp_path).resumed == 6
    assert same(weights(tmp_path), kept)


@pytest.mark.slow
def test_a_process_killed_twice_ends_with_the_weights_of_an_undisturbed_one(zoo, tmp_path):
    data.write(tmp_path / "examples.jsonl", toy(30))
    options = "--steps 10 --rank 4 --device-batch 4 --dev-every 3 --learning-rate 0.01 -q --device cpu".split()

    def command(out):
        examples = str(tmp_path / "examples.jsonl")
        return [sys.executable, "-m", "citewell", "train", "lora", "--examples", examples, "--model", zoo.t5, "--out", str(out), *options]  # fmt: skip

    subprocess.run(command(tmp_path / "whole"), check=True, capture_output=True)
    for step in (3, 6):
        process = subprocess.Popen(command(tmp_path / "parts"), stdout=subprocess.DEVNULL)
        while not (tmp_path / "parts" / "checkpoints" / f"checkpoint-{step}").exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    subprocess.run(command(tmp_path / "parts"), check=True, capture_output=True)
    assert same(weights(tmp_path / "parts"), weights(tmp_path / "whole"))
    assert (tmp_path / "parts" / "losses.jsonl").read_text() == (tmp_path / "whole" / "losses.jsonl").read_text()


def test_the_update_is_the_same_however_many_examples_are_computed_at_once(zoo, tmp_path):
    examples = [example("Revenue rose." * (1 + i % 3), "true" + " Costs fell" * (i % 4)) for i in range(16)]
    calls = []
    for size, memory in ((1, False), (4, True)):
        settings = recipe(zoo.llama, steps=3, device_batch=size, dropout=0, save_memory=memory)
        train(examples, [], settings, tmp_path / str(size))
        calls.append(losses(tmp_path / str(size)))
    assert calls[0] == pytest.approx(calls[1], rel=1e-5)


def test_the_loss_of_an_encoder_decoder_is_the_mean_over_its_reply(zoo):
    import torch
    from transformers import AutoModelForSeq2SeqLM

    from citewell_lab.train.trainer import _loss

    model = AutoModelForSeq2SeqLM.from_pretrained(zoo.t5).eval()
    labels = torch.tensor([[5, 6, 7, 1], [8, 1, -100, -100]])
    with torch.inference_mode():
        out = model(input_ids=torch.tensor([[4, 5], [6, 7]]), labels=labels)
    assert float(_loss("seq2seq")(out, labels)) == pytest.approx(float(out.loss), rel=1e-5)
    assert float(_loss("seq2seq")(out, labels, torch.tensor(12))) == pytest.approx(float(out.loss) / 2, rel=1e-5)


def test_the_best_weights_are_kept_when_asked_for(zoo, tmp_path):
    settings = recipe(zoo.gpt2, steps=9, learning_rate=3.0, keep="best", checkpoints=1)  # it gets worse at once
    train(toy(20), toy(24)[20:], settings, tmp_path)
    scores = {row["step"]: row["dev_loss"] for row in Folder(tmp_path).rows() if "dev_loss" in row and row["step"]}
    best = min(scores, key=scores.get)
    state = json.loads((tmp_path / "checkpoints" / "checkpoint-9" / "trainer_state.json").read_text())
    assert state["best_global_step"] == best
    from safetensors.torch import load_file

    assert same(
        weights(tmp_path), load_file(tmp_path / "checkpoints" / f"checkpoint-{best}" / "adapter_model.safetensors")
    )


def test_the_record_names_settings_data_and_versions(zoo, tmp_path):
    train(toy(8), toy(10)[8:], recipe(zoo.gpt2, steps=1), tmp_path, arguments={"examples": ["a.jsonl"]})
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["settings"]["rank"] == 4
    assert record["resolved"] == {"kind": "causal", "device": "cpu", "dtype": "float32"}
    assert record["checksums"]["train"] == data.checksum(toy(8))
    assert record["given"] == {"examples": ["a.jsonl"]}
    assert {"peft", "torch", "transformers", "python"} <= record["versions"].keys()
    config = json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())
    assert (config["r"], config["lora_alpha"], config["base_model_name_or_path"]) == (4, 16, zoo.gpt2)


def test_the_losses_are_drawn_where_matplotlib_is(zoo, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    train(toy(8), toy(10)[8:], recipe(zoo.gpt2, steps=2), tmp_path / "with")
    drawn = (tmp_path / "with" / "losses.svg").read_text()
    assert "loss per token" in drawn
    assert "development" in drawn
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    train(toy(8), [], recipe(zoo.gpt2, steps=1), tmp_path / "without")
    assert not (tmp_path / "without" / "losses.svg").exists()


def test_the_defaults_are_the_papers_recipe():
    settings = Settings(model="m")
    result = (settings.steps, settings.rank, settings.alpha, settings.dropout, settings.learning_rate, settings.batch)
    assert result == (1000, 64, 16, 0.1, 1e-4, 8)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"steps": 0}, "steps is at least 1"),
        ({"dropout": 1.0}, "below 1"),
        ({"learning_rate": 0}, "above 0"),
        ({"batch": 8, "device_batch": 3}, "must divide"),
        ({"keep": "first"}, "last or best"),
        ({"device": "tpu"}, "auto, cpu or cuda"),
        ({"dtype": "int8"}, "float32 or bfloat16"),
        ({"seed": -1}, "at least 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(UsageError, match=message):
        Settings(model="m", **wrong)


def test_another_run_in_the_folder_is_refused_by_what_differs(zoo, tmp_path):
    train(toy(8), [], recipe(zoo.gpt2, steps=1), tmp_path / "run")
    with pytest.raises(UsageError, match=r"differs in settings\.rank"):
        train(toy(8), [], recipe(zoo.gpt2, steps=1, rank=2), tmp_path / "run")
    with pytest.raises(UsageError, match=r"checksums\.train"):
        train(toy(8)[::-1], [], recipe(zoo.gpt2, steps=1), tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds no run"):
        train(toy(8), [], recipe(zoo.gpt2, steps=1), tmp_path / "other")


def test_a_loss_that_is_no_number_ends_the_run(zoo, tmp_path):
    with pytest.raises(BackendError, match="the loss is nan at step"):
        train(toy(8), [], recipe(zoo.gpt2, learning_rate=1e30), tmp_path)


def test_layers_that_the_model_lacks_are_refused(zoo, tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        train(toy(8), [], recipe(zoo.gpt2, targets="nowhere"), tmp_path)


def test_a_model_that_is_not_there_is_one_clear_line(tmp_path):
    with pytest.raises(BackendError, match="does not exist"):
        train(toy(8), [], recipe("./absent"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_examples_that_are_too_long_are_left_out_and_counted(zoo, tmp_path):
    examples = [*toy(8), example("word " * 400, "true"), example("Claim", "Costs fell " * 90)]
    report = train(examples, [], recipe(zoo.gpt2, steps=1, max_target=50), tmp_path / "run")
    assert (report.train, report.left_out, report.dev) == (8, 2, None)
    with pytest.raises(InputError, match="none of the 1 examples fits .* raise --max-input or --max-target"):
        train(examples[8:9], [], recipe(zoo.gpt2, steps=1), tmp_path / "none")


def coded(path, kind, *messages):
    """The prompt and the reply that count in the loss, of one example, read back from its tokens."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    encoded = data.encode([Example(tuple(messages), "true. [1]")], tokenizer, kind, most_input=500)
    (row,) = encoded.rows
    wanted = [token for token in row["labels"] if token != data.IGNORED]
    assert row["input_ids"] == encoded.prompts[0] + (wanted if kind == "causal" else [])
    return tokenizer, encoded.prompts[0], wanted


def test_a_causal_model_learns_the_reply_and_its_end_and_not_the_prompt(zoo):
    tokenizer, prompt, wanted = coded(zoo.gpt2, "causal", Message("user", "Costs fell."))
    assert prompt == tokenizer("Costs fell.\n\n")["input_ids"]
    assert wanted == [*tokenizer("true. [1]")["input_ids"], tokenizer.eos_token_id]


def test_a_chat_model_is_trained_in_its_template(zoo):
    tokenizer, prompt, wanted = coded(zoo.llama, "causal", Message("user", "Costs fell."))
    assert prompt == tokenizer("<s>[INST] Costs fell. [/INST]")["input_ids"]
    assert wanted == tokenizer("true. [1]</s>")["input_ids"]
    assert wanted[-1] == tokenizer.eos_token_id


def test_an_encoder_decoder_gets_prompt_and_reply_apart(zoo):
    tokenizer, prompt, wanted = coded(zoo.t5, "seq2seq", Message("system", "Costs"), Message("user", "fell."))
    assert prompt == tokenizer("Costs\n\nfell.")["input_ids"]
    assert wanted == tokenizer("true. [1]")["input_ids"]
    assert wanted[-1] == tokenizer.eos_token_id


def test_examples_are_read_as_they_were_written(tmp_path):
    examples = [example("é 東京 😀", "a\nb"), Example((Message("system", "s"), Message("user", "u")), "t [1]")]
    data.write(tmp_path / "examples.jsonl", examples)
    assert data.read(tmp_path / "examples.jsonl") == examples
    (tmp_path / "plain.jsonl").write_text('{"prompt": "é 東京 😀", "target": "a\\nb"}\n\n', encoding="utf-8")
    assert data.read(tmp_path / "plain.jsonl") == examples[:1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no examples"),
        ("{", "line 1: not JSON"),
        ("[]", "line 1: an object with prompt and target"),
        ('{"prompt": "a"}', "an object with prompt and target"),
        ('{"prompt": "a", "target": " "}', "not empty"),
        ('{"prompt": [], "target": "b"}', "a text, or a list"),
        ('{"prompt": [{"role": "poet", "content": "a"}], "target": "b"}', "role"),
    ],
)
def test_examples_that_are_damaged_say_where(tmp_path, line, message):
    (tmp_path / "examples.jsonl").write_text(line)
    with pytest.raises(InputError, match=message):
        data.read(tmp_path / "examples.jsonl")


def test_equal_prompts_are_held_out_together():
    examples = [example(f"prompt {i // 3}", f"{i}") for i in range(60)]
    kept, dev = data.hold_out(examples, seed=1)
    assert len(dev) == 6
    assert len(kept) == 54
    assert not {result.messages for result in dev} & {result.messages for result in kept}
    assert data.hold_out(examples, seed=1) == (kept, dev)
    with pytest.raises(InputError, match="cannot be split"):
        data.hold_out(examples[:3], seed=1)


SUPPORTED = Annotation("supported", (frozenset({0, 2}), frozenset({1})))


def evidence(annotations=(SUPPORTED,), texts=("Costs fell.", "Costs fell by 2%.", "They had been high.")):
    document = Document.from_passages(texts)
    spans = tuple(Span(document.text.index(text), document.text.index(text) + len(text)) for text in texts)
    return EvidenceItem("1", document, spans, {"supported": "Costs went down."}, annotations)


def make_example(item, name="wice", room=900, *, citations=True):
    question = tasks.asker(name, lambda text: len(text.split()), room, citations=citations)
    return tasks.example(question, tasks.gold_of(name, item, citations=citations))


def test_a_label_comes_with_the_numbers_of_its_smallest_evidence():
    example = make_example(evidence())
    assert example.target == "supported [2]"
    (message,) = example.messages
    assert "[1] Costs fell.\n[2] Costs fell by 2%.\n[3] They had been high." in message.content
    assert (
        message.content.index("partially supported") < message.content.index("[3]") < message.content.index("went down")
    )


def test_without_citations_neither_segments_nor_replies_have_numbers():
    example = make_example(evidence(), citations=False)
    assert example.target == "supported"
    assert "Costs fell.\nCosts fell by 2%." in example.messages[0].content
    assert "[1]" not in example.messages[0].content


def test_a_long_document_loses_its_end_and_an_item_its_example_where_the_evidence_was_there():
    item = evidence(annotations=(Annotation("supported", (frozenset({0}),)),))
    rooms = [room for room in range(100, 400) if _excerpt(item, room) == 2]
    assert rooms
    for room in rooms:
        assert make_example(item, room=room).target == "supported [1]"
        with pytest.raises(CitewellError, match="beyond the .*: raise --max-input"):
            make_example(evidence(annotations=(Annotation("supported", (frozenset({2}),)),)), room=room)
    with pytest.raises(CitewellError, match="not one passage fits"):
        make_example(item, room=40)


def test_a_long_document_is_read_from_its_beginning_and_not_where_it_is_like_the_question():
    texts = ["The tower is made of oak.", *(f"Nothing is known of number {n}." for n in range(60)), "Costs went down."]
    annotations = (Annotation("supported", (frozenset({0}),)),)
    example = make_example(evidence(annotations, texts), room=300)
    assert example.target == "supported [1]"
    assert "[1] The tower is made of oak.\n[2] Nothing is known of number 0." in example.messages[0].content
    assert "number 59" not in example.messages[0].content


def _excerpt(item, room):
    try:
        content = make_example(item, room=room).messages[0].content
    except CitewellError:
        return 0
    return sum(f"[{number}] " in content.partition("Article:")[2] for number in (1, 2, 3))


def test_a_trials_findings_are_listed_and_one_is_the_reply():
    findings = {
        "significantly increased": "A rose.",
        "significantly decreased": "A fell.",
        "no significant difference": "A stayed.",
    }
    item = evidence(annotations=(Annotation("significantly decreased", (frozenset({1}),)),))
    example = make_example(dataclasses.replace(item, statements=findings), "evidence-inference")
    assert example.target == "significantly decreased [2]"
    assert all(f"- {label}: {text}" in example.messages[0].content for label, text in findings.items())


@pytest.mark.parametrize("name", ["wice", "contract-nli", "evidence-inference", "scifact", "fever"])
def test_every_label_stands_in_the_prompt_of_its_task(name):
    template = tasks.asker(name, len, 10, citations=True).template
    assert all(f'"{label}"' in template.instruction for label in tasks.labels(name).values())


def test_questions_are_answered_with_the_first_annotators_evidence():
    item = evidence()
    references = (Reference("2%", evidence=frozenset({1})), Reference("two", evidence=frozenset({0})))
    question = QuestionItem("1", "By how much?", item.document, item.segments, references)
    assert make_example(question, "qasper").target == "2% [2]"
    assert "Question: By how much?" in make_example(question, "qasper").messages[0].content
    nothing = (Reference("unanswerable", unanswerable=True, evidence=frozenset()),)
    assert make_example(dataclasses.replace(question, references=nothing), "qasper").target == "unanswerable"
    unmarked = dataclasses.replace(question, references=(Reference("2%"),))
    with pytest.raises(UsageError, match="--no-citations"):
        make_example(unmarked, "natural-questions")
    assert make_example(unmarked, "natural-questions", citations=False).target == "2%"


def test_answers_have_marks_behind_each_statement():
    text = "Costs fell. They were high.\nRevenue rose."
    document = Document.from_passages(["Costs had been high.", "Costs fell by 2%."])
    spans, targets = (Span(0, 11), Span(12, 27), Span(28, 41)), (Span(0, 5), Span(12, 27), Span(6, 10))
    item = SpanItem("1", "What fell?", text, spans, targets, (2, 1, 1), document, (0, 22), (1, 2), Span(0, 41))
    assert make_example(item, "quotesum").target == "Costs fell. [1] [2] They were high. [1]\nRevenue rose."
    ranked = RankItem("2", "What?", text, (spans[0], spans[2]), (frozenset({1}), frozenset({0})), document, (Span(0, 20), Span(22, 39)))  # fmt: skip
    example = make_example(ranked, "hagrid")
    assert example.target == "Costs fell. [2] Revenue rose. [1]"
    assert "[1] Costs had been high.\n[2] Costs fell by 2%." in example.messages[0].content


def test_what_gives_no_example_says_why():
    with pytest.raises(CitewellError, match="torn"):
        make_example(Broken("1", "torn"))
    with pytest.raises(UsageError, match="judges claims"):
        make_example(ClaimItem("1", "c", (), supported=True), "salad")
    unmarked = evidence(annotations=(Annotation("supported", ()),))
    with pytest.raises(UsageError, match="--no-citations"):
        make_example(unmarked)
    assert make_example(unmarked, citations=False).target == "supported"


def write_wice(folder):
    (folder / "wice" / "claim").mkdir(parents=True)
    rows = [
        {"claim": f"Costs fell by {i}%.", "evidence": ["Costs fell.", f"It was {i}%."], "label": "supported", "supporting_sentences": [[0, 1]]}
        for i in range(12)
    ]  # fmt: skip
    for split in ("train", "dev"):
        lines = "".join(json.dumps(row) + "\n" for row in rows) + ("{torn\n" if split == "train" else "")
        (folder / "wice" / "claim" / f"{split}.jsonl").write_text(lines)


def test_the_command_trains_on_a_task_and_prints_what_came_out(zoo, tmp_path, capsys):
    write_wice(tmp_path)
    options = "--task wice --dev-split dev --steps 2 --rank 2 --dev-most 2 --device-batch 4 --json".split()
    arguments = ["train", "lora", *options, "--data", str(tmp_path), "--model", zoo.t5, "--out", str(tmp_path / "run")]
    assert main(arguments) == 0
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert report["steps"] == 2
    assert report["n"] == {"train": 12, "dev": 2, "left_out": 0}
    assert "wice, train: 1 item left out" in output.err
    assert Path(report["adapter"], "adapter_config.json").exists()
    assert main([*arguments[:-1], str(tmp_path / "run"), "--limit", "3"]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_the_command_takes_examples_from_a_file_and_shows_how_to_use_the_adapter(zoo, tmp_path, capsys):
    data.write(tmp_path / "examples.jsonl", toy(12))
    options = "--steps 2 --rank 2 --device-batch 4".split()
    common = ["train", "lora", "--model", zoo.gpt2, "--out", str(tmp_path / "run"), *options]
    assert main([*common, "--examples", str(tmp_path / "examples.jsonl")]) == 0
    out = capsys.readouterr().out
    assert f'--llm "transformers(model={zoo.gpt2}, adapter={tmp_path / "run" / "adapter"})"' in out
    assert "11 for training, 1 for the development score" in out
    assert main(common) == 2
    assert "either --examples or --task" in capsys.readouterr().err


def test_the_command_writes_the_examples_of_a_task_to_read(zoo, tmp_path, capsys):
    write_wice(tmp_path)
    out = tmp_path / "examples.jsonl"
    arguments = ["train", "lora", "--task", "wice", "--data", str(tmp_path), "--split", "dev", "--no-citations"]
    assert main([*arguments, "--model", zoo.t5, "--out", "unused", "--write-examples", str(out)]) == 0
    assert [result.target for result in data.read(out)] == ["supported"] * 12
