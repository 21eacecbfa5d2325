"""Figures of cells, by hand."""

import pytest

from citewell.text.figures import bare, is_figure, is_year, worth


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234.5", 1234.5), ("(1,234)", -1234.0), ("$ (12.5)", -12.5), ("\u221212", -12.0), ("-3 %", -3.0), ("12%", 12.0),
        ("(3)", -3.0), ("—", 0.0), ("$ —", 0.0), ("-", 0.0), ("US$5", 5.0), ("€ 1.234.567", 1234567.0), ("1'234", 1234.0),
        ("0.709", 0.709), ("1.5x", 1.5), ("28,5", 28.5), ("4,106 (1)", 4106.0), ("517†", 517.0), ("nm", None), ("Total", None),
        ("", None), ("2021", 2021.0), ("Level 3", None), ("$ (0.50)", -0.5), ("5 6", None),
    ],
)  # fmt: skip
def test_a_cell_is_worth(cell, value):
    assert worth(cell) == value


@pytest.mark.parametrize("cell", ["1,234", "(12)", "$ 5", "—", "n/a", "12 %", "3.5x", "$", "(1) "])
def test_figures(cell):
    assert is_figure(cell)


@pytest.mark.parametrize("cell", ["", "Total", "2021 and 2020", "Note 5", "%", "Level 3", "May 31, 2021"])
def test_what_is_no_figure(cell):
    assert not is_figure(cell)


def test_years():
    assert [is_year(cell) for cell in ("2021", "FY2021", "2021 (a)", "1,999", "2021 E", "20210")] == [
        True, True, True, False, True, False,
    ]  # fmt: skip


def test_a_cell_of_many_marks_is_looked_at_in_no_time():
    assert not is_figure("a" + "#" * 5000 + " b")
    assert is_figure("(3.1) ##**(1)")
    assert bare("5.9 " + "*" * 30) == "5.9"
