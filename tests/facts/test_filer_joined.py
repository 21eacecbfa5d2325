"""A company's name in one word, or with a mark inside, is the filer's, so that a question may name it."""

from __future__ import annotations

import citewell

ROWS = "\n\n## Consolidated statements of income\n\n| (in millions) | 2024 | 2023 |\n|---|---|---|\n| Net loss | 182 | 187 |\n| Harbour fees | 41 | 39 |\n"


def value(head: str, question: str) -> float | None:
    answer = citewell.ask(citewell.read((head + ROWS).encode(), name="report.md"), question)
    return None if answer.abstained or answer.value is None else answer.value.number


COVER = "# 2024\n\nNorth Quay Corporation\n\n(Exact name of registrant as specified in its charter)\n\nNorthQuay runs harbours.\n"
PRESS = "# First highlights\n\nOriel.com, Inc. (NASDAQ: ORL), a shop for sailors, announced its results.\n"


def test_a_name_of_two_words_may_be_written_as_one() -> None:
    assert value(COVER, "What harbour fees did NorthQuay have in 2024?") == 41


def test_a_name_that_the_document_does_not_join_is_not_its_own() -> None:
    assert value(COVER.replace("NorthQuay runs", "It runs"), "What harbour fees did NorthQuay have in 2024?") is None


def test_a_name_with_a_mark_stands_before_its_symbol() -> None:
    assert value(PRESS, "What harbour fees did Oriel.com have in 2024?") == 41


def test_another_company_is_not_the_filer() -> None:
    assert value(PRESS, "What harbour fees did Southport.com have in 2024?") is None
