"""Results as files by their suffix, and the Word document with its comments."""

import json
import sys
from io import BytesIO
from pathlib import Path

import pytest

import citewell
from citewell import cli
from citewell.errors import MissingExtraError, UsageError
from citewell.export import docx as word
from citewell.export import suffixes

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
DOCUMENT = citewell.Document.from_text(
    "Two ferries were sold.\n\nRevenue rose to $5.9bn in 2022.", "Fleet", source="f.txt"
)
ANSWER = citewell.attribute(DOCUMENT, "Two ferries were sold.\nRevenue fell to $5.9bn in 2022. Hello!")


def test_the_longer_suffix_wins_and_case_does_not_matter():
    assert suffixes.form("a.csl.json") is suffixes.form("B.CSL.JSON") is not suffixes.form("a.json")
    assert json.loads(suffixes.render("a.csl.json", ANSWER))[0]["title"] == "Fleet"
    assert suffixes.render("a.bib", ANSWER).startswith(b"@misc{fleet,")
    assert suffixes.render("a.ris", ANSWER).decode() == (
        f"TY  - GEN\r\nID  - fleet\r\nTI  - Fleet\r\nL1  - f.txt\r\nN1  - SHA-256 of the text: {DOCUMENT.sha256}\r\nER  - \r\n\r\n"
    )
    assert json.loads(suffixes.render("a.jsonld", ANSWER, [DOCUMENT]))["type"] == "AnnotationCollection"
    with pytest.raises(UsageError, match=r"a.txt: a result is saved as .csl.json, .json, .*, .bib or .ris"):
        suffixes.form("a.txt")


def test_a_pdf_is_marked_where_the_document_knows_its_file(tmp_path):
    document = citewell.read(REPORT)
    answer = citewell.attribute(document, "Passenger tickets brought in €24.87 million.")
    answer.save(tmp_path / "marked.pdf", document)
    assert (tmp_path / "marked.pdf").read_bytes().startswith(REPORT.read_bytes())  # added to, not written anew
    with pytest.raises(UsageError, match="needs the cited PDF"):
        answer.save(tmp_path / "marked.pdf")


def opened(result, documents=()):
    return pytest.importorskip("docx").Document(BytesIO(word.render(result, documents)))


def test_each_statement_carries_its_label_reasons_and_evidence_as_a_comment():
    exported = opened(ANSWER, [DOCUMENT])
    assert [paragraph.text for paragraph in exported.paragraphs] == [
        "Two ferries were sold.",
        "Revenue fell to $5.9bn in 2022. (⊗ contradicted: says “fell”; the evidence says “rose”) Hello!",
    ]
    first, second = (comment.text.split("\n") for comment in exported.comments)  # a greeting has none
    assert first[0].startswith("✓ supported (")
    assert first[1] == "[1] “Two ferries were sold.”"
    assert second[0].startswith("⊗ contradicted")
    assert second[-1].endswith("“Revenue rose to $5.9bn in 2022.”")
    assert any("fell" in line for line in second[1:-1])
    runs = [run for paragraph in exported.paragraphs for run in paragraph.runs]
    assert [run.text for run in runs if run.font.highlight_color] == ["Revenue fell to $5.9bn in 2022."]


def test_questions_are_headings_and_abstentions_list_what_comes_nearest():
    exported = opened(citewell.ask(DOCUMENT, "Who owns the airline in Peru?"), [DOCUMENT])
    texts = [paragraph.text for paragraph in exported.paragraphs]
    assert texts[0] == "Who owns the airline in Peru?"
    assert texts[1].startswith("No answer.")
    assert (
        opened(citewell.check(DOCUMENT, ["Two ferries were sold.", "Whales sing."])).paragraphs[1].text
        == "Whales sing. (✗ not supported: there is no evidence for it)"
    )


def test_what_xml_cannot_hold_does_not_break_the_file():
    hostile = citewell.Document.from_text("The \x01 ship \ud800 sank \ufffe in 1990\x1b[31m.")
    exported = opened(citewell.attribute(hostile, "The \x01 ship \ud800 sank \ufffe in 1990\x1b[31m."), [hostile])
    assert exported.paragraphs[0].text == "The \ufffd ship \ufffd sank \ufffd in 1990\ufffd[31m."


def test_without_python_docx_the_file_is_refused_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(
        MissingExtraError, match=r"a Word document needs the package 'python-docx': pip install 'citewell\[docx\]'"
    ):
        suffixes.form("a.docx")


def test_the_command_line_saves_what_is_named(tmp_path, capsys):
    source = tmp_path / "f.txt"
    source.write_text(DOCUMENT.text)
    names = [tmp_path / name for name in ("a.bib", "a.ris", "a.jsonld", "a.json")]
    options = [part for name in names for part in ("--save", str(name))]
    assert cli.main(["ask", str(source), "What was revenue in 2022?", *options]) == 0
    assert all(name.stat().st_size for name in names)
    assert capsys.readouterr().err.count("citewell: wrote ") == 4
    for wrong, text in (
        (["--save", "a.txt"], "a.txt: a result is saved as"),
        (["--save", str(names[0]), "--save", str(names[0])], "--save and --save name the same file"),
        (["--save", str(tmp_path / "x.pdf")], f"--save {tmp_path / 'x.pdf'} needs a PDF document"),
        (["--save", str(source)], "a result is saved as"),
    ):
        assert cli.main(["ask", str(source), "What was revenue in 2022?", *wrong]) == 2
        assert text in capsys.readouterr().err
