"""A small annual report as HTML: statements, segments, quarters, an investee, and prose around them."""

from citewell import read

INCOME = [
    ("Net sales:", None),
    ("Products", (800, 700, 650)),
    ("Services", (200, 180, 150)),
    ("Total net sales", (1000, 880, 800)),
    ("Cost of sales", (-600, -540, -500)),
    ("Gross profit", (400, 340, 300)),
    ("Selling, general and administrative", (-150, -140, -130)),
    ("Operating income", (250, 200, 170)),
    ("Other income (expense), net", (-10, 4, -6)),
    ("Income tax expense", (-60, -51, -41)),
    ("Net earnings", (180, 153, 123)),
    ("Earnings per share:", None),
    ("Basic", (1.80, 1.53, 1.23)),
    ("Diluted", (1.76, 1.50, 1.21)),
]
BALANCE = [
    ("Current assets:", None),
    ("Cash and cash equivalents", (90, 70)),
    ("Accounts receivable, net", (110, 100)),
    ("Inventories", (120, 80)),
    ("Total current assets", (320, 250)),
    ("Property, plant and equipment, net", (400, 360)),
    ("Total assets", (760, 640)),
    ("Current liabilities:", None),
    ("Accounts payable", (60, 40)),
    ("Total current liabilities", (160, 140)),
    ("Total liabilities", (410, 370)),
    ("Total shareholders' equity", (350, 270)),
]
CASH = [
    ("Operating activities:", None),
    ("Net earnings", (180, 153, 123)),
    ("Depreciation and amortization", (50, 45, 40)),
    ("Net cash provided by operating activities", (240, 205, 160)),
    ("Investing activities:", None),
    ("Additions to property, plant and equipment", (-90, -75, -70)),
    ("Financing activities:", None),
    ("Dividends paid", (-45, -40, -36)),
]
INVESTEE = [("Net sales", (90, 80)), ("Net income", (12, 9)), ("Total assets", (75, 70))]
SEGMENT = [("Revenue by product:", None), ("Footwear", (210, 190)), ("Total net sales", (430, 400))]
BOTH = [("Revenue by product:", None), ("Footwear", (380, 350)), ("Clothing", (620, 530))]
QUARTERS = [("Net sales", (230, 240, 260, 270)), ("Net earnings", (40, 42, 48, 50))]
TAXES = [("Statutory rate", ("21.0%", "21.0%")), ("Effective income tax rate", ("25.0%", "25.0%"))]
STAFF = [("Staff (full-time equivalents)", (1240, 1190)), ("Deliveries on time (%)", (90.8, 91.2))]


def figure(value):
    """A value as it is printed."""
    if isinstance(value, str):
        return value
    digits = f"{abs(value):,}" if isinstance(value, int) else f"{abs(value):,.2f}"
    return f"({digits})" if value < 0 else digits


def table(title, heads, rows, over=""):
    """A table under its heading; `over` spans its columns."""
    top = f'<tr><td></td><td colspan="{len(heads)}">{over}</td></tr>' if over else ""
    head = "".join(f"<td>{head}</td>" for head in heads)
    body = "".join(
        f"<tr><td>{label}</td>" + "".join(f"<td>{figure(value)}</td>" for value in values or ()) + "</tr>"
        for label, values in rows
    )
    return (
        f"<h2>{title}</h2><p>(in millions, except per share data)</p><table>{top}<tr><td></td>{head}</tr>{body}</table>"
    )


def report(company="Acme Corporation", name="acme.html", times=1, extra="", before=""):
    """The report, with more HTML behind or before its tables; whole figures are so many times Acme's."""
    years = ("2023", "2022", "2021")

    def scaled(rows):
        return [
            (label, values and tuple(v * times if isinstance(v, int) else v for v in values)) for label, values in rows
        ]

    parts = [
        f"<p>{company} had a good year. We employed 5,310 people at the end of 2023.</p>",
        before,
        table("North America segment", years[:2], scaled(SEGMENT)),
        table("Revenue by product line", years[:2], scaled(BOTH)),
        table("Summarised information of our joint venture investee", years[:2], scaled(INVESTEE)),
        table("Consolidated Statements of Earnings", years, scaled(INCOME), "Year ended December 31,"),
        table("Consolidated Balance Sheets", years[:2], scaled(BALANCE), "December 31,"),
        table("Consolidated Statements of Cash Flows", years, scaled(CASH), "Year ended December 31,"),
        table("Quarterly data 2023", ("Q1 2023", "Q2 2023", "Q3 2023", "Q4 2023"), scaled(QUARTERS)),
        table("Income taxes", years[:2], TAXES),
        table("Our people", years[:2], STAFF),
        extra,
    ]
    title = f"{company} — Annual report 2023"
    page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{''.join(parts)}</body></html>"
    return read(page.encode(), name=name)
