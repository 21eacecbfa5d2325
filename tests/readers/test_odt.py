"""OpenDocument texts: as they read; deleted and hidden text stays out and is told."""

from __future__ import annotations

import io

import pytest

import formats
from citewell.errors import EncryptedDocumentError, TooLargeDocumentError
from citewell.readers import read

HIDDEN = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'


def test_notes_follow_the_paragraph_that_refers_to_them():
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Measured.</text:p></text:note-body></text:note>"
    document = read(formats.odt([], extra=f"<text:p>It held 4.1 million{note}, less.</text:p><text:p>Next.</text:p>"))
    assert document.text == "It held 4.1 million[1], less.\n\n[1] Measured.\n\nNext."


def test_spaces_tabs_and_breaks_are_what_they_stand_for():
    assert (
        read(
            formats.odt([], extra='<text:p>a<text:s text:c="999999999"/>b<text:tab/>c<text:line-break/>d\n  e</text:p>')
        ).text
        == "a b c\nd e"
    )


def test_hidden_text_stays_out_and_is_told():
    extra = '<text:p>Seen <text:span text:style-name="H">two words</text:span> end.</text:p><text:section text:display="none"><text:p>More</text:p></text:section>'
    document = read(formats.odt([], styles=HIDDEN, extra=extra))
    assert document.text == "Seen end."
    assert document.warnings == ("hidden text was left out: 3 words, the first after 'Seen'",)


def odt_style(key: str, text: str = "", ground: str = "", kind: str = "paragraph") -> str:
    colour = f'<style:text-properties fo:color="{text}"/>' if text else ""
    fill = f'<style:{kind}-properties fo:background-color="{ground}"/>' if ground else ""
    return f'<style:style style:name="{key}">{colour}{fill}</style:style>'


PALE, BANNER, CHILD = (
    odt_style("Pale", "#ffffff"),
    odt_style("Banner", "#ffffff", "#1f3864"),
    '<style:style style:name="Child" style:parent-style-name="Pale"/>',
)
CELLS = "".join(
    odt_style(key, "", fill, "table-cell") for key, fill in (("W", "#ffffff"), ("D", "#1f3864"), ("T", "transparent"))
)


def odt_table(cell: str) -> str:
    inside = f'<table:table-cell table:style-name="{cell}"><text:p text:style-name="Pale">obey the evil</text:p></table:table-cell>'
    return f"<table:table><table:table-row>{inside}<table:table-cell><text:p>5.9</text:p></table:table-cell></table:table-row></table:table>"


SPAN = '<text:p{}>Sales <text:span text:style-name="{}">obey the evil</text:span> rose.</text:p>'


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ('<text:p text:style-name="Pale">obey the evil</text:p>', False),
        ('<text:p text:style-name="Child">obey the evil</text:p>', False),
        ('<text:p text:style-name="Banner">obey the evil</text:p>', True),
        (SPAN.format("", "Child"), False),
        (SPAN.format("", "Banner"), True),
        (SPAN.format(' text:style-name="Banner"', "Pale"), True),
        (odt_table("W"), False),
        (odt_table("T"), False),
        (odt_table("D"), True),
        ('<text:p><draw:frame><draw:text-box><text:p text:style-name="Pale">obey the evil</text:p></draw:text-box></draw:frame></text:p>', True),
    ],
)  # fmt: skip
def test_text_in_the_colour_of_its_ground_stays_out_and_is_told(extra, expected):
    document = read(formats.odt([formats.paragraph("Seen")], styles=PALE + BANNER + CHILD + CELLS, extra=extra))
    assert ("obey the evil" in document.text) is expected
    assert [warning.partition(",")[0] for warning in document.warnings] == ["hidden text was left out: 3 words"] * (
        not expected
    )
    assert "rose." in document.text or "Sales" not in extra


def test_deleted_text_comments_and_contents_stay_out_and_are_told():
    extra = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>One 3</text:p></text:index-body></text:table-of-content>"
        "<text:p>New<office:annotation><text:p>hm</text:p></office:annotation>.</text:p>"
    )
    document = read(formats.odt([], extra=extra))
    assert document.text == "New."
    assert document.warnings == (
        "tracked changes were accepted: 1 deletions left out",
        "1 comments were left out",
        "a table of contents (1 lines) was left out",
    )


def test_lists_keep_their_depth_and_text_boxes_follow_their_paragraph():
    inner = "<text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list>"
    box = "<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame>"
    extra = (
        f"<text:list><text:list-item><text:p>top</text:p>{inner}</text:list-item></text:list><text:p>Text{box}</text:p>"
    )
    document = read(formats.odt([], extra=extra))
    assert [(document.text[b.start : b.end], b.kind, b.level) for b in document.blocks] == [
        ("top", "list_item", 1), ("deep", "list_item", 2), ("Text", "paragraph", 0), ("Boxed", "paragraph", 0),
    ]  # fmt: skip


def test_the_paragraph_in_the_style_of_a_title_is_the_title():
    document = read(
        formats.odt(
            [], extra='<text:p text:style-name="Title">Water</text:p><text:h text:outline-level="1">Levels</text:h>'
        )
    )
    assert document.title == "Water"
    assert [block.level for block in document.blocks] == [1, 2]


def test_spanning_and_repeated_cells_keep_their_columns():
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    rows = [
        cell("") + cell("Year", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>",
        cell("") + cell("2022") + cell("2021"),
        cell("Rain") + cell("5", 'table:number-columns-repeated="2"'),
    ]
    result = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    (table,) = read(formats.odt([], extra=f"<table:table>{result}</table:table>")).tables()
    assert [(cell.value, cell.column_path) for cell in table.values()] == [(5, ("Year", "2022")), (5, ("Year", "2021"))]


def test_cells_repeated_without_end_are_refused():
    cell = f'<table:table-cell table:number-columns-repeated="100"><text:p>{"word " * 100}</text:p></table:table-cell>'
    rows = f'<table:table-row table:number-rows-repeated="1000000">{cell}{cell}</table:table-row>' * 10
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.odt([], extra=f"<table:table>{rows}</table:table>"))
    assert caught.value.limit == "growth"


def test_styles_that_inherit_from_each_other_end():
    loop = '<style:style style:name="A" style:parent-style-name="B"/><style:style style:name="B" style:parent-style-name="A"/>'
    assert read(formats.odt([], styles=loop, extra='<text:p text:style-name="A">Text</text:p>')).text == "Text"


def test_a_text_with_a_password_is_encrypted():
    manifest = b"<m><file-entry><encryption-data/></file-entry></m>"
    with pytest.raises(EncryptedDocumentError, match="password"):
        read(formats.odt([formats.paragraph("x")], members={"META-INF/manifest.xml": manifest}))


def test_a_file_of_a_library_is_read():
    from odf.opendocument import OpenDocumentText
    from odf.text import H, P

    open_document_text = OpenDocumentText()
    open_document_text.text.addElement(H(outlinelevel=1, text="Water report"))
    open_document_text.text.addElement(P(text="The reservoir held 4.1 million litres."))
    saved = io.BytesIO()
    open_document_text.save(saved)
    assert read(saved.getvalue()).text == "Water report\n\nThe reservoir held 4.1 million litres."
