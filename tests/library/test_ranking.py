"""The ranking over segments: right by hand, and the same however the library grew."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell import Document
from citewell.errors import LibraryError
from citewell.library.index import Index
from citewell.library.search import arrays
from citewell.library.search.postings import Segment, merge, of_document
from citewell.library.search.rank import Ranking, Weights
from citewell.library.store.database import Database
from citewell.library.store.records import Kept

PLAIN = Weights(k1=1.2, b=0.0, heading=0.0, title=0.0)


def segment(*documents):
    parts = [Segment(of_document(number, document)) for number, document in documents]
    return Segment(merge(parts, [np.ones(1, bool) for _ in parts]))


def everything(*segments):
    return Ranking(segments, [np.ones(len(segment.numbers), bool) for segment in segments])


FERRIES = Document.from_text("The ferry Eider burned.\n\nNo ferry sailed.\n\nTickets were sold.", title="Ferries")
ROADS = Document.from_text("The road was closed.\n\nTickets were dear, and tickets were few.", title="Roads")


def test_a_score_is_bm25_by_hand():
    (hit, *_) = everything(segment((1, FERRIES), (2, ROADS))).search("burned", 5, weights=PLAIN)
    assert (hit.document, hit.ordinal, hit.start, hit.end) == (1, 0, 0, 23)
    rarity = math.log1p((5 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(rarity * 1 * 2.2 / (1.2 + 1))


def test_more_of_a_term_counts_more_but_less_each_time():
    hits = everything(segment((1, FERRIES), (2, ROADS))).search("tickets", 5, weights=PLAIN)
    rarity = math.log1p((5 - 2 + 0.5) / (2 + 0.5))
    assert [(hit.document, hit.ordinal) for hit in hits] == [(2, 1), (1, 2)]
    assert [hit.score for hit in hits] == pytest.approx([rarity * 2 * 2.2 / (1.2 + 2), rarity])


def test_long_paragraphs_are_held_down():
    hits = everything(segment((1, FERRIES), (2, ROADS))).search("tickets", 5, weights=PLAIN._replace(b=1.0))
    mean = (4 + 3 + 3 + 4 + 7) / 5
    rarity = math.log1p((5 - 2 + 0.5) / (2 + 0.5))
    often = {2: 2 / (7 / mean), 1: 1 / (3 / mean)}
    expected = {key: rarity * value * 2.2 / (1.2 + value) for key, value in often.items()}
    assert {hit.document: hit.score for hit in hits} == pytest.approx(expected)


def test_the_title_speaks_for_all_paragraphs_of_its_document():
    ranking = everything(segment((1, FERRIES), (2, ROADS)))
    assert [hit.document for hit in ranking.search("roads tickets", 1, weights=PLAIN._replace(title=1.0))] == [2]
    hits = ranking.search("roads", 9, weights=PLAIN._replace(title=1.0))
    assert [(hit.document, hit.ordinal) for hit in hits] == [(2, 0), (2, 1)]


def test_a_heading_speaks_for_what_stands_under_it():
    document = Document.from_text("# Winter\n\nThe harbour froze.\n\n# Summer\n\nThe harbour was open.")
    blocks = document.segments("paragraph")
    hits = everything(segment((1, document))).search("summer harbour", 1, weights=PLAIN._replace(heading=1.0))
    assert hits
    assert blocks[hits[0].ordinal].start == hits[0].start


def test_documents_that_are_not_seen_change_nothing():
    alone = everything(segment((1, FERRIES)))
    both = segment((1, FERRIES), (2, ROADS))
    hidden = Ranking([both], [np.array([True, False])])
    for question in ("tickets", "ferry sailed", "road"):
        assert hidden.search(question, 9) == alone.search(question, 9)


def test_documents_that_are_not_wanted_are_no_hits_and_change_no_score():
    both = everything(segment((1, FERRIES), (2, ROADS)))
    wanted = both.search("tickets", 9, [np.array([True, False])])
    assert wanted == [hit for hit in both.search("tickets", 9) if hit.document == 1]


def test_a_question_of_function_words_is_asked_as_it_is():
    hits = everything(segment((1, FERRIES), (2, ROADS))).search("were", 9, weights=PLAIN)
    assert {hit.document for hit in hits} == {1, 2}


def test_each_language_has_its_own_terms():
    german = Document.from_text("Die Fähren fuhren nicht, und das war für alle schlecht. Der Hafen ist zu.")
    ranking = everything(segment((1, FERRIES), (2, german)))
    assert [hit.document for hit in ranking.search("Fähre", 9)] == [2]


WORDS = st.lists(st.sampled_from("ferry road the burned ticket 12 harbour Ärger 船票".split()), min_size=1, max_size=8)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=4).map("\n\n".join)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, st.text("ab ferry", max_size=6)), min_size=1, max_size=6), st.data())
def test_scores_do_not_depend_on_how_the_library_grew(texts, data):
    documents = [(number, Document.from_text(text, title=title or None)) for number, (text, title) in enumerate(texts)]
    kept = data.draw(st.sets(st.sampled_from(range(len(documents))), min_size=1))
    fresh = segment(*(documents[number] for number in sorted(kept)))
    cut = data.draw(st.integers(0, len(documents)))
    order = data.draw(st.permutations(documents))
    parts = [segment(*some) for some in (order[:cut], order[cut:]) if some]
    alive = [np.isin(part.numbers, sorted(kept)) for part in parts]
    merged = merge(parts, alive)
    assert all(np.array_equal(merged[name], fresh.arrays[name]) for name in fresh.arrays)
    for question in ("ferry burned", "the 12 ticket", "船票"):
        assert Ranking(parts, alive).search(question, 4) == everything(fresh).search(question, 4)


def test_the_same_arrays_are_the_same_file_and_come_back(tmp_path):
    built = of_document(7, FERRIES)
    name = arrays.keep(tmp_path, arrays.pack(built))
    assert arrays.keep(tmp_path, arrays.pack(dict(reversed(built.items())))) == name
    read = arrays.opened(tmp_path / f"{name}{arrays.SUFFIX}")
    assert all(np.array_equal(read[key], built[key]) and read[key].dtype == built[key].dtype for key in built)


@pytest.mark.parametrize("cut", [0, 5, 40, -1])
def test_a_file_that_is_cut_short_is_named_before_it_is_mapped(tmp_path, cut):
    name = arrays.keep(tmp_path, arrays.pack(of_document(7, FERRIES)))
    path = tmp_path / f"{name}{arrays.SUFFIX}"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(LibraryError, match="damaged"):
        arrays.opened(path)


def test_segments_of_one_size_are_merged_and_large_ones_are_left(tmp_path):
    index = Index(Database(str(tmp_path), tmp_path))
    small = [Kept(f"{number:02d}", 1, 100, 1) for number in range(9)]
    assert index.crowded(small) == [small[:8]]
    assert index.crowded(small[:7]) == []
    assert index.crowded([kept._replace(paragraphs=100_000) for kept in small]) == []
    mixed = [kept._replace(paragraphs=100 if number % 2 else 30_000) for number, kept in enumerate(small)]
    assert index.crowded(mixed) == []
