import csv
import io
import json
import re

import pytest

from bench import benchdata
from bench.benchdata import Overlap, Share
from citewell.errors import InputError, UsageError
from citewell_lab.bench import compare as comparing
from citewell_lab.bench.folders import results
from citewell_lab.bench.run import run
from citewell_lab.bench.summary import summary
from citewell_lab.bench.tasks import names, task
from citewell_lab.papers import beside
from citewell_lab.papers.published import published


class Wrong(Overlap):
    name = "always|first<b>"

    def attribute(self, draft, documents, granularity="sentence", k=None):
        if granularity == "token":
            return ()
        first = documents[0].segments(granularity)[0]
        return tuple(
            benchdata.Citation("d", "s", granularity, first.text, first.start, first.end, start, end)
            for start, end in draft.targets
        )


@pytest.fixture
def runs(tmp_path):
    benchdata.veri_gran(tmp_path, 2)
    run("verifiability-granular", tmp_path, "dev", method=Overlap(tokens=True), out=tmp_path / "runs" / "a")
    run("verifiability-granular", tmp_path, "dev", method=Wrong(), out=tmp_path / "runs" / "b")
    return tmp_path / "runs"


def test_every_published_row_has_a_figure_a_column():
    for item in published():
        assert item["rows"]
        for row in item["rows"]:
            assert len(row["values"]) == len(item["columns"]), row
            assert all(value is None or 0 <= value <= 1 for value in row["values"])
        assert item["task"] is None or item["task"] in names()


def test_published_columns_are_metrics_that_the_tasks_report():
    known = {
        "verifiability-granular": {"span_accuracy", "token_precision", "token_recall", "token_f1", "token_pr_auc"},
        "salad": {"f1_tuned", "accuracy_tuned"},
        "wice": {"label_macro_f1", "evidence_f1"},
        "hagrid": {f"{name}@{k}" for name in ("precision", "recall", "f1") for k in (1, 2, 4)},
    }
    for item in published():
        if item["task"] in known:
            assert {column.rpartition(".")[2] for column in item["columns"]} <= known[item["task"]]


def test_the_means_of_salads_published_rows_are_those_of_their_settings():
    (table,) = (item for item in published() if item["id"] == "salad-7")
    for row in table["rows"]:
        for offset in (0, 1):
            settings = row["values"][2 + offset :: 2]
            assert row["values"][offset] == pytest.approx(sum(settings) / 6, abs=0.0016), row["name"]


def test_our_rows_stand_under_the_papers_rows(runs):
    standings = beside.standings(results([str(runs)]))
    assert [standing.id for standing in standings] == [
        "hidden-states-1-verifiability-granular",
        "hidden-states-2-verifiability-granular",
    ]
    assert [row.kind for row in standings[1].rows] == ["paper"] * 9 + ["ours"] * 2
    assert beside.printed(standings[1:]).splitlines() == [
        "VERIFIABILITY-GRANULAR: from which passage was a span copied (sub-task 2) (Table 2)",
        "Phukan et al. 2024, Peering into the Mind of Language Models",
        "",
        "                    span_accuracy    n  abstained  failed  split  data",
        "  GPT-3.5                    26.4  197                     test   published",
        "  GPT-4                      62.1  197                     test   published",
        "  BM25                       68.2  197                     test   published",
        "  GTR                        53.1  197                     test   published",
        "  MT5                        67.4  197                     test   published",
        "  Llama-7b                   77.3  197                     test   published",
        "  Mistral-7b                 77.7  197                     test   published",
        "  Yi-6b                      77.6  197                     test   published",
        "  Human (4 people)           92.0  197                     test   published",
        "> overlap                   100.0    2          0       0  dev    partial: 2 of the published 170 statements",
        "> always|first<b>            50.0    2          0       0  dev    partial: 2 of the published 170 statements",
        "  n of the paper's rows counts statements, 320 spans",
        "  overlap: our row is of the split dev, the paper's rows are of test",
        "  overlap: tokens are words and single marks; marked where the score exceeds the method's threshold, or is at least 0.5 where it has none",
        "  always|first<b>: our row is of the split dev, the paper's rows are of test",
        "  always|first<b>: tokens are words and single marks; marked where the score exceeds the method's threshold, or is at least 0.5 where it has none",
    ]


def test_markdown_csv_and_json_hold_the_same_figures(runs):
    standings = beside.standings(results([str(runs / "a"), str(runs / "b")]))
    text = beside.printed(standings, "markdown")
    assert "| **overlap** | 100.0 | 2 | 0 | 0 | dev | partial: 2 of the published 170 statements |" in text
    assert "**always\\|first<b>**" in text
    rows = list(csv.DictReader(io.StringIO(beside.printed(standings, "csv"))))
    ours = [row for row in rows if row["kind"] == "ours" and row["metric"] == "span_accuracy"]
    assert [(row["row"], float(row["value"]), row["n"]) for row in ours] == [
        ("overlap", 1.0, "2"),
        ("always|first<b>", 0.5, "2"),
    ]
    data = json.loads(beside.printed(standings, "json"))
    assert data["tables"][1]["rows"][-2]["values"] == [1.0]


