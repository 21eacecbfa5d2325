"""A table of a part, or of another company, answers for the whole only where the question names what it is of."""

import pytest

import citewell
from citewell.generators.extractive.cells.rows import index

REPORT = """# Annual report of the Alder Group

## Consolidated statements of income

In millions

| | 2022 | 2021 |
|---|---|---|
| Net sales | $ 1,030 | $ 1,021 |
| Cost of sales | 700 | 690 |
| Selling expenses | 120 | 110 |
| Operating income | 210 | 221 |
| Interest expense | 12 | 11 |
| Income before income taxes | 198 | 210 |
| Income tax expense | 50 | 52 |
| Net income | $ 148 | $ 158 |

## Consolidated balance sheets

In millions

| | December 31, 2022 | December 31, 2021 |
|---|---|---|
| Cash and cash equivalents | $ 64 | $ 71 |
| Accounts receivable | 120 | 118 |
| Raw materials and goods, net | 205 | 188 |
| Total current assets | 389 | 377 |
| Property, plant and equipment | 1,523 | 1,503 |
| Total assets | $ 1,912 | $ 1,880 |
| Accounts payable | 210 | 207 |
| Long-term debt | 450 | 475 |
| Total liabilities | $ 660 | $ 682 |

## Consolidated statements of cash flows

In millions

| | 2022 | 2021 |
|---|---|---|
| Net income | $ 148 | $ 158 |
| Depreciation | 80 | 79 |
| Net cash from operating activities | 228 | 237 |
| Purchases of equipment | (90) | (88) |
| Net cash used in investing activities | (90) | (88) |
| Dividends paid | (40) | (38) |
| Repayments of debt | (25) | (20) |
| Net cash used in financing activities | (65) | (58) |

{introduction}

| | 2022 | 2021 |
|---|---|---|
| Net sales | $ 310 | $ 306 |
| Gross margin | 150 | 147 |
| Net income | 45 | 44 |
| Inventories | 31 | 30 |
"""

PARTS = (
    "Summary information for the joint ventures is as follows (in millions):",
    "Consolidated figures of the entities that signed the deed (in millions):",
    "Results of Birch Limited were (in millions):",
)


def report(introduction: str) -> citewell.Document:
    return citewell.read(REPORT.format(introduction=introduction).encode(), name="alder.md")


@pytest.mark.parametrize("introduction", PARTS)
def test_a_table_whose_figures_are_not_the_companys_own_is_of_a_part(introduction):
    around = index(report(introduction)).about
    assert [about.part for about in around] == [False, False, False, True]


@pytest.mark.parametrize("introduction", PARTS)
@pytest.mark.parametrize(("item", "own", "other"), [("Net sales", "1,030", "310"), ("Net income", "148", "45"),
                                                    ("Inventories", "205", "31")])  # fmt: skip
def test_the_companys_own_figure_answers(introduction, item, own, other):
    answer = citewell.ask(report(introduction), f"What was {item.lower()} in 2022?")
    assert answer.abstained or answer.value.text.strip("$ ") != other or answer.confidence < 0.5
    if item != "Inventories":
        assert answer.value.text.strip("$ ") == own


def test_what_a_part_alone_has_is_less_sure_than_the_same_of_the_company():
    table = "| Net sales | $ 310 | $ 306 |"
    same = REPORT.replace(table, "| Net sales | $ 1,030 | $ 1,021 |").replace(
        "| Net income | 45 |", "| Net income | 148 |"
    )
    of_part = citewell.ask(report(PARTS[2]), "What was gross margin in 2022?")
    of_whole = citewell.ask(citewell.read(same.format(introduction=PARTS[2]).encode(), name="alder.md"),
                            "What was gross margin in 2022?")  # fmt: skip
    assert of_whole.value.text == "150"
    assert of_part.confidence < of_whole.confidence


def test_a_summary_with_the_companys_own_figures_is_of_the_whole():
    summary = REPORT.replace("$ 310 | $ 306", "$ 1,030 | $ 1,021").format(
        introduction="Selected figures (in millions):"
    )
    assert not any(about.part for about in index(citewell.read(summary.encode(), name="alder.md")).about)


@pytest.mark.parametrize("named", ["core basic and core diluted earnings", "adjusted earnings", "pro forma earnings"])
def test_a_count_of_an_adjusted_measure_is_not_the_companys(named):
    shares = "| | 2022 | 2021 |\n|---|---|---|\n| {} | $ 1,930 | $ 1,740 |\n| Average diluted shares | {} | {} |\n"
    plain = f"## Earnings per share\n\nShares in millions\n\n{shares.format('Net income', 772, 780)}"
    adjusted = shares.format("Income", "887", "899")
    text = (
        f"# Report of Alder\n\nThe following table sets forth {named} per share (in millions):\n\n{adjusted}\n{plain}"
    )
    answer = citewell.ask(citewell.read(text.encode(), name="alder.md"), "What were average diluted shares in 2022?")
    assert answer.value.text == "772"


def test_what_is_asked_of_a_section_is_of_its_part_and_else_of_the_company():
    parts = "| Share bonus included in: | | |\n| Cost of sales | 57 | 48 |\n| Selling expenses | 31 | 29 |\n"
    text = REPORT[: REPORT.rindex("| | 2022")] + "| | 2022 | 2021 |\n|---|---|---|\n" + parts
    document = citewell.read(text.format(introduction="Of these (in millions):").encode(), name="alder.md")
    assert index(document).about[3].part
    of_part = citewell.ask(document, "How much of the share bonus in 2022 fell to selling expenses?")
    assert of_part.value.text == "31"
    assert citewell.ask(document, "What were the selling expenses in 2022?").value.text == "120"
