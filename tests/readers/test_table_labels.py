"""Labels of rows: those that stand in several lines, and tables whose headers a reader took for one of their own."""

import pytest
from tests.generators.test_reports_unseen import page, table

from citewell import Document, ask
from citewell.types import Block, Grid, Slot


def paths(*rows):
    (built,) = page(table(("2023", "2022"), rows)).tables()
    return [cell.row_path for cell in built.values() if cell.column == 1 and cell.text]


@pytest.mark.parametrize(
    ("lines", "label"),
    [
        (("Plant, net of accumulated depreciation -", "$13 and $12 (Note 9)"),
         "Plant, net of accumulated depreciation - $13 and $12 (Note 9)"),
        (("Net income attributable to", "Tern Quay Holdings"), "Net income attributable to Tern Quay Holdings"),
        (("Amounts recognized in the", "balance sheets"), "Amounts recognized in the balance sheets"),
        (("Discrete items and other", "adjustments", "of taxes"), "Discrete items and other adjustments of taxes"),
        (("Common stock – par value $1;", "Shares issued: 17 million"), "Common stock – par value $1; Shares issued: 17 million"),
        (("Shares outstanding (in", "Millions)"), "Shares outstanding (in Millions)"),
    ],
)  # fmt: skip
def test_a_label_over_several_lines_is_one(lines, label):
    *begun, last = lines
    assert paths(("Cash", "7", "8"), *((line,) for line in begun), (last, "9", "5"))[1] == (label,)


@pytest.mark.parametrize("section", ["Current assets:", "Current assets", "December 31,"])
def test_a_section_is_no_line_of_the_label_below_it(section):
    assert paths((section,), ("Cash", "7", "8"))[0] == (section.rstrip(":"), "Cash")


@pytest.mark.parametrize("part", ["of which restricted", "thereof restricted"])
def test_a_part_that_is_named_in_small_letters_is_no_line_of_its_whole(part):
    assert paths(("Cash",), (part, "7", "8"))[0] == ("Cash", part)


def test_headers_that_stand_alone_above_a_table_are_its_own():
    text = " | Fiscal Year\n2023 | 2022 | 2021\n\nFlows of the year\n\nCapital spending | 31 | 29 | 28\nDividends | 12 | 11 | 10\n"
    grids, blocks = [], []
    for part in text.split("\n\n"):
        start = text.index(part)
        lines, slots, at = part.rstrip("\n").split("\n"), [], start
        for row, line in enumerate(lines):
            for column, cell in enumerate(line.split(" | ")):
                place = text.index(cell, at)
                slots += [Slot(row, column, place, place + len(cell))] if cell else []
                at = place + len(cell)
        kind = "table_row" if "|" in part else "paragraph"
        blocks.append(Block(start, start + len(part.rstrip()), kind))
        if "|" in part:
            columns = 1 + max(slot.column for slot in slots)
            grids.append(Grid(start, start + len(part.rstrip()), len(lines), columns, tuple(slots)))
    document = Document(text=text, blocks=tuple(blocks), grids=tuple(grids))
    flows = document.tables()[1]
    assert [(cell.row_path[-1], cell.text, cell.year) for cell in flows.values()][:2] == [
        ("Capital spending", "31", 2023),
        ("Capital spending", "29", 2022),
    ]


def test_what_a_receivable_is_less_by_is_no_part_of_its_name_and_cash_flows_tell_only_its_change():
    def rows(*names):
        return [(name, f"{300 + number}", f"{400 + number}") for number, name in enumerate(names)]

    net = "Accounts receivable, net of allowance for doubtful accounts of $42 and $97"
    statements = {
        "Income": rows("Revenue", "Cost of sales", "Gross profit", "Selling expenses", "Operating income",
                       "Interest expense", "Income tax expense", "Net income"),
        "Balance Sheets": [("Cash", "1,379", "1,101"), (net, "98", "362"), *rows(
            "Goodwill", "Total current assets", "Total assets", "Accounts payable", "Total liabilities", "Total equity")],
        "Cash Flows": [("Net funds receivable and payable activity", "(208)", "—"), *rows(
            "Depreciation", "Net cash from operating activities", "Purchases of equipment", "Dividends", "Repayments",
            "Net cash used in financing activities", "Net change")],
    }  # fmt: skip
    body = "".join(
        f"<h2>Consolidated {'' if name.startswith('Balance') else 'Statements of '}{name}</h2><p>(in millions)</p>"
        + table(("2023", "2022"), statement)
        for name, statement in statements.items()
    )
    assert ask(page(body), "What was accounts receivable in fiscal 2022?").value.number == 362


def html_rows(*rows):
    cells = "".join(
        f'<tr><td style="{style}">{label}</td>' + "".join(f"<td>{figure}</td>" for figure in figures) + "</tr>"
        for label, style, *figures in rows
    )
    return f"<table><tr><td></td><td>2023</td><td>2022</td></tr>{cells}</table>"


