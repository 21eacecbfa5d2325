"""Changes against the order of the years, in a table's row and in a sentence."""

import pytest
from tests.statements import LAYOUTS, make

from citewell import Document, check, read


@pytest.fixture(scope="module")
def statement():
    return read(make(LAYOUTS["ended"])[0], name="statement.pdf")


def test_a_change_along_the_years_is_no_conflict(statement):
    (verdict,) = check(statement, "Net income rose from 844.4 to 1,042.7.")
    assert verdict.label != "contradicted"
    assert not any(reason.kind == "direction" for reason in verdict.reasons)


def test_a_change_against_the_years_of_a_row_is_told(statement):
    (verdict,) = check(statement, "Net income fell from 1,042.7 to 844.4.")
    assert verdict.label == "contradicted"
    (reason,) = (reason for reason in verdict.reasons if reason.kind == "direction")
    assert statement.text[reason.evidence.start : reason.evidence.end].endswith("1,042.7")
    assert reason.message.startswith("says “fell”; Net income, ")


@pytest.mark.parametrize(
    ("claim", "against"), [("Ships rose from 182 to 187.", True), ("Ships fell from 187 to 182.", False)]
)
def test_a_change_of_what_a_row_names_with_more_words_is_told_by_its_years(claim, against):
    table = b"# Oriel\n\n## Fleet\n\n| | 2024 | 2023 |\n|---|---|---|\n| Ships at sea | 182 | 187 |\n"
    (verdict,) = check(read(table, name="oriel.md"), claim)
    told = [reason for reason in verdict.reasons if reason.message == "182 is the figure of 2024, 187 that of 2023"]
    assert [(claim[reason.start : reason.end], reason.kind) for reason in told] == [
        ("182 to 187", "direction")
    ] * against


def test_figures_under_each_others_years_are_told(statement):
    (verdict,) = check(statement, "Operating income went from 1,085.3 in 2021 to 1,083.7 in 2022.")
    assert verdict.label == "contradicted"
    assert [reason.kind for reason in verdict.reasons if reason.kind != "missing"] == ["date", "date"]


def test_a_change_against_a_sentence_is_told():
    document = Document.from_text("In 2020 90.8 per cent of trains were on time, against 92.6 per cent in 2019.")
    (right,) = check(document, "The share of trains on time fell from 92.6 to 90.8 per cent.")
    (wrong,) = check(document, "The trains on time rose from 90.8 to 92.6 per cent.")
    assert not any(reason.kind == "direction" for reason in right.reasons)
    assert wrong.label != "supported"
    assert "the evidence goes from 92.6 per cent to 90.8 per cent" in [reason.message for reason in wrong.reasons]
