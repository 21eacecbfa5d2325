"""Questions about the document itself are answered by its cover, with a citation, or not at all."""

import pytest

import citewell

COVER = """# Tide tables for small harbours

Ann B. Oxley, Per Lund, and Mira de Vries

Institute of Coastal Ferries, Skelby

Last updated 4 May 2019. Copyright (c) 2019 Skelby Harbour Trust

## Introduction

This guide explains how harbour masters read a tide table. The Act was published by the Innis Parliament in 1998. Lund
wrote the first tables by hand. Tables are made anew each spring.
"""
BARE = """# Crane rules

## Use

The crane lifts nine tonnes. The Act on cranes was published by the Innis Parliament in 1998. Ann Oxley wrote the Act.
"""


def answer(text, question):
    return citewell.ask(citewell.read(text.encode(), name="tides.md"), question)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who wrote this document?", "Ann B. Oxley, Per Lund, and Mira de Vries"),
        ("Who are the authors?", "Ann B. Oxley, Per Lund, and Mira de Vries"),
        ("Who published this guide?", "Skelby Harbour Trust"),
        ("When was this document last updated?", "4 May 2019"),
        ("What is the title of this document?", "Tide tables for small harbours"),
    ],
)
def test_the_cover_tells_who_made_a_document_and_when(question, value):
    result = answer(COVER, question)
    assert result.value.text == value
    assert all(statement.label == "quoted" for statement in result.statements)
    cited = result.citations[result.value.citations[0]]
    assert value in " ".join(cited.quote.split())


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who wrote this document?", "does not say who wrote it"),
        ("Who published this document?", "does not say who published it"),
        ("When was this document published?", "does not say when it was made"),
    ],
)
def test_what_a_document_says_of_another_work_is_not_its_own(question, says):
    result = answer(BARE, question)
    assert result.abstained
    assert says in result.abstention.message


def test_who_made_another_work_is_read_in_the_text():
    assert asked_of_another("Who published the Act on cranes?") == "Innis Parliament"


def asked_of_another(question):
    result = answer(BARE, question)
    assert "does not say" not in (result.abstention.message if result.abstained else "")
    return "Innis Parliament" if "Innis Parliament" in result.text else result.text


def test_names_on_lines_of_their_own_are_all_authors():
    text = "# Crane rules\n\n## Ann Oxley\n\n## Per Lund\n\nThe crane lifts nine tonnes."
    assert answer(text, "Who wrote this document?").value.text == "Ann Oxley, Per Lund"


def test_a_contract_says_when_it_was_entered_into():
    text = "# Berth agreement\n\nThis Agreement is entered into as of the 5th day of June, 2000, by Oriel and Tarrow."
    assert answer(text, "When was this agreement signed?").value.text == "5th day of June, 2000"


def test_the_length_is_counted_and_says_so_where_there_are_no_pages():
    result = answer(COVER, "How many pages does it have?")
    assert result.value.number == round(len(COVER.split()) / 10) * 10 or "words" in result.text
    assert "no pages" in result.text
    assert [statement.label for statement in result.statements] == ["supported"]


def test_what_it_is_about_begins_with_the_title():
    result = answer(COVER, "What is this document about?")
    assert result.text.startswith("Tide tables for small harbours\nThis guide explains")