@pytest.mark.parametrize(
    "style", ["padding-left:12pt", "padding:2px 1pt 2px 12pt", "padding: 0 16px", "text-indent:9pt", "margin-left:1em"]
)
def test_a_label_that_a_page_sets_in_belongs_to_the_one_above(style):
    rows = (
        ("Ferries", ""),
        ("Tickets", style, "7", "8"),
        ("Docks", ""),
        ("Rent", style, "5", "6"),
        ("Tax", "", "1", "2"),
    )
    (built,) = page(html_rows(*rows)).tables()
    assert [cell.row_path for cell in built.values() if cell.column == 1] == [
        ("Ferries", "Tickets"), ("Docks", "Rent"), ("Tax",),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "cell", ['<td style="padding-left:9pt;text-indent:-9pt">', '<td style="padding:2px 9pt 2px 0">', "<td><div>"]
)
def test_a_hanging_line_or_a_place_at_the_right_is_no_indent(cell):
    html = f"<table><tr><td></td><td>2023</td></tr><tr>{cell}Tickets</td><td>7</td></tr></table>"
    assert [slot.indent for slot in page(html).grids[0].slots] == [0.0] * 3


def test_a_label_in_capitals_stands_above_those_that_are_not():
    rows = (
        ("FERRIES", ""), ("North", ""), ("Tickets", "padding-left:9pt", "7", "8"),
        ("South", ""), ("Tickets", "padding-left:9pt", "5", "6"),
        ("DOCKS", ""), ("North", ""), ("Rent", "padding-left:9pt", "3", "4"),
    )  # fmt: skip
    (built,) = page(html_rows(*rows)).tables()
    assert [cell.row_path for cell in built.values() if cell.column == 1] == [
        ("FERRIES", "North", "Tickets"), ("FERRIES", "South", "Tickets"), ("DOCKS", "North", "Rent"),
    ]  # fmt: skip


def test_an_aside_behind_the_currency_of_a_column_does_not_hide_it():
    heads = "".join(f"<td>{head}</td>" for head in ("", "2025 RMB (Unaudited)", "2025 US$ (Unaudited)", "2025 (RMB)"))
    row = "".join(f"<td>{cell}</td>" for cell in ("Tickets", "700", "100", "800"))
    (built,) = page(f"<p>All in US$.</p><table><tr>{heads}</tr><tr>{row}</tr></table>").tables()
    assert [cell.unit for cell in built.values()] == ["CNY", "USD", "CNY"]


def test_an_acronym_with_rows_of_its_own_stands_beside_the_labels_below_it():
    rows = (
        ("North", ""), ("Tickets", "padding-left:9pt", "7", "8"),
        ("ORS", ""), ("Tickets", "padding-left:9pt", "5", "6"),
        ("Consolidated", ""), ("Tickets", "padding-left:9pt", "12", "14"),
    )  # fmt: skip
    (built,) = page(html_rows(*rows)).tables()
    assert [cell.row_path for cell in built.values() if cell.column == 1] == [
        ("North", "Tickets"), ("ORS", "Tickets"), ("Consolidated", "Tickets"),
    ]  # fmt: skip


def test_a_table_goes_on_behind_the_foot_of_a_page():
    foot = "<table><tr><td>Annual report</td><td>17</td></tr></table><p>Table of Contents</p>"
    before = "<p>Table of Contents</p><p>Ferries and docks.</p>" * 3
    rows = (("North", ""), ("Tickets", "padding-left:9pt", "7", "8"))
    more = "<table><tr><td style='padding-left:9pt'>Freight</td><td>5</td><td>6</td></tr></table>"
    *_, last = page(before + html_rows(*rows) + foot + more).tables()
    assert [(cell.row_path, cell.column_path) for cell in last.values()] == [
        (("North", "Freight"), ("2023",)), (("North", "Freight"), ("2022",)),
    ]  # fmt: skip


def test_a_section_goes_on_behind_the_total_of_a_part_of_it():
    nine, more = "padding-left:9pt", "padding-left:18pt"
    rows = (
        ("Assets", ""), ("Current assets", nine), ("Cash", more, "7", "8"), ("Total current assets", nine, "7", "8"),
        ("Property", nine, "5", "6"), ("Total assets", "", "12", "14"), ("Debts", "", "3", "4"),
    )  # fmt: skip
    (built,) = page(html_rows(*rows)).tables()
    assert [cell.row_path for cell in built.values() if cell.column == 1] == [
        ("Assets", "Current assets", "Cash"), ("Assets", "Total current assets"), ("Assets", "Property"),
        ("Total assets",), ("Debts",),
    ]  # fmt: skip


@pytest.mark.parametrize(("corner", "section"), [("Assets", ("Assets",)), ("Year ended December 31,", ())])
def test_a_total_without_a_name_is_of_what_the_corner_says(corner, section):
    rows = (
        ("Cash", "", "710", "820"),
        ("Boats", "", "505", "611"),
        ("Nets", "", "302", "408"),
        ("", "", "1,517", "1,839"),
    )
    built = page(html_rows(*rows).replace("<td></td>", f"<td>{corner}</td>", 1)).tables()[0]
    assert [cell.row_path for cell in built.values() if cell.text in ("1,517", "1,839")] == [section] * 2
