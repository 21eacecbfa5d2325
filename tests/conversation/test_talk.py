"""Conversations in Python and on the command line; threads on disk stay apart."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import citewell
from citewell.errors import InputError, UsageError
from citewell.pipeline.conversation import threads
from citewell.pipeline.conversation.frames import Turn
from citewell.pipeline.conversation.pronouns import refers
from citewell.types import Answer

EXAMPLE = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
TEXT = """# Oriel Lines annual report 2020

## Business

Oriel Lines operates nine ferries. Fare income was $12 million in 2019. Fare income was $15 million in 2020.

## Board

Ada Kestrel is the chief executive. She has led the company since 2011.
"""


@pytest.fixture(scope="module")
def document():
    return citewell.read(TEXT.encode(), name="oriel.md")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(threads.FOLDER, str(tmp_path))
    return tmp_path


def test_a_follow_up_is_answered_and_says_how_it_was_understood(document):
    talk = citewell.Conversation(document)
    first = talk.ask("What was fare income in 2019?")
    assert "12 million" in first.text
    assert first.rewritten is None
    second = talk.ask("And in 2020?")
    assert "15 million" in second.text
    assert (second.question, second.rewritten) == ("And in 2020?", "What was fare income in 2020?")
    assert all(document.text[each.start : each.end] == each.quote for each in second.citations)


def test_the_answer_of_a_follow_up_is_saved_read_and_verified(document):
    talk = citewell.Conversation(document)
    talk.ask("What was fare income in 2019?")
    answer = talk.ask("And in 2020?")
    assert Answer.from_dict(answer.to_dict()) == answer
    assert citewell.verify(answer, [document]).ok
    assert "rewritten" not in citewell.ask(document, "What was fare income in 2019?").to_dict()


def test_the_sentence_beside_what_was_cited(document):
    talk = citewell.Conversation(document)
    talk.ask("What was fare income in 2019?")
    answer = talk.ask("the next sentence")
    assert answer.text == "Fare income was $15 million in 2020."
    assert answer.rewritten


LONG = """# Harbour rules

## Notices

A tenant who leaves must send a letter to the harbour office. The letter must arrive within 14 days of the decision.

## Fees

Every boat pays a fee within 30 days of the invoice. The office has 12 clerks.
"""


def test_what_stands_beside_the_last_evidence_answers_first():
    document = citewell.read(LONG.encode(), name="rules.md")
    talk = citewell.Conversation(document)
    talk.ask("What must a tenant who leaves send?")
    answer = talk.ask("And within how many days must it arrive?")
    assert answer.value.text == "14 days"
    assert all(document.text[each.start : each.end] == each.quote for each in answer.citations)
    assert {each.segment_id for each in answer.citations} <= {each.id for each in document.segments("sentence")}


TALKED_OVER = "\n\n".join(
    f"Point {number}. Ilse and Tom spoke about the harbour and its {thing} for a while, and nothing was decided."
    for number, thing in enumerate(("cranes", "boats", "nets", "ropes", "lamps", "gates", "walls", "roofs"))
)
SUPPER = f"""# Minutes of the harbour club

The club meets in the old hall in May.

Ilse: 90 people signed up for the supper; there are 120 seats total.

