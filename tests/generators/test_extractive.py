from __future__ import annotations

import json
from importlib import resources
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.document import Document
from citewell.generators.extractive.candidates import read
from citewell.generators.extractive.context import surroundings
from citewell.generators.extractive.features import NAMES
from citewell.generators.extractive.generator import Extractive
from citewell.generators.extractive.kinds import defines
from citewell.generators.extractive.questions import analyse
from citewell.generators.extractive.scoring import fitted, scores, signals
from citewell.generators.extractive.selection import by_paragraph
from citewell.protocols import Generator
from citewell.text.index import index
from citewell.types import Block

REPORT = """# Harbour Ferries annual report

## Business

Harbour Ferries carries passengers and goods between four islands. The company was founded in 1931 by Marta Lindqvist.
Its head office is in the port of Elvik. At year end we had approximately 1,240 full-time employees.

## Results

Revenue is reported in the table.

The increase was due to two new routes and higher fares. Fuel was more expensive than in the year before.

## Risks

Storms may keep the ships in port for several days. The board reviews insurance cover every spring.
"""

ROWS = (
    ("heading", "Harbour Ferries"),
    ("paragraph", "Figures for the group are set out below."),
    ("heading", "Consolidated income statement"),
    ("table_row", "(in thousands) | 2022 | 2021"),
    ("table_row", "Net sales | 5,932 | 5,410"),
    ("table_row", "Cost of fuel | 1,204 | 988"),
    ("table_row", "Net income | 611 | 702"),
    ("heading", "Outlook"),
    ("paragraph", "We expect calmer seas."),
)


def table() -> Document:
    return build_document(ROWS)


def build_document(rows: tuple[tuple[str, str], ...]) -> Document:
    blocks, parts, position = [], [], 0
    for kind, text in rows:
        blocks.append(Block(position, position + len(text), kind, 1 if kind == "heading" else 0))
        parts.append(text)
        position += len(text) + 1
    return Document("\n".join(parts), blocks=tuple(blocks))


def answer(question: str, document: Document | None = None, **settings) -> str:
    return Extractive(**settings).generate(question, [document or Document.from_text(REPORT)]).text


def test_it_is_a_generator_built_from_its_spec():
    back_end = registry.build("generator", "extractive(max_sentences=1, threshold=0.5)")
    assert isinstance(back_end, Generator)
    assert back_end == Extractive(1, 0.5)


@pytest.mark.parametrize("settings", [{"max_sentences": 0}, {"threshold": 1.5}, {"threshold": -0.1}])
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ValueError, match="max_sentences|threshold"):
        Extractive(**settings)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("When was Harbour Ferries founded?", "1931"),
        ("Who founded the company?", "Marta Lindqvist"),
        ("Where is the head office?", "Elvik"),
        ("Why did revenue increase?", "two new routes"),
        ("How often does the board review insurance cover?", "every spring"),
    ],
)
def test_the_sentence_that_answers_is_given(question, part):
    assert part in answer(question)


def test_a_sentence_that_says_it_in_other_words_is_found_also_where_it_is_withheld():
    draft = Extractive().generate("How many employees does Harbour Ferries have?", [Document.from_text(REPORT)])
    assert "1,240" in (draft.withheld or draft).text


@pytest.mark.parametrize("question", ["Who won the 1998 chess olympiad?", "What is the boiling point of tungsten?"])
def test_a_question_about_something_else_gets_an_abstention_with_score_and_threshold(question):
    draft = Extractive().generate(question, [Document.from_text(REPORT)])
    assert draft.abstention is not None
    assert draft.text == ""
    assert draft.statements == draft.sources == ()
    assert draft.abstention.reason in ("no_evidence", "low_confidence")
    assert 0 <= draft.abstention.score < draft.abstention.threshold
    assert draft.abstention.message


