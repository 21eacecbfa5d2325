import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from bench import answerdata, benchdata
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion
from citewell_lab.bench.dry import dry
from citewell_lab.bench.run import run
from citewell_lab.papers.lab import selection
from openai_server import KEY, serving

pytestmark = pytest.mark.rare

APPROACHES = ("post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation")


def records(folder):
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("approach", APPROACHES)
def test_every_approach_answers_and_its_evidence_is_scored(tmp_path, approach):
    answerdata.qasper(tmp_path)

    def reply(request):
        end = request.messages[-1].content[-60:]
        return "unanswerable" if "Who paid?" in end else "a parser [1]" if "citation" in approach else "a parser"

    model = Scripted(replies=reply)
    result = run("qasper", tmp_path, "dev", approach=approach, llm=model, retriever="bm25", out=tmp_path / "run")
    first, paid, _ = records(tmp_path / "run")
    assert first["answer"] == "a parser"
    assert first["evidence"]
    assert paid["abstained"]
    assert (result.n, result.failed, result.scores.abstained) == (3, 0, 1)
    assert result.method == f"{approach} | scripted | bm25 | lexical"


def test_a_citation_is_the_segment_that_the_reply_names(tmp_path):
    answerdata.qasper(tmp_path)
    run("qasper", tmp_path, "dev", approach="citation", llm="scripted(reply='a parser [2] [4]')", out=tmp_path / "run")
    assert records(tmp_path / "run")[0]["evidence"] == [1, 3]


def test_labels_and_evidence_come_from_the_reply_where_a_model_is_asked(tmp_path):
    benchdata.wice(tmp_path)
    result = run("wice", tmp_path, "dev", llm="scripted(reply='Supported. [2]')", out=tmp_path / "run")
    first, second = records(tmp_path / "run")
    assert result.method == "citation | scripted(reply='Supported. [2]')"
    assert (first["label"], first["evidence"], first["evidence_f1"]) == ("supported", [2], 1)
    assert (second["label"], second["gold"], second["value"]) == ("supported", "not_supported", 0)
    assert "evidence_f1_gold_label" not in result.scores.metrics


def test_post_hoc_evidence_of_a_label_is_sought_with_its_claim(tmp_path):
    benchdata.contract_nli(tmp_path)
    run(
        "contract-nli", tmp_path, "dev", approach="post-hoc", retriever="bm25", llm="scripted(reply=contradiction)",
        out=tmp_path / "run",
    )  # fmt: skip
    result = records(tmp_path / "run")
    assert {record["label"] for record in result} == {"Contradiction"}
    copies = next(record for record in result if record["gold"] == "Contradiction")
    assert 4 in copies["evidence"]  # "Party may copy papers."


def test_a_reply_without_a_label_is_wrong_for_every_class(tmp_path):
    benchdata.wice(tmp_path)
    result = run("wice", tmp_path, "dev", llm="scripted(reply='Perhaps.')")
    assert (result.scores.metrics["label_macro_f1"], result.scores.abstained) == (0, 2)


def test_arguments_that_do_not_fit_are_told(tmp_path):
    benchdata.wice(tmp_path)
    answerdata.clapnq(tmp_path)
    with pytest.raises(UsageError, match="asks for labels"):
        run("wice", tmp_path, "dev", approach="extractive")
    with pytest.raises(UsageError, match="does not use --checker: it takes --approach"):
        run("clapnq", tmp_path, "dev", checker="lexical")
    with pytest.raises(UsageError, match="no paper names a checker"):
        run("wice", tmp_path, "dev", checker="paper")
    with pytest.raises(UsageError, match="does not use --retriever"):
        run("wice", tmp_path, "dev", retriever="bm25")


def test_a_dry_run_prints_one_whole_prompt_and_what_all_would_cost(tmp_path):
    answerdata.qasper(tmp_path)
    requests = []
    model = Scripted(replies=lambda request: requests.append(request) or "x")
    text = dry("qasper", tmp_path, "dev", llm=model, approach="citation")
    assert requests == []
    assert "We train a parser on trees." in text
    assert text.count("Question: What is trained?") == 1
    assert "Who paid?" not in text
    assert "requests: 3" in text
    assert "output tokens at most: 768" in text
    assert "cost at most: unknown" in text
    with pytest.raises(UsageError, match="give --llm"):
        dry("qasper", tmp_path, "dev")


