"""What of long documents is read: everything, the best k, or what fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.document import Document
from citewell.errors import SpecError
from citewell.protocols import Reducer
from citewell.text.tokens import estimate

SHIPS = Document.from_text(
    "# Ships\n\n" + "\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(40))
)
TRAM = Document.from_text("The tram to the airport runs every ten minutes.\n\nIt is yellow.")


@pytest.mark.parametrize(
    "spec", ["whole", "top", "top(k=3)", "top(retriever=self-similarity, k=3)", "fit", "fit(tokens=100)"]
)
@pytest.mark.parametrize("unit", ["paragraph", "sentence"])
def test_a_reducer_gives_segments_in_order_each_once(spec, unit):
    reducer = registry.build("reducer", spec)
    assert isinstance(reducer, Reducer)
    reduced = reducer.reduce("Which ship carries 31 lamps?", [SHIPS, TRAM], unit)
    places = [(passage.document, passage.segment.start) for passage in reduced]
    assert places == sorted(set(places))
    for number, segment in reduced:
        assert [SHIPS, TRAM][number].text[segment.start : segment.end] == segment.text
        assert segment.granularity == unit


def test_the_best_are_found_and_headings_are_not_counted():
    result = registry.build("reducer", "top(k=2)").reduce("Which ship carries 31 lamps?", [SHIPS, TRAM])
    assert len(result) == 2
    assert any("31 lamps" in passage.segment.text for passage in result)
    assert all(passage.segment.kind != "heading" for passage in result)


def test_k_segments_are_given_even_where_few_share_a_word_with_the_question():
    assert len(registry.build("reducer", "top(k=4)").reduce("xylophone", [SHIPS])) == 4


def test_what_fits_is_left_whole():
    assert len(registry.build("reducer", "fit").reduce("lamps?", [SHIPS])) == len(SHIPS.segments("paragraph"))


@given(st.integers(1, 600))
def test_what_is_chosen_fits(tokens):
    result = registry.build("reducer", f"fit(tokens={tokens})").reduce("Which ship carries 31 lamps?", [SHIPS, TRAM])
    assert result
    assert len(result) == 1 or sum(estimate(passage.segment.text) for passage in result) <= tokens


@pytest.mark.parametrize("spec", ["top(k=0)", "fit(tokens=0)"])
def test_a_wrong_number_is_told(spec):
    with pytest.raises(SpecError, match="at least 1"):
        registry.build("reducer", spec)
