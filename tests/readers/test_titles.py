"""Titles that people use: a filing goes by company, form and time, and no document by a formal head."""

import pytest

from citewell.readers import read
from citewell.readers.titles import filing, names_nothing
from pdfs import heading, make_pdf

HEAD = ["UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION", "Washington, D.C. 20549"]
CHARTER = "(Exact name of registrant as specified in its charter)"


def cover(name, form="FORM 10-K", time="For the fiscal year ended June 30, 2024"):
    return [*HEAD, form, time, "Commission file number 1-00001", name, CHARTER]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (cover("Harbour Lines, Inc."), "Harbour Lines, Inc. — Annual report (10-K) 2024"),
        (
            cover("Harbour Lines, Inc.", "Form 10-Q", "For the quarterly period ended March 31, 2024"),
            "Harbour Lines, Inc. — Quarterly report (10-Q) March 31, 2024",
        ),
        (
            cover("Harbour Lines, Inc.", "Form 8-K", "Date of Report (Date of earliest event reported): May 2, 2024"),
            "Harbour Lines, Inc. — Current report (8-K) May 2, 2024",
        ),
        (cover("Harbour Lines, Inc.", "FORM 10-K/A"), "Harbour Lines, Inc. — Annual report (10-K) (amended) 2024"),
        (cover("Harbour Lines, Inc.", "FORM 18-Z", ""), "Harbour Lines, Inc. — Form 18-Z"),
        (
            [*cover("HARBOUR LINES PLC"), "Harbour Lines plc runs ferries."],
            "Harbour Lines plc — Annual report (10-K) 2024",
        ),
        (cover("ABC CORP."), "ABC CORP. — Annual report (10-K) 2024"),
        ([*HEAD, "FORM 10-K"], None),
        (["The exact name of the registrant is not told here."], None),
    ],
)
def test_a_filing_goes_by_company_form_and_time(lines, title):
    assert filing("\n\n".join(lines)) == title


@pytest.mark.parametrize(
    "title", ["UNITED STATES", " ".join(HEAD), "FORM 10-K", "U.S. Securities and Exchange Commission"]
)
def test_the_formal_head_of_a_filing_names_nothing(title):
    assert names_nothing(title)
    assert not names_nothing("United States labour market in 2024")


def test_a_filing_as_pdf_is_named_by_its_cover_and_not_by_the_largest_heading():
    parts = [heading(line, 16) if number < 4 else line for number, line in enumerate(cover("Harbour Lines, Inc."))]
    assert read(make_pdf(parts, meta_title="0001-23")).title == "Harbour Lines, Inc. — Annual report (10-K) 2024"


def test_a_filing_as_html_is_named_by_its_cover_and_not_by_its_file():
    body = "".join(f"<p>{line}</p>" for line in cover("Harbour Lines, Inc."))
    page = f"<html><head><title>hl-20240630</title></head><body>{body}</body></html>".encode()
    assert read(page, name="hl.html").title == "Harbour Lines, Inc. — Annual report (10-K) 2024"


def test_a_formal_head_gives_way_to_the_next_heading():
    parts = [heading("UNITED STATES", 20), heading("Ferries of the north", 16), "They run in winter too. " * 8]
    assert read(make_pdf(parts)).title == "Ferries of the north"


def test_a_section_heading_in_lower_case_is_no_title():
    assert read(make_pdf([heading("were stricter", 16), "They run in winter too. " * 8])).title is None


@pytest.mark.parametrize("caption", ["Table 2. Ships by harbour", "Exhibit 4: Ships by harbour", "Figure A1 Ships"])
def test_what_heads_one_table_is_no_title(caption):
    assert read(make_pdf(["Ferries run in winter too. " * 8, heading(caption, 16), "Nine ships. " * 8])).title is None
