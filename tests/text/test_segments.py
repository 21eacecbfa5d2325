"""Sentences, statements, blocks and segments: where they end, and that their offsets hold."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text import segments, sentences
from citewell.types import Block
from sentence_cases import ENGLISH, OTHER

WORDS = [
    "Dr.",
    "Inc.",
    "U.S.",
    "e.g.",
    "p.m.",
    "No.",
    "word",
    "The",
    "3",
    "3.5",
    "1.",
    "2.",
    "(a)",
    "[3]",
    ".12",
    "iPhone",
]
MARKS = [
    ".",
    "!",
    "?",
    "...",
    "…",
    "。",
    "」",
    "”",
    '"',
    "»",
    "-",
    "–",
    "•",
    "|",
    "# ",
    "**",
    ">",
    "```",
    "²",
    "٣",
    "؟",
    "।",
]
SPACES = ["\n", "\n\n", " ", "  ", "\u00a0", "\u2028", "\r\n", "\t"]
OTHERS = ["é", "ﬁ", "😀", "中文", "\udc80", "\x1c", "x" * 400, "word " * 200]
PIECES = st.lists(st.sampled_from([*WORDS, *MARKS, *SPACES, *OTHERS]), max_size=60)
TEXTS = st.one_of(st.text(max_size=200), PIECES.map("".join), PIECES.map(" ".join))


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in segments.sentences(text)]


def state(text: str) -> list[str]:
    return [text[start:end] for start, end in segments.statements(text)]


def holds_all(text: str, spans: list[tuple[int, int]]) -> bool:
    """Whether the spans are in order, trimmed, do not overlap and leave out nothing but white space."""
    position = 0
    for start, end in spans:
        piece = text[start:end]
        if start < position or not piece or piece != piece.strip() or text[position:start].strip():
            return False
        position = end
    return not text[position:].strip()


@pytest.mark.parametrize("marked", [*ENGLISH.values(), *OTHER.values()], ids=[*ENGLISH, *OTHER])
def test_a_sentence_ends_where_a_reader_would_end_it(marked):
    assert split(marked.replace("|", "")) == [piece.strip() for piece in marked.split("|")]


def test_a_line_break_inside_a_sentence_is_a_space():
    assert split("This line is\nwrapped. So\nis this.") == ["This line is\nwrapped.", "So\nis this."]


def test_a_list_marker_after_a_line_break_begins_a_sentence():
    text = "We need\n- bread\n- milk and\n  butter\n* eggs\n1. salt\n2. oil\n(a) rice\n3.1.2 The rest\n•flour"
    lines = [
        "We need",
        "- bread",
        "- milk and\n  butter",
        "* eggs",
        "1. salt",
        "2. oil",
        "(a) rice",
        "3.1.2 The rest",
        "•flour",
    ]
    assert split(text) == lines


def test_a_number_at_the_start_of_a_wrapped_line_does_not_begin_a_list():
    assert split("It happened on page\n12. Then it ended.") == ["It happened on page\n12.", "Then it ended."]


def test_an_initial_at_the_start_of_a_wrapped_line_does_not_begin_a_list():
    assert split("A book by Ann,\nJ. Smith and Bob.") == ["A book by Ann,\nJ. Smith and Bob."]


def test_an_empty_line_ends_a_sentence():
    assert split("A title\n\nand its text") == ["A title", "and its text"]


def test_lines_of_a_table_of_contents_stand_alone():
    assert split("Aims ....... 3\nMeans ....... 14\nEnds") == ["Aims ....... 3", "Means ....... 14", "Ends"]


def test_a_numbered_list_in_one_line_is_parted_before_its_numbers():
    assert split("1. Mix the dough 2. Bake the bread 3. Eat it") == [
        "1. Mix the dough",
        "2. Bake the bread",
        "3. Eat it",
    ]


def test_white_space_alone_has_no_sentences():
    assert segments.sentences(" \n\t\u00a0 ") == []
    assert segments.sentences("") == []


@pytest.mark.parametrize(
    ("separator", "ends"), [("\n", "word"), ("; ", "word;"), (", ", "word,"), (" ", "word"), ("", "wordword")]
)
def test_a_sentence_that_never_stops_is_cut_at_the_safest_place(separator, ends):
    text = separator.join(["word word"] * 500) if separator else "word" * 2000
    parts = split(text)
    assert len(parts) > 2
    assert all(len(piece) <= sentences.LIMIT for piece in parts)
    assert all(piece.endswith(ends) for piece in parts[:-1])
    assert holds_all(text, segments.sentences(text))


@given(TEXTS)
def test_sentences_hold_every_character_that_is_not_white_space_once(text):
    assert holds_all(text, segments.sentences(text))


@given(TEXTS)
def test_no_sentence_is_longer_than_the_limit(text):
    assert all(end - start <= sentences.LIMIT for start, end in segments.sentences(text * 20))


@given(TEXTS, st.data())
def test_sentences_of_a_range_do_not_depend_on_the_text_around_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    alone = [(left + start, right + start) for left, right in segments.sentences(text[start:end])]
    assert segments.sentences(text, start, end) == alone


UNITS = [
    ".",
    ". ",
    "\n",
    "\n ",
    " \n",
    "a. ",
    "A. b ",
    "1. ",
    "? (",
    ".(",
    "[1]",
    ". [1",
    "“.",
    "…",
    "-",
    "- ",
    ". -",
    "x",
    " ",
    "。",
]
UNITS += [
    ".1,1",
    "a\n1. ",
    "|",
    "*",
    ">",
    "`",
    "word ",
    "word. The ",
    "www.",
    "(a) ",
    "\n•",
    "é. É",
    "1.1.",
    "....1\n",
    "-\n",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_in_step_with_the_text(unit):
    text = unit * (50_000 // len(unit))
    began = time.process_time()
    segments.sentences(text)
    segments.sentences("Word " + text + " end")
    layout = segments.blocks(text)
    segments.segments(text, layout, "sentence")
    segments.statements(text)
    assert time.process_time() - began < 20  # a second or less; quadratic steps would take minutes


@given(TEXTS)
def test_blocks_hold_every_character_that_is_not_white_space_once(text):
    assert holds_all(text, [(block.start, block.end) for block in segments.blocks(text)])


def block_texts(text: str) -> list[tuple[str, str]]:
    return [(text[block.start : block.end], block.kind) for block in segments.blocks(text)]


def test_blank_lines_part_paragraphs():
    assert block_texts("\n One\nstill one. \n \t\n\nTwo\n") == [("One\nstill one.", "paragraph"), ("Two", "paragraph")]


def test_list_items_are_blocks_of_their_own():
    text = "Bring:\n- bread\n  and butter\n- milk\n\n1. Go\n2. Come"
    assert block_texts(text) == [
        ("Bring:", "paragraph"),
        ("- bread\n  and butter", "list_item"),
        ("- milk", "list_item"),
        ("1. Go", "list_item"),
        ("2. Come", "list_item"),
    ]


def test_lines_are_paragraphs_where_the_text_is_not_wrapped():
    long = "This paragraph is one line. " * 10
    assert block_texts(f"Heading\n{long}\nnext") == [
        ("Heading", "paragraph"),
        (long.strip(), "paragraph"),
        ("next", "paragraph"),
    ]


def test_a_short_line_before_a_wrapped_paragraph_is_a_block_of_its_own():
    text = "Summary of results\nThe company sold more bread in the second quarter\nthan in the first one of the year."
    assert [piece for piece, _ in block_texts(text)] == [text[:18], text[19:]]


KINDS = st.sampled_from(["heading", "paragraph", "list_item", "table_row", "caption", "code"])


@pytest.mark.parametrize("granularity", ["section", "paragraph", "sentence"])
@given(text=TEXTS, data=st.data())
def test_segments_hold_every_character_once_with_unique_stable_ids(granularity, text, data):
    layout = [
        Block(start, end, data.draw(KINDS), data.draw(st.integers(1, 3))) for start, end, _, _ in segments.blocks(text)
    ]
    result = segments.segments(text, layout, granularity)
    assert holds_all(text, [(item.start, item.end) for item in result])
    assert all(item.text == text[item.start : item.end] for item in result)
    assert all(item.granularity == granularity for item in result)
    assert len({item.id for item in result}) == len(result)
    assert result == segments.segments(text, layout, granularity)


TEXT = "Before. All.\n\nOne\n\nA first. A second.\n\nOne A\n\na.b = 1\nc = 2\n\nTwo\n\nx. Y | 3. Z"
LAYOUT = tuple(
    block._replace(kind=kind, level=level)
    for block, (kind, level) in zip(
        segments.blocks(TEXT),
        [
            ("paragraph", 0),
            ("heading", 1),
            ("paragraph", 0),
            ("heading", 2),
            ("code", 0),
            ("heading", 1),
            ("table_row", 0),
        ],
        strict=True,
    )
)


def test_sections_run_to_the_next_heading_of_any_level():
    assert [(item.id, item.text.split("\n")[0], item.path) for item in segments.segments(TEXT, LAYOUT, "section")] == [
        ("s0", "Before. All.", ()),
        ("s1", "One", ("One",)),
        ("s2", "One A", ("One", "One A")),
        ("s3", "Two", ("Two",)),
    ]


def test_headings_and_table_rows_are_one_sentence_and_code_has_one_a_line():
    assert [(item.id, item.text) for item in segments.segments(TEXT, LAYOUT, "sentence")] == [
        ("p0.0", "Before."),
        ("p0.1", "All."),
        ("p1.0", "One"),
        ("p2.0", "A first."),
        ("p2.1", "A second."),
        ("p3.0", "One A"),
        ("p4.0", "a.b = 1"),
        ("p4.1", "c = 2"),
        ("p5.0", "Two"),
        ("p6.0", "x. Y | 3. Z"),
    ]


def test_segments_carry_the_path_of_headings_and_the_kind_of_their_block():
    item_by_key = {item.id: item for item in segments.segments(TEXT, LAYOUT, "paragraph")}
    assert item_by_key["p0"].path == ()
    assert item_by_key["p1"].path == ("One",)
    assert item_by_key["p4"].path == ("One", "One A")
    assert item_by_key["p6"].path == ("Two",)
    assert [item.kind for item in item_by_key.values()] == [block.kind for block in LAYOUT]


def test_an_empty_layout_has_no_segments():
    assert [segments.segments("", (), name) for name in ("section", "paragraph", "sentence")] == [(), (), ()]


@given(TEXTS)
def test_statements_are_in_order_without_overlap_and_say_something(text):
    position = 0
    for start, end in segments.statements(text):
        assert start >= position
        assert any(char.isalnum() for char in text[start:end])
        position = end


@given(
    st.lists(st.sampled_from(["Revenue rose 5%.", "It fell. [2]", "Why?", "Nobody knows..."]), min_size=1, max_size=6)
)
def test_statements_of_plain_prose_are_its_sentences(parts):
    assert state(" ".join(parts)) == parts


def test_statements_leave_out_the_marks_of_markdown():
    text = (
        "## Summary\nRevenue **rose** 5%. [1] It fell.[2]\n\n---\n"
        "* **A bold item.**\n- [x] done [2]\n  1. numbered. More\n\n> quoted\n\n"
        "| a | b |\n|---|---|\n| 1 | 2. x |\n\n```python\n"
    )
    assert state(text) == [
        "Summary",
        "Revenue **rose** 5%. [1]",
        "It fell.[2]",
        "A bold item.",
        "done [2]",
        "numbered.",
        "More",
        "quoted",
        "| a | b |",
        "| 1 | 2. x |",
    ]


def test_emphasis_at_the_start_of_a_wrapped_line_does_not_begin_a_statement():
    assert state("Sales of\n**bread** rose\n*much*.") == ["Sales of\n**bread** rose\n*much*."]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The ships were fast. 121,122 To explain this, we asked.", "The ships were fast. 121,122"),
        ("The ships were fast. 12–14 However, they sank.", "The ships were fast. 12–14"),
        ("The ships were fast.† However, they sank.", "The ships were fast.†"),
        ("The ships were fast.¹²,¹³ To explain this, we asked.", "The ships were fast.¹²,¹³"),
        ("It ended in 2019. 121,122 patients were seen.", "It ended in 2019."),
        ("Sales fell. 12,500 People came.", "Sales fell."),
    ],
)
def test_reference_marks_stay_with_the_sentence_that_they_follow(text, first):
    start, end = segments.sentences(text)[0]
    assert text[start:end] == first
