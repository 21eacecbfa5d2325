"""Each kind of bad input has its own typed error with one clear line, or is read with a warning."""

from __future__ import annotations

import io
import os
import stat
import struct
import threading
import zipfile
import zlib

import pytest

import formats
from citewell.errors import (
    CorruptDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    InputError,
    TooLargeDocumentError,
    UnsupportedFormatError,
)
from citewell.readers import Budget, read

STORY = [formats.heading("Annual report"), formats.paragraph("Revenue rose. Costs fell.")]


def refused(kind, source, *, says, **settings):
    """Reading raises exactly this type; its text is one line that has these words."""
    with pytest.raises(DocumentError) as caught:
        read(source, **settings)
    assert type(caught.value) is kind
    message = str(caught.value)
    assert "\n" not in message
    for words in [says] if isinstance(says, str) else says:
        assert words in message
    assert caught.value.exit_code == 2
    return message


@pytest.mark.parametrize("name", [None, "a.txt", "a.pdf", "a.docx", "a.html", "a.md", "a.xml"])
def test_an_empty_file_is_an_empty_document(name):
    refused(EmptyDocumentError, b"", name=name, says="empty")


@pytest.mark.parametrize("data", [b" \n\t\r\n ", b"\0\0\0\0\0", b"\xef\xbb\xbf\n", b"\xff\xfe \0\n\0"])
@pytest.mark.parametrize("name", [None, "a.txt", "a.md", "a.html"])
def test_white_space_alone_is_an_empty_document(name, data):
    refused(EmptyDocumentError, data, name=name, says="")


def test_markup_without_text_is_an_empty_document():
    refused(EmptyDocumentError, b"<html><body><script>x = 1</script></body></html>", says="no visible text")
    refused(EmptyDocumentError, b"<article><front><article-meta/></front><body/></article>", says="no text")
    refused(EmptyDocumentError, formats.docx([]), says="no text")
    refused(EmptyDocumentError, b"<!-- nothing -->\n", name="a.md", says="no text")


def test_a_missing_file_is_named(tmp_path):
    message = refused(DocumentError, tmp_path / "report.pdf", says="no file")
    assert "report.pdf" in message
    with pytest.raises(InputError):
        read("no such file.pdf")


def test_a_directory_is_refused(tmp_path):
    refused(UnsupportedFormatError, tmp_path, says="is a directory")


@pytest.mark.parametrize("path", ["a\0b", "x" * 3000])
def test_a_path_that_no_file_can_have_is_refused(path):
    refused(DocumentError, path, says="cannot be read")


def test_a_file_without_permission_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "secret.txt"
    path.write_text("Secret.")
    if os.geteuid() == 0:  # root reads everything: let the system call say what it says to others

        def deny(*_args, **_settings):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(type(path), "open", deny)
    else:
        path.chmod(0)
    refused(DocumentError, path, says=["no permission", "secret.txt"])


def test_an_object_that_is_no_source_is_refused():
    refused(DocumentError, 12, says="int")


BINARIES = {
    "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "JPEG": b"\xff\xd8\xff\xe0" + bytes(range(256)),
    "GIF": b"GIF89a" + bytes(range(256)),
    "TIFF": b"II*\0" + bytes(range(256)),
    "WebP": b"RIFF\0\0\0\0WEBPVP8 " + bytes(range(256)),
    "BMP": b"BM" + struct.pack("<IHHI", 1000, 0, 0, 54) + bytes(100),
    "MP4": b"\0\0\0\x18ftypmp42" + bytes(100),
    "ELF": b"\x7fELF\x02\x01\x01" + bytes(100),
    "Windows program": b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff" + bytes(100),
    "gzip": b"\x1f\x8b\x08\0" + bytes(100),
    "7z": b"7z\xbc\xaf\x27\x1c" + bytes(100),
    "tar": b"name" + bytes(253) + b"ustar\0" + bytes(200),
    "RTF": b"{\\rtf1\\ansi Revenue rose.}",
    "PostScript": b"%!PS-Adobe-3.0\n",
    "SQLite": b"SQLite format 3\0" + bytes(100),
    "unknown kind": zlib.compress(bytes(range(256)) * 50)[2:],
}


