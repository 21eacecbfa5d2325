"""The contract of retrievers: distinct positions, best first, ties by position, independent of order."""

from __future__ import annotations

from citewell import Document
from citewell.protocols import Retriever
from citewell.testing.contracts.scenarios import expect, near

TEXT = (
    "The company was founded in 1990 by Ann Smith.\n\nRevenue rose to 41 million in 2022.\n\n"
    "Café owners in Zürich say 😀 costs fell.\n\n東京は日本の首都です。\n\nRevenue rose to 41 million in 2022."
)
SEGMENTS = Document.from_text(TEXT).segments("paragraph")


def it_has_the_verb_and_a_name(retriever: Retriever) -> None:
    """It has `rank` and a name."""
    expect(isinstance(retriever, Retriever), "a retriever has `rank`")
    expect(getattr(retriever, "name", ""), "a retriever has a name")


def hits_point_at_distinct_segments_best_first(retriever: Retriever) -> None:
    """Positions in the sequence that was given."""
    hits = retriever.rank("How did revenue change in 2022?", SEGMENTS)
    positions = [hit.position for hit in hits]
    expect(hits, "something is found")
    expect(len(set(positions)) == len(positions), "no segment is ranked twice")
    expect(set(positions) <= set(range(len(SEGMENTS))), "positions are those of segments")
    scores = [hit.score for hit in hits]
    expect(scores == sorted(scores, reverse=True), f"the best comes first, not {scores}")


def equal_segments_tie_and_the_earlier_comes_first(retriever: Retriever) -> None:
    """The second and the fifth segment are the same text."""
    places = {hit.position: (place, hit.score) for place, hit in enumerate(retriever.rank("revenue 2022", SEGMENTS))}
    expect({1, 4} <= set(places), "both are found")
    expect(near(places[1][1], places[4][1], 1e-5), "their scores are equal")
    expect(places[1][0] < places[4][0], "the earlier comes first")


def no_segments_give_no_hits(retriever: Retriever) -> None:
    """Nothing to rank."""
    expect(retriever.rank("anything", ()) == (), "no segments, no hits")


def a_single_segment_is_ranked(retriever: Retriever) -> None:
    """One segment that shares words with the query."""
    hits = retriever.rank("revenue rose", SEGMENTS[1:2])
    expect([hit.position for hit in hits] == [0], "the only segment is found")


def queries_without_known_words_do_not_fail(retriever: Retriever) -> None:
    """Empty queries, other scripts, symbols."""
    for query in ("", "  ", "東京 Zürich 😀", "…"):
        expect(len(retriever.rank(query, SEGMENTS)) <= len(SEGMENTS), f"{query!r} can be asked")


def the_same_query_gets_the_same_hits(retriever: Retriever) -> None:
    """Nothing is drawn by chance."""
    first, second = (retriever.rank("revenue in 2022", SEGMENTS) for _ in range(2))
    expect(first == second, "two calls agree")


def scores_do_not_depend_on_the_order_of_segments(retriever: Retriever) -> None:
    """A segment's score is its own."""
    forward = {hit.position: hit.score for hit in retriever.rank("revenue in 2022", SEGMENTS)}
    turned = {len(SEGMENTS) - 1 - hit.position: hit.score for hit in retriever.rank("revenue in 2022", SEGMENTS[::-1])}
    expect(forward.keys() == turned.keys(), "the same segments are found")
    expect(all(near(turned[place], score) for place, score in forward.items()), "with the same scores")


def several_queries_at_once_equal_each_alone(retriever: Retriever) -> None:
    """`rank_many`, where a retriever has it, is `rank` for each query."""
    many = getattr(retriever, "rank_many", None)
    if many is None:
        return
    queries = ["revenue in 2022", "Who founded it?"]
    for query, together in zip(queries, many(queries, SEGMENTS), strict=True):
        alone = {hit.position: hit.score for hit in retriever.rank(query, SEGMENTS)}
        expect({hit.position for hit in together} == alone.keys(), f"{query!r} finds the same in a batch")
        expect(all(near(alone[hit.position], hit.score) for hit in together), f"{query!r} scores the same in a batch")


SCENARIOS = (
    it_has_the_verb_and_a_name,
    hits_point_at_distinct_segments_best_first,
    equal_segments_tie_and_the_earlier_comes_first,
    no_segments_give_no_hits,
    a_single_segment_is_ranked,
    queries_without_known_words_do_not_fail,
    the_same_query_gets_the_same_hits,
    scores_do_not_depend_on_the_order_of_segments,
    several_queries_at_once_equal_each_alone,
)
