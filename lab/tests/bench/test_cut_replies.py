"""Replies that a limit cut off are counted and shown, and alternative sets of evidence are read in every way."""

import json

import pytest

from bench import benchdata
from citewell import cli
from citewell.llm import anthropic, openai
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion
from citewell_lab.bench.run import run, summarise
from citewell_lab.bench.summary import summary
from citewell_lab.papers.lab import statistics
from citewell_lab.papers.run_page.overview import overview


@pytest.fixture
def data(tmp_path):
    benchdata.wice(tmp_path)
    return tmp_path


def answering(*finishes):
    ends = iter(finishes)
    return Scripted(replies=lambda _: Completion("It is supported [1].", finish=next(ends)))


def test_cut_replies_are_counted_and_shown_and_stay_counted_from_the_records(data, tmp_path):
    out = tmp_path / "run"
    result = run("wice", data, "dev", approach="citation", llm=answering("length", "stop"), out=out)
    assert (result.n, result.failed, result.cut) == (2, 0, 1)
    assert [json.loads(line).get("cut") for line in (out / "items.jsonl").read_text().splitlines()] == [True, None]
    assert "replies cut off at their most tokens 1" in summary(result)
    assert json.loads((out / "summary.json").read_text())["cut"] == summarise(out).cut == 1
    cells = [cell for line in overview([result]).lines if line.whose == "ours" for cell in line.cells]
    assert [cell.cut for cell in cells] == [1] * len(cells) != []


def test_a_run_whose_replies_ended_by_themselves_says_nothing_of_limits(data):
    result = run("wice", data, "dev", approach="citation", llm=answering("stop", "stop"))
    assert result.cut == 0
    assert "cut off" not in summary(result)


@pytest.mark.parametrize("word", ["length", "model_length", "MAX_TOKENS", "max_tokens"])
def test_services_say_length_in_words_of_their_own(word):
    assert openai.FINISH[word] == "length"
    assert anthropic.FINISH["max_tokens"] == "length"


def test_evidence_beside_the_best_the_first_and_all_alternative_sets(data):
    # Gold of the first claim: {2} or {0, 2}. The reply cites the first entry with text, 0.
    result = run("wice", data, "dev", approach="citation", llm=answering("stop", "stop"))
    first, second = 0.0, 0.0  # of the second claim nothing is gold, and something is cited
    assert result.scores.metrics["evidence_f1_first"] == pytest.approx((first + second) / 2)
    assert result.scores.metrics["evidence_f1_union"] == pytest.approx((2 / 3 + second) / 2, abs=1e-6)
    assert result.scores.metrics["evidence_f1"] == pytest.approx((2 / 3 + second) / 2, abs=1e-6)


def test_the_counts_of_table_1_by_every_reading_of_the_sets(data, capsys):
    rows = {row[0]: row[-1] for row, whose in zip(*_ours(statistics.table(data)), strict=True) if whose == "ours"}
    assert rows == {"wice": 1.0, "wice, largest set": 2.0, "wice, all sets": 2.0}
    assert cli.main(["papers", "lab", "data", "--data", str(data)]) == 0
    assert "wice, all sets" in capsys.readouterr().out


def _ours(table):
    return table.rows, table.whose
