"""The report page: what its overview says, what its items hold, and that it works in a browser."""

import json
import re

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.errors import InputError
from citewell_lab.bench.metrics.declared import ANSWER_F1, AURC
from citewell_lab.bench.run import run, summarise
from citewell_lab.papers.run_page import browse, build, overview
from citewell_lab.papers.run_page.overview import Cell
from citewell_lab.report.intervals import Interval

pytestmark = [pytest.mark.slow, pytest.mark.rare]
pytest.importorskip("matplotlib")
pytest.importorskip("scipy")


@pytest.fixture
def folder(tmp_path):
    benchdata.wice(tmp_path)
    benchdata.verifiability(tmp_path)
    benchdata.veri_gran(tmp_path, 3)
    benchdata.attributionbench(tmp_path)
    overlap, share = benchdata.Overlap(), benchdata.Share()
    run("wice", tmp_path, "dev", method=overlap, checker=share, out=tmp_path / "runs" / "w")
    run("wice", tmp_path, "dev", method="verbatim", checker="lexical", out=tmp_path / "runs" / "w2")
    run("verifiability", tmp_path, "dev", method=overlap, out=tmp_path / "runs" / "v")
    run("verifiability-granular", tmp_path, "dev", method=overlap, out=tmp_path / "runs" / "g")
    run("attributionbench", tmp_path, "dev", checker=share, out=tmp_path / "runs" / "a")
    return tmp_path


def embedded(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_one_page_holds_overview_tables_analyses_and_items_and_asks_nobody(folder):
    page = build.build([folder / "runs"], plots=folder / "plots")
    assert page.startswith("<!doctype html>")
    assert "{{" not in page.replace(json.dumps(embedded(page)), "")
    assert (folder / "plots" / "evidence-position.svg").exists()
    outside = re.findall(r'(?:src|href)="(?!#)([^"]*)"', page)
    assert [run for run in outside if not run.startswith("#")] == []
    data = embedded(page)
    assert {run["task"] for run in data["runs"]} == {
        "wice",
        "verifiability",
        "verifiability-granular",
        "attributionbench",
    }
    first = next(run for run in data["items"] if run["task"] == "wice")
    assert (first["question"], first["gold"], first["gold_evidence"]) == ("rain fell", "supported", [0, 2])
    assert len(first["runs"]) == 2
    assert ["rain fell there", 2] in data["documents"][first["doc"]]["blocks"]


def test_items_say_what_is_wrong_withheld_or_unsupported(folder):
    data = embedded(build.build([folder / "runs"]))
    claims = {item["question"]: item["runs"] for item in data["items"] if item["task"] == "attributionbench"}
    assert {claim: next(iter(runs.values()))["wrong"] for claim, runs in claims.items()} == {
        "a b": False,
        "a d": False,
        "x": True,
    }
    span = next(item for item in data["items"] if item["task"] == "verifiability-granular")
    (prediction,) = span["runs"].values()
    assert (prediction["answer"], span["gold"], prediction["evidence"]) == ("Ada Stone runs the mill", "passage 2", [1])


def test_the_overview_marks_whose_a_row_is_and_counts_beside_each_mean(folder):
    result = overview.overview([summarise(folder / "runs" / "w"), summarise(folder / "runs" / "w2")], draws=20)
    assert [(column.task, column.metric) for column in result.columns] == [
        ("wice", "label_macro_f1"),
        ("wice", "evidence_f1"),
    ]
    assert result.lines[0].whose == "ours"
    cell = result.lines[0].cells[0]
    assert (cell.n, cell.failed) == (2, 0)
    assert cell.interval.low <= cell.value <= cell.interval.high
    assert any(line.whose.startswith("Buchmann") for line in result.lines)


def test_best_is_bold_only_where_the_intervals_lie_apart():
    def marked(*intervals, metric=ANSWER_F1):
        rows = [[Cell(mean, Interval(mean, low, high))] for low, mean, high in intervals]
        overview._mark_best(rows, 0, metric)
        return [row[0].best for row in rows]

    assert marked((0.7, 0.8, 0.9), (0.4, 0.5, 0.6)) == [True, False]
    assert marked((0.55, 0.8, 0.9), (0.4, 0.5, 0.6)) == [False, False]
    assert marked((0.55, 0.8, 0.9)) == [False]
    assert marked((0.7, 0.8, 0.9), (0.4, 0.5, 0.6), metric=AURC) == [False, True]  # of risk the least is best


def test_a_script_in_a_document_stays_text(folder):
    path = folder / "wice" / "claim" / "dev.jsonl"
    path.write_text(path.read_text().replace("rain fell there", "rain </script><b>{{style}} fell"))
    run("wice", folder, "dev", checker=benchdata.Share(), out=folder / "other")
    page = build.build([folder / "other"])
    assert "</script><b>" not in page
    assert any(
        "</script><b>{{style}} fell" in block[0] for doc in embedded(page)["documents"] for block in doc["blocks"]
    )


def test_a_long_document_is_cut_to_what_stands_near_evidence():
    blocks = [(f"line {n}", n) for n in range(200)]
    cut = browse._cut(blocks, {100})
    assert [block[0] for block in cut] == ["line 0", "line 1", 96, *(f"line {n}" for n in range(98, 103)), 97]
    assert sum(block[0] if len(block) == 1 else 1 for block in cut) == 200
    assert browse._cut(blocks[:10], {3}) == [list(block) for block in blocks[:10]]


def test_without_the_data_items_are_shown_without_documents(folder):
    (folder / "wice").rename(folder / "gone")
    data = embedded(build.build([folder / "runs" / "w"]))
    assert data["items"][0]["doc"] is None
    assert data["documents"] == []
    with pytest.raises(InputError):
        build.build([folder / "gone"])


def test_the_report_command_writes_the_page_and_its_plots(folder, capsys):
    args = ["bench", "report", str(folder / "runs"), "--html", str(folder / "r.html"), "--plots", str(folder / "p")]
    assert main(args) == 0
    assert 'id="browser"' in (folder / "r.html").read_text()
    assert list((folder / "p").glob("*.csv"))
    assert main(["bench", "report", str(folder / "runs"), "--plots", str(folder / "p")]) == 2
    assert "--html" in capsys.readouterr().err


@pytest.mark.browser
def test_filters_show_what_is_wrong_and_what_two_runs_disagree_on(folder):
    from playwright.sync_api import sync_playwright

    (folder / "r.html").write_text(build.build([folder / "runs"]))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        wrong = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
        page.goto((folder / "r.html").as_uri())
        page.select_option("#task", "attributionbench")
        assert page.locator("#list li").count() == 3
        page.check("input[value=wrong]")
        assert page.locator("#list li").count() == 1
        page.uncheck("input[value=wrong]")
        page.select_option("#task", "wice")
        assert page.locator(".document .found").count() >= 1
        assert "gold evidence" in page.locator(".document .gold").first.inner_text()
        page.fill("#find", "no such words")
        assert page.inner_text("#count") == "0 of 2 items"
        assert wrong == []
        browser.close()
