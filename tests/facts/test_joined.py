"""A statement that a reader cut in pieces is one table, and what leads to its rows names a section, not another table."""

import citewell

HEAD = "<tr><th></th><th>2022</th><th>2021</th></tr>"
FIRST = (("Net sales", "1,030", "1,021"), ("Cost of sales", "700", "690"), ("Gross margin", "330", "331"))
SECOND = (("Research and development", "90", "88"), ("Selling and administrative", "120", "112"))
THIRD = (("Basic", "$ 2.20", "$ 2.40"), ("Diluted", "$ 2.15", "$ 2.33"))


def document(*parts: str) -> citewell.Document:
    page = "<h2>Consolidated statements of income</h2><p>(In millions, except per share data)</p>" + "".join(parts)
    return citewell.read(f"<html><body>{page}</body></html>".encode(), name="statement.html")


def table(rows, head=""):
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{head}{lines}</table>"


def test_pieces_with_labels_between_them_are_one_statement():
    read = document(
        table(FIRST, HEAD), "<p>Operating expenses:</p>", table(SECOND), "<p>Earnings per share:</p>", table(THIRD)
    )
    (statement,) = read.tables()
    assert (statement.title, statement.kind) == ("Consolidated statements of income", "income")
    labels = [cell.text for cell in statement.cells if cell.role == "label"]
    assert labels == [
        "Net sales", "Cost of sales", "Gross margin", "Operating expenses:", "Research and development",
        "Selling and administrative", "Earnings per share:", "Basic", "Diluted",
    ]  # fmt: skip
    assert {cell.column_path for cell in statement.values()} == {("2022",), ("2021",)}
    diluted = [cell for cell in statement.values() if cell.row_path == ("Earnings per share", "Diluted")]
    assert [cell.value for cell in diluted] == [2.15, 2.33]
    assert all(read.text[cell.start : cell.end] == cell.text for cell in statement.cells)
    assert sorted({cell.row for cell in statement.cells}) == list(range(statement.rows))


def test_several_labels_stand_between_two_halves():
    read = document(table(FIRST, HEAD), "<p>Expenses</p>", "<p>Operating expenses:</p>", table(SECOND))
    (statement,) = read.tables()
    assert statement.rows == 1 + len(FIRST) + 2 + len(SECOND)


def test_a_sentence_between_two_tables_parts_them():
    sentence = "The figures of the second table were drawn up by the group and were not audited by anybody, unlike those above."
    read = document(table(FIRST, HEAD), f"<p>{sentence}</p>", table(SECOND))
    assert [one.rows for one in read.tables()] == [1 + len(FIRST), len(SECOND)]


def test_a_table_with_headers_of_its_own_is_another_one():
    read = document(table(FIRST, HEAD), "<p>By region:</p>", table(SECOND, HEAD.replace("2022", "Europe")))
    assert len(read.tables()) == 2
