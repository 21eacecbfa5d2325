"""How documents are ranked by their paragraphs' scores: nothing good is displaced by many near misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.library.asking import ordered

HITS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 40)), max_size=40).map(
    lambda hits: sorted(((name, float(score)) for name, score in hits), key=lambda hit: -hit[1])
)


@given(HITS, st.sampled_from([0.0, 0.2, 0.4, 0.9]))
def test_the_five_best_lose_at_most_one_document_of_the_best_paragraphs(hits, fading):
    by_paragraph = list(dict.fromkeys(name for name, _ in hits))
    names = [name for name, _ in ordered(hits, fading)]
    assert sorted(names) == sorted(by_paragraph)
    assert names[1:] == [name for name in by_paragraph if name != names[0]]
    assert set(by_paragraph[:4]) <= set(names[:5])


def test_several_good_paragraphs_are_first_and_a_long_document_of_near_misses_displaces_nothing():
    paper, filing = [("paper", 10.0), ("paper", 9.0)], [("filing", 6.0)] * 60
    others = [(name, 7.0) for name in "abc"]
    hits = sorted([*paper, *filing, *others], key=lambda hit: -hit[1])
    assert [name for name, _ in ordered(hits, 0.4)] == ["paper", "a", "b", "c", "filing"]
    assert ordered(hits, 0.4)[0] == ("paper", pytest.approx(10 + 0.4 * 9))
    assert ordered([("one", 10.0), ("two", 9.0), ("two", 9.0)], 0.4)[0][0] == "two"
    assert ordered([], 0.4) == []
