"""Workbooks: what their sheets show, in tables whose cells know what they mean; what is hidden is told."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from citewell.errors import CorruptDocumentError, EmptyDocumentError, TooLargeDocumentError
from citewell.readers import Budget, read


def words(text: str) -> str:
    return f"<is><t>{text}</t></is>"


def number(value: float) -> str:
    return f"<v>{value}</v>"


def workbook(cells, more="", before="", **settings):
    return formats.xlsx(sheets=[("Figures", formats.sheet(cells, more, before))], **settings)


T = "t=inlineStr"
STATEMENT = {
    f"A1 {T}": words("Northwind Tools plc"),
    f"A2 {T}": words("Consolidated statements of income"),
    f"A3 {T}": words("(in thousands, except per share data)"),
    f"B5 {T}": words("Year ended December 31,"),
    "B6": number(2022),
    "C6": number(2021),
    f"A7 {T}": words("Net sales"),
    "B7 s=1": number(59012),
    "C7 s=1": number(51440),
    f"A9 {T}": words("Net income (loss)"),
    "B9 s=1": number(6100),
    "C9 s=1": number(-510),
    f"A10 {T}": words("Earnings per share"),
    "B10 s=2": number(1.52),
    "C10 s=2": number(-0.13),
    f"A12 {T}": words("Unaudited."),
}
CODES = ["#,##0_);(#,##0)", "0.00_);(0.00)"]


def statement(**settings):
    return workbook(STATEMENT, '<mergeCells><mergeCell ref="B5:C5"/></mergeCells>', codes=CODES, **settings)


def test_a_statement_is_one_table_under_its_title_with_its_scale():
    document = read(statement())
    (table,) = document.tables()
    assert (table.title, table.kind) == ("Consolidated statements of income", "income")
    (cell,) = [cell for cell in table.values() if cell.text == "(510)"]
    assert (cell.value, cell.scale, cell.year) == (-510, 1000, 2021)
    assert (cell.row_path, cell.column_path) == (("Net income (loss)",), ("Year ended December 31,", "2021"))
    (earnings,) = [cell for cell in table.values() if cell.text == "(0.13)"]
    assert earnings.scale == 1
    assert document.title == "Northwind Tools plc"
    assert document.text.endswith("Earnings per share | 1.52 | (0.13)\n\nUnaudited.")
    assert all(document.text[cell.start : cell.end] == cell.text for cell in table.cells if cell.role != "empty")


def test_every_sheet_is_a_section_by_its_name():
    built = [(name, formats.sheet({"A1": number(1), "B1": number(2)})) for name in ("North", "South & West")]
    document = read(formats.xlsx(sheets=built))
    assert [segment.path for segment in document.segments("section")] == [("North",), ("South & West",)]
    assert document.warnings == ()


def test_hidden_sheets_rows_and_columns_stay_out_and_are_told():
    changed = formats.sheet(
        {"A1": number(1), "B1": number(77), "C1": number(3), "A3": number(4), "B3": number(78), "C3": number(5)},
        before='<cols><col min="2" max="2" hidden="1"/></cols>',
    ).replace("</sheetData>", '<row r="2" hidden="1"><c r="A2"><v>79</v></c></row></sheetData>')
    secret = formats.sheet({f"A1 {T}": words("nobody sees this")})
    result = formats.xlsx(
        sheets=[("Open", changed), ("Calc", secret), ("Deep", secret)], state={"Calc": "hidden", "Deep": "veryHidden"}
    )
    document = read(result)
    assert document.text == "Open\n\n1 | 3\n4 | 5"
    assert document.warnings == (
        "hidden sheets were left out: 'Calc', 'Deep'",
        "hidden rows were left out: 1 in 'Open'",
        "hidden columns were left out: 1 in 'Open'",
    )


def test_what_a_format_hides_stays_out_and_is_told():
    document = read(
        workbook({f"A1 {T}": words("Shown"), f"B1 s=1 {T}": words("two words"), "C1 s=1": number(5)}, codes=[";;;"])
    )
    assert document.text == "Figures\n\nShown"
    assert document.warnings == ("hidden text was left out: 3 words, at the start",)


def test_formulas_have_their_stored_value_or_are_told():
    cells = {
        f"A1 {T}": words("Total"), "B1": "<f>SUM(B2:B3)</f><v>12.5</v>", "C1": "<f>B1*2</f>", "D1 t=str": "<f>T()</f><v>yes</v>",
        "E1 t=e": "<f>1/0</f><v>#DIV/0!</v>", "F1 t=b": "<v>1</v>",
    }  # fmt: skip
    document = read(workbook(cells))
    assert document.text == "Figures\n\nTotal | 12.5 | yes | #DIV/0! | TRUE"
    assert document.warnings == (
        "1 formula without a stored value left out: open the file in a spreadsheet program and save it",
    )


def test_shared_strings_are_read_without_their_reading_aids():
    strings = "<sst><si><t>Plain</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>aid</t></rPh></si></sst>"
    relations = (
        '<Relationships><Relationship Id="r0" Type="x/worksheet" Target="worksheets/sheet0.xml"/>'
        '<Relationship Id="t" Type="x/sharedStrings" Target="strings.xml"/></Relationships>'
    )
    book = workbook(
        {"A1 t=s": number(0), "B1 t=s": number(1), "C1 t=s": number(7)},
        members={"xl/strings.xml": strings.encode(), "xl/_rels/workbook.xml.rels": relations.encode()},
        without=["xl/_rels/workbook.xml.rels"],
    )
    assert read(book).text == "Figures\n\nPlain | Rich"


def test_dates_follow_the_workbooks_calendar():
    assert read(workbook({"A1 s=1": number(44561), "B1": number(1)}, codes=["d mmm yyyy"])).text.endswith(
        "31 Dec 2021 | 1"
    )
    later = workbook({"A1 s=1": number(43099), "B1": number(1)}, codes=["d mmm yyyy"], properties='date1904="1"')
    assert read(later).text.endswith("31 Dec 2021 | 1")


def test_what_lies_under_a_merged_cell_is_not_shown():
    merged = '<mergeCells><mergeCell ref="A1:B2"/><mergeCell ref="B2:C3"/></mergeCells>'
    cells = {f"A1 {T}": words("Head"), "B1": number(66), "A2": number(67), "C1": number(1), "C2": number(2)}
    document = read(workbook(cells, merged))
    assert document.text == "Figures\n\nHead | 1\n| 2"
    assert document.grids[0].slots[0].rows == 2


def test_tables_below_and_beside_each_other_are_apart():
    rows = [
        (1, "A", "Region"), (1, "B", 2022), (1, "D", "Product"), (1, "E", 2022),
        (2, "A", "North"), (2, "B", 10), (2, "D", "Saws"), (2, "E", 7),
        (3, "A", "South"), (3, "B", 4), (3, "D", "Drills"), (3, "E", 8),
        (5, "A", "Segment"), (5, "B", "Sales"), (6, "A", "Tools"), (6, "B", 40),
    ]  # fmt: skip
    cells = {
        (f"{column}{row} {T}" if isinstance(value, str) else f"{column}{row}"): words(value)
        if isinstance(value, str)
        else number(value)
        for row, column, value in rows
    }
    tables = read(workbook(cells)).tables()
    assert [[(cell.row_path, cell.column_path, cell.value) for cell in table.values()] for table in tables] == [
        [(("North",), ("2022",), 10), (("South",), ("2022",), 4)],
        [(("Saws",), ("2022",), 7), (("Drills",), ("2022",), 8)],
        [(("Tools",), ("Sales",), 40)],
    ]


def test_a_table_goes_on_behind_an_empty_row_and_over_an_empty_column():
    cells = {
        "B1": number(2022), "D1": number(2021), f"A2 {T}": words("Assets"), "B2": number(5), "D2": number(6),
        f"A4 {T}": words("Debt"), "B4": number(7), "D4": number(8),
    }  # fmt: skip
    (table,) = read(workbook(cells)).tables()
    assert [(cell.row_path, cell.column_path) for cell in table.values()] == [
        (("Assets",), ("2022",)), (("Assets",), ("2021",)), (("Debt",), ("2022",)), (("Debt",), ("2021",)),
    ]  # fmt: skip


@pytest.mark.parametrize("without", ["xl/workbook.xml"])
def test_a_workbook_without_its_list_of_sheets_is_corrupt(without):
    built = formats.archive({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook>"})
    with pytest.raises(CorruptDocumentError, match="well-formed"):
        read(built)


def test_a_workbook_whose_sheets_are_all_hidden_is_empty():
    with pytest.raises(EmptyDocumentError, match="no text in the sheets"):
        read(workbook({"A1": number(1)}, state={"Figures": "hidden"}))


def test_a_missing_sheet_is_told():
    document = read(
        formats.xlsx(
            sheets=[("There", formats.sheet({"A1": number(1)})), ("Gone", "")], without=["xl/worksheets/sheet1.xml"]
        )
    )
    assert document.warnings == ("the sheet 'Gone' is missing from the file",)


@pytest.mark.parametrize(
    ("cells", "more"),
    [
        ({"A1 t=s": number(0), "XFD1048576": number(5)}, ""),
        ({"A1": number(1)}, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
        (
            {"A1": number(1)},
            '<mergeCells><mergeCell ref="A0:B1"/><mergeCell ref="ZZZ1:ZZZ9"/><mergeCell/></mergeCells>',
        ),
        ({"A1 s=99999": number(1)}, ""),
        ({"A1": "<v>1e999</v>"}, ""),
        ({"A1": "<v>" + "9" * 100_000 + "</v>"}, ""),
    ],
)
def test_places_and_numbers_beyond_all_bounds_do_no_harm(cells, more):
    assert len(read(workbook(cells, more)).text) < 120_000


def test_one_long_text_in_very_many_cells_is_refused_before_it_is_written():
    strings = f"<sst><si><t>{'word ' * 20_000}</t></si></sst>"
    relations = (
        '<Relationships><Relationship Id="r0" Type="x/worksheet" Target="worksheets/sheet0.xml"/>'
        '<Relationship Id="t" Type="x/sharedStrings" Target="strings.xml"/></Relationships>'
    )
    book = workbook(
        {f"A{row} t=s": number(0) for row in range(1, 3000)},
        members={"xl/strings.xml": strings.encode(), "xl/_rels/workbook.xml.rels": relations.encode()},
        without=["xl/_rels/workbook.xml.rels"],
    )
    with pytest.raises(TooLargeDocumentError) as caught:
        read(book)
    assert caught.value.limit == "growth"


def test_cells_far_apart_are_refused_before_the_space_between_is_written():
    def letters(column: int) -> str:
        return ("" if column < 26 else letters(column // 26 - 1)) + chr(65 + column % 26)

    book = workbook({f"{letters(column)}{row + 1}": number(1) for row in range(8000) for column in (row, row + 1)})
    with pytest.raises(TooLargeDocumentError) as caught:
        read(book)
    assert caught.value.limit == "growth"


def test_more_cells_than_the_budget_allows_are_refused():
    with pytest.raises(TooLargeDocumentError) as caught:
        read(workbook({f"A{row}": number(row) for row in range(1, 200)}), budget=Budget(elements=100))
    assert caught.value.limit == "elements"


_TEXTS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=5)


@given(
    cells=st.dictionaries(st.tuples(st.integers(1, 12), st.integers(0, 9)), _TEXTS, min_size=1, max_size=40),
    merged=st.lists(st.tuples(*[st.integers(1, 6)] * 4), max_size=4),
)
def test_every_cell_of_any_sheet_is_shown_once_but_for_those_under_merged_ones(cells, merged):
    ranges = "".join(
        f'<mergeCell ref="{chr(65 + min(a, b))}{min(c, d)}:{chr(65 + max(a, b))}{max(c, d)}"/>' for a, b, c, d in merged
    )
    placed = {f"{chr(65 + column)}{row} {T}": words(cells[row, column]) for row, column in sorted(cells)}
    book = workbook({"Z99": number(1), **placed}, f"<mergeCells>{ranges}</mergeCells>")  # Z99 lies under none
    document = read(book)
    visible = [word for word in document.text.removeprefix("Figures").split() if word != "|"]
    assert len(visible) <= len(cells) + 1
    if not merged:
        assert sorted(visible) == sorted([*cells.values(), "1"])
    for grid in document.grids:
        for slot in grid.slots:
            assert document.text[slot.start : slot.end] in {*cells.values(), "1"}
            assert slot.row + slot.rows <= grid.rows
            assert slot.column + slot.columns <= grid.columns


def test_a_file_of_a_spreadsheet_library_is_read_as_it_is_shown():
    import openpyxl
    from openpyxl.comments import Comment

    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Loans"
    for row in (["Loan", "Due", "Balance"], ["A-1", "2027", 1_200_000]):
        sheet.append(row)
    sheet["C2"].number_format = "$#,##0"
    sheet["A2"].comment = Comment("a remark", "someone")
    saved = io.BytesIO()
    workbook.save(saved)
    document = read(saved.getvalue())
    assert document.text == "Loans\n\nLoan | Due | Balance\nA-1 | 2027 | $1,200,000"
    assert document.warnings == ("comments in 1 sheet were left out",)
