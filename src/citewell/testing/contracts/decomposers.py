"""The contract of decomposers: units of the statement's own words, none lost or invented."""

from __future__ import annotations

import re

from citewell.protocols import Decomposer
from citewell.testing.contracts.scenarios import expect
from citewell.text.stopwords import stopwords

STATEMENTS = (
    "Ann Smith founded the firm in 1990.",
    "Ann founded the firm in 1990 and sold it in 2001, which made her rich.",
    "  Costs fell by 2%; revenue rose, while the aorta (a, b and c) is the largest artery.  ",
    "“He came and left”, said Ann, who founded it, but also sold the firm",
    "東京は日本の首都です。",
    "and 😀, which",
    "Boats",
)


def _content(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if word not in stopwords()["en"]}


def it_has_the_verb(decomposer: Decomposer) -> None:
    """It has `decompose`."""
    expect(isinstance(decomposer, Decomposer), "a decomposer has `decompose`")


def white_space_has_no_units(decomposer: Decomposer) -> None:
    """Nothing said, no units."""
    for statement in ("", "  ", "\n"):
        expect(decomposer.decompose(statement) == (), f"{statement!r} has no units")


def no_word_that_matters_is_lost_or_invented(decomposer: Decomposer) -> None:
    """Together the units hold the statement's words but for function words, and no others."""
    for statement in STATEMENTS:
        unit_words = set().union(*(_content(unit.text) for unit in decomposer.decompose(statement)))
        expect(
            unit_words == _content(statement), f"the units of {statement!r} hold its words, not {sorted(unit_words)}"
        )


def spans_are_where_the_words_stand(decomposer: Decomposer) -> None:
    """The words of a unit that matter stand in the statement's text at its spans."""
    for statement in STATEMENTS:
        for unit in decomposer.decompose(statement):
            text = " ".join(statement[span.start : span.end] for span in unit.spans)
            expect(_content(unit.text) <= _content(text), f"{unit.text!r} has the words that its spans hold, {text!r}")


def the_same_statement_gets_the_same_units(decomposer: Decomposer) -> None:
    """Nothing is drawn by chance."""
    for statement in STATEMENTS:
        first, second = (decomposer.decompose(statement) for _ in range(2))
        expect(first == second, f"two calls agree on {statement!r}")


SCENARIOS = (
    it_has_the_verb,
    white_space_has_no_units,
    no_word_that_matters_is_lost_or_invented,
    spans_are_where_the_words_stand,
    the_same_statement_gets_the_same_units,
)
