import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citewell.document import Document
from citewell.text.data import settings
from citewell.text.index import UNKNOWN, background, index

TEXT = "Ferries carried passengers. Passengers paid fares.\n\nThe fleet is old."


def test_postings_name_the_segments_that_have_a_term():
    found = index([Document.from_text(TEXT)])
    term = found.term_ids["passeng"]
    assert found.df[term] == 2
    assert found.postings(term).tolist() == [0, 1]
    assert found.presence([term, UNKNOWN]).tolist() == [[True, True, False], [False, False, False]]


def test_words_of_a_segment_are_found_at_their_offsets():
    document = Document.from_text(TEXT)
    found = index([document])
    where = found.words_of(1)
    spans = zip(found.word_starts[where], found.word_ends[where], strict=True)
    assert [document.text[start:end] for start, end in spans] == ["Passengers", "paid", "fares"]


def test_rarity_is_the_formula_over_segments_and_background():
    found = index([Document.from_text(TEXT)])
    share = background("en")[0]["the"]
    worth = settings("citewell.text")["background"]
    seen = 1 + worth * share
    expected = np.log1p((3 + worth - seen + 0.5) / (seen + 0.5))
    assert np.isclose(found.idf[found.term_ids["the"]], expected)
    assert found.idf[found.term_ids["the"]] < found.idf[found.term_ids["fleet"]]


def test_a_word_that_no_document_has_weighs_most():
    found = index([Document.from_text(TEXT)])
    query = found.query("the passengers of zyzzyva")
    weights = dict(zip(query.terms, found.weights(query).tolist(), strict=True))
    assert weights["zyzzyva"] == max(weights.values())
    assert query.ids[query.terms.index("zyzzyva")] == UNKNOWN
    assert query.stop.tolist() == [True, False, True, False]


def test_the_index_of_a_document_is_made_once():
    document = Document.from_text(TEXT)
    assert index([document]) is index([document])
    assert index([document], "paragraph") is not index([document])


def test_several_documents_share_one_index():
    first, second = Document.from_text("Cats sleep."), Document.from_text("Dogs bark. Cats run.")
    found = index([first, second])
    assert found.documents.tolist() == [0, 1, 1]
    assert found.df[found.term_ids["cat"]] == 2


@given(st.lists(st.text(alphabet="ab cd.\n9東京", max_size=40), min_size=1, max_size=4))
def test_words_and_postings_agree_for_any_documents(texts):
    documents = [Document.from_text(text) for text in texts if text.strip()]
    if not documents:
        return
    for granularity in ("sentence", "paragraph", "section"):
        found = index(documents, granularity)
        assert found.segment_ptr[-1] == len(found.word_terms) == found.posting_counts.sum()
        for number, segment in enumerate(found.segments):
            where = found.words_of(number)
            assert (found.word_starts[where] >= segment.start).all()
            assert (found.word_ends[where] <= segment.end).all()
