"""Two figures of a claim that the evidence gives to each other's things, and the same ones in their places."""

from __future__ import annotations

import pytest

import citewell

# What the evidence says; a true claim in other words or order; the same with its figures exchanged.
CASES = [
    (
        "The brewery sold 4,120 barrels of stout and 9,870 barrels of lager last winter.",
        "The brewery sold 9,870 barrels of lager and 4,120 barrels of stout last winter.",
        "The brewery sold 4,120 barrels of lager and 9,870 barrels of stout last winter.",
    ),
    (
        "Response rates differed by arm: ketamine (64%) and saline (28%).",
        "Response rates by arm were 28% for saline and 64% for ketamine.",
        "Response rates by arm were 64% for saline and 28% for ketamine.",
    ),
    (
        "The tablet costs $45 USD, the laptop costs $720 USD, and the server costs $2900 USD.",
        "The laptop costs $720 and the server $2900.",
        "The laptop costs $2900 and the server $720.",
    ),
    (
        "We employ 21,440 hourly and 3,310 salaried workers.",
        "They employ 3,310 salaried and 21,440 hourly workers.",
        "They employ 21,440 salaried and 3,310 hourly workers.",
    ),
    (
        "Haplotypes A4 (37%) and B2 (19%) were the most frequent.",
        "The most frequent haplotypes were B2 with 19% and A4 with 37%.",
        "The most frequent haplotypes were B2 with 37% and A4 with 19%.",
    ),
    (
        "Complaints by e-mail are answered within 25 days and complaints by letter within 40 days.",
        "Letter complaints are answered within 40 days and e-mail complaints within 25 days.",
        "Letter complaints are answered within 25 days and e-mail complaints within 40 days.",
    ),
    (
        "At baseline 31 patients (44%) had mild anaemia while 39 (56%) had severe anaemia.",
        "At baseline 44% of the patients had mild anaemia and 56% severe anaemia.",
        "At baseline 56% of the patients had mild anaemia and 44% severe anaemia.",
    ),
    (
        "The council adopted the harbour plan in May 1968. The council adopted the railway plan in June 1974.",
        "The council adopted the railway plan in June 1974 and the harbour plan in May 1968.",
        "The council adopted the railway plan in May 1968 and the harbour plan in June 1974.",
    ),
    (
        "Hydropower generated approximately 46% of our output. Wind generated approximately 17% of our output.",
        "Wind generated about 17% and hydropower about 46% of the output.",
        "Wind generated about 46% and hydropower about 17% of the output.",
    ),
    (
        "The corpus has 310 000 training sentences and 14 500 test sentences.",
        "The corpus has 14,500 test sentences and 310,000 training sentences.",
        "The corpus has 310,000 test sentences and 14,500 training sentences.",
    ),
]


@pytest.mark.parametrize(("evidence", "true", "exchanged"), CASES)
def test_figures_of_two_things_are_told_apart(evidence: str, true: str, exchanged: str) -> None:
    document = citewell.Document.from_text(evidence)
    kept, passed = citewell.check(document, [true, exchanged])
    assert kept.label == "supported"
    assert passed.label != "supported"


def test_a_list_with_respectively_is_read_as_a_list() -> None:
    document = citewell.Document.from_text(
        "In 2022, 2021 and 2020, exports were 74%, 79% and 78% of sales, respectively."
    )
    kept, passed = citewell.check(
        document,
        [
            "In 2022, 2021 and 2020, exports were 74%, 79% and 78% of sales, respectively.",
            "In 2022, 2021 and 2020, exports were 79%, 74% and 78% of sales, respectively.",
        ],
    )
    assert (kept.label, passed.label != "supported") == ("supported", True)


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("It was not feasible to blind nurses or patients.", "Nurses and patients were blinded."),
        ("The four samples tested negative for hantavirus.", "The four samples had hantavirus."),
        ("There were no reported falls or fractures.", "Falls and fractures were reported."),
    ],
)
def test_what_a_denial_reaches_is_denied_to_the_end_of_its_scope(evidence: str, claim: str) -> None:
    (verdict,) = citewell.check(citewell.Document.from_text(evidence), [claim])
    assert verdict.label != "supported"


def test_non_denies_the_word_that_it_is_joined_to_alone() -> None:
    document = citewell.Document.from_text(
        "The firm signed a non-binding letter to sell its mill to Ann Reed in March."
    )
    (verdict,) = citewell.check(document, ["The firm signed a letter to sell its mill to Ann Reed in March."])
    assert verdict.label == "supported"