def test_words_that_no_sentence_has_are_no_evidence():
    draft = Extractive(threshold=0).generate("Xyzzy plugh?", [Document.from_text(REPORT)])
    assert draft.abstention is not None
    assert draft.abstention.reason == "no_evidence"
    assert draft.abstention.score == 0


def test_an_abstention_for_low_confidence_shows_the_nearest_passages_and_what_they_lack():
    document = Document.from_text(REPORT)
    draft = Extractive(threshold=1).generate("Where was the head office in 1888?", [document])
    assert draft.abstention is not None
    assert draft.abstention.reason == "low_confidence"
    nearest, *others = draft.abstention.nearest
    assert "port of Elvik" in nearest.citation.quote
    assert nearest.lacks == "“1888”"
    assert len(others) <= 2
    for near in draft.abstention.nearest:
        assert document.text[near.citation.start : near.citation.end] == near.citation.quote


def test_sources_are_exact_and_statements_are_their_places_in_the_answer():
    document = Document.from_text(REPORT)
    draft = Extractive(threshold=0).generate("What risks do storms bring to ships and fuel?", [document])
    sources = [source for source in draft.sources if source.granularity == "sentence"]
    assert len(draft.statements) == len(sources) >= 1
    for span, source in zip(draft.statements, sources, strict=True):
        assert (source.answer_start, source.answer_end) == span
        assert document.text[source.start : source.end] == source.quote
        assert draft.text[span.start : span.end] == " ".join(source.quote.split())
        assert source.method == "extractive"
        assert 0 <= source.score <= 1
    assert [source.start for source in sources] == sorted(source.start for source in sources)


def test_a_sentence_over_two_lines_is_told_on_one():
    document = Document.from_text("The lighthouse of Elvik was built\nby Jonas Falk in 1874.\n\nGulls nest there.")
    assert answer("Who built the lighthouse of Elvik?", document, max_sentences=1) == (
        "The lighthouse of Elvik was built by Jonas Falk in 1874."
    )


def test_a_row_comes_with_the_row_that_names_its_columns():
    draft = Extractive(max_sentences=1).generate("What was revenue in 2022?", [table()])
    assert [source.quote for source in draft.sources] == ["(in thousands) | 2022 | 2021", "Net sales | 5,932 | 5,410"]


def test_the_row_is_chosen_by_its_label():
    assert "611" in answer("What was net income in 2021?", table())
    assert "1,204" in answer("What was the cost of fuel in 2022?", table())


def test_no_more_sentences_than_allowed_are_given():
    document = Document.from_text(" ".join(f"Whales of kind number {n} eat krill near the coast." for n in range(40)))
    draft = Extractive(max_sentences=2, threshold=0).generate("What do whales eat near the coast?", [document])
    assert 1 <= len(draft.sources) <= 2


def test_what_is_said_twice_is_given_once():
    twice = "The museum opens at nine on Mondays."
    document = Document.from_passages([twice, "It has three floors.", twice])
    draft = Extractive(threshold=0).generate("When does the museum open on Mondays?", [document])
    assert [source.quote for source in draft.sources].count(twice) == 1


def test_a_sentence_that_repeats_the_question_does_not_answer():
    document = Document.from_text(
        "When was the bridge opened? Many visitors ask this. The bridge was opened in June 1965 by the mayor."
    )
    assert "1965" in answer("When was the bridge opened?", document, max_sentences=1, threshold=0)


def test_a_heading_above_tells_what_a_sentence_is_about():
    document = Document.from_text(
        "# Hotel Bellevue\n\nBreakfast is served from seven.\n\n# Hotel Astoria\n\nBreakfast is served from eight."
    )
    blocks = document.blocks
    assert blocks
    marked = Document(
        document.text,
        blocks=tuple(
            b._replace(kind="heading", level=1) if document.text[b.start] == "#" else b for b in document.blocks
        ),
    )
    assert "eight" in answer("When is breakfast served at Hotel Astoria?", marked, max_sentences=1, threshold=0)


