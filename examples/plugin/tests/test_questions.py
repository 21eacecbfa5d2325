"""Checking by questions: rules alone, and language models for either step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.document import Document
from citewell.llm.scripted import Scripted
from citewell.protocols import Pair
from citewell_questions.checker import QAOverlap
from citewell_questions.rules import ask, overlap

REPORT = Document.from_text(
    "Revenue rose to 41 million in 2022. Ann Smith founded the firm in 1990. The fleet has five ships, all of steel."
)


def check(claim, document=REPORT, **settings):
    return QAOverlap(**settings).check([Pair(claim, (document,))])[0]


def test_each_name_number_and_run_of_other_words_is_asked_for():
    answer = ask("In 1990 Ann Smith founded the firm.")
    assert [(result.text, result.answer) for result in answer] == [
        ("In ____ Ann Smith founded the firm.", "1990"),
        ("In 1990 ____ founded the firm.", "Ann Smith"),
        ("In 1990 Ann Smith ____ the firm.", "founded"),
        ("In 1990 Ann Smith founded the ____.", "firm"),
    ]


@settings(deadline=None)  # a busy machine is no fault of the code
@given(st.text())
def test_answers_stand_where_they_say(claim):
    for result in ask(claim):
        assert claim[result.span.start : result.span.end] == result.answer


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ("41 million", "41 million", 1.0),
        ("the firm", "Firm", 1.0),
        ("41 million", "39 million", 0.0),
        ("5,932", "5932", 1.0),
        ("Ann Smith", "Smith", 2 / 3),
        ("Ann", "Bob", 0.0),
        ("1990", "", 0.0),
        ("…", "…", 1.0),
    ],
)
def test_answers_agree_by_their_words_and_never_with_other_numbers(left, right, value):
    assert overlap(left, right) == pytest.approx(value)


def test_what_the_evidence_says_is_supported_with_its_sentence():
    verdict = check("Ann Smith founded the firm in 1990.")
    assert (verdict.label, verdict.score) == ("supported", 1.0)
    assert [cited.quote for cited in verdict.citations] == ["Ann Smith founded the firm in 1990."]
    assert verdict.uncovered == ()


def test_a_wrong_number_is_uncovered():
    claim = "Ann Smith founded the firm in 1991."
    verdict = check(claim)
    assert verdict.score < 1
    assert [claim[start:end] for start, end in verdict.uncovered] == ["1991"]


def test_what_the_evidence_does_not_mention_is_not_supported():
    verdict = check("Whales sing in the Pacific.")
    assert (verdict.label, verdict.citations) == ("not_supported", ())


def test_models_ask_and_answer_in_one_request_each():
    requests = []

    def reply(request):
        requests.append(request)
        if "evidence sentence" in request.messages[0].content:
            return "1. [2] Ann Smith\n2. unanswerable"
        return "Q: Who founded the firm? | A: Ann Smith\nQ: Where? | A: nowhere\nQ: When was it sold? | A: in 1995"

    llm = Scripted(replies=reply)
    claim = "Ann Smith founded the firm and sold it in 1995."
    verdict = check(claim, ask=llm, answer=llm)
    assert len(requests) == 2
    assert (
        "1. Who founded the firm?\n2. When was it sold?" in requests[1].messages[1].content
    )  # "nowhere" is not in the claim
    assert (verdict.label, verdict.score) == ("partially_supported", 0.5)
    assert [cited.quote for cited in verdict.citations] == ["Ann Smith founded the firm in 1990."]
    assert [claim[start:end] for start, end in verdict.uncovered] == ["in 1995"]


def test_questions_of_rules_are_answered_by_a_model():
    llm = Scripted(reply="1. [2] Ann Smith\n2. [2] founded\n3. [2] the firm\n4. [9] 1990")
    verdict = check("Ann Smith founded the firm in 1990.", answer=llm)
    assert verdict.label == "supported"


@pytest.mark.parametrize("step", ["ask", "answer"])
def test_a_reply_that_cannot_be_read_is_stated_as_failed(step):
    verdict = check("Ann Smith founded the firm.", **{step: Scripted(reply="Certainly!")})
    assert "has not the form asked for: 'Certainly!'" in verdict.failed
    assert verdict.label == "not_supported"


def test_long_evidence_is_cut_to_what_shares_most_with_the_claim():
    requests = []
    document = Document.from_text(" ".join(f"Ship {n} sank in {1900 + n}." for n in range(60)))
    llm = Scripted(replies=lambda request: requests.append(request) or "1. [1] x")
    check("Ship 33 sank in 1933.", document, answer=llm, room=60)
    assert "Ship 33 sank" in requests[0].messages[1].content
    assert "Ship 58 sank" not in requests[0].messages[1].content


def test_thresholds_must_be_in_order():
    with pytest.raises(ValueError, match="partial <= threshold"):
        QAOverlap(threshold=0.2, partial=0.5)
