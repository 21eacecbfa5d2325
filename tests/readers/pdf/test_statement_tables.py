"""Tables of statements in PDFs: headers further down, labels on several lines, what stands between rows, empty pages."""

import io

from reportlab.pdfgen.canvas import Canvas

from citewell import read
from pdfs import cells_by_label as cells

RIGHT = (400, 480)
SHARES = "Preferred shares, par value 1.00 a share; 5.0 million authorised, issued and outstanding: 2.4 million and 2.5"


def drawn(*pages):
    """A document whose pages have lines of (x, text) or (right edge, text) as told, 14 points apart."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    for lines in pages:
        canvas.setFont("Helvetica", 9)
        y = 780.0
        for line in lines:
            y -= 14
            for place, text in line if isinstance(line, list) else [(72, line)]:
                if place in RIGHT:
                    canvas.drawRightString(place, y, text)
                elif place > RIGHT[0]:
                    canvas.drawCentredString(place, y, text)
                else:
                    canvas.drawString(place, y, text)
        canvas.showPage()
    canvas.save()
    return read(buffer.getvalue(), name="harbour.pdf")


def row(label, *values, indent=0):
    return [(72 + indent, label), *zip(RIGHT, values, strict=True)]


YEARS = [[(72, "(in thousands)"), (400, "2022"), (480, "2021")]]


def test_headers_further_down_stand_for_those_above():
    document = drawn(
        [
            *YEARS,
            row("Dues of ships", "$ 1,234", "$ 1,105"),
            row("Dues of boats", "345", "321"),
            row("Total dues", "$ 1,579", "$ 1,426"),
            "Other assets:",
            [(72, "(in thousands)"), (400, "May 29, 2020"), (480, "May 30, 2019")],
            row("Nets", "$ 219", "$ 210"),
            row("Ropes", "18", "17"),
            row("Total", "$ 237", "$ 227"),
        ]
    )
    result = cells(document)
    assert result["Dues of boats", "345"].column_path == ("2022",)
    assert result["Ropes", "18"].column_path == ("May 29, 2020",)
    assert (result["Ropes", "18"].year, result["Ropes", "17"].year) == (2020, 2019)
    assert result["Ropes", "18"].scale == 1000
    assert result["Ropes", "18"].row_path == ("Ropes",)


def test_a_header_over_all_figures_is_theirs():
    document = drawn(
        [
            [(430, "Payments due by period")],
            [(400, "Total"), (480, "Later")],
            row("Leases", "$ 1,234", "$ 105"),
            row("Loans", "345", "21"),
            row("Total", "$ 1,579", "$ 126"),
        ]
    )
    assert cells(document)["Loans", "21"].column_path == ("Payments due by period", "Later")


def test_a_long_label_between_rows_does_not_cut_a_balance_sheet():
    document = drawn(
        [
            *YEARS,
            row("Cash", "$ 1,234", "$ 1,105"),
            row("Boats", "345", "321"),
            row("Total assets", "$ 1,579", "$ 1,426"),
            row("Loans", "579", "526"),
            "The port’s equity:",
            [(72, "Founders’ shares, par value 1.00 a share, of which none was issued.")],
            [(72, "Members’ shares: par value 1.00; authorised in 1994 and again in 2003.")],
            row("Capital", "600", "600"),
            row("Retained earnings", "400", "300"),
            row("Total liabilities and equity", "$ 1,579", "$ 1,426"),
        ]
    )
    assert len(document.tables()) == 1
    result = cells(document)
    assert result["Retained earnings", "400"].year == 2022
    assert result["Retained earnings", "400"].scale == 1000
    assert result["Total liabilities and equity", "$ 1,579"].adds_up is True


def test_a_label_goes_on_behind_the_number_that_ends_its_line():
    document = drawn(
        [
            *YEARS,
            row("Cash", "$ 1,234", "$ 1,105"),
            [(72, "Members’ shares, authorised 5.0 million, issued 2.4")],
            row("million", "345", "321"),
            row("Total", "$ 1,579", "$ 1,426"),
        ]
    )
    (label,) = (cell.row_path[-1] for cell in document.tables()[0].values() if cell.text == "345")
    assert label == "Members’ shares, authorised 5.0 million, issued 2.4 million"


def test_a_section_has_the_second_line_of_its_label():
    document = drawn(
        [
            *YEARS,
            row("Cash", "$ 1,234", "$ 1,105"),
            "Contracts designated as hedges of fuel and",
            "instruments of the port’s members:",
            row("Forwards", "345", "321", indent=12),
            row("Options", "3", "5", indent=12),
        ]
    )
    (path,) = (cell.row_path for cell in document.tables()[0].values() if cell.text == "345")
    assert path == ("Contracts designated as hedges of fuel and instruments of the port’s members", "Forwards")


def test_a_table_goes_on_behind_an_empty_page():
    document = drawn(
        [
            *YEARS,
            row("Cash from dues", "$ 1,234", "$ 1,105"),
            row("Cash paid for boats", "(345)", "(321)"),
        ],
        [],
        [
            row("Change in cash", "889", "784"),
            row("Cash at the end of the year", "$ 1,889", "$ 1,784"),
        ],
    )
    cell = cells(document)["Change in cash", "889"]
    assert (cell.column_path, cell.year, cell.scale) == (("2022",), 2022, 1000)


def test_a_label_right_under_another_names_a_part_of_it():
    document = drawn(
        [
            *YEARS,
            "Assets",
            "Current assets:",
            row("Cash", "$ 1,234", "$ 1,105", indent=12),
            row("Nets", "345", "321", indent=12),
            row("Total current assets", "1,579", "1,426", indent=12),
            row("Boats", "421", "374"),
            row("Total assets", "$ 2,000", "$ 1,800"),
            "Commitments and contingencies (Note 3)",
            row("Loans", "421", "374"),
        ]
    )
    result = cells(document)
    assert result["Cash", "$ 1,234"].row_path == ("Assets", "Current assets", "Cash")
    assert result["Boats", "421"].row_path == ("Assets", "Boats")
    assert result["Loans", "421"].row_path == ("Loans",)


def test_years_in_the_middle_of_a_figure_and_its_share_stand_over_both():
    columns = (320, 360, 440, 480)
    rows = [
        ("Net sales", "$ 1,234", "100 %", "$ 1,105", "100 %"),
        ("Costs", "(345)", "(28)%", "(321)", "(29)%"),
        ("Profit", "$ 889", "72 %", "$ 784", "71 %"),
    ]
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setFont("Helvetica", 9)
    for year, middle in (("2022", 322), ("2021", 442)):
        canvas.drawCentredString(middle, 766, year)
    for number, (label, *figures) in enumerate(rows):
        canvas.drawString(72, 752 - 14 * number, label)
        for right, figure in zip(columns, figures, strict=True):
            canvas.drawRightString(right, 752 - 14 * number, figure)
    canvas.save()
    result = cells(read(buffer.getvalue(), name="harbour.pdf"))
    assert [result["Costs", text].year for text in ("(345)", "(28)%", "(321)", "(29)%")] == [2022, 2022, 2021, 2021]


def test_ranges_of_amounts_are_figures_and_no_headers():
    document = drawn(
        [
            [(72, "Assumptions"), (400, "2022"), (480, "2021")],
            row("Value of a share", "$8.37 - $15.48", "$7.25 - $10.06"),
            row("Interest rate", "1.54%", "1.73%"),
            row("Volatility", "42.7%", "47.6%"),
        ]
    )
    assert cells(document)["Volatility", "42.7%"].column_path == ("2022",)


def right_set(*pages):
    """A document of lines of (right edge, text), labels at the left, 14 points apart."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    for lines in pages:
        canvas.setFont("Helvetica", 9)
        for number, line in enumerate(lines):
            for place, text in line:
                (canvas.drawString if place < 200 else canvas.drawRightString)(place, 760 - 14 * number, text)
        canvas.showPage()
    canvas.save()
    return read(buffer.getvalue(), name="harbour.pdf")


