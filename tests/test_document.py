import hashlib
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.document import Document, names
from citewell.errors import CorruptDocumentError, DocumentError, EmptyDocumentError, UsageError
from citewell.types import Block, Citation, Page, Rect


class Boxes:
    def locate(self, start, end):
        return (Rect(1, float(start), 0.0, float(end), 10.0),)


def test_identity_is_the_hash_of_the_text():
    document = Document.from_text("Grüße.")
    assert document.sha256 == hashlib.sha256("Grüße.".encode()).hexdigest()
    assert document.id == document.sha256[:16]


def test_a_document_without_text_is_refused():
    with pytest.raises(EmptyDocumentError, match="no text"):
        Document.from_text(" \n\t")


@given(st.lists(st.text(alphabet="ab .\n", max_size=20), min_size=1, max_size=6))
def test_passages_become_exactly_the_paragraphs(passages):
    if not "".join(passages).strip():
        return
    document = Document.from_passages(passages)
    assert [segment.text for segment in document.segments("paragraph")] == [p.strip() for p in passages if p.strip()]


@given(st.text(max_size=300))
def test_segments_are_slices_that_hold_everything_once(text):
    if not text.strip():
        return
    document = Document.from_text(text)
    for granularity in ("section", "paragraph", "sentence"):
        segments = document.segments(granularity)
        assert all(document.text[s.start : s.end] == s.text for s in segments)
        assert all(item.end <= other.start for item, other in pairwise(segments))
        assert "".join("".join(s.text.split()) for s in segments) == "".join(text.split())
        assert len({s.id for s in segments}) == len(segments)


def test_segments_are_made_once():
    document = Document.from_text("One. Two.")
    assert document.segments("sentence") is document.segments("sentence")


def test_an_unknown_granularity_is_refused():
    with pytest.raises(UsageError, match="'chapter'"):
        Document.from_text("x").segments("chapter")


def test_pages_are_found_by_offset():
    document = Document("one two three", pages=(Page(1, 0, 4, 10, 10), Page(2, 4, 8, 10, 10), Page(3, 8, 13, 10, 10)))
    assert [document.page_at(offset) for offset in (0, 3, 4, 7, 8, 12)] == [1, 1, 2, 2, 3, 3]
    assert Document.from_text("x").page_at(0) is None


def test_a_citation_is_placed_on_its_page_with_its_boxes():
    document = Document("one two", pages=(Page(1, 0, 4, 10, 10), Page(2, 4, 7, 10, 10)), locator=Boxes())
    placed = document.placed(Citation("d", "s", "sentence", "two", 4, 7, 0, 3))
    assert placed.page == 2
    assert placed.rects == (Rect(1, 4.0, 0.0, 7.0, 10.0),)


def test_a_saved_document_loads_as_it_was(tmp_path):
    document = Document(
        "Title\n\nText 😀 here.",
        title="Title",
        source="a.pdf",
        blocks=(Block(0, 5, "heading", 1), Block(7, 19)),
        pages=(Page(1, 0, 19, 595.0, 842.0, ("7",)),),
        warnings=("one page is a picture",),
    )
    path = tmp_path / "d.json"
    document.save(path)
    loaded = Document.load(path)
    assert loaded == document
    assert loaded.segments() == document.segments()


def test_a_changed_saved_document_is_refused(tmp_path):
    data = Document.from_text("Revenue rose.").to_dict()
    with pytest.raises(CorruptDocumentError, match="hash differs"):
        Document.from_dict({**data, "text": "Revenue fell."})


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", json.dumps({"text": 3})])
def test_a_file_that_is_no_saved_document_is_refused(tmp_path, content):
    path = tmp_path / "d.json"
    path.write_text(content)
    with pytest.raises(CorruptDocumentError, match="not a saved document"):
        Document.load(path)


def test_documents_of_one_title_are_told_apart_by_their_files_and_then_by_numbers():
    def written(text, title, source=None):
        return Document.from_text(text, title, source=source)

    result = (
        written("Text a.", "Annual report", "2021/north.pdf"),
        written("Text b.", "annual  report", "south.pdf"),
        written("Text c.", "Budget", "x/plan.pdf"),
        written("Text d.", "Budget", "y/plan.pdf"),
        written("Text e.", "Minutes", "minutes.pdf"),
        written("Text f.", None, "z\\Notes.txt"),
    )
    assert list(names(result).values()) == [
        "Annual report (north.pdf)",
        "annual report (south.pdf)",
        "Budget (plan.pdf) (1)",
        "Budget (plan.pdf) (2)",
        "Minutes",
        "Notes.txt",
    ]
    nameless = written("Text g.", None)
    assert names([nameless, nameless]) == {nameless.id: nameless.id}


def test_a_saved_document_that_is_not_there_is_said_to_be_not_there(tmp_path):
    with pytest.raises(DocumentError, match=r"none\.json cannot be read: No such file"):
        Document.load(tmp_path / "none.json")