def test_the_page_needs_nothing_else_and_escapes_what_it_shows(runs):
    page = beside.page(beside.standings(results([str(runs)])))
    assert not re.search(r"(?:src|href)=|https?://|<script", page)
    assert "always|first&lt;b&gt;" in page
    assert "first<b>" not in page
    assert page.count("<td class=word>ours</td>") == 3  # a method without tokens has no row among theirs


def test_rows_from_the_annotations_stand_between_the_papers_rows_and_ours(tmp_path):
    benchdata.salad(tmp_path)
    run("salad", tmp_path, "dev", checker=Share(), out=tmp_path / "r")
    (table,) = beside.standings(results([str(tmp_path / "r")]))
    kinds = [row.kind for row in table.rows]
    assert kinds == ["paper"] * 8 + ["computed"] * 4 + ["ours"]
    mapping = dict(zip(table.columns, table.rows[-1].values, strict=True))
    assert mapping["webgpt.accuracy_tuned"] == 1
    assert mapping["gpt3.f1_tuned"] is None
    assert table.rows[-1].published == "partial: 5 of the published 3857 sentences"
    assert not any("our row is of the split" in note for note in table.notes)
    assert "computed here" in beside.page([table])


def test_a_task_without_a_published_table_gets_one_of_its_own(tmp_path):
    benchdata.attributionbench(tmp_path)
    run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "r")
    (table,) = beside.standings(results([str(tmp_path / "r")]))
    assert table.columns[:2] == ("macro_f1", "balanced_accuracy")
    assert [row.name for row in table.rows] == ["share"]


def test_without_runs_all_papers_tables_are_printed():
    assert len(beside.standings([])) == len(published())


def test_every_table_of_the_papers_can_be_asked_for_beside_ours(runs):
    result = results([str(runs)])
    some, whole = beside.standings(result), beside.standings(result, every=True)
    assert len(some) < len(whole) == len(published())
    ours = {table.id for table in some}
    assert {table.id for table in whole if beside.ABSENT not in table.notes} == ours


def test_a_folder_without_runs_is_named(tmp_path):
    with pytest.raises(InputError, match="is not a run and holds none"):
        results([str(tmp_path)])


def test_an_overview_says_what_was_measured_and_what_was_not(runs):
    text = summary(results([str(runs / "b")])[0])
    assert "  span_accuracy  50.0" in text
    assert "not scored: token_f1: the method gives no scores of tokens" in text
    assert "partial (2 of the published 170 statements)" in text


def test_a_comparison_lists_what_changed_and_how_sure_the_difference_is(runs):
    comparison = comparing.compare(runs / "a", runs / "b")
    assert (comparison.n, comparison.metric) == (2, "span_accuracy")
    assert comparison.paired.difference == -0.5
    assert [(result.id, result.first["predicted"], result.second["predicted"]) for result in comparison.changed] == [
        ("dev:0", [2, 1], [1, 1]),
        ("dev:1", [2, 1], [1, 1]),
    ]
    text = comparing.text(comparison, 1)
    assert "mean over 2 items of span_accuracy: -50.00 points" in text
    assert "2 predictions changed: 0 items better, 2 worse" in text
    assert "1 more" in text
    assert json.loads(json.dumps(comparison.to_dict()))["changed"][0]["gold"] == [2, 1]


def test_a_run_compared_with_itself_has_no_change(runs):
    comparison = comparing.compare(runs / "a", runs / "a")
    assert comparison.changed == ()
    assert comparison.paired.difference == 0
    assert comparison.paired.p == 1


def test_runs_of_other_tasks_or_data_are_not_compared(runs, tmp_path):
    benchdata.quotesum(tmp_path)
    run("quotesum", tmp_path, "dev", method=Overlap(), out=tmp_path / "q")
    with pytest.raises(UsageError, match="different tasks"):
        comparing.compare(runs / "a", tmp_path / "q")
    benchdata.veri_gran(tmp_path, 3)
    run("verifiability-granular", tmp_path, "dev", method=Overlap(), out=tmp_path / "c")
    with pytest.raises(UsageError, match="different data"):
        comparing.compare(runs / "a", tmp_path / "c")


def test_every_task_has_the_name_of_its_module_and_names_tables_that_are_published():
    known = {table["id"] for table in published()}
    for name in names():
        assert task(name).name == name
        assert set(task(name).tables) <= known
    assert sum(len(task(name).tables) for name in names()) == sum(table["task"] is not None for table in published())
