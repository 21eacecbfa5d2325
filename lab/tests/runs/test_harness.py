"""What holds a printed table against a published one: it fails where a row, a column or a figure is not what it was."""

import re
import subprocess
from pathlib import Path

import pytest

from citewell_lab.papers.beside import Row, Standings, printed
from citewell_lab.papers.published import published
from runs.harness import FOLDER, Ran, tables

SPANS = "hidden-states-2-verifiability-granular"
PAPER = next(table for table in published() if table["id"] == SPANS)
ROWS = {"lexical": ("BM25",), "retrieval(retriever=gtr)": ("GTR",)}
WITHOUT = tuple(row["name"] for row in PAPER["rows"] if row["name"] not in ("BM25", "GTR"))


def ran(ours=tuple(ROWS), paper=PAPER["rows"], columns=("span_accuracy",), value=0.5):
    rows = [Row(row["name"], "paper", tuple(row["values"])) for row in paper]
    rows += [Row(name, "ours", (value,), 3) for name in ours]
    table = Standings(SPANS, f"{PAPER['title']} (Table 2)", "Phukan", columns, tuple(rows))
    return Ran(f"some | words\n\n{printed([table], 'markdown')}\n\nmore", None, [], set())


def test_a_table_is_read_back_as_it_was_printed():
    (table,) = ran().tables
    assert table.columns[:2] == ("", "span_accuracy")
    assert table.named("ours")["lexical"]["span_accuracy"] == "50.0"
    assert table.named("paper")["BM25"]["span_accuracy"] == "68.2"


def test_a_cell_with_a_bar_stays_one_cell():
    (table,) = tables("# t\n\n| a | b |\n| --- | --- |\n| **x \\| y** | 1 |\n| u \\| v |  |")
    assert table.named("ours") == {"x | y": {"a": "**x | y**", "b": "1"}}
    assert table.named("paper") == {"u | v": {"a": "u | v", "b": ""}}


def test_a_table_of_the_papers_shape_holds():
    ran().holds(SPANS, ROWS, without=WITHOUT)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"ours": ("lexical",)}, "our rows are"),
        ({"ours": (*ROWS, "verbatim")}, "our rows are"),
        ({"ours": ("lexical", "retrieval(retriever=bm25)")}, "our rows are"),
        ({"paper": PAPER["rows"][1:]}, "no row 'GPT-3.5'"),
        ({"paper": [{**PAPER["rows"][0], "values": [0.1]}, *PAPER["rows"][1:]]}, "published"),
        ({"columns": ("accuracy",)}, "no column"),
        ({"value": None}, "no figure in"),
    ],
)
def test_a_table_of_another_shape_does_not(changed, says):
    with pytest.raises(AssertionError, match=says):
        ran(**changed).holds(SPANS, ROWS, without=WITHOUT)


def test_a_system_of_the_paper_that_nobody_names_does_not_hold():
    with pytest.raises(AssertionError, match="without a counterpart"):
        ran().holds(SPANS, ROWS, without=WITHOUT[1:])


def test_every_script_is_run_by_a_test():
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    run = {name for text in tests for name in re.findall(r"scripted_run\(\s*\"([\w.-]+)\"", text)}
    assert {path.name for path in FOLDER.glob("*.sh")} - run <= NOT_YET


def test_every_script_is_a_script_that_says_what_it_makes():
    for path in FOLDER.glob("*.sh"):
        assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0
        assert path.read_text(encoding="utf-8").splitlines()[1].startswith("# ")


NOT_YET = {
    "adiosaa-table-3.sh", "adiosaa-table-6.sh", "hidden-states-figures.sh", "hidden-states-tables-1-2.sh",
    "salad-study.sh", "salad-table-7.sh",
}  # fmt: skip
