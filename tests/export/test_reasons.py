"""Every output shows why a statement falls short: the words of the answer, what the evidence says, the page."""

from dataclasses import replace

import pypdfium2
import pytest
from pypdfium2 import raw

import citewell
from citewell.export import html, markdown, pdf, terminal
from citewell.pipeline import Pipeline
from citewell.types import LABELS, Abstention, Answer, Citation, Draft, Nearest, Place, Reason, Span, Statement, Verdict
from pdfs import make_pdf

SENTENCE = "Revenue was 40 million in 2020."
CLAIM = "Revenue was 41 million in 2020."


@pytest.fixture(scope="module")
def source():
    return make_pdf([SENTENCE, "The fleet has five ships."])


@pytest.fixture(scope="module")
def document(source):
    return citewell.read(source, name="report.pdf")


@pytest.fixture
def answer(document):
    start = document.text.index("40 million")
    (span, result), home = (Span(12, 22), Span(start, start + 10)), document.segment_at(start)
    place = document.placed(Place(document.id, *result))
    reason = Reason("number", *span, place, "says 41 million; the evidence says 40 million")
    cited = document.placed(Citation.of(home, document.id, Span(0, len(CLAIM)), 0.9))
    statement = Statement(CLAIM, 0, len(CLAIM), "contradicted", 0.1, (0,), (reason,))
    return Answer(CLAIM, (statement,), (cited,), (document.info,), "What was revenue?", confidence=0.62)


def verdicts(answer):
    (statement,) = answer.statements
    return [Verdict(CLAIM, statement.label, statement.score, answer.citations, reasons=statement.reasons)]


def test_terminal_and_markdown_say_what_differs_and_on_which_page(answer, document):
    for result in (answer, verdicts(answer)):
        for text in (terminal.render(result, [document]), markdown.render(result, [document])):
            assert "says 41 million; the evidence says 40 million · page" in text
            assert "⊗ contradicted" in text


def test_the_confidence_of_an_answer_is_shown_and_a_quotation_has_no_score(answer, document):
    quoted = replace(answer, statements=(replace(answer.statements[0], label="quoted", score=1.0, reasons=()),))
    text = terminal.render(quoted, [document])
    assert "Confidence 62%" in text
    assert "” quoted\n" in text
    assert "Confidence 62%" in markdown.render(quoted, [document])
    assert "<strong>62%</strong>" in html.render(quoted, [document])


def test_the_report_marks_what_differs_in_the_answer_and_in_the_document(answer, document):
    page = html.render(answer, [document])
    assert 'data-r="0" title="says 41 million; the evidence says 40 million">41 million</span>' in page
    assert '<span class="fault" data-r="0">40 million</span>' in page
    assert '<li data-r="0" tabindex="0">says 41 million' in page


@pytest.mark.parametrize("label", LABELS)
def test_every_label_has_its_sign_and_word_in_every_output(answer, document, label):
    changed = replace(answer, statements=(replace(answer.statements[0], label=label),))
    for text in (terminal.render(verdicts(changed), [document]), html.render(verdicts(changed), [document])):
        assert {"unverified": "not verified"}.get(label, label.replace("_", " ")) in text


def test_the_words_of_a_conflict_are_marked_in_the_pdf_in_a_colour_of_their_own_with_the_reason(
    answer, document, source
):
    data, warnings = pdf.annotate(answer, document, source)
    assert warnings == ()
    file = pypdfium2.PdfDocument(data)
    try:
        page = file[0]
        notes = [note(page, number) for number in range(raw.FPDFPage_GetAnnotCount(page))]
    finally:
        file.close()
    assert len(notes) == 2
    assert notes[1].startswith("says 41 million; the evidence says 40 million")
    assert pdf.DIFFERS not in pdf.COLORS.values()


def note(page, number):
    import ctypes

    annotation = raw.FPDFPage_GetAnnot(page, number)
    size = raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, b"Contents", ctypes.cast(buffer, raw.FPDF_WIDESTRING), size)
    raw.FPDFPage_CloseAnnot(annotation)
    return buffer.raw.decode("utf-16-le").rstrip("\0")


def test_an_abstention_shows_the_nearest_passages_with_their_page_and_what_they_lack(answer, document):
    near = Nearest(answer.citations[0], "“2031”")
    result = Answer("", documents=answer.documents, abstention=Abstention("low_confidence", 0.2, 0.4, "", (near,)))
    for text in (terminal.render(result, [document]), markdown.render(result, [document])):
        assert "page 1" in text
        assert "lacks “2031”" in text
        assert SENTENCE in text
    assert '<p class="lacks">lacks “2031”</p>' in html.render(result, [document])


def test_a_heading_of_a_reply_is_not_listed_as_a_statement_to_support(document):
    answer = Pipeline().ground(document, Draft("**Summary**\n\nThe fleet has five ships.", "What is there?"))
    assert answer.statements[0].label == "no_claim"
    assert "no claim" not in terminal.render(answer, [document])
