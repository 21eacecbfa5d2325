"""Which statements claim something: headings, labels before a colon and greetings do not."""

import pytest

from citewell.text.claims import makes_claim


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Key findings", False), ("**Key findings**", False), ("Summary", False), ("1. Overview", False),
        ("Conclusion:", False), ("**Revenue by year:**", False), ("## Revenue", False), ("***", False),
        ("Key revenue", True), ("Revenue findings", True), ("Summary of revenue", True), ("Revenue by year:", True),
        ("Key findings 2022", True), ("Did revenue rise?", False), ("Revenue rose.", True),
    ],
)  # fmt: skip
def test_headings_claim_nothing_and_words_of_the_matter_do(text, claims):
    assert makes_claim(text) == claims
