"""The passages that an abstention shows: the lines around the likeliest sentences, with what they lack."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import citewell
from citewell.generators.extractive.candidates import read
from citewell.generators.extractive.generator import Extractive
from citewell.generators.extractive.passages import beginnings, nearest_passages

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


def test_a_passage_has_at_most_a_hundred_words():
    text = "# Rules\n\n" + " ".join(f"Rule {n} of the pool is about towels and shoes in the hall." for n in range(40))
    lengths = [len(near.citation.quote.split()) for near in nearest("Which rule of the pool allows towels?", text)]
    assert 85 < max(lengths) <= 100


PAPER = """# Tides of the sound

## Method

```python
gauge = read_gauge(pier)
```

The gauge at the pier was read every hour. It was calibrated by two divers.

| Mast | Metres |
|---|---|
| North | 4.2 |

## References

Holt, A. The gauge at the pier. Journal of Tides 4, 12–19.

Ray, B. and Moss, C. Who calibrated the gauge at the pier? Sound Letters 9, 3.
"""


@pytest.mark.parametrize(
    "question", ["Who calibrated the gauge at the pier?", "Who published on the gauge at the pier?"]
)
def test_references_and_code_are_no_passages(question):
    quotes = [near.citation.quote for near in nearest(question, PAPER)]
    assert any("two divers" in quote for quote in quotes)
    assert not any(word in quote for quote in quotes for word in ("Holt", "Moss", "read_gauge"))


def test_references_are_shown_where_there_is_nothing_else():
    text = "# References\n\nHolt, A. The gauge at the pier. Journal of Tides 4, 12–19.\n"
    assert nearest("Who reads the gauge at the pier?", text)


VOTES = """# Oriel

## Votes

| Proposal | For | Against |
|---|---|---|
| Pay of executives | 59,657,810 | 4,760,830 |
| Auditors | 61,484,293 | 120,100 |

## Meetings

Holders are asked about the pay of the officers every third year. The next time is in May.
"""


def test_a_cell_without_the_words_of_the_question_is_no_place_to_look_at() -> None:
    first = nearest("How many holders are asked about the pay of the officers?", VOTES)[0]
    assert "every third year" in first.citation.quote
    assert first.lacks == ""


def test_what_cannot_be_quoted_still_leads_to_what_is_below_it() -> None:
    text = (
        "# Baths\n\n## Opening hours of the pool\n\nAsk at the desk.\n\n"
        "## Towels\n\nTowels of the pool cost 2 euros.\n\n## Lockers\n\nLockers are free.\n"
    )
    quotes = [near.citation.quote for near in nearest("What are the opening hours of the pool?", text)]
    assert quotes == ["Ask at the desk.", "Towels of the pool cost 2 euros.", "Lockers are free."]


def test_a_passage_with_more_of_the_question_comes_before_one_with_slightly_better_chances() -> None:
    text = "# Baths\n\n## A\n\nThe pool is deep.\n\n## B\n\nThe pool opens early on Sunday.\n"
    document = citewell.read(text.encode(), name="baths.md")
    reading = read("When does the pool open early on Sunday?", [document])
    lines = [reading.sentences.segments[number].text for number in reading.candidates.tolist()]
    ranked = np.array([float(line == "The pool is deep.") for line in lines], dtype=np.float32)
    quotes = [near.citation.quote for near in nearest_passages(reading, ranked, [document], 0.3, "extractive")]
    assert quotes[0] == "The pool opens early on Sunday."
    assert "The pool is deep." in quotes


def test_a_cell_of_words_is_no_place_to_look_at_for_a_number() -> None:
    text = (
        "# Scale\n\nOf a pool of 138 the first round kept half.\n\n"
        "| Ship | Item wording |\n|---|---|\n| Item height | I bend at doors. |\n| Item weight | I buy long coats. |\n"
    )
    near = nearest("How many items did they start from?", text)
    assert any("138" in each.citation.quote for each in near)
    assert not any(each.citation.granularity == "cell" for each in near)


def test_where_no_sentence_has_a_word_of_the_question_the_beginning_is_shown():
    answer = citewell.ask(citewell.read(MANUAL.encode(), name="manual.md"), "Who scrubbed the aquarium?")
    assert answer.abstained
    (beginning,) = answer.abstention.nearest
    assert beginning.citation.quote.startswith("Volunteers")
    assert "Marta Lind holds that post until June." in beginning.citation.quote
    assert beginning.lacks == "the beginning of the document"


def test_a_document_without_an_author_shows_its_beginning():
    answer = citewell.ask(citewell.read(MANUAL.encode(), name="manual.md"), "Who wrote this?")
    assert [near.lacks for near in answer.abstention.nearest] == ["the beginning of the document"]


def test_the_beginning_has_a_hundred_words_at_most_and_one_sentence_at_least():
    long = "word " * 150
    documents = [
        citewell.read(f"{long.strip()}. Short one.".encode(), name="long.txt"),
        citewell.read(("Ten words stand in each of the sentences of this. " * 30).encode(), name="many.txt"),
    ]
    near = beginnings(documents, "x")
    assert [len(each.citation.quote.split()) for each in near] == [150, 100]
    assert len(beginnings(documents * 2, "x")) == 3


def test_an_abstention_that_has_places_keeps_them():
    document = citewell.read(b"The yard lies in Orsund. It builds boats. The yard employs 212 people.", name="yard.txt")
    abstention = Extractive(threshold=0.99).generate("How many people work there?", [document]).abstention
    assert [near.citation.quote for near in abstention.nearest] == ["The yard employs 212 people."]


def test_a_passage_counts_what_it_has_of_the_question_by_like_words():
    text = "# Rent\n\nA flat was let. Its cost was told to nobody.\n\n# Ads\n\nThe price of a flat in town is 900 crowns.\n"
    first = nearest("What does a flat cost in town per month, and who told it?", text)[0]
    assert first.citation.quote.startswith("The price of a flat")
