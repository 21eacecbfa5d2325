"""Who the parties of a contract are, how long it lasts and which law governs it is answered by the sentence for it."""

import pytest

import citewell

CHARTER = """# CHARTER AGREEMENT

This Charter Agreement is made and entered into as of 4 May 2019 by and between Oriel Lines plc (“Owner”) and Tarrow
Freight (“Charterer”).

1. Severability. If a provision is invalid, the remaining provisions shall continue in full force and effect.

2. Staff. Neither Party shall hire crew of the other Party under this Agreement for a period of one year.

3. Term. The obligations of Charterer under this Agreement shall continue for three (3) years after the last voyage.

4. Disputes. Charterer shall obey the customs laws of Denmark. This Agreement shall be governed by the laws of the
State of Skelby, without regard to conflicts of law.
"""
LINES = """CHARTER AGREEMENT

This Agreement is made as of 4 May 2019 by and between:

Oriel Lines plc, of Innis (“Owner”)

- and -

Tarrow Freight, of Skelby (“Charterer”)
"""
BARE = """CHARTER AGREEMENT

Charterer shall return the ship in good order under this Agreement. Fuel is paid by Charterer in cash.
"""


def answer(text, question):
    return citewell.ask(citewell.read(text.encode(), name="charter.md"), question)


@pytest.mark.parametrize("question", ["Who are the parties?", "Between whom is this agreement?"])
def test_the_parties_stand_in_the_sentence_that_opens_it(question):
    assert "Oriel Lines plc" in answer(CHARTER, question).text


def test_parties_in_lines_of_their_own_are_quoted_with_the_line_above_them():
    text = answer(LINES, "Who are the parties?").text
    assert "Oriel Lines plc" in text
    assert "Tarrow Freight" in text


@pytest.mark.parametrize("question", ["How long does the agreement last?", "When does the agreement end?"])
def test_how_long_it_lasts_is_told_by_no_clause_on_something_else(question):
    text = answer(CHARTER, question).text
    assert "three (3) years after the last voyage" in text
    assert "hire" not in text


def test_the_law_is_that_which_governs_the_agreement():
    result = answer(CHARTER, "Which law governs the agreement?")
    assert result.value.text == "the State of Skelby"
    assert "customs" not in result.text


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("Who are the parties?", "names the parties"),
        ("Which law applies?", "which law applies"),
        ("How long does it last?", "how long it lasts"),
    ],
)
def test_what_a_contract_does_not_tell_is_no_other_clause(question, message):
    result = answer(BARE, question)
    assert result.abstained
    assert message in result.abstention.message


def test_what_is_no_contract_is_read_as_before():
    result = answer("# Ferry study\n\nWe study ferries. The parties met in Innis.", "Who were the parties?")
    assert "names the parties" not in (result.abstention.message if result.abstained else "")


def test_a_contract_is_about_its_parties_and_not_about_what_all_contracts_deny():
    text = "This Agreement creates no joint venture between the parties, and is the entire agreement between them."
    result = answer(f"{CHARTER}\n5. {text}", "What is this agreement about?")
    assert "Oriel Lines plc" in result.text
    assert "joint venture" not in result.text


def test_suggested_questions_ask_for_no_term_that_is_explained_elsewhere():
    terms = (
        "“Owner” means who is named above. “Demurrage” means a payment for each day on which a ship waits in port. "
        "Owner bears demurrage. Owner pays. Owner waits. Demurrage is due. Demurrage is paid in cash."
    )
    questions = [
        each.question
        for each in citewell.overview(citewell.read(f"{CHARTER}\n{terms}".encode(), name="a.md")).questions
    ]
    assert "What does the term “Demurrage” mean?" in questions
    assert not any("Owner" in question for question in questions)
