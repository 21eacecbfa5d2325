"""Which questions an overview suggests: those whose answer reads well alone."""

from dataclasses import replace

import pytest

import citewell
from citewell.document import Document
from citewell.pipeline import Pipeline
from citewell.pipeline.overview.details import outline
from citewell.pipeline.overview.points import key_figures
from citewell.pipeline.overview.questions import _reads_well, _telling, _themes, suggested

FILL = "The tenant keeps the berth clean, and the Board looks after the lamps of the quay each winter. "


def read(text):
    return citewell.read(text.encode(), name="a.md")


@pytest.mark.parametrize(
    ("term", "text", "tells"),
    [
        ("Board", "“Board” means the body that runs the harbour and its quays.", True),
        ("SNET", "The science net (SNET) joins the harbours of the whole coast.", True),
        ("Board", "The Board is a body that runs the harbour and its quays.", False),  # says something, coins nothing
        ("Owner", "“Owner” means whoever is named as the owner of the boat above.", False),
    ],
)
def test_only_a_sentence_that_coins_a_term_answers_what_it_means(term, text, tells):
    assert _telling(term, text) is tells


@pytest.mark.parametrize(
    ("line", "well"),
    [
        ("The Board rebuilt the old quay of Brel in the spring of 2019.", True),
        ("It rebuilt the old quay of Brel in the spring of that year.", False),
        ("Rebuilding the old quay of Brel in the spring with the help of the Board.", False),
    ],
)
def test_an_answer_that_leans_on_what_is_not_quoted_is_not_suggested(line, well):
    document = Document.from_text(line)
    (segment,) = document.segments("sentence")
    answer = citewell.ask([document], "What is this about?")
    if answer.citations:
        assert _reads_well(document, answer) is well
    else:
        assert not well, segment.text


def test_a_theme_is_suggested_only_where_several_sentences_say_it():
    several = "Fees are paid in May. Fees are low for small boats. Fees are set by the Board. Fees are kept for a year."
    text = f"# Harbour\n\n## Lamps\n\n{FILL * 3}\n\n## Fees\n\n{several}\n\n{FILL * 3}"
    document = read(text)
    asked = [each for each in suggested(document, None, outline(document), Pipeline()) if "say about" in each.question]
    assert all(len(each.answer.statements) > 1 for each in asked)


@pytest.mark.parametrize("heading", ["About this policy", "On your first day", "How to pay", "Preamble", "Endnotes"])
def test_headings_that_do_not_name_a_theme_make_no_question(heading):
    document = read(f"# Harbour\n\n## {heading}\n\n{FILL * 6}\n\n## Dredging\n\n{FILL * 6}")
    assert _themes(document, outline(document)) == ["Dredging"]


def test_a_line_that_leaves_the_parties_to_the_next_ones_is_no_point_of_the_overview():
    text = "Lease agreement\n\nThis agreement is made between:\n\nHarbour Board\n\nOrla Voss\n\nWHEREAS the shed is empty.\n"
    document = Document.from_text(text)
    assert not [figure for figure in key_figures(document, "contract", None, Pipeline()) if figure.name == "Parties"]
    answer = citewell.ask([document], "Who are the parties?").text
    assert "Orla Voss" in answer
    assert "shed" not in answer


def test_a_row_without_its_columns_is_not_suggested_and_a_cell_is():
    table = read(
        "# Harbour\n\n| € | 2020 | 2019 |\n|---|---|---|\n| Total revenue | 5,930 | 5,180 |\n| Cash | 930 | 820 |\n"
    )
    answer = citewell.ask(table, "What was total revenue in 2020?")
    assert _reads_well(table, answer)
    assert not _reads_well(table, replace(answer, value=None, text="Total revenue | 5,930 | 5,180"))
