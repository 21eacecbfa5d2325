"""Reference rows: every method and approach has a cell, and a page shows a figure only of enough items."""

import importlib.util
import sys
from pathlib import Path

import pytest

from bench import benchdata
from citewell import registry
from citewell_lab.bench.tasks import task

_PLACE = Path(__file__).parents[1] / "benchmarks" / "reference.py"
_SPEC = importlib.util.spec_from_file_location("reference_rows", _PLACE)
reference = importlib.util.module_from_spec(_SPEC)
sys.modules["reference_rows"] = reference
_SPEC.loader.exec_module(reference)


def test_every_cell_names_what_there_is_and_every_approach_with_a_model_has_cells():
    cells = list(reference.cells("/model"))
    assert len({(cell.task, cell.name) for cell in cells}) == len(cells)
    for cell in cells:
        assert task(cell.task).name == cell.task
        if "method" in cell.options:
            assert registry.parse(cell.options["method"]).name == cell.name
            assert "/model" in cell.options["method"]
    approaches = {cell.name for cell in cells if cell.paper == "lab"}
    assert approaches == {"post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation"}


@pytest.mark.parametrize(("count", "shown"), [(1, False), (4, True)])
def test_a_row_has_a_figure_only_of_enough_items_and_goes_on_where_it_stopped(tmp_path, count, shown):
    benchdata.veri_gran(tmp_path / "data", 5)
    cell = reference.Cell("attention", "verifiability-granular", "lexical", {"method": "lexical"})
    assert reference.row(cell, tmp_path / "runs") == ""
    for items in (1, count):
        result = reference.measure(cell, tmp_path / "data", tmp_path / "runs", items)
    assert result.n == count
    cells = [part.strip() for part in reference.row(cell, tmp_path / "runs").split("|")]
    assert (cells[5] != "-") == shown
    assert cells[7] == str(count)


def test_a_page_keeps_rows_without_a_run_and_those_of_more_items():
    def line(name, count, seconds="1"):
        return f"| attention | quotesum | {name} | span_accuracy | 50.0 | - | {count} | 0 | {seconds} |\n"

    page = reference.recorded("", [line("icr", 3), line("at2", 10)])
    assert page == reference.BEGIN + line("icr", 3) + line("at2", 10)
    again = reference.recorded(page, [line("icr", 20), line("at2", 1), "", line("mirage", 1)])
    assert again == reference.BEGIN + line("icr", 20) + line("at2", 10) + line("mirage", 1)
    slower = reference.recorded(again, [line("icr", 20, "12"), line("mirage", 3, "-")])
    assert slower == reference.BEGIN + line("icr", 20) + line("at2", 10) + line("mirage", 3)
