"""HTML: what is shown is read, what is not is not."""

from __future__ import annotations

import pytest
from hypothesis import given

import formats
from citewell.readers import read


def page(body: str, head: str = "") -> bytes:
    return f'<!doctype html><html><head><meta charset="utf-8">{head}</head><body>{body}</body></html>'.encode()


def blocks(data: bytes) -> list[tuple[str, int, str]]:
    document = read(data)
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


NOT_SHOWN = [
    "<script>zzz</script>",
    "<style>p { content: 'zzz' }</style>",
    "<template><p>zzz</p></template>",
    "<noscript>zzz</noscript>",
    "<p hidden>zzz</p>",
    '<p style="color: red; display:none">zzz</p>',
    '<div style="visibility: hidden"><p>zzz</p></div>',
    '<span aria-hidden="true">zzz</span>',
    "<!-- zzz -->",
    "<svg><text>zzz</text></svg>",
    "<select><option>zzz</option></select>",
    "<iframe>zzz</iframe>",
    "<button>zzz</button>",
    "<nav><a>zzz</a></nav>",
    "<header>zzz</header>",
    "<footer>zzz</footer>",
    "<aside>zzz</aside>",
    '<div role="navigation">zzz</div>',
    "<ruby>x<rt>zzz</rt></ruby>",
]


@pytest.mark.parametrize("hidden", NOT_SHOWN)
def test_what_is_not_shown_or_not_the_text_is_left_out_and_what_follows_it_kept(hidden):
    text = read(page(f"<p>Revenue {hidden} rose to five billion dollars.</p> and so on")).text
    assert "zzz" not in text
    assert "five billion" in text
    assert "and so on" in text


@given(story=formats.stories())
def test_nothing_of_scripts_and_styles_gets_into_any_document(story):
    noise = "<script>var zzz = '</p>';</script><style>.zzz {}</style><template>zzz</template>"
    built = formats.html(story, before=noise, after=noise, head=noise)
    document = read(built)
    assert [word for word in document.text.split() if word != "|"] == formats.words(story)


def test_the_main_element_is_the_text_and_the_rest_is_counted_in_a_warning():
    document = read(page("<div>Cookies? Accept</div><main><h1>Title</h1><p>The text of the article.</p></main>"))
    assert document.text == "Title\n\nThe text of the article."
    assert document.warnings == ("2 words of navigation, page headers and footers were left out",)


def test_a_single_article_element_is_the_text_and_several_are_not():
    article = "<article><p>The text of the article is here.</p></article>"
    assert read(page(f"<div>Share this</div>{article}")).text == "The text of the article is here."
    assert "Share this" in read(page(f"<div>Share this</div>{article}{article}")).text


def test_an_empty_main_element_does_not_hide_the_article():
    assert "whole story" in read(page("<main><p>Ad</p></main><div><p>Here is the whole story.</p></div>")).text


def test_an_article_inside_what_looks_like_boilerplate_is_kept():
    document = read(page(f"<aside><p>{'The whole article. ' * 20}</p></aside><p>Imprint</p>"))
    assert "The whole article." in document.text
    assert document.warnings == ()


def test_the_header_and_the_notes_of_an_article_belong_to_it():
    text = read(page("<article><header><h1>Title</h1></header><p>Text.</p><aside>Note.</aside></article>")).text
    assert text == "Title\n\nText.\n\nNote."


def test_inline_elements_do_not_tear_words_and_blocks_do():
    assert blocks(page("<p>un<b>believ</b>able <i>so</i></p><div>a<div>b</div>c</div>")) == [
        ("paragraph", 0, "unbelievable so"),
        ("paragraph", 0, "a"),
        ("paragraph", 0, "b"),
        ("paragraph", 0, "c"),
    ]


def test_line_breaks_stay_and_two_of_them_part_paragraphs():
    assert blocks(page("<p>One<br>two<br><br>\nthree</p>")) == [
        ("paragraph", 0, "One\ntwo"),
        ("paragraph", 0, "three"),
    ]


def test_entities_and_special_blanks_become_characters():
    assert read(page("<p>5&nbsp;%&#8239;of &lt;all&gt; &amp; co&shy;operate &eacute;&#x1F600;</p>")).text == (
        "5 % of <all> & cooperate é😀"
    )


def test_lists_keep_their_depth():
    result = blocks(
        page("<ol><li>One<ul><li>Deep</li></ul>after</li><li><p>Two</p><p>more</p></li></ol><dl><dt>T<dd>D</dl>")
    )
    assert result == [
        ("list_item", 1, "One"),
        ("list_item", 2, "Deep"),
        ("list_item", 1, "after"),
        ("list_item", 1, "Two"),
        ("list_item", 1, "more"),
        ("list_item", 1, "T"),
        ("list_item", 1, "D"),
    ]