def line(label, *values, places=(300, 358, 414, 480)):
    return [(72, label), *zip(places, values, strict=True)]


def test_headers_of_narrow_columns_are_not_one_however_close_they_stand():
    document = right_set(
        [
            [(362, "Temporarily")],
            line("", "Unrestricted", "Restricted", "Total", "2012")[1:],
            line("Grants", "$ 12,116,515", "$ 201,300", "$ 12,317,815", "$ 9,847,024"),
            line("Dues", "464,281", "39,266", "503,547", "594,216"),
            line("Total", "12,580,796", "240,566", "12,821,362", "10,441,240"),
        ]
    )
    dues = {cell.text: cell.column_path for cell in document.tables()[0].values() if cell.row_path == ("Dues",)}
    assert [path[-1] for path in dues.values()] == ["Unrestricted", "Temporarily Restricted", "Total", "2012"]


def test_a_title_above_the_headers_names_no_column():
    document = right_set(
        [
            [(72, "FURTHER FIGURES OF THE PORT AND OF ALL ITS QUAYS AND BOATS AND SHEDS")],
            line("in € million", "2020", "2021", "2022", "2023"),
            line("Expenditure", "7,112", "8,013", "7,784", "6,222"),
            line("Depreciation", "4,822", "5,113", "6,017", "6,143"),
        ]
    )
    paths = {cell.text: cell.year for cell in document.tables()[0].values()}
    assert [paths[text] for text in ("7,112", "8,013", "7,784", "6,222")] == [2020, 2021, 2022, 2023]


