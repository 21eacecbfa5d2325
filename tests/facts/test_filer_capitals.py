"""A name that a cover prints in capitals is the subject's, so that a question may name it."""

import pytest

import citewell

FUND = """# Annual report

French Mutual Fund NORTH QUAY HIGH YIELD

31 December 2024

{}

| in EUR | 31/12/2024 | 31/12/2023 |
|---|---|---|
| Cash and cash equivalents | 13,979,885.01 | 36,235,007.14 |
| Deposits | 4,120.50 | 5,000.25 |
"""
OFTEN = "NORTH QUAY HIGH YIELD is a fund. The objective of NORTH QUAY HIGH YIELD is income."


@pytest.mark.parametrize(
    ("line", "body", "name", "number"),
    [
        ("French Mutual Fund NORTH QUAY HIGH YIELD", OFTEN, "North Quay High Yield", 13_979_885.01),
        ("French Mutual Fund NORTH QUAY HIGH YIELD", OFTEN, "South Quay High Yield", None),
        ("French Mutual Fund NORTH QUAY HIGH YIELD", "It is a fund.", "Oriel Growth", None),
        ("North Quay Trust, no. 80", "It is a trust.", "North Quay Trust", 13_979_885.01),
        ("A partner of North Quay Trust", "It is a trust.", "North Quay Trust", None),
    ],
)
def test_a_fund_is_named_as_its_cover_names_it(line, body, name, number):
    text = FUND.replace("French Mutual Fund NORTH QUAY HIGH YIELD", line).format(body)
    answer = citewell.ask(
        citewell.read(text.encode(), name="report.md"), f"How much cash did {name} hold on December 31, 2024?"
    )
    assert (answer.value.number if answer.value and not answer.abstained else None) == number
