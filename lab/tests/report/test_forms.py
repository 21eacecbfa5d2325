"""Tables as LaTeX and CSV, rows over seeds, and tests of every metric corrected over a table."""

import csv
import io
import json
import re

import pytest

from bench import benchdata
from bench.benchdata import Share
from citewell.cli import main
from citewell.errors import UsageError
from citewell_lab.bench.compare import table
from citewell_lab.bench.run import run
from citewell_lab.papers.beside import printed, standings
from citewell_lab.report.table import Table
from citewell_lab.report.table import printed as printed_tables
from citewell_lab.report.values import Interval, Spread, format_value


def test_latex_escapes_what_a_cell_holds_and_sets_our_rows_bold():
    rows = (("a_b & 50%", 0.5, Spread(0.25, 0.05, 3)), ("x", None, None))
    made = Table(
        "t-1", "Title {x}", ("", "f1@2", "ours"), rows, whose=("ours", "paper"), source="Table #1", notes=("p < 1",)
    )
    assert made.latex().splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Title \{x\} (Table \#1)}",
        r"\label{tab:t-1}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r" & f1@2 & ours \\",
        r"\midrule",
        r"\textbf{a\_b \& 50\%} & 50.0 & 25.0 $\pm$ 5.0 \\",
        r"x & -- & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\footnotesize p $<$ 1",
        r"\end{table}",
    ]  # fmt: skip


def test_csv_gives_the_parts_of_a_mean_columns_of_their_own():
    rows = (("a", Interval(0.5, 0.4, 0.6), Spread(0.25, 0.05, 3)), ("b", 0.1, None))
    made = Table("t", "T", ("", "x", "y"), rows)
    assert made.csv().splitlines() == [
        ",x,x low,x high,y,y deviation,y runs",
        "a,0.5,0.4,0.6,0.25,0.05,3",
        "b,0.1,,,,,",
    ]
    assert made.to_dict()["rows"][0]["y"] == {"mean": 0.25, "deviation": 0.05, "runs": 3}
    assert format_value(Spread(0.25, 0.05, 3)) == "25.0 ± 5.0"
    assert Table("t", "T", ("", "x"), ()).csv() == ",x\n"


def test_every_form_has_the_same_cells():
    made = Table("t", "T", ("", "x"), (("a", 0.125), ("b", 1.0)))
    for form in ("markdown", "latex", None):
        assert re.findall(r"12\.5|100\.0", printed_tables([made], form)) == ["12.5", "100.0"]
    assert list(csv.reader(io.StringIO(printed_tables([made], "csv")))) == [["", "x"], ["a", "0.125"], ["b", "1.0"]]
    assert json.loads(printed_tables([made], "json"))["tables"][0]["rows"][0] == {"": "a", "x": 0.125}


def seeded(data, count=3):
    """Runs of samples of four of the six claims, by seeds 0, 1, 2."""
    benchdata.llm_aggrefact(data)
    return [
        run("llm-aggrefact", data, "dev", checker=Share(), sample=4, seed=seed, out=data / f"run-{seed}")
        for seed in range(count)
    ]


def test_runs_that_differ_by_their_seeds_are_a_row_of_means_and_deviations(tmp_path):
    results = seeded(tmp_path)
    values = [result.scores.metrics["mean_balanced_accuracy"] for result in results]
    assert len(set(values)) > 1
    mean = sum(values) / 3
    deviation = (sum((value - mean) ** 2 for value in values) / 2) ** 0.5
    (standing,) = standings(results, seeds=True)
    (row,) = [row for row in standing.rows if row.kind == "ours"]
    assert (row.name, row.n) == ("share (3 seeds)", 12)
    spread = dict(zip(standing.columns, row.values, strict=True))["mean_balanced_accuracy"]
    assert (spread.mean, spread.deviation, spread.runs) == pytest.approx((mean, deviation, 3))
    assert len([row for row in standings(results)[0].rows if row.kind == "ours"]) == 3
    assert main(["bench", "report", str(tmp_path), "--seeds", "--latex"]) == 0
    with pytest.raises(UsageError, match="same seed"):
        standings([results[0], results[0]], seeds=True)
    assert f"{100 * mean:.1f} ± {100 * deviation:.1f}" in printed([standing])


def test_a_table_of_runs_is_corrected_for_all_its_tests(tmp_path, capsys):
    benchdata.attributionbench(tmp_path)
    folders = []
    for name in ("lexical", "share", "again"):
        folders.append(tmp_path / name)
        run("attributionbench", tmp_path, "dev", checker="lexical" if name == "lexical" else Share(), out=folders[-1])
    made = table(folders)
    metrics = {row[1] for row in made.rows}
    assert metrics == {"macro_f1", "balanced_accuracy", "accuracy", "auc"}
    assert len(made.rows) == 2 * len(metrics)
    assert all(holm >= p for *_, p, holm in made.rows)
    assert "the 8 tests of this table" in made.notes[0]
    assert main(["bench", "compare", *map(str, folders), "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 8
    assert main(["bench", "compare", *map(str, folders[:2]), "--latex"]) == 0
    assert r"\toprule" in capsys.readouterr().out
