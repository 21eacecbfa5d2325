"""From which confidence sentences are shown: reasons and lists earlier than figures, no amount without a figure."""

import pytest

from citewell import ask
from citewell.document import Document
from citewell.generators.extractive.generator import Extractive
from citewell.generators.extractive.questions import analyse
from citewell.generators.extractive.scoring import fitted
from citewell.generators.extractive.settings import settings
from citewell.generators.extractive.showing import fitting, least_confidence, shown
from citewell.types import Draft, Value

HARBOUR = Document.from_text(
    "The harbour at Skelby opened in 1931. Fishing boats use its northern quay. The chandler Ann Oxley sells ropes and "
    "paint to the boats there.\n\nVisitors may not take photographs of the radar station or the party of pilots at the "
    "other quay.\n\nThe quay was closed because its planks had rotted.",
    title="Skelby harbour",
)


def draft(text="The quay is old.", confidence=0.9, value=None):
    return Draft(text, "", confidence=confidence, value=value)


@pytest.mark.parametrize(
    "question", ["Why was the quay closed?", "How are boats repaired?", "Does the quay close at night?"]
)
def test_what_is_read_in_a_sentence_is_shown_below_the_threshold_of_figures(question):
    assert least_confidence(question) < fitted().threshold


@pytest.mark.parametrize("question", ["How many boats are there?", "When did the harbour open?", "Who sells ropes?"])
def test_figures_dates_and_names_are_not(question):
    assert least_confidence(question) == fitted().threshold


def test_a_hedged_answer_says_so_and_a_sure_one_does_not():
    assert shown(draft(confidence=0.3), 0.25).warnings
    assert not shown(draft(confidence=fitted().threshold), 0.25).warnings
    assert shown(draft(confidence=0.2), 0.25).abstention


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much did Ann Oxley earn per week?", "Ann Oxley earned well in the 13 weeks of 1931."),
        ("What percentage do the sellers pay as a fee?", "The fee of the 12 sellers is a part of the price."),
        ("How many boats use the quay?", "Fishing boats use the quay."),
        ("How many boats use the quay?", "Boats use the quay under the lease of March 1, 2011."),
        ("How many boats use the quay?", "Boats use the quay under § 4 of the lease."),
    ],
)
def test_no_amount_is_given_by_sentences_without_a_figure_of_its_kind(question, text):
    assert fitting(analyse(question), draft(text)).confidence == 0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much did Ann Oxley earn per week?", "Ann Oxley earned $13 a week."),
        ("How many boats use the quay?", "Twelve boats use the quay."),
        ("How many boats use the quay?", "Since March 1, 2011 three boats use the quay."),
        ("How often do boats leave?", "Boats leave whenever the tide allows."),
    ],
)
def test_an_amount_of_its_kind_stands(question, text):
    assert fitting(analyse(question), draft(text)).confidence == 0.9


def test_a_phrase_without_a_time_is_no_answer_to_when():
    result = fitting(analyse("When did the harbour open?"), draft(value=Value("the quay", "text", citations=())))
    assert result.value is None
    assert result.confidence == settings()["hedged"]


def test_whether_something_is_so_is_hedged_where_words_of_it_are_unsaid():
    answer = ask(HARBOUR, "May visitors take pictures at the other party's radar station?")
    assert not answer.abstained
    assert answer.value is None
    assert answer.confidence <= settings()["hedged"]
    assert "may not take photographs" in answer.text


def test_a_threshold_of_the_caller_has_the_last_word():
    question = "May visitors take pictures at the other party's radar station?"
    assert Extractive(threshold=0.99).generate(question, [HARBOUR]).abstention


@pytest.mark.parametrize("question", ["When was that?", "Why is it so?", "In what year was it?", "When had it been?"])
def test_questions_that_say_nothing_raise_nothing(question):
    ask(HARBOUR, question)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The Harbour Master is responsible for the moorings of the harbour.", False),
        ("The Harbour Master, Liv Torsen, is responsible for the moorings of the harbour.", True),
        ("Liv Torsen is the Harbour Master and responsible for the moorings of the harbour.", True),
    ],
)
def test_a_name_that_is_asked_for_is_more_than_the_title(text, told):
    document = Document.from_text(f"The moorings were renewed in 2019. {text} Dogs stay on a leash.")
    assert ask(document, "What is the name of the Harbour Master?").abstained != told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The harbour office closes whenever a ship leaves the harbour.", False),
        ("The harbour office closes at 17:30 on weekdays.", True),
        ("The harbour office closes at 5 pm on weekdays.", True),
        ("The harbour office closes at noon on weekdays.", True),
    ],
)
def test_a_time_of_day_is_told_by_a_clock(text, told):
    document = Document.from_text(f"The moorings were renewed in 2019. {text} Dogs stay on a leash.")
    assert ask(document, "At what time does the harbour office close?").abstained != told