def test_a_dry_run_knows_the_price_of_a_model(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    answerdata.qasper(tmp_path)
    text = dry("qasper", tmp_path, "dev", llm="openai(model=gpt-5-mini)", approach="citation", limit=1)
    tokens = int(text.partition("input tokens: ")[2].split()[0].replace(",", ""))
    # 0.25 and 2 dollars a million tokens
    assert f"cost at most: ${(tokens * 0.25 + 256 * 2) / 1e6:.4f}" in text


def many(data, count):
    passage = {"title": "Bees", "text": "x", "sentences": ["Bees make honey .", "They dance .", "Wasps sting ."]}
    result = [{"answer": "honey", "selected_sentences": passage["sentences"][:1]}]
    rows = [
        {"id": str(n), "input": f"what do bees make {n}", "passages": [passage], "output": result} for n in range(count)
    ]
    benchdata.lines(data / "clapnq" / "dev_answerable.jsonl", rows)


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes_and_asks_nothing_twice(tmp_path):
    many(tmp_path / "data", 200)
    draw = random.Random(4)
    with serving("openai") as server:

        def slowly(content):
            time.sleep(0.01)
            return "honey [1]"

        server.replies = [slowly]
        env = {**os.environ, "OPENAI_API_KEY": KEY}
        llm = f"openai(model=gpt-5-mini, base_url={server.url}, concurrency=4)"

        def command(out):
            words = [
                "bench",
                "run",
                "clapnq",
                "--data",
                str(tmp_path / "data"),
                "--llm",
                llm,
                "--out",
                str(out),
                "--json",
            ]
            return [sys.executable, "-m", "citewell", *words]

        subprocess.run(command(tmp_path / "whole"), env=env, check=True, capture_output=True)
        undisturbed = len(server.requests)
        server.requests.clear()
        kills = 0
        while kills < 10:
            process = subprocess.Popen(
                command(tmp_path / "killed"), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            wanted = len(server.requests) + draw.randint(3, 15)
            while len(server.requests) < wanted and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        subprocess.run(command(tmp_path / "killed"), env=env, check=True, capture_output=True)
        stored = []
        for line in (tmp_path / "killed" / "replies.jsonl").read_bytes().splitlines():
            with suppress(ValueError):  # what a kill left of a line, which is closed off and asked for again
                stored.append(json.loads(line)["key"])
    assert undisturbed == 200
    assert len(set(stored)) == len(stored) == 200
    # What was under way when it was killed was never received: at most four requests a kill.
    assert 200 <= len(server.requests) <= 200 + 10 * 4
    assert (tmp_path / "killed" / "items.jsonl").read_bytes() == (tmp_path / "whole" / "items.jsonl").read_bytes()


@pytest.mark.slow
def test_questions_are_asked_several_at_a_time_and_recorded_in_order(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    many(tmp_path, 12)
    with serving("openai") as server:

        def later(content):
            time.sleep(0.02)
            return "honey [1]"

        server.replies = [later]
        llm = f"openai(model=gpt-5-mini, base_url={server.url}, concurrency=4)"
        result = run("clapnq", tmp_path, "dev", llm=llm, out=tmp_path / "run")
        assert 2 <= server.most <= 4
    assert result.n == 12
    assert [record["id"] for record in records(tmp_path / "run")] == [str(n) for n in range(12)]
    assert KEY not in "".join(path.read_text() for path in (tmp_path / "run").iterdir())


def test_retrievers_are_compared_on_one_set_of_replies(tmp_path):
    answerdata.qasper(tmp_path)
    requests = []
    model = Scripted(replies=lambda request: requests.append(request) or "a parser")
    table = selection.retrievers(
        "qasper", tmp_path, "dev", "post-hoc", ("bm25", "self-similarity"), tmp_path / "runs", llm=model
    )
    assert len(requests) == 3
    assert [(row.name, row.kind) for row in table.rows[-2:]] == [("bm25", "ours"), ("self-similarity", "ours")]
    assert [row.name for row in table.rows[:5]] == ["BM25", "SBERT", "Contriever", "Dragon", "GTR"]
    assert table.rows[0].values[:3] == (0.52, 0.65, 0.73)
    assert table.columns == ("answer_f1", "attributability", "unanswerable_f1", "mean")
    assert table.notes[0].startswith("best: ")
    with pytest.raises(UsageError, match="uses no retriever"):
        selection.retrievers("qasper", tmp_path, "dev", "citation", ("bm25",), tmp_path / "runs", llm=model)


def test_checkers_are_compared_on_people_s_labels(tmp_path):
    rows = [
        {"claim": "bees make honey", "evidence": "Bees make honey in summer.", "attributable": True},
        {"claim": "wasps build bridges", "evidence": "Bees make honey in summer.", "attributable": False},
    ]
    benchdata.lines(tmp_path / "labels.jsonl", rows)
    table = selection.checkers("qasper", tmp_path, "dev", ("lexical",), annotations=tmp_path / "labels.jsonl")
    assert [row.name for row in table.rows] == ["TRUE", "AttrScore", "Minicheck", "lexical"]
    assert table.rows[-1].values == (1, 1)
    split = [
        {**row, "attributable": labels}
        for row, labels in zip([*rows, *rows], ([True, True], [False, False], [True, False], [True, True]), strict=True)
    ]
    benchdata.lines(tmp_path / "labels.jsonl", split)
    text = " ".join(
        selection.checkers("qasper", tmp_path, "dev", ["lexical"], annotations=tmp_path / "labels.jsonl").notes
    )
    # Three of four alike; by chance 3/4 * 1/2 + 1/4 * 1/2 = 1/2: (3/4 - 1/2) / (1 - 1/2).
    assert "2 annotators: Cohen's kappa 0.50 (the paper's annotators: 0.74); 1 claims" in text
    benchdata.lines(tmp_path / "labels.jsonl", [{"claim": "x", "evidence": "y", "attributable": "yes"}])
    with pytest.raises(InputError, match="attributable is true or false"):
        selection.checkers("qasper", tmp_path, "dev", ("lexical",), annotations=tmp_path / "labels.jsonl")


def test_gold_answers_with_their_evidence_and_with_other_segments_test_a_checker(tmp_path):
    sentences = ["Bees make honey .", *(f"Stone number {n} is grey ." for n in range(12))]
    passage = {"title": "Bees", "text": "x", "sentences": sentences}
    result = [{"answer": "Bees make honey", "selected_sentences": sentences[:1]}]
    row = {"id": "1", "input": "what do bees make", "passages": [passage], "output": result}
    benchdata.lines(tmp_path / "clapnq" / "dev_answerable.jsonl", [row])
    table = selection.checkers("clapnq", tmp_path, "dev", ("lexical",))
    assert (table.rows[-1].n, table.rows[-1].values) == (2, (1, 1))
    assert "1 of 2 claims are supported" in table.notes


def test_the_command_line_runs_selects_and_dries(tmp_path, capsys):
    answerdata.qasper(tmp_path)
    base = ["--data", str(tmp_path), "--llm", "scripted(reply=a parser)", "--quiet"]
    assert main(["bench", "run", "qasper", *base, "--approach", "post-hoc", "--retriever", "bm25", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"].startswith("post-hoc | scripted")
    assert main(["bench", "run", "qasper", *base, "--approach", "post-hoc", "--dry-run"]) == 0
    assert "requests: 3" in capsys.readouterr().out
    words = [
        "bench",
        "select-retriever",
        "qasper",
        *base,
        "--retriever",
        "bm25",
        "--out",
        str(tmp_path / "r"),
        "--json",
    ]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["notes"][0] == "best: bm25"


def test_a_seed_reaches_the_language_model_and_is_refused_where_nothing_draws(tmp_path):
    seeds = []

    class Drawing:
        model = "m"

        def complete(self, request, on_text=None):
            seeds.append(request.seed)
            return Completion("a parser [2]")

    answerdata.qasper(tmp_path)
    for seed in (None, 7):
        run("qasper", tmp_path, "dev", approach="citation", llm=Drawing(), limit=1, seed=seed)
    assert list(dict.fromkeys(seeds)) == [0, 7]
    with pytest.raises(UsageError, match="goes with --sample or --llm"):
        run("qasper", tmp_path, "dev", seed=7)


def test_the_threshold_of_the_reader_without_a_model_can_be_chosen(tmp_path):
    answerdata.clapnq(tmp_path)
    withheld = [
        run("clapnq", tmp_path, "dev", approach=f"extractive(threshold={threshold})").scores.abstained
        for threshold in (0.0, 1.0)
    ]
    assert withheld[0] < withheld[1] == 3
    answerdata.govreport(tmp_path)
    with pytest.raises(UsageError, match="would be ignored"):
        run("govreport", tmp_path, "all", approach="extractive(threshold=0.5)")
