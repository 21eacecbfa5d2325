"""Terminal text: readable at any width, plain when piped, safe whatever the document holds."""

import re
from dataclasses import replace

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from citewell.document import Document
from citewell.export import terminal
from citewell.export.view import build_view
from citewell.types import Abstention, Block, Grid, Page, Slot, Span, Verdict
from helpers import cite, make_answer, make_document

PARTS = [
    ("Revenue was 41.3 million.", "supported", ["41.3 million"]),
    ("It fell.", "contradicted", ["41.3 million"]),
    ("The boss is rich.", "not_supported", []),
]


def test_the_answer_carries_marks_and_each_statement_has_its_quote():
    document = make_document()
    text = terminal.render(make_answer(document, PARTS), [document])
    assert "Revenue was 41.3 million. [1] It fell. (⊗ contradicted) The boss is rich. (✗ not\nsupported)" in text
    assert "  [1] score 0.90\n      “Revenue rose to 41.3 million in 2025.”" in text
    assert "✓ supported 0.87" in text
    assert "⊗ contradicted 0.87" in text
    assert "no evidence found in the document" in text


def test_a_citation_that_two_statements_share_is_quoted_once():
    document = make_document()
    answer = make_answer(document, PARTS[:2])
    first, second = answer.statements
    answer = replace(
        answer, statements=(first, replace(second, citations=first.citations)), citations=answer.citations[:1]
    )
    text = terminal.render(answer, [document])
    assert text.count("“Revenue rose to 41.3 million in 2025.”") == 1
    assert "[1] quoted above" in text


def test_there_is_no_escape_sequence_without_colour_and_there_is_with_it():
    document = make_document()
    answer = make_answer(document, PARTS)
    plain, colored = (terminal.render(answer, [document], color=wanted) for wanted in (False, True))
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
    assert "\x1b[32m✓ supported" in colored


def test_control_characters_and_reversed_text_of_a_document_do_not_reach_the_terminal():
    document = make_document("The \x1b[2J\x07screen \u202estays\u202c as it is.")
    answer = make_answer(
        document, [("The \x1b]0;title\x07screen stays.", "supported", ["screen"])], warnings=("a\x1bb",)
    )
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", terminal.render(answer, [document]))


@given(st.integers(24, 120), st.text(alphabet="ab 水渡轮éß。-\u0301", min_size=1, max_size=300).filter(str.strip))
def test_no_line_is_wider_than_the_terminal_wide_characters_counted_twice(width, words):
    document = make_document(f"x{words}")
    answer = make_answer(document, [(f"x{words}".strip(), "supported", ["x"])], question=words)
    lines = terminal.render(answer, [document], width=width).splitlines()
    assert max(wcswidth(line) for line in lines) <= width


def test_a_word_without_end_is_wrapped_in_bounded_pieces(monkeypatch):
    """What wraps looks at the rest of a word for each of its lines."""
    word = "<main>" * 3000
    document = Document.from_text(f"Sales rose {word} in spring.", source="a.txt")
    answer = make_answer(document, [("Sales rose.", "supported", ["Sales rose"])])
    longest, wrap = [], wcwidth.wrap

    def wrapped(text, *arguments):
        longest.append(max(map(len, text.split()), default=0))
        return wrap(text, *arguments)

    monkeypatch.setattr(wcwidth, "wrap", wrapped)
    rendered = terminal.render(answer, [document])
    assert max(longest) == 1000
    assert re.sub(r"\s", "", answer.citations[0].quote) in re.sub(r"\s", "", rendered)
    assert max(map(len, rendered.split("\n"))) <= 80


def test_an_abstention_is_a_sentence_with_its_reason_score_and_nearest_passages():
    document = make_document()
    answer = replace(
        make_answer(document, PARTS[:1]), text="", statements=(), abstention=Abstention("no_evidence", 0.213, 0.5)
    )
    text = terminal.render(answer, [document])
    assert "The best passage is 21% likely to answer; 50% is asked for." in " ".join(text.split())
    assert "The nearest passages\n  [1]" in text


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("low_confidence", "The best passage is just under 30% likely to answer; 30% is asked for."),
        ("unsupported", "The weakest statement is just under 30% likely to hold; 30% is asked for."),
    ],
)
def test_a_score_that_rounds_to_the_threshold_is_said_to_be_under_it(reason, sentence):
    document = make_document()
    withheld = Abstention(reason, 0.298, 0.3)
    answer = replace(make_answer(document, PARTS[:1]), text="", statements=(), abstention=withheld)
    assert sentence in " ".join(terminal.render(answer, [document]).split())


def test_an_answer_withheld_for_a_statement_tells_how_likely_that_holds():
    document = make_document()
    withheld = Abstention("unsupported", 0.31, 0.5)
    answer = replace(make_answer(document, PARTS[:1]), text="", statements=(), abstention=withheld)
    text = " ".join(terminal.render(answer, [document]).split())
    assert "The weakest statement is 31% likely to hold; 50% is asked for." in text


def test_the_place_names_document_page_and_headings():
    first, second = make_document(), make_document("Other words.", title="Second")
    answer = replace(make_answer(first, PARTS[:1]), documents=(first.info, second.info))
    assert "[1] Report · score 0.90" in terminal.render(answer, [first, second])


