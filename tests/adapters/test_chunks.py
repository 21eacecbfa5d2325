import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.adapters.chunks import Chunk, Chunks, by_id, piece, pieces
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut, in_both

REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"


def whole(**changes):
    return [Chunk(text, name, "harbour", start, **changes) for name, text, start in cut()]


def test_a_citation_is_a_range_of_its_chunk_and_of_the_whole_document():
    cited = Chunks(whole()).attribute("The café reopened on 2 May 2025.")
    (place,) = cited.places
    assert (place.chunk, place.chunk_id, place.chunk_start, place.chunk_end) == (2, "c2", 0, 32)
    assert (place.source, place.start, place.end) == ("harbour", 156, 188)
    assert TEXT[156:188] == place.quote == "The café reopened on 2 May 2025."


def test_chunks_come_back_in_the_callers_order_whatever_order_they_stand_in():
    reordered = whole()[::-1]
    cited = Chunks(reordered).attribute(WRITTEN)
    assert [place.chunk_id for place in cited.places] == [reordered[place.chunk].id for place in cited.places]
    assert all(in_both(place.to_dict(), [chunk.text for chunk in reordered]) for place in cited.places)
    assert [document.text.startswith("The harbour froze") for document in Chunks(reordered).documents()] == [True]


def test_a_chunk_without_offsets_is_cited_by_itself_and_not_searched_for():
    cited = Chunks([Chunk(text, name, "harbour") for name, text, _ in cut()], {"harbour": DOCUMENT}).attribute(WRITTEN)
    assert cited.places
    assert {(place.start, place.end, place.page) for place in cited.places} == {(None, None, None)}


def test_a_chunk_that_does_not_stand_where_it_says_is_told_and_keeps_only_its_own_range():
    wrong = Chunk("The café reopened on 2 May 2025.", "c9", "harbour", 3)
    cited = Chunks([wrong], {"harbour": DOCUMENT}).attribute("The café reopened on 2 May 2025.")
    assert (cited.places[0].chunk_start, cited.places[0].start) == (0, None)
    assert cited.answer.warnings == ("chunk c9 does not stand at 3 of harbour, as its metadata say",)


def test_a_source_that_is_given_lends_its_pages_and_rectangles():
    document = citewell.read(REPORT)
    chunks = [Chunk.of(text, name, data) for name, text, data in pieces(document)]
    cited = Chunks(chunks, by_id([document])).attribute("Northwater Ferries carried 1.75 million passengers in 2025.")
    place = cited.places[0]
    assert document.text[place.start : place.end] == place.quote
    assert place.page == 2
    assert place.rects == document.locate(place.start, place.end) != ()
    assert json.loads(json.dumps(cited.to_dict()))["citations"][0]["rects"][0][0] == 2


def test_sources_are_one_document_several_their_paths_or_a_mapping_of_either():
    report = citewell.read(REPORT)
    assert by_id(()) == by_id([]) == by_id({}) == {}
    assert by_id(DOCUMENT) == {DOCUMENT.id: DOCUMENT}
    assert by_id(item for item in (DOCUMENT, report)) == {DOCUMENT.id: DOCUMENT, report.id: report}
    assert by_id(str(REPORT)) == by_id([REPORT]) == {report.id: report}
    assert by_id({"mine": DOCUMENT, "theirs": REPORT}) == {"mine": DOCUMENT, "theirs": report}
    for wrong in (3, [3], {"mine": 3}):
        with pytest.raises(UsageError, match="int is no document|3 is not a Document"):
            by_id(wrong)


@pytest.mark.parametrize("answer", [3, None, ["Revenue rose."], b"Revenue rose."])
def test_an_answer_that_is_no_text_is_refused(answer):
    with pytest.raises(UsageError, match=f"an answer is a text, not {type(answer).__name__}"):
        Chunks(whole()).attribute(answer)


def test_support_counts_claims_and_the_faults_name_the_rest():
    cited = Chunks(whole()).attribute(WRITTEN)
    assert [statement.label for statement in cited.answer.statements] == ["supported", "contradicted"]
    assert cited.support == 0.5
    assert cited.faults == "contradicted: Three ferries were sold in March. (says Three; the evidence says Two)"
    assert Chunks(whole()).attribute("Thank you!").support is None
    assert Chunks(whole()).attribute("  ").to_dict()["statements"] == []


