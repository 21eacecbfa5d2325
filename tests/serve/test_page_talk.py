"""The page in a real browser as a visitor goes through it: overview, suggested questions, a conversation."""

from importlib import resources
from pathlib import Path

import pytest

from browsers import ask, rest, upload
from pdfs import make_pdf

pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).parents[2] / "examples" / "annual-report.pdf"
ORIEL = (
    "This report describes the ferries of Oriel Lines and their fares. Oriel Lines runs nine ferries. "
    "Fare income was $12 million in 2019. Fare income was $15 million in 2020."
)
TARROW = (
    "This report describes the barges of Tarrow Freight and its cranes. Tarrow Freight runs six barges. "
    "Crane hire was $31 million in 2019. Crane hire was $34 million in 2020."
)


@pytest.fixture
def talk(visit):
    """The page with two documents."""
    page = visit()
    upload(page, "oriel.pdf", make_pdf([ORIEL]))
    upload(page, "tarrow.pdf", make_pdf([TARROW]))
    page.wait_for_selector("#overview h2")
    return page


def test_a_document_is_followed_by_its_overview_and_one_click_asks(visit):
    page = visit()
    page.wait_for_selector("#start")
    upload(page, "annual-report.pdf", EXAMPLE.read_bytes())
    page.wait_for_selector("#overview .suggested")
    assert 3 <= page.locator("#overview .suggested").count() <= 5
    assert "annual report" in page.inner_text("#overview .kind").lower()
    page.click("#overview .says button >> nth=0")
    page.wait_for_selector(".marks .lit rect")
    question = page.inner_text("#overview .suggested >> nth=1")
    page.click("#overview .suggested >> nth=1")
    page.wait_for_selector(".result footer")
    assert page.inner_text(".result h2") == question
    assert page.locator(".abstained").count() == 0
    assert "Northwater Ferries" in page.inner_text(".result .about")
    page.wait_for_selector(".marks .lit rect")
    assert page.locator("#overview").is_hidden()
    ask(page, "What was total revenue in 2024 and 2025?")
    assert "Total revenue · 41,260 · 38,420 · 35,110" in page.locator(".said").last.inner_text()


def test_questions_that_are_answered_are_offered_where_one_is_not(talk):
    first = talk.inner_text("#overview .suggested >> nth=0")
    ask(talk, "Who won the world cup?")
    assert talk.inner_text(".abstained .suggested >> nth=0") == first
    talk.click(".abstained .suggested >> nth=0")
    talk.wait_for_selector(".turn >> nth=1 >> footer")
    assert talk.inner_text(".turn >> nth=1 >> h2") == first
    assert talk.locator(".turn >> nth=1 >> .abstained").count() == 0


def test_a_page_that_is_not_drawn_yet_shows_no_marks(talk):
    ask(talk, "What was fare income in 2019?")
    talk.wait_for_selector(".sheet[data-drawn] .marks rect")
    talk.evaluate("for (const sheet of document.querySelectorAll('.sheet')) delete sheet.dataset.drawn")
    assert not talk.locator(".sheet .marks").first.is_visible()


def test_a_follow_up_is_shown_as_it_was_understood_and_a_reload_keeps_the_conversation(talk):
    ask(talk, "What was fare income in 2019?")
    ask(talk, "And in 2020?")
    assert talk.locator(".turn").count() == 2
    assert talk.evaluate("[scrollY, document.getElementById('answer').scrollTop]") == [0, 0]
    assert talk.inner_text(".rewritten") == "Understood as: What was fare income in 2020?"
    assert "15" in talk.inner_text(".turn >> nth=1 >> .value strong")
    talk.wait_for_selector("#entries li:has-text('2 questions')")
    assert talk.locator("#entries li").count() == 1
    talk.reload()
    talk.wait_for_selector(".turn >> nth=1 >> footer")
    assert talk.locator(".result h2").all_inner_texts() == ["What was fare income in 2019?", "And in 2020?"]
    ask(talk, "And in 2019?")
    assert talk.locator(".rewritten").last.inner_text() == "Understood as: What was fare income in 2019?"


def test_a_question_is_edited_and_asked_again_in_its_place(talk):
    ask(talk, "What was fare income in 2019?")
    ask(talk, "And in 2020?")
    talk.click(".turn >> nth=0 >> text=Edit and ask again")
    assert talk.input_value("#given") == "What was fare income in 2019?"
    assert "after it" in talk.inner_text("#editing")
    talk.fill("#given", "What was crane hire in 2019?")
    talk.press("#given", "Enter")
    talk.wait_for_function(
        "() => document.querySelectorAll('.turn').length === 1 && document.querySelector('.result footer')"
    )
    rest(talk)
    assert talk.inner_text(".result h2") == "What was crane hire in 2019?"
    ask(talk, "And in 2020?")
    assert talk.locator(".rewritten").last.inner_text() == "Understood as: What was crane hire in 2020?"
    talk.wait_for_selector("#entries li:has-text('2 questions')")