def test_the_last_line_of_a_header_is_no_paragraph_with_the_label_below_it():
    two = (400, 480)
    document = right_set(
        [
            line("", "2023", "2022", places=two)[1:],
            line("", "Actual", "Actual", places=two)[1:],
            [(480, "(Restated")],
            [(480, "- note 2)")],
            [(72, "Revenue:")],
            line("Dues", "$ 32,167", "$ 30,412", places=two),
            line("Fares", "6,358", "6,353", places=two),
            [(400, "38,525"), (480, "36,765")],
        ]
    )
    (table,) = document.tables()
    fares = {cell.text: cell for cell in table.values() if cell.row_path[-1] == "Fares"}
    assert (fares["6,358"].year, fares["6,353"].year) == (2023, 2022)
    assert "Restated" in fares["6,353"].column_path[-1]
    assert "Restated" not in fares["6,358"].column_path[-1]
    assert fares["6,358"].row_path == ("Revenue", "Fares")


def test_a_mark_before_a_label_takes_no_column():
    three = (330, 400, 480)
    document = right_set(
        [
            [(40, "7."), *line("COST OF SALES", "2022", "2021", "2020", places=three)],
            [(40, "(i)"), *line("Labour", "85,473", "81,800", "80,100", places=three)],
            [(40, "(ii)"), *line("Nets and ropes", "13,421", "9,142", "8,111", places=three)],
            line("Other", "10,247", "9,657", "9,001", places=three),
        ]
    )
    nets = {cell.text: cell for cell in document.tables()[0].values() if cell.row_path[-1] == "Nets and ropes"}
    assert [nets[text].year for text in ("13,421", "9,142", "8,111")] == [2022, 2021, 2020]


def test_a_sign_of_percent_over_a_column_is_its_header():
    document = right_set(
        [
            line("", "Boats", "Ships", "Total", "Share", places=(300, 358, 414, 480))[1:],
            line("", "RM’000", "RM’000", "RM’000", "%", places=(300, 358, 414, 480))[1:],
            line("North", "235,027", "811,313", "1,046,340", "30"),
            line("South", "240,712", "981,102", "1,221,814", "33"),
        ]
    )
    south = {cell.text: cell for cell in document.tables()[0].values() if cell.row_path == ("South",)}
    assert south["33"].unit == "percent"
    assert "%" not in south["1,221,814"].column_path[-1]


def test_figures_of_many_digits_are_cells_of_their_own_in_narrow_columns():
    narrow = (300, 337, 374, 411)
    document = right_set(
        [
            line("", "2021", "2022", "2023", "2024", places=narrow)[1:],
            line("Dues", "105,989", "574,149", "640,507", "620,389", places=narrow),
            line("Sales of all ships", "118,407", "483,636", "444,292", "497,228", places=narrow),
        ]
    )
    dues = {cell.text: cell.year for cell in document.tables()[0].values() if cell.row_path == ("Dues",)}
    assert dues == {"105,989": 2021, "574,149": 2022, "640,507": 2023, "620,389": 2024}


def test_years_far_above_the_first_row_are_its_headers():
    document = right_set(
        [
            [(400, "March 31,"), (480, "March 31,")],
            [(390, "2014"), (470, "2015")],
            [],
            [],
            line("Boats (in millions)", "55.5", "105.2", places=(410, 490)),
            line("Orders (in millions)", "129.3", "227.2", places=(410, 490)),
        ]
    )
    orders = {cell.text: cell.year for table in document.tables() for cell in table.values()}
    assert (orders["129.3"], orders["227.2"]) == (2014, 2015)


def test_loosely_set_rows_are_one_table():
    rows = [line(f"Quay {n}", f"{n},218", f"{n},749", f"{n},025", f"{n},114") for n in range(1, 6)]
    loose = [each for row in rows for each in (row, [], [])]
    document = right_set([line("", "2020", "2021", "2022", "2023")[1:], [], *loose])
    (table,) = document.tables()
    assert {cell.text: cell.year for cell in table.values()}["5,025"] == 2022


def test_the_text_behind_its_number_is_no_row():
    document = right_set(
        [
            [(60, "11"), (95, "The financial position of the state for these years is told below in all its parts")],
            line("", "North", "South", "West", "East")[1:],
            line("Dues", "105,989", "574,149", "640,507", "620,389"),
            line("Sales of all ships", "118,407", "483,636", "444,292", "497,228"),
        ]
    )
    (table,) = document.tables()
    assert {cell.text: cell.column_path for cell in table.values()}["483,636"] == ("South",)
    assert "financial position" not in document.text[table.start : table.end]
