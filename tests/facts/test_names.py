"""Names that stand for each other."""

from __future__ import annotations

import pytest

from citewell import Document
from citewell.facts.filer import speaker
from citewell.facts.tokens import tokens
from citewell.facts.words_aligned import align


def test_an_acronym_matches_the_name_that_it_stands_for_both_ways() -> None:
    short, full = tokens("The NRA runs trains."), tokens("The Nordic Rail Agency runs trains.")
    assert align(short, full).places[1] >= 0
    assert all(align(full, short).places[n] == 1 for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("claim", "sentence", "place"),
    [
        ("Halden sold two ferries.", "The Company sold two ferries.", 1),
        ("Halden sold two ferries.", "We sold two ferries.", 0),
        ("Halden's two ferries sank.", "Our two ferries sank.", 0),
        ("The two ferries of Halden sank.", "Two ferries of the Group sank.", 4),
    ],
)
def test_the_writer_of_a_report_matches_its_words_for_itself(claim: str, sentence: str, place: int) -> None:
    first, second = tokens(claim), tokens(sentence)
    name = next(n for n, word in enumerate(first.lower) if word == "halden")
    assert align(first, second).places[name] == -1
    assert align(first, second, frozenset(first.keys[name : name + 1])).places[name] == place


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Form 10-K\n\nHalden Shipping, Inc.\n\n(Exact name of registrant as specified in its charter)\n\nx", "halden"),
        ("Form 10-Q\n\nORVIK CORPORATION (Exact name of Registrant as specified) | x\n\nx", "orvik"),
        ("BERGEN -- Tolvik Inc. (NASDAQ: TLVK) today reported results.", "tolvik"),
        ("OSLO -- Skarnes Corporation today announced its results.", "skarnes"),
        ("News. eFerry Inc. (NYSE: EFRY), a line of ferries, reported results.", "eferry"),
    ],
)
def test_a_report_names_its_writer_on_its_cover(text: str, name: str) -> None:
    assert tokens(name).keys[0] in speaker(Document.from_text(text))


@pytest.mark.parametrize(
    "text", ["Halden sold two ferries.", "", "((", "Agreement of Halden AS (the Seller) and Orvik."]
)
def test_other_texts_name_no_writer(text: str) -> None:
    assert speaker(Document.from_text(text or "x")) == frozenset()
