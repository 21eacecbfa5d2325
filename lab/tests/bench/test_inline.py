"""A filing of a few tagged cells whose truth was worked out by hand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from citewell import read
from citewell_lab.bench.inline import questions, run
from citewell_lab.bench.inline.questions import Question, outcome
from citewell_lab.bench.inline.reading import counts, judged, member_name
from citewell_lab.bench.inline.tagged import filing, key
from citewell_lab.cli.bench import bench


def number(name, context, text, sign=""):
    return (
        f'<ix:nonFraction name="us-gaap:{name}" contextRef="{context}" unitRef="usd" scale="6" decimals="-6"{sign}>'
        f"{text}</ix:nonFraction>"
    )


def context(name, period, member=""):
    part = (
        f'<xbrldi:explicitMember dimension="us-gaap:StatementBusinessSegmentsAxis">x:{member}</xbrldi:explicitMember>'
    )
    segment = f"<xbrli:segment>{part}</xbrli:segment>" if member else ""
    return (
        f'<xbrli:context id="{name}"><xbrli:entity><xbrli:identifier scheme="s">1</xbrli:identifier>{segment}'
        f"</xbrli:entity><xbrli:period>{period}</xbrli:period></xbrli:context>"
    )


def year(of):
    return f"<xbrli:startDate>{of}-01-01</xbrli:startDate><xbrli:endDate>{of}-12-31</xbrli:endDate>"


PAGE = f"""<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"><body>
<div style="display:none"><ix:header><ix:hidden>
<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="y24">2024</ix:nonNumeric></ix:hidden><ix:resources>
{context("y24", year(2024))}{context("y23", year(2023))}{context("paper", year(2024), "PaperGoodsSegmentMember")}
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>
<h2>Consolidated Statements of Income</h2><p>(in millions)</p>
<table><tr><td>Year ended December 31,</td><td>2024</td><td>2023</td></tr>
<tr><td>Net sales</td><td>$ {number("Revenues", "y24", "1,240")}</td><td>$ {number("Revenues", "y23", "1,110")}</td></tr>
<tr><td>Net income (loss)</td><td>({number("NetIncomeLoss", "y24", "31", ' sign="-"')})</td>
<td>{number("NetIncomeLoss", "y23", "52")}</td></tr>
<tr><td>Goodwill impairment</td><td>&#8212;</td><td>7</td></tr></table>
<p>Sales by segment (in millions):</p>
<table><tr><td></td><td>2024</td></tr><tr><td>Paper goods</td><td>{number("Revenues", "paper", "840")}</td></tr>
<tr><td>Other</td><td>400</td></tr></table></body></html>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mill-10-k.html").write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_what_is_tagged_is_read_from_the_page(folder):
    tagged = filing(folder / "mill-10-k.html")
    rows = [(fact.concept, fact.worth, fact.negative, fact.context.months) for fact in tagged.facts]
    assert rows == [
        ("us-gaap:Revenues", 1240e6, False, 12),
        ("us-gaap:Revenues", 1110e6, False, 12),
        ("us-gaap:NetIncomeLoss", 31e6, True, 12),
        ("us-gaap:NetIncomeLoss", 52e6, False, 12),
        ("us-gaap:Revenues", 840e6, False, 12),
    ]
    assert tagged.year == 2024
    assert [fact.cell is not None for fact in tagged.facts] == [True] * 5


def test_cells_are_judged_by_value_period_and_part(folder):
    path = folder / "mill-10-k.html"
    sums = counts(judged(filing(path), read(path)))
    assert {name: dict(row) for name, row in sums.items()} == {
        "value": {"right": 5},
        "period": {"right": 5},
        "scope": {"right": 1},
    }


def test_a_wrong_scale_and_another_year_are_told(folder, tmp_path):
    path = folder / "mill-10-k.html"
    other = tmp_path / "other.html"
    other.write_text(PAGE.replace("in millions", "in thousands").replace(">2023<", ">2022<"), encoding="utf-8")
    sums = counts(judged(filing(path), read(other)))
    assert sums["value"] == {"wrong": 5}
    assert sums["period"] == {"right": 3, "wrong": 2}


def test_questions_have_what_is_right_before_they_are_asked(folder):
    drawn = questions(filing(folder / "mill-10-k.html"), 1)
    right = {(one.kind, one.concept): one.right for one in drawn if "2024" in one.text}
    assert right["plain", "Revenues"] == ((1240e6, 1e6),)
    assert right["part", "Revenues"] == ((840e6, 1e6),)
    assert right["plain", "NetIncomeLoss"] == ((31e6, 1e6),)
    assert all(not one.right for one in drawn if one.kind == "absent")
    assert drawn == questions(filing(folder / "mill-10-k.html"), 1)


def test_answers_are_held_against_what_is_right(folder):
    (result,) = run(folder, 1)
    sums = result.counts()
    assert sums["plain"]["right"] == sums["plain"]["n"] == 4
    one = result.asked[0]
    assert outcome(Question("plain", "x", "?", ((5.0, 0.1),)), one.answer) in ("wrong", "hedged")
    assert outcome(Question("absent", "x", "?", ()), one.answer) in ("wrong", "hedged")


@pytest.mark.parametrize(
    ("member", "words"),
    [("us-gaap:RetainedEarningsMember", "Retained Earnings"), ("x:USPaperSegmentMember", "US Paper"),
     ("country:US", "United States")],
)  # fmt: skip
def test_members_are_split_into_words(member, words):
    assert member_name(member) == words


@pytest.mark.parametrize(("text", "mark"), [("$ (1,240)", "1240"), ("—", "-"), ("Net sales", "")])
def test_cells_are_known_by_their_digits(text, mark):
    assert key(text) == mark


def test_the_command_writes_the_truth_and_counts(folder):
    truth = folder / "truth.jsonl"
    ran = CliRunner().invoke(bench, ["cells", str(folder), "--truth", str(truth), "--json"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.output)["value"] == {"right": 5}
    assert len(truth.read_text(encoding="utf-8").splitlines()) >= 5
