"""Income statements as PDFs in twelve layouts, with what every cell is."""

import io
from typing import NamedTuple

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

ROWS = [
    ("Revenue:", None),
    ("  Products", (4105.2, 3890.0, 3544.9)),
    ("  Services", (1250.5, 1101.3, 980.1)),
    ("Total revenue", (5355.7, 4991.3, 4525.0)),
    ("Cost of sales", (-2801.4, -2640.8, -2390.6)),
    ("Gross profit", (2554.3, 2350.5, 2134.4)),
    ("Selling, general and administrative expenses", (-1210.0, -1190.2, -1050.7)),
    ("Impairment of goodwill", (0.0, -75.0, 0.0)),
    ("Operating income", (1344.3, 1085.3, 1083.7)),
    ("Income tax expense", (-301.6, -240.9, -250.0)),
    ("Net income", (1042.7, 844.4, 833.7)),
    ("Earnings per share:", None),
    ("  Basic", (2.11, 1.70, 1.66)),
    ("  Diluted", (2.08, 1.68, 1.64)),
]
YEARS = (2023, 2022, 2021)


class Layout(NamedTuple):
    """How a statement is set."""

    header: str = "years"  # "years", "ended", "dates", "periods"
    sign: str = "first"  # currency signs: "none", "first" row, "all", "apart" (at the column's left edge)
    negative: str = "brackets"  # or "minus"
    nil: str = "—"
    scale: str = "title"  # where it stands: "title", "corner"
    notes: bool = False  # a column of note numbers
    gap: float = 70.0  # from column to column
    indent: float = 10.0
    size: float = 9.0
    wrap: bool = False  # long labels take two lines
    rules: bool = False


LAYOUTS = {
    "plain": Layout(),
    "ended": Layout(header="ended", sign="apart"),
    "dates": Layout(header="dates", gap=95),
    "periods": Layout(header="periods", sign="none"),
    "minus": Layout(negative="minus", sign="none"),
    "corner": Layout(scale="corner", sign="all"),
    "notes": Layout(notes=True),
    "narrow": Layout(gap=46, size=7),
    "wrapped": Layout(wrap=True),
    "ruled": Layout(rules=True, header="ended"),
    "flush": Layout(indent=0),
    "hyphen": Layout(nil="-", header="ended", sign="apart", gap=60),
}


def figure(value, layout, currency):
    """A value as it is printed."""
    if value == 0:
        return layout.nil
    digits = f"{abs(value):,.2f}" if abs(value) < 10 else f"{abs(value):,.1f}"
    if value < 0:
        digits = f"({digits})" if layout.negative == "brackets" else f"\u2212{digits}"
    return f"$ {digits}" if currency else digits


def make(layout, company="", times=1.0):  # noqa: PLR0915  (a page is drawn from top to bottom)
    """The PDF's bytes and what its cells are: (label, year, value) to scale.

    `company` stands above the statement; figures in the millions are so many `times` those of the others.
    """
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792), invariant=1)
    width = 3 if layout.header != "periods" else 4
    left, right = 60.0, 560.0
    edges = [right - layout.gap * (width - 1 - column) for column in range(width)]
    y = 730.0

    def put(x, text, align="left", size=layout.size, *, bold=False):
        font = "Helvetica-Bold" if bold else "Helvetica"
        wide = stringWidth(text, font, size)
        x -= wide if align == "right" else wide / 2 if align == "middle" else 0
        canvas.setFont(font, size)
        canvas.drawString(x, y, text)

    if company:
        put(306, company, "middle", layout.size + 8, bold=True)
        y -= 30
    put(306, "CONSOLIDATED STATEMENTS OF INCOME", "middle", layout.size + 2, bold=True)
    y -= 16
    if layout.scale == "title":
        put(306, "(in millions, except per share data)", align="middle")
        y -= 16
    middle = (edges[0] - layout.gap / 2 + edges[-1]) / 2
    if layout.header == "ended":
        put(middle, "Year ended December 31,", "middle", bold=True)
        y -= 13
    if layout.header == "periods":
        put((edges[0] + edges[1]) / 2 - 14, "Three months ended December 31,", "middle", layout.size - 2)
        put((edges[2] + edges[3]) / 2 - 14, "Twelve months ended December 31,", "middle", layout.size - 2)
        y -= 12
    y -= 12 if layout.header == "dates" else 0
    if layout.scale == "corner":
        put(left, "(in millions, except per share data)")
    if layout.notes:
        put(edges[0] - layout.gap, "Note", align="right")
    heads = [str(year) for year in YEARS] if layout.header != "periods" else ["2023", "2022", "2023", "2022"]
    for edge, head in zip(edges, heads, strict=True):
        if layout.header == "dates":
            y += 10
            put(edge, "December 31,", "right", bold=True)
            y -= 10
        put(edge, head, "right", bold=True)
    y -= 16
    cells = {}
    section = ""
    for number, (label, row) in enumerate(ROWS):
        values = row and tuple(value * times if abs(row[0]) >= 10 else value for value in row)
        indent = layout.indent if label.startswith("  ") else 0.0
        result = label.strip()
        if values is None:
            section = result.rstrip(":")
            put(left, result, bold=True)
            y -= 13
            continue
        # A total that stands flush with the label of what it adds up belongs to it.
        within = label.startswith("  ") or (layout.indent == 0 and result == f"Total {section.lower()}")
        section = section if within else ""
        if layout.wrap and len(result) > 30:
            first, _, rest = result.partition(" and ")
            put(left + indent, f"{first} and")
            y -= 10
            put(left + indent, rest)
        else:
            put(left + indent, result)
        if layout.notes and number % 3 == 0:
            put(edges[0] - layout.gap, str(number + 2), align="right")
        outcome = values if width == 3 else (values[0] / 4, values[1] / 4, values[0], values[1])
        for column, value in enumerate(round(v, 2 if abs(v) < 10 else 1) for v in outcome):
            currency = layout.sign == "all" or (layout.sign in ("first", "apart") and number in (1, 10, 12))
            text = figure(value, layout, currency and layout.sign != "apart")
            put(edges[column], text, align="right")
            if currency and layout.sign == "apart":
                put(edges[column] - 38, "$", align="right")
            key = (section, result, heads[column], column // 2 if width == 4 else 0)
            cells[key] = (value, 1 if abs(values[0]) < 10 and values[0] else 1_000_000)
        if layout.rules:
            canvas.line(left, y - 3, right, y - 3)
        y -= 13
    canvas.showPage()
    canvas.save()
    return buffer.getvalue(), cells
