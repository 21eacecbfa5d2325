"""Questions about a whole document, a theme, a term or a seat: which way answers, and by which sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.generators.extractive.prose.asking import asking
from citewell.generators.extractive.prose.definitions import definitions
from citewell.generators.extractive.prose.drafts import answer_by_way
from citewell.generators.extractive.prose.ways import select

REPORT = """# Larkspur Instruments plc Annual report 2021

## Our business

Larkspur Instruments plc designs and sells weather stations for farms and airports. We operate two factories. Our
headquarters are located at 4 Mill Lane, Tarrow.

## Results

Revenue rose by 4 per cent to £12.1 million, because airports ordered more masts. The mean time between failures (MTBF)
of our stations was 41 months. A “legacy station” means any station that was sold before 2010.

## Risks

A dry year lowers the demand of farms for rain gauges. Most of our sensors come from a single supplier in Brel. The
board reviews these risks each spring.

## Staff

We employed 118 people at the end of the year.
"""


@pytest.fixture(scope="module")
def report():
    return citewell.read(REPORT.encode(), name="larkspur.md")


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("What is this paper about?", "about"),
        ("Summarize this document.", "about"),
        ("What is the main idea of the study?", "about"),
        ("tl;dr", "about"),
        ("What does the company do?", "business"),
        ("Describe the company's business", "business"),
        ("Where is the headquarters?", "seat"),
        ("In which city is the firm based?", "seat"),
        ("Summarize the risks", "theme"),
        ("What does the report say about staff?", "theme"),
        ("What is a legacy station?", "definition"),
        ("What does MTBF stand for?", "definition"),
        ("How many people did the company employ?", "headcount"),
    ],
)
def test_the_way_of_a_question(question, way):
    assert asking(question).way == way


@pytest.mark.parametrize(
    "question",
    [
        "What was revenue in 2021?",
        "How many people did the company employ in research?",
        "Why did revenue rise?",
        "Where is the supplier?",
        "What does the company do when a sensor fails?",
        "Summarize",
    ],
)
def test_other_questions_are_for_the_general_reader(question):
    assert asking(question) is None or asking(question).way == "about"


@given(st.text(max_size=200))
def test_any_text_has_a_way_or_none(text):
    question = asking(text)
    assert question is None or (question.topic != "") == (question.way in ("definition", "theme"))


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What does the company do?", "designs and sells weather stations"),
        ("Where is the headquarters?", "4 Mill Lane"),
        ("What is a legacy station?", "any station that was sold before 2010"),
        ("What does MTBF stand for?", "mean time between failures (MTBF)"),
        ("What is this report about?", "designs and sells weather stations"),
    ],
)
def test_the_sentence_that_answers(report, question, part):
    answer = citewell.ask(report, question)
    assert part in " ".join(answer.text.split())
    assert all(report.text[each.start : each.end] == each.quote for each in answer.citations)
    assert {each.label for each in answer.statements} == {"quoted"}


def test_a_theme_is_told_from_the_section_of_its_name(report):
    answer = citewell.ask(report, "Summarize the risks")
    assert {"dry year", "single supplier"} <= {part for part in ("dry year", "single supplier") if part in answer.text}
    assert "Revenue" not in answer.text


def test_a_term_that_is_only_mentioned_is_not_defined(report):
    answer = citewell.ask(report, "What is a mast?")
    assert answer.abstained


def test_no_business_in_a_text_without_a_company():
    page = Document.from_text("Rain fell on the hills for three days. The river rose by two metres. Nobody was hurt.")
    answer = citewell.ask(page, "What does the company do?")
    assert answer.abstained


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("What does the company do?", "no sentence was found that says what the company does"),
        ("What does Brelkit do?", "no sentence was found that says what Brelkit does"),
        ("What does it say about penguins?", "neither a section nor a sentence is on “penguins”"),
    ],
)
def test_a_way_that_finds_nothing_says_so_and_how_sure_it_had_to_be(question, message):
    draft = answer_by_way(question, [Document.from_text("Rain fell on the hills.")], "extractive", 0.4)
    low = draft.abstention
    assert (low.reason, low.score, low.threshold, low.message) == ("no_evidence", 0.0, 0.4, message)
    assert (draft.text, draft.confidence, draft.origin) == ("", 0.0, "quoted")


def test_the_only_seat_that_a_text_names_answers_where_none_is_the_company_s_own():
    text = "The office moved. The headquarters of Brel Foods are located in Brel. The ferry sails."
    (pick,) = select(asking("Where is the headquarters?"), [Document.from_text(text)]).picks
    assert pick.segment.text == "The headquarters of Brel Foods are located in Brel."
    two = f"{text} The headquarters of Tarrow Freight are located in Tarrow."
    assert select(asking("Where is the headquarters?"), [Document.from_text(two)]) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tide Club", "The services include Tide Club™, a season ticket for anglers; others are free."),
        ("Dock Nine", "In 2019 we created Dock Nine, a workshop for young shipwrights."),
        ("tide wall", "The tide wall — the upper end of the harbour — keeps the mud out."),
        ("Gannets", "Gannets are large white birds of the open sea."),
        ("Gannet", "Gannet colonies are places of much noise."),
        ("kelping", "Kelping (KLP) is considered as a trade of the poor."),
        ("SCINET", "The Skelby Coastal Inshore Network (SCINET) began in 1981."),
    ],
)
def test_what_is_said_of_a_name_behind_a_comma_defines_it(name, text):
    assert definitions(name, [Document.from_text(text)])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Skelby Hall", "At Skelby Hall, a man was arrested in May."),
        ("Ann Oxley", "The shop was sold by Ann Oxley, and a barge was bought."),
        ("Gannets", "Gannets are found on every cliff of the island."),
        ("kelping", "Kelping is poorly understood as a trade of the poor."),
        ("SCINET", "The old harbour office (SCINET) closed in 1981."),
    ],
)
def test_what_happens_at_a_name_does_not_define_it(name, text):
    assert not definitions(name, [Document.from_text(text)])


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("What is caddow?", False),
        ("What are caddows?", False),
        ("What is tarrick?", True),
        ("What is the caddow of the harbour?", True),
        ("What is caddow used for?", True),
    ],
)
def test_what_something_is_needs_a_definition_where_nothing_else_is_asked(question, answered):
    text = (
        "The caddow of the harbour was mended in May. It is used for nets.\n\nThe crew bought tarrick, a coarse rope."
    )
    draft = answer_by_way(question, [Document.from_text(text)], "extractive", 0.25)
    assert (draft is None or draft.abstention is None) is answered


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("The rival is headquartered in Tarrow. We are headquartered in Brel.", "Brel"),
        (
            "Our rivals on the many rivers of the north are headquartered in Tarrow. We are headquartered in Brel.",
            "Brel",
        ),
        ("We are headquartered in Brel. Our Asian division is headquartered in Tarrow.", "Brel"),
    ],
)
def test_the_seat_is_that_of_the_company_itself(text, seat):
    selection = select(asking("Where is the headquarters?"), [Document.from_text(text)])
    assert [pick.segment.text for pick in selection.picks] == [f"We are headquartered in {seat}."]
    assert selection.sure == 0.8


@pytest.mark.parametrize(
    ("question", "text", "sure"),
    [
        ("What is a mast?", "A mast is a tall pole that holds sensors.", 0.85),
        ("What does MTBF stand for?", "The mean time between failures (MTBF) of the stations was 41 months.", 0.7225),
    ],
)
def test_a_definition_is_as_sure_as_its_wording(question, text, sure):
    assert select(asking(question), [Document.from_text(text)]).sure == pytest.approx(sure)


@pytest.mark.parametrize(
    "text",
    [
        "After the vote on skelbing, the present council was formed by the Harbour Act, which sets out its powers.",
        "The town may take other ways, such as skelbing the owners a yearly sum, or a share of what ships carry.",
        "The study measures the longer term effect of skelbing on the crews that took part in it.",
    ],
)
def test_a_name_in_passing_is_not_said_to_be_anything(text):
    assert citewell.ask(citewell.Document.from_text(text), "What is skelbing?").abstained


def test_a_name_that_begins_with_a_mark_is_defined():
    text = "A .0n file is a signed document that declares what is done. Every .0n file is read once. Boats need none."
    answer = citewell.ask(citewell.Document.from_text(text), "What is a .0n file?")
    assert answer.text.startswith("A .0n file is a signed document")
