"""What an overview shows unasked: sentences that are understood alone, and answers that answer, to their end."""

import pytest

import citewell
from citewell.document import Document
from citewell.generators.extractive.prose.standing import leans, reads_alone, runs_together
from citewell.pipeline import Pipeline
from citewell.pipeline.overview.details import outline
from citewell.pipeline.overview.points import key_figures
from citewell.pipeline.overview.questions import _begins, suggested

FILL = "The tenant keeps the berth clean, and the Board looks after the lamps of the quay each winter. "
LAMPS = (
    "The lamps burn oil until midnight.",
    "The keeper lights them at dusk.",
    "The Board pays for the oil they burn.",
)


def read(text):
    return citewell.read(text.encode(), name="a.md")


def asked(document):
    return {each.question: each.answer for each in suggested(document, None, outline(document), Pipeline())}


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("The Board keeps the quay and both of its cranes in good order.", True),
        ("First, the Board keeps the quay and both of its cranes.", False),  # of several
        ("The first crane was built by the Board in the year 1910.", True),
        ("If the quay is closed, the Board pays the tenant a fee.", False),  # half of what is meant
        ("The Board sorts ships into one of these three classes by length.", False),
        ("The Board sorts ships into classes, and these three classes pay a fee.", True),
        ("The Board pays for all that is bought under these rules.", True),
        ("The Board closed the quay in the first week of this year.", True),
        ("The Board keeps such Berths as tenants of the quay may need.", True),
        ("The survey of the Board shows that this is only an exception.", False),
        ("The fees are therefore paid by the Board in the spring.", False),
        ("The tenants agree to keep the following parts of the quay clean.", False),
        ("Chapter 9 of the rules of the Board is kept on the quay.", True),
        ("Chapter 9, an act on the lamps, is kept by the Board on the quay.", True),
        ("Asserts that the Board has the right to close the quay.", False),  # who does?
        ("Does not send the fees of the quay to the Board.", False),
        ("Reports are sent to the Board, which prints them each year.", True),
        ("Based on the fees of last year, the Board closed the quay.", True),
        ("Quay Day A day on which the Board keeps the quay open.", False),
        ("The Board asks its tenantsto keep the berths of the quay clean.", False),
    ],
)
def test_a_sentence_is_shown_only_where_it_is_understood_alone(text, alone):
    document = Document.from_text(text)
    (segment,) = document.segments("sentence")
    assert reads_alone(document, segment) is (alone and not text.startswith("Chapter"))


def test_an_item_of_a_list_says_who_does_what():
    document = read(
        "# Quay\n\n- Revoke access to the quay for every tenant.\n- Tenants must keep the berths of it clean.\n"
    )
    items = [each for each in document.segments("sentence") if each.kind == "list_item"]
    assert [reads_alone(document, each) for each in items] == [False, True]


def test_small_words_inside_of_known_ones_are_not_run_together():
    assert not runs_together("the aforesaid rotations of a firewall, hitherto unknown, forthwith")
    assert runs_together("it updates the vehicles’software regularly")


def test_what_was_named_before_may_be_pointed_at():
    assert not leans("The Board keeps two cranes, and this crane was built in 1910.")
    assert leans("The Board keeps this crane, which was built in 1910.")


def test_statements_are_of_the_beginning_and_of_no_list():
    about = "This handbook describes how the Board of Brel keeps the quay and who may berth there."
    part = "This handbook explains how tenants of the quay pay the fees that are due in May."
    late = "This handbook covers the lamps of the quay and the men who light them at dusk."
    filler = "\n\n".join(f"Berth {number} is kept by its tenant, who sweeps it in spring." for number in range(40))
    document = read(f"# Quay handbook\n\n{about}\n\n- {part}\n\n{filler}\n\n{late}")
    assert [each.quote for each in citewell.overview(document).statements] == [about]


def test_a_document_that_does_not_say_what_it_is_about_has_no_statement():
    text = "\n\n".join(f"Peter brought {number} lamps to the quay." for number in range(40))
    assert not citewell.overview(read(text)).statements


def test_a_sentence_of_minutes_is_of_a_part_of_them():
    line = "The meeting of the board was about the lamps of the quay and about the two cranes."
    assert not citewell.overview(read(f"# Minutes of the board\n\n{line}")).statements
    assert citewell.overview(read(f"# Lamps of the quay\n\n{line}")).statements


