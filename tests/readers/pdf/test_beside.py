"""Two tables side by side on a page of a PDF are two tables; a table with a wide gap in it is not."""

import io

import pytest
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from citewell import ask, read

NORTH = (
    "Northern quays",
    ["2023", "2022"],
    [("Berth fees", "412", "398"), ("Crane hire", "156", "149"), ("Storage", "88", "91"), ("Pilots", "64", "60")],
)
SOUTH = (
    "Southern quays",
    ["2023", "2022"],
    [("Ferry fares", "733", "702"), ("Car parks", "215", "208"), ("Moorings", "97", "102"), ("Fuel sold", "51", "47")],
)


def drawn(canvas, table, x, y, edges=(150, 200), step=14, frame=False):
    """One table from a place downwards; its figures end at `edges` right of its labels."""
    title, heads, rows = table
    canvas.setFont("Helvetica-Bold", 13)
    canvas.drawString(x, y + 2 * step, title)
    canvas.setFont("Helvetica", 9)
    for number, row in enumerate([("", *heads), *rows]):
        canvas.drawString(x, y - number * step, row[0])
        for edge, cell in zip(edges, row[1:], strict=True):
            canvas.drawRightString(x + edge, y - number * step, cell)
    if frame:
        walls = [x - 4, *(edge + x + 4 - (edges[1] - edges[0]) for edge in edges), x + edges[-1] + 4]
        tops = [y + 10 - number * step for number in range(len(rows) + 2)]
        canvas.grid(walls, tops)


def page(draw):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=landscape(A4), invariant=1)
    canvas.setFont("Helvetica", 10)
    for line in range(4):
        canvas.drawString(
            60, 560 - 12 * line, "The harbour earns its money on two sides of the river, every year more of it."
        )
    draw(canvas)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(
        60, 250, "Neither side pays for the works of the other, as the council decided when it was built."
    )
    canvas.save()
    return read(buffer.getvalue(), name="quays.pdf")


def pair(left=NORTH, right=SOUTH, apart=340, **kinds):
    def draw(canvas):
        drawn(canvas, left, 60, 460, **kinds)
        drawn(canvas, right, 60 + apart, 460, **kinds)

    return page(draw)


def figures(table):
    return {(cell.row_path[-1], *cell.column_path): cell.text for cell in table.values()}


def expected(table):
    _, heads, rows = table
    return {(row[0], head): cell for row in rows for head, cell in zip(heads, row[1:], strict=True)}


@pytest.mark.parametrize("frame", [False, True])
@pytest.mark.parametrize("apart", [240, 340])
def test_two_statements_side_by_side_are_two_tables(frame, apart):
    document = pair(apart=apart, frame=frame)
    left, right = document.tables()
    assert (left.title, right.title) == ("Northern quays", "Southern quays")
    assert figures(left) == expected(NORTH)
    assert figures(right) == expected(SOUTH)


