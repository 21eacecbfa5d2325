"""Tables of PDFs whose cells take several lines: framed by lines, told by spacing, with headers over several columns."""

import io

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from citewell import read

STYLE = getSampleStyleSheet()["BodyText"]
STYLE.fontSize, STYLE.leading = 8, 9
ROWS = [
    ["Trait", "Harbour", "", "Hill", ""],
    ["", "Mean (SD)", "Count", "Mean (SD)", "Count"],
    ["Age of the boats at the last survey, years", "12.5 (3.1)", "48", "9.8 (2.2)", "31"],
    ["Length", "7.2 (1.4) and longer when towed", "47", "6.9 (0.8)", "31"],
    ["Crew", "3 (1)", "48", "2 (1)", "30"],
]


def table_page(commands, widths=(110, 80, 50, 80, 50), rows=ROWS, repeat=2):
    """A page with one table between two paragraphs, its cells as paragraphs that wrap."""
    body = [[Paragraph(cell, STYLE) for cell in row] for row in rows]
    table = Table(
        body,
        colWidths=widths,
        repeatRows=repeat,
        style=TableStyle([("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), *commands]),
    )
    buffer = io.BytesIO()
    text = Paragraph("Boats of two ports were surveyed in one summer by the same two people. " * 4, STYLE)
    SimpleDocTemplate(buffer, pagesize=A4, invariant=1).build([text, Spacer(1, 12), table, Spacer(1, 12), text])
    return read(buffer.getvalue(), name="boats.pdf")


def cells(document):
    return {(cell.row_path[-1], cell.column_path): cell.text for table in document.tables() for cell in table.values()}


def test_cells_of_a_framed_table_are_whole_and_know_the_headers_over_several_columns():
    document = table_page([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    (table,) = document.tables()
    assert (table.rows, table.columns) == (5, 5)
    result = cells(document)
    assert result["Age of the boats at the last survey, years", ("Harbour", "Mean (SD)")] == "12.5 (3.1)"
    assert result["Length", ("Harbour", "Mean (SD)")] == "7.2 (1.4) and longer when towed"
    assert result["Crew", ("Hill", "Count")] == "30"
    assert all(document.text[cell.start : cell.end] == cell.text for cell in table.cells)


def test_a_cell_of_two_lines_has_two_rectangles_inside_its_column():
    document = table_page([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    cell = next(cell for cell in document.tables()[0].values() if "towed" in cell.text)
    first, second = document.locate(cell.start, cell.end)
    assert second.y0 > first.y0
    assert max(first.x1, second.x1) - min(first.x0, second.x0) < 80


@pytest.mark.parametrize(
    "commands", [[], [("ROWBACKGROUNDS", (0, 2), (-1, -1), [colors.lightgrey, colors.white])]], ids=["bare", "shaded"]
)
def test_lines_that_stand_close_are_one_row_where_nothing_frames_it(commands):
    result = cells(table_page(commands))
    assert result["Age of the boats at the last survey, years", ("Harbour", "Mean (SD)")] == "12.5 (3.1)"
    assert result["Length", ("Harbour", "Mean (SD)")] == "7.2 (1.4) and longer when towed"
    assert result["Crew", ("Hill", "Count")] == "30"


def test_the_second_page_of_a_table_keeps_headers_and_section():
    many = [
        *ROWS[:2],
        ["Small boats", "", "", "", ""],
        *([f"Boat {number}", f"{number}.5 (0.{number})", "48", "9 (2)", "31"] for number in range(1, 70)),
    ]
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("SPAN", (0, 2), (-1, 2))]
    document = table_page(grid, rows=many)
    last = document.tables()[-1]
    assert len(document.tables()) > 1
    cell = next(cell for cell in last.values() if cell.row_path[-1] == "Boat 69")
    assert (cell.row_path, cell.column_path) == (("Small boats", "Boat 69"), ("Harbour", "Mean (SD)"))


def test_lines_that_frame_a_drawing_make_no_table():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for step in range(12):
        canvas.line(100, 300 + 20 * step, 400, 300 + 20 * step)
        canvas.line(100 + 25 * step, 300, 100 + 25 * step, 520)
    canvas.drawString(110, 305, "8.4")
    canvas.drawString(262, 425, "19.7")
    canvas.drawString(60, 600, "A chart of two points stands below this line of text.")
    canvas.save()
    assert read(buffer.getvalue(), name="chart.pdf").tables() == ()


def test_a_line_about_the_whole_table_is_no_part_of_its_headers():
    rows = [
        ["", "Three months ended", "", "Twelve months ended", ""],
        ["", "2022", "2021", "2022", "2021"],
        ["Revenue", "£ 98.4", "£ 84.0", "£ 371.9", "£ 310.2"],
        ["Cost of revenue", "30.8", "29.9", "120.4", "113.3"],
        ["Earnings per share", "£ 0.03", "£ 0.02", "£ 0.08", "£ 0.12"],
    ]
    over = "(in millions of pounds, except per share amounts, unaudited)"
    style = [("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, invariant=1).build([Paragraph(over, STYLE), Table(rows, style=style)])
    (table,) = read(buffer.getvalue(), name="release.pdf").tables()
    scale_by_key = {(cell.row_path[-1], cell.column_path): cell.scale for cell in table.values()}
    assert scale_by_key["Revenue", ("Three months ended", "2022")] == 1_000_000
    assert scale_by_key["Revenue", ("Twelve months ended", "2021")] == 1_000_000
    assert scale_by_key["Earnings per share", ("Three months ended", "2022")] == 1


def test_a_raised_digit_behind_a_figure_is_a_mark_and_none_of_its_own():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 10)
    for number, (label, figure) in enumerate((("Boats", "1,234"), ("Nets", "2,105"), ("Crews", "318"))):
        canvas.drawString(72, 700 - 14 * number, label)
        canvas.drawRightString(300, 700 - 14 * number, figure)
    canvas.setFont("Helvetica", 6)
    canvas.drawString(300, 704, "1")
    canvas.save()
    document = read(buffer.getvalue(), name="marks.pdf")
    (table,) = document.tables()
    values = {cell.row_path: (cell.text, cell.value) for cell in table.values()}
    assert values == {("Boats",): ("1,234¹", 1234.0), ("Nets",): ("2,105", 2105.0), ("Crews",): ("318", 318.0)}


def drawn(lines):
    """A page with pieces of text: for each line its pieces at their places from the left."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 10)
    for number, pieces in enumerate(lines):
        for x, text in pieces.items():
            canvas.drawString(x, 700 - 16 * number, text)
    canvas.save()
    return read(buffer.getvalue(), name="drawn.pdf")


def test_the_first_row_of_a_framed_table_of_words_names_its_columns():
    grid = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
    body = [
        [Paragraph(cell, STYLE) for cell in row]
        for row in (["Boat", "Port", "State"], ["Heron", "Alva", "sound"], ["Tern", "Alva", "leaks"])
    ]
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, invariant=1).build([Table(body, colWidths=90, style=TableStyle([grid]))])
    result = cells(read(buffer.getvalue(), name="words.pdf"))
    assert result == {
        ("Heron", ("Port",)): "Alva",
        ("Heron", ("State",)): "sound",
        ("Tern", ("Port",)): "Alva",
        ("Tern", ("State",)): "leaks",
    }


def test_a_list_whose_first_row_is_like_the_others_has_no_headers():
    companies = [("Alva Ports, Inc.", "Delaware"), ("Heron Boats, LLC", "Ohio"), ("Tern Nets, Inc.", "Delaware")]
    document = drawn([{72: name, 300: state} for name, state in companies])
    (table,) = document.tables()
    assert [(cell.text, cell.column_path) for cell in table.values()] == [(state, ()) for _, state in companies]


def test_figures_under_a_header_over_several_columns_are_its_lower_headers():
    rows = [
        ["Method", "Right within", "", "Runs", ""],
        ["", "15%", "30%", "First", "Second"],
        ["Old", "29.2", "55.0", "4", "5"],
        ["New", "49.0", "75.1", "6", "7"],
    ]
    result = cells(table_page([("GRID", (0, 0), (-1, -1), 0.5, colors.black)], widths=(60,) * 5, rows=rows))
    assert result["Old", ("Right within", "15%")] == "29.2"
    assert result["New", ("Right within", "30%")] == "75.1"
    assert result["New", ("Runs", "Second")] == "7"


def test_headers_that_stand_beside_their_figures_make_no_columns():
    lines = [{72: "(square feet)", 250: "Total", 350: "Home", 450: "Abroad"}]
    lines += [
        {72: label, 290: total, 385: home, 500: abroad}
        for label, total, home, abroad in (("Making", "55.7", "20.7", "35.0"), ("Selling", "2.4", "1.8", "0.6"))
    ]
    result = cells(drawn(lines))
    assert result["Making", ("Home",)] == "20.7"
    assert result["Selling", ("Abroad",)] == "0.6"


def ruled_headers(*, in_form):
    """A table whose years stand in the middle over two columns each, above a line as wide as both."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 10)
    canvas.drawCentredString(310, 716, "Results of")
    canvas.drawCentredString(310, 704, "2023")
    canvas.drawCentredString(450, 704, "2022")
    for number, cells_of in enumerate(
        (("Boats", "14,694", "100.0", "14,544", "90.0"), ("Nets", "1,969", "81.5", "1,724", "8"))
    ):
        canvas.drawString(72, 684 - 14 * number, cells_of[0])
        for right, figure in zip((300, 360, 440, 500), cells_of[1:], strict=True):
            canvas.drawRightString(right, 684 - 14 * number, figure)
    if in_form:
        canvas.beginForm("lines")
    for left, right in ((260, 365), (400, 505)):
        canvas.line(left, 699, right, 699)
    if in_form:
        canvas.endForm()
        canvas.doForm("lines")
    canvas.save()
    return read(buffer.getvalue(), name="years.pdf")


@pytest.mark.parametrize("in_form", [False, True], ids=["drawn", "in a form"])
def test_a_line_under_a_header_says_over_which_columns_it_reaches(in_form):
    (table,) = ruled_headers(in_form=in_form).tables()
    headed = {cell.text: (cell.row_path, cell.column_path) for cell in table.values()}
    assert headed["14,694"] == (("Boats",), ("Results of 2023",))
    assert headed["100.0"] == (("Boats",), ("Results of 2023",))
    assert headed["1,724"] == (("Nets",), ("2022",))
    assert headed["8"] == (("Nets",), ("2022",))


def test_a_scale_by_itself_above_one_column_is_that_of_all():
    places = (300, 400, 500)
    lines = [dict(zip(places, ("Total", "One year", "Later"), strict=True)), {385: "(in thousands)"}]
    lines += [
        {72: label, **dict(zip(places, text, strict=True))} for label, text in (("Leases", ("116", "16", "100")),)
    ]
    lines += [{72: "Purchases $", **dict(zip(places, ("$ 18", "$ 7", "$ 11"), strict=True))}]
    (table,) = drawn(lines).tables()
    assert {cell.scale for cell in table.values()} == {1_000}
    assert {cell.column_path for cell in table.values()} == {("Total",), ("One year",), ("Later",)}


def framed(*rows):
    """The values of a framed table, cells in several lines as they are written."""
    table = Table(
        rows,
        colWidths=[120] + [60] * (len(rows[0]) - 1),
        style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)]),
    )
    buffer = io.BytesIO()
    text = Paragraph("Boats of two ports were surveyed in one summer by the same two people. " * 4, STYLE)
    SimpleDocTemplate(buffer, pagesize=A4, invariant=1).build([text, Spacer(1, 12), table, Spacer(1, 12), text])
    return cells(read(buffer.getvalue(), name="boats.pdf"))


def test_lines_of_figures_in_one_frame_are_rows():
    values = framed(
        ["Trait", "2020", "2021"],
        ["Boats\nNets\nRopes\nOars", "12\n34\n56\n78", "21\n43\n65\n87"],
        ["Total", "180", "216"],
    )
    assert values["Nets", ("2020",)] == "34"
    assert values["Oars", ("2021",)] == "87"
    assert values["Total", ("2021",)] == "216"


def test_lines_of_words_in_one_frame_are_a_cell():
    values = framed(
        ["Trait", "North", "South"], ["Boats", "long and\nslim", "short and\nbroad"], ["Nets", "old", "new"]
    )
    assert values["Boats", ("North",)] == "long and slim"


def test_a_table_begins_with_the_mark_of_its_first_row():
    document = drawn(
        [
            {72: mark, 100: label, 300: first, 400: last}
            for mark, label, first, last in (
                ("(i)", "Boats", "116", "16"),
                ("(ii)", "Nets", "118", "7"),
                ("(iii)", "Ropes", "126", "9"),
            )
        ]
    )
    (table,) = document.tables()
    assert document.text[table.start :].startswith("(i)")
    assert [cell.row_path for cell in table.values()][::2] == [("Boats",), ("Nets",), ("Ropes",)]
