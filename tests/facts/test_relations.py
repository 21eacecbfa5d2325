"""How quantities of a claim stand to those of the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.facts.quantities import quantities
from citewell.facts.relations import compare

COMPARED = [
    ("about 40 million", "39.8m people", "agrees", "modifier"),
    ("more than 40 million", "41 million", "agrees", ""),
    ("more than 40 million", "39 million", "conflicts", "number"),
    ("more than 40 million", "41 billion", "incomparable", "magnitude"),
    ("more than 5 people", "5 people", "conflicts", "modifier"),
    ("at least 5 people", "5 people", "agrees", "modifier"),
    ("up to 20 people", "more than 20 people", "conflicts", "modifier"),
    ("more than 30", "more than 40", "agrees", ""),
    ("more than 50", "more than 40", "incomparable", "modifier"),
    ("€11.7 billion", "€11,692,713 thousand", "agrees", ""),
    ("€11.6 billion", "€11,692,713 thousand", "conflicts", "number"),
    ("€11.7 billion", "$11.7 billion", "conflicts", "unit"),
    ("$5 million", "5 million", "agrees", ""),
    ("65 cents per share", "$0.65 per share", "agrees", ""),
    ("$0.65 per share", "65 cents per share", "agrees", ""),
    ("$65 per share", "65 cents per share", "conflicts", "magnitude"),
    ("56 cents per share", "$0.65 per share", "conflicts", "number"),
    ("3 percent", "3 percentage points", "conflicts", "unit"),
    ("40 million", "40 billion", "conflicts", "magnitude"),
    ("12,000 men", "1,200 men", "conflicts", "magnitude"),
    ("-3 °C", "3 °C", "conflicts", "sign"),
    ("41 million", "40 million", "conflicts", "number"),
    ("1.75 million", "1,750,000", "agrees", ""),
    ("1.75m users", "1,750,000 users", "agrees", ""),
    ("1.2 million", "1,187,432", "agrees", ""),
    ("2 million", "2.4 million", "conflicts", "number"),
    ("3%", "3.2%", "agrees", ""),
    ("3.2%", "3%", "incomparable", "precision"),
    ("41 people", "about 40 people", "incomparable", "precision"),
    ("400 people", "402 people", "conflicts", "number"),
    ("50 cents", "$0.50", "agrees", ""),
    ("50 cents", "50 dollars", "conflicts", "magnitude"),
    ("75 pence", "£0.75", "agrees", ""),
    ("a town of 10 000.", "a town of 10,000.", "agrees", ""),
    ("half of it", "50% of it", "agrees", ""),
    ("an accuracy of 94.3%", "an accuracy of 94.3", "agrees", "unit"),
    ("an accuracy of 94.3", "an accuracy of 94.3%", "agrees", "unit"),
    ("an accuracy of 94.3%", "an accuracy of 0.943", "agrees", "unit"),
    ("an accuracy of 94.3%", "an accuracy of 94.5", "incomparable", "unit"),
    ("12 percent", "12 people", "incomparable", "unit"),
    ("25 bp", "0.25 percentage points", "agrees", ""),
    ("a rate of 10^-5", "a rate of 0.00001", "agrees", ""),
    ("10^{6} cells", "1 million cells", "agrees", ""),
    ("10^6 cells", "100,000 cells", "conflicts", "magnitude"),
    ("$(5) million", "-$5 million", "agrees", ""),
    ("32 times slower", "32 $\\times $ slower", "agrees", ""),
    ("32 times slower", "49 $\\times $ slower", "conflicts", "number"),
    ("9.3 million words", "9.3M words", "agrees", ""),
    ("1.6B words", "1.6 billion words", "agrees", ""),
    ("9.3K words", "9.3 million words", "conflicts", "magnitude"),
    ("two-thirds of it", "66.7% of it", "agrees", ""),
    ("66.7% of it", "two-thirds of it", "agrees", ""),
    ("66.2% of it", "two-thirds of it", "incomparable", "precision"),
    ("one in five", "20%", "agrees", ""),
    ("three years", "36 months", "agrees", ""),
    ("5 miles", "8 km", "agrees", ""),
    ("5 miles", "9 km", "conflicts", "number"),
    ("5 kg", "5 km", "conflicts", "unit"),
    ("5 kg", "7 km", "incomparable", "unit"),
    ("100 °F", "37.8 °C", "agrees", ""),
    ("2 hours and 30 minutes", "150 minutes", "agrees", ""),
    ("Sales doubled", "rose by 100%", "agrees", ""),
    ("Sales doubled", "Sales tripled", "conflicts", "number"),
    ("between 5 and 10", "7 of them", "agrees", ""),
    ("between 5 and 10", "12 of them", "conflicts", "number"),
    ("7 of them", "between 5 and 10", "incomparable", "modifier"),
    ("the third man", "the 3rd man", "agrees", ""),
    ("the third man", "the 4th man", "conflicts", "number"),
    ("type 2 diabetes", "type 1 diabetes", "conflicts", "number"),
    ("the third man", "4 men", "incomparable", "kind"),
    ("dozens of men", "42 men", "agrees", ""),
    ("thousands of men", "42 men", "conflicts", "number"),
]


@pytest.mark.parametrize(("claim", "evidence", "outcome", "aspect"), COMPARED)
def test_the_quantity_of_a_claim_is_held_against_that_of_the_evidence(claim, evidence, outcome, aspect):
    assert compare(quantities(claim)[0], quantities(evidence)[0]) == (outcome, aspect)


@settings(max_examples=50)
@given(
    st.integers(1, 10**9),
    st.sampled_from(["", "$", "about ", "more than "]),
    st.sampled_from([" people", " km", "%", " million"]),
)
def test_a_quantity_agrees_with_itself(number, before, after):
    (quantity,) = quantities(f"They had {before}{number:,}{after}.")
    assert compare(quantity, quantity) == ("agrees", "")


@settings(max_examples=50)
@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_counts_agree_only_where_they_are_equal(first, other):
    (claim,), (evidence,) = quantities(f"{first:,} people"), quantities(f"{other:,} people")
    assert (compare(claim, evidence).outcome == "agrees") == (first == other)


@settings(max_examples=50)
@given(st.integers(10_000_000, 999_999_999))
def test_a_rounded_number_agrees_with_what_it_rounds(count):
    (exact,) = quantities(f"{count:,} people")
    (rounded,) = quantities(f"{round(count / 10**6)} million people")
    assert compare(rounded, exact).outcome == "agrees"
    (farther,) = quantities(f"{round(count / 10**6) + 2} million people")
    assert compare(farther, exact).outcome == "conflicts"
