from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.attributors.verbatim import Verbatim, common_runs
from citewell.document import Document
from citewell.types import Draft, Span
from citewell_lab.bench.datasets.granular import copied_spans, marked

REPORT = Document.from_text(
    "The firm sold 12 boats in Oslo. Ann Smith met Bob.\n\nAnn Smith founded the firm.\n\nThe “Café” in Zürich 😀 closed."
)


def cite(text, granularity="token", targets=(), **settings):
    draft = Draft(text, statements=(Span(0, len(text)),), targets=targets)
    return Verbatim(**settings).attribute(draft, [REPORT], granularity)


def test_runs_are_quoted_exactly_longest_first():
    text = "In 1990 the FIRM sold 12 boats, and the café in Zürich closed."
    citations = cite(text)
    assert [(citation.quote, text[citation.answer_start : citation.answer_end]) for citation in citations] == [
        ("The firm sold 12 boats", "the FIRM sold 12 boats"),
        ("The “Café” in Zürich 😀 closed", "the café in Zürich closed"),
    ]
    assert [citation.score for citation in citations] == pytest.approx([5 / 6, 5 / 6])


def test_a_word_alone_is_no_run_unless_it_is_all_that_was_asked_about():
    assert cite("Boats float.") == ()
    assert [citation.quote for citation in cite("Boats float.", targets=(Span(0, 5),))] == ["boats"]
    assert [citation.quote for citation in cite("Boats float.", least=1)] == ["boats"]


@pytest.mark.parametrize(
    ("answer", "quotes"),
    [("The", []), ("of", []), ("May", ["May"]), ("ferry", ["ferry"]), ("The ferry", ["The ferry"])],
)
def test_a_function_word_alone_is_never_copied(answer, quotes):
    document = Document.from_text("The ferry of the island sails from May to October. It may rain there.")
    draft = Draft(answer, statements=(Span(0, len(answer)),))
    assert [citation.quote for citation in Verbatim().attribute(draft, [document], "token")] == quotes


def test_of_several_occurrences_the_one_counts_whose_neighbours_match():
    text = "Ann Smith started and founded it."
    citations = cite(text, "sentence", targets=(Span(0, 9),))
    assert [citation.quote for citation in citations] == ["Ann Smith founded the firm."]


def test_a_run_never_crosses_documents():
    first, second = Document.from_text("one two three"), Document.from_text("four five six")
    text = "two three four five"
    citations = Verbatim().attribute(Draft(text, statements=(Span(0, len(text)),)), [first, second], "token")
    assert {citation.quote for citation in citations} == {"two three", "four five"}


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), min_size=1, max_size=15), st.data())
def test_common_runs_are_those_of_a_plain_search(answer, source, data):
    cut = data.draw(st.integers(0, len(source)))
    parts = [int(place >= cut) for place in range(len(source))]
    runs = common_runs(np.array(answer, dtype=int), np.array(source), np.array(parts))
    for start, (positions, lengths) in enumerate(runs):
        wanted = {}
        for place in range(len(source)):
            size = 0
            while (
                start + size < len(answer)
                and place + size < len(source)
                and answer[start + size] == source[place + size]
                and parts[place + size] == parts[place]
            ):
                size += 1
            if size:
                wanted[place] = size
        assert dict(zip(positions.tolist(), lengths.tolist(), strict=True)) == wanted


def test_the_character_diff_marks_what_was_copied():
    pytest.importorskip("diff_match_patch")
    statement = "The video was filmed at Oheka Castle, and released in May."
    source = "Directed by X, it was filmed at Oheka Castle on Long Island."
    spans = copied_spans(statement, source)
    assert "was filmed at Oheka Castle," in {statement[start:end] for start, end in spans}
    assert marked("ab cd", [(Span(3, 5), 2)]) == "ab [ 2 cd ]"


@given(st.text("ab the.,é😀 ", max_size=30), st.text("ab the.,é😀 ", max_size=30))
def test_copied_spans_are_ordered_ranges_that_say_something(statement, source):
    pytest.importorskip("diff_match_patch")
    position = 0
    for start, end in copied_spans(statement, source):
        assert position <= start < end <= len(statement)
        assert any(char.isalnum() for char in statement[start:end])
        position = end


@given(st.text("ab é😀 cd", min_size=1, max_size=30))
def test_a_statement_that_is_its_source_is_copied_whole(text):
    pytest.importorskip("diff_match_patch")
    if any(word not in {"a", "d"} for word in text.replace("😀", " ").split()):
        spans = copied_spans(text, text)
        assert spans
        assert (spans[0].start, spans[-1].end) == (len(text) - len(text.lstrip()), len(text.rstrip()))
