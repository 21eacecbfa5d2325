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
        # Not of the title: of unseen filings one in four of such times was another period's.
        ("<p>Leases at December 31, 2023 were as follows:</p>" + rows(HEADS, "Ships|77|55", "Sheds|33|22"), None),
    ],
)
def test_the_corner_gives_the_time_that_no_header_gives(html, year):
    assert set(years(html).values()) == {year}


def test_a_quarter_in_the_corner_is_no_year():
    html = rows("Three Months Ended June 30, 2025|Before tax|After tax", "Hedges|77|55", "Pensions|33|22")
    (table,) = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    assert {cell_period(table, cell).months for cell in table.values()} == {3}
