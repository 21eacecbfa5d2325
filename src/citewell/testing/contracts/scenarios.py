"""The building blocks of the contracts: scenarios, expectations, and their documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from citewell import Document
from citewell.types import Citation

Scenario = Callable[[Any], None]

REPORT = Document.from_text(
    "The company was founded in 1990 by Ann Smith. It sells boats to Norway.\n\n"
    "Revenue rose to 41 million in 2022. Café owners in Zürich say 😀 costs fell.\n\n"
    "東京は日本の首都です。\n\nRevenue rose to 41 million in 2022."
)
NOTE = Document.from_text("Blood flows through the aorta, which is the largest artery.", title="Note")
MARKS = Document.from_text("…\n\n— ?!")  # a document has text, and yet may have no word


def name(scenario: Scenario) -> str:
    """A scenario's name, for pytest's `ids`."""
    return scenario.__name__


def expect(condition: object, wanted: str) -> None:
    """Raise unless something holds.

    Raises:
        AssertionError: it does not; the text says what was wanted.
    """
    __tracebackhide__ = True
    if not condition:
        raise AssertionError(wanted)


def near(left: float, right: float, within: float = 1e-4) -> bool:
    """Whether two scores are the same but for the last digits, which batches change."""
    return abs(left - right) <= within


def expect_quotes(citations: Iterable[Citation], documents: Iterable[Document]) -> None:
    """Each quote is the text of its document at its offsets, and says something."""
    by_id = {document.id: document for document in documents}
    for citation in citations:
        expect(citation.document_id in by_id, f"{citation.document_id!r} is the id of a document that was given")
        text = by_id[citation.document_id].text[citation.start : citation.end]
        expect(text == citation.quote, f"the quote {citation.quote!r} is the text at its offsets, {text!r}")
        expect(citation.quote.strip(), "a quote holds more than white space")
