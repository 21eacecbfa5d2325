"""Columns of segments or funds beside that of the whole, rows below the figure that they add up to."""

import pytest

import citewell
from citewell.facts.tables.sums import parts
from citewell.generators.extractive.cells.asking import asks_item
from citewell.generators.extractive.cells.coverage import of_one_root
from citewell.generators.extractive.cells.finder import best
from citewell.generators.extractive.cells.rows import index
from citewell.types import Slot

REPORT = """# Quarterly release of Larch Bank

Results of the three months ended March 31, 2023, in millions

| | Retail | Ships | Markets | {whole} | Outside the bank |
|---|---|---|---|---|---|
| Revenue | $ 1,260 | $ 351 | $ 706 | $ {revenue} | $ 526 |
| Provisions | 158 | 46 | 98 | {provisions} | 73 |
| Expenses | 1,290 | 665 | 380 | 2,335 | 283 |
"""


def report(whole="Total", revenue="2,317", provisions="302"):
    text = REPORT.format(whole=whole, revenue=revenue, provisions=provisions)
    return citewell.read(text.encode(), name="larch-bank.md")


@pytest.mark.parametrize("whole", ["Total", "Larch Bank", "Group"])
def test_what_names_no_column_asks_for_the_whole(whole):
    sure = best("What was the revenue of Larch Bank?", [report(whole)])
    assert sure.picks[0].cell.text == "$ 2,317"
    parts_told = {pick.cell.text for pick, lacks in zip(sure.picks, sure.lacks, strict=True) if "a part of" in lacks}
    assert parts_told == {"$ 706", "$ 1,260", "$ 351"}


def test_a_column_that_is_named_answers_for_itself():
    sure = best("What was the revenue of Ships?", [report()])
    assert (sure.picks[0].cell.text, sure.lacks[0]) == ("$ 351", "")


@pytest.mark.parametrize(("whole", "revenue", "provisions"), [("Total", "9,317", "902"), ("Later", "2,317", "302")])
def test_a_column_that_sums_no_others_or_is_no_total_makes_them_no_parts(whole, revenue, provisions):
    assert not index(report(whole, revenue, provisions)).shares


HTML = """<html><body><h1>Annual report of Alder AG</h1><table>
<tr><td>in € million</td><td>2020</td><td>2021</td></tr>
<tr><td>Group revenues</td><td>98,990</td><td>{revenue}</td></tr>
<tr><td style="padding-left:20pt">Boats</td><td>80,853</td><td>95,476</td></tr>
<tr><td style="padding-left:20pt">Sheds</td><td>2,284</td><td>2,748</td></tr>
<tr><td style="padding-left:20pt">Eliminations</td><td>15,853</td><td>13,015</td></tr>
<tr><td>Group profit (EBIT)</td><td>4,830</td><td>13,400</td></tr>
<tr><td style="padding-left:20pt">Boats</td><td>2,162</td><td>9,870</td></tr>
<tr><td style="padding-left:20pt">Sheds</td><td>2,668</td><td>3,530</td></tr>
</table></body></html>"""


def paths(revenue="111,239"):
    (table,) = citewell.read(HTML.format(revenue=revenue).encode(), name="alder.html").tables()
    return {cell.text: cell.row_path for cell in table.values()}


def test_rows_below_a_figure_that_they_add_up_to_are_its_parts():
    assert paths()["2,748"] == ("Group revenues", "Sheds")
    assert paths()["2,668"] == ("Group profit (EBIT)", "Sheds")
    assert paths()["4,830"] == ("Group profit (EBIT)",)
    assert (
        citewell.ask(
            citewell.read(HTML.format(revenue="111,239").encode(), name="alder.html"),
            "What EBIT did the Sheds segment of Alder make in 2020?",
        ).value.number
        == 2668
    )


def test_rows_that_add_up_to_nothing_are_no_parts():
    assert paths()["13,015"] == ("Group revenues", "Eliminations")
    changed = HTML.replace("80,853", "70,853").replace("95,476", "85,476")
    (table,) = citewell.read(changed.format(revenue="111,239").encode(), name="alder.html").tables()
    assert {cell.text: cell.row_path for cell in table.values()}["2,748"] == ("Sheds",)


