"""What every retriever keeps to."""

from __future__ import annotations

import pytest

from citewell.document import Document
from citewell.protocols import Retriever
from contracts.specs import build, every

TEXT = (
    "The company was founded in 1990 by Ann Smith.\n\nRevenue rose to 41 million in 2022.\n\n"
    "Café owners in Zürich say 😀 costs fell.\n\n東京は日本の首都です。\n\nRevenue rose to 41 million in 2022."
)


@pytest.fixture(params=every("retriever"))
def retriever(request):
    return build("retriever", request.param, request)


@pytest.fixture
def segments():
    return Document.from_text(TEXT).segments("paragraph")


def test_it_is_a_retriever(retriever):
    assert isinstance(retriever, Retriever)
    assert retriever.name


def test_hits_point_at_distinct_segments_best_first(retriever, segments):
    hits = retriever.rank("How did revenue change in 2022?", segments)
    positions = [hit.position for hit in hits]
    assert hits
    assert len(set(positions)) == len(positions)
    assert set(positions) <= set(range(len(segments)))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_equal_segments_score_the_same_and_the_earlier_comes_first(retriever, segments):
    hits = {hit.position: (place, hit.score) for place, hit in enumerate(retriever.rank("revenue 2022", segments))}
    assert hits[1][1] == pytest.approx(hits[4][1], abs=1e-5)
    assert hits[1][0] < hits[4][0]


def test_no_segments_give_no_hits(retriever):
    assert retriever.rank("anything", ()) == ()


def test_one_segment_is_ranked_first_or_left_out(retriever, segments):
    assert [hit.position for hit in retriever.rank("revenue rose", segments[1:2])] == [0]


def test_an_empty_query_does_not_fail(retriever, segments):
    assert len(retriever.rank("", segments)) <= len(segments)


def test_text_beyond_ascii_does_not_fail(retriever, segments):
    assert len(retriever.rank("東京 Zürich 😀", segments)) <= len(segments)


def test_the_same_question_gets_the_same_answer(retriever, segments):
    assert retriever.rank("revenue in 2022", segments) == retriever.rank("revenue in 2022", segments)


def test_scores_do_not_depend_on_the_order_of_segments(retriever, segments):
    forward = {hit.position: hit.score for hit in retriever.rank("revenue in 2022", segments)}
    turned = {len(segments) - 1 - hit.position: hit.score for hit in retriever.rank("revenue in 2022", segments[::-1])}
    assert turned == pytest.approx(forward, abs=1e-4)


def test_several_queries_at_once_equal_each_alone(retriever, segments):
    if not hasattr(retriever, "rank_many"):
        pytest.skip("this retriever has no batches")
    queries = ["revenue in 2022", "Who founded it?"]
    for query, together in zip(queries, retriever.rank_many(queries, segments), strict=True):
        alone = dict(retriever.rank(query, segments))
        assert dict(together) == pytest.approx(alone, abs=1e-4)
