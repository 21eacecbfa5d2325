"""Figures of a claim against those that its evidence has for the same time, and rises and falls that figures tell."""

import pytest

import citewell
from citewell.document import Document

MILL = Document.from_text(
    "Turnover of the mill was 61.3 million euros in 2019 and 58.4 million euros in 2018. Energy costs rose from 10.2 "
    "million euros in 2018 to 11.9 million euros in 2019. The mill employed 810 people at the end of 2019, up from 795 "
    "a year earlier."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Turnover was 58.4 million euros in 2018.", True),
        ("Turnover was 61.3 million euros in 2018.", False),
        ("Energy costs were 10.2 million euros in 2018.", True),
        ("Energy costs were 11.9 million euros in 2018.", False),
        ("The mill employed 795 people at the end of 2018.", True),
        ("The mill employed 810 people at the end of 2018.", False),
        ("Turnover rose in 2019.", True),
        ("Turnover fell in 2019.", False),
        ("Energy costs fell in 2019.", False),
        ("The turnover of the mill decreased.", False),
    ],
)
def test_a_figure_is_of_its_time_and_two_figures_tell_which_way(claim, supported):
    (verdict,) = citewell.check(MILL, claim)
    assert (verdict.label == "supported") == supported, verdict


def test_the_reason_names_both_figures():
    (verdict,) = citewell.check(MILL, "Turnover fell in 2019.")
    assert verdict.label == "contradicted"
    assert [reason.message for reason in verdict.reasons] == [
        "says “fell”; the evidence goes from 58.4 million euros to 61.3 million euros"
    ]