def test_rows_that_stand_flush_are_no_parts_of_the_row_above():
    text = "Sum 500 Boats 300 Sheds 200"
    places = [(0, 3), (4, 7), (8, 13), (14, 17), (18, 23), (24, 27)]

    def rows(indent):
        return [[Slot(n, 0, *places[2 * n], indent=indent * (n > 0)), Slot(n, 1, *places[2 * n + 1])] for n in range(3)]

    assert parts(rows(9.0), [False] * 3, text, 1) == {0: 2}
    assert parts(rows(0.0), [False] * 3, text, 1) == {}


def test_a_noun_says_what_a_verb_of_its_root_asks():
    roots = of_one_root("How many boats were delivered and how much was emitted?")
    assert "deliveri" in roots["deliv"]
    assert "emiss" in roots["emit"]
    text = "# Oriel\n\n| | 2024 | 2023 |\n|---|---|---|\n| Production of boats | 912 | 880 |\n| Deliveries of boats | 586 | 512 |\n"
    answer = citewell.ask(citewell.read(text.encode(), name="oriel.md"), "How many boats were delivered in 2024?")
    assert answer.value.number == 586


TIMES = """# Quarterly report of Larch

(in millions, except shares)

| Period | Total number of shares purchased | Shares purchased under the plan | Average price paid per share |
|---|---|---|---|
| April 2023 | 1,130,200 | 1,120,900 | $ 71.15 |
| May 2023 | 1,548,760 | 1,546,900 | $ 78.95 |
| June 2023 | 1,128,176 | 1,125,300 | $ 77.40 |

Gross bookings. We define gross bookings as what guests pay for all of it together.

| (In millions) | Q1 2023 | Q2 2023 |
|---|---|---|
| Ferries | 1,120 | 1,310 |
| Coaches | 480 | 512 |
"""


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How many shares did Larch purchase in total in May 2023?", 1_548_760),
        ("What price per share did Larch pay on average in June 2023?", 77.40),
        ("What were the gross bookings of Ferries in the second quarter of 2023?", 1310),
    ],
)
def test_what_is_asked_of_rows_that_are_times_stands_over_the_columns(question, figure):
    sure = best(question, [citewell.read(TIMES.encode(), name="larch.md")])
    assert (sure.picks[0].cell.value, sure.lacks[0]) == (figure, "")


GEOGRAPHIC = """<html><body><h1>Larch Oil</h1><table>
<tr><td>Geographic sales and other revenue</td><td></td><td></td></tr>
<tr><td>(millions of dollars)</td><td>2023</td><td>2022</td></tr>
<tr><td>Norway</td><td>13,546</td><td>16,638</td></tr>
<tr><td>Malta</td><td>5,242</td><td>8,306</td></tr></table></body></html>"""


def test_all_lines_over_the_labels_name_what_stands_below():
    sure = best(
        "What were the sales and other revenue in Malta in 2023?", [citewell.read(GEOGRAPHIC.encode(), name="a.html")]
    )
    assert (sure.picks[0].cell.text, sure.lacks[0]) == ("5,242", "")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What borrowings did Oriel show on July 1, 2023?", True),
        ("What goodwill does Oriel carry at the end of 2020?", True),
        ("What products did Oriel have in 2023?", False),
        ("What borrowings did Oriel show?", False),
    ],
)
def test_what_a_company_had_on_a_day_may_be_a_figure(question, asks):
    assert asks_item(question) == asks


def test_another_day_is_none_whatever_its_year_is_called():
    text = (
        "# Oriel\n\nThe fiscal year ends on September 30, 2023.\n\n## Balance sheets\n\n| | July 1, 2023 | October 1, 2022 |\n"
        "|---|---|---|\n| Borrowings | 44,544 | 45,299 |\n| Total assets | 99,544 | 98,299 |\n| Total liabilities | 54,544 | 53,299 |\n"
    )
    sure = best("What were the borrowings of Oriel on July 1, 2023?", [citewell.read(text.encode(), name="oriel.md")])
    assert sure.picks[0].cell.text == "44,544"
    assert "another day" in sure.lacks[[pick.cell.text for pick in sure.picks].index("45,299")]


