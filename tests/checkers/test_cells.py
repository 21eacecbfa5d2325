"""Cells of tables as facts: figures in any scale, and what a claim gets wrong of row, column, scale, sign and unit."""

import pytest

from citewell import Document, attribute, check, read
from citewell.protocols import Pair
from citewell.registry import build
from citewell.types import Citation, Span

PAGE = """<html><head><title>Lorimer plc</title></head><body>
<h2>Consolidated statements of income (in millions)</h2><table>
<tr><th></th><th>2022</th><th>2021</th></tr>
<tr><td>Net sales</td><td>$ 844.4</td><td>$ 790.1</td></tr>
<tr><td>Cost of sales</td><td>510.2</td><td>498.7</td></tr>
<tr><td>Operating income</td><td>31.5</td><td>(12.8)</td></tr>
<tr><td>Income before income taxes</td><td>29.9</td><td>(14.0)</td></tr>
<tr><td>Income taxes</td><td>7.4</td><td>2.2</td></tr>
<tr><td>Tax rate (%)</td><td>24.7</td><td>15.7</td></tr>
</table>
<h2>Balance sheets (in thousands)</h2><table>
<tr><th></th><th>December 31, 2022</th><th>December 31, 2021</th></tr>
<tr><td>Total assets</td><td>€ 11,692,713</td><td>€ 10,838,679</td></tr>
</table></body></html>"""


@pytest.fixture(scope="module")
def report():
    return read(PAGE.encode(), name="lorimer.html")


@pytest.mark.parametrize(
    "claim",
    [
        "Net sales were $844.4 million in 2022.",
        "In 2022, Lorimer reported net sales of about $844 million.",
        "Net sales came to $844,400,000 in 2022.",
        "Net sales rose to $844.4 million in 2022 from $790.1 million in 2021.",
        "Net sales rose by 6.9% in 2022.",
        "Net sales were 790.1 in 2021 and 844.4 in 2022.",
        "Total assets stood at about €11.7 billion at the end of 2022.",
        "The operating loss was $12.8 million in 2021.",
        "The tax rate was 24.7 percent in 2022.",
        "Cost of sales rose 2.3% in 2022.",
        "Net sales were higher than cost of sales in 2021.",
        "Cost of sales was lower in 2021 than in 2022.",
    ],
)
def test_a_claim_that_a_cell_bears_out_is_supported_and_cites_the_cell(report, claim):
    (verdict,) = check(report, claim)
    assert verdict.label == "supported", verdict.reasons
    for citation in verdict.citations:
        assert citation.granularity == "cell"
        assert citation.cell.row_path
        assert report.text[citation.start : citation.end] == citation.quote


@pytest.mark.parametrize(
    ("claim", "kind", "message"),
    [
        ("Net sales were $790.1 million in 2022.", "date", "Net sales, 2022 is $ 844.4 (in millions)"),
        ("Net sales were $844.4 thousand in 2022.", "magnitude", "Net sales, 2022 is $ 844.4 (in millions)"),
        ("Cost of sales was $844.4 million in 2022.", "number", "Cost of sales, 2022 is 510.2 (in millions)"),
        ("Total assets were €838,679 million in 2022.", "number", "Total assets, December 31, 2022 is € 11,692,713"),
        ("Net sales were 844.4% in 2022.", "unit", "Net sales, 2022 is $ 844.4 (in millions)"),
        ("Net sales were €844.4 million in 2022.", "unit", "Net sales, 2022 is $ 844.4 (in millions)"),
        ("The operating loss was $31.5 million in 2022.", "sign", "Operating income, 2022 is 31.5 (in millions)"),
        ("Operating income was $12.8 million in 2021.", "sign", "Operating income, 2021 is (12.8) (in millions)"),
        ("Net sales were $844.4 million in the third quarter of 2022.", "date", "it is that of Net sales, 2022"),
        ("Net sales fell in 2022.", "direction", "Net sales, 2021 $ 790.1 (in millions)"),
        ("Net sales rose by 12.4% in 2022.", "number", "Net sales, 2021 $ 790.1 (in millions)"),
        ("Net sales rose by $64.3 million in 2022.", "number", "Net sales, 2021 $ 790.1 (in millions)"),
        ("Income taxes were higher than cost of sales.", "number", "Cost of sales, 2022 510.2 (in millions)"),
        ("Net sales were higher in 2021 than in 2022.", "number", "Net sales, 2022 $ 844.4 (in millions)"),
        ("Income before income taxes was $7.4 million in 2022.", "number", "Income before income taxes, 2022 is 29.9"),
    ],
)
def test_a_claim_that_a_cell_speaks_against_is_contradicted_with_its_row_and_column(report, claim, kind, message):
    (verdict,) = check(report, claim)
    assert verdict.label == "contradicted"
    reason = next(reason for reason in verdict.reasons if reason.kind == kind)
    assert message in reason.message
    assert any(cell.span == (reason.evidence.start, reason.evidence.end) for cell in report.tables()[0].cells) or any(
        cell.span == (reason.evidence.start, reason.evidence.end) for cell in report.tables()[1].cells
    )


@pytest.mark.parametrize(
    "claim",
    [
        "Net sales were $844.4 million in 2022 because prices rose in Europe.",
        "Umbra plc reported net sales of $844.4 million in 2022.",
        "Net sales were not $844.4 million in 2022.",
        "Net sales are expected to reach $844.4 million in 2022.",
        "Net sales were $844.4 million in 2019.",
    ],
)
def test_what_the_cells_do_not_say_is_not_supported(report, claim):
    (verdict,) = check(report, claim)
    assert verdict.label != "supported"