def test_yes_or_no_is_not_invented():
    text = answer("Does the board review insurance cover?", threshold=0, max_sentences=1)
    assert text == "The board reviews insurance cover every spring."


def test_several_documents_are_read_as_one_and_each_source_names_its_own():
    first = Document.from_text("The observatory on Mount Kallar was built in 1902.")
    second = Document.from_text("The library in Sund was built in 1955.")
    draft = Extractive(max_sentences=1, threshold=0).generate("When was the library in Sund built?", [first, second])
    assert {source.document_id for source in draft.sources} == {second.id}
    assert draft.sources[0].quote == second.text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Der Turm wurde 1911 gebaut. Er ist aus Stein.", "Wann wurde der Turm gebaut?"),
        ("塔建于1911年。它由石头制成。", "塔建于哪一年?"),
        ("بني البرج عام 1911. وهو من الحجر.", "متى بني البرج؟"),
    ],
)
def test_other_languages_are_matched_by_their_words(text, question):
    draft = Extractive(threshold=0, max_sentences=1).generate(question, [Document.from_text(text)])
    assert "1911" in draft.text


def test_the_same_question_is_answered_the_same_way_twice():
    once, again = (answer("Why did revenue increase?") for _ in range(2))
    assert once == again


@given(
    text=st.text(min_size=1, max_size=400).filter(lambda text: text.strip()),
    question=st.text(min_size=1, max_size=80),
    limit=st.integers(1, 3),
)
def test_whatever_is_asked_of_whatever_text_quotes_are_exact(text, question, limit):
    document = Document.from_text(text)
    draft = Extractive(limit, 0.0).generate(question, [document])
    assert (draft.text == "") == (draft.abstention is not None)
    for source in draft.sources:
        assert document.text[source.start : source.end] == source.quote


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was it built?", "date"),
        ("In what year did she retire?", "date"),
        ("Who signed the treaty?", "person"),
        ("Where do they meet?", "place"),
        ("How many islands are there?", "count"),
        ("How much did the ships cost?", "money"),
        ("What was net income in 2020?", "money"),
        ("What percentage of voters agreed?", "percent"),
        ("How long is the canal?", "measure"),
        ("Why did prices fall?", "reason"),
        ("How is glass made?", "manner"),
        ("What happens if the contract is lost?", "manner"),
        ("What does net debt mean?", "definition"),
        ("What was the surplus in 2020?", "money"),
        ("What is a quark?", "definition"),
        ("What are the main exports of Norway?", "list"),
        ("Is the harbour deep?", "yes_no"),
        ("Wie hoch ist der Turm?", "open"),
    ],
)
def test_the_kind_of_a_question_is_told_by_its_words(question, kind):
    assert analyse(question).kind == kind


def test_years_numbers_and_names_are_found_in_a_question():
    question = analyse("Did Nordhavn Shipping sell 12 ferries in FY2021, FY22 and 2023, or not?")
    assert question.years == ("2021", "2022", "2023")
    assert question.numbers == ("12",)
    assert question.names == ("Nordhavn Shipping",)
    assert question.negated


def test_instructions_on_how_to_answer_are_not_part_of_the_question():
    question = analyse("What is the quick ratio? Round your answer to two decimal places. Please be brief.")
    assert question.text == "What is the quick ratio?"


def test_a_row_knows_the_row_that_heads_it_and_its_headings():
    position = index([table()])
    where = surroundings(position)
    texts = [segment.text for segment in position.segments]
    row, prose = texts.index("Net income | 611 | 702"), texts.index("We expect calmer seas.")
    assert texts[where.header[row]] == "(in thousands) | 2022 | 2021"
    assert texts[where.headings[0, row]] == "Consolidated income statement"
    assert where.header[prose] == -1
    assert texts[where.headings[0, prose]] == "Outlook"