def test_a_question_is_answered_from_chunks_and_withheld_where_they_do_not_tell():
    assert Chunks(whole()).ask(QUESTION).places[0].quote == "Revenue rose to $5.9 million in 2025."
    cited = Chunks(whole()).ask("Who is the chief executive of the airline?")
    assert cited.answer.abstained
    assert cited.places == ()


def test_chunks_without_words_are_left_out_and_nothing_else_is_refused():
    cited = Chunks([Chunk(" "), *whole(), Chunk("")]).attribute("Two ferries were sold in March.")
    assert cited.places[0].chunk in {1, 2}
    with pytest.raises(UsageError, match="no chunk contains any words"):
        Chunks([Chunk(" ")]).ask(QUESTION)


def test_chunks_without_a_source_are_documents_of_their_own_and_equal_ids_do_no_harm():
    chunks = Chunks(
        [Chunk("The harbour froze.", "x"), Chunk("Two ferries were sold.", "x"), Chunk("The harbour froze.", "x")]
    )
    assert [document.text for document in chunks.documents()] == [chunk.text for chunk in chunks.chunks]
    cited = chunks.attribute("Two ferries were sold. The harbour froze.")
    assert [place.chunk for place in cited.places] == [1, 0]


@pytest.mark.parametrize(
    ("data", "source", "start", "page"),
    [
        ({"source": "a.pdf", "start_index": 4, "page_number": 2}, "a.pdf", 4, 2),
        ({"source_id": "x", "split_idx_start": 0, "source": "a.pdf"}, "x", 0, None),
        ({"start_index": True, "page_number": "3"}, None, None, None),
        ({"start_index": -1, "document_id": 7}, "7", None, None),
        ({"start": 12.5, "end": 20.0}, None, None, None),  # seconds of a video
        ({"page_label": "3"}, None, None, 3),
        ({"page_label": "iv", "page_number": np.int64(4)}, None, None, 4),
        ({"page_number": 0}, None, None, None),  # pages count from 1
        ({"start_index": 4, "end_index": 8}, None, 4, None),
        ({"start_index": 4, "end_index": 40}, None, None, None),  # of a text that was changed after it was cut
    ],
)
def test_metadata_tell_source_offset_and_page_by_the_names_that_frameworks_use(data, source, start, page):
    chunk = Chunk.of("text", "id", data)
    assert (chunk.source, chunk.start, chunk.page) == (source, start, page)
    assert type(chunk.page) is type(page)


@given(st.text("aé😀. \n", max_size=80).filter(str.strip))
def test_pieces_have_the_offsets_of_their_text(text):
    document = citewell.Document.from_text(text)
    for granularity in ("sentence", "paragraph"):
        for name, part, data in pieces(document, granularity):
            assert text[data["start_index"] : data["end_index"]] == part
            assert name == f"{document.id}:{data['segment_id']}"
    first = document.segments()[0]
    assert piece(document, first)[2]["document_id"] == document.id


WORDS = st.lists(
    st.sampled_from("the harbour froze two ferries were sold. Revenue rose in May 2025. 😀 \n\n".split(" ")),
    min_size=3,
    max_size=30,
)


@given(WORDS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 60)), min_size=1, max_size=5), st.randoms())
def test_however_a_text_is_cut_every_place_has_its_quote_in_chunk_and_whole(words, cuts, random):
    text = " ".join(words)
    chunks = [Chunk(text[start : start + size], None, "whole", start) for start, size in cuts]
    if not any(chunk.text.strip() for chunk in chunks):
        return
    random.shuffle(chunks)
    cited = Chunks(chunks, {"whole": citewell.Document.from_text(text + "x")}).attribute(
        "Two ferries were sold. The harbour froze in May."
    )
    for place in cited.places:
        chunk = chunks[place.chunk]
        assert chunk.text[place.chunk_start : place.chunk_end] == text[place.start : place.end] == place.quote
    assert not any("does not stand" in warning for warning in cited.answer.warnings)


def test_rows_of_a_table_may_have_nothing_where_others_tell_and_numbers_of_their_own():
    row = {"text": "Costs fell.", "id": np.int64(0), "source": math.nan, "title": math.nan, "start_index": np.int64(3)}
    assert Chunk.read(row) == Chunk("Costs fell.", "0", None, 3)
    assert type(Chunk.read(row).start) is int
    assert len(Chunks.read([row, {**row, "text": "Revenue rose."}]).documents()) == 2
