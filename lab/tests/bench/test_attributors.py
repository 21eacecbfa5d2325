"""Attributors side by side: the same items, the difference to the first, and what each takes."""

from __future__ import annotations

import json

import pytest

from bench import benchdata
from citewell import cli
from citewell.errors import UsageError
from citewell_lab.bench.attributors import Cost, side_by_side, table


def run_methods(tmp_path, *methods, **more):
    benchdata.quotesum(tmp_path)
    return side_by_side("quotesum", tmp_path, "dev", methods, tmp_path / "runs", **more)


def test_each_method_has_its_figures_and_the_difference_to_the_first(tmp_path):
    ran = run_methods(tmp_path, "lexical", "verbatim")
    result = table(ran)
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    assert [row["method"] for row in rows] == ["lexical", "verbatim"]
    assert rows[0]["difference"] is None
    means = [item.result.scores.metrics["span_accuracy"] for item in ran]
    assert rows[1]["difference"] == pytest.approx(means[1] - means[0], abs=1e-9)
    assert [row["passes"] for row in rows] == [0, 0]
    assert rows[1]["p (Holm)"] == rows[1]["p"]  # one other method, one test
    assert rows[0]["p (Holm)"] is None
    assert all(row["seconds"] >= 0 for row in rows)


def test_passes_and_memory_of_models_are_counted_once_and_kept(zoo, tmp_path):
    spec = f"at2(model={zoo.llama})"
    (ran,) = run_methods(tmp_path, spec)
    assert ran.cost.passes == ran.result.n  # of tokens it has no scores, and is not asked for them
    assert ran.cost.memory is None or ran.cost.memory > 10_000_000
    (again,) = run_methods(tmp_path, spec)
    assert again.cost == ran.cost


def test_the_cost_of_a_run_that_goes_on_adds_up():
    both = Cost(1.0, 2, 30, 500, None, 1.5) + Cost(2.0, 3, 40, 400, None, 4.0)
    assert both == Cost(3.0, 5, 70, 500, None, 4.0)


def test_a_task_without_attributors_or_a_method_named_twice_is_refused(tmp_path):
    with pytest.raises(UsageError, match="salad runs no attributor"):
        side_by_side("salad", tmp_path, "dev", ["lexical"], tmp_path)
    with pytest.raises(UsageError, match="named twice"):
        run_methods(tmp_path, "lexical", "lexical")


def test_the_command_prints_one_row_a_method(tmp_path, capsys):
    benchdata.quotesum(tmp_path)
    arguments = ["--data", str(tmp_path), "--split", "dev", "--out", str(tmp_path / "runs"), "--quiet"]
    methods = ["--method", "lexical", "--method", "retrieval(query=target)"]
    assert cli.main(["bench", "attributors", "quotesum", *arguments, *methods]) == 0
    printed = capsys.readouterr().out
    assert "retrieval(query=target)" in printed
    assert "paired bootstrap" in printed
    assert cli.main(["bench", "attributors", "quotesum", *arguments, *methods, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == 2