def test_an_answer_names_its_document_and_is_copied_with_its_citations(talk):
    talk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(talk, "What was crane hire in 2019?")
    talk.click("text=Copy with citations")
    talk.wait_for_selector("text=Copied")
    copied = talk.evaluate("navigator.clipboard.readText()")
    assert "[1] “" in copied
    assert copied.endswith("p. 1")
    assert "tarrow" in talk.inner_text(".about")
    assert "oriel" not in talk.inner_text(".about")


def test_a_question_that_is_stopped_comes_back_to_be_asked_again(talk):
    talk.route("**/v1/ask", lambda route: None)  # it is never replied to
    talk.fill("#given", "What was crane hire in 2019?")
    talk.press("#given", "Enter")
    talk.click("#stop")
    talk.wait_for_selector("#stop", state="hidden")
    assert talk.locator(".turn").count() == 0
    assert talk.input_value("#given") == "What was crane hire in 2019?"
    talk.unroute("**/v1/ask")


def test_a_new_conversation_is_one_of_its_own_and_back_leads_to_the_other(talk):
    ask(talk, "What was fare income in 2019?")
    talk.click("#fresh")
    talk.wait_for_selector("#overview h2")
    ask(talk, "And in 2020?")
    assert talk.locator(".rewritten").count() == 0
    talk.wait_for_selector("#entries li >> nth=1")
    talk.go_back()
    talk.go_back()
    talk.wait_for_selector("h2:text-is('What was fare income in 2019?')")
    assert talk.locator(".turn").count() == 1


def test_a_suggested_question_asks_its_document_alone_and_says_so(talk):
    assert talk.inner_text("#scope") == "Asks all 2 documents"
    talk.click("#overview .suggested >> nth=0")
    talk.wait_for_selector(".result footer")
    assert talk.inner_text("#scope").startswith("Asks only ")
    talk.click("#scope button")
    assert talk.inner_text("#scope") == "Asks all 2 documents"


def test_an_answer_is_checked_and_a_pasted_text_is_offered_other_ways(talk):
    ask(talk, "What was crane hire in 2019?")
    talk.click("text=Check its claims")
    talk.click("#go")
    talk.wait_for_selector(".turn >> nth=1 >> footer")
    assert "Claims" in talk.inner_text(".turn >> nth=1 >> .kind").title()
    talk.click("#fresh")
    talk.check("[name=kind][value=ask]", force=True)
    talk.evaluate("document.getElementById('ways').open = false")
    talk.fill("#given", "Crane hire was $31 million [1].")
    assert talk.locator("[name=kind][value=audit]").is_visible()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (390, "light"),
        (1440, "dark"),
        pytest.param(390, "dark", marks=pytest.mark.rare),
        pytest.param(1440, "light", marks=pytest.mark.rare),
    ],
)
def test_axe_finds_no_fault_on_the_way(visit, width, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    script = (resources.files(axe) / "axe.min.js").read_text()
    page = visit(viewport={"width": width, "height": 844}, color_scheme=scheme)

    def faults(state):
        page.evaluate(script)
        found = page.evaluate("() => axe.run()")["violations"]
        assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], state
        assert page.evaluate("document.documentElement.scrollWidth") <= width, state
        assert page.evaluate("document.documentElement.scrollHeight") <= 844, state

    faults("empty")
    for name, text in (("oriel.pdf", ORIEL), ("tarrow.pdf", TARROW)):
        upload(page, name, make_pdf([text]))
    page.wait_for_selector("#overview h2")
    faults("overview")
    ask(page, "What was fare income in 2019?")
    page.evaluate("document.body.dataset.pane = 'answer'")
    ask(page, "And in 2020?")
    page.evaluate("document.body.dataset.pane = 'answer'")
    page.click(".turn >> nth=1 >> text=Edit and ask again")
    faults("conversation")
    page.evaluate("document.body.dataset.pane = 'documents'")
    faults("documents")


def test_contents_lead_to_their_place_and_what_is_selected_begins_a_question(visit):
    page = visit()
    upload(page, "annual-report.pdf", EXAMPLE.read_bytes())
    page.wait_for_selector("#overview .suggested")
    page.click(".contents summary")
    page.click(".contents button:has-text('Fleet')")
    page.wait_for_function("() => document.getElementById('at').value === '4'")
    page.wait_for_selector(".sheet[data-page='4'] .words div")
    page.eval_on_selector(".sheet[data-page='4'] .words div", "line => getSelection().selectAllChildren(line)")
    words = page.evaluate("String(getSelection()).trim()")
    page.click("#rests >> text=Ask about this")
    assert page.input_value("#given") == f"About “{words}”: "