def test_tables_are_rows_with_cells_in_their_columns():
    table = """<table><caption>Table 1</caption><thead><tr><th rowspan=2>Item<th colspan=2>Year</tr>
      <tr><th>2021<th>2022</tr></thead><tr><td>Revenue<td>5.1<td>5.9<td></tr><tr><td>Costs<td><td>2<br>3</tr></table>"""
    assert blocks(page(table)) == [
        ("caption", 0, "Table 1"),
        ("table_row", 0, "Item | Year"),
        ("table_row", 0, "| 2021 | 2022"),
        ("table_row", 0, "Revenue | 5.1 | 5.9"),
        ("table_row", 0, "Costs | | 2 3"),
    ]


def test_columns_without_any_text_are_left_out():
    row = "<tr><td>Revenue</td><td></td><td>$</td><td>5.9</td><td></td></tr>"
    assert blocks(page(f"<table>{row}{row}</table>"))[0] == ("table_row", 0, "Revenue | $ 5.9")


def test_tables_that_lay_out_a_page_are_read_as_text():
    result = blocks(
        page("<table><tr><td>Menu<td><h1>Title</h1><p>Text.</p><table><tr><td>a<td>b</tr></table></tr></table>")
    )
    assert result == [
        ("paragraph", 0, "Menu"),
        ("heading", 1, "Title"),
        ("paragraph", 0, "Text."),
        ("table_row", 0, "a | b"),
    ]


def test_code_keeps_its_lines_and_captions_are_marked():
    assert blocks(page("<pre>a = 1\n\n  b</pre><figure><img alt=x><figcaption>Figure 1</figcaption></figure>")) == [
        ("code", 0, "a = 1\n\n  b"),
        ("caption", 0, "Figure 1"),
    ]


def test_superscripts_do_not_melt_into_numbers_and_words():
    document = read(
        page('<p>10<sup>6</sup> of H<sub>2</sub>O, 2<sup>nd</sup>, as shown<sup><a href="#n">3</a></sup>.</p>')
    )
    assert document.text == "10^6 of H2O, 2nd, as shown[3]."


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>A &amp; B</title>", "A & B"),
        ('<title>x</title><meta name="citation_title" content="The paper">', "The paper"),
        ('<title>x</title><meta property="og:title" content="The article">', "The article"),
        ("", "Heading"),
    ],
)
def test_the_title_is_that_of_the_metadata_else_the_first_heading(head, title):
    assert read(page("<h2>Heading</h2><p>Text.</p>", head)).title == title


@pytest.mark.parametrize(
    "declared",
    ['<meta charset="windows-1251">', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'],
)
def test_the_charset_that_a_page_declares_is_used(declared):
    document = read(f"<html><head>{declared}</head><body><p>Выручка выросла.</p></body></html>".encode("cp1251"))
    assert document.text == "Выручка выросла."
    assert document.warnings == ()


def test_a_page_that_declares_a_wrong_charset_is_read_as_what_it_is():
    assert read('<meta charset="ascii"><p>Größe – Maß</p>'.encode(), name="a.html").text == "Größe – Maß"


def test_xhtml_with_an_xml_declaration_is_html():
    data = b'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">'
    data += b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>Text.</p></body></html>'
    assert read(data, name="a.xml").text == "Text."


def test_sections_follow_the_headings():
    document = read(page("<h1>A</h1><p>One.</p><h2>B</h2><p>Two.</p><h1>C</h1><p>Three.</p>"))
    assert [segment.path for segment in document.segments("paragraph") if segment.kind == "paragraph"] == [
        ("A",),
        ("A", "B"),
        ("C",),
    ]


def test_numbers_of_notes_that_are_raised_by_their_style_stand_in_brackets():
    raised = "font-size:5.85pt;position:relative;top:-3.15pt;vertical-align:baseline"
    document = read(
        page(
            f'<p>Net income<span style="{raised}">1</span> of 5 km<span style="{raised}">2</span>, 10<sup>6</sup>, '
            "revenues<sup>3</sup>, <span style='top:-2pt'>plain4</span>.</p>"
            f"<table><tr><th>Item</th><th>2024</th></tr><tr><td>Diluted earnings per share<span style='vertical-align:super'>1</span>"
            "</td><td>2.46</td></tr></table>"
        )
    )
    assert "Net income[1] of 5 km2, 10^6, revenues[3], plain4." in document.text
    assert "Diluted earnings per share[1] | 2.46" in document.text
