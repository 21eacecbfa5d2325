"""The reader of the page: words searched in a document, its headings, links to it, what is selected; and the shelf."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from browsers import rest, upload
from formats import heading, html, paragraph
from pdfs import prose

pytestmark = [pytest.mark.browser, pytest.mark.rare]


def log(pages):
    """Pages of prose, each with "otter" twice."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 400), invariant=1)
    for number in range(pages):
        words = prose(24, seed=number).split()
        for line in range(0, len(words), 4):
            canvas.drawString(30, 350 - 9 * (line + number), " ".join(words[line : line + 4]))
        canvas.drawString(
            30, 200 - 9 * number, f"{words[2]} {words[3 + number % 4]} otter {words[0]}, the Otter {words[1]}."
        )
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_all_matches_in_a_document_are_counted_and_each_is_lit(visit):
    page = visit()
    upload(page, "log.pdf", log(12))
    page.wait_for_selector("#overview h2")
    page.fill("#find", "OTTER")
    page.wait_for_selector("#find-count:text-is('1 of 24')")
    page.wait_for_selector('.marks g[data-p="-1"].lit rect')
    page.press("#find", "Shift+Enter")
    page.wait_for_selector("#find-count:text-is('24 of 24')")
    page.wait_for_selector('[data-page="12"] .marks g[data-p="-1"].lit rect')
    page.press("#find", "Enter")
    page.wait_for_selector("#find-count:text-is('1 of 24')")
    page.fill("#find", "submarine")
    page.wait_for_selector("#find-count:text-is('0')")
    assert page.locator('.marks g[data-p="-1"]').count() == 0
    assert page.is_disabled("#find-after")


def test_headings_lead_to_their_places_and_a_link_to_the_document(visit, service):
    page = visit()
    parts = [heading("Harbours", 1), paragraph("Two froze."), heading("Ferries", 1), paragraph("Nine sailed in 2021.")]
    upload(page, "parts.html", html(parts))
    page.wait_for_selector("#overview h2")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#link")
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied").startswith(f"{service.address}/#document=")
    page.click("#contents summary")
    page.click("#contents-list button:has-text('Ferries')")
    page.wait_for_selector(".running mark.lit:has-text('Ferries')")
    assert page.evaluate("document.getElementById('contents').open") is False


def test_what_is_selected_is_checked_searched_elsewhere_and_quoted(visit):
    page = visit()
    upload(page, "b.html", html([paragraph("The harbour froze in January 2021."), paragraph("Nobody drowned.")]))
    upload(page, "a.html", html([paragraph("The harbour froze in January 2021.")]))
    page.wait_for_selector(".running p")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.running p'))")
    page.click("#rests button:has-text('Copy as quotation')")
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied").startswith("“The harbour froze in January 2021.” (")
    assert "&start=0&end=34" in page.evaluate("window.copied")
    page.click("#rests button:has-text('Find in others')")
    page.wait_for_selector(".result footer")
    rest(page)
    assert page.inner_text("#scope").startswith("Asks only")
    assert "froze in January" in page.inner_text(".result .said")


def test_many_documents_are_sorted_and_a_reload_keeps_the_order(visit, service):
    import httpx2 as httpx

    for number in range(9):
        body = {"text": f"Ship {number} sank.", "title": f"Ship {5 * number % 9}"}
        httpx.post(f"{service.address}/v1/documents", json=body)
    page = visit()
    page.select_option("#order", "name")
    names = [f"Ship {number}" for number in range(9)]
    assert [text.split("\n")[0] for text in page.locator("#list .name").all_inner_texts()] == names
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert [text.split("\n")[0] for text in page.locator("#list .name").all_inner_texts()] == names


def test_the_documents_that_are_chosen_are_removed_together(visit, service):
    import httpx2 as httpx

    ids = []
    for number in range(3):
        body = {"text": f"Ship {number} sank.", "title": f"Ship {number}"}
        ids.append(httpx.post(f"{service.address}/v1/documents", json=body).json()["id"])
    page = visit()
    assert page.is_hidden("#remove-chosen")
    page.uncheck(f'#list [data-id="{ids[1]}"] input')
    assert page.inner_text("#remove-chosen") == "Remove the 2 chosen"
    page.click("#remove-chosen")
    assert page.inner_text("#remove-chosen") == "Remove 2 documents?"
    page.click("#remove-chosen")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 1")
    left = httpx.get(f"{service.address}/v1/documents").json()["documents"]
    assert [row["id"] for row in left] == ids[1:2]
    assert page.is_hidden("#remove-chosen")