def cited(document, quote):
    start = document.text.index(quote)
    place = (document.id, document.segment_at(start).id, "sentence", quote, start, start + len(quote), 0, 1)
    return (Citation(*place),)


def test_a_claim_is_judged_by_the_cells_that_its_citations_touch(report):
    judge = build("checker", "lexical").check
    claim = "Net sales were $844.4 million in 2022."
    row, cell, other_cell, other_row = (
        Pair(claim, (report,), cited(report, quote)) for quote in ("Net sales |", "844.4", "790.1", "510.2 | 498.7")
    )
    assert [verdict.label for verdict in judge([row, cell])] == ["supported", "supported"]
    assert all(verdict.label != "supported" for verdict in judge([other_cell, other_row]))


def test_a_statement_that_a_table_bears_out_is_attributed_to_the_cell(report):
    answer = attribute(report, "Total assets stood at about €11.7 billion at the end of 2022.")
    (citation,) = answer.citations
    assert (citation.quote, citation.granularity) == ("€ 11,692,713", "cell")
    assert citation.cell.row_path == ("Total assets",)
    assert citation.cell.column_path == ("December 31, 2022",)
    assert citation.cell.scale == 1000
    assert answer.statements[0].label == "supported"
    assert Span(citation.start, citation.end) == report.tables()[1].cells[4].span


def test_a_comparison_that_the_evidence_does_not_make_is_supported_in_part_at_most():
    document = Document.from_text(
        "Passenger tickets brought in 24.87 million euros. Freight and mail was carried on all routes."
    )
    (verdict,) = check(document, "Freight and mail brought in more than passenger tickets.")
    assert verdict.label == "partially_supported"
    assert verdict.reasons == ()


def test_a_time_that_is_no_figure_of_a_cell_is_none(report):
    (verdict,) = check(report, "For the twelve months ended December 31, 2022, total assets were €11.7 billion.")
    assert verdict.label == "supported", verdict.reasons


FLEET = """<html><body><p>Four ships burn diesel.</p><table>
<tr><th>Ship</th><th>Built</th><th>Propulsion</th><th>Cars</th></tr>
<tr><td>MV Alder</td><td>1998</td><td>Diesel</td><td>64</td></tr>
<tr><td>MV Bracken</td><td>2004</td><td>Diesel</td><td>64</td></tr>
<tr><td>MV Eider</td><td>2024</td><td>Battery-electric</td><td>72</td></tr>
</table></body></html>"""


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Bracken is a diesel ship.", "supported"),
        ("Eider is a diesel ship.", "partially_supported"),
        ("Alder has battery-electric propulsion.", "not_supported"),
    ],
)
def test_a_cell_of_words_tells_what_its_row_is(claim, label):
    (verdict,) = check(read(FLEET.encode(), name="fleet.html"), claim)
    assert verdict.label == label, verdict.reasons


def test_a_cell_of_words_says_nothing_of_more_than_it_tells():
    (verdict,) = check(read(FLEET.encode(), name="fleet.html"), "Eider replaced a diesel ship.")
    assert verdict.label in ("partially_supported", "not_supported")
    assert all(reason.kind == "missing" for reason in verdict.reasons)


@pytest.mark.parametrize("other", ["total assets", "pensions"])
def test_a_comparison_whose_other_side_no_cell_tells_is_not_supported(report, other):
    for way in ("higher", "lower"):
        (verdict,) = check(report, f"Net sales were {way} than {other} in 2022.")
        assert verdict.label != "supported"


SIGNED = """| (in millions) | 2022 | 2021 |
|---|---|---|
| Operating income | 31.5 | (12.8) |
| Net (loss) income | 5.5 | (4.4) |
| Loss on disposal | 6.1 | (2.0) |
| Less: dividends | (8.8) | 9.1 |
| (Gain) loss on sale | (3.3) | 1.2 |
| Loss before taxes | (7.0) | (5.0) |
| Cost of sales | 510.2 | 498.7 |
"""


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Operating income rose in 2022.", "supported"),
        ("Operating income fell in 2022.", "contradicted"),
        ("The loss before taxes fell in 2022.", None),  # from -5 to -7
        ("The loss on disposal fell in 2022.", None),
        ("The loss on disposal was -$2.0 million in 2021.", "supported"),
        ("Dividends were $8.8 million in 2022.", "supported"),
        ("The loss on sale was $3.3 million in 2022.", "contradicted"),
        ("Net loss was $5.5 million in 2022.", "contradicted"),
        ("Net income was $5.5 million in 2022.", "supported"),
        ("Net income was $4.4 million in 2021.", "contradicted"),
        ("Cost of sales, in millions, was 510.2 in 2022.", "supported"),
        ("In millions, cost of sales was 512.2 in 2022.", "contradicted"),
        ("The mill spent $510.2 million on cost of sales in 2022.", "supported"),
    ],
)
def test_signs_ways_and_scales_are_read_as_the_rows_mean_them(claim, label):
    (verdict,) = check(read(f"# Mill\n\n## Income\n\n{SIGNED}".encode(), name="mill.md"), claim)
    assert verdict.label == label if label else verdict.label != "contradicted", verdict.reasons
