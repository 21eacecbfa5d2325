"""Marks by which an answer cites are no part of what it says."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.text.marks import without_marks
from citewell.types.marks import Unmarked

REPORT = Document.from_text(
    "Revenue rose to 40 million euros in 2025. Two ferries were sold in March. The board met in Turku."
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It rose [2].", "It rose    ."),
        ("It rose.[1][12] It fell.", "It rose.        It fell."),
        ("It rose [1, 3] and fell [2-4].", "It rose        and fell      ."),
        ("It rose [^4].", "It rose     ."),
        ("It rose【3:0†report.pdf】.", "It rose" + " " * 16 + "."),
        ("The risk was 2 (95% CI [1, 5]).", "The risk was 2 (95% CI [1, 5])."),
        ("See [the report](x.html) and [2](b.html).", "See [the report](x.html) and [2](b.html)."),
        ("[1]", "[1]"),
        ("Sales of [2025] are [sic] said.", "Sales of [2025] are [sic] said."),
    ],
)
def test_marks_are_blanked_and_nothing_else(text, plain):
    assert without_marks(text) == plain


@given(st.text(alphabet="ab 12[],.-^【】\n", max_size=40))
def test_offsets_stay_as_they_were(text):
    plain = without_marks(text)
    assert len(plain) == len(text)
    assert all(there in (here, " ") for here, there in zip(text, plain, strict=True))


def test_an_answer_with_marks_is_attributed_as_without_them_and_keeps_its_text():
    marked = "Revenue rose to 40 million euros in 2025 [2]. Three ferries were sold in March.[1]"
    answer = citewell.attribute(REPORT, marked)
    plain = citewell.attribute(REPORT, without_marks(marked))
    assert answer.text == marked
    assert [statement.text for statement in answer.statements] == [
        marked[statement.start : statement.end] for statement in answer.statements
    ]
    assert [statement.label for statement in answer.statements] == ["supported", "contradicted"]
    assert answer.citations == plain.citations
    assert [citation.quote for citation in answer.citations] == [
        "Revenue rose to 40 million euros in 2025.", "Two ferries were sold in March.",
    ]  # fmt: skip
    assert citewell.verify(answer, [REPORT]).ok
    assert answer.usage["digest"] == answer.digest


def test_a_claim_with_marks_is_checked_as_without_them():
    (verdict,) = citewell.check(REPORT, "Three ferries were sold in March [1].")
    assert (verdict.claim, verdict.label) == ("Three ferries were sold in March [1].", "contradicted")


MARKS = json.loads((Path(__file__).parent / "data" / "marks.json").read_text(encoding="utf-8"))
PORT = Document.from_text(
    "The port handled 5.2 million tonnes in 2024. It employs 412 people. The quay is 900 metres long."
)
FIRST, SECOND = "The port handled 5.2 million tonnes in 2024", "It employs 412 people."
ENUMERATING = ("(1)", "(2, 3)")  # behind the end of a sentence they number what follows


PLACES = [
    (mark, place)
    for mark in MARKS["forms"]
    for place in ("before the stop", "behind it")
    if place == "before the stop" or mark not in ENUMERATING
]


@pytest.mark.parametrize(("mark", "place"), PLACES)
def test_a_mark_of_somebody_is_set_aside_and_never_printed_beside_ours(mark, place):
    blank = "" if mark[0] in "¹²†" else " "
    first = f"{FIRST}{blank}{mark}." if place == "before the stop" else f"{FIRST}.{blank}{mark}"
    answer = citewell.attribute(PORT, f"{first} {SECOND}")
    assert answer.marked == f"{FIRST}. [1] {SECOND} [2]"
    assert answer.text == f"{first} {SECOND}"


@pytest.mark.parametrize("text", MARKS["plain"])
def test_what_only_looks_like_a_mark_stays(text):
    assert Unmarked(text).text == text
