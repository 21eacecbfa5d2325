"""Times of texts: tables of cases, dates written in several ways that must read as one day, and how times compare."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.facts.date_patterns import anchors
from citewell.facts.dates import periods
from citewell.facts.days import day_number, month_after, weekday_of
from citewell.facts.quantities import quantities
from citewell.facts.relations import compare_periods
from citewell.facts.types import Period
from facts.date_cases import CASES


def summarise(period: Period) -> str:
    extra = [name for name in ("fiscal", "direction", "distance", "modifier") if getattr(period, name)]
    if period.direction == 0:
        extra.append("direction")
    if period.begin is None or period.until is None:
        names = [name for name in ("quarter", "month", "day", "weekday", "minute") if getattr(period, name) is not None]
        return " ".join(f"{name}={getattr(period, name)}" for name in (*names, *extra))
    days = f"{date.fromordinal(period.begin)}..{date.fromordinal(period.until)}"
    quarter = ["quarter"] if period.quarter else []
    return " ".join((days, *(f"{name}={getattr(period, name)}" for name in (*quarter, *extra))))


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_a_text_gives_the_times_that_a_reader_sees(text, expected):
    assert tuple(map(summarise, periods(text))) == expected


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_no_number_inside_a_time_is_a_quantity(text):
    times = periods(text)
    assert not [
        quantity
        for quantity in quantities(text, times)
        for time in times
        if quantity.numeral.start < time.end and time.start < quantity.numeral.end
    ]


@settings(max_examples=50)
@given(st.dates(date(1800, 1, 1), date(2090, 12, 31)), st.sampled_from(["", "Then, ", "Über 'ſ' ẞ: "]))
def test_a_date_reads_the_same_however_it_is_written(day, lead):
    for pattern in ("%B {0}, %Y", "{0} %B %Y", "%b. {0}, %Y", "%Y-%m-%d", "%d.%m.%Y", "{0}th of %B, %Y", "%B {0} , %Y"):
        written = day.strftime(pattern).format(day.day)
        text = f"{lead}it ended {written} there."
        (period,) = periods(text)
        assert (period.begin, period.until) == (day.toordinal(), day.toordinal() + 1)
        assert text[period.start : period.end] == written


@settings(max_examples=50)
@given(st.integers(1900, 2090), st.integers(1, 4))
def test_a_quarter_reads_the_same_however_it_is_written(year, quarter):
    name = ("first", "second", "third", "fourth")[quarter - 1]
    short = f"Q{quarter}'{year % 100:02}" if 1950 <= year < 2050 else f"Q{quarter} {year}"
    for written in (
        f"Q{quarter} {year}",
        f"{name} quarter of {year}",
        f"{year} Q{quarter}",
        f"{quarter}Q {year}",
        short,
    ):
        (period,) = periods(f"Sales of {written} fell.")
        assert (period.year, period.quarter, period.granularity) == (year, quarter, "quarter")
        assert date.fromordinal(period.begin).month == quarter * 3 - 2


@settings(max_examples=50)
@given(st.integers(-3000, 12000), st.integers(1, 12), st.integers(-40, 40))
def test_days_are_numbered_across_the_year_one(year, month, count):
    later = day_number(*month_after(year, month, count))
    assert (later > day_number(year, month)) == (count > 0)
    assert day_number(year + 1) - day_number(year) in {365, 366}


def test_a_day_has_the_weekday_of_the_calendar():
    assert weekday_of(date(2010, 6, 7).toordinal()) == 0
    assert weekday_of(day_number(-43, 3, 15)) == (date(357, 3, 15) - timedelta(days=0)).weekday()  # 400 years on


def test_the_year_before_christ_has_negative_days():
    (period,) = periods("He died in 44 BC.")
    assert (period.year, period.begin, period.until) == (-43, day_number(-43), day_number(-42))


def test_a_relative_time_is_told_from_the_last_one_of_the_text():
    period = periods("In 1990 it rose, the year after it fell.")[1]
    assert (period.year, period.begin) == (1991, date(1991, 1, 1).toordinal())


def test_last_year_is_not_told_from_a_year_in_the_text():
    assert periods("In 1990 it rose; last year it fell.")[1].begin is None


COMPARED = [
    ("in 2010", "in 2010", "agrees", ""),
    ("in 2010", "in March 2010", "contains", ""),
    ("March 2010", "2010", "within", ""),
    ("in 2010", "in 2011", "conflicts", "period"),
    ("before 2010", "in 2009", "agrees", ""),
    ("before 2010", "in 2011", "conflicts", "period"),
    ("before 2010", "after 2010", "conflicts", "modifier"),
    ("since 2010", "in 2010", "agrees", "modifier"),
    ("FY2016", "2016", "agrees", "fiscal"),
    ("fiscal 2016", "the fiscal year ended September 24, 2016", "agrees", ""),
    ("fiscal 2015", "the fiscal year ended September 24, 2016", "conflicts", "period"),
    ("third quarter of fiscal 2021", "Q3 2021", "agrees", "fiscal"),
    ("Q3 2021", "Q3 2020", "conflicts", "period"),
    ("Q3", "Q4 2021", "conflicts", "period"),
    ("on Monday", "on 15 March 2010", "contains", ""),
    ("on Tuesday", "on 15 March 2010", "conflicts", "period"),
    ("in March", "on 5 March 2010", "contains", ""),
    ("in April", "on 5 March 2010", "conflicts", "period"),
    ("in March", "on Monday", "incomparable", "period"),
    ("the year before", "the previous year", "agrees", ""),
    ("the year before", "the year after", "conflicts", "period"),
    ("the year before", "two years later", "conflicts", "period"),
    ("in the 1990s", "in 1995", "contains", ""),
    ("in the 19th century", "in 1856", "contains", ""),
    ("in early 2010", "in late 2010", "conflicts", "modifier"),
    ("at 5 pm", "at 17:00", "agrees", ""),
    ("at 5 pm", "at 5 am", "conflicts", "period"),
    ("from 1990 to 1995", "from 1993 to 1999", "conflicts", "period"),
]


@pytest.mark.parametrize(("claim", "evidence", "outcome", "aspect"), COMPARED)
def test_the_time_of_a_claim_is_held_against_that_of_the_evidence(claim, evidence, outcome, aspect):
    assert compare_periods(periods(claim)[0], periods(evidence)[0]) == (outcome, aspect)


@pytest.mark.parametrize("gap", [" ", "\n", "  ", "-", "\n- "])
@pytest.mark.parametrize(
    ("first", "second", "granularity"),
    [
        ("nineteen", "thirties", "decade"),
        ("twelfth", "century", "century"),
        ("fiscal", "year 2031", "year"),
        ("third", "quarter of 2031", "quarter"),
    ],
)
def test_the_words_of_a_time_may_stand_on_two_lines(first, second, granularity, gap):
    (period, *_) = periods(f"It was rebuilt in the {first}{gap}{second}.")
    assert (period.granularity, period.begin) == (granularity, periods(f"{first} {second}")[0].begin)


@pytest.mark.parametrize("gap", ["\n", "-", " - "])
def test_every_phrase_of_a_time_is_read_whatever_parts_its_words(gap):
    for phrase in anchors():
        periods(f"In the {phrase.replace(' ', gap)} of 1931.")


@pytest.mark.parametrize(
    ("text", "count"), [("See 1.4.21 there.", 0), ("See 01.04.21 there.", 1), ("See 1.4.2021 there.", 1)]
)
def test_numbers_with_dots_are_a_date_only_where_they_are_written_as_one(text, count):
    assert len(periods(text)) == count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See clause 2.10 June 2031 there.", ["June 2031"]),
        ("The code June7 2031 there.", ["2031"]),
        ("It was built in the 59th century.", ["59th century"]),
        ("It was built in the 60th century.", []),
    ],
)
def test_a_digit_of_something_else_is_no_part_of_a_date(text, expected):
    assert [text[period.start : period.end] for period in periods(text)] == expected


def test_noon_and_midnight_are_twelve_hours_apart():
    assert [periods(f"It closed at {hour}.")[0].minute for hour in ("noon", "midnight")] == [720, 0]


@pytest.mark.parametrize("after", ["_", "%", "°", "x", "k"])
def test_four_digits_with_a_sign_or_letter_at_them_are_no_year(after):
    assert periods(f"The part in 1987{after} was sold.") == ()


@pytest.mark.parametrize("after", [")", "–88)", "-88)", ", Oslo)", "; Oslo)"])
def test_an_early_number_that_opens_a_bracket_is_a_year(after):
    assert [period.year for period in periods(f"The town hall (1704{after} stands there.")][:1] == [1704]


def test_a_season_without_a_year_comes_back_and_keeps_its_month():
    (summer,) = periods("Guests came in the summer.")
    (winter,) = periods("Guests came in the winter.")
    assert (summer.granularity, summer.month, winter.month) == ("season", 6, 12)


def test_a_year_of_an_era_is_as_long_as_a_year():
    (period,) = periods("He died in 44 BC.")
    assert (period.granularity, period.year) == ("year", -43)


@pytest.mark.parametrize(
    ("text", "granularity", "quarter", "days"),
    [
        ("three months ended September 30, 2016", "quarter", 3, 91),
        ("quarter ended April 2, 2016", "quarter", None, 91),
        ("six months ended June 30, 2016", "half", None, 183),
        ("nine months ended September 30, 2016", "month", None, 274),
        ("twelve months ended December 31, 2016", "year", None, 366),
        ("year ended 31 December 2016", "year", None, 366),
        ("year ended June 29, 2016", "year", None, 367),
    ],
)
def test_a_time_that_ended_on_a_day_has_its_length_and_holds_that_day(text, granularity, quarter, days):
    (period,) = periods(f"Sales rose in the {text}.")
    assert (period.granularity, period.quarter, period.year, period.kind) == (granularity, quarter, 2016, "period")
    assert period.until - period.begin == days
    assert period.fiscal == (granularity == "year" and "June" in text)


def test_a_year_ended_on_a_day_of_no_year_comes_again_each_year():
    (period,) = periods("the year ended June 30")
    assert (period.kind, period.granularity, period.month, period.day, period.fiscal) == (
        "recurring",
        "year",
        6,
        30,
        True,
    )
