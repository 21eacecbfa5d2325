"""E-mails: headers, the richest form of the text, messages inside, attachments by name."""

from __future__ import annotations

import time
from email.message import EmailMessage

import pytest

from citewell.errors import EmptyDocumentError, TooLargeDocumentError
from citewell.readers import Budget, read

TEXT = "Hello all,\n\nThe pumps arrive on 3 March 2023.\n\nIris\n"


def message(text: str | None = TEXT, **headers: str) -> EmailMessage:
    email_message = EmailMessage()
    for name, value in {
        "Subject": "Prüfung der Pumpen",
        "From": "Iris Vogt <iris@example.org>",
        "Date": "Tue, 14 Feb 2023 09:12:00 +0100",
        **headers,
    }.items():
        email_message[name] = value
    if text is not None:
        email_message.set_content(text)
    return email_message


def test_a_message_is_its_headers_and_its_text():
    document = read(message(To="team@example.org").as_bytes())
    assert document.text == (
        "Prüfung der Pumpen\n\nFrom: Iris Vogt <iris@example.org>\nTo: team@example.org\nDate: Tue, 14 Feb 2023 09:12:00 +0100\n\n"
        "Hello all,\n\nThe pumps arrive on 3 March 2023.\n\nIris"
    )
    assert document.title == "Prüfung der Pumpen"
    assert document.warnings == ()


def test_of_two_forms_of_a_text_the_one_with_tables_is_read():
    built = message()
    built.add_alternative(
        "<p>The pumps.</p><table><tr><td>Item</td><td>Pieces</td></tr><tr><td>Pump</td><td>12</td></tr></table>",
        subtype="html",
    )
    document = read(built.as_bytes())
    assert document.text.endswith("+0100\n\nThe pumps.\n\nItem | Pieces\nPump | 12")
    assert len(document.tables()) == 1


def test_an_empty_form_gives_way_to_the_one_with_words():
    built = message()
    built.add_alternative(" \n", subtype="html")
    assert read(built.as_bytes()).text.endswith("Iris")


def test_attachments_are_named_with_their_size():
    built = message()
    built.add_attachment(b"x" * 5000, maintype="application", subtype="pdf", filename="Angebot Müller.pdf")
    built.add_attachment(b"y", maintype="image", subtype="png")
    assert read(built.as_bytes()).warnings == (
        "2 attachments were not read: Angebot Müller.pdf (5 KB), image/png (1 KB): save what you need and give it as a document",
    )


def test_a_message_inside_is_read_below_its_own_subject():
    built = message()
    built.add_attachment(message("We can deliver.", Subject="Re: offer"))
    document = read(built.as_bytes())
    assert document.segments("sentence")[-1].path == ("Prüfung der Pumpen", "Re: offer")
    assert document.text.endswith("We can deliver.")


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "cp1252"])
@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
def test_texts_are_decoded_as_they_say(charset, encoding):
    built = message(None)
    built.set_content("Größe: 5 m²", charset=charset, cte=encoding)
    assert read(built.as_bytes()).text.endswith("Größe: 5 m²")


def test_what_is_a_message_is_told_by_its_headers_unless_its_name_says_otherwise():
    text = b"From: me\nMessage-ID: <1>\n\nHello."
    assert read(text).text == "From: me\n\nHello."
    assert read(text, name="notes.txt").text == text.decode()
    assert read(b"Note: x\n\nFrom: me", name="letter").text == "Note: x\n\nFrom: me"
    assert read(b"From: me\nSubject: Hi\n\nHello.", name="a.eml").title == "Hi"


def test_parts_in_parts_without_end_are_refused():
    head = b"From: a\nMIME-Version: 1.0\n"
    nested = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(100))
    with pytest.raises(TooLargeDocumentError) as caught:
        read(head + nested + b"\nHello.")
    assert caught.value.limit == "nesting"
    with pytest.raises(TooLargeDocumentError) as caught:
        read(head + b"\n" + b"\n--" * 200, budget=Budget(members=100))
    assert caught.value.limit == "members"


def test_a_header_of_a_megabyte_takes_no_time():
    began = time.process_time()
    assert read(b"From: a\nMIME-Version: 1.0\nSubject: " + b"=?utf-8?q?a" * 100_000 + b"\n\nHello.").text.endswith(
        "Hello."
    )
    assert read(
        b"From: a\nMIME-Version: 1.0\nContent-Type: text/plain" + b"; a=b" * 500_000 + b"\n\nHello."
    ).text.endswith("Hello.")
    assert time.process_time() - began < 4


def test_a_message_without_a_word_is_empty():
    with pytest.raises(EmptyDocumentError):
        read(b"Received: x\nMIME-Version: 1.0\n\n", name="a.eml")
