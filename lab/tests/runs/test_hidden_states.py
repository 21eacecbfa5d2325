"""The scripts of the hidden-states paper make its tables and its figures."""

import json

import pytest

from bench import benchdata

pytestmark = [pytest.mark.slow, pytest.mark.rare]

LLM = "scripted(reply=[[1: Green paint]] dries in [[2: two hours]] .)"
LLM_ROW = f"llm(llm={LLM})"
RETRIEVERS = {"BM25": "retrieval(query=target)", "GTR": "retrieval(retriever=gtr, query=target)",
              "MT5": "retrieval(retriever=monot5, query=target)"}  # fmt: skip
CAUSAL = ("Llama-7b", "Mistral-7b", "Yi-6b")


@pytest.fixture
def data(tmp_path):
    for write in (benchdata.quotesum, benchdata.veri_gran):
        write(tmp_path / "data")


def test_tables_1_to_3_use_what_was_calibrated_and_have_every_row(data, scripted_run, zoo):
    ran = scripted_run("hidden-states-tables-1-2.sh", zoo.llama, LLM, SPLIT="dev")
    for task, more in (("quotesum", ("OPT-350m",)), ("verifiability-granular", ())):
        spec = json.loads((ran.folder / f"{task}-calibration.json").read_text(encoding="utf-8"))["spec"]
        assert "threshold=" in spec
        models = (*CAUSAL, *more)
        gpt = ("GPT-3.5", "GPT-4")
        rows = {spec: models, "lexical": (), "verbatim": (), LLM_ROW: gpt}
        # The scripted reply is an answer of QuoteSum: of the other set it has no words to mark.
        read = task == "quotesum"
        tokens = {name: names for name, names in rows.items() if read or name != LLM_ROW}
        columns = ("token_precision", "token_recall", "token_f1")
        ran.holds(f"hidden-states-1-{task}", tokens, columns=columns, without=() if read else gpt)
        human = () if task == "quotesum" else ("Human (4 people)",)
        with_retrievers = {**rows, **{spec: (name,) for name, spec in RETRIEVERS.items()}}
        ran.holds(f"hidden-states-2-{task}", with_retrievers, without=human)
    assert ran.requests == {"sentence-transformers/gtr-t5-large", "castorini/monot5-base-msmarco"}
    saved = ran.folder.parent / "data" / "quotesum_paraphrased" / "dev.jsonl"
    assert json.loads(saved.read_text(encoding="utf-8").splitlines()[0])["of"] == "dev:0"


def test_every_figure_is_drawn_with_its_numbers(data, scripted_run, zoo):
    pytest.importorskip("matplotlib")
    ran = scripted_run("hidden-states-figures.sh", zoo.llama)
    for task in ("quotesum", "verifiability-granular"):
        drawn = {path.name for path in (ran.folder / task).glob("*.svg")}
        assert drawn >= {f"figure-{number}.svg" for number in (3, 4, 5, 8)} | {"figure-7-1.svg", "figure-7-2.svg"}
        page = (ran.folder / task / "figures.html").read_text(encoding="utf-8")
        assert page.count("<figure") == len(drawn)
