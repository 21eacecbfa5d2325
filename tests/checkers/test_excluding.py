"""What contradicts nothing: slots of several kinds, degrees, other clauses, suppositions, figures that are told too."""

from __future__ import annotations

import pytest

import citewell
from citewell import Document


def label(text: str, claim: str) -> str:
    (result,) = citewell.check(Document.from_text(text), [claim])
    return result.label


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The ferry carried 310 cars to Elvik in May.", "The ferry carried 130 cars to Elvik in May."),
        ("The ferry carried 310 cars in May. It cost €130 in May.", "The ferry carried 130 cars in May."),
        ("The harbour was frozen before the war.", "The harbour was frozen after the war."),
        ("The harbour is not deep.", "The harbour is deep."),
        ("The harbour is deep.", "The harbour is not deep."),
        ("The mill refused to sell flour to the army.", "The mill sold flour to the army."),
        ("Guests may smoke in the hall.", "Smoking is prohibited in the hall."),
        ("Costs were 41 and 52 million in 2021 and 2020, respectively.", "Costs were 52 million in 2021."),
        ("Elvik has beaten Tarn in the final.", "Tarn has beaten Elvik in the final."),
        ("The lamp was lit at 250 degrees Celsius (482°F).", "The lamp was lit at 270 degrees Celsius."),
    ],
)
def test_one_slot_that_excludes_the_other_contradicts(text: str, claim: str) -> None:
    assert label(text, claim) == "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The ferry carried 310 cars to Elvik in May 2014.", "The ferry carried 130 cars to Elvik in June 2016."),
        ("The old ferry is not painted.", "The new ferry is painted."),
        ("Anna taught Bea to sail.", "Bea taught Anna to row."),
        (
            "Halden Shipping and Trading bought the northern ferry line Morvik Seaways.",
            "The northern ferry line Morvik Seaways bought Halden Shipping and Trading.",
        ),
    ],
)
def test_slots_of_several_kinds_may_be_of_something_else(text: str, claim: str) -> None:
    assert label(text, claim) != "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The harbour is often frozen in March.", "The harbour is usually frozen in March."),
        ("The market was mostly rebuilt by the town.", "The market was entirely rebuilt by the town."),
        ("Tenants may keep a dog in the yard.", "Tenants must keep a dog in the yard."),
    ],
)
def test_a_degree_excludes_no_other(text: str, claim: str) -> None:
    assert label(text, claim) != "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The price is not fixed, but it is fixed when the boat is sold.", "The price is fixed when the boat is sold."),
        ("Meals go to pupils, pensioners or sailors at reduced or no cost.", "Meals go to sailors at reduced cost."),
        ("If the boat is not insured, its owner must insure the boat.", "The boat is insured."),
        ("Nobody knows whether the tower was not painted.", "The tower was painted."),
        (
            "Neither this lease, nor either tenant's payment, will grant the tenant any right to the roof.",
            "The lease does not grant the tenant any right to the roof.",
        ),
        (
            "The tower is not a church, but a mill for the town of Elvik.",
            "The tower is not a mill for the town of Elvik.",
        ),
        ("The tower was a mill in the war.", "The tower was nothing but a mill in the war."),
        ("The guild owns the ferry Oriel.", "The guild owns no ferry but the Oriel."),
        ("Has the ferry been painted?", "The ferry has not been painted."),
    ],
)
def test_a_denial_of_another_proposition_contradicts_nothing(text: str, claim: str) -> None:
    assert label(text, claim) != "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Ole Kvam (born Ole Lund; 12 March 1875 – 1 May 1947) was a painter.", "Ole Kvam died on 1 May 1947."),
        (
            "Anna's brother earns more than double his sister's salary.",
            "Anna's brother earns more than double her salary.",
        ),
    ],
)
def test_birth_and_death_and_pronouns_exclude_nothing(text: str, claim: str) -> None:
    assert label(text, claim) != "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "Fat cooked at 250°C (482°F) or higher becomes harmful to the body.",
            "Fat cooked at more than 250 degrees Celsius becomes harmful to the body.",
        ),
        ("Three ships in four sank.", "Three quarters of the ships sank."),
        ("Two of three ships sank in May.", "Two thirds of the ships sank in May."),
        ("The fleet lost half of its ships.", "The fleet lost 30 ships."),
        ("Ida is the oldest at 24 years, and Per is 21.", "Per is 21 and Ida is 24."),
        ("Sales rose in the second quarter of 2023.", "Sales rose against a year before."),
        ("RESULTS One in five trials ended early, one in three late.", "One in five trials ended early."),
    ],
)
def test_a_figure_that_the_evidence_has_too_excludes_nothing(text: str, claim: str) -> None:
    assert label(text, claim) != "contradicted"


def test_a_row_of_another_item_contradicts_nothing() -> None:
    table = (
        "# Oriel\n\n## Income\n\n| (in millions) | 2024 | 2023 |\n|---|---|---|\n| Other income, net | 182 | 187 |\n"
    )
    (result,) = citewell.check(citewell.read(table.encode(), name="oriel.md"), ["Net income was $190 million in 2024."])
    assert not result.reasons
