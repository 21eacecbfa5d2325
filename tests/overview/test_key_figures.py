"""Key figures and suggestions are shown only where their evidence names what is asked for."""

import pytest

import citewell
from citewell.export.overview import terminal
from citewell.pipeline import Pipeline
from citewell.pipeline.overview.points import _change, is_to_the_point
from citewell.types import Citation, Span


def report(*rows):
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    html = f"<h1>Annual report 2024</h1><p>Statements of income, in millions of euros</p><table>{lines}</table>"
    return citewell.read(html.encode(), name="a.html")


@pytest.mark.parametrize(
    ("text", "question", "named"),
    [
        ("The total income for 2024 was 978,019 euros.", "What was net income in 2024?", False),
        ("Net income for 2024 was 78,019 euros.", "What was net income in 2024?", True),
        ("We may use data collected about you for many purposes.", "What information is collected?", False),
        ("We collect your name and your address when you book.", "What information is collected?", True),
        ("The harbour has two cranes.", "What does the company do?", True),
    ],
)
def test_what_is_quoted_names_what_is_asked_for(text, question, named):
    document = citewell.read(text.encode(), name="a.txt")
    (segment,) = document.segments("sentence")
    answer = citewell.Answer(
        text, question, citations=(Citation.of(segment, document.id, Span(0, len(text)), 1.0, "x"),)
    )
    assert is_to_the_point(question, answer) == named


@pytest.mark.parametrize(("before", "now", "change"), [("100", "120", "+20.0%"), ("(100)", "(120)", None)])
def test_no_share_tells_how_a_loss_changed(before, now, change):
    document = report(
        ("", "2024", "2023"), ("Revenue", "900", "800"), ("Tax", "30", "20"), ("Net income (loss)", now, before)
    )
    question, answering = "What was net income{year}?", Pipeline()
    answer = answering.run([document], "What was net income in 2024?")
    assert answer.value is not None
    words, _ = _change(document, question, answer, answering)
    assert (words or "").split(" against")[0] == (change or "")


def test_a_title_above_all_is_no_level_of_the_printed_outline():
    text = b"# Quay\n\n## Lamps\n\n### Oil\n\nThe keeper fills them.\n\n#### Cans\n\nThere are two.\n\n## Cranes\n\nThere are two."
    shown = terminal(citewell.overview(citewell.read(text, name="a.md"))).partition("Outline")[2]
    assert shown.split("\n")[1:] == ["  Quay", "    Lamps", "      Oil", "    Cranes"]
