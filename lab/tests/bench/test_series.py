"""Reports of consecutive years held beside each other."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from citewell_lab.bench import series
from citewell_lab.cli.bench import bench

ITEMS = ("Revenue", "Cost of sales", "Operating income", "Income tax expense", "Net income")


def statement(years, figures, shown=ITEMS):
    rows = "".join(
        f"<tr><td>{name}</td>{''.join(f'<td>{figures[name][year]:,}</td>' for year in years)}</tr>" for name in shown
    )
    heads = "".join(f"<th>{year}</th>" for year in years)
    return f"""<html><head><title>Mill Inc. annual report {years[0]}</title></head><body>
    <h2>Consolidated Statements of Income</h2><p>(in millions, years ended December 31)</p>
    <table><tr><th></th>{heads}</tr>{rows}</table></body></html>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(series, "_FEWEST", 3)
    figures = {name: {2020: 700 + 9 * n, 2021: 800 + 9 * n, 2022: 900 + 9 * n} for n, name in enumerate(ITEMS)}
    (tmp_path / "MILL_2021_10K.html").write_text(statement((2021, 2020), figures), encoding="utf-8")
    figures["Net income"] = {2022: 936, 2021: 835, 2020: 736}  # 2021 was restated by one
    (tmp_path / "MILL_2022_10K.html").write_text(statement((2022, 2021), figures), encoding="utf-8")
    (tmp_path / "MILL_2022Q4_EARNINGS.html").write_text("<p>Revenue was 5.</p>", encoding="utf-8")
    (tmp_path / "LONE_2022_10K.html").write_text("<p>Revenue was 5.</p>", encoding="utf-8")
    return tmp_path


def test_only_annual_reports_in_series_are_read(folder):
    assert {name: [path.stem for path in paths] for name, paths in series.series(folder).items()} == {
        "MILL": ["MILL_2021_10K", "MILL_2022_10K"]
    }


def test_years_that_agree_and_one_that_differs_are_told_with_both_figures(folder, tmp_path):
    ((company, readings),) = series.run(folder, tmp_path / "kept")
    assert company == "MILL"
    pairs = {(pair.first.item, pair.first.year): pair for pair in series.pairs(readings)}
    assert pairs["operating income", 2021].agrees
    assert not pairs["net income", 2021].agrees
    assert {pairs["net income", 2021].first.text, pairs["net income", 2021].second.text} == {"836", "835"}
    assert (tmp_path / "kept" / "MILL_2021_10K.json").exists()
    counts = series.summary(readings)
    assert counts["by_item"]["net income"] == {
        "asked": 4,
        "answered": 4,
        "pairs": 1,
        "agreeing": 0,
        "restated": 0,
        "differing": 1,
    }
    assert "goodwill" not in counts["by_item"]  # no report has it


def test_the_command_prints_counts_and_the_pairs(folder):
    result = CliRunner().invoke(bench, ["series", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["all"]["differing"] == 1
    assert [one["text"] for one in data["differing"][0]["readings"]] == ["836", "835"]
    assert data["restated"] == []
    shown = CliRunner().invoke(bench, ["series", str(folder)])
    assert "MILL, net income 2021: MILL_2021_10K page None: 836" in shown.stdout


def test_a_folder_that_is_none_is_refused(tmp_path):
    assert CliRunner().invoke(bench, ["series", str(tmp_path / "absent")]).exit_code != 0
