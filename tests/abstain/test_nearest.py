"""What an abstention shows: the places that come nearest, each with its page and with what it lacks."""

from dataclasses import replace

import pytest

from citewell.abstain.nearest import nearest
from citewell.abstain.threshold import by_weakest
from citewell.document import Document
from citewell.export import html, markdown, terminal
from citewell.pipeline import Pipeline, approaches
from citewell.types import Answer, Page, Reason, Statement
from helpers import cite

PARAGRAPHS = (
    "The lighthouse at Torvik was built of granite.",
    "Its keeper left in autumn.",
    "The lamp of the lighthouse was renewed twice.",
    "Seals rest on the skerries.",
)
TEXT = "\n\n".join(PARAGRAPHS)
STARTS = [TEXT.index(part) for part in PARAGRAPHS]
PAGES = tuple(Page(n, start, start + 40, 400.0, 600.0) for n, start in enumerate(STARTS, 1))
REPORT = replace(Document.from_text(TEXT), pages=PAGES)


def test_the_nearest_are_the_sentences_with_most_of_the_words_each_with_those_that_it_lacks():
    near = nearest("Who renewed the granite of the lighthouse?", [REPORT])
    assert [(place.citation.quote, place.lacks) for place in near] == [
        (PARAGRAPHS[0], "“renewed”"),
        (PARAGRAPHS[2], "“granite”"),
    ]
    assert near[0].citation.score == pytest.approx(near[1].citation.score, abs=0.5)
    assert all(TEXT[place.citation.start : place.citation.end] == place.citation.quote for place in near)


@pytest.mark.parametrize("question", ["Who?", "", "Penguins steer submarines?"])
def test_without_a_word_of_the_question_nothing_is_near(question):
    assert nearest(question, [REPORT]) == ()


def test_a_model_that_declines_is_shown_with_the_places_it_might_have_used():
    llm = 'scripted(reply="I do not know.")'
    answer = Pipeline(**approaches.settings("citation", llm)).run([REPORT], "Who renewed the lamp?")
    assert answer.abstention.reason == "declined"
    (first, *_) = answer.abstention.nearest
    assert (first.citation.quote, first.citation.page, first.lacks) == (PARAGRAPHS[2], 3, "")
    for rendered in (
        terminal.render(answer, [REPORT]),
        markdown.render(answer, [REPORT]),
        html.render(answer, [REPORT]),
    ):
        assert "The lamp of the lighthouse was renewed twice." in rendered
        assert "page" in rendered.lower()


def test_nothing_to_go_by_is_told_with_the_words_that_no_sentence_has():
    abstention = Pipeline().run([REPORT], "Which penguins steer submarines?").abstention
    assert abstention.reason == "no_evidence"
    assert [near.lacks for near in abstention.nearest] == ["the beginning of the document"]
    assert abstention.message.endswith(": “penguins”, “steer”, “submarines”")


def test_a_question_in_another_language_is_told_to_be_that():
    abstention = (
        Pipeline().run([REPORT], "Wer hat die Lampe von dem Turm und das Haus mit der Tür erneuert?").abstention
    )
    assert "another language" in abstention.message
    assert abstention.nearest == ()


def test_an_answer_that_is_not_supported_shows_its_evidence_and_what_is_against_it():
    cited = cite(REPORT, "renewed twice", 0, 8)
    reasons = (Reason("number", 0, 8, None, "says thrice; the evidence says twice"),)
    statement = Statement("Renewed.", 0, 8, "contradicted", 0.1, (0,), reasons)
    answer = Answer("Renewed.", (statement,), (cited,), question="How often?")
    ((near, lacks),) = by_weakest(answer, 0.5).abstention.nearest
    assert near.quote == PARAGRAPHS[2]
    assert lacks == "support: says thrice; the evidence says twice"


def test_a_place_without_the_kind_of_answer_that_is_asked_for_is_said_to_lack_it():
    (first, *_) = Pipeline(abstain=1.0).run([REPORT], "When was the lighthouse at Torvik built?").abstention.nearest
    assert first.citation.quote.startswith(PARAGRAPHS[0])
    assert (first.citation.page, first.lacks) == (1, "has no date")
