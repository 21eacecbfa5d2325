"""A figure counts as restated where the reports show that, never because two figures differ."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from citewell import read
from citewell_lab.bench import series
from citewell_lab.bench.restated import recasts

TAIL = {"Net income": 1_786, "Weighted average shares": 849, "Dividends declared": 473, "Net income per share": 2.15}
EARLY = {"Revenue": 10_800, "Cost of sales": 2_508, "Gross profit": 8_292, "Administration": 3_971, "Research": 2_000,
         "Total operating expenses": 5_971, "Operating income": 2_321, "Income of parts sold": -535} | TAIL  # fmt: skip
LATE = {"Revenue": 8_636, "Cost of sales": 2_136, "Gross profit": 6_500, "Administration": 3_163, "Research": 1_476,
        "Total operating expenses": 4_639, "Operating income": 1_861, "Income of parts sold": -75} | TAIL  # fmt: skip
ANOTHER_YEAR = {name: 2 * figure for name, figure in EARLY.items()}
SAID = "The results of the ferry business for prior periods are presented as discontinued operations in our statements of income."


def document(tmp_path, name, columns, text=""):
    heads = "".join(f"<th>{year}</th>" for year in columns)
    rows = "".join(
        f"<tr><td>{label}</td>{''.join(f'<td>{figures[label]:,}</td>' for figures in columns.values())}</tr>"
        for label in next(iter(columns.values()))
    )
    path = tmp_path / f"{name}.html"
    path.write_text(
        f"""<html><head><title>Ferry Inc. annual report</title></head><body><h2>Basis of presentation</h2><p>{text}</p>
        <h2>Consolidated Statements of Income</h2><p>(in millions, years ended December 31)</p>
        <table><tr><th></th>{heads}</tr>{rows}</table></body></html>""",
        encoding="utf-8",
    )
    return read(path)


def cited(document, label, year):
    """What an answer with that cell looks like to the measure."""
    cell = next(c for t in document.tables() for c in t.values() if c.row_path[-1] == label and c.year == year)
    value = SimpleNamespace(number=cell.value, scale=cell.scale, text=cell.text, formula=None)
    citation = SimpleNamespace(cell=cell, start=cell.start, page=None, quote=cell.text)
    return SimpleNamespace(abstained=False, value=value, citations=[citation], confidence=0.9)


def pair(tmp_path, monkeypatch, late, *, label="Revenue", other=None, text=""):
    monkeypatch.setattr(series, "_FEWEST", 3)
    reports = {
        "FERRY_2019": document(tmp_path, "FERRY_2019", {2019: EARLY, 2018: ANOTHER_YEAR}),
        "FERRY_2020": document(tmp_path, "FERRY_2020", {2020: ANOTHER_YEAR, 2019: late}, text),
    }
    labels = {"FERRY_2019": label, "FERRY_2020": other or label}
    readings = []
    for name, report in reports.items():
        answer = cited(report, labels[name], 2019)
        item = series.Item("total revenue", "income")
        asked = series.ask_all("FERRY", name, report, [item], ask=lambda _, __, answer=answer: answer)
        readings += [one for one in asked if one.year == 2019]
    (found,) = series.pairs(readings)
    return found


def test_lines_that_are_the_same_and_sums_that_come_out_show_that_the_others_were_restated(tmp_path, monkeypatch):
    found = pair(tmp_path, monkeypatch, LATE)
    assert found.outcome == "restated"
    assert found.restated.by == "sums"
    assert "lines that are the same: 4, that changed: 8" in found.restated.text


def test_a_column_without_lines_that_are_the_same_is_of_another_year(tmp_path, monkeypatch):
    assert pair(tmp_path, monkeypatch, ANOTHER_YEAR).outcome == "differing"
    assert pair(tmp_path, monkeypatch, ANOTHER_YEAR, text=SAID).outcome == "differing"


def test_one_figure_that_differs_alone_is_not_restated(tmp_path, monkeypatch):
    assert (
        pair(tmp_path, monkeypatch, EARLY | {"Dividends declared": 474}, label="Dividends declared").outcome
        == "differing"
    )


def test_sums_that_do_not_come_out_prove_nothing(tmp_path, monkeypatch):
    wrong = LATE | {"Gross profit": 6_600, "Total operating expenses": 4_640, "Operating income": 1_871}
    assert pair(tmp_path, monkeypatch, wrong).outcome == "differing"


def test_another_line_is_not_the_same_figure_restated(tmp_path, monkeypatch):
    assert pair(tmp_path, monkeypatch, LATE, other="Cost of sales", text=SAID).outcome == "differing"


def test_a_report_that_says_that_a_statement_is_recast_is_quoted(tmp_path, monkeypatch):
    late = LATE | {"Gross profit": 6_501, "Total operating expenses": 4_640}  # sums do not tell
    found = pair(tmp_path, monkeypatch, late, text=f"Ferries sail. {SAID}")
    assert found.restated is not None
    assert (found.restated.by, found.restated.text) == ("said", SAID)


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        (SAID, {"income"}),
        ("Certain prior year balances were reclassified in the consolidated balance sheets.", {"balance"}),
        ("All comparative figures in the financial statements have been restated.", {"income", "balance", "cash"}),
        ("We adopted the standard retrospectively, which changed the statement of cash flows.", {"cash"}),
        ("Prior period segment information has been recast.", set()),  # of no statement
        ("Prior periods in the balance sheet have not been restated.", set()),
        (
            "The gain was reclassified from accumulated other comprehensive income into earlier income statements.",
            set(),
        ),
        ("The amended and restated plan of the prior year changed the financial statements.", set()),
        ("The balance sheet of the prior year is on page 3.", set()),
    ],
)
def test_what_a_sentence_says_of_earlier_statements(tmp_path, sentence, kinds):
    found = recasts(document(tmp_path, "FERRY_2020", {2020: LATE}, sentence))
    assert {kind for one in found for kind in one.kinds} == kinds


@pytest.mark.parametrize(
    ("late", "labels", "outcome"),
    [
        (LATE, ("Revenue", "Cost of sales"), "restated"),
        (LATE, ("Revenue", "Weighted average shares"), "restated"),  # one part is the same in both
        (LATE, ("Revenue", "Gross profit", "Cost of sales"), "differing"),  # made of something else
        (ANOTHER_YEAR, ("Revenue", "Cost of sales"), "differing"),
    ],
)
def test_a_derived_figure_is_restated_where_each_of_its_parts_is_the_same_or_restated(
    tmp_path, monkeypatch, late, labels, outcome
):
    monkeypatch.setattr(series, "_FEWEST", 3)
    readings = []
    for name, columns, parts in (
        ("FERRY_2019", {2019: EARLY, 2018: ANOTHER_YEAR}, ("Revenue", labels[1])),
        ("FERRY_2020", {2020: ANOTHER_YEAR, 2019: late}, labels),
    ):
        report = document(tmp_path, name, columns)
        cells = [cited(report, label, 2019).citations[0] for label in parts]
        value = SimpleNamespace(
            number=cells[0].cell.value - cells[1].cell.value, scale=1, text="", formula="a − b",
            citations=tuple(range(len(cells))),
        )  # fmt: skip
        answer = SimpleNamespace(abstained=False, value=value, citations=cells, confidence=0.9)
        item = series.Item("gross profit", "income")
        asked = series.ask_all("FERRY", name, report, [item], ask=lambda _, __, answer=answer: answer)
        readings += [one for one in asked if one.year == 2019]
    (found,) = series.pairs(readings)
    assert found.outcome == outcome
