"""The page in a real browser: documents, questions, and evidence that lies where the words are."""

import io
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from browsers import ask, upload
from formats import docx, heading, html, paragraph, table
from pdfs import make_pdf, prose

Image = pytest.importorskip("PIL.Image")
pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
FROZE = "The harbour froze in January 2021."


def red_words(rotation=0, crop=None):
    """A page on which the only red ink is the sentence that answers."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(400, 500), invariant=1)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(80, 380, "Two ferries were sold to the islands.")
    canvas.setFillColorRGB(1, 0, 0)
    canvas.drawString(80, 300, FROZE)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(80, 220, "Nobody complained about the fares.")
    canvas.save()
    document = pypdfium2.PdfDocument(buffer.getvalue())
    if crop:
        document[0].set_cropbox(*crop)
    document[0].set_rotation(rotation)
    turned = io.BytesIO()
    document.save(turned)
    document.close()
    return turned.getvalue()


def box(mask):
    rows, columns = mask.any(axis=1).nonzero()[0], mask.any(axis=0).nonzero()[0]
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1])


@pytest.mark.parametrize(("rotation", "crop"), [(0, None), (90, (40, 150, 380, 420)), (270, None)])
def test_the_rectangle_lies_over_the_words(visit, rotation, crop):
    page = visit(device_scale_factor=2 if crop else 1)
    upload(page, "red.pdf", red_words(rotation, crop))
    ask(page, "When did the harbour freeze?")
    page.click(".statement .label")
    page.wait_for_selector(".sheet[data-drawn] .marks .lit rect")
    if rotation == 270:
        drawn = page.get_attribute(".sheet", "data-drawn")
        page.click("#smaller")
        page.wait_for_function("drawn => document.querySelector('.sheet').dataset.drawn !== drawn", arg=drawn)
    shot = Image.open(io.BytesIO(page.locator(".sheet").screenshot())).convert("RGB")
    colours = np.asarray(shot).astype(int)
    red, green, blue = colours[..., 0], colours[..., 1], colours[..., 2]
    ink = box((red > 200) & (green < 90) & (blue < 90))
    lit = box((red > 220) & (green > 180) & (blue < 150))
    points = shot.width / page.evaluate("document.querySelector('.sheet').style.getPropertyValue('--w')* 1")
    assert (lit[:2] <= ink[:2] + 1).all()
    assert (lit[2:] >= ink[2:] - 1).all()
    assert np.abs(lit - ink).max() <= 6 * points  # and not over much else: a line is 12 points high


def test_a_pdf_is_dropped_in_asked_and_its_cell_is_lit_with_its_headers(visit):
    page = visit()
    upload(page, "annual-report.pdf", EXAMPLE.read_bytes())
    assert "11 pages" in page.inner_text("#list")
    ask(page, "What was revenue in 2023?")
    assert page.inner_text(".value strong") == "35.1"
    assert "quoted" in page.inner_text(".statement .label")
    page.click(".value")
    page.wait_for_selector(".marks .lit rect.cell")
    assert page.locator(".marks .lit rect.head").count() == 3
    page.wait_for_function("() => document.getElementById('at').value === '2'")
    page.wait_for_selector(".sheet[data-page='2'] .words div")
    words = page.evaluate(
        "[...document.querySelectorAll('.sheet[data-page=\"2\"] .words div')].map(e => e.textContent)"
    )
    assert "Revenue (€ million)" in words


def test_evidence_in_word_and_html_is_marked_by_offsets_behind_emoji(visit):
    story = [heading("Ferries 🛳🛳"), paragraph("Ships 🛳 sailed. " + FROZE), table(("", "2021"), ("Ships", "5"))]
    for name, data in (("a.docx", docx(story)), ("b.html", html(story))):
        page = visit()
        upload(page, name, data)
        page.click("#list .name >> nth=0")
        ask(page, "When did the harbour freeze?")
        page.click(".statement .label")
        page.wait_for_selector(".running mark.lit")
        assert "".join(page.locator(".running mark.lit").all_text_contents()) == FROZE
        page.click("#list .remove >> nth=0")
        page.click("#list .remove >> nth=0")
        page.wait_for_function("() => !document.querySelectorAll('#list li').length")


def test_hovering_lights_and_keys_go_from_evidence_to_evidence(visit):
    page = visit()
    upload(page, "annual-report.pdf", EXAMPLE.read_bytes())
    ask(page, "What was revenue in 2023?")
    page.wait_for_selector(".marks .lit rect")  # the first evidence of an answer is shown without being asked for
    page.keyboard.press("Escape")
    page.press("#given", "Escape")
    page.wait_for_selector(".chip.lit", state="detached")
    page.hover(".statement")
    page.wait_for_selector(".chip.lit")
    page.mouse.move(5, 5)
    page.wait_for_selector(".chip.lit", state="detached")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.className") == "label"
    assert page.get_attribute(".statement .label", "aria-pressed") == "true"
    assert page.inner_text("#turn") == "1 of 2"
    page.keyboard.press("n")
    assert page.inner_text("#turn") == "2 of 2"
    page.keyboard.press("n")
    page.keyboard.press("p")
    assert page.inner_text("#turn") == "2 of 2"
    assert "page 2" in page.inner_text("#live")


def test_evidence_that_goes_over_a_page_is_lit_on_both(visit):
    text = (
        "The harbour of Skelby froze over in the first days of January 2021 and so nobody sailed from there to the islands "
        "of the north before the spring came back."
    )
    data = make_pdf([f"{prose(156)} {text} {prose(60, 3)}"], size=(300, 300), margin=40)
    page = visit()
    upload(page, "a.pdf", data)
    ask(page, "When did the harbour of Skelby freeze over?")
    page.click(".statement .label")
    for number in (1, 2):
        page.wait_for_selector(f".sheet[data-page='{number}'] .marks .lit rect.line", state="attached")


def test_an_abstention_shows_what_comes_nearest_and_leads_there(visit):
    page = visit()
    upload(page, "annual-report.pdf", EXAMPLE.read_bytes())
    ask(page, "Who won the world cup?")
    assert page.inner_text(".abstained h3") == "No answer"
    assert "disposable cups" in page.inner_text(".near >> nth=0")
    page.click(".near .chip >> nth=0")
    page.wait_for_selector(".marks .nearest.lit rect")
    page.wait_for_function("() => document.getElementById('at').value === '7'")


def test_selecting_goes_both_ways(visit):
    page = visit()
    upload(page, "a.html", html([paragraph(f"Ships sailed. {FROZE} Nobody complained.")]))
    ask(page, "When did the harbour freeze?")
    page.wait_for_selector(".running mark")
    select = "e => getSelection().selectAllChildren(e)"
    page.eval_on_selector(".running mark", select)
    page.wait_for_selector("#rests:not([hidden])")
    assert "1 statement rests on what is selected" in page.inner_text("#rests")
    page.wait_for_selector(".statement.lit")
    page.eval_on_selector(".running p", "p => getSelection().setBaseAndExtent(p.firstChild, 0, p.firstChild, 5)")
    page.wait_for_function("() => document.getElementById('rests').innerText.includes('No statement rests')")
    page.eval_on_selector(".said", "p => getSelection().setBaseAndExtent(p.firstChild, 4, p.firstChild, 11)")
    page.wait_for_selector(".running mark.lit")
