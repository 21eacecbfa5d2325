"""Names that stand for each other."""

from __future__ import annotations

import pytest

from citewell.facts.names import aliases
from citewell.facts.tokens import tokens
from citewell.facts.words_aligned import align


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Halden Shipping, Inc. (the “Company”) builds ferries.", ("halden", "compani")),
        ("Nordic Rail Agency (NRA) runs trains.", ("nordic", "nra")),
        ("Halden Shipping AS (hereinafter the Seller) agrees.", ("ship", "seller")),
    ],
)
def test_a_document_says_what_it_calls_a_name(text: str, pair: tuple[str, str]) -> None:
    assert pair in aliases(text)


@pytest.mark.parametrize("text", ["Sales (in thousands) rose.", "He left (Monday was free).", "", "((("])
def test_other_brackets_define_nothing(text: str) -> None:
    assert aliases(text) == frozenset()


def test_an_acronym_matches_the_name_that_it_stands_for_both_ways() -> None:
    short, full = tokens("The NRA runs trains."), tokens("The Nordic Rail Agency runs trains.")
    assert align(short, full).places[1] >= 0
    assert all(align(full, short).places[n] == 1 for n in (1, 2, 3))


def test_a_defined_name_matches_its_short_form() -> None:
    known = aliases("Halden Shipping, Inc. (the “Company”) builds ferries.")
    claim, result = tokens("Halden sold two ferries."), tokens("The Company sold two ferries.")
    assert align(claim, result).places[0] == -1
    assert align(claim, result, known).places[0] == 1
