"""When a claim is called contradicted: one fact is turned round where all else agrees, and a reason can be told."""

from __future__ import annotations

import pytest

import citewell
from citewell import Document

TABLE = "# Oriel\n\n## Income\n\n| (in millions) | 2024 | 2023 |\n|---|---|---|\n| Research cost | {} | {} |\n"


def verdict(text: str, claim: str) -> str:
    (result,) = citewell.check(Document.from_text(text), [claim])
    return result.label


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The ferry carried 310 cars to Elvik in May.", "The ferry carried 130 cars to Elvik in May."),
        ("Ida Kestrel joined the board in 2019.", "Ida Kestrel joined the board in 2016."),
        ("The museum is not open on Mondays in winter.", "The museum is open on Mondays in winter."),
    ],
)
def test_one_fact_turned_round_where_all_else_agrees_contradicts(text: str, claim: str) -> None:
    assert verdict(text, claim) == "contradicted"


def test_words_beside_the_sentence_count_as_the_rest() -> None:
    text = "The tide mill is old. Its owners did not sell tickets to school classes."
    assert verdict(text, "The owners of the tide mill sold tickets to school classes.") == "contradicted"


@pytest.mark.parametrize(
    "claim",
    [
        "Of the 41 crew members who sailed with the bark Alma to the Cape, nobody spoke Dutch in 1850.",
        "The bark Alma sailed for the Cape with sugar, rope and forty barrels of tar in May 1852.",
    ],
)
def test_a_sentence_of_something_else_contradicts_nothing(claim: str) -> None:
    assert verdict("The bark Alma was built in 1848. She sailed to Dover with coal in April.", claim) != "contradicted"


def test_an_amount_is_not_held_against_a_percentage() -> None:
    document = citewell.read(TABLE.format("5.6%", "5.8%").encode(), name="oriel.md")
    (result,) = citewell.check(document, ["Oriel put $1,821 million into research cost in 2024."])
    assert result.label != "contradicted"
    assert not any("5.6" in reason.message for reason in result.reasons)


def test_cells_contradict_with_their_reason() -> None:
    document = citewell.read(TABLE.format("182", "187").encode(), name="oriel.md")
    (result,) = citewell.check(document, ["Research cost was $190 million in 2024."])
    assert result.label == "contradicted"
    assert any("182" in reason.message for reason in result.reasons)
