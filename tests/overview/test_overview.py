"""The overview of a document: its kind, details, quotes, key figures and the questions that were tried."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.overview import rendering
from citewell.overview.kinds import kind_of

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
CONTRACT = """SERVICES AGREEMENT

This Services Agreement is made on 4 March 2019 by and between Oriel Mapping Ltd and the Harbour Board of Tarrow.

1. Survey. Oriel Mapping Ltd shall survey the sea bed of the harbour twice a year.

2. Term. This Agreement shall remain in force for a period of three years from the date above.

3. Notices. Either party may end this Agreement by giving ninety days of written notice to the other party.

4. Law. This Agreement shall be governed by the laws of Norway.
"""
PAPER = """Abstract

We propose TideNet, a recurrent model that predicts the height of tides from the records of old gauges. TideNet
outperforms the harmonic baseline by 12% on two coasts.

Data

We use a dataset of 41 gauges that was collected between 1950 and 2010.

Limitations

A limitation of our work is that rivers are left out.
"""


@pytest.fixture(scope="module")
def report():
    return citewell.read(REPORT)


@pytest.fixture(scope="module")
def described(report):
    return citewell.overview(report)


def test_a_report_is_told_by_its_cover_and_headings(report, described):
    assert (described.kind, described.language) == ("annual report", "en")
    assert "Northwater" in described.title.text
    assert described.period.text == "2025"
    assert [entry.title for entry in described.outline if entry.title == "Risks"] == ["Risks"]
    assert all(entry.page == report.page_at(entry.start) for entry in described.outline)


def test_every_quote_is_the_documents_text(report, described):
    cited = [*described.statements, *(each for figure in described.figures for each in figure.citations)]
    cited += [each for question in described.questions for each in question.answer.citations]
    assert len(described.statements) >= 5
    assert all(report.text[each.start : each.end] == each.quote for each in cited)
    assert all(each.page and each.rects for each in described.statements)


def test_statements_come_from_several_parts(report, described):
    parts = {report.segment_at(each.start).path[1] for each in described.statements}
    assert len(parts) >= 3


def test_key_figures_have_their_change(described):
    revenue = next(figure for figure in described.figures if figure.name == "Revenue")
    assert revenue.text.startswith("41,260")
    assert revenue.change.startswith("+7.4%")


def test_suggested_questions_were_answered(report, described):
    assert 3 <= len(described.questions) <= 5
    for suggested in described.questions:
        again = citewell.ask(report, suggested.question)
        assert not again.abstained
        assert again.text == suggested.answer.text


@pytest.mark.parametrize(("text", "kind"), [(CONTRACT, "contract"), (PAPER, "paper")])
def test_the_kind_of_other_documents(text, kind):
    assert kind_of(Document.from_text(text)) == kind


def test_a_contracts_points():
    points = {point.name: point.text for point in citewell.overview(Document.from_text(CONTRACT)).figures}
    assert "Oriel Mapping Ltd" in points["Parties"]
    assert "three years" in points["Term"]
    assert "Norway" in points["Governing law"]
    assert "ninety days" in points["Notice"]


def test_a_papers_points():
    points = {point.name: point.text for point in citewell.overview(Document.from_text(PAPER)).figures}
    assert "TideNet" in points["Task"]
    assert "41 gauges" in points["Data"]
    assert "12%" in points["Result"]
    assert "rivers" in points["Limits"]


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=300).filter(str.strip))
def test_any_text_has_an_overview(text):
    document = Document.from_text(text)
    described = citewell.overview(document)
    assert all(document.text[each.start : each.end] == each.quote for each in described.statements)
    assert json.dumps(described.to_dict())
    for render in (rendering.terminal, rendering.markdown, rendering.page):
        assert render(described)


def test_a_page_escapes_what_the_document_says():
    page = rendering.page(
        citewell.overview(Document.from_text("<script>alert(1)</script> is what this report covers."))
    )
    assert "<script>" not in page


def test_the_command_prints_text_json_and_a_page(tmp_path):
    command = [sys.executable, "-m", "citewell", "overview", str(REPORT)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Questions that it answers" in output
    page = tmp_path / "overview.html"
    done = subprocess.run([*command, "--json", "--html", str(page)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["kind"] == "annual report"
    assert "Northwater" in page.read_text(encoding="utf-8")


def test_the_command_refuses_two_forms():
    command = [sys.executable, "-m", "citewell", "overview", str(REPORT), "--json", "--markdown"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
