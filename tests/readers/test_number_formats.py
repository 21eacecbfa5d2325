"""Numbers are written as a spreadsheet shows them; the expected texts are what Excel and LibreOffice show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.readers.number_formats import BUILT_IN, format_number
from citewell.text.figures import worth


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (-1234.5, "#,##0.0_);(#,##0.0)", "(1,234.5)"),
        (1234.5, "#,##0.0_);(#,##0.0)", "1,234.5"),
        (0.1234, "0.0%", "12.3%"),
        (6_315_000, "#,##0,", "6,315"),
        (1_234_567, '0.0,,"M"', "1.2M"),
        (1234.5, "_-* #,##0.00\\ [$€-407]_-", "1,234.50 €"),
        (-5, "0;[Red]-0", "-5"),
        (0, '#,##0;(#,##0);"-"', "-"),
        (12345, "0.00E+00", "1.23E+04"),
        (123456789, "000-00-0000", "123-45-6789"),
        (0.5, ".00", ".50"),
        (-0.001, "0.0", "0.0"),
        (2.5, "0", "3"),
        (2021, '"FY"0', "FY2021"),
        (12, '[>=10]"big" 0;0', "big 12"),
        (9, '[>=10]"big" 0;0', "9"),
        (0.5, "# ?/?", "0.5"),
        (7, ";;;", ""),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "1E+20"),
        (44561, "yyyy-mm-dd", "2021-12-31"),
        (44561, "mmmm d, yyyy", "December 31, 2021"),
        (44561, "mmm-yy", "Dec-21"),
        (44561, "dddd", "Friday"),
        (44561.5, "m/d/yy h:mm AM/PM", "12/31/21 12:00 PM"),
        (0.75, "hh:mm:ss", "18:00:00"),
        (1.5, "[h]:mm", "36:00"),
        (61, "d-mmm-yyyy", "1-Mar-1900"),
        (59, "d-mmm-yyyy", "28-Feb-1900"),
        (-3, "yyyy-mm-dd", "-3"),
        (1e9, "yyyy-mm-dd", "1000000000"),
    ],
)
def test_a_number_is_written_as_its_cell_shows_it(number, code, text):
    assert format_number(number, code) == text


def test_days_may_be_counted_from_1904():
    assert format_number(43099, "yyyy-mm-dd", since_1904=True) == "2021-12-31"


@given(number=st.integers(-(10**9), 10**9), code=st.sampled_from([3, 4, 37, 38, 39, 40, 41, 42, 43, 44]))
def test_what_is_shown_of_a_whole_number_is_worth_the_number(number, code):
    assert worth(format_number(number, BUILT_IN[code])) == number


@given(
    number=st.floats(allow_nan=False, allow_infinity=False),
    code=st.one_of(
        st.sampled_from(list(BUILT_IN.values())), st.text('0#?.,;%E+-[]$@_*\\"AMPymdhs/Genral ', max_size=30)
    ),
)
def test_any_code_shows_something_without_an_error(number, code):
    assert len(format_number(number, code)) < 2000
