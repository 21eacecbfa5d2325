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


def heads(html: str) -> dict[str, tuple[str, ...]]:
    tables = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    return {cell.text: cell.column_path for table in tables for cell in table.values()}


def test_a_column_without_a_time_is_of_the_dated_one_that_it_belongs_to():
    html = rows("|2024|% of sales|2023|% of sales", "Sales|71|100%|61|99%")
    assert years(html) == {"71": 2024, "100%": 2024, "61": 2023, "99%": 2023}
    quarter = '<tr><td></td><td colspan="3">Second quarter</td><td colspan="3">Six months</td></tr>'
    line = "<tr>" + "".join(f"<td>{cell}</td>" for cell in "|2024|2023|Change|2024|2023|Change".split("|")) + "</tr>"
    html = rows("Sales|71|61|5%|171|161|6%").replace("<table>", f"<table>{quarter}{line}")
    assert years(html) == {"71": 2024, "61": 2023, "5%": 2024, "171": 2024, "161": 2023, "6%": 2024}
    html = rows("|2024|2023|2022|’24 vs. ’23|’23 vs. ’22", "Sales|71|61|51|5%|6%")
    assert years(html) == {"71": 2024, "61": 2023, "51": 2022, "5%": 2024, "6%": 2023}
    assert years(rows("|2024|2023|Thereafter|Total", "Rent|71|61|5|6")) == {
        "71": 2024,
        "61": 2023,
        "5": None,
        "6": None,
    }


def test_a_table_that_goes_on_has_the_headers_before_it_by_columns_or_by_figures():
    first = rows("|2024|2023", "Sales|71|61")
    assert heads(first + rows("Costs:||", "Fuel|31|21", "||", "|June|May", "Fish|5|6"))["21"] == ("2023",)
    assert heads(first + rows("Costs:||||", "Fuel|$|31|$|21"))["$ 21"] == ("2023",)
    assert heads(first + rows("Fuel||31||21", "Rent|32||22|"))["32"] == ("2024",)
    assert heads(first + rows("Fuel|31|21|11|1"))["21"] == ()


def test_a_note_between_headers_is_no_figure():
    table = rows("June 30, 2024|Level 1|Level 2|4|Fair value", "Bonds|71|61||132")
    assert heads(table)["61"] == ("Level 2",)
    assert years(table)["61"] == 2024


def test_years_beside_each_label_are_times_of_its_rows():
    html = rows("||Sales|Profit", "Ferries|2024|71|61", "|2023|72|62", "Docks|2024|73|63", "|2023|74|64")
    (table,) = citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html").tables()
    read = {cell.text: (cell.row_path, cell.year) for cell in table.values()}
    assert read["71"] == (("Ferries", "2024"), 2024)
    assert read["62"] == (("Ferries", "2023"), 2023)
    assert read["74"] == (("Docks", "2023"), 2023)
    html = rows("|Due|Rate|Amount", "Notes|2028|71|61", "Bonds|2029|72|62", "Bills|2031|73|63")
    assert years(html)["71"] is None


def test_a_title_tells_the_length_of_what_ends_on_the_days_of_its_headers():
    lead = "<p>Gains in the six months ended June 30, 2025 and June 30, 2024:</p>"
    read = periods(lead + rows("|June 30, 2025|June 30, 2024", "Swaps|71|61"))
    assert {months for _, months, _ in read.values()} == {6}
    read = periods(lead + rows("|December 31, 2025|December 31, 2024", "Swaps|71|61"))
    assert {months for _, months, _ in read.values()} == {0}
