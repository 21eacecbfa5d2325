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


def test_what_both_sides_say_of_different_things_contradicts_nothing() -> None:
    text = "Ada Ltd was set up in 1931 by the town of Elvik to run ferries started in 1904."
    assert verdict(text, "Ada was set up in Elvik in 1931, running ferries started in 1904.") != "contradicted"


def test_an_amount_is_not_held_against_a_percentage() -> None:
    document = citewell.read(TABLE.format("5.6%", "5.8%").encode(), name="oriel.md")
    (result,) = citewell.check(document, ["Research cost was $190 million in 2024."])
    assert result.label != "contradicted"
    assert not any("5.6" in reason.message for reason in result.reasons)


def test_cells_contradict_with_their_reason() -> None:
    document = citewell.read(TABLE.format("182", "187").encode(), name="oriel.md")
    (result,) = citewell.check(document, ["Research cost was $190 million in 2024."])
    assert result.label == "contradicted"
    assert any("182" in reason.message for reason in result.reasons)


def test_cells_without_a_reason_contradict_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citewell.checkers.aligned.reasons", lambda *_: ())
    document = citewell.read(TABLE.format("182", "187").encode(), name="oriel.md")
    (result,) = citewell.check(document, ["Research cost was $190 million in 2024."])
    assert result.label == "partially_supported"
