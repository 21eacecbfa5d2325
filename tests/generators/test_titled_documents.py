"""A question that calls a document by its title asks for what stands below it, not for the title."""

from __future__ import annotations

import pytest

import citewell
from citewell.document import Document

CLAUSES = (
    "The parties are Orla Works and Tern Foundry.",
    "The receiving party keeps every drawing in a locked room.",
    "Copies are made only where the work cannot go on without them.",
    "A courier of either party carries the originals.",
    "Each party names one person who keeps the list of copies.",
    "That person may be changed by a letter.",
    "Nothing here binds a party to buy castings.",
    "Patterns lent for trials go back within ninety days.",
    "This agreement is governed by the laws of Norway.",
    "Disputes go to the district court of Bergen.",
    "Employees sign a promise before they see a drawing.",
    "Visitors are led by a foreman at all times.",
    "Photographs are forbidden in the pattern shop.",
    "A party that loses a drawing says so on the same day.",
    "The penalty for a lost drawing is 4,000 kroner.",
    "Either party may end this agreement with three months' notice.",
)
FILLING = tuple(f"Schedule {number} lists castings of the kind {number} and their weights." for number in range(1, 25))


@pytest.fixture(scope="module")
def contract() -> Document:
    title = "Mutual Pattern Secrecy Agreement\n\nThis Mutual Pattern Secrecy Agreement is made between two foundries."
    return Document.from_text("\n\n".join((title, *CLAUSES, *FILLING)))


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("Which country's laws govern the mutual pattern secrecy agreement?", "Norway"),
        ("What is the penalty for a lost drawing under the mutual pattern secrecy agreement?", "4,000 kroner"),
        ("Where do disputes under the mutual pattern secrecy agreement go?", "Bergen"),
    ],
)
def test_the_clause_answers_and_not_the_title(contract: Document, question: str, evidence: str) -> None:
    answer = citewell.ask(contract, question)
    assert evidence in answer.text
    assert "made between two foundries" not in answer.text


def test_words_of_the_first_sentence_of_a_passage_are_not_its_title() -> None:
    passage = Document.from_text("The Harbour Bridge opened in 1932. It carries eight lanes.")
    answer = citewell.ask(passage, "When did the Harbour Bridge open?")
    assert "1932" in answer.text