CLINIC = (
    ("heading", "Lakeside Clinics: annual report"),
    ("paragraph", "Lakeside Clinics runs three clinics and a pharmacy. We opened a fourth clinic in spring."),
    ("paragraph", "Boats fetch patients from the far shore when the ferry does not sail."),
    ("heading", "Waiting times"),
    ("paragraph", "A patient is seen in time if the consultation begins within twenty minutes of the appointment."),
    ("paragraph", "By this definition 81 per cent of patients were seen in time in 2022. We lost time in January."),
    ("heading", "Staff"),
    ("paragraph", "At year end we employed 312 people, twelve more than a year earlier. Nurses work in two shifts."),
    ("heading", "Buildings"),
    ("table_row", "Clinic | Opened | Beds | Doctors"),
    ("table_row", "North Shore | 1987 | 42 | 11"),
    ("table_row", "Old Mill | 2003 | 60 | 17"),
    ("heading", "Principal risks"),
    ("paragraph", "The board ranked them in September."),
    ("list_item", "1. Lack of nurses. Agencies are dear."),
    ("list_item", "2. Rising rents. Two leases end in 2024."),
    ("list_item", "3. Failure of computers. Paper forms are kept."),
    ("heading", "Income"),
    ("paragraph", "Figures are set out below."),
    ("table_row", "€ thousand | 2022 | 2021"),
    ("table_row", "Sales at the pharmacy | 1,310 | 1,275"),
    ("table_row", "Treatments | 8,204 | 7,951"),
    ("table_row", "Nurses | 3,120 | 2,905"),
    ("table_row", "Total revenue | 9,514 | 9,226"),
    ("table_row", "Other running costs | 640 | 611"),
    ("table_row", "Total running costs | 8,730 | 8,402"),
    ("heading", "Other figures"),
    ("paragraph", "These figures were not audited."),
    ("table_row", "At year end | 2022 | 2021"),
    ("table_row", "Volunteers (all clinics) | 95 | 88"),
    ("heading", "Parking"),
    ("paragraph", "The new garage was paid for by:"),
    ("list_item", "a grant of the county;"),
    ("list_item", "gifts of former patients."),
    ("heading", "Terms"),
    ("paragraph", "Day case: a patient who goes home on the day of the operation."),
    ("paragraph", "Day cases rose by a tenth. DRGs are groups of cases that cost about the same."),
)


def given_by(question: str, rows: tuple[tuple[str, str], ...] = CLINIC, **settings) -> list[str]:
    sources = Extractive(**settings).generate(question, [build_document(rows)]).sources
    return [source.quote for source in sources if source.granularity == "sentence"]


def test_a_row_of_another_name_is_not_given_where_a_row_has_the_word_itself():
    assert given_by("What was revenue in 2022?") == ["€ thousand | 2022 | 2021", "Total revenue | 9,514 | 9,226"]


def test_the_total_is_meant_and_not_the_other():
    assert given_by("What were running costs in 2021?", max_sentences=1) == [
        "€ thousand | 2022 | 2021",
        "Total running costs | 8,730 | 8,402",
    ]


def test_the_company_need_not_be_named_where_the_report_says_we():
    assert given_by("How many employees does the company have?") == [
        "At year end we employed 312 people, twelve more than a year earlier."
    ]


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("What does in time mean?", "A patient is seen in time if"),
        ("What counts as a day case?", "Day case:"),
        ("What is meant by day case?", "Day case:"),
        ("What does DRG stand for?", "DRGs are groups"),
    ],
)
def test_the_meaning_of_an_expression_is_told_by_the_sentence_that_defines_it(question, beginning):
    quotes = given_by(question)
    assert quotes
    assert all(quote.startswith(beginning) for quote in quotes)


@pytest.mark.parametrize(
    "question",
    [
        "What does amortisation mean?",
        "How many boats does the company own?",
        "How many wheelchairs does Old Mill have?",
        "Is smoking allowed in the garage?",
    ],
)
def test_what_the_report_does_not_tell_is_refused(question):
    assert given_by(question) == []


