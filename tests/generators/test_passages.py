"""The passages that an abstention shows: the lines around the likeliest sentences, with what they lack."""

from __future__ import annotations

import itertools

import citewell
from citewell.generators.extractive.generator import Extractive

MANUAL = """# Volunteers

## Shifts

Every shift at the shelter is led by a coordinator. The coordinator hands out the keys. Marta Lind holds that post until June.

## Animals

Dogs are walked twice a day. Cats stay inside.

## Money

- Fees are paid in advance.
- A place in the kennel takes 14 euros.
- Food is extra.
"""


def nearest(question: str, text: str = MANUAL):
    document = citewell.read(text.encode(), name="manual.md")
    abstention = Extractive(threshold=1.0).generate(question, [document]).abstention
    assert abstention is not None
    for near in abstention.nearest:
        assert document.text[near.citation.start : near.citation.end] == near.citation.quote
    return abstention.nearest


def test_a_passage_holds_the_lines_around_the_likeliest_sentence():
    first = nearest("Who leads the shifts at the shelter?")[0]
    assert "Marta Lind" in first.citation.quote
    assert first.citation.granularity == "window"


def test_a_passage_ends_at_headings():
    for near in nearest("Who walks the dogs at the shelter?"):
        assert not (
            "walked" in near.citation.quote and ("keys" in near.citation.quote or "Fees" in near.citation.quote)
        )


def test_items_of_a_list_are_read_together():
    assert any(
        "14 euros" in near.citation.quote for near in nearest("What are the fees to leave a dog here in advance?")
    )


def test_passages_do_not_overlap():
    places = sorted((near.citation.start, near.citation.end) for near in nearest("Who pays for dogs and cats inside?"))
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(places))


def test_a_heading_is_shown_by_what_is_below_it():
    quotes = [near.citation.quote for near in nearest("What are the shifts?")]
    assert "Shifts" not in quotes
    assert any("led by a coordinator" in quote for quote in quotes)


def test_words_of_the_headings_are_not_lacking():
    text = "# Harbour\n\n## Pilots and tugs\n\nThe crew of six works at night.\n\n## Berths\n\nThere are nine.\n"
    near = next(
        near for near in nearest("How many pilots work at night?", text) if "crew of six" in near.citation.quote
    )
    assert "pilots" not in near.lacks


def test_a_passage_has_at_most_sixty_words():
    text = "# Rules\n\n" + " ".join(f"Rule {n} of the pool is about towels and shoes in the hall." for n in range(40))
    for near in nearest("Which rule of the pool allows towels?", text):
        assert len(near.citation.quote.split()) <= 60
