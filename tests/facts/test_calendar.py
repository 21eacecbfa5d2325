"""Words to typed periods, and how companies name their fiscal years."""

from __future__ import annotations

import pytest

from citewell.facts.calendar.fiscal import FiscalYears, fiscal_years, in_fiscal_years
from citewell.facts.calendar.period import Ending, read_period, without_period


@pytest.mark.parametrize(
    ("words", "months", "number", "years"),
    [
        ("52 Weeks Ended January 28, 2023", 12, 0, (2023,)),
        ("Fifty-three weeks ended February 3, 2018", 12, 0, (2018,)),
        ("13 weeks ended April 29, 2023", 3, 0, (2023,)),
        ("Thirty-nine weeks ended October 28, 2023", 9, 0, (2023,)),
        ("16 weeks ended May 20, 2021", 4, 0, (2021,)),
        ("Three Months Ended June 30, 2023", 3, 0, (2023,)),
        ("Six months ended 30 June 2021", 6, 0, (2021,)),
        ("Q3 2022", 3, 3, (2022,)),
        ("4Q21", 3, 4, ()),
        ("fourth quarter of fiscal 2022", 3, 4, (2022,)),
        ("first half of 2020", 6, 1, (2020,)),
        ("Years ended December 31, 2022", 12, 0, (2022,)),
        ("Quarterly data", 3, 0, ()),
        ("FY21", 0, 0, (2021,)),
        ("2019", 0, 0, (2019,)),
        ("$2,022", 0, 0, ()),
        ("Net sales", 0, 0, ()),
    ],
)
def test_words_are_read_into_a_length_a_number_and_years(words, months, number, years):
    period = read_period(words)
    assert (period.months, period.number, period.years) == (months, number, years)


def test_trailing_months_and_transition_periods_are_kinds_of_their_own():
    trailing = read_period("trailing twelve months ended June 30, 2022")
    assert trailing.trailing
    assert trailing.months == 12
    assert read_period("transition period from July 1 to December 31, 2020").is_part
    assert read_period("Three months ended June 30,").ending == Ending(None, 6, 30)
    assert read_period("Year ended February 30, 2021").ending is None


def test_what_tells_a_period_names_no_item():
    assert without_period("operating income for the year ended May 31, 2021").split() == ["operating", "income"]
    assert without_period("Q3 2022 sales").split() == ["sales"]


# What a document says of its year, a day, and what its fiscal year is called then.
NAMED = [
    ('the fifty-two weeks ended January 28, 2023 ("fiscal 2022")', (2023, 1, 28), 2022),
    ("Fiscal 2022 ended on January 28, 2023. Fiscal 2021 ended on January 29, 2022.", (2022, 1, 29), 2021),
    ("the 53 weeks ended February 3, 2024 (fiscal 2023)", (2024, 2, 3), 2023),
    ("Fiscal years 2021, 2020 and 2019 represented the 52 weeks ended January 29, 2022", (2021, 1, 30), 2020),
    ("the fiscal year ended January 31, 2021 is referred to as fiscal 2021", (2021, 1, 31), 2021),
    ("Our fiscal year 2023 ended on January 31, 2023", (2023, 1, 31), 2023),
    ("For the fiscal year ended January 31, 2023 (“fiscal 2023”)", (2022, 10, 31), 2023),
    ("For the fiscal year ended June 30, 2021", (2021, 6, 30), 2021),
    ("For the fiscal year ended June 30, 2021", (2020, 9, 30), 2021),
    ("For the fiscal year ended September 25, 2021", (2021, 9, 25), 2021),
    ("fiscal year ended September 24, 2022; fiscal year ended September 25, 2021", (2021, 12, 25), 2022),
    ("For the fiscal year ended May 30, 2021. The year ended May 31, 2020", (2020, 5, 31), 2020),
    ("For the year ended December 31, 2021", (2021, 3, 31), 2021),
    ("the fiscal year ended January 3, 2021 and the fiscal year ended December 29, 2019", (2021, 1, 3), 2020),
    ("the fiscal year ended January 3, 2021 and the fiscal year ended December 29, 2019", (2019, 12, 29), 2019),
    ("the fiscal year ended August 28, 2022 and the fiscal year ended August 29, 2021", (2021, 11, 21), 2022),
    ("2022 represents the 52 weeks ended January 28, 2023", (2023, 1, 28), 2022),
    ("No year is told.", (2023, 1, 28), 2023),
]  # fmt: skip


@pytest.mark.parametrize(("definition", "day", "name"), NAMED)
def test_a_year_goes_by_the_name_that_the_document_gives_it(definition, day, name):
    assert fiscal_years(definition).name(Ending(*day)) == name


def test_a_document_that_does_not_say_leaves_two_years_open():
    years = fiscal_years("For the 52 weeks ended January 28, 2023 and the 52 weeks ended January 29, 2022")
    assert years.shift is None
    assert years.meant(2022) == (2022, 2023)
    assert fiscal_years('the year ended January 28, 2023 ("fiscal 2022")').meant(2022) == (2022,)


def test_quarters_are_counted_from_the_companys_own_year():
    years = fiscal_years('the 52 weeks ended January 28, 2023 ("fiscal 2022") and January 29, 2022')
    assert [years.quarter(Ending(2022, month, day)) for month, day in ((4, 30), (7, 30), (10, 29))] == [1, 2, 3]
    june = fiscal_years("the fiscal year ended June 30, 2021")
    assert june.quarter(Ending(2020, 9, 30)) == 1
    assert june.number(read_period("Three months ended December 31, 2020")) == 2


def test_days_of_a_question_become_the_companys_years():
    years = fiscal_years('the 52 weeks ended January 28, 2023 ("fiscal 2022"), the 52 weeks ended January 29, 2022')
    for question, expected in (
        ("Net income for the year ended January 28, 2023?", "Net income in fiscal 2022?"),
        ("Sales in the 13 weeks ended April 30, 2022?", "Sales in the first quarter of fiscal 2022?"),
        ("Total assets at January 28, 2023?", "Total assets at the end of fiscal 2022?"),
        ("Debt as of June 3, 2022?", "Debt as of June 3, 2022?"),
    ):
        assert in_fiscal_years(question, years) == expected


@pytest.mark.parametrize("text", ["", "ended", "year ended " * 2000, "fiscal 2022 (" * 500, "| 2022 | 2021" * 500])
def test_any_text_is_read(text):
    assert fiscal_years(text).month in range(1, 13)
    assert read_period(text).months >= 0


@pytest.mark.parametrize(
    ("asked_for", "meant"),
    [
        ("in the year ended January 28, 2023", "in fiscal 2022"),
        ("for the quarter ended October 29, 2022", "in the third quarter of fiscal 2022"),
        ("for the three months ended April 30, 2022", "in the first quarter of fiscal 2022"),
        ("as of January 28, 2023", "at the end of fiscal 2022"),
        ("in the six months ended July 30, 2022", "in the six months ended July 30, 2022"),
        ("on March 3, 2023", "on March 3, 2023"),  # no end of its years
        ("in the year ended February 31, 2023", "in the year ended February 31, 2023"),
        ("in the year ended January 28", "in the year ended January 28"),
    ],
)
def test_days_are_asked_for_as_the_companys_years_and_quarters(asked_for, meant):
    years = FiscalYears(month=1, shift=-1, ends=(Ending(2023, 1, 28),), by_weeks=True)
    assert in_fiscal_years(f"What was revenue {asked_for}?", years) == f"What was revenue {meant}?"
