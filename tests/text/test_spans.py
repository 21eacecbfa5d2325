"""Which span owns an offset, which lies around another: held against the definitions, character by character."""

from hypothesis import given
from hypothesis import strategies as st

from citewell.text import spans
from citewell.types import Span

SPANS = st.tuples(st.integers(0, 30), st.integers(0, 12)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))
FULL = SPANS.filter(lambda span: span.end > span.start)


IN_ORDER = st.lists(st.integers(0, 40), max_size=10, unique=True).map(
    lambda bounds: [Span(*pair) for pair in zip(sorted(bounds)[::2], sorted(bounds)[1::2], strict=False)]
)


def characters(span):
    return set(range(span.start, span.end))


@given(SPANS, SPANS)
def test_what_two_spans_share_is_counted_in_characters(first, second):
    assert spans.overlap(first, second) == len(characters(first) & characters(second)) == spans.overlap(second, first)


@given(st.lists(SPANS, max_size=6), st.lists(st.integers(0, 45), max_size=8))
def test_the_offsets_inside_a_span_are_those_that_it_owns(known, offsets):
    owned = [tuple(n for n, offset in enumerate(offsets) if spans.owns(span, offset)) for span in known]
    assert spans.inside(known, offsets) == owned


@given(st.lists(FULL, max_size=6), SPANS)
def test_the_span_that_shares_most_is_the_first_of_equals(known, part):
    best = spans.most_shared(known, part)
    shared = [spans.overlap(span, part) for span in known]
    if best is None:
        assert not any(shared)
    else:
        assert shared[best] == max(shared) > max(shared[:best], default=0)


@given(IN_ORDER, FULL)
def test_around_a_part_is_the_part_with_what_it_touches_and_nothing_else(known, part):
    wide = spans.around(known, part)
    touched = [span for span in known if characters(span) & characters(part)]
    assert [known[number] for number in spans.touched(known, part)] == touched
    assert characters(part) <= characters(wide)
    assert all(characters(span) <= characters(wide) for span in touched)
    assert {wide.start, wide.end} <= {bound for span in (part, *touched) for bound in span}
    assert touched or wide == part


@given(FULL, SPANS)
def test_a_part_within_a_span_is_what_they_share_or_the_whole_span(span, part):
    shared = characters(span) & characters(part)
    assert characters(spans.within(span, part)) == (shared or characters(span))


@given(st.lists(FULL, max_size=6), st.lists(st.integers(0, 45), max_size=6))
def test_spans_without_offsets_have_none_inside(known, offsets):
    assert spans.without(known, offsets) == tuple(span for span in known if not characters(span) & set(offsets))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8).map(sorted), st.integers(0, 45))
def test_the_last_start_before_an_offset_is_found_among_sorted_ones(starts, offset):
    before = [n for n, start in enumerate(starts) if start <= offset]
    assert spans.last_before(starts, offset) == (before[-1] if before else 0)
