"""A report says "we", "the Company" or nothing where a claim has the name of who writes it."""

from __future__ import annotations

import pytest

import citewell
from citewell import Document

COVER = (
    "FORM 10-K\n\n{name}\n\n(Exact name of registrant as specified in its charter)\n\nNorway\n\nItem 1. Business\n\n"
)
BODY = {
    "Halden Shipping, Inc.": """We operate 14 car ferries on the west coast of Norway.

The Company sold its harbour in Narvik for $12 million in March 2022.

In 2021, the Company opened 31 terminals and closed 9 terminals.

No material portion of our business is considered to be seasonal.

Fuel expense increased by $7 million in 2022 as a result of higher prices of diesel.

In May 2022, the Company raised its quarterly dividend from $0.22 to $0.25 per share.

None of our employees in Sweden is represented by a labor union.

As of June 30, 2022, we employed approximately 3,200 people, of whom about 700 work in Denmark.

Each week, the Company carries over 90,000 passengers who cross the fjord at Molde.

In August 2022 one of the Company's subsidiaries agreed to buy Tolvik, a maker of engines, for $45 million.
""",
}
TRUE = [
    "Halden operates 14 car ferries on the west coast of Norway.",
    "Halden sold its harbour in Narvik for $12 million in March 2022.",
    "Halden Shipping opened 31 terminals in 2021.",
    "In 2021 Halden opened 31 terminals and closed 9 terminals.",
    "No material portion of Halden's business is considered to be seasonal.",
    "Halden's fuel expense increased by $7 million in 2022 as a result of higher prices of diesel.",
    "In May 2022, Halden raised its quarterly dividend from $0.22 to $0.25 per share.",
    "None of Halden's employees in Sweden is represented by a labor union.",
    "As of June 30, 2022, Halden employed approximately 3,200 people.",
    "Each week Halden carries over 90,000 passengers who cross the fjord at Molde.",
    "In August 2022 one of Halden's subsidiaries agreed to buy Tolvik for $45 million.",
]
FALSE = [
    "Halden operates 41 car ferries on the west coast of Norway.",
    "Orvik operates 14 car ferries on the west coast of Norway.",
    "Halden sold its harbour in Narvik for $12 billion in March 2022.",
    "Halden opened 31 terminals in 2022.",
    "A material portion of Halden's business is considered to be seasonal.",
    "Halden's fuel expense decreased by $7 million in 2022 as a result of higher prices of diesel.",
    "In May 2022, Halden raised its quarterly dividend from $0.25 to $0.22 per share.",
    "All of Halden's employees in Sweden are represented by a labor union.",
    "Each week Halden carries 19,000 passengers who cross the fjord at Molde.",
    "In August 2022 one of Halden's subsidiaries agreed to sell Tolvik for $45 million.",
]


@pytest.fixture(scope="module")
def report() -> Document:
    ((name, body),) = BODY.items()
    return Document.from_text(COVER.format(name=name) + body)


@pytest.mark.parametrize("claim", TRUE)
def test_a_claim_names_who_writes_the_report(report: Document, claim: str) -> None:
    (verdict,) = citewell.check(report, [claim])
    assert verdict.label == "supported", verdict.reasons


@pytest.mark.parametrize("claim", FALSE)
def test_the_writers_name_lends_nothing_to_what_is_false(report: Document, claim: str) -> None:
    (verdict,) = citewell.check(report, [claim])
    assert verdict.label != "supported"


def test_the_writers_name_is_no_reason_to_cite_another_sentence(report: Document) -> None:
    (verdict,) = citewell.check(report, ["Halden sold its harbour in Narvik for $12 million in March 2022."])
    assert [citation.quote for citation in verdict.citations] == [
        "The Company sold its harbour in Narvik for $12 million in March 2022."
    ]


def test_what_is_left_over_in_a_section_is_not_the_section(tmp_path) -> None:
    rows = {"Revenues by:": "", "Wholesale": "1,353|1,154", "Other": "49|80", "TOTAL REVENUES": "2,402|1,934"}
    cells = "".join(
        f"<tr><td>{name}</td>" + "".join(f"<td>{cell}</td>" for cell in (figures or "|").split("|")) + "</tr>"
        for name, figures in rows.items()
    )
    head = "<tr><th>(in millions)</th><th>Fiscal 2021</th><th>Fiscal 2020</th></tr>"
    page = tmp_path / "report.html"
    page.write_text(f"<html><body><h2>Tolvik</h2><table>{head}{cells}</table></body></html>", encoding="utf-8")
    claims = ["Tolvik revenues fell in fiscal 2021.", "Tolvik revenues rose in fiscal 2021."]
    assert [verdict.label for verdict in citewell.check(citewell.read(page), claims)] == ["contradicted", "supported"]
