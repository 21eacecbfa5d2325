"""The units of a table's figures: percentages, amounts for a share, money."""

import pytest

import citewell
from citewell.facts.tables.units import units_of


def units(*lines, lead="(in millions)"):
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line.split("|")) + "</tr>" for line in lines)
    html = f"<html><body><p>Results {lead}:</p><table>{rows}</table></body></html>"
    (table,) = citewell.read(html.encode(), name="a.html").tables()
    return {cell.text: (cell.unit, cell.scale) for cell in table.values()}


def test_figures_between_two_percentages_of_a_column_are_percentages():
    read = units(
        "|2024", "Sales|$ 900", "Statutory rate|21.0 %", "Foreign income|(2.5)", "Other|0.3", "Actual rate|18.8 %"
    )
    assert read == {
        "$ 900": ("USD", 1_000_000), "21.0 %": ("percent", 1), "(2.5)": ("percent", 1), "0.3": ("percent", 1),
        "18.8 %": ("percent", 1),
    }  # fmt: skip
    read = units("|2024", "Margin|21 %", "Sales|$ 90", "Costs|70", "Growth|18 %", "Fuel|31")
    assert [read[figure][0] for figure in ("$ 90", "70", "31")] == ["USD"] * 3
    assert units_of(("Fiscal 2024", "% of sales")).percent


@pytest.mark.parametrize(
    "label",
    [
        "Dividends ($4.45 per share)",
        "Dividends (per share, $1.94 and $1.84 in 2024 and 2023)",
        "Stock, $1.00 per share",
    ],
)
def test_an_amount_for_a_share_in_a_label_is_not_the_unit_of_its_figures(label):
    assert units("|2024", "Cash|$ 5,000", f"{label}|31")["31"] == ("USD", 1_000_000)


def test_a_large_figure_without_decimals_is_no_amount_for_a_share():
    read = units(
        "|2024",
        "Basic earnings per share:|",
        "Net income|$ 27,518",
        "Earnings per share|$ 4.59",
        "Dividends per share|1",
    )
    assert read == {"$ 27,518": ("USD", 1_000_000), "$ 4.59": ("USD", 1), "1": ("USD", 1)}


@pytest.mark.parametrize(
    ("label", "unit"),
    [("Interest rate swaps", "USD"), ("Interest rate contracts(1)", "USD"), ("Effective tax rate", "percent"),
     ("Interest rate on deposits", "percent"), ("Discount rate", "percent"), ("Discount rate (average)", "percent")],
)  # fmt: skip
def test_a_rate_is_a_percentage_and_what_is_called_after_one_is_none(label, unit):
    assert units("|2024", "Cash|$ 5,000", f"{label}|31")["31"][0] == unit


@pytest.mark.parametrize(
    ("sentence", "unit"),
    [
        ("All amounts are in Canadian dollars, unless otherwise indicated.", "CAD"),
        ("The presentation currency of the Group is Australian dollars.", "AUD"),
        ("The financial report is presented in New Zealand dollars.", "NZD"),
        ("Some contracts are denominated in Canadian dollars.", "USD"),
    ],
)
def test_a_dollar_is_that_in_which_a_document_reports(sentence: str, unit: str) -> None:
    rows = "<tr><td></td><td>2024</td></tr><tr><td>Sales</td><td>$ 164</td></tr><tr><td>Sales in US$</td><td>$ 120</td></tr>"
    page = f"<html><body><p>We sell paint. {sentence}</p><p>Results</p><table>{rows}</table></body></html>"
    (table,) = citewell.read(page.encode(), name="a.html").tables()
    assert [cell.unit for cell in table.values()] == [unit, "USD"]


@pytest.mark.parametrize(("scale", "unit"), [("(in thousands of U.S. dollars)", "USD"), ("(in thousands)", "CAD")])
def test_a_table_in_another_dollar_says_so_at_its_scale(scale: str, unit: str) -> None:
    rows = "<tr><td></td><td>2024</td></tr><tr><td>BUSINESS TRUST</td><td>$ 164</td></tr>"
    page = f"<p>All amounts are in Canadian dollars.</p><p>Results {scale}</p><table>{rows}</table>"
    (table,) = citewell.read(page.encode(), name="a.html").tables()
    assert [cell.unit for cell in table.values()] == [unit]


@pytest.mark.parametrize(
    ("title", "scale"),
    [("Average Monthly Revenue Per Paid Subscriber", 1), ("Average price per barrel", 1), ("Revenue per region", 1_000_000)],
)  # fmt: skip
def test_an_amount_for_each_of_something_is_in_no_scale(title, scale):
    html = f"<html><body><p>(in millions)</p><h2>{title}:</h2><table><tr><td></td><td>2024</td></tr><tr><td>North</td>"
    html += "<td>$ 5.45</td></tr><tr><td>South</td><td>$ 7.31</td></tr></table></body></html>"
    (table,) = citewell.read(html.encode(), name="a.html").tables()
    assert {cell.scale for cell in table.values()} == {scale}


def test_dollars_are_those_of_the_report_in_a_column_of_a_country():
    text = "<html><body><p>All amounts are expressed in Canadian dollars (in millions).</p><table><tr><td></td>"
    text += "<td>U.S. Banking 2024</td><td>Total (US$) 2024</td></tr><tr><td>Revenue</td><td>$ 706</td><td>$ 526</td>"
    text += "</tr></table></body></html>"
    (table,) = citewell.read(text.encode(), name="a.html").tables()
    assert [cell.unit for cell in table.values()] == ["CAD", "USD"]


def test_the_last_word_of_a_header_over_the_labels_may_be_the_scale():
    read = units("Carloads Thousands|2024|2023", "Coal|702|867", "Boats|1,483|1,916", lead="of the year")
    assert {scale for _, scale in read.values()} == {1000}
    assert {scale for _, scale in units("Lost millions ago|2024", "Coal|702", lead="of the year").values()} == {1}


def test_aircraft_that_are_summed_with_money_are_money():
    read = units("|2024", "Aircraft|22,828", "Buildings|$ 6,178", "Total|$ 29,006")
    assert read["22,828"] == ("USD", 1_000_000)
    assert units("|2024", "Aircraft|288", "Days|12", lead="of the year")["288"] == ("", 1)
