"""The shelf of the page: what failed is tried again, collections, many documents in parts, two languages."""

import json
from importlib import resources

import pytest

from browsers import ask, upload
from pdfs import make_pdf

pytestmark = [pytest.mark.browser, pytest.mark.rare]


@pytest.fixture
def ships(service):
    """The ids of three documents, the newest last; collections are dissolved afterwards."""
    import httpx2 as httpx

    bodies = [{"text": f"Ship {number} sank in 190{number}.", "title": f"Ship {number}"} for number in range(3)]
    yield [httpx.post(f"{service.address}/v1/documents", json=body).json()["id"] for body in bodies]
    for row in httpx.get(f"{service.address}/v1/collections").json()["collections"]:
        httpx.delete(f"{service.address}/v1/collections/{row['id']}")


def names(page):
    return [text.split("\n")[0] for text in page.locator("#list .name").all_inner_texts()]


def faults(page):
    axe = pytest.importorskip("axe_playwright_python")
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    found = page.evaluate("() => axe.run()")["violations"]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]


def test_a_file_that_failed_says_why_and_is_tried_again_by_one_click(visit):
    page = visit()
    broken = b"%PDF-1.7 this is no document"
    page.set_input_files("#files", {"name": "a.pdf", "mimeType": "application/pdf", "buffer": broken})
    page.wait_for_selector("#uploads .failed")
    assert len(page.inner_text("#uploads .failed small")) > 10
    page.route("**/v1/documents", lambda route: route.fulfill(status=503, json={"error": {"message": "it rests"}}))
    page.set_input_files("#files", {"name": "b.txt", "mimeType": "text/plain", "buffer": b"Nine ferries sailed."})
    page.wait_for_selector("#uploads .failed >> nth=1")
    assert page.inner_text("#uploads .failed >> nth=1 >> small") == "it rests"
    assert faults(page) == []
    page.unroute("**/v1/documents")
    page.click("#uploads .failed >> nth=1 >> text=Try again")
    page.wait_for_selector("#list li")
    assert names(page) == ["b.txt"]
    page.click("#uploads [aria-label='Dismiss a.pdf']")
    page.wait_for_selector("#uploads li", state="detached")
    page.problems[:] = [problem for problem in page.problems if "status of" not in problem]


def test_documents_are_put_into_a_collection_asked_there_and_taken_out(ships, visit):
    page = visit()
    page.uncheck(f'#list [data-id="{ships[2]}"] input')
    page.select_option("#put-in", "+")
    page.fill("#collection-name", "Old ships")
    page.keyboard.press("Enter")
    page.wait_for_selector("#collection option:has-text('Old ships (2)')", state="attached")
    assert faults(page) == []
    page.select_option("#collection", label="Old ships (2)")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 2")
    assert names(page) == ["Ship 1", "Ship 0"]
    assert page.inner_text("#scope") == "Asks all 2 documents"
    page.reload()
    page.wait_for_selector("#list li >> nth=1")
    assert names(page) == ["Ship 1", "Ship 0"]
    page.uncheck(f'#list [data-id="{ships[0]}"] input')
    page.click("#take-out")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 1")
    assert names(page) == ["Ship 0"]
    page.click("#dissolve")
    page.click("#dissolve.sure")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 3")


def test_those_that_are_filtered_are_chosen_together(ships, visit, service):
    import httpx2 as httpx

    for number in range(6):
        httpx.post(f"{service.address}/v1/documents", json={"text": f"Boat {number} sank.", "title": f"Boat {number}"})
    page = visit()
    page.fill("#filter", "ship")
    page.click("#choose-these")
    assert page.inner_text("#scope").startswith("Asks 3 of 9 documents")
    page.click("#remove-chosen")
    page.click("#remove-chosen")
    page.fill("#filter", "")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 6")
    assert all(name.startswith("Boat") for name in names(page))


