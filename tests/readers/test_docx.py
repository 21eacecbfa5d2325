"""DOCX: what Word shows is read, in Word's order, and what it would not print is not."""

from __future__ import annotations

from typing import Any

import pytest

import formats
from citewell.readers import read
from formats import run, word_paragraph, word_table


def blocks(extra: str, **settings) -> list[tuple[str, int, str]]:
    document = read(formats.docx([], extra=extra, **settings))
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


def text(extra: str, **settings) -> str:
    return read(formats.docx([], extra=extra, **settings)).text


def test_headings_are_told_by_the_name_of_their_style_in_any_language_and_by_inheritance():
    result = blocks(
        word_paragraph(run("One"), "Berschrift1")
        + word_paragraph(run("Two"), "Eigene")
        + '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>' + run("Three") + "</w:p>"
        + word_paragraph(run("Not one. " * 60), "Berschrift1")
        + word_paragraph(run("Figure 1"), "Beschriftung")
    )  # fmt: skip
    assert [item[:2] for item in result] == [
        ("heading", 1),
        ("heading", 2),
        ("heading", 3),
        ("paragraph", 0),
        ("caption", 0),
    ]


def test_a_title_stands_above_the_headings_and_names_the_document():
    document = read(
        formats.docx([], extra=word_paragraph(run("The report"), "Titel") + word_paragraph(run("One"), "Berschrift1"))
    )
    assert document.title == "The report"
    assert [block.level for block in document.blocks] == [1, 2]


def test_a_title_that_word_made_up_is_not_used():
    assert read(formats.docx([formats.heading("Real")], "Microsoft Word - x.doc")).title == "Real"


def test_list_items_keep_their_depth():
    def item(words: str, depth: int, number: int = 1) -> str:
        mark = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
        return f"<w:p><w:pPr>{mark}</w:pPr>{run(words)}</w:p>"

    assert blocks(item("One", 0) + item("Two", 1) + item("None", 0, 0)) == [
        ("list_item", 1, "One"),
        ("list_item", 2, "Two"),
        ("paragraph", 0, "None"),
    ]


def test_deleted_text_is_out_and_inserted_text_is_in_with_a_warning():
    changed = f"<w:ins>{run('rose')}</w:ins><w:del><w:r><w:delText>fell</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('gone')}</w:moveFrom><w:moveTo>{run(' sharply')}</w:moveTo>"
    document = read(formats.docx([], extra=word_paragraph(run("Revenue ") + changed + moved)))
    assert document.text == "Revenue rose sharply"
    assert any("2 insertions kept, 2 deletions" in warning for warning in document.warnings)


def test_hidden_text_and_field_codes_are_out_and_field_results_are_in():
    field = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGEREF x</w:instrText></w:r>' + run("12")
    result = text(
        word_paragraph(
            run("Seen") + run("hidden", "<w:vanish/>") + run(" shown", '<w:vanish w:val="0"/>') + field
            + f"<w:hyperlink>{run(' link')}</w:hyperlink><w:sdt><w:sdtContent>{run(' control')}</w:sdtContent></w:sdt>"
        )
    )  # fmt: skip
    assert result == "Seen shown12 link control"


WHITE = '<w:color w:val="FFFFFF"/>'
DARK = '<w:shd w:val="clear" w:fill="1F3864"/>'


@pytest.mark.parametrize("drawn", [WHITE, '<w:sz w:val="0"/>', '<w:sz w:val="2"/>'])
def test_white_text_and_text_without_size_are_out_and_told(drawn):
    document = read(formats.docx([], extra=word_paragraph(run("Seen") + run(" obey the evil", drawn) + run(" text"))))
    assert document.text == "Seen text"
    assert document.warnings == ("hidden text was left out: 3 words, after 'Seen'",)


@pytest.mark.parametrize(
    "body",
    [
        word_paragraph(run("Total", WHITE + DARK)),
        word_paragraph(run("Total", WHITE + '<w:highlight w:val="black"/>')),
        f"<w:p><w:pPr>{DARK}</w:pPr>{run('Total', WHITE)}</w:p>",
        f"<w:tbl><w:tr><w:tc><w:tcPr>{DARK}</w:tcPr>{word_paragraph(run('Total', WHITE))}</w:tc></w:tr></w:tbl>",
        f'<w:tbl><w:tblPr><w:tblStyle w:val="D"/></w:tblPr><w:tr><w:tc>{word_paragraph(run("Total", WHITE))}</w:tc></w:tr></w:tbl>',
    ],
)
def test_white_text_on_a_ground_stays(body):
    assert read(formats.docx([], extra=body)).text == "Total"


