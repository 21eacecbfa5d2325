"""EPUB books: the spine's order, chapters named by the contents, nothing from outside the book."""

from __future__ import annotations

import pytest

import formats
from citewell.errors import CorruptDocumentError, EmptyDocumentError, EncryptedDocumentError, TooLargeDocumentError
from citewell.readers import Budget, read

FIRST_CHAPTER = [formats.paragraph("Anna left.")]
TWO = {"text/two a.xhtml": formats.html([formats.heading("Arriving"), formats.paragraph("She sold the salt.")])}
NAV = b'<html xmlns:epub="e"><body><nav epub:type="toc"><a href="text/one.xhtml">Chapter 1</a><a href="text/two%20a.xhtml#x">Chapter 2</a></nav></body></html>'


def test_chapters_stand_in_the_spines_order_each_once():
    spine = ["text/two a.xhtml", "text/one.xhtml", "text/two a.xhtml", "unknown"]
    assert (
        read(formats.epub(FIRST_CHAPTER, chapters=TWO, spine=spine)).text
        == "Arriving\n\nShe sold the salt.\n\nAnna left."
    )


def test_a_chapter_without_a_heading_is_named_by_the_contents_which_stay_out():
    document = read(
        formats.epub(
            FIRST_CHAPTER,
            "The Salt Road",
            chapters=TWO,
            contents=NAV,
            spine=["nav", "text/one.xhtml", "text/two a.xhtml"],
        )
    )
    assert document.text == "Chapter 1\n\nAnna left.\n\nArriving\n\nShe sold the salt."
    assert document.title == "The Salt Road"
    assert document.segments("sentence")[1].path == ("Chapter 1",)


def test_contents_of_version_2_name_chapters_too():
    ncx = b'<ncx><navMap><navPoint><navLabel><text>One</text></navLabel><content src="text/one.xhtml"/></navPoint></navMap></ncx>'
    opf = b'<package><manifest><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    container = b'<c><rootfile full-path="OPS/old.opf"/></c>'
    files = {
        "META-INF/container.xml": container,
        "OPS/old.opf": opf,
        "OPS/toc.ncx": ncx,
        "OPS/text/one.xhtml": formats.html(FIRST_CHAPTER),
    }
    assert read(formats.archive(files)).text == "One\n\nAnna left."


def test_a_missing_file_is_told():
    document = read(formats.epub(FIRST_CHAPTER, chapters=TWO).replace(b"text/two a.xhtml", b"text/xxx a.xhtml"))
    assert document.text == "Anna left."
    assert document.warnings == ("files of the book are missing: OPS/text/two a.xhtml",)


@pytest.mark.parametrize("path", ["../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://127.0.0.1/x"])
def test_a_book_reads_nothing_from_outside_itself(path):
    opf = f'<package><manifest><item id="a" href="{path}" media-type="text/html"/></manifest><spine><itemref idref="a"/></spine></package>'
    container = b'<c><rootfile full-path="book.opf"/></c>'
    with pytest.raises(EmptyDocumentError, match="no text"):
        read(formats.archive({"META-INF/container.xml": container, "book.opf": opf.encode()}))


def locked(algorithm: str) -> bytes:
    message = f'<e><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData><CipherReference URI="OPS/text/one.xhtml"/></CipherData></EncryptedData></e>'
    return formats.epub(FIRST_CHAPTER, members={"META-INF/encryption.xml": message.encode()})


def test_a_book_that_only_its_shops_programs_open_is_encrypted():
    with pytest.raises(EncryptedDocumentError, match="DRM"):
        read(locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))
    assert read(locked("http://www.idpf.org/2008/embedding")).text == "Anna left."


def test_books_that_are_none_are_refused():
    with pytest.raises(CorruptDocumentError, match="names no contents"):
        read(formats.archive({"META-INF/container.xml": b"<c/>"}))
    with pytest.raises(CorruptDocumentError, match="gone.opf"):
        read(formats.archive({"META-INF/container.xml": b'<c><rootfile full-path="gone.opf"/></c>'}))
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.epub(FIRST_CHAPTER), budget=Budget(elements=4))
    assert caught.value.limit == "elements"
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.epub(FIRST_CHAPTER, chapters={"deep.xhtml": b"<html><body>" + b"<div>" * 5000 + b"x"}))
    assert caught.value.limit == "nesting"