def test_ten_thousand_documents_are_listed_in_parts_and_filtered_at_once(visit):
    page = visit()
    rows = [
        {"id": f"{number:016x}", "title": f"Ship {number}", "source": None, "pages": None, "labels": [], "warnings": []}
        for number in range(10_000)
    ]

    def part(route):
        at = int(route.request.url.partition("after=")[2].partition("&")[0] or 0)
        some = rows[at : at + 1000]
        route.fulfill(json={"documents": some, "next": at + 1000 if at + 1000 < len(rows) else None})

    page.route("**/v1/documents?*", part)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("text=1–100 of 10,000")
    assert page.locator("#list li").count() == 100
    assert names(page)[0] == "Ship 9999"
    page.click("#rows-after")
    assert names(page)[0] == "Ship 9899"
    milliseconds = page.evaluate(
        """() => new Promise((resolve) => {
            const began = performance.now();
            const filter = document.getElementById('filter');
            filter.value = 'ship 77';
            filter.dispatchEvent(new Event('input', { bubbles: true }));
            const look = () => document.querySelector('.name span').textContent === 'Ship 9977'
                ? resolve(performance.now() - began) : setTimeout(look, 1);
            look();
        })"""
    )
    assert milliseconds < 2000
    many = sum("77" in str(number) for number in range(10_000))
    assert page.inner_text(".pager span") == f"1–100 of {many}"
    page.click("#rows-after")
    page.click("#rows-after")
    assert page.locator("#list li").count() == many - 200
    page.unroute("**/v1/documents?*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_speaks_german_where_the_browser_does_and_can_be_turned(visit, scheme):
    page = visit(locale="de-DE", color_scheme=scheme)
    assert page.get_attribute("html", "lang") == "de"
    assert page.inner_text("#start h2") == "Fragen Sie Ihre Dokumente"
    upload(page, "a.pdf", make_pdf(["The harbour froze in January 2021. Two ferries were sold."]))
    ask(page, "When did the harbour freeze?")
    assert page.inner_text(".statement .label").split("\n")[0].endswith("wörtlich")
    assert "S. 1" in page.inner_text(".statement .chip")
    assert faults(page) == []
    page.click("#language")
    page.wait_for_selector("html[lang=en]")
    page.wait_for_selector(".result footer")  # it is where it was
    assert "quoted" in page.inner_text(".statement .label")
    page.reload()
    page.wait_for_selector(".result footer")
    assert page.get_attribute("html", "lang") == "en"


def test_what_others_add_and_remove_is_there_at_once_by_events(visit, service):
    import httpx2 as httpx

    page = visit()
    with page.expect_response("**/v1/events*"):
        page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(1000)  # what comes and goes within the first look is never told
    name = httpx.post(f"{service.address}/v1/documents", json={"text": "Nine sailed.", "title": "Nine"}).json()["id"]
    page.click(f'#list [data-id="{name}"] .name', timeout=20_000)
    page.wait_for_selector("#scroller .running")
    httpx.delete(f"{service.address}/v1/documents/{name}")
    page.wait_for_selector("#scroller .empty", timeout=20_000)  # it is closed: nothing more can be asked of it
    page.wait_for_selector(f'#list [data-id="{name}"]', state="detached", timeout=20_000)


def test_a_file_that_is_read_shows_its_pages_so_far(visit):
    page = visit()
    page.route("**/v1/documents", lambda route: None)  # it is never replied to
    event = {"change": "changed", "id": "a", "upload": {"name": "a.txt", "size": 5, "pages": 12, "of": 40}}
    stream = f"event: upload\nid: 1\ndata: {json.dumps(event)}\n\n"
    page.route("**/v1/events*", lambda route: route.fulfill(content_type="text/event-stream", body=stream))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#files", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Nine."})
    page.wait_for_selector("#uploads small:text-is('reading … 12 of 40 pages')")
    assert page.get_attribute("#uploads progress", "value") == "0.3"
    page.unroute("**/v1/documents")
