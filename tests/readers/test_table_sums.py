"""Rows of tables that add up: what they prove, what they put in doubt, and where sections end."""

import pytest

from citewell import read

PORTS = """
| (in millions) | 2022 | 2021 | 2020 |
|---|---|---|---|
| Harbour dues | 120 | 100 | 90 |
| Pilots | 45 | 50 | 41 |
| Total dues | 165 | 155 | 131 |
| Repairs | 30 | 28 | 27 |
"""
RESULTS = """
| (in millions) | 2022 | 2021 |
|---|---|---|
| Revenue | 900 | 800 |
| Cost of sales | 500 | 420 |
| Gross profit | 400 | 380 |
| Operating expenses: | | |
| Selling | (120) | (110) |
| Research | (80) | (90) |
| Operating income | 200 | 180 |
"""


def cells(text):
    return {
        (cell.row_path[-1], cell.year): cell
        for table in read(text.encode(), name="ports.md").tables()
        for cell in table.values()
        if cell.value is not None
    }


def test_a_total_that_comes_out_proves_its_cells_and_those_that_it_adds_up():
    by_name = cells(PORTS)
    assert by_name["Total dues", 2022].adds_up is True
    assert by_name["Pilots", 2020].adds_up is True


def test_a_total_that_comes_out_in_other_years_alone_is_in_doubt():
    by_name = cells(PORTS)
    assert by_name["Total dues", 2021].adds_up is False  # 100 + 50 is 150
    assert by_name["Pilots", 2021].adds_up is None
    assert by_name["Repairs", 2022].adds_up is None


@pytest.mark.parametrize("unit", [" dividend per share", " margin in percent"])
def test_percentages_and_amounts_per_share_prove_nothing_by_their_sum(unit):
    by_name = cells(f"""
| | 2022 |
|---|---|
| Spring{unit} | 25.25 |
| Autumn{unit} | 36.36 |
| Total{unit} | 61.61 |
""")
    assert {(cell.value, cell.adds_up) for cell in by_name.values()} == {(25.25, None), (36.36, None), (61.61, None)}


def test_a_row_that_sums_what_stands_before_a_section_lies_outside_of_it():
    by_name = cells(RESULTS)
    assert by_name["Selling", 2022].row_path == ("Operating expenses", "Selling")
    assert by_name["Operating income", 2022].row_path == ("Operating income",)


def test_a_row_may_be_what_is_left_of_the_first_row():
    by_name = cells(RESULTS)
    assert by_name["Gross profit", 2021].adds_up is True  # 800 less 420
    assert by_name["Operating income", 2022].adds_up is True  # 400 - 120 - 80


def test_the_two_sides_of_a_balance_sheet_prove_or_doubt_each_other():
    by_name = cells("""
| (in millions) | 2022 | 2021 |
|---|---|---|
| Total assets | 731 | 655 |
| Liabilities | 111 | 105 |
| Total liabilities and equity | 731 | 665 |
""")
    assert by_name["Total assets", 2022].adds_up is True
    assert by_name["Total assets", 2021].adds_up is False
    assert by_name["Total liabilities and equity", 2021].adds_up is False


def test_roundings_of_several_rows_are_no_error_and_those_of_two_are():
    several = cells("""
| | 2022 | 2021 |
|---|---|---|
| Nets | 101 | 110 |
| Ropes | 102 | 120 |
| Sails | 103 | 130 |
| Total | 307 | 360 |
""")
    assert several["Total", 2022].adds_up is True
    two = cells("""
| | 2022 | 2021 |
|---|---|---|
| Nets | 101 | 110 |
| Ropes | 102 | 120 |
| Total | 204 | 230 |
""")
    assert two["Total", 2022].adds_up is False
