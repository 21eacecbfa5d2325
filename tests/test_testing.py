"""The assertions for users' tests, and the plug-in that offers them as fixtures."""

import subprocess
import sys

import pytest
from lxml import etree

from citewell import testing
from citewell.document import Document

TEXT = "The mill was built in 1820. Ada Stone runs it today. It grinds rye and wheat for three villages."


def test_an_answer_from_the_document_passes_and_comes_back_with_its_evidence():
    attributed = testing.assert_attributed("The mill was built in 1820. Ada Stone runs it today.", TEXT)
    assert [TEXT[citation.start : citation.end] for citation in attributed.citations] == [
        citation.quote for citation in attributed.citations
    ]
    assert testing.recall(attributed) == 1


def test_an_invented_statement_fails_and_is_named():
    with pytest.raises(AssertionError, match="1 of 2 statements are supported") as caught:
        testing.assert_attributed("The mill was built in 1820. Penguins own forty casinos.", TEXT)
    assert "Penguins own forty casinos." in str(caught.value)


def test_a_lower_recall_can_be_asked_for():
    answer = "The mill was built in 1820. Penguins own forty casinos."
    testing.assert_attributed(answer, Document.from_text(TEXT), min_recall=0.5)
    with pytest.raises(AssertionError, match="51% are wanted"):
        testing.assert_attributed(answer, TEXT, min_recall=0.51)
    with pytest.raises(ValueError, match="between 0 and 1"):
        testing.assert_attributed(answer, TEXT, min_recall=90)


def test_an_answer_of_citewells_is_judged_by_its_own_labels():
    attributed = testing.assert_attributed("Ada Stone runs it today.", TEXT)
    assert testing.assert_attributed(attributed, "another text altogether") is attributed


def test_a_claim_is_supported_or_the_reason_is_told(tmp_path):
    path = tmp_path / "mill.txt"
    path.write_text(TEXT)
    assert testing.assert_supported("Ada Stone runs the mill.", path, min_score=0.2).score >= 0.2
    with pytest.raises(AssertionError, match="probability of support"):
        testing.assert_supported("Penguins own forty casinos.", str(path))
    with pytest.raises(AssertionError, match=r"at least 1\.00 is wanted"):
        testing.assert_supported("Ada Stone runs the mill.", path, min_score=1.0)


@pytest.mark.rare
@pytest.mark.slow
def test_the_plug_in_offers_fixtures_and_keeps_figures_for_junit(tmp_path):
    code = f"""
TEXT = {TEXT!r}
def test_good(assert_attributed, assert_supported):
    assert_attributed("Ada Stone runs it today.", TEXT)
    assert_supported("The mill was built in 1820.", TEXT)
def test_bad(assert_attributed):
    assert_attributed("Penguins own forty casinos.", TEXT, min_recall=0.9)
"""
    (tmp_path / "test_mine.py").write_text(code)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "--rootdir",
        str(tmp_path),
        "--junit-xml=out.xml",
    ]
    loaded = subprocess.run([sys.executable, "-m", "pytest", "--fixtures", "-q"], cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    if "assert_attributed" not in loaded.stdout:
        command += ["-p", "citewell.testing.pytest_plugin"]  # an installation from before the entry point
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "Penguins own forty casinos." in done.stdout
    cases = {case.get("name"): case for case in etree.parse(tmp_path / "out.xml").iter("testcase")}
    kept = {result.get("name"): float(result.get("value")) for result in cases["test_good"].iter("property")}
    assert kept["citewell_recall"] == 1
    assert kept["citewell_support"] > 0.5
    assert [result.get("value") for result in cases["test_bad"].iter("property")] == ["0.0"]
