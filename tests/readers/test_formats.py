"""What holds for every format: offsets, order, completeness, and damage that ends in a typed error."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from citewell.document import Document
from citewell.errors import DocumentError
from citewell.readers import read

STORY = [
    formats.heading("Annual report"),
    formats.paragraph("Revenue rose to $5.9bn in 2022 & costs fell < 3%."),
    formats.heading("Outlook", 2),
    formats.bullets("Growth of 4%", "Two new sites"),
    formats.table(["Item", "2021", "2022"], ["Revenue", "5.1", "5.9"]),
    formats.code("total = 1"),
]


def visible(document: Document) -> list[str]:
    return [word for word in document.text.split() if word != "|"]


def assert_sound(document: Document) -> None:
    """Blocks are in order, apart, trimmed, and hold everything but white space."""
    position = 0
    for block in document.blocks:
        assert position <= block.start < block.end <= len(document.text)
        assert not document.text[position : block.start].strip()
        inside = document.text[block.start : block.end]
        assert inside.strip()
        position = block.end
    assert not document.text[position:].strip()
    for granularity in ("section", "paragraph", "sentence"):
        for segment in document.segments(granularity):
            assert document.text[segment.start : segment.end] == segment.text


def assert_sound_or_refused(data: bytes, name: str | None) -> None:
    try:
        document = read(data, name=name)
    except DocumentError as refusal:
        message = str(refusal)
    else:
        assert_sound(document)
        message = "read"
    assert message
    assert "\n" not in message


@pytest.mark.parametrize("name", formats.WRITERS)
def test_every_format_keeps_the_words_in_order(name):
    document = read(formats.WRITERS[name](STORY), name=name)
    assert visible(document) == formats.words(STORY)
    assert document.source == name
    assert document.warnings == ()
    assert_sound(document)


FLAT = {"text.txt", "figures.xlsx", "talk.pptx"}  # which have no headings below headings


@pytest.mark.parametrize("name", [name for name in formats.WRITERS if name not in FLAT])
def test_every_format_with_structure_keeps_kinds_and_levels(name):
    document = read(formats.WRITERS[name](STORY), name=name)
    kinds = [block.kind for block in document.blocks]
    expected = ["heading", "paragraph", "heading", "list_item", "list_item", "table_row", "table_row", "code"]
    assert kinds == ([*expected[:-1], "paragraph"] if name in {"report.docx", "report.odt"} else expected)
    first, second = (block.level for block in document.blocks if block.kind == "heading")
    assert second == first + 1
    assert "Revenue | 5.1 | 5.9" in document.text


@pytest.mark.parametrize("name", formats.WRITERS)
def test_the_content_tells_the_format_without_a_name(name):
    built = formats.WRITERS[name](STORY)
    assert read(built).text == read(built, name=name).text


@pytest.mark.parametrize("name", [name for name in formats.WRITERS if name != "text.txt"])
def test_the_title_comes_from_the_metadata_else_from_the_first_heading(name):
    write = formats.WRITERS[name]
    assert read(write(STORY, "A title"), name=name).title == "A title"
    assert read(write(STORY), name=name).title == "Annual report"


@pytest.mark.rare
@pytest.mark.parametrize("name", formats.WRITERS)
@given(story=formats.stories())
def test_generated_documents_keep_every_word_in_order(name, story):
    document = read(formats.WRITERS[name](story), name=name)
    assert visible(document) == formats.words(story)
    assert_sound(document)


def damaged(data: bytes, seed: int) -> bytes:
    dice = random.Random(seed)
    changed = bytearray(data)
    for _ in range(dice.choice([1, 3, 20])):
        at = dice.randrange(len(changed) or 1)
        match dice.randrange(5):
            case 0:
                changed[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                del changed[at : at + dice.randrange(1, 40)]
            case 2:
                changed[at:at] = changed[at : at + dice.randrange(200)]
            case 3:
                changed[at:at] = dice.choice(
                    [b"<", b">", b"</p>", b"<table>", b"\0", b"&#0;", b"\xff\xfe", b"]]>", b"```"]
                )
            case _:
                del changed[at:]
        if not changed:
            break
    return bytes(changed)


@pytest.mark.parametrize("name", [*formats.WRITERS, "message.eml"])
@given(seed=st.integers(0, 2**32))
def test_damaged_files_are_read_or_refused_with_a_typed_error(name, seed):
    write = formats.WRITERS.get(name, formats.eml)
    assert_sound_or_refused(damaged(write(STORY, "A title"), seed), name)


@given(
    data=st.binary(max_size=300),
    name=st.sampled_from([None, "a.md", "a.html", "a.docx", "a.xml", "a.csv", "a.txt", "a.eml", "a.xlsx"]),
)
def test_any_bytes_are_read_or_refused_with_a_typed_error(data, name):
    assert_sound_or_refused(data, name)


@given(text=st.text(min_size=1), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_text_files_keep_their_text(text, encoding):
    text = "Words and more words. " + text.translate(dict.fromkeys([0xD, 0, 0xFEFF])).replace("\ufffd", "")
    text = "".join(char for char in text if not 0xD800 <= ord(char) < 0xE000 and (char.isprintable() or char == "\n"))
    assert read(text.encode(encoding), name="a.txt").text == text