def test_the_current_portion_may_be_left_out_in_words():
    text = "# Oriel\n\n## Balance sheets\n\n| | 2023 | 2022 |\n|---|---|---|\n| Current portion of long-term debt | 16 | 14 |\n"
    text += "| Long-term debt | 8,954 | 8,741 |\n| Total assets | 16,393 | 15,731 |\n| Total liabilities | 15,600 | 15,100 |\n"
    answer = citewell.ask(
        citewell.read(text.encode(), name="oriel.md"),
        "What was the long-term debt of Oriel in 2023, without the current portion?",
    )
    assert answer.value.number == 8954


BUDGET = """# Budget of the town of Larch

| | FY25 actual | FY26 dept | FY26 proposed |
|---|---|---|---|
| Water charges | 6,353 | 6,402 | 6,358 |
| Nets and ropes | 512 | 530 | 518 |

| | 2023 Budget | 2023 Actual |
|---|---|---|
| Fares of ferries | 6,192 | 6,411 |
| Annual surplus | 118 | 131 |
| Accumulated surplus | 918 | 931 |
"""


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How much does Larch propose for nets and ropes in FY26?", "518"),
        ("How much did the fares of ferries bring in 2023?", "6,411"),
        ("How much was budgeted for the fares of ferries in 2023?", "6,192"),
        ("How much does Larch plan for nets and ropes, as proposed for FY26?", "518"),
        ("What was the annual surplus in 2023?", "131"),
    ],
)
def test_what_came_of_a_plan_is_asked_for_unless_the_plan_is(question, figure):
    sure = best(question, [citewell.read(BUDGET.encode(), name="larch.md")])
    assert (sure.picks[0].cell.text, sure.lacks[0]) == (figure, "")


DEBT = """# Accounts of the town of Larch

Of the long-term debt, the following are the years of repayment:

| | |
|---|---|
| 2024 | 2,136,551 |
| 2025 | 2,097,985 |
| 2026 | 2,178,896 |
| 2027 and thereafter | 17,249,114 |

## Media and Event Distribution ("MED")

| in millions | MED 2024 | Boats 2024 |
|---|---|---|
| Advertising | 3,042 | 31 |
| Fees | 4,234 | 41 |
"""


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How much of its long-term debt does Larch have to repay in 2026?", "2,178,896"),
        ("How much did Media and Event Distribution make with advertising in 2024?", "3,042"),
    ],
)
def test_what_leads_to_years_names_them_and_short_names_stand_for_long_ones(question, figure):
    sure = best(question, [citewell.read(DEBT.encode(), name="larch.md")])
    assert (sure.picks[0].cell.text, sure.lacks[0]) == (figure, "")


SPACE = """# Report of Larch Bank

## Item 2. Properties

| December 31, 2024 | Approximate square footage (in millions) |
|---|---|
| We occupy properties in: | |
| Top local locations | |
| Norway | 5.7 |
| All others | 28.3 |
| Top International locations | |
| India | 4.3 |
| Malta | 1.4 |
| Total square footage of property occupied for business operations (1) | 61.3 |

(1) In addition to the total square footage of property occupied, Larch Bank held 4.4 million square feet of real estate \
as of December 31, 2024, that was vacant pending disposition, leased to retail tenants, or used by others.
"""


def test_a_sentence_without_a_word_of_the_question_is_no_surer_than_a_cell_with_all():
    document = citewell.read(SPACE.encode(), name="larch-bank.md")
    answer = citewell.ask(document, "How many square feet did Larch Bank occupy in India at the end of 2024?")
    assert answer.value.number == 4.3


ESTIMATES = """# Budget of Ostland

## Recurrent spending

| | 2021-22 actual $m | 2022-23 revised estimate $m | 2023-24 estimate $m | nominal terms % | real terms % |
|---|---|---|---|---|---|
| Schools | 97,218 | 97,749 | 104,025 | 6.4 | 5.5 |
| Clinics | 98,329 | 127,072 | 104,439 | -17.8 | -18.7 |
"""


def test_an_estimate_that_is_asked_for_is_no_other_figure_of_its_row():
    sure = best("How much recurrent spending on clinics is estimated for 2023-24?",
                [citewell.read(ESTIMATES.encode(), name="ostland.md")])  # fmt: skip
    assert (sure.picks[0].cell.text, sure.lacks[0]) == ("104,439", "")
