"""How sentences tell what is asked: by the words of the question that they say, around them and in other forms."""

import numpy as np
import pytest

from citewell import ask
from citewell.document import Document
from citewell.generators.extractive import scoring, telling
from citewell.generators.extractive.candidates import read
from citewell.types import Block

QUAY = Document.from_text(
    "Skelby harbour\n\nThe harbour opened in 1931. Ann Oxley founded a chandlery at the quay. The chandlery sells ropes.\n\n"
    "The quay was closed because its planks had rotted. Boats land at the quay.",
    title="Skelby harbour",
)

LONG = Document.from_text(
    QUAY.text
    + "\n\n"
    + "\n\n".join(f"Buoy {number} lies north of the bar. It is painted green." for number in range(2, 14)),
    title="Skelby harbour",
)


def measured(question, document=QUAY):
    reading = read(question, [document])
    places = np.arange(len(reading.candidates))
    texts = [reading.sentences.segments[int(number)].text for number in reading.candidates]
    return dict(zip(texts, telling.measured(reading, places), strict=True))


def test_another_form_of_a_word_says_it_and_a_verb_that_is_lacking_is_told():
    found = measured("Who is the founder of the chandlery?")
    by = {text.split()[0] + " " + text.split()[1]: row for text, row in found.items()}
    assert by["Ann Oxley"]["says"] > by["The chandlery"]["says"]
    closing = measured("Why did they close the quay?")
    rotted = next(row for text, row in closing.items() if "rotted" in text)
    boats = next(row for text, row in closing.items() if "Boats" in text)
    assert rotted["verb"] == 1
    assert boats["verb"] == 0
    assert rotted["cue_reason"] == 1
    assert boats["cue_reason"] == 0


def test_what_is_around_a_sentence_counts_apart_from_what_it_says():
    found = measured("What does the chandlery founded by Ann Oxley sell?")
    ropes = next(row for text, row in found.items() if "ropes" in text)
    assert ropes["near"] > 0
    assert ropes["says_or_near"] > ropes["says"]


def test_what_few_sentences_leave_unsaid_makes_an_answer_less_sure():
    sure, unsure = (
        scoring.all_signals(reading := read(question, [LONG]), scoring.scores(reading, scoring.fitted()))
        for question in ("Why was the quay closed?", "What salary does Ann Oxley pay at the quay?")
    )
    assert unsure["few_unsaid"] > sure["few_unsaid"]
    assert scoring.confidence(unsure, scoring.fitted()) < scoring.confidence(sure, scoring.fitted())


@pytest.mark.parametrize(
    "question", ["What fee does the chandlery charge?", "Who insures the quay?", "What rank did Ann Oxley hold?"]
)
def test_an_attribute_that_nothing_tells_is_not_answered_by_its_subject(question):
    assert ask(LONG, question).abstained


def test_rows_of_a_table_and_other_languages_keep_their_order():
    german = Document.from_text("Der Hafen wurde 1931 eröffnet. Die Mole ist geschlossen, weil die Planken faul waren.")
    reading = read("Warum ist die Mole geschlossen?", [german])
    ranked = scoring.scores(reading, scoring.fitted())
    if reading.sentences.code != "en":
        assert telling.reranked(reading, ranked) is ranked
    text = "Fees | 1931\nQuay fees | 12"
    table = Document(text, blocks=(Block(0, 11, "table_row"), Block(12, 26, "table_row")))
    reading = read("What were quay fees in 1931?", [table])
    ranked = scoring.scores(reading, scoring.fitted())
    assert telling.reranked(reading, ranked) is ranked


def test_the_best_sentence_stays_where_it_was_against_what_was_not_read():
    reading = read("Why was the quay closed?", [QUAY])
    ranked = scoring.scores(reading, scoring.fitted())
    before = telling.weights()["sentence"]["before"]
    best = int(np.argmax(ranked))
    assert telling.reranked(reading, ranked)[best] == pytest.approx(ranked[best] * before, rel=1e-4)