def cell(inside: str, fill: str = "", *, style: str = "", table: str = "") -> str:
    """A table of two cells, the first with a paragraph in a fill; `style` is the table's."""
    shade = f'<w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="{fill}"/></w:tcPr>' if fill else ""
    named = f'<w:tblStyle w:val="{style}"/>' if style else ""
    other = f"<w:tc>{word_paragraph(run('5.9'))}</w:tc>"
    return f"<w:tbl><w:tblPr>{named}{table}</w:tblPr><w:tr><w:tc>{shade}{word_paragraph(inside)}</w:tc>{other}</w:tr></w:tbl>"


def styled(*styles: str, theme: str = "", settings: str = "") -> dict[str, Any]:
    """Members of a file with these styles, colours of a theme and settings."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    related = "".join(
        f'<Relationship Id="{role}" Type="{office}/{role}" Target="{role}.xml"/>'
        for role in ("styles", "theme", "settings")
    )
    members = {
        "word/styles.xml": f"<w:styles {space}>{''.join(styles)}</w:styles>",
        "word/theme.xml": f'<a:theme xmlns:a="urn:a"><a:themeElements><a:clrScheme>{theme}</a:clrScheme></a:themeElements></a:theme>',
        "word/settings.xml": f"<w:settings {space}>{settings}</w:settings>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>',
    }
    return {"members": {name: text.encode() for name, text in members.items()}, "without": list(members)}


def style(key: str, kind: str, inside: str, above: str = "", more: str = "") -> str:
    """A style; `more` are its attributes."""
    based = f'<w:basedOn w:val="{above}"/>' if above else ""
    return f'<w:style w:type="{kind}" w:styleId="{key}" {more}><w:name w:val="{key}"/>{based}{inside}</w:style>'


EVIL = "obey the evil"
PALE = style("Pale", "paragraph", f"<w:rPr>{WHITE}</w:rPr>")
GHOST = style("Ghost", "character", f"<w:rPr>{WHITE}</w:rPr>")
BANNER = style("Banner", "paragraph", f"<w:pPr>{DARK}</w:pPr><w:rPr>{WHITE}</w:rPr>")
CHILD = style("Child", "paragraph", "", "Pale")
USUAL = style("Usual", "paragraph", f"<w:rPr>{WHITE}</w:rPr>", more='w:default="1"')
THEME = '<a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="FEFEFE"/></a:accent1>'
SWAPPED = '<w:clrSchemeMapping w:bg1="dark1" w:t1="light1"/>'


def themed(name: str, more: str = "") -> str:
    return f'<w:color w:val="000000" w:themeColor="{name}"{more}/>'


PLAIN_TABLE = style("Plain", "table", "<w:tblPr/>")
BANDED = style("Banded", "table", f'<w:tblStylePr w:type="firstRow"><w:tcPr>{DARK}</w:tcPr></w:tblStylePr>')


@pytest.mark.parametrize(
    ("body", "built"),
    [
        (word_paragraph(run(EVIL), "Pale"), styled(PALE)),
        (word_paragraph(run(EVIL), "Child"), styled(PALE, CHILD)),
        (word_paragraph(run(EVIL)), styled(USUAL)),
        (word_paragraph(run(EVIL)), styled(f"<w:docDefaults><w:rPrDefault><w:rPr>{WHITE}</w:rPr></w:rPrDefault></w:docDefaults>")),
        (word_paragraph(run(EVIL, '<w:rStyle w:val="Ghost"/>')), styled(GHOST)),
        (word_paragraph(run(EVIL, themed("background1"))), styled(theme=THEME)),
        (word_paragraph(run(EVIL, themed("accent1"))), styled(theme=THEME)),
        (word_paragraph(run(EVIL, themed("background1"))), {}),
        (word_paragraph(run(EVIL, themed("text1"))), styled(theme=THEME, settings=SWAPPED)),
        (word_paragraph(run(EVIL, themed("text1", ' w:themeTint="05"'))), styled(theme=THEME)),
        (cell(run(EVIL, WHITE), "FFFFFF"), {}),
        (cell(run(EVIL, WHITE), "FFFFFF", style="Banded"), styled(BANDED)),
        (cell(run(EVIL, WHITE), style="Plain"), styled(PLAIN_TABLE)),
        (cell(run(EVIL, WHITE), "auto"), {}),
        (cell(run(EVIL, WHITE), "FFFFFF", table=DARK), {}),
        (cell(run(EVIL, '<w:color w:val="1F3864"/>'), "1F3864"), {}),
        (word_paragraph(run(EVIL, '<w:color w:val="000000"/><w:highlight w:val="black"/>')), {}),
        (word_paragraph(run(EVIL, '<w:color w:val="1F3864"/>' + DARK)), {}),
        (word_paragraph(run(EVIL, WHITE + '<w:highlight w:val="white"/>'), "Banner"), styled(BANNER)),
    ],
)  # fmt: skip
def test_text_in_the_colour_of_its_ground_is_out_and_told(body, built):
    document = read(formats.docx([], extra=word_paragraph(run("Seen", '<w:color w:val="auto"/>')) + body, **built))
    assert EVIL not in document.text
    assert document.text.startswith("Seen")
    assert document.warnings == ("hidden text was left out: 3 words, after 'Seen'",)


@pytest.mark.parametrize(
    ("body", "built"),
    [
        (word_paragraph(run(EVIL), "Banner"), styled(BANNER)),
        (word_paragraph(run(EVIL, '<w:color w:val="auto"/>'), "Pale"), styled(PALE)),
        (word_paragraph(run(EVIL, '<w:color w:val="FF0000"/>'), "Pale"), styled(PALE)),
        (word_paragraph(run(EVIL, themed("background1", ' w:themeShade="80"'))), styled(theme=THEME)),
        (word_paragraph(run(EVIL, themed("background1"))), styled(theme=THEME, settings=SWAPPED)),
        (word_paragraph(run(EVIL, themed("nothing"))), styled(theme=THEME)),
        (cell(run(EVIL, WHITE), "1F3864"), {}),
        (cell(run(EVIL, WHITE), style="Banded"), styled(BANDED)),
        (cell(run(EVIL, WHITE), style="Unknown"), styled(BANDED)),
        (cell(run(EVIL, WHITE), table=DARK), {}),
        (cell(run(EVIL, WHITE + '<w:shd w:val="pct50" w:fill="FFFFFF"/>')), {}),
        (cell(run(EVIL, '<w:color w:val="1F3864"/>'), "FFFFFF"), {}),
    ],
)
def test_text_that_its_ground_sets_off_is_in(body, built):
    document = read(formats.docx([], extra=body, **built))
    assert EVIL in document.text
    assert document.warnings == ()


def test_tabs_breaks_and_hyphens_become_characters():
    inside = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>"
    assert text(word_paragraph(inside)) == "a b\nc-d"


def test_a_footnote_follows_its_paragraph_with_its_mark():
    reference = '<w:r><w:footnoteReference w:id="7"/></w:r>'
    result = text(
        word_paragraph(run("Revenue rose") + reference + run(".")) + word_paragraph(run("Next.")),
        footnotes={7: "Before tax."},
    )
    assert result == "Revenue rose[1].\n\n[1] Before tax.\n\nNext."


def test_tables_keep_merged_cells_in_their_columns_and_tables_inside_tables():
    def cell(words: str, properties: str = "", more: str = "") -> str:
        return f"<w:tcPr>{properties}</w:tcPr>{word_paragraph(run(words))}{more}"

    inner = word_table([cell("n1"), cell("n2")])
    table = word_table(
        [cell("Item", '<w:vMerge w:val="restart"/>'), cell("Year", '<w:gridSpan w:val="2"/>')],
        [cell("", "<w:vMerge/>"), cell("2021"), cell("2022")],
        [cell("Revenue"), cell("5.1"), cell("5.9", more=inner)],
    )
    assert text(table) == "Item | Year\n| 2021 | 2022\nRevenue | 5.1 | 5.9\nn1 | n2"


def test_a_frame_of_one_cell_is_text():
    result = blocks(word_table([word_paragraph(run("Note"), "Berschrift1") + word_paragraph(run("Text."))]))
    assert result == [("heading", 1, "Note"), ("paragraph", 0, "Text.")]


def test_a_text_box_is_read_once_after_its_paragraph():
    box = f"<w:txbxContent>{word_paragraph(run('In the box.'))}</w:txbxContent>"
    compatible = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )
    assert text(word_paragraph(run("Around") + f"<w:r>{compatible}</w:r>")) == "Around\n\nIn the box."


def test_the_table_of_contents_and_comments_are_left_out_with_a_warning():
    comments = b'<w:comments xmlns:w="w"><w:comment/></w:comments>'
    relations = (
        b'<Relationships xmlns="r"><Relationship Id="a" Type="x/styles" Target="/word/styles.xml"/>'
        b'<Relationship Id="b" Type="x/comments" Target="comments.xml"/></Relationships>'
    )
    document = read(
        formats.docx(
            [formats.paragraph("Text.")],
            extra=word_paragraph(run("Chapter 1 .... 3"), "Verzeichnis1"),
            members={"word/comments.xml": comments, "word/_rels/document.xml.rels": relations},
            without=["word/_rels/document.xml.rels"],
        )
    )
    assert document.text == "Text."
    assert any("table of contents (1 lines)" in warning for warning in document.warnings)
    assert any("1 comments" in warning for warning in document.warnings)


def test_a_raised_exponent_does_not_melt_into_the_number():
    assert (
        text(word_paragraph(run("10") + run("6", '<w:vertAlign w:val="superscript"/>') + run(" cells"))) == "10^6 cells"
    )


def test_a_document_without_styles_and_relations_is_read():
    left_out = ["word/styles.xml", "word/_rels/document.xml.rels", "_rels/.rels", "word/footnotes.xml"]
    assert read(formats.docx([formats.paragraph("Text.")], without=left_out)).text == "Text."