def test_a_quarterly_report_is_quoted_on_the_company():
    lines = "We operate ferries between the islands of the north coast.", "Fees are shown in millions of crowns here."
    document = read(f"# Oxley Ferries quarterly report (10-Q)\n\n{lines[1]}\n\n{lines[0]}")
    assert [each.quote for each in citewell.overview(document).statements] == [lines[0]]


def test_a_point_on_the_law_names_a_law():
    text = "LEASE AGREEMENT\n\nThis agreement is made between Oriel Ltd and Brel Ltd.\n\n1. Law. {}\n\n2. Fees. {}"
    of_terms = "All policies are governed by the terms of the policy and by applicable law."
    named = "This agreement is governed by the laws of Norway."
    for clause, known in ((of_terms, False), (named, True)):
        document = Document.from_text(text.format(clause, FILL))
        points = {point.name for point in key_figures(document, "contract", None, Pipeline())}
        assert ("Governing law" in points) is known
        assert ("Which law governs the agreement?" in asked(document)) is known


def test_an_answer_whose_other_half_is_not_quoted_is_not_suggested():
    text = "These terms and conditions are a legally binding agreement made between:\n\nthe one who uses the quay and us\n\n"
    document = Document.from_text(f"TERMS AND CONDITIONS\n\n{text}{FILL}\n\n{FILL}")
    assert not [answer for answer in asked(document).values() if answer.text.rstrip().endswith(":")]
    assert not [each for each in key_figures(document, "contract", None, Pipeline()) if each.text.endswith(":")]


def test_a_theme_is_answered_by_the_beginning_of_its_section_in_order():
    text = f"# Harbour\n\n{FILL}\n\n## Lamps\n\n{' '.join(LAMPS)} {FILL}\n\n## Dues\n\n{FILL * 4}"
    answer = asked(read(text))["What does the document say about lamps?"]
    assert " ".join(answer.text.split()).startswith(" ".join(LAMPS))


@pytest.mark.parametrize(
    "section", [f"{LAMPS[1]} {LAMPS[0]} {LAMPS[2]}", f"{' '.join(LAMPS)}\n\n- The oil.\n- The wick."]
)
def test_a_theme_that_leans_or_lists_is_not_suggested(section):
    first = section.startswith(LAMPS[1])
    section = section.replace(LAMPS[1], "They are lit at dusk by the keeper.") if first else section
    text = f"# Harbour\n\n{FILL}\n\n## Lamps\n\n{section} {FILL}\n\n## Dues\n\n{FILL * 4}"
    assert "What does the document say about lamps?" not in asked(read(text))


def test_what_a_document_is_about_is_told_at_its_beginning():
    late = "The sponsor shall ensure that the club is run for the purpose of this club and of its members."
    filler = "\n\n".join(f"Berth {number} is kept by its tenant, who sweeps it in spring." for number in range(40))
    assert "What are these bylaws about?" not in asked(read(f"# Club bylaws\n\n{filler}\n\n{late}"))


def test_what_a_company_does_is_no_grant_and_no_report():
    report = "Our annual report offers an overview of our activities in 2019."
    grant = "The Society offers a variety of grants to all of its members."
    body = "The Lamp Society is a charity and an organization that keeps the lamps of old harbours."
    question = "What does the company do?"
    for line, heading, known in (
        (report, "Letter", False), (grant, "Letter of the General Secretary", False), (body, "Letter", True),
        ("We offer lamps to old harbours and to their keepers.", "Item 1. Business", True),
    ):  # fmt: skip
        answers = asked(read(f"# Lamp Society annual report 2019\n\n## {heading}\n\n{line}\n\n{FILL}"))
        assert (question in answers) is known, line


def test_those_of_other_studies_did_not_take_part():
    text = "# A guide to lamps\n\n## Abstract\n\nWe present lamps.\n\n{} had lamps.\n\n## References\n\nOxley et al. Lamps."
    other = "Evidence from two cohort studies that included 331 patients"
    assert "How many participants took part?" not in asked(read(text.format(other)))


def test_a_sentence_further_on_tells_of_a_part_however_well_it_speaks():
    first = "The Board of Brel keeps the quay and lets the berths of it."
    late = (
        "The purpose of this handbook is to describe the quay, the Board of Brel and the keepers of the quay handbook."
    )
    filler = "\n\n".join(f"Berth {number} is kept by its tenant, who sweeps it in spring." for number in range(40))
    document = read(f"# Quay handbook of Brel\n\n{first}\n\n{filler}\n\n## Lamps\n\n{late}")
    assert late not in citewell.ask(document, "What is this document about?").text
    answer = citewell.ask(document, "What does the document say about lamps?")
    assert late in answer.text
    assert not _begins(document, answer)
