"""Every approach on every task of LAB: over real HTTP, and with tiny local models whose replies mean nothing."""

import json
import shutil

import pytest

from bench import answerdata, benchdata
from citewell_lab.bench.run import run
from openai_server import KEY, serving

pytestmark = [pytest.mark.slow, pytest.mark.rare]

APPROACHES = ("post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation")
DATA = {
    "qasper": answerdata.qasper,
    "natural-questions": answerdata.natural_questions,
    "govreport": answerdata.govreport,
    "wice": benchdata.wice,
    "contract-nli": benchdata.contract_nli,
    "evidence-inference": benchdata.evidence_inference,
}


@pytest.mark.parametrize("approach", APPROACHES)
@pytest.mark.parametrize("task", DATA)
def test_over_http(tmp_path, monkeypatch, task, approach):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    DATA[task](tmp_path / "data")
    with serving("openai") as server:
        server.replies = [lambda _: "Supported. [1]"]
        llm = f"openai(model=gpt-4o-mini, base_url={server.url})"
        result = run(
            task, tmp_path / "data", "all", approach=approach, llm=llm, retriever="bm25", limit=1, out=tmp_path / "run"
        )
        assert len(server.requests) == result.n == 1
    assert result.failed == 0
    assert result.scores.metrics


@pytest.fixture(scope="module")
def long_models(zoo, tmp_path_factory):
    """Tiny models with room for a document; rotary and relative positions need no other weights for that."""
    folder = tmp_path_factory.mktemp("long")
    for name in ("t5", "llama"):
        shutil.copytree(getattr(zoo, name), folder / name)
    config = folder / "llama" / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "max_position_embeddings": 16_384}))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("model", ["t5", "llama"])
@pytest.mark.parametrize("approach", APPROACHES)
@pytest.mark.parametrize("task", DATA)
def test_with_a_local_model(tmp_path, long_models, task, approach, model):
    DATA[task](tmp_path / "data")
    # The tiny tokenizers take nearly every letter for a token, so the worked examples stay out.
    llm = f"transformers(model={long_models / model}, context=16000)"
    result = run(
        task,
        tmp_path / "data",
        "all",
        approach=f"{approach}(examples=0)",
        llm=llm,
        retriever="bm25",
        limit=1,
        out=tmp_path / "run",
    )
    assert (result.n, result.failures) == (1, ())