{TALKED_OVER}
"""


def test_a_doubtful_answer_is_given_with_a_hedge_where_the_last_evidence_stands():
    document, question = citewell.Document.from_text(SUPPER, title="Minutes"), "And how many places are there in total?"
    talk = citewell.Conversation(document)
    talk.ask("How many people signed up for the supper?")
    answer = talk.ask(question)
    assert "120 seats" in answer.text
    assert answer.confidence < 0.5
    assert citewell.ask(document, question).abstained
    elsewhere = citewell.Conversation(document)
    elsewhere.ask("What did Ilse and Tom say about the roofs?")
    assert elsewhere.ask(question).abstained


def test_the_place_of_the_last_evidence_is_kept_with_the_thread(document, folder):
    citewell.Conversation(document, thread="fares").ask("What was fare income in 2019?")
    answer = citewell.Conversation(document, thread="fares").ask("the next sentence")
    assert answer.text == "Fare income was $15 million in 2020."


def test_conversations_do_not_hear_each_other(document):
    first, second = citewell.Conversation(document), citewell.Conversation(document)
    first.ask("What was fare income in 2019?")
    assert second.ask("And in 2020?").rewritten is None
    assert [turn.question for turn in second.turns] == ["And in 2020?"]


def test_a_thread_goes_on_and_another_does_not_know_of_it(document, folder):
    citewell.Conversation(document, thread="fares").ask("What was fare income in 2019?")
    again = citewell.Conversation(document, thread="fares").ask("And in 2020?")
    assert again.rewritten == "What was fare income in 2020?"
    assert citewell.Conversation(document, thread="other").ask("And in 2020?").rewritten is None
    assert sorted(path.name for path in folder.iterdir()) == ["fares.json", "other.json"]


@pytest.mark.parametrize("name", ["", "../fares", "a/b", ".hidden", "a" * 65, "fares\n"])
def test_a_name_that_is_no_file_is_refused(name, folder):
    with pytest.raises(UsageError):
        threads.load(name)


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": "another"}', '{"format": "citewell.thread.1", "turns": [1]}']
)
def test_a_damaged_thread_is_said_to_be_one(content, folder):
    (folder / "fares.json").write_text(content)
    with pytest.raises(InputError):
        threads.load("fares")


def test_a_thread_keeps_its_last_turns(folder):
    threads.save("long", tuple(Turn(str(number)) for number in range(threads.KEPT + 5)))
    assert [turn.question for turn in threads.load("long").turns][:1] == ["5"]


def test_the_command_goes_on_with_a_thread(tmp_path):
    path = tmp_path / "oriel.md"
    path.write_text(TEXT)
    environment = {**os.environ, threads.FOLDER: str(tmp_path / "threads")}

    def ask(question, *options):
        command = [sys.executable, "-m", "citewell", "ask", str(path), question, "--thread", "t", *options]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    ask("What was fare income in 2019?")
    assert "understood as: What was fare income in 2020?" in ask("And in 2020?")
    assert json.loads(ask("And in 2019?", "--json"))["rewritten"] == "What was fare income in 2019?"


@pytest.mark.parametrize(
    "question", ["When did the two companies part?", "Which of her ships is it?", "What was that fee?"]
)
def test_a_word_for_what_was_spoken_of_refers(question):
    assert refers(question)


@pytest.mark.parametrize(
    "question", ["When was the pier built?", "When did Oriel leave its pier?", "Who is the chair?"]
)
def test_a_name_and_a_plain_noun_refer_to_nothing_before(question):
    assert not refers(question)


def test_a_question_that_was_not_answered_still_says_where_to_look(document):
    talk = citewell.Conversation(document)
    answer = talk.ask("Why was fare income of Oriel Lines lower in Denmark?")
    assert answer.abstained
    nearest = answer.abstention.nearest[0].citation
    assert talk.turns[-1].place == f"{document.id} {nearest.start}"


def test_a_row_of_headers_near_the_last_evidence_is_no_answer():
    document = citewell.read(EXAMPLE)
    talk = citewell.Conversation(document)
    talk.ask("What were cash and cash equivalents at the end of 2025?")
    answer = talk.ask("What were cash and cash equivalents in it in 2024?")
    assert "at 31 December" not in answer.text


def test_it_is_the_document_of_the_last_evidence_where_it_was_written():
    texts = {
        "oriel.md": "# Oriel fares guide\n\nAnn Oxley, Per Lund\n\nFares rose by 4 per cent in 2020.",
        "tarrow.md": "# Tarrow barges\n\nTarrow Freight runs six barges.",
    }
    talk = citewell.Conversation([citewell.read(text.encode(), name=name) for name, text in texts.items()])
    talk.ask("By how much did fares rise in 2020?")
    answer = talk.ask("Who wrote it?")
    assert answer.value.text == "Ann Oxley, Per Lund"
    assert [each.title for each in answer.documents] == ["Oriel fares guide"]


def test_a_document_with_a_name_for_its_title_is_called_by_it():
    talk = citewell.Conversation(
        citewell.read(b"# skiff\n\nskiff sails on its own. Install skiff from a shell.", name="a.md")
    )
    talk.ask("When was it first released?")
    assert talk.ask("How do I install it?").rewritten == "How do I install skiff?"


def test_who_they_are_is_left_open_where_a_policy_has_no_authors():
    text = b"# Privacy policy\n\nThe harbour never sells addresses of passengers to others."
    talk = citewell.Conversation(citewell.read(text, name="a.md"))
    talk.ask("What is this policy about?")
    answer = talk.ask("Do they sell addresses of passengers?")
    assert answer.rewritten is None
    assert answer.value.text == "No"
