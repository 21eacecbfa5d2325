"""A report whose cover shows the company's name as a picture names it where it refers to itself."""

import citewell
from citewell.facts.filer import filer_names

COVER = (
    "ANNUAL REPORT\n\nCommission File No. 1-10299\n\n(Exact name of registrant as specified in its charter)\n\n"
    "Tarrow Street, Inc. and its subsidiaries hereafter are referred to as the “Registrant,” “Company,” or “we.”\n"
)


def test_the_company_is_named_where_a_report_refers_to_it():
    assert filer_names(citewell.Document.from_text(COVER)) == {"Tarrow Street, Inc."}


def test_the_company_is_whom_we_and_our_refer_to():
    text = (
        "QUARTERLY REPORT\n\nThe terms “Company,” “we,” “us,” and “our” are used in this report to refer collectively to "
        "the parent company, The Tarrow Street Company, as well as the subsidiaries through which it works.\n"
    )
    assert filer_names(citewell.Document.from_text(text)) == {"The Tarrow Street Company"}
