"""Sentences, statements, blocks and segments: where they end, and that their offsets hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import segment
from citewell.types import Block

PIECES = st.lists(
    st.sampled_from(
        [
            "Dr.",
            "Inc.",
            "U.S.",
            "e.g.",
            "word",
            "The",
            "3",
            "3.5",
            ".",
            "!",
            "?",
            "。",
            "」",
            "”",
            '"',
            "…",
            "[3]",
            "(a)",
            "1.",
            "•",
            "-",
        ]
        + [
            "\n",
            "\n\n",
            " ",
            "  ",
            "\u00a0",
            "|",
            "# ",
            "**",
            "é",
            "ﬁ",
            "😀",
            "中文",
            "؟",
            "iPhone",
            "\u2028",
            "\r\n",
            "x" * 400,
        ]
    ),
    max_size=60,
)
TEXTS = st.one_of(st.text(max_size=200), PIECES.map("".join), PIECES.map(" ".join))


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in segment.sentences(text)]


@given(TEXTS)
def test_sentences_hold_every_character_that_is_not_white_space_once(text):
    position = 0
    for start, end in segment.sentences(text):
        assert start >= position
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        position = end
    assert not text[position:].strip()


@given(TEXTS, st.data())
def test_sentences_of_a_range_do_not_depend_on_the_text_around_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    alone = [(left + start, right + start) for left, right in segment.sentences(text[start:end])]
    assert segment.sentences(text, start, end) == alone


@given(TEXTS)
def test_blocks_hold_every_character_that_is_not_white_space_once(text):
    position = 0
    for block in segment.blocks(text):
        assert block.start >= position
        assert not text[position : block.start].strip()
        assert text[block.start : block.end].strip()
        position = block.end
    assert not text[position:].strip()


KINDS = st.sampled_from(["heading", "paragraph", "list_item", "table_row", "caption", "code"])


@pytest.mark.parametrize("granularity", ["section", "paragraph", "sentence"])
@given(text=TEXTS, data=st.data())
def test_segments_hold_every_character_once_with_unique_ids(granularity, text, data):
    layout = [
        Block(start, end, data.draw(KINDS), data.draw(st.integers(1, 3))) for start, end, _, _ in segment.blocks(text)
    ]
    found = segment.segments(text, layout, granularity)
    position = 0
    for item in found:
        assert item.start >= position
        assert not text[position : item.start].strip()
        assert item.text == text[item.start : item.end]
        position = item.end
    assert not text[position:].strip()
    assert len({item.id for item in found}) == len(found)
    assert found == segment.segments(text, layout, granularity)


@given(TEXTS)
def test_statements_are_in_order_without_overlap_and_never_blank(text):
    position = 0
    for start, end in segment.statements(text):
        assert start >= position
        assert text[start:end].strip()
        position = end
