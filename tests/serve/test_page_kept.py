"""The page in a real browser: answers from elsewhere, history, corrections, tokens, hostile documents, access."""

import json
from importlib import resources

import pytest

from browsers import ask, upload
from formats import html, markdown, paragraph
from pdfs import long_pdf, make_pdf, prose

pytestmark = [pytest.mark.browser, pytest.mark.rare]
TEXT = "The harbour froze in January 2021. Two ferries were sold. Revenue rose to 5 million euros in 2022."
HOSTILE = (
    "<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></svg> The harbour froze in January 2021. "
    "[ships](javascript:alert(4)) &lt;b&gt; {{title}} \N{RIGHT-TO-LEFT OVERRIDE}txt"
)


def choose(page, kind, text, other=None):
    page.eval_on_selector(f"[name=kind][value={kind}]", "radio => radio.click()")
    page.fill("#given", text)
    if other:
        page.fill("#other", other)
    page.click("#go")
    page.wait_for_selector(".result footer", state="attached")


def labels(page):
    return [
        text.split("\n")[0].split(" ", 1)[1].rsplit(" ", 1)[0] if "%" in text else text
        for text in page.locator(".statement .label").all_inner_texts()
    ]


def test_copied_words_of_a_pasted_answer_are_marked_and_each_leads_to_its_source(visit):
    page = visit()
    upload(page, "a.html", html([paragraph(TEXT)]))
    page.click("#options summary")
    page.eval_on_selector("[name=kind][value=attribute]", "radio => radio.click()")
    page.select_option("[name=granularity]", "token")
    choose(page, "attribute", "We know that the harbour froze in January 2021, says he.")
    copied = page.locator("mark.copied")
    assert "harbour froze in January 2021" in "".join(copied.all_text_contents())
    copied.first.click()
    page.wait_for_selector(".running mark.lit")
    assert "harbour froze" in "".join(page.locator(".running mark.lit").all_text_contents())


def test_claims_are_labelled_in_words_with_what_differs(visit):
    page = visit()
    upload(page, "a.html", html([paragraph(TEXT)]))
    choose(page, "check", "Two ferries were sold.\nRevenue rose to 9 million euros in 2022.")
    assert labels(page) == ["supported", "contradicted"]
    assert "9 million" in page.inner_text(".statement.contradicted .fault")
    page.click(".statement.contradicted .reasons .chip")
    page.wait_for_selector(".running mark.lit")
    assert "5 million" in "".join(page.locator(".running mark.lit").all_text_contents())


def test_a_response_is_audited_and_two_answers_stand_side_by_side(visit):
    page = visit()
    upload(page, "a.html", html([paragraph(TEXT)]))
    choose(page, "audit", "Two ferries were sold [1]. The moon is a ferry [1].")
    assert page.inner_text(".facts dd >> nth=0") == "1 of 2"
    assert "does not support" in page.inner_text(".statement >> nth=1")
    page.evaluate("() => document.querySelectorAll('.result').forEach(result => result.remove())")
    choose(page, "compare", "Two ferries were sold.", "Nine ferries were sold.")
    first, second = page.locator(".result").all()
    assert [first.locator(".label").count(), second.locator(".label").count()] == [1, 1]
    assert first.bounding_box()["y"] == second.bounding_box()["y"]
    second.locator(".label").click()
    assert "chosen" in second.locator(".statement").get_attribute("class")
    assert "chosen" not in first.locator(".statement").get_attribute("class")


def test_history_and_corrections_outlive_a_reload(visit, service):
    page = visit()
    upload(page, "a.html", html([paragraph(TEXT)]))
    ask(page, "When did the harbour freeze?")
    page.click(".statement .label")
    page.click(".correcting button")
    page.select_option(".correcting select", "not_supported")
    page.wait_for_selector(".running p")
    page.eval_on_selector(
        ".running p", "p => { const last = p.lastChild; getSelection().setBaseAndExtent(last, 1, last, 23) }"
    )
    page.wait_for_selector("#rests:not([hidden])")
    page.click("text=Add what is selected")
    page.fill(".correcting textarea", "Not the harbour: a bay.")
    page.click("text=Keep the correction")
    page.wait_for_selector(".correction")
    page.reload()
    page.wait_for_selector(".correction")
    text = page.inner_text(".correction")
    assert "not supported" in text
    assert "Two ferries were sold" in text
    assert "Not the harbour: a bay. local" in text
    assert page.inner_text(".result h2") == "When did the harbour freeze?"
    assert page.locator("#entries li").count() == 1
    page.click(".more summary")
    with page.expect_download() as saved:
        page.click(".exports >> text=Markdown")
    assert "January 2021" in saved.value.path().read_text()
    page.fill("#search", "nothing of that")
    page.wait_for_selector("#entries li", state="detached")
    page.fill("#search", "harbour")
    page.wait_for_selector("#entries li")
    page.click("#entries .remove")
    page.wait_for_selector("#entries li", state="detached")
    assert service.service.pool.desk._library("library", ()).entries()  # the document stays


