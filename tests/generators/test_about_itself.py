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
        ("Who wrote this document?", "no line was found that names its author"),
        ("Who published this document?", "no line was found that names its publisher"),
        ("When was this document published?", "no line was found that dates it"),
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
    assert "no line was found" not in (result.abstention.message if result.abstained else "")
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


@pytest.mark.parametrize(
    ("lines", "author", "day"),
    [
        ("By Ann Šorm, Per Lund, Ida Moe, and the entire Skelby team.\n\nVersion 0.9 (May 2019)", "Ann Šorm, Per Lund", "May 2019"),
        ("V1.2, June 2018 Please look for a newer one.\n\nAnn Oxley, Per Lund; with help of many contributors.", "Ann Oxley, Per Lund", "June 2018"),
    ],
)  # fmt: skip
def test_lines_of_names_with_others_behind_them_and_days_of_versions_are_read(lines, author, day):
    text = f"# Tide rules\n\n{lines}\n\n## Introduction\n\nHarbour masters read a tide table."
    assert answer(text, "Who wrote this document?").value.text.startswith(author)
    assert answer(text, "When was this document published?").value.text == day


def test_a_day_that_a_sentence_begins_with_is_none_of_the_document():
    text = "# Minutes of the harbour club\n\nApril 27, 2021 minutes need to have one name changed."
    assert answer(text, "When was this document published?").abstained


def test_who_is_written_to_on_top_of_a_plain_text_wrote_it():
    text = b"Tide rules\n\nHarbour masters <masters@skelby.org>\n2.1, 2018-06-04\n\nHarbour masters read a tide table."
    result = citewell.ask(citewell.read(text, name="tides.txt"), "Who wrote this document?")
    assert result.value.text == "Harbour masters"


def test_what_bears_a_name_is_said_to_be_by_the_sentence_that_begins_with_it():
    text = "# skiff\n\n## Use\n\nOptions can be set in a file. If not, use a shell.\n\n## More\n\nskiff is a sail maker's tool."
    assert "skiff is a sail maker's tool." in answer(text, "What is this document about?").text


def test_a_term_is_what_the_agreement_lasts_and_not_its_insurance() -> None:
    text = (
        "# Services Agreement\n\nThis Agreement is between Oriel Ltd and Fenwick Inc.\n\n"
        "During the term of the Agreement and for six months after, each party will carry commercial insurance.\n\n"
        "This Agreement will start on the Effective Date and continue until both parties end it in writing.\n\n"
        "Each party keeps what it owned before. Fees are due on receipt of an invoice."
    )
    answer = citewell.ask(citewell.read(text.encode(), name="services.md"), "How long does the agreement last?")
    assert "continue until both parties end it" in answer.text