@pytest.mark.parametrize("seems", BINARIES)
@pytest.mark.parametrize("name", [None, "report.txt", "report.md", "report.html", "report.pdf"])
def test_a_binary_file_is_refused_by_its_content_whatever_its_name(seems, name):
    data = BINARIES[seems]
    if seems == "unknown kind":
        data = bytes((byte * 167 + 13) % 256 for byte in range(4000))
    pictures = {"PNG", "JPEG", "GIF", "TIFF", "WebP", "BMP"}
    refused(UnsupportedFormatError, data, name=name, says=[seems, "OCR" if seems in pictures else "are read"])


@pytest.mark.parametrize(
    ("member", "seems"),
    [
        ("xl/workbook.bin", "XLSB"),
        ("ppt/other.xml", "PowerPoint"),
        ("META-INF/MANIFEST.MF", "Java"),
        ("Index/Document.iwa", "Pages"),
        ("photo.jpg", "ZIP archive"),
    ],
)
def test_a_zip_that_is_no_word_document_is_named(member, seems):
    refused(UnsupportedFormatError, formats.archive({member: b"x"}), name="report.docx", says=seems)


@pytest.mark.parametrize(
    ("mimetype", "seems"),
    [
        ("application/vnd.oasis.opendocument.spreadsheet", "OpenDocument spreadsheet"),
        ("application/vnd.oasis.opendocument.presentation", "OpenDocument presentation"),
    ],
)
def test_other_documents_in_a_zip_are_named(mimetype, seems):
    refused(UnsupportedFormatError, formats.archive({"mimetype": mimetype.encode(), "a.xml": b"x"}), says=seems)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.99])
def test_a_truncated_word_document_is_corrupt(share):
    data = formats.docx(STORY)
    refused(CorruptDocumentError, data[: int(len(data) * share)], name="report.docx", says="truncated")


def test_a_word_document_without_its_text_is_corrupt():
    refused(CorruptDocumentError, formats.docx(STORY, without=["word/document.xml"]), says="word/document.xml")
    broken = formats.docx(STORY, members={"word/document.xml": b"<w:document><w:body>"})
    refused(CorruptDocumentError, broken, says="well-formed")


def test_a_word_document_whose_compressed_bytes_are_damaged_is_corrupt():
    data = bytearray(formats.docx(STORY))
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        at = packed.getinfo("word/document.xml").header_offset
    data[at + 60 : at + 90] = b"\xff" * 30
    refused(CorruptDocumentError, bytes(data), says="damaged")


@pytest.mark.slow
@pytest.mark.parametrize("member", ["word/media/image1.bin", "word/document.xml"])
def test_a_word_document_that_would_expand_beyond_the_limit_is_refused_before_it_does(member, monkeypatch):
    buffer = io.BytesIO(formats.docx(STORY, without=["word/document.xml"]))
    with (
        zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as packed,
        packed.open(member, "w") as file,
    ):
        for _ in range(513):
            file.write(bytes(1 << 20))
        file.close()
        packed.writestr("word/other.xml", b"")
    expanded, take = [], zipfile.ZipExtFile.read

    def counted(file, most=-1):
        expanded.append(len(part := take(file, most)))
        return part

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    refused(TooLargeDocumentError, buffer.getvalue(), says=["513.0 MB", "512.0 MB"])
    assert sum(expanded) < 1 << 20


@pytest.mark.slow
def test_a_word_document_with_one_huge_part_is_refused():
    buffer = io.BytesIO(formats.docx(STORY, without=["word/document.xml"]))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as packed, packed.open("word/document.xml", "w") as file:
        for _ in range(129):
            file.write(b" " * (1 << 20))
    refused(TooLargeDocumentError, buffer.getvalue(), says=["129.0 MB", "128.0 MB"])