@pytest.mark.parametrize("frame", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_tables_side_by_side_may_have_different_numbers_of_rows(frame, swapped):
    title, heads, rows = NORTH
    longer = (title, heads, [*rows, ("Towage", "33", "30"), ("Waste", "12", "11"), ("Water", "8", "9")])
    pairs = (SOUTH, longer) if swapped else (longer, SOUTH)
    left, right = pair(*pairs, frame=frame).tables()
    assert figures(left) == expected(pairs[0])
    assert figures(right) == expected(pairs[1])


def test_headers_may_differ_where_the_gap_is_much_wider_than_those_between_columns():
    right = (SOUTH[0], ["Plan", "Actual"], SOUTH[2])
    first, second = pair(NORTH, right).tables()
    assert figures(first) == expected(NORTH)
    assert figures(second) == expected(right)


def test_lines_of_two_tables_need_not_stand_at_one_height():
    def draw(canvas):
        drawn(canvas, NORTH, 60, 460, step=14)
        drawn(canvas, SOUTH, 400, 460, step=17)

    left, right = page(draw).tables()
    assert figures(left) == expected(NORTH)
    assert figures(right) == expected(SOUTH)


def test_a_question_about_the_right_table_is_answered_with_its_figure():
    answer = ask(pair(), "What were moorings in 2022?")
    assert answer.value is not None
    assert answer.value.text == "102"
    assert answer.citations[answer.value.citations[0] - 1].quote == "Moorings | 97 | 102"


def columns(rows, places):
    """A page with one table, whose cells begin (labels) or end (figures) at `places`."""

    def draw(canvas):
        canvas.setFont("Helvetica", 9)
        for number, row in enumerate(rows):
            for place, cell in zip(places, row, strict=True):
                put = canvas.drawRightString if cell[:1].isdigit() else canvas.drawString
                put(place, 460 - number * 14, cell)

    return page(draw)


def test_a_table_with_a_wide_gap_between_its_figures_is_one():
    rows = [("", "2023", "2022", "2021", "2020"), *((*row, *reversed(row[1:])) for row in NORTH[2])]
    (table,) = columns(rows, (60, 210, 260, 520, 570)).tables()
    assert (table.rows, table.columns) == (5, 5)
    assert {cell.row_path[-1] for cell in table.values()} == {row[0] for row in NORTH[2]}


def test_a_table_with_text_and_figures_behind_its_first_figures_is_one():
    rows = [
        ("Country", "People", "Capital", "Inhabitants"),
        ("Norway", "5,488", "Oslo", "709"),
        ("Sweden", "10,549", "Stockholm", "984"),
        ("Finland", "5,563", "Helsinki", "664"),
        ("Denmark", "5,932", "Copenhagen", "653"),
    ]
    (table,) = columns(rows, (60, 210, 260, 420)).tables()
    assert {cell.row_path[-1] for cell in table.values()} == {row[0] for row in rows[1:]}


def test_words_that_recur_behind_figures_are_no_labels_of_a_second_table():
    rows = [("", "2023", "", "2023"), *((*row[:2], "increase", row[2]) for row in NORTH[2])]
    (table,) = columns(rows, (60, 210, 420, 570)).tables()
    assert {cell.row_path[-1] for cell in table.values()} == {row[0] for row in NORTH[2]}


def test_words_beside_words_are_cut_nowhere():
    terms = ["berth: where a ship lies", "crane: what lifts loads", "fairway: where ships pass", "pilot: who guides"]
    assert f"{terms[1]} | {terms[1].upper()}" in columns([(term, term.upper()) for term in terms], (60, 400)).text


def test_sections_of_the_left_table_are_none_of_the_right_one():
    left = (NORTH[0], NORTH[1], [("Ships", "", ""), *NORTH[2][:2], ("Goods", "", ""), *NORTH[2][2:]])
    _, right = pair(left).tables()
    assert {cell.row_path for cell in right.values()} == {(row[0],) for row in SOUTH[2]}


def test_sections_of_the_left_table_are_none_of_the_right_one_without_a_title():
    left = ("", NORTH[1], [("Ships", "", ""), *NORTH[2][:2], ("Goods", "", ""), *NORTH[2][2:]])
    _, right = pair(left, ("", *SOUTH[1:])).tables()
    assert {cell.row_path for cell in right.values()} == {(row[0],) for row in SOUTH[2]}


ASSETS = (
    "Assets",
    ["2023", "2022"],
    [("Current assets", "", ""), ("Cash", "$ 12", "$ 10"), ("Stock", "34", "30"), ("Quays", "100", "(90)")],
)
DEBTS = (
    "Liabilities",
    ["2023", "2022"],
    [("Borrowings", "$ 50", "$ 40"), ("Trade payables", "20", "22"), ("Liabilities and equity", "146", "130")],
)


def test_the_same_headers_part_two_sides_that_stand_close():
    left, right = pair(ASSETS, DEBTS, apart=230).tables()
    assert (left.title, right.title) == ("Assets", "Liabilities")
    assert figures(left) == expected((*ASSETS[:2], ASSETS[2][1:]))
    assert figures(right) == expected(DEBTS)


def test_three_tables_side_by_side_are_three():
    isles = ("Isles", ["2023", "2022"], [("Ferries", "5", "6"), ("Cafes", "7", "8"), ("Huts", "9", "4")])

    def draw(canvas):
        for number, table in enumerate((NORTH, SOUTH, isles)):
            drawn(canvas, table, 60 + number * 240, 460, edges=(120, 160))

    assert [figures(table) for table in page(draw).tables()] == [*map(expected, (NORTH, SOUTH, isles))]
