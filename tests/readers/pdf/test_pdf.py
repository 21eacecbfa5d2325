"""Reading PDFs: order, pages, paragraphs, furniture, tables, headings, and every bad input by its own name."""

import gc
import io
import warnings

import pytest
from reportlab.pdfgen.canvas import Canvas

from citewell.errors import CorruptDocumentError, EncryptedDocumentError, ScannedDocumentError
from citewell.readers.pdf.pages import read_pdf
from pdfs import Note, heading, make_pdf, prose, table


def kinds(document):
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def same_words(document, parts):
    """A paragraph that a column ends together with a sentence may count as two: its words must be in order."""
    return document.text.split() == " ".join(parts).split()


def well_formed(document):
    position = 0
    for block in document.blocks:
        assert block.end > block.start >= position
        assert not document.text[position : block.start].strip()
        position = block.end
    assert position == len(document.text)
    assert [page.number for page in document.pages] == list(range(1, len(document.pages) + 1))
    ends = [0, *(page.end for page in document.pages)]
    assert [page.start for page in document.pages] == ends[:-1]
    assert ends[-1] == len(document.text)


def test_lines_of_a_paragraph_are_joined_by_one_space():
    text = prose(120)
    document = read_pdf(make_pdf([text, prose(60, 1)]), source="a.pdf")
    assert kinds(document) == [("paragraph", text), ("paragraph", prose(60, 1))]
    assert document.source == "a.pdf"
    well_formed(document)


@pytest.mark.parametrize("shuffled", [False, True])
def test_two_columns_are_read_one_after_the_other(shuffled):
    parts = [prose(150, number) for number in range(6)]
    document = read_pdf(make_pdf(parts, columns=2, shuffled=shuffled))
    assert same_words(document, parts)
    well_formed(document)


@pytest.mark.parametrize("shuffled", [False, True])
def test_three_columns_are_read_one_after_the_other(shuffled):
    parts = [prose(150, number) for number in range(6)]
    document = read_pdf(make_pdf(parts, columns=3, margin=40, font_size=8, shuffled=shuffled))
    assert same_words(document, parts)


def test_a_title_across_both_columns_comes_first_and_names_the_document():
    title = "A study of electric ferries on short crossings in cold northern waters and what they cost"
    parts = [prose(200, 1), prose(400, 2)]
    document = read_pdf(make_pdf(parts, title=title, columns=2))
    assert kinds(document)[0] == ("heading", title)
    assert document.title == title
    assert same_words(document, [title, *parts])


def test_a_sentence_that_crosses_a_page_is_one_block_on_both_pages():
    text = prose(1400, 4)
    document = read_pdf(make_pdf([text], numbers=True, header="Annual report of the ferry company"))
    assert same_words(document, [text])
    assert len(document.pages) >= 2
    well_formed(document)
    edge = document.pages[1].start
    sentence = next(s for s in document.segments("sentence") if s.start < edge < s.end)
    assert [rect.page for rect in document.locate(sentence.start, sentence.end)] == [1, 2]
    assert document.page_at(sentence.start) == 1
    assert document.page_at(edge) == 2


def test_a_footnote_does_not_cut_the_sentence_above_it():
    note = "* A note in small type at the foot of the page that says something else."
    document = read_pdf(make_pdf([Note(note), prose(1400, 6)]))
    assert sorted(text for _, text in kinds(document)) == sorted([note, prose(1400, 6)])
    well_formed(document)


def test_running_headers_footers_and_page_numbers_are_furniture():
    data = make_pdf([prose(500, n) for n in range(8)], header="Annual report 2025", footer="Northwater", numbers=True)
    document = read_pdf(data)
    assert len(document.pages) > 3
    assert "Northwater" not in document.text
    assert "Annual report" not in document.text
    for page in document.pages:
        assert set(page.furniture) == {"Annual report 2025", "Northwater", str(page.number)}


def test_a_number_that_does_not_count_pages_stays():
    document = read_pdf(make_pdf([prose(40), "1990"]))
    assert document.text.endswith("1990")


def test_words_cut_at_line_ends_are_whole():
    text = " ".join(["engineers", "replaced", "harbour", "passengers"] * 40) + "."
    data = make_pdf([text], columns=2, hyphens=True)
    assert read_pdf(data).text == text


def test_a_compound_keeps_the_hyphen_that_the_document_writes_elsewhere():
    filler = "a loan that is long-term is not a loan that was meant to be short when it was "
    lines = [filler + "written and the long-", "term debt of the company rose in the year."]
    data = make_pdf([" ".join(lines)], margin=306 - 150)
    assert "the long-term debt" in read_pdf(data).text.replace("long- term", "long-term")


def test_rows_of_a_table_keep_their_figures():
    rows = [["", "2025", "2024"], ["Total revenue", "5,932", "5,617"], ["Cost of sales", "(4,100)", "(3,987)"]]
    document = read_pdf(make_pdf([prose(60), table(*rows), prose(60, 1)]))
    texts = [text for kind, text in kinds(document) if kind == "table_row"]
    assert texts == ["2025 | 2024", "Total revenue | 5,932 | 5,617", "Cost of sales | (4,100) | (3,987)"]


