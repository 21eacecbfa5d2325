"""How quantities of a claim stand to those of the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.facts.dates import periods
from citewell.facts.quantities import quantities
from citewell.facts.relations import compare, compare_lengths, compare_periods

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
    ("at most 40 hours", "at least 40 hours", "conflicts", "modifier"),
    ("at least 60 hours", "at most 40 hours", "conflicts", "modifier"),
    ("at most 40 hours", "at least 60 hours", "conflicts", "modifier"),
    ("32 times", "It grew 32x", "agrees", "kind"),
    ("It grew 32x", "33 times", "incomparable", "kind"),
    ("60 percent", "They won 3-2.", "incomparable", "kind"),
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


PERIODS = [
    ("in March 2010", "5 March 2010", "contains", ""),
    ("5 March 2010", "in March 2010", "within", ""),
    ("in 2010", "in 2011", "conflicts", "period"),
    ("in 2010", "fiscal 2010", "agrees", "fiscal"),
    ("the year ended March 31, 2016", "fiscal 2016", "agrees", ""),
    ("Q3 2021", "Q2 2021", "conflicts", "period"),
    ("2021", "Q3 2021", "contains", ""),
    ("the third quarter", "Q3 2021", "contains", ""),
    ("1995", "the 1990s", "within", ""),
    ("2010-2012", "2011", "contains", ""),
    ("2010-2012", "2010-2013", "conflicts", "period"),
    ("2010-2012", "2009-2012", "conflicts", "period"),
    ("late 1995", "1995", "agrees", "modifier"),
    ("early 2010", "late 2010", "conflicts", "modifier"),
    ("before 2010", "in 2009", "agrees", ""),
    ("before 2010", "in 2010", "conflicts", "modifier"),
    ("before 2010", "after 2010", "conflicts", "modifier"),
    ("before 2010", "before 2010", "agrees", ""),
    ("until 2010", "in 2010", "agrees", "modifier"),
    ("after 2003", "in 2003", "conflicts", "modifier"),
    ("after 2003", "in 2004", "agrees", ""),
    ("after 2003", "between 1998 and 2003", "conflicts", "period"),
    ("since 2010", "since 2011", "agrees", ""),
    ("since 2011", "since 2010", "incomparable", "modifier"),
    ("in March", "in April", "conflicts", "period"),
    ("in March", "on 5 March", "contains", ""),
    ("on 5 March", "in March", "within", ""),
    ("on 5 March 2010", "on Friday", "within", ""),
    ("on 5 March 2010", "on Monday", "conflicts", "period"),
    ("at 5 pm", "at 17:00", "agrees", ""),
    ("in the summer", "on Friday", "incomparable", "period"),
    ("two years earlier", "two years earlier", "agrees", ""),
    ("two years earlier", "three years earlier", "conflicts", "period"),
    ("two years earlier", "three months earlier", "incomparable", "period"),
]


@pytest.mark.parametrize(("claim", "evidence", "outcome", "aspect"), PERIODS)
def test_the_time_of_a_claim_is_held_against_that_of_the_evidence(claim, evidence, outcome, aspect):
    assert compare_periods(periods(claim)[0], periods(evidence)[0]) == (outcome, aspect)


@pytest.mark.parametrize(
    ("claim", "outcome", "aspect"),
    [
        ("30 days", "agrees", ""),
        ("31 days", "conflicts", "number"),
        ("30 weeks", "incomparable", "unit"),
        ("30 miles", "incomparable", "kind"),
    ],
)
def test_a_length_is_held_against_one_that_is_counted_from_something(claim, outcome, aspect):
    assert compare_lengths(quantities(claim)[0], periods("30 days after it")[0]) == (outcome, aspect)