def test_a_list_that_is_asked_for_is_given_whole_by_the_first_sentence_of_each_item():
    assert given_by("What are the main risks?") == [
        "1. Lack of nurses.",
        "2. Rising rents.",
        "3. Failure of computers.",
    ]


def test_a_section_that_names_something_else_too_is_no_list_of_what_is_asked():
    rows = tuple((kind, text.replace("Principal risks", "Lunch, sports and risks of age")) for kind, text in CLINIC)
    assert "1. Lack of nurses." not in given_by("What are the main risks?", rows, threshold=0)


def test_a_sentence_that_ends_with_a_colon_brings_its_list():
    assert given_by("Who paid for the new garage?", threshold=0, max_sentences=1) == [
        "The new garage was paid for by:",
        "a grant of the county;",
        "gifts of former patients.",
    ]


def test_a_row_of_words_names_the_columns_of_the_table_below_it():
    assert given_by("How many beds does Old Mill have?", max_sentences=1) == [
        "Clinic | Opened | Beds | Doctors",
        "Old Mill | 2003 | 60 | 17",
    ]


def test_a_unit_in_parentheses_is_no_part_of_what_a_row_is_about():
    assert given_by("How many volunteers were there at year end in 2021?", max_sentences=1) == [
        "At year end | 2022 | 2021",
        "Volunteers (all clinics) | 95 | 88",
    ]


def test_a_sum_of_money_is_no_number_of_people():
    assert not any(quote.startswith("Nurses |") for quote in given_by("How many nurses are there?", threshold=0))


@pytest.mark.parametrize(
    ("question", "meaning"),
    [
        ("What does the term net debt mean?", "net debt"),
        ("What counts as a day case?", "day case"),
        ("What is meant by “on time”?", "on time"),
        ("What do nurses earn?", ""),
        ("What do engineers use to define what?", ""),
    ],
)
def test_the_expression_is_found_whose_meaning_is_asked_for(question, meaning):
    assert analyse(question).meaning == meaning


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Net debt: loans less cash.", 1.0),
        ("The term “net debt” means loans less cash.", 1.0),
        ("We look at loans less cash (“net debt”).", 0.8),
        ("Net debt was 40 at the end of the year.", 0.1),
        ("Debt is dear.", 0.0),
    ],
)
def test_a_sentence_defines_an_expression_by_how_it_reads(text, share):
    assert defines("net debt", text) == share


def test_features_are_shares_and_every_one_has_a_weight():
    reading = read("Why did revenue increase in 2022?", [Document.from_text(REPORT)])
    assert reading.features.shape == (len(reading.candidates), len(NAMES))
    assert reading.features.min() >= 0
    assert reading.features.max() <= 1.001
    assert scores(reading, fitted()).shape == (len(reading.candidates),)
    saved = json.loads(
        resources.files("citewell.generators.extractive").joinpath("weights.json").read_text(encoding="utf-8")
    )
    assert set(saved["rank"]) == set(NAMES)
    assert signals(reading, scores(reading, fitted())).keys() <= saved["confidence"].keys()


def test_candidates_stand_by_paragraphs_those_first_that_are_likeliest_to_hold_the_answer():
    document = Document.from_text(REPORT)
    reading = read("How many employees did Harbour Ferries have at year end?", [document])
    ranked = scores(reading, fitted())
    order = by_paragraph(reading, ranked)
    assert sorted(order) == list(range(len(reading.candidates)))
    chances: dict[int, float] = {}
    paragraphs = [int(reading.where.paragraph[reading.candidates[place]]) for place in order]
    for place, paragraph in zip(order, paragraphs, strict=True):
        chances[paragraph] = chances.get(paragraph, 0.0) + float(np.exp(ranked[place] - ranked.max()))
    assert [key for key, _ in groupby(paragraphs)] == sorted(chances, key=lambda key: -chances[key])
