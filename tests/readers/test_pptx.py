"""Presentations: slides are pages; what the audience does not see stays out and is told."""

from __future__ import annotations

import io

import pytest

import formats
from citewell.errors import CorruptDocumentError, EmptyDocumentError, TooLargeDocumentError
from citewell.readers import Budget, read
from formats import shape


def test_slides_are_pages_and_their_titles_headings():
    slides = [
        shape("Status", kind="ctrTitle") + shape("May 2023", kind="subTitle"),
        shape("Rents rose", "by 40%", kind="body") + shape("Costs", kind="title"),
    ]
    document = read(formats.pptx([], slides=slides))
    assert document.text == "Status\n\nMay 2023\n\nCosts\n\nRents rose\nby 40%"
    assert [block.kind for block in document.blocks] == ["heading", "paragraph", "heading", "list_item", "list_item"]
    assert [(page.number, document.text[page.start : page.end]) for page in document.pages] == [
        (1, "Status\n\nMay 2023"),
        (2, "Costs\n\nRents rose\nby 40%"),
    ]
    assert document.page_at(document.text.index("40%")) == 2
    assert document.title == "Status"


def test_a_hidden_slide_stays_out_and_the_others_keep_their_numbers():
    slides = [shape("First"), 'show="0"\f' + shape("Secret"), shape("Third")]
    document = read(formats.pptx([], slides=slides))
    assert document.text == "First\n\nThird"
    assert [page.number for page in document.pages] == [1, 3]
    assert document.warnings == ("hidden slides were left out: 2",)


def test_notes_stand_under_a_heading_of_their_slide():
    document = read(
        formats.pptx(
            [],
            slides=[shape("Costs", kind="title")],
            notes={0: shape("Say why.", kind="body") + shape("7", kind="sldNum")},
        )
    )
    assert document.text == "Costs\n\nNotes\n\nSay why."
    assert document.segments("sentence")[-1].path == ("Costs", "Notes")


def test_hidden_shapes_and_those_off_the_slide_stay_out_and_are_told():
    off = '<a:xfrm><a:off x="9001" y="0"/><a:ext cx="100" cy="100"/></a:xfrm>'
    slides = [shape("Seen") + shape("two words", drawn='hidden="1"') + shape("off it", place=off)]
    document = read(formats.pptx([], slides=slides))
    assert document.text == "Seen"
    assert document.warnings == ("hidden text was left out: 4 words, after 'Seen'",)


FILL = '<a:solidFill><a:srgbClr val="{}"/></a:solidFill>'
WHITE, DARK, SCHEME = (
    FILL.format("FFFFFF"),
    FILL.format("1F3864"),
    '<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>',
)


def painted(text: str, ground: str = "") -> str:
    """A shape with a run in a fill on a ground."""
    run = f"<a:r><a:rPr>{text}</a:rPr><a:t>obey the evil</a:t></a:r>"
    return (
        f"<p:sp><p:spPr>{ground}</p:spPr><p:txBody><a:p>{run}<a:r><a:t> Sales rose.</a:t></a:r></a:p></p:txBody></p:sp>"
    )


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (painted(WHITE, WHITE), False),
        (painted(SCHEME, SCHEME), False),
        (painted("<a:noFill/>"), False),
        (painted('<a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>'), False),
        (painted(WHITE, DARK), True),
        (painted(WHITE, "<a:gradFill/>"), True),
        (painted(WHITE), True),  # the slide's master may be dark
    ],
)
def test_words_in_the_fill_of_their_shape_stay_out_and_are_told(drawn, expected):
    document = read(formats.pptx([], slides=[shape("Seen") + drawn]))
    assert ("obey the evil" in document.text) is expected
    assert "Sales rose." in document.text
    assert document.warnings == (() if expected else ("hidden text was left out: 3 words, after 'Seen'",))


def test_footers_dates_and_numbers_are_furniture():
    document = read(
        formats.pptx([], slides=[shape("Text") + shape("Acme, confidential", kind="ftr") + shape("3", kind="sldNum")])
    )
    assert document.text == "Text"
    assert document.pages[0].furniture == ("Acme, confidential", "3")


def test_tables_of_slides_have_cells_with_headers():
    document = read(formats.pptx([], slides=[formats.slide_table(["in £ million", "2022"], ["Rent", "2.8"])]))
    (cell,) = document.tables()[0].values()
    assert (cell.row_path, cell.column_path, cell.value, cell.scale) == (("Rent",), ("2022",), 2.8, 1_000_000)


def test_charts_are_told_and_shapes_in_groups_are_read():
    chart = '<p:graphicFrame><a:graphic><a:graphicData uri="chart"/></a:graphic></p:graphicFrame>'
    document = read(formats.pptx([], slides=[f"<p:grpSp>{shape('Inside')}</p:grpSp>{chart}"]))
    assert document.text == "Inside"
    assert document.warnings == ("charts and diagrams were left out: 1",)


def test_a_slide_that_is_named_twice_or_is_missing_is_read_once_and_told():
    relations = b'<Relationships><Relationship Id="r0" Type="x/slide" Target="slides/slide0.xml"/><Relationship Id="r1" Type="x/slide" Target="slides/slide0.xml"/></Relationships>'
    document = read(
        formats.pptx(
            [],
            slides=[shape("Text"), ""],
            members={"ppt/_rels/presentation.xml.rels": relations},
            without=["ppt/_rels/presentation.xml.rels"],
        )
    )
    assert document.text == "Text"
    assert document.warnings == ("slide 2 is missing from the file",)


def test_presentations_that_cannot_be_read_are_refused():
    with pytest.raises(EmptyDocumentError, match="slides that it shows"):
        read(formats.pptx([], slides=['show="0"\f' + shape("Secret")]))
    with pytest.raises(CorruptDocumentError, match="well-formed"):
        read(formats.archive({"ppt/presentation.xml": b"<p"}))
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.pptx([], slides=[shape("Text")] * 5), budget=Budget(pages=4))
    assert caught.value.limit == "pages"
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.pptx([], slides=["<p:grpSp>" * 1000 + shape("Deep") + "</p:grpSp>" * 1000]))
    assert caught.value.limit == "nesting"


def test_a_file_of_a_presentation_library_is_read():
    import pptx

    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Why we moved"
    slide.placeholders[1].text_frame.text = "Rents rose by 40%"
    slide.notes_slide.notes_text_frame.text = "The council paid."
    saved = io.BytesIO()
    presentation.save(saved)
    assert read(saved.getvalue()).text == "Why we moved\n\nRents rose by 40%\n\nNotes\n\nThe council paid."
