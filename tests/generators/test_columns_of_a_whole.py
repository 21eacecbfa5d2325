"""Columns of segments or funds beside that of the whole, rows below the figure that they add up to."""

import pytest

import citewell
from citewell.facts.tables.sums import parts
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
    assert citewell.ask(
        citewell.read(HTML.format(revenue="111,239").encode(), name="alder.html"),
        "What EBIT did the Sheds segment of Alder make in 2020?",
    ).value.number == 2668


def test_rows_that_add_up_to_nothing_are_no_parts():
    assert paths()["13,015"] == ("Group revenues", "Eliminations")
    changed = HTML.replace("80,853", "70,853").replace("95,476", "85,476")
    (table,) = citewell.read(changed.format(revenue="111,239").encode(), name="alder.html").tables()
    assert {cell.text: cell.row_path for cell in table.values()}["2,748"] == ("Sheds",)


def test_rows_that_stand_flush_are_no_parts_of_the_row_above():
    text = "Sum 500 Boats 300 Sheds 200"
    places = [(0, 3), (4, 7), (8, 13), (14, 17), (18, 23), (24, 27)]

    def rows(indent):
        return [
            [Slot(n, 0, *places[2 * n], indent=indent * (n > 0)), Slot(n, 1, *places[2 * n + 1])] for n in range(3)
        ]

    assert parts(rows(9.0), [False] * 3, text, 1) == {0: 2}
    assert parts(rows(0.0), [False] * 3, text, 1) == {}


def test_a_noun_says_what_a_verb_of_its_root_asks():
    roots = of_one_root("How many boats were delivered and how much was emitted?")
    assert "deliveri" in roots["deliv"]
    assert "emiss" in roots["emit"]
    text = "# Oriel\n\n| | 2024 | 2023 |\n|---|---|---|\n| Production of boats | 912 | 880 |\n| Deliveries of boats | 586 | 512 |\n"
    answer = citewell.ask(citewell.read(text.encode(), name="oriel.md"), "How many boats were delivered in 2024?")
    assert answer.value.number == 586
