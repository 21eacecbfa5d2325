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
from citewell.export import overview as written
from citewell.generators.extractive.prose.salience import stands_alone
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.pipeline.overview import details
from citewell.pipeline.overview.details import outline
from citewell.pipeline.overview.questions import _candidates

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
    assert len(described.statements) >= 2
    assert all(report.text[each.start : each.end] == each.quote for each in cited)
    assert all(each.page and each.rects for each in described.statements)


def test_statements_come_from_several_parts(report, described):
    parts = {report.segment_at(each.start).path[1] for each in described.statements}
    assert len(parts) >= 2


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
    for render in (written.terminal, written.markdown, written.page):
        assert render(described)


def test_a_page_escapes_what_the_document_says():
    page = written.page(citewell.overview(Document.from_text("<script>alert(1)</script> is what this report covers.")))
    assert "<script>" not in page


def test_the_command_prints_text_json_and_a_page(tmp_path):
    file, page = tmp_path / "agreement.txt", tmp_path / "overview.html"
    file.write_text(CONTRACT, encoding="utf-8")
    command = [sys.executable, "-m", "citewell", "overview", str(file)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Questions that it answers" in output
    done = subprocess.run([*command, "--json", "--html", str(page)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["kind"] == "contract"
    assert "Oriel Mapping" in page.read_text(encoding="utf-8")


def test_the_command_refuses_two_forms():
    command = [sys.executable, "-m", "citewell", "overview", str(REPORT), "--json", "--markdown"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The harbour was dredged in 2019.", True),
        ("2.1 The Board pays for the survey.", True),
        ("(b) The Board pays.", True),
        ("“The Board pays,” it says.", True),
        ("the rest of a sentence that began elsewhere.", False),
        ("The Board pays until the earliest of:", False),
        ("The Board pays with the consent of the tenant;", False),
        ("☐ Written communications under the Act.", False),
        ("9 The estimates are from a sample.", False),
        ("Note: The need was not asked of children.", False),
        ("Characteristics of the population, <census.example/en>.", False),
    ],
)
def test_only_whole_sentences_are_quoted_without_their_neighbours(text, whole):
    (segment,) = Document.from_text(text).segments("sentence")
    assert stands_alone(segment) is whole


def test_the_parties_are_those_of_the_preamble_or_none():
    preamble = (
        "This Lease is made and entered into this day by and between the Harbour Board of Tarrow, a public body of the town, "
        "and Oriel Mapping Ltd (together the “Parties”)"
    )
    clause = (
        "Any dispute between the Board and the tenant is settled by the court of the town in which the harbour lies."
    )
    filler = "\n\n".join(f"{number}. The tenant keeps berth {number} clean and dry all year." for number in range(90))
    with_preamble = citewell.overview(Document.from_text(f"LEASE\n\n{preamble}\n\n{filler}\n\n{clause}"))
    assert [point.text for point in with_preamble.figures if point.name == "Parties"] == [preamble]
    without = citewell.overview(Document.from_text(f"LEASE\n\n{filler}\n\n{clause}"))
    assert not [point for point in without.figures if point.name == "Parties"]


def test_a_heading_of_a_later_section_is_no_kind_of_document():
    body = (
        "The programme was reviewed in this report, and Congress asked what it had cost since the year it began. " * 2
    )
    assert kind_of(Document.from_text(f"Introduction\n\n{body}\n\nThe Statute\n\n{body}")) == "report"


def test_a_quoted_term_keeps_its_article():
    text = 'The tenant signs. "This Lease" refers to the lease of the quay of 2019. This Lease is a long one, as a lease goes.'
    answer = citewell.ask(Document.from_text(text), "What does the term “This Lease” mean?")
    assert answer.text == '"This Lease" refers to the lease of the quay of 2019.'


def test_an_address_stands_in_the_line_that_names_it():
    rows = "Oregon (State or other jurisdiction of incorporation)\n\n12 Quay Road, Tarrow 4410 (Address of principal executive offices)"
    answer = citewell.ask(Document.from_text(f"FORM 10-K\n\n{rows}"), "Where is the headquarters?")
    assert answer.text.startswith("12 Quay Road, Tarrow 4410")


def test_a_theme_with_capitals_is_asked_as_it_is_written():
    part = "The tenant keeps the berth clean, and the Board looks after the lamps of the quay each winter. " * 3
    text = "# Lease\n\n" + "\n\n".join(
        f"## {name}\n\n{part}{name} is read again in May." for name in ("Blend Wall", "Dredging")
    )
    asked = set(
        _candidates(citewell.read(text.encode(), name="a.md"), None, outline(citewell.read(text.encode(), name="a.md")))
    )
    assert "What does the document say about “Blend Wall”?" in asked
    assert "What does the document say about dredging?" in asked


@pytest.mark.parametrize(
    ("title", "author"),
    [
        ("Norrey Boats Inc. — 10-K", "Norrey Boats Inc."),
        ("Berg & Söhne – Form 20-F", "Berg & Söhne"),
        ("Chapter 1 — Introduction", None),
        ("Harbours — a history", None),
    ],
)
def test_a_title_names_who_filed_a_report_and_no_other_author(title, author):
    known = details.author(Document.from_text("Forty boats were sold in the year.", title))
    assert (known.text if known else None) == author
