"""Markdown is read as it is rendered."""

from __future__ import annotations

import pytest

from citewell.readers import read


def blocks(source: str) -> list[tuple[str, int, str]]:
    document = read(source.encode(), name="a.md")
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Some *text* with **marks** and `code *x*`.", "Some text with marks and code *x*."),
        ("A [link](http://a.b 'title') and ![a picture](p.png).", "A link and a picture."),
        ("A [reference][r].\n\n[r]: http://a.b", "A reference."),
        ("<https://a.b/c>", "https://a.b/c"),
        ("Tom &amp; Jerry &lt;b&gt; \\*plain\\* `&amp;`", "Tom & Jerry <b> *plain* &amp;"),
        ("One\ntwo", "One two"),
        ("One  \ntwo", "One\ntwo"),
        ("A <b>bold</b> word<br>next", "A bold word\nnext"),
        ("~~old~~ new", "old new"),
        ("A <script>zzz</script>word", "A word"),
        ("A <!-- zzz -->word", "A word"),
        ("snake_case_name and 2*3*4", "snake_case_name and 234"),
    ],
)
def test_a_paragraph_is_read_as_it_is_shown(source, expected):
    assert read(source.encode(), name="a.md").text == expected


def test_headings_of_both_kinds_keep_their_level():
    assert blocks("# One\n\nTwo\n---\n\n### Three ###\n\ntext") == [
        ("heading", 1, "One"),
        ("heading", 2, "Two"),
        ("heading", 3, "Three"),
        ("paragraph", 0, "text"),
    ]


def test_lists_keep_their_depth():
    assert blocks("1. One\n   - Deep\n     more\n\n     A paragraph\n2. Two\n- [x] done") == [
        ("list_item", 1, "One"),
        ("list_item", 2, "Deep more"),
        ("list_item", 2, "A paragraph"),
        ("list_item", 1, "Two"),
        ("list_item", 1, "done"),
    ]


def test_tables_code_and_quotes_are_blocks():
    assert blocks("| a | b |\n|---|--:|\n| 1 | **2** |\n\n```py\nx = 1\n\ny\n```\n\n> Quoted *text*\n> goes on") == [
        ("table_row", 0, "a | b"),
        ("table_row", 0, "1 | 2"),
        ("code", 0, "x = 1\n\ny"),
        ("paragraph", 0, "Quoted text goes on"),
    ]


def test_front_matter_gives_the_title_and_what_it_says_of_the_text_can_be_cited():
    source = (
        "---\nlayout: post\ntitle: 'The title'\nauthors:\n  - name: Ann Oxley\n    orcid: 0000-1\n  - name: Ben Hart\n"
        "tags: [a, b]\ndate: 2025-07-01 08:00:00 +0000\nexcerpt: >\n  Two lines\n  of it\nstatus:\nnext_review: 2026-07-01\n"
        "affiliations:\n  - name: Quay School\n---\n# Heading\n\nText."
    )
    document = read(source.encode(), name="a.md")
    assert document.title == "The title"
    assert document.text.split("\n\n") == [
        "Authors: Ann Oxley, Ben Hart",
        "Date: 2025-07-01",
        "Excerpt: Two lines of it",
        "Next review: 2026-07-01",
        "Heading",
        "Text.",
    ]


@pytest.mark.parametrize(
    ("front", "lines"),
    [
        ('+++\ntitle = "T"\nauthors = ["Ann Oxley", \'Ben Hart\']\n+++\n', ["Authors: Ann Oxley, Ben Hart"]),
        ("```yaml\n---\ntitle: T\nowner: Ann Oxley, Clerk\n---\n```\n", ["Owner: Ann Oxley, Clerk"]),
        ("---\ntitle: T\nauthor: # nobody\nversion: 1.2 # the second\n---\n", ["Version: 1.2"]),
        ("---\ntitle: T\neditors:\n- Ann Oxley\n- Ben Hart\n---\n", ["Editors: Ann Oxley, Ben Hart"]),
        ("---\ntitle: T\nimage: a.png\n---\n", []),
    ],
)
def test_front_matter_of_other_forms_is_read(front, lines):
    document = read(f"{front}\nText.".encode(), name="a.md")
    assert document.title == "T"
    assert document.text.split("\n\n") == [*lines, "Text."]


def test_the_name_of_an_anchor_is_no_part_of_a_heading():
    assert blocks("## Timing {#timing-matrix}\n\n## A set {a, b}") == [
        ("heading", 2, "Timing"),
        ("heading", 2, "A set {a, b}"),
    ]


def test_what_stands_for_a_picture_is_its_caption():
    assert blocks("![The quay at night.](quay.png)\n\nSee ![it](a.png).") == [
        ("caption", 0, "The quay at night."),
        ("paragraph", 0, "See it."),
    ]


def test_a_rule_at_the_beginning_is_not_front_matter_without_an_end():
    assert read(b"---\n\nText.", name="a.md").text == "Text."


def test_footnotes_are_read_after_the_text_with_their_mark():
    assert read(b"Revenue rose.[^a]\n\n[^a]: Before tax.", name="a.md").text.startswith("Revenue rose.[1]\n\n")
    assert "Before tax." in read(b"Revenue rose.[^a]\n\n[^a]: Before tax.", name="a.md").text


def test_raw_html_is_read_as_html_and_scripts_are_not():
    source = "<div><p>Raw <b>text</b></p><script>zzz</script></div>\n\n<style>\nzzz\n\nzzz\n</style>\n\nAfter"
    assert read(source.encode(), name="a.md").text == "Raw text\n\nAfter"


def test_script_tags_inside_code_are_text():
    assert read(b"```\n<script>x</script>\n```\n\nand `<script>` too\n\nAfter", name="a.md").text == (
        "<script>x</script>\n\nand <script> too\n\nAfter"
    )
