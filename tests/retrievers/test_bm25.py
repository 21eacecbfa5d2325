import math

import pytest

from citewell.document import Document
from citewell.retrievers.bm25 import BM25
from citewell.retrievers.bm25 import indexed as make_index


def segments(text):
    return Document.from_text(text).segments("paragraph")


def test_scores_are_the_formula():
    texts = segments("apple banana\n\napple apple cherry\n\nplum")
    index, _ = make_index(tuple(segment.text for segment in texts))
    hits = {hit.position: hit.score for hit in BM25(k1=1.2, b=0.75).rank("apple", texts)}
    average = (2 + 3 + 1) / 3
    idf = float(index.idf[index.term_ids["appl"]])

    def expected(count, length):
        return idf * count * 2.2 / (count + 1.2 * (1 - 0.75 + 0.75 * length / average))

    assert hits == {0: pytest.approx(expected(1, 2)), 1: pytest.approx(expected(2, 3))}


def test_best_comes_first_and_ties_keep_their_order():
    hits = BM25().rank("red fox", segments("a red fox\n\na blue fox\n\na red fox\n\na cow"))
    assert [hit.position for hit in hits] == [0, 2, 1]
    assert hits[0].score == hits[1].score > hits[2].score


def test_nothing_in_common_gives_no_hits():
    assert BM25().rank("zebra", segments("a red fox")) == ()
    assert BM25().rank("", segments("a red fox")) == ()
    assert BM25().rank("fox", ()) == ()


def test_segments_without_words_keep_their_place():
    texts = [
        segment._replace(text=text) for segment, text in zip(segments("x\n\ny\n\nz"), ["", "!", "fox"], strict=True)
    ]
    assert [hit.position for hit in BM25().rank("fox", texts)] == [2]


@pytest.mark.parametrize("setting", [{"k1": -1}, {"b": 2}, {"b": -0.1}])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(ValueError, match="k1 is at least 0"):
        BM25(**setting)


def test_scores_are_finite_without_length_normalisation():
    assert all(math.isfinite(hit.score) for hit in BM25(k1=0, b=0).rank("fox", segments("fox\n\nfox fox")))
