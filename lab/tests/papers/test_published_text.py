"""LAB's figures in the package are those that the paper prints; the paper's text is not part of the project."""

import os
import re
import runpy
from pathlib import Path

import pytest

FOLDER = os.environ.get("CITEWELL_PAPERS", "")
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "check_published.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.mark.skipif(not FOLDER, reason="needs the papers' texts: set CITEWELL_PAPERS")
def test_every_row_stands_in_the_text(script):
    assert script["missing"]((Path(FOLDER) / script["TEXT"]).read_text(encoding="utf-8")) == []


def test_a_row_of_the_data_is_sought_as_the_paper_prints_it(script):
    patterns = dict(script["rows"]())
    assert len(patterns) == len(script["rows"]()) > 150
    line = "citation 0.04 -0.01 -0.08* -0.04 0.05* -0.08*"
    search = script["re"].search
    assert search(patterns["Table 7, GPT-3.5, citation"], line)
    for changed in (
        line.replace("0.04 -0.01", "0.14 -0.01"),
        line.replace("0.05*", "0.05"),
        line.replace("-0.01", "-0.01*"),
    ):
        assert not search(patterns["Table 7, GPT-3.5, citation"], changed)
    assert search(
        patterns["Table 3, Mistral, reduced-citation"], "r-cit 36 53 58 28 21 42 77 26 35 47 51 44 22 1 41.50 32.00"
    )
    assert not search(
        patterns["Table 3, Mistral, reduced-citation"], "r-cit 36 53 58 28 21 42 77 26 35 47 51 44 22 11 41.50 32.00"
    )
    assert search(patterns["Table 6, QSP"], "QSP 0.93 (7.7× 10−5)")
    assert script["main"](str(SCRIPT.parent)) == 0  # no text there: nothing to check
    assert len(script["missing"]("no figures")) > 140


def test_the_page_of_the_paper_has_a_row_for_every_table_and_figure_with_scripts_that_exist():
    root = SCRIPT.parents[2]
    page = (root / "docs" / "papers" / "lab.md").read_text(encoding="utf-8")
    rows = [line for line in page.split("\n") if re.match(r"\| (?:Tables?|Figures?|Appendix|Section) ", line)]
    named = " ".join(row.split("|")[1] for row in rows)
    for kind, last in (("Table", 27), ("Figure", 7)):
        numbers = {int(n) for part in re.findall(rf"{kind}s? ([\d, ]+)", named) for n in re.findall(r"\d+", part)}
        assert numbers == set(range(1, last + 1)), kind
    for script in re.findall(r"sh (runs/[\w.-]+\.sh)", page):
        assert (root / script).is_file(), script
