"""A table without a scale takes that of the tables in which its figures stand again."""

import pytest

import citewell
from citewell.facts.tables.scales import table_scale
from citewell.types import Page

QUARTERS = """
## Quarterly results

|  | First half | Second half | Year |
|---|---|---|---|
| Sales | $ 4,428 | $ 4,530 | $ {sales} |
| Gross margin | 1,547 | 1,533 | $ {margin} |
"""


def report(sales="8,958", margin="3,080", scale="($ in millions)"):
    return citewell.read(
        f"# Oriel report\n\n## Income\n\n| {scale} | 2021 | 2020 |\n|---|---|---|\n| Sales | $ 8,958 | $ 7,548 |\n"
        f"| Gross margin | 3,080 | 2,183 |\n{QUARTERS.format(sales=sales, margin=margin)}".encode(),
        name="oriel.md",
    )


def scales(document):
    *_, quarters = document.tables()
    return {cell.text: cell.scale for cell in quarters.cells if cell.role == "value"}


def test_figures_that_stand_again_have_the_scale_that_is_stated_there():
    document = report()
    assert set(scales(document).values()) == {1_000_000}
    *_, quarters = document.tables()
    places = {cell.scale_at for cell in quarters.cells if cell.role == "value"}
    assert {document.text[place.start : place.end] for place in places} == {"($ in millions"}


@pytest.mark.parametrize(
    "document",
    [
        report(sales="8,957"),  # one figure alone stands again
        report(scale="($)"),  # no scale is stated anywhere
        report("1,111", "2,222"),
    ],
)
def test_other_figures_keep_no_scale(document):
    assert set(scales(document).values()) == {1}


def test_a_row_named_by_a_channel_is_no_count_of_customers():
    document = citewell.read(
        b"# Oriel\n\n| ($ in millions) | 2021 |\n|---|---|\n| Direct-to-customers | 1,929 |\n| Customers | 1,500 |\n",
        name="oriel.md",
    )
    (table,) = document.tables()
    assert [cell.scale for cell in table.cells if cell.role == "value"] == [1_000_000, 1]


@pytest.mark.parametrize(("pages", "scale"), [(3, 1_000_000), (2, 1)])
def test_a_line_on_every_page_scales_tables_of_a_document_without_pages(pages, scale):
    line = "<p>Amounts in millions of dollars except per share amounts or as otherwise specified.</p>"
    body = "".join(f"{line}<h2>Note {n}</h2><p>Costs fell.</p><p>They fell again.</p>" for n in range(pages))
    rows = "<tr><td></td><td>2024</td></tr><tr><td>Service cost</td><td>$ 164</td></tr>"
    filler = "<p>Benefits are paid from plan assets.</p>" * 6
    document = citewell.read(f"<html><body>{body}{filler}<table>{rows}</table></body></html>".encode(), name="a.html")
    (table,) = document.tables()
    assert [cell.scale for cell in table.values()] == [scale]


def many(*figures, scale="(in millions)", tables=10):
    lead = (
        f"<p>Amounts {scale}:</p><table><tr><td></td><td>2024</td></tr><tr><td>Sales</td><td>$ 9,000</td></tr></table>"
    )
    rows = "".join(f"<tr><td>{label}</td><td>{figure}</td></tr>" for label, figure in figures)
    prose = "<p>" + "Ships sailed. " * 40 + "</p>"
    html = f"{lead * tables}{prose * 6}<table><tr><td></td><td>2024</td></tr>{rows}</table>"
    return citewell.read(f"<html><body>{html}</body></html>".encode(), name="a.html")


def test_money_without_a_scale_is_in_that_of_nearly_all_tables_before():
    assert scales(many(("Fuel", "$ 31"), ("Rent", "21"))) == {"$ 31": 1_000_000, "21": 1_000_000}
    assert scales(many(("Fuel", "$ 31"), scale="(in thousands)")) == {"$ 31": 1_000}


def test_a_scale_is_not_usual_of_few_tables_nor_for_larger_figures_nor_where_no_money_stands():
    assert scales(many(("Fuel", "$ 31"), tables=9)) == {"$ 31": 1}
    assert scales(many(("Fuel", "$ 31"), ("Rent", "$ 12,345"))) == {"$ 31": 1, "$ 12,345": 1}
    assert scales(many(("Ships", "31"))) == {"31": 1}


@pytest.mark.parametrize(
    ("sentence", "scale"),
    [
        ("Unless otherwise noted, tabular dollars are presented in millions, except per share amounts.", 10**6),
        ("Except as otherwise specified, amounts presented within tables are stated in thousands.", 1000),
        ("Unless otherwise noted, tables are presented in U.S. dollars in millions.", 10**6),
        ("Unless otherwise noted, shares are stated in millions.", 1),
        ("Percentages are calculated from amounts that are in millions.", 1),
    ],
)
def test_a_sentence_says_the_scale_of_all_tables(sentence, scale):
    rows = "<tr><td></td><td>2024</td></tr><tr><td>Service cost</td><td>$ 164</td></tr>"
    filler = "<p>Benefits are paid from plan assets.</p>" * 6
    page = f"<html><body><p>We sell paint. {sentence} It dries.</p>{filler}<table>{rows}</table></body></html>"
    (table,) = citewell.read(page.encode(), name="a.html").tables()
    assert [cell.scale for cell in table.values()] == [scale]


def test_a_line_at_the_head_of_a_page_states_the_scale_of_its_tables():
    text = "Notes\nOriel plc\nAll amounts in thousands of dollars\nSales 5 | in millions | 7"
    scale, span, line = table_scale(text, [], [], Page(2, 6, len(text), 400.0, 600.0))
    assert (scale, text[slice(*span)].endswith("in thousands")) == (1000, True)
    assert line == "All amounts in thousands of dollars"
    assert table_scale(text, [], [], Page(1, 0, 5, 400.0, 600.0)) == (1, None, "")
    assert table_scale(text, [], [], None) == (1, None, "")
