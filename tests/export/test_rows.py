"""Rows of tables as they are shown: below their headers, one citation with the cell that answers, no naked number."""

from __future__ import annotations

import pytest

from citewell import ask, read
from citewell.export import html, markdown, terminal

PAGE = (
    "<html><head><title>Fell Ferries</title></head><body><h2>Consolidated Statements of Income</h2><p>(In millions)</p>"
    "<table><tr><th></th><th>Year ended May 31, 2023</th><th>Year ended May 31, 2022</th></tr>"
    "<tr><td>Fares</td><td>$ 812</td><td>$ 790</td></tr><tr><td>Net income</td><td>61</td><td>55</td></tr></table>"
    "</body></html>"
)


@pytest.fixture(scope="module")
def ferries():
    return read(PAGE.encode(), name="page.html")


def test_the_terminal_shows_a_row_in_columns_and_cites_it_once(ferries):
    shown = terminal.render(ask(ferries, "What was net income in fiscal 2023?"), [ferries], width=100)
    lines = shown.splitlines()
    head = next(
        n for n, line in enumerate(lines) if line.split() == "Year ended May 31, 2023 Year ended May 31, 2022".split()
    )
    assert lines[head + 1].split() == ["Net", "income", "61", "55", "[1]"]
    assert lines[head + 1].index("61") + 2 == lines[head].index("2023") + 4
    assert " | " not in shown
    assert "[2]" not in shown


def test_a_narrow_terminal_keeps_the_row_on_its_line(ferries):
    shown = terminal.render(ask(ferries, "What was net income in fiscal 2023?"), [ferries], width=30)
    assert "Net income | 61 | 55" in shown
    assert all(len(line) <= 30 for line in shown.splitlines())


def test_markdown_shows_the_row_as_a_table_in_one_footnote(ferries):
    shown = markdown.render(ask(ferries, "What was net income in fiscal 2023?"), [ferries])
    assert "| Net income | 61 | 55 |" in shown
    assert "[^2]" not in shown


def test_a_card_of_html_gives_each_figure_its_header(ferries):
    shown = html.render(ask(ferries, "What was net income in fiscal 2023?"), [ferries])
    assert "Net income: 61 (Year ended May 31, 2023) · 55 (Year ended May 31, 2022)" in shown


def test_what_comes_near_says_what_it_has_and_lacks_and_no_score(ferries):
    answer = ask(ferries, "What was net income in fiscal 2019?")
    assert answer.abstained
    for shown in (terminal.render(answer, [ferries], width=200), markdown.render(answer, [ferries])):
        assert "gives Net income, Year ended May 31, 2023; gives 2023, 2022, not 2019" in shown
        assert "score 0" not in shown.partition("nearest passages")[2]