def _ole(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + stream.encode("utf-16-le") + bytes(500)


def test_an_office_file_with_a_password_is_encrypted():
    refused(EncryptedDocumentError, _ole("EncryptedPackage"), name="report.docx", says="password")


def test_a_zip_with_a_password_is_encrypted():
    data = bytearray(formats.docx(STORY))
    at = -1
    while (at := data.find(b"PK\1\2", at + 1)) >= 0:
        data[at + 8] |= 1
    refused(EncryptedDocumentError, bytes(data), says="password")


@pytest.mark.parametrize(("stream", "seems"), [("WordDocument", ".doc"), ("Workbook", ".xls"), ("Other", "OLE")])
def test_an_old_office_file_is_named_with_what_to_do(stream, seems):
    refused(UnsupportedFormatError, _ole(stream), says=[seems, "save"])


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "blockquote", "table><tr><td", "font", "span", "section"])
def test_html_with_100000_nested_tags_is_refused_at_once(tag):
    page = f"<html><body>{f'<{tag}>' * 100_000}deep</body></html>".encode()
    refused(TooLargeDocumentError, page, says=["2,048", "deep"])


def test_html_that_is_nested_deeper_than_pythons_stack_is_read():
    assert read(b"<html><body>" + b"<div>" * 1900 + b"deep" + b"</div>" * 1900 + b"<p>after").text == "deep\n\nafter"


@pytest.mark.slow
def test_deep_markdown_and_xml_are_read_or_refused():
    deep = [b">" * 50_000 + b" deep", b"".join(b"  " * n + b"- item\n" for n in range(500)), b"[" * 50_000 + b"deep"]
    for data in deep:
        assert read(data, name="a.md").text
    nested = b"<?xml version='1.0'?><article>" + b"<sec>" * 100_000 + b"deep" + b"</sec>" * 100_000 + b"</article>"
    refused(TooLargeDocumentError, nested, name="a.nxml", says="deep")
    table = "<w:tbl><w:tr><w:tc>" * 1000 + "</w:tc></w:tr></w:tbl>" * 1000
    refused(TooLargeDocumentError, formats.docx(STORY, extra=table), says="deep")


def test_invalid_utf8_is_read_with_the_detected_encoding_in_the_warnings():
    text = "Die Maßnahmen für größere Städte kosten viel Geld. Über die Hälfte der Bürger hält das für nötig. " * 5
    document = read(text.encode("cp1252"), name="a.txt")
    assert document.text == text
    assert document.warnings == ("not valid UTF-8 (byte 6): read as cp1252, as detected",)


def test_other_alphabets_and_scripts_are_detected():
    for text, encoding in [
        ("El año pasado, la compañía creció más. ", "cp1252"),
        ("Zażółć gęślą jaźń, powiedział prezes spółki w czwartek. ", "cp1250"),
        ("Выручка компании выросла на пять процентов в прошлом году. " * 8, "cp1251"),
        ("売上高は前年より五パーセント増えました。費用は減りました。" * 8, "shift_jis"),
        ("公司的收入在二零二二年增长了百分之五。成本下降了。" * 8, "gb18030"),
    ]:
        document = read(text.encode(encoding), name="a.txt")
        assert document.text == text
        assert document.warnings


def test_a_few_damaged_bytes_do_not_make_utf8_another_encoding():
    data = ("Größere Städte – “quoted” – 東京. " * 20).encode()
    document = read(data[:100] + b"\xff" + data[100:], name="a.txt")
    assert "Städte" in document.text
    assert any("1 damaged" in warning for warning in document.warnings)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", [True, False])
