"""Two documents of one name: figures of one thing and time that differ are shown as such, and nothing else is."""

import re

import pytest

import citewell
from citewell.cli import main

REVENUE = "Revenue was 1.2 million euros in 2023. The fleet grew."
QUESTION = "What was the revenue of Nordsee Ferries in 2023?"
LATER = " Revenue was 1.5 million euros in 2024."


def report(year, body):
    return called(f"Nordsee Ferries: Annual report {year}", body)


def called(title, body):
    return citewell.read(f"# {title}\n\n{body}\n".encode(), name=f"{title[:4]}.md")


def table(unit, *rows):
    return "\n".join([f"| {unit} | 2024 | 2023 |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def differences(*documents, question=QUESTION):
    answer = citewell.ask(documents, question)
    return [warning for warning in answer.warnings if "differ" in warning]


@pytest.mark.parametrize(
    ("first", "later", "figures"),
    [
        (
            REVENUE,
            "Revenue for 2023 was restated to 1.1 million euros." + LATER,
            "1.2 million euros; .*1.1 million euros",
        ),
        (REVENUE, "Revenue was 1.3 million euros in 2023." + LATER, "1.2 million euros; .*1.3 million euros"),
        (
            "In 2023 revenue, as corrected, was 1.2 million euros.",
            "Revenue in 2023: 1.35 million euros." + LATER,
            "1.35",
        ),
        (REVENUE, table("in millions of euros", ("Revenue", "1.5", "1.1")), "1.2 million euros; .*1.1"),
    ],
)
def test_another_figure_of_the_same_thing_and_time_is_a_difference(first, later, figures):
    (warning,) = differences(report(2023, first), report(2024, later))
    assert warning.startswith("the documents differ: Nordsee Ferries: Annual report 2023")
    assert re.search(figures, warning)


@pytest.mark.parametrize(
    "later",
    [
        "Revenue was 1.2 million euros in 2023." + LATER,
        "Revenue was 1,214 thousand euros in 2023." + LATER,
        "Revenue from tickets was 0.9 million euros in 2023." + LATER,
        "Revenue rose by 0.3 million euros in 2023." + LATER,
        "Revenue is expected to reach 1.4 million euros in 2023." + LATER,
        "Revenue was not 1.4 million euros in 2023, as was told." + LATER,
        "Net revenue per ferry was 0.2 million euros in 2023." + LATER,
        "Revenue was 0.6 million euros in the first half of 2023." + LATER,
        "Revenue was 1.3 million dollars in 2023." + LATER,
        "Revenue was about 1 million euros in 2023." + LATER,
        table("in thousands of euros", ("Revenue", "1,500", "1,214")),
    ],
)
def test_another_thing_another_time_or_the_same_figure_is_none(later):
    assert differences(report(2023, REVENUE), report(2024, later)) == []


def test_another_company_is_no_other_document_of_the_name():
    other = called("Ostsee Lines: Annual report 2023", "Revenue was 9.3 million euros in 2023.")
    assert differences(report(2023, REVENUE), other) == []


def test_a_difference_is_shown_on_the_terminal_in_json_and_on_the_page(tmp_path, capsys):
    for year, body in ((2023, REVENUE), (2024, "Revenue for 2023 was restated to 1.1 million euros." + LATER)):
        (tmp_path / f"r{year}.md").write_text(f"# Nordsee Ferries: Annual report {year}\n\n{body}\n")
    files = [str(tmp_path / "r2023.md"), "--also", str(tmp_path / "r2024.md")]
    page = tmp_path / "answer.html"
    for form in ([], ["--json"]):
        assert main(["ask", files[0], QUESTION, *files[1:], *form, "--html", str(page), "--no-color"]) == 0
        result = " ".join(capsys.readouterr().out.split())
        for text in (result, page.read_text()):
            assert "the documents differ: Nordsee Ferries: Annual report 2023: 1.2 million euros;" in text
            assert "restated to 1.1 million euros" in text