def test_headings_stand_in_the_place_and_the_title_is_not_said_twice():
    text = "Report\n\nRevenue\n\nRevenue rose."
    blocks = (Block(0, 6, "heading", 1), Block(8, 15, "heading", 2), Block(17, 30))
    document = Document(text, title="Report", blocks=blocks, pages=(Page(1, 0, 20, 9, 9), Page(2, 20, 30, 9, 9)))
    answer = make_answer(document, [("It rose.", "supported", ["Revenue rose"])])
    assert "[1] pages 1–2 · Revenue · score 0.90" in terminal.render(answer, [document])


def test_verdicts_are_shown_claim_by_claim():
    document = make_document()
    verdicts = [
        Verdict("The fleet has five ships.", "supported", 0.97, (cite(document, "five ships", 0, 25),)),
        Verdict("It has six.", "not_supported", 0.1, (), (Span(7, 10),)),
    ]
    text = terminal.render(verdicts, [document])
    assert text.startswith("✓ supported 0.97\n  The fleet has five ships.\n  [1] score 0.90\n")
    assert text.endswith("✗ not supported 0.10\n  It has six.\n  no evidence found in the document")


def test_warnings_end_the_text():
    document = make_document()
    answer = make_answer(document, PARTS[:1], warnings=("page 3 has no text",))
    assert terminal.render(answer, [document]).endswith("\n! page 3 has no text")


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Fleet and crews", True),
        ("Marketing", True),
        ("Decisions", True),
        ("Signatures", False),
        ("NOTE 4 — QUARTERLY DATA (UNAUDITED)", True),
        ("Comparison of years ended December 31, 2015 and 2014", True),
        ("艦隊と乗組員", True),
        ("($ in millions, except per share data)", False),
        ("For the Year Ended December 31, 2019", False),
        ("Fiscal 2022", False),
        ("x = a + b", False),
        ("which were stricter", False),
    ],
)
def test_a_heading_is_shown_as_place_where_it_likely_names_a_section(heading, expected):
    text = f"{heading}\n\nThe crossing pays well."
    blocks = (Block(0, len(heading), "heading", 1), Block(len(heading) + 2, len(text)))
    document = Document(text, title="Report", blocks=blocks)
    answer = make_answer(document, [("It pays.", "supported", ["The crossing pays well."])])
    assert (heading in build_view(answer, [document]).place(answer.citations[0])) is expected


def test_the_heading_of_a_page_before_is_no_place_of_a_table_that_begins_its_page():
    text = "Talks with the union\n\nThey go on.\n\nFares | 5 | 4\n\nThe crossing pays well."
    at = [text.index(part) for part in ("Talks", "They", "Fares", "The crossing")] + [len(text) + 2]
    kinds = ("heading", "paragraph", "table_row", "paragraph")
    blocks = tuple(
        Block(start, end - 2, kind, kind == "heading") for start, end, kind in zip(at, at[1:], kinds, strict=False)
    )
    slots = tuple(
        Slot(0, column, at[2] + start, at[2] + end) for column, start, end in ((0, 0, 5), (1, 8, 9), (2, 12, 13))
    )
    pages = (Page(1, 0, at[2], 600.0, 800.0), Page(2, at[2], len(text), 600.0, 800.0))
    document = Document(text, blocks=blocks, pages=pages, grids=(Grid(at[2], at[3] - 2, 1, 3, slots),))
    answer = make_answer(
        document, [("Five.", "supported", ["Fares | 5 | 4"]), ("Yes.", "supported", ["The crossing pays well."])]
    )
    view = build_view(answer, [document])
    assert [view.place(document.placed(citation)) for citation in answer.citations] == [
        "page 2",
        "page 2 · Talks with the union",
    ]


def test_a_title_with_a_mark_is_not_told_again_in_the_place():
    text = "Ferries of the north∗\n\nFleet\n\nThe crossing pays well."
    blocks = (Block(0, 21, "heading", 1), Block(23, 28, "heading", 2), Block(30, len(text)))
    document = Document(text, title="Ferries of the North", blocks=blocks)
    answer = make_answer(document, [("It pays.", "supported", ["The crossing pays well."])])
    assert build_view(answer, [document]).place(answer.citations[0]) == "Fleet"


def test_a_heading_between_the_rows_of_a_table_is_no_place():
    text = "Balance sheet\n\nItem | 2024\n\nCurrent assets\n\nCash | 5"
    starts = [0, 15, 28, 44]
    kinds = [("heading", 1), ("table_row", 0), ("heading", 2), ("table_row", 0)]
    ends = [13, 26, 42, len(text)]
    blocks = tuple(Block(start, end, *kind) for start, end, kind in zip(starts, ends, kinds, strict=True))
    slots = (Slot(0, 0, 15, 19), Slot(0, 1, 22, 26), Slot(1, 0, 28, 42), Slot(2, 0, 44, 48), Slot(2, 1, 51, 52))
    document = Document(text, title="Report", blocks=blocks, grids=(Grid(15, len(text), 3, 2, slots),))
    answer = make_answer(document, [("Cash is five.", "supported", ["Cash | 5"])])
    assert build_view(answer, [document]).path(answer.citations[0]) == ("Balance sheet",)
