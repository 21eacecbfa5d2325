"""Tables from PDF, HTML and Markdown: every cell with its headers, value, scale and period, at its exact place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.statements import LAYOUTS, make

from citewell import Document, read
from citewell.types import Block, Grid, Slot

FILING = b"""<html><body><h2>Consolidated Balance Sheets</h2><p>(in thousands, except share data)</p><table>
<tr><td></td><td colspan=6>December 31,</td></tr>
<tr><td></td><td colspan=3>2021</td><td colspan=3>2020</td></tr>
<tr><td>Current assets:</td><td></td><td></td><td></td><td></td><td></td><td></td></tr>
<tr><td>Cash</td><td>$</td><td>1,234</td><td></td><td>$</td><td>1,000</td><td></td></tr>
<tr><td>Inventories</td><td></td><td>50</td><td></td><td></td><td></td><td></td></tr>
<tr><td>Total current assets</td><td></td><td>1,284</td><td></td><td></td><td>1,000</td><td></td></tr>
<tr><td>Total liabilities</td><td></td><td>(12</td><td>)</td><td></td><td>(3</td><td>)</td></tr>
<tr><td>Number of shares</td><td></td><td>77</td><td></td><td></td><td>70</td><td></td></tr>
</table></body></html>"""


def summarise(cell):
    return cell.row_path, cell.column_path, cell.value, cell.unit, cell.scale, cell.year


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_statement_is_read_cell_by_cell_in_every_layout(name):
    data, wanted = make(LAYOUTS[name])
    document = read(data, name="statement.pdf")
    (table,) = document.tables()
    assert table.kind == "income"
    assert table.title == "CONSOLIDATED STATEMENTS OF INCOME"
    heads = {2023: "2023", 2022: "2022", 2021: "2021"}
    got = {}
    for cell in table.values():
        if cell.column_path[-1:] == ("Note",):
            continue
        part = int("Twelve" in " ".join(cell.column_path)) if name == "periods" else 0
        section = cell.row_path[0] if len(cell.row_path) > 1 else ""
        got[section, cell.row_path[-1], heads[cell.year], part] = (cell.value, cell.scale)
        assert document.text[cell.start : cell.end] == cell.text
    assert got == wanted


def test_the_rectangle_of_a_cell_lies_over_its_figure():
    document = read(make(LAYOUTS["plain"])[0], name="statement.pdf")
    cell = next(cell for cell in document.tables()[0].values() if cell.value == 844.4)
    (rect,) = document.locate(cell.start, cell.end)
    assert rect.x1 == pytest.approx(490, abs=1)  # the right edge of the second of three columns
    assert rect.x0 > 440


def test_signs_in_cells_of_their_own_belong_to_their_numbers():
    document = read(FILING, name="filing.html")
    assert "Cash | $ 1,234 | $ 1,000" in document.text
    (table,) = document.tables()
    assert (table.kind, table.columns, table.title) == ("balance", 3, "Consolidated Balance Sheets")
    assert [summarise(cell) for cell in table.values()] == [
        (("Current assets", "Cash"), ("December 31,", "2021"), 1234.0, "USD", 1000, 2021),
        (("Current assets", "Cash"), ("December 31,", "2020"), 1000.0, "USD", 1000, 2020),
        (("Current assets", "Inventories"), ("December 31,", "2021"), 50.0, "USD", 1000, 2021),
        (("Current assets", "Total current assets"), ("December 31,", "2021"), 1284.0, "USD", 1000, 2021),
        (("Current assets", "Total current assets"), ("December 31,", "2020"), 1000.0, "USD", 1000, 2020),
        (("Total liabilities",), ("December 31,", "2021"), -12.0, "USD", 1000, 2021),
        (("Total liabilities",), ("December 31,", "2020"), -3.0, "USD", 1000, 2020),
        (("Number of shares",), ("December 31,", "2021"), 77.0, "shares", 1, 2021),
        (("Number of shares",), ("December 31,", "2020"), 70.0, "shares", 1, 2020),
    ]


def test_an_empty_cell_keeps_its_column():
    (table,) = read(FILING, name="filing.html").tables()
    (empty,) = (cell for cell in table.cells if cell.role == "empty" and cell.row_path[-1:] == ("Inventories",))
    assert (empty.column, empty.column_path, empty.text) == (2, ("December 31,", "2020"), "")


def test_a_saved_document_keeps_its_tables(tmp_path):
    document = read(make(LAYOUTS["ended"])[0], name="statement.pdf")
    document.save(tmp_path / "document.json")
    assert Document.load(tmp_path / "document.json").tables() == document.tables()


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="<>&|", exclude_categories=("C",)), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_every_cell_is_a_slice_of_the_text(rows):
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    document = read(f"<p>Before.</p><table>{body}</table>".encode(), name="a.html")
    for table in document.tables():
        assert len({(cell.row, cell.column) for cell in table.cells}) == len(table.cells)
        for cell in table.cells:
            assert document.text[cell.start : cell.end] == cell.text
            assert 0 <= cell.row < table.rows
            assert 0 <= cell.column < table.columns


def scales(table, before="Figures of the year.", page=""):
    read_table = read(f"# Report\n\n{page}\n\n{before}\n\n{table}\n".encode(), name="report.md").tables()[0]
    return {(cell.row_path[-1], cell.column_path[-1]): cell.scale for cell in read_table.values()}


def test_a_rows_own_scale_is_no_other_rows():
    told_scales = scales(
        "| | 2024 | 2023 |\n|---|---|---|\n| Revenue (€ million) | 41.3 | 38.4 |\n| Staff | 240 | 231 |"
    )
    assert told_scales["Revenue (€ million)", "2024"] == 1_000_000
    assert told_scales["Staff", "2024"] == 1


def test_a_columns_own_scale_is_no_other_columns():
    told_scales = scales("| Route | € thousand | Journeys |\n|---|---|---|\n| Ring | 412 | 317 |\n| Isle | 94 | 112 |")
    assert told_scales["Ring", "€ thousand"] == 1000
    assert told_scales["Ring", "Journeys"] == 1


def test_the_corner_of_a_table_states_the_scale_of_all_of_it():
    told_scales = scales("| in thousands | 2024 | 2023 |\n|---|---|---|\n| Ring | 412 | 317 |\n| Isle | 94 | 112 |")
    assert set(told_scales.values()) == {1000}


TWO_ROWS = "| | 2024 | 2023 |\n|---|---|---|\n| Ring | 412 | 317 |\n| Isle | 94 | 112 |"


@pytest.mark.parametrize(
    ("before", "scale"),
    [
        ("(in thousands)", 1000),
        ("The following table shows revenue by route for the last two years, all of it in thousands of euros:", 1000),
        ("The company delivers parcels to doors in millions of homes, and has done so in every year since.", 1),
    ],
)
def test_a_sentence_gives_a_table_its_scale_only_where_it_leads_to_it(before, scale):
    assert set(scales(TWO_ROWS, before).values()) == {scale}


@pytest.mark.parametrize(
    ("parts", "titles"),
    [
        (["Table 1. Fares", None, "Table 2. Costs", None], ["Table 1. Fares", "Table 2. Costs"]),
        ([None, "Table 1. Fares", None, "Table 2. Costs"], ["Table 1. Fares", "Table 2. Costs"]),
        (["Figure 1. A quay", None, "Table 1. Fares"], ["Table 1. Fares"]),
    ],
)
def test_a_table_is_called_by_the_caption_on_the_side_where_the_others_stand(parts, titles):
    text, blocks, grids = "", [], []
    for part in parts:
        start = len(text)
        text += part or "Fares | 5 | 4"
        blocks.append(Block(start, len(text), "caption" if part else "table_row"))
        if part is None:
            slots = tuple(
                Slot(0, column, start + at, start + end) for column, at, end in ((0, 0, 5), (1, 8, 9), (2, 12, 13))
            )
            grids.append(Grid(start, len(text), 1, 3, slots))
        text += "\n\n"
    document = Document(text, blocks=tuple(blocks), grids=tuple(grids))
    assert [table.title for table in document.tables()] == titles


def test_a_statement_with_a_scale_of_its_own_does_not_take_that_of_the_table_before_it():
    table = "<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td>{}</td><td>{}</td><td>30</td></tr></table>"
    page = (
        "<h2>Segments</h2><p>(in thousands)</p>"
        + table.format("Ships", "10")
        + "<h2>Consolidated Statements of Income</h2><p>(in millions)</p>"
        + table.format("Net income", "20")
    )
    document = read(f"<html><body>{page}</body></html>".encode(), name="a.html")
    first, second = document.tables()
    assert [table.values()[0].scale for table in (first, second)] == [1_000, 1_000_000]
    at = second.values()[0].scale_at
    assert document.text[at.start : at.end] == "(in millions"


def test_a_currency_may_be_told_by_its_code_and_eps_is_in_no_scale():
    page = (
        "<h2>Income statement (EUR thousand)</h2><table><tr><td></td><td>2023</td><td>2022</td></tr>"
        "<tr><td>Revenue</td><td>512300</td><td>498120</td></tr><tr><td>Diluted EPS</td><td>1.84</td><td>1.61</td></tr>"
    )
    (table,) = read(f"<html><body>{page}</table></body></html>".encode(), name="a.html").tables()
    assert {(cell.text, cell.unit, cell.scale) for cell in table.values() if cell.year == 2023} == {
        ("512300", "EUR", 1_000),
        ("1.84", "EUR", 1),
    }


def test_prices_of_one_share_and_years_are_in_no_scale():
    page = (
        "<p>(in millions)</p><table><tr><td></td><td>2023</td><td>2022</td></tr>"
        "<tr><td>Options granted</td><td>12</td><td>14</td></tr><tr><td>Expected life (in years)</td><td>7.85</td><td>7.64</td></tr>"
        "<tr><td>Weighted-average grant date fair value</td><td>17.12</td><td>21.03</td></tr></table>"
    )
    (table,) = read(f"<html><body>{page}</body></html>".encode(), name="a.html").tables()
    scales = {cell.text: cell.scale for cell in table.values()}
    assert scales == {"12": 1_000_000, "14": 1_000_000, "7.85": 1, "7.64": 1, "17.12": 1, "21.03": 1}


@pytest.mark.parametrize("place", ["corner", "above"])
@pytest.mark.parametrize(
    ("stated", "currency"),
    [
        ("in thousands of euros", "EUR"),
        ("in millions of U.S. dollars", "USD"),
        ("Dollars in millions", "USD"),
        ("in millions of Canadian dollars", "CAD"),
        ("in thousands of people", ""),
        ("thousands of shares", ""),
    ],
)
def test_a_currency_may_be_a_word_beside_the_scale(stated, currency, place):
    corner, above = (stated, "") if place == "corner" else ("", f"({stated})\n\n")
    document = read(f"{above}| {corner} | 2025 |\n|---|---|\n| Revenue | 41,260 |\n".encode(), name="oriel.md")
    (cell,) = (cell for table in document.tables() for cell in table.cells if cell.role == "value")
    assert cell.unit == currency
