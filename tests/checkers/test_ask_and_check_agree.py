"""What `ask` answers by a table, `check` supports, and what it would not answer `check` does not: one reading of both."""

from pathlib import Path

import pytest

import citewell

PREFACE = " ".join(f"Note {number} of the directors repeats what the chapters say at length." for number in range(60))

REPORT = f"""# Annual report of the Alder Group

{PREFACE}

## Segments

### Results by segment

Net sales by segment were as follows (in millions):

| | 2022 | 2021 |
|---|---|---|
| Coatings | 610 | 590 |
| Adhesives | 420 | 431 |
| Total | 1,030 | 1,021 |

{PREFACE}

## Consolidated statements of income

In millions, except per share data

| | 2022 | 2021 |
|---|---|---|
| Net sales | 1,030 | 1,021 |
| Cost of sales | 700 | 690 |
| Operating income | 120 | 131 |
| Net income | 88 | 97 |
| Diluted earnings per share | 2.15 | 2.33 |
| Dividends declared per share | 0.84 | 0.80 |

## Consolidated balance sheets

In millions

| | December 31, 2022 | December 31, 2021 |
|---|---|---|
| Cash and cash equivalents | 64 | 71 |
| Inventories | 205 | 188 |
| Total assets | 1,912 | 1,880 |
| Long-term debt | 450 | 475 |

{PREFACE}
"""

# A question, the figure that answers it, a claim that says so, and one that does not hold.
RELATIVES = [
    ("What were diluted earnings per share in 2022?", "2.15", "Diluted earnings per share were $2.15 in 2022.",
     "Diluted earnings per share were $2.33 in 2022."),
    ("What were diluted earnings per share in 2021?", "2.33", "Diluted earnings per share were $2.33 in 2021.",
     "Diluted earnings per share were $2.15 in 2021."),
    ("What were dividends declared per share in 2022?", "0.84", "Dividends declared per share were $0.84 in 2022.",
     "Dividends declared per share were $0.80 in 2022."),
    ("What were net sales in 2022?", "1,030", "Net sales were $1,030 million in 2022.",
     "Net sales were $1,021 million in 2022."),
    ("What were net sales of Coatings in 2022?", "610", "Net sales of Coatings were $610 million in 2022.",
     "Net sales of Coatings were $1,030 million in 2022."),
    ("What were net sales of Adhesives in 2021?", "431", "Net sales of Adhesives were $431 million in 2021.",
     "Net sales of Adhesives were $590 million in 2021."),
    ("What was operating income in 2022?", "120", "Operating income was $120 million in 2022.",
     "Operating income was $131 million in 2022."),
    ("What was operating income in fiscal 2021?", "131", "Operating income was $131 million in fiscal 2021.",
     "Operating income was $120 million in fiscal 2021."),
    ("What was net income in 2022?", "88", "Net income was $88 million in 2022.", "Net income was $97 million in 2022."),
    ("What was the cost of sales in 2021?", "690", "The cost of sales was $690 million in 2021.",
     "The cost of sales was $700 million in 2021."),
    ("What were total assets at December 31, 2022?", "1,912", "Total assets were $1,912 million at December 31, 2022.",
     "Total assets were $1,880 million at December 31, 2022."),
    ("What were inventories at the end of 2021?", "188", "Inventories were $188 million at the end of 2021.",
     "Inventories were $205 million at the end of 2021."),
    ("How much cash and cash equivalents did it have at the end of 2022?", "64",
     "Cash and cash equivalents were $64 million at the end of 2022.",
     "Cash and cash equivalents were $71 million at the end of 2022."),
    ("What was long-term debt in 2022?", "450", "Long-term debt was $450 million in 2022.",
     "Long-term debt was $475 million in 2022."),
    ("By how much did inventories change from 2021 to 2022?", "205", "Inventories rose by $17 million in 2022.",
     "Inventories fell by $17 million in 2022."),
    ("Did net income rise in 2022?", "88", "Net income fell in 2022.", "Net income rose in 2022."),
    ("Did net sales of Coatings rise in 2022?", "610", "Net sales of Coatings rose in 2022.",
     "Net sales of Coatings fell in 2022."),
    ("Did long-term debt fall in 2022?", "450", "Long-term debt fell in 2022.", "Long-term debt rose in 2022."),
    ("What was EPS in 2022?", "2.15", "EPS was $2.15 in 2022.", "EPS was $2.33 in 2022."),
    ("What was net profit in 2022?", "88", "Net profit was $88 million in 2022.", "Net profit was $97 million in 2022."),
    ("What were net sales in 2021 and 2022?", "1,021", "Net sales were $1,021 million in 2021 and $1,030 million in 2022.",
     "Net sales were $1,030 million in 2021 and $1,021 million in 2022."),
]  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = Path(tmp_path_factory.mktemp("report")) / "alder.md"
    path.write_text(REPORT, "utf-8")
    return citewell.read(path)


@pytest.mark.parametrize(("question", "figure", "true", "false"), RELATIVES)
def test_a_claim_is_judged_by_the_cell_that_answers_its_question(report, question, figure, true, false):
    answer = citewell.ask(report, question)
    assert figure in answer.text
    supported, other = citewell.check(report, [true, false])
    assert supported.label == "supported", (true, supported)
    assert other.label != "supported", (false, other)


@pytest.mark.parametrize("row", ["Coatings", "Adhesives"])
def test_a_claim_about_a_row_is_not_judged_by_the_total(report, row):
    for figure in ("1,030", "638"):
        (verdict,) = citewell.check(report, [f"Net sales of {row} were ${figure} million in 2022."])
        assert verdict.label != "supported", verdict
        assert all("Net sales, 2022 is" not in reason.message for reason in verdict.reasons)


def test_an_amount_per_share_is_not_held_against_the_whole_amount(report):
    (verdict,) = citewell.check(report, ["Net income per share was $2.15 in 2022."])
    assert verdict.label != "contradicted", verdict
