"""The store of figures: what pages show is what was measured last."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

_PLACE = Path(__file__).parents[1] / "benchmarks" / "figures.py"
_SPEC = importlib.util.spec_from_file_location("figures_store", _PLACE)
figures = importlib.util.module_from_spec(_SPEC)
sys.modules["figures_store"] = figures
_SPEC.loader.exec_module(figures)

ROW = {
    "value": 59,
    "n": 100,
    "data": "lab/first_sight/2026-11-22/claims.jsonl",
    "sha256": "0" * 64,
    "split": "first sight",
    "command": "x",
    "commit": "abc",
    "date": "2026-11-22",
}


def test_every_page_shows_the_figures_of_the_store():
    assert figures.ROOT / "README.md" in figures.pages()
    store = figures.load()
    differing = [
        str(path)
        for path in figures.pages()
        if figures.insert(path.read_text(encoding="utf-8"), store) != path.read_text(encoding="utf-8")
    ]
    assert differing == [], "python lab/benchmarks/figures.py writes them"


def test_a_page_gets_the_values_and_keeps_all_else(tmp_path):
    (tmp_path / "claims.json").write_text(json.dumps({"kept": ROW}))
    store = figures.load(tmp_path)
    page = "Of 100 <!-- figure claims:kept -->12<!-- end --> stay. <!-- a note -->"
    counted = "<!-- figure claims:kept/n -->1<!-- end -->"
    assert figures.insert(counted, store) == "<!-- figure claims:kept/n -->100<!-- end -->"
    assert figures.insert(page, store) == "Of 100 <!-- figure claims:kept -->59<!-- end --> stay. <!-- a note -->"
    with pytest.raises(ValueError, match="no figure claims:lost"):
        figures.insert("<!-- figure claims:lost -->1<!-- end -->", store)


def test_a_row_that_lacks_where_it_comes_from_is_no_figure(tmp_path):
    (tmp_path / "claims.json").write_text(json.dumps({"kept": {"value": 1, "n": 2}}))
    with pytest.raises(ValueError, match="kept is no figure"):
        figures.load(tmp_path)


def test_a_recorded_figure_says_how_it_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "STORE", tmp_path)
    data = tmp_path / "set.jsonl"
    data.write_text("{}\n")
    figures.record("claims", {"kept": (59, 100)}, data, "first sight", "python measure.py")
    figures.record("claims", {"passed": (12, 120)}, data, "first sight", "python measure.py")
    store = figures.load(tmp_path)
    assert set(store) == {"claims:kept", "claims:passed"}
    figure = store["claims:kept"]
    assert (figure.value, figure.n, figure.data, figure.split) == (59, 100, "set.jsonl", "first sight")
    assert re.fullmatch(r"[0-9a-f]{64}", figure.sha256)
    assert re.fullmatch(r"[0-9a-f]{7,40}", figure.commit)