def test_utf16_and_utf32_are_read_with_and_without_their_mark(encoding, mark):
    text = "Revenue rose by 5% in Zürich.\n\nCosts fell."
    document = read((("\ufeff" if mark else "") + text).encode(encoding), name="a.txt")
    assert document.text == text
    assert bool(document.warnings) is not mark
    page = f"<html><body><p>{text}</p></body></html>"
    assert "Zürich" in read((("\ufeff" if mark else "") + page).encode(encoding)).text


def test_nul_bytes_are_left_out_with_a_warning():
    document = read(b"Revenue\0 rose.\n\nCosts fell.", name="a.txt")
    assert document.text == "Revenue rose.\n\nCosts fell."
    assert any("NUL" in warning for warning in document.warnings)


def test_a_file_beyond_the_limit_is_refused_with_size_and_limit(tmp_path):
    path = tmp_path / "large.txt"
    path.write_bytes(b"word " * 1_000_000)
    message = refused(
        TooLargeDocumentError, path, budget=Budget(input_bytes=1 << 20), says=["4.8 MB", "1.0 MB", "input_bytes"]
    )
    assert "large.txt" in message
    refused(TooLargeDocumentError, path.read_bytes(), budget=Budget(input_bytes=1 << 20), says="input_bytes")
    refused(
        TooLargeDocumentError, io.BytesIO(path.read_bytes()), budget=Budget(input_bytes=1 << 20), says="input_bytes"
    )
    refused(TooLargeDocumentError, "line\n" * 1000, budget=Budget(input_bytes=100), says="input_bytes")
    assert len(read(path).text) == 5_000_000


def test_a_sparse_file_of_a_terabyte_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "sparse.pdf"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    refused(TooLargeDocumentError, path, says="limit")


def test_a_named_pipe_is_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert stat.S_ISFIFO(path.stat().st_mode)
    writer = threading.Thread(target=path.write_bytes, args=(b"Revenue rose.",))
    writer.start()
    assert read(path).text == "Revenue rose."
    writer.join()


def test_xml_entities_that_expand_into_entities_are_refused():
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE article [<!ENTITY e0 "ha">{levels}]><article><front/><body><p>&e9;</p></body></article>'
    refused(TooLargeDocumentError, bomb.encode(), name="a.nxml", says="expand")  # expanded they are two gigabytes


def test_xml_that_draws_text_from_other_files_is_refused(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    declared = f'<!DOCTYPE article [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    data = f"{declared}<article><front/><body><p>&x;</p></body></article>"
    refused(UnsupportedFormatError, data.encode(), name="a.nxml", says="another file")
    office = formats.docx(STORY, members={"word/document.xml": data.encode()}, without=["word/document.xml"])
    refused(UnsupportedFormatError, office, says="another file")


def test_truncated_xml_is_corrupt():
    data = formats.jats(STORY)
    refused(CorruptDocumentError, data[: len(data) // 2], name="a.nxml", says="well-formed")


@pytest.mark.slow
def test_a_table_with_absurd_spans_stays_small():
    row = b"<tr><td colspan=1000000000 rowspan=1000000000>a</td><td>b</td></tr>"
    document = read(b"<html><body><table>" + row * 200 + b"</table></body></html>")
    assert document.text.count("b") == 200
    assert len(document.text) < 100_000


@pytest.mark.parametrize("junk", [b"\r\n\r\n", b"junk of a mail gateway\n"])
def test_a_pdf_with_junk_before_its_header_is_taken_for_a_pdf(junk):
    from citewell.readers.sniff import sniff

    assert sniff(junk + b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF") == "pdf"
    assert sniff(b"A text about the mark %PDF-1.4 of PDF files.", "a.txt") == "plain"


def test_a_saved_document_that_was_changed_is_corrupt(tmp_path):
    document = read(formats.html(STORY))
    path = tmp_path / "saved.json"
    document.save(path)
    assert read(path).text == document.text
    path.write_text(path.read_text().replace("rose", "fell"))
    refused(CorruptDocumentError, path, says="changed")