def test_a_table_does_not_make_two_columns():
    rows = [[f"Label {n} of the income statement", str(1000 + n), str(2000 + n)] for n in range(20)]
    document = read_pdf(make_pdf([prose(60), table(*rows)]))
    assert [text for kind, text in kinds(document) if kind == "table_row"] == [" | ".join(row) for row in rows]


def test_justified_lines_are_prose():
    text = prose(200, 4)
    document = read_pdf(make_pdf([text], columns=2, justify=True))
    assert kinds(document) == [("paragraph", text)]


def test_headings_and_their_depth_are_told_by_size():
    parts = [heading("Fleet", 18), prose(60), heading("Ships", 14), prose(60, 1), heading("Crew", 14), prose(60, 2)]
    document = read_pdf(make_pdf(parts))
    result = [
        (block.level, document.text[block.start : block.end]) for block in document.blocks if block.kind == "heading"
    ]
    assert result == [(1, "Fleet"), (2, "Ships"), (2, "Crew")]
    assert document.segments("paragraph")[-1].path == ("Fleet", "Crew")
    assert document.title == "Fleet"


def test_numbered_headings_take_their_depth_from_the_number():
    parts = [heading("1 Fleet"), prose(60), heading("1.1 Ships"), prose(60, 1), heading("2 Crew"), prose(60, 2)]
    document = read_pdf(make_pdf(parts))
    assert [block.level for block in document.blocks if block.kind == "heading"] == [1, 2, 1]


def test_list_items_are_blocks_of_their_own():
    items = [f"• {prose(40, n)}" for n in range(3)]
    document = read_pdf(make_pdf([prose(30), *items]))
    assert [text for kind, text in kinds(document) if kind == "list_item"] == items


def test_the_title_comes_from_the_metadata_where_it_is_one():
    parts = [heading("Fleet", 18), prose(60)]
    assert read_pdf(make_pdf(parts, meta_title="Annual report")).title == "Annual report"
    assert read_pdf(make_pdf(parts, meta_title="Microsoft Word - draft_3.docx")).title == "Fleet"


def test_progress_is_told_page_by_page():
    calls = []
    read_pdf(make_pdf([prose(1000)]), progress=lambda done, total: calls.append((done, total)))
    assert calls == [(number, len(calls)) for number in range(1, len(calls) + 1)]


def test_a_password_is_asked_for_by_name():
    with pytest.raises(EncryptedDocumentError, match=r"report\.pdf is encrypted"):
        read_pdf(make_pdf([prose(30)], password="secret", owner="more"), source="report.pdf")  # noqa: S106 - of a file made here


def test_a_damaged_file_after_an_encrypted_one_is_damaged():
    with pytest.raises(EncryptedDocumentError):
        read_pdf(make_pdf([prose(30)], password="secret", owner="more"))  # noqa: S106 - of a file made here
    with pytest.raises(CorruptDocumentError):
        read_pdf(b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF")


def test_an_empty_user_password_opens():
    assert read_pdf(make_pdf([prose(30)], owner="more")).text == prose(30)


def test_pages_without_text_are_counted():
    blank = make_pdf([""])
    with pytest.raises(ScannedDocumentError, match="no text layer"):
        read_pdf(blank, source="scan.pdf")


def test_some_pages_without_text_are_a_warning_that_names_them():
    document = read_pdf(make_pdf([prose(1400)], pictures=(2,)))
    assert len(document.warnings) == 1
    assert "(page 2)" in document.warnings[0]
    assert document.pages[1].start == document.pages[1].end
    well_formed(document)


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", b"%PDF-" + b"x" * 500]
)
def test_a_damaged_file_is_called_damaged(data):
    with pytest.raises(CorruptDocumentError, match=r"r\.pdf is"):
        read_pdf(data, source="r.pdf")


def test_a_truncated_file_is_damaged_or_read_as_far_as_it_goes():
    whole = make_pdf([prose(1500)])
    for share in (0.2, 0.5, 0.9):
        try:
            document = read_pdf(whole[: int(len(whole) * share)])
        except (CorruptDocumentError, ScannedDocumentError):
            continue
        assert document.text in prose(1500) or document.warnings


@pytest.mark.slow
def test_nothing_is_left_open():
    data = make_pdf([prose(100)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        document = read_pdf(data)
        assert document.locate(0, 50)
        del document
        gc.collect()


def test_a_number_alone_at_the_head_of_a_single_page_is_text_and_one_at_its_foot_is_the_pages():
    data = io.BytesIO()
    canvas = Canvas(data)
    for y, line in ((810, "2022"), (700, "The fleet carried more passengers than in any year before."), (20, "37")):
        canvas.drawString(72, y, line)
    canvas.save()
    document = read_pdf(data.getvalue())
    assert document.text.split()[0] == "2022"
    assert document.pages[0].furniture == ("37",)
