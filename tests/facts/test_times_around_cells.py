"""A cell whose column names no time has that of a row above it or of the corner of the headers."""

import pytest

import citewell
from citewell.generators.extractive.cells.coverage import cell_period


def years(html: str) -> dict[str, int | None]:
    (table,) = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    return {cell.text: cell.year for cell in table.values()}


def rows(*lines: str) -> str:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line.split("|")) + "</tr>" for line in lines)
    return f"<table>{cells}</table>"


HEADS = "|Ferries|Harbours"


def test_a_row_that_is_a_time_holds_past_totals_until_the_next_one():
    table = rows(
        HEADS,
        "Year Ended December 31, 2024||",
        "Revenues:||",
        "Tickets|101|102",
        "Freight|11|12",
        "Total revenues|112|114",
        "Cost of fuel|41|42",
        "Other information:||",
        "Year Ended December 31, 2023||",
        "Revenues:||",
        "Tickets|91|92",
        "Freight|9|8",
        "Total revenues|100|99",
        "Cost of fuel|31|32",
    )
    (read_table,) = citewell.read(f"<html><body>{table}</body></html>".encode(), name="a.html").tables()
    paths = {cell.text: cell.row_path for cell in read_table.values()}
    assert paths["91"] == ("Year Ended December 31, 2023", "Revenues", "Tickets")
    read = years(table)
    assert [read[figure] for figure in ("101", "114", "41", "42")] == [2024] * 4
    assert [read[figure] for figure in ("91", "100", "31", "32")] == [2023] * 4


def test_a_section_that_is_no_time_still_ends_with_its_total():
    table = rows("|2024|2023", "Revenues:||", "Tickets|101|91", "Freight|11|9", "Total revenues|112|100", "Fuel|41|31")
    (read,) = citewell.read(f"<html><body>{table}</body></html>".encode(), name="a.html").tables()
    assert {cell.text: cell.row_path for cell in read.values()}["41"] == ("Fuel",)


@pytest.mark.parametrize(
    ("html", "year"),
    [
        (rows("December 31, 2024|Fair value|Carrying value", "Oriel Ltd|77|55", "Tarn AG|33|22"), 2024),
        (rows("Millions, as of June 30, 2024|Fair value|Carrying value", "Oriel Ltd|77|55", "Tarn AG|33|22"), 2024),
        ("<p>Leases at December 31, 2023 were as follows:</p>" + rows(HEADS, "Ships|77|55", "Sheds|33|22"), 2023),
        ("<p>Ships grew. Leases as of May 31, 2023:</p>" + rows(HEADS, "Ships|77|55", "Sheds|33|22"), 2023),
        ("<p>Leases at December 31, 2024 and 2023:</p>" + rows(HEADS, "Ships|77|55", "Sheds|33|22"), None),
        ("<p>Leases changed on May 3, 2023.</p>" + rows(HEADS, "Ships|77|55", "Sheds|33|22"), None),
    ],
)
def test_the_corner_or_the_title_gives_the_time_that_no_header_gives(html, year):
    assert set(years(html).values()) == {year}


def test_a_quarter_in_the_corner_is_no_year():
    html = rows("Three Months Ended June 30, 2025|Before tax|After tax", "Hedges|77|55", "Pensions|33|22")
    (table,) = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    assert {cell_period(table, cell).months for cell in table.values()} == {3}


def periods(html: str) -> dict[str, tuple[int | None, int, tuple[int | None, int, int] | None]]:
    (table,) = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    read = {cell.text: (cell.year, cell_period(table, cell)) for cell in table.values()}
    return {
        text: (year, period.months, period.ending and tuple(period.ending)) for text, (year, period) in read.items()
    }


def test_a_balance_at_the_beginning_is_of_the_day_before():
    html = rows("|Year ended December 31, 2024|Six months ended June 30, 2024", "Cash at beginning of period|71|61")
    assert periods(html) == {"71": (2023, 0, (2023, 12, 31)), "61": (2023, 0, (2023, 12, 31))}
    html = rows("|2024|2023", "Beginning balance|71|61", "Additions|5|6", "Claims at December 31|76|67")
    assert years(html) == {"71": 2023, "61": 2022, "5": 2024, "6": 2023, "76": 2024, "67": 2023}
    assert years(rows("|2024|2023", "Claims at January 1|71|61")) == {"71": 2023, "61": 2022}
    html = rows("|Three months ended March 31, 2025", "Balance December 31, 2024|71", "Balance March 31, 2025|61")
    assert periods(html)["71"][2] == (2024, 12, 31)
    assert periods(html)["61"][2] == (2025, 3, 31)


def test_what_moves_between_two_balances_lasts_from_one_to_the_other():
    html = rows("|Shares", "Balance at March 31, 2024|71", "Granted|5", "Balance at June 30, 2024|76", "Vested|3")
    assert periods(html)["5"] == (2024, 3, (2024, 6, 30))
    assert periods(html)["3"][0] is None
    html = rows("|December 31, 2023|Bought|December 31, 2024", "Bonds|71|5|76")
    assert periods(html)["5"] == (2024, 12, (2024, 12, 31))
    html = rows("|December 31, 2024|Change|December 31, 2023", "Bonds|71|5|76")
    assert periods(html)["5"][0] is None


@pytest.mark.parametrize("name", ["2.95% Notes due 2027", "Notes due May 2027", "2014 Notes", "2.2% due through 2072"])
def test_a_year_in_a_name_is_no_time(name):
    assert years(rows("|Rate|Amount", f"{name}|71|61")) == {"71": None, "61": None}


def test_a_quarter_that_a_row_names_is_of_the_year_above():
    html = rows("|2024|2023", "First quarter|71|61", "Second quarter|72|62")
    assert years(html) == {"71": 2024, "61": 2023, "72": 2024, "62": 2023}


def test_two_lengths_in_a_title_tell_none():
    html = "<p>Gains for the three and six months ended June 30, 2025:</p>" + rows(HEADS, "Ships|77|55")
    assert set(years(html).values()) == {None}
