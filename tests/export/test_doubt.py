"""An answer that may not answer its question says so above its text, in every form, and once."""

from dataclasses import replace

import pytest

from citewell.export import html, markdown, terminal
from citewell.export.docx import render as docx_of
from citewell.types import LOW_CONFIDENCE
from helpers import make_answer, make_document

DOUBT = "This may not answer the question (confidence 42%)."


def answer_of(confidence, warnings=()):
    document = make_document()
    made = make_answer(document, [("Five ships.", "supported", ["five ships"])])
    return replace(made, confidence=confidence, warnings=warnings), document


@pytest.mark.parametrize("render", [terminal.render, markdown.render, html.render])
def test_a_doubtful_answer_says_so_first(render):
    answer, document = answer_of(0.42)
    text = " ".join(render(answer, [document]).replace("\\", "").split())
    assert text.count("may not answer the question") == 1
    assert text.index(DOUBT) < text.rindex("Five ships.")
    assert "how likely" not in text


@pytest.mark.parametrize("render", [terminal.render, markdown.render])
@pytest.mark.parametrize("confidence", [0.6, 0.9])
def test_a_sure_answer_tells_its_confidence_below(render, confidence):
    answer, document = answer_of(confidence)
    text = render(answer, [document])
    assert "may not answer" not in text
    assert text.index("Five ships.") < text.index("how likely this answers the question")


@pytest.mark.parametrize("render", [terminal.render, markdown.render, html.render])
def test_the_warning_of_the_same_is_not_repeated_but_others_are_kept(render):
    answer, document = answer_of(0.3, (LOW_CONFIDENCE, "a page was not read"))
    text = render(answer, [document])
    assert LOW_CONFIDENCE not in text
    assert "a page was not read" in text


def test_no_confidence_is_no_doubt():
    answer, document = answer_of(None, (LOW_CONFIDENCE,))
    assert LOW_CONFIDENCE in terminal.render(answer, [document])
    assert "(confidence" not in terminal.render(answer, [document])


def test_a_word_file_begins_with_it(tmp_path):
    docx = pytest.importorskip("docx")
    answer, document = answer_of(0.42)
    file = tmp_path / "answer.docx"
    file.write_bytes(docx_of(answer, [document]))
    lines = [paragraph.text for paragraph in docx.Document(str(file)).paragraphs]
    assert lines.count(DOUBT) == 1
    assert lines.index(DOUBT) <= 1
