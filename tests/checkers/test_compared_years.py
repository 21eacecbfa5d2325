"""Reports that put last year's figure in a bracket: "Revenue was £86.6 million (2021: £82.7 million)"."""

import pytest

import citewell

TEXT = (
    "Fenwick makes ladders. Revenue for the year increased to £86.6 million (2021: £82.7 million). "
    "The loss before tax was £2 million (2021: £1 million). It employed 410 people on average (2021: 395)."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Revenue was £82.7 million in 2021.", True),
        ("Revenue rose to £86.6 million in 2022.", True),
        ("Revenue was £86.6 million in 2022, up from £82.7 million in 2021.", True),
        ("In 2021 the loss before tax was £1 million.", True),
        ("Revenue was £86.6 million in 2021.", False),
        ("Revenue was £82.7 million in 2022.", False),
        ("In 2021 the loss before tax was £2 million.", False),
    ],
)
def test_a_bracket_has_the_figure_of_its_year(claim: str, supported: bool) -> None:
    (verdict,) = citewell.check(citewell.Document.from_text(TEXT), [claim])
    assert (verdict.label == "supported") is supported


def test_a_bracket_may_hold_both_years() -> None:
    text = citewell.Document.from_text(
        "Fenwick makes ladders. Revenue recognition (revenue £86.6 million; 2021: £82.7 million)."
    )
    assert citewell.ask(text, "What was revenue in 2021?").value.text == "£82.7 million"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was revenue in 2021?", "£82.7 million"),
        ("What was the revenue?", "£86.6 million"),
        ("What was the loss before tax in 2021?", "£1 million"),
    ],
)
def test_a_question_for_the_year_before_is_answered_from_the_bracket(question: str, value: str) -> None:
    answer = citewell.ask(citewell.Document.from_text(TEXT), question)
    assert answer.value is not None
    assert answer.value.text == value
