"""The strip of small pages beside the reader: only what is seen is drawn, one click goes there, keys too."""

from importlib import resources

import pytest

from browsers import upload
from formats import heading, html, paragraph
from pdfs import long_pdf

pytestmark = [pytest.mark.browser, pytest.mark.rare]
MANY = 700
CURRENT = "#thumbs [aria-current=page]"


def opened(visit, pages, **options):
    """A document of so many pages beside its small pages, and what was asked for to draw those."""
    page = visit(**options)
    small = []
    page.on("request", lambda request: small.append(request.url) if "scale=0." in request.url else None)
    if options.get("viewport", {}).get("width", 1300) < 960:
        page.click("nav [data-pane=documents]")
    upload(page, "log.pdf", long_pdf(pages))
    if options.get("viewport", {}).get("width", 1300) < 960:
        page.click("nav [data-pane=viewer]")
    page.wait_for_selector(".sheet canvas")
    page.click("#thumbs-open")
    page.wait_for_selector("#thumbs li canvas")
    return page, small


def test_only_what_is_seen_of_seven_hundred_pages_is_drawn(visit):
    page, small = opened(visit, MANY)
    assert page.locator("#thumbs li").count() == MANY
    page.wait_for_function("() => document.querySelectorAll('#thumbs canvas').length >= 5")
    page.eval_on_selector("#thumbs-list", "list => list.scrollTo(0, list.scrollHeight)")
    page.wait_for_selector(f"#thumbs li[data-page='{MANY}'] canvas")
    page.wait_for_selector("#thumbs li[data-page='1'] canvas", state="detached")  # far away: let go
    page.wait_for_timeout(500)
    drawn = page.locator("#thumbs canvas").count()
    assert drawn <= 20
    assert len(small) <= 40
    page.click(f"#thumbs li[data-page='{MANY}'] button")
    page.wait_for_selector(f".sheet[data-page='{MANY}'] canvas")
    assert page.get_attribute(CURRENT, "aria-label") == f"Page {MANY} of {MANY}"
    assert page.input_value("#at") == str(MANY)
    page.fill("#at", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#thumbs li[data-page='1'] [aria-current=page]")  # the strip goes with the reader
    page.wait_for_selector("#thumbs li[data-page='1'] canvas")
    first = [url for url in small if "/pages/1.png" in url]
    assert len(first) == 1  # it is drawn from what was sent before


def test_keys_go_from_page_to_page_and_a_reload_keeps_the_strip(visit):
    page, _ = opened(visit, 5)
    page.focus(CURRENT)
    for key, wanted in (("ArrowDown", 2), ("ArrowDown", 3), ("End", 5), ("ArrowUp", 4), ("Home", 1)):
        page.keyboard.press(key)
        page.wait_for_selector(f"#thumbs li[data-page='{wanted}'] [aria-current=page]:focus")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('scroller').scrollTop > 0")
    assert page.locator("#thumbs button[tabindex='0']").count() == 1
    page.reload()
    page.wait_for_selector("#thumbs li canvas")
    page.click("#thumbs-open")
    page.wait_for_selector("#thumbs", state="hidden")
    assert page.get_attribute("#thumbs-open", "aria-expanded") == "false"


def test_a_document_without_pages_has_no_strip(visit):
    page, _ = opened(visit, 2)
    upload(page, "parts.html", html([heading("Harbours", 1), paragraph("Two froze.")]))
    page.click("#list li:has-text('Harbours') .name, #list li:has-text('parts') .name")
    page.wait_for_selector("#scroller .running")
    assert page.is_hidden("#thumbs")
    assert page.is_hidden("#thumbs-open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_axe_finds_no_fault_in_the_strip_and_nothing_sticks_out(visit, width, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page, _ = opened(visit, 12, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#scroller").bounding_box()["height"] > 400
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    result = page.evaluate("() => axe.run()")
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in result["violations"]] == []
