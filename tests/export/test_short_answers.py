"""The short answer of prose: its sentence is shown once, and the phrase inside it lights up."""

from dataclasses import replace

import pytest

from citewell import Document, ask
from citewell.export import html, markdown, terminal

TEXT = "The mill was built in 1887. Ingrid Solheim has been the director of the mill since March 2019. It is closed."


@pytest.fixture(scope="module")
def short_answer():
    document = Document.from_text(TEXT)
    answer = ask(document, "Who has been the director of the mill since March 2019?")
    assert answer.value is not None
    assert answer.value.text == "Ingrid Solheim"
    assert len(answer.citations) == 2  # both are in the JSON
    return replace(answer, confidence=0.75), [document]


@pytest.mark.parametrize(("confidence", "score"), [(0.59, 0.6), (0.75, 0.44)])
def test_a_phrase_is_not_shown_alone_where_it_or_its_answer_is_not_sure(short_answer, confidence, score):
    answer, documents = short_answer
    sentence, phrase = answer.citations
    unsure = replace(answer, confidence=confidence, citations=(sentence, replace(phrase, score=score)))
    for renderer in (terminal, markdown, html):
        assert renderer.render(answer, documents).count("Ingrid Solheim") > renderer.render(unsure, documents).count(
            "Ingrid Solheim"
        )


def test_the_sentence_is_the_only_evidence_that_is_listed(short_answer):
    text, notes = terminal.render(*short_answer), markdown.render(*short_answer)
    assert "[1]" in text
    assert "[2]" not in text
    assert text.count("“") == 1
    assert "[^1]" in notes
    assert "[^2]" not in notes


def test_the_page_lights_the_phrase_and_has_one_card(short_answer):
    page = html.render(*short_answer)
    assert page.count('class="card"') == 1
    assert page.count('class="ref"') == 1
    assert 'href="#c1"' in page  # the short answer leads to the phrase
    assert '<span id="c1"></span>' in page