def test_an_address_that_names_a_stretch_of_a_document_shows_it(visit, service):
    page = visit()
    upload(page, "a.pdf", make_pdf([TEXT]))
    name = page.get_attribute("#list li", "data-id")
    page.goto(f"{service.address}/#document={name}&start=4&end=17")
    page.wait_for_selector(".marks .lit rect.line")
    assert page.locator(".marks .lit rect.line").count() == 1


def test_hostile_documents_names_and_questions_run_nothing(visit):
    page = visit()
    name = "<img src=x onerror=alert(5)>.html"
    escaped = HOSTILE.replace("&", "&amp;").replace("<", "&lt;")
    upload(page, name, f"<h1>{escaped}</h1><p>{escaped}</p><script>alert(6)</script>".encode())
    upload(page, "b.md", markdown([paragraph(HOSTILE)]) + b"\n<script>alert(7)</script>\n")
    ask(page, f"When did the harbour freeze? {HOSTILE}")
    page.wait_for_selector("#entries li")
    for document in page.locator("#list .name").all():
        document.click()
        page.wait_for_selector(".running .chunk.full")
    assert page.locator("#documents img, #answer img, #scroller img, #scroller script, #scroller a").count() == 0
    assert name in page.inner_text("#list")
    drawing = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(8)'><text>ships</text></svg>"
    page.set_input_files("#files", {"name": "<b>c</b>.svg", "mimeType": "image/svg+xml", "buffer": drawing})
    page.wait_for_selector(".uploads .failed")
    assert "<b>c</b>.svg" in page.inner_text(".uploads .failed")
    page.problems[:] = [problem for problem in page.problems if "status of 4" not in problem]


def test_five_hundred_pages_scroll_and_those_far_away_are_let_go(visit):
    page = visit(viewport={"width": 1000, "height": 500})
    upload(page, "long.pdf", long_pdf(500))
    page.wait_for_selector(".sheet canvas")
    pages = page.locator(".sheet").count()
    assert pages == 500
    for wanted in (1, pages // 2, pages):
        page.fill("#at", str(wanted))
        page.keyboard.press("Enter")
        page.wait_for_selector(f".sheet[data-page='{wanted}'] canvas")
        page.wait_for_selector(f".sheet[data-page='{wanted}'] .words div")
    page.wait_for_selector(".sheet[data-page='1'] canvas", state="detached")
    assert page.locator("canvas").count() <= 8


def test_a_service_that_wants_a_token_asks_for_it_once_and_keeps_it_for_the_tab(visit, served, tmp_path):
    (tmp_path / "tokens").write_text("a-token-0123456789abcdef name=ann labels=a\n")
    with served(tmp_path, token_file=tmp_path / "tokens") as guarded:
        page = visit.open(guarded.address)
        page.fill("#token-given", "wrong-token-0123456789")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('token-why').textContent !== ''")
        page.fill("#token-given", "a-token-0123456789abcdef")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-ready]")
        upload(page, "a.pdf", make_pdf([TEXT]))
        page.wait_for_selector(".sheet canvas")
        page.reload()
        page.wait_for_selector("#list li")
        stored = page.evaluate("() => JSON.stringify([localStorage, sessionStorage, document.cookie])")
        lasting, of_the_tab, cookies = map(str, json.loads(stored))
        assert "a-token" in of_the_tab
        assert "a-token" not in lasting + cookies
        page.problems[:] = [problem for problem in page.problems if "401" not in problem]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(visit, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page = visit(color_scheme=scheme)
    upload(page, "a.pdf", make_pdf([TEXT, prose(200)]))
    choose(page, "check", "Two ferries were sold.\nRevenue rose to 9 million euros in 2022.\nGood morning.")
    page.click(".statement .label >> nth=1")
    page.click(".statement:nth-child(2) .correcting button")
    page.click("#options summary")
    page.wait_for_selector(".marks .lit rect")
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    result = page.evaluate("() => axe.run()")
    assert len(result["passes"]) > 20
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in result["violations"]] == []


@pytest.mark.parametrize("width", [360, 2560])
def test_nothing_sticks_out_sideways_and_all_can_be_reached(visit, width):
    page = visit(viewport={"width": width, "height": 740})
    if width < 960:
        page.click("nav [data-pane=documents]")
    upload(page, "a.pdf", make_pdf([TEXT]))
    if width < 960:
        page.click("nav [data-pane=answer]")
    ask(page, "When did the harbour freeze?")
    assert page.locator(".pane").evaluate_all("panes => panes.filter(pane => pane.offsetHeight).length") == (
        1 if width < 960 else 3
    )
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.click(".statement .label")
    page.wait_for_selector(".marks .lit rect", state="visible")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".marks .lit rect.line").first.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert 0 <= box["y"] <= 740
