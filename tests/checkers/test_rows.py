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


@pytest.mark.parametrize(
    "claim",
    ["Net income fell from 1,042.7 to 844.4.", "Operating income went from 1,085.3 in 2021 to 1,083.7 in 2022."],
)
def test_a_change_against_the_years_of_a_row_is_told(statement, claim):
    (verdict,) = check(statement, claim)
    assert verdict.label in ("contradicted", "not_supported", "partially_supported")
    (reason,) = (reason for reason in verdict.reasons if reason.kind == "direction")
    place = reason.evidence
    assert statement.text[place.start : place.end] in ("1,042.7", "$1,042.7", "$ 1,042.7", "1,085.3")
    assert "is the figure of" in reason.message


def test_a_change_against_a_sentence_is_told():
    document = Document.from_text("In 2020 90.8 per cent of trains were on time, against 92.6 per cent in 2019.")
    (right,) = check(document, "The share of trains on time fell from 92.6 to 90.8 per cent.")
    (wrong,) = check(document, "The share of trains on time rose from 90.8 to 92.6 per cent.")
    assert not any(reason.kind == "direction" for reason in right.reasons)
    assert wrong.label != "supported"
    assert "the evidence goes from 92.6 per cent to 90.8 per cent" in [reason.message for reason in wrong.reasons]
