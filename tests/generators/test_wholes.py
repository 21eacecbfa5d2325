"""A question that names no part asks for the whole: a part's figure never answers it without a hedge."""

import pytest

import citewell
from citewell.facts.scopes import part_of

TITLE = "# Alder Lines: Annual report 2025"
REST = (
    "The board met nine times. The harbour wall was repaired in spring. The auditors had no remarks. "
    "A new timetable was printed and sent to every household."
)

# A question, a sentence about a part, one about the whole, the figure of the part, that of the whole.
WHOLES = [
    ("How many passengers in 2025?", "Vale Island had 112,000 passengers in 2025.",
     "Alder Lines carried 1.75 million passengers in 2025, more than in any year before.", "112,000", "1.75"),
    ("How many passengers were carried in 2025?", "Vale Island: 112,000 passengers were carried in 2025.",
     "In all, 1.75 million passengers were carried in 2025.", "112,000", "1.75"),
    ("How many complaints in 2025?", "In Skelby 40 complaints came in 2025.", "We had 310 complaints in 2025.",
     "40", "310"),
    ("How many accidents were there in 2025?", "There were 3 accidents at Port Innis in 2025.",
     "There were 14 accidents in 2025.", "3 accidents", "14"),
    ("How many journeys in 2025?", "The Harrow Sound route had 5,100 journeys in 2025.",
     "The fleet made 61,000 journeys in 2025.", "5,100", "61,000"),
    ("How many apprentices in 2025?", "The catering department had 6 apprentices in 2025.",
     "The company had 27 apprentices in 2025.", "6 apprentices", "27"),
    ("How many parcels were delivered in 2025?", "In the first quarter of 2025, 9,000 parcels were delivered.",
     "Over the year 2025, 44,000 parcels were delivered.", "9,000", "44,000"),
    ("How many tickets were sold in 2025?", "In March 2025, 7,300 tickets were sold.",
     "In 2025, 92,000 tickets were sold.", "7,300", "92,000"),
    ("How many visitors in 2025?", "The Corran branch had 800 visitors in 2025.", "The museum had 5,200 visitors in 2025.",
     "800", "5,200"),
    ("How many members joined in 2025?", "On Innis 60 members joined in 2025.", "In 2025, 512 members joined.",
     "60", "512"),
]  # fmt: skip


def document(*sentences: str) -> citewell.Document:
    return citewell.read("\n\n".join((TITLE, REST, *sentences, REST.replace("nine", "ten"))).encode(), name="lines.md")


@pytest.mark.parametrize(("question", "part", "whole", "of_part", "of_whole"), WHOLES)
def test_the_whole_wins_where_it_stands(question, part, whole, of_part, of_whole):
    for order in ((part, whole), (whole, part)):
        answer = citewell.ask(document(*order), question)
        assert of_whole in answer.text, answer.text
        assert of_part not in answer.text, answer.text


@pytest.mark.parametrize(("question", "part", "whole", "of_part", "of_whole"), WHOLES)
def test_a_part_alone_is_hedged_without_a_remark(question, part, whole, of_part, of_whole):
    answer = citewell.ask(document(part), question)
    assert answer.abstained or (answer.confidence < 0.5 and not any("only" in warning for warning in answer.warnings))


def test_a_part_that_is_asked_for_answers_plainly():
    for question, figure in (("How many passengers did Vale Island have in 2025?", "112,000"),
                             ("How many journeys did the Harrow Sound route have in 2025?", "5,100")):  # fmt: skip
        answer = citewell.ask(document(*(row[1] for row in WHOLES), *(row[2] for row in WHOLES)), question)
        assert figure in answer.text
        assert not any("only" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Vale Island had 112,000 passengers.", "Vale Island"),
        ("The coatings segment sold 40 machines.", "coatings segment"),
        ("In Norway 40 people were hurt.", "Norway"),
        ("Of these, 40 were sold in Bergen.", "Bergen"),
        ("Sales in the third quarter of 2024 were 40 units.", "third quarter of 2024"),
        ("40 people took part, of whom 12 were women.", "of whom"),
        ("Alder Lines had 40 ships in 2024.", ""),
        ("The company had 40 ships.", ""),
        ("In 2024 it had 40 ships.", ""),
        ("On 31 December 2024 the group had 40 ships.", ""),
    ],
)
def test_the_part_that_a_sentence_tells_of(text, part):
    span = part_of(text, lambda word: word in ("Norway", "Bergen"), frozenset(("alder", "line")))
    assert (text[span.start : span.end] if span else "") == part


def test_a_conjunction_before_a_name_makes_it_no_longer_name():
    text = "Because Innis had 60 members, a clerk was hired."
    span = part_of(text, lambda _: False, frozenset())
    assert span is None or text[span.start : span.end] != "Because Innis"


def test_what_is_paid_is_told_by_the_contract_that_names_it_without_a_remark():
    text = b"# Terms of service\n\nThe fee of the SOW is $200 per hour. The client pays within 30 days.\n"
    answer = citewell.ask(citewell.read(text, name="terms.md"), "What is the fee per hour?")
    assert "$200" in answer.text
    assert not any("asks for the whole" in warning for warning in answer.warnings)
