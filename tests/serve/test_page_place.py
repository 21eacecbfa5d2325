"""The page keeps its place: Back, a reload, a second tab, a lost service; and it holds many documents."""

import re
from importlib import resources

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.rare]
TITLE = "A report on harbours, canals and other waterways of the north and of the west, 2021"


@pytest.fixture
def two(service):
    import httpx2 as httpx

    texts = {
        TITLE: "Revenue of the harbour was 35.1 million euros in 2023.",
        "Ferries": "The ferries carried 1,604 people in 2023.",
    }
    return [
        httpx.post(f"{service.address}/v1/documents", json={"text": text, "title": title}).json()["id"]
        for title, text in texts.items()
    ]


def ask(page, question="What was revenue in 2023?"):
    page.evaluate("document.body.dataset.pane = 'answer'")
    page.fill("#given", question)
    page.click("#go")
    page.wait_for_selector(".result footer")


def test_back_reload_and_a_link_lead_to_the_same_place(two, visit):
    page = visit()
    ask(page)
    place = page.evaluate("location.hash")
    assert place.startswith("#history=")
    page.click(f'#list [data-id="{two[1]}"] .name')
    page.wait_for_function(f"location.hash.includes('document={two[1]}')")
    page.go_back()
    page.wait_for_function(f"location.hash === '{place}'")
    assert page.locator(".result").count() == 1
    page.uncheck(f'#list [data-id="{two[1]}"] input')
    page.reload()
    page.wait_for_selector(".result footer")
    assert page.evaluate("location.hash") == place
    assert [page.is_checked(f'#list [data-id="{name}"] input') for name in two] == [True, False]
    page.go_back()
    page.wait_for_function("location.hash === ''")
    page.wait_for_selector(".result", state="detached")


def test_a_second_tab_sees_what_was_added_and_removed(two, visit, service):
    import httpx2 as httpx

    page = visit()
    page.wait_for_selector(f'#list [data-id="{two[0]}"]')
    httpx.delete(f"{service.address}/v1/documents/{two[0]}")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(f'#list [data-id="{two[0]}"]', state="detached")


def test_a_lost_service_is_said_and_tried_again(two, visit):
    page = visit()
    page.route("**/v1/documents?*", lambda route: route.abort())
    page.route("**/health/live", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("#lost:not([hidden])")
    page.unroute("**/v1/documents?*")
    page.unroute("**/health/live")
    page.click("#retry")
    page.wait_for_selector("#lost", state="hidden")
    page.problems[:] = [problem for problem in page.problems if "ERR_FAILED" not in problem]


def test_many_documents_are_filtered_and_shown_in_parts(visit, service):
    import httpx2 as httpx

    for number in range(9):
        httpx.post(f"{service.address}/v1/documents", json={"text": f"Ship {number} sank.", "title": f"Ship {number}"})
    page = visit()
    page.fill("#filter", "ship 7")
    assert page.locator("#list .name").all_inner_texts() == ["Ship 7"]
    page.fill("#filter", "nothing")
    assert page.locator("#list li").inner_text() == "No document has these words."


@pytest.mark.parametrize("width", [390, 1000, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_short_answer_of_two_documents_stands_on_few_lines_and_axe_finds_nothing(two, visit, width, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    ask(page)
    lines = page.evaluate(
        "getComputedStyle(document.querySelector('.value strong')).lineHeight.replace('px', '')"
        " && document.querySelector('.value strong').getClientRects()[0].height"
        " / parseFloat(getComputedStyle(document.querySelector('.value strong')).lineHeight)"
    )
    assert lines < 2.1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    for pane in ("documents", "answer", "viewer") if width == 390 else ("answer",):
        page.evaluate(f"document.body.dataset.pane = '{pane}'")
        faults = page.evaluate("() => axe.run()")["violations"]
        assert [(fault["id"], fault["impact"]) for fault in faults] == [], pane


def test_what_happens_is_said_in_words_of_people(visit):
    page = visit()
    assert not re.search(r"pip install|They stay on this service|is read\b", page.content())
