"""The HTML report in a real browser: clicking, keyboard, dark, narrow, large; nothing is fetched, nothing fails."""

from dataclasses import replace

import pytest

import citewell
from browsers import chromium
from citewell.export import html
from citewell.readers import read
from citewell.types import CellPath, Place, Reason, Span, Verdict
from helpers import cite, make_answer, make_document
from statements import LAYOUTS, make

pytestmark = pytest.mark.browser

PARTS = [
    ("There are five ships.", "supported", ["number 20 "]),
    ("They are blue.", "not_supported", []),
    ("They sail far.", "partially_supported", ["number 20 ", "number 580 "]),
]
LONG = "\n\n".join(f"Paragraph number {n} tells about the ships. " + "Words follow words. " * 12 for n in range(600))


@pytest.fixture(scope="module")
def browser():
    with chromium() as launched:
        yield launched


@pytest.fixture
def show(browser, tmp_path):
    """Open a report from a file; complaints and requests to elsewhere end up in `page.problems`."""
    opened = []

    def show(text, **options):
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(reduced_motion="reduce", **options)
        opened.append(context)
        page = context.new_page()
        page.problems = []
        page.on("console", lambda message: page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("request", lambda request: page.problems.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        return page

    yield show
    for context in opened:
        context.close()


@pytest.fixture
def report():
    document = make_document(LONG)
    return html.render(make_answer(document, PARTS), [document])


def lit(page):
    return page.eval_on_selector_all("mark.lit", "marks => marks.map(mark => mark.textContent)")


def pressed(page):
    return page.eval_on_selector_all(".statement[aria-pressed=true]", "all => all.map(one => Number(one.dataset.s))")


def in_view(page, selector):
    script = (
        "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.height > 0 }"
    )
    page.wait_for_timeout(150)
    return page.locator(selector).first.evaluate(script)


def test_a_click_on_a_statement_lights_its_evidence_and_brings_it_into_view(show, report):
    page = show(report, viewport={"width": 1300, "height": 800})
    assert not in_view(page, "#c0")
    page.locator(".statement").nth(0).click()
    assert lit(page) == ["Paragraph number 20 tells about the ships."]
    assert in_view(page, "#c0")
    assert page.locator(".live").text_content() == "Supported (0.87), 1 passage"
    assert page.problems == []


def test_the_keyboard_goes_through_statements_and_passages(show, report):
    page = show(report, viewport={"width": 1300, "height": 800})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.s") == "0"
    page.keyboard.press("Enter")
    assert pressed(page) == [0]
    page.keyboard.press("ArrowDown")
    assert (pressed(page), lit(page)) == ([1], [])
    page.keyboard.press("j")
    assert pressed(page) == [2]
    assert len(lit(page)) == 2
    assert in_view(page, "#c1")
    page.keyboard.press("n")
    assert in_view(page, "#c2")
    page.keyboard.press("p")
    assert in_view(page, "#c1")
    page.keyboard.press("j")  # there is no fourth statement
    assert pressed(page) == [2]
    page.keyboard.press("k")
    assert pressed(page) == [1]
    page.keyboard.press("Escape")
    assert (pressed(page), page.locator(".live").text_content()) == ([], "")
    assert page.problems == []


def test_a_click_on_evidence_lights_the_statements_that_rest_on_it(show, report):
    page = show(report, viewport={"width": 1300, "height": 800})
    page.locator("#c2").scroll_into_view_if_needed()
    page.locator("#c2").click()
    assert pressed(page) == [2]
    page.locator("#e0").click()
    assert pressed(page) == [0]
    assert in_view(page, "#c0")
    assert page.locator(".live").text_content() == "Evidence 1: 1 statement rests on it"


def test_a_narrow_screen_stacks_and_leads_back_to_the_answer(show, report):
    page = show(report, viewport={"width": 390, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".statement").nth(0).click()
    assert in_view(page, "#c0")
    page.locator(".back").click()
    assert in_view(page, ".statement")
    assert page.locator(".back").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_colour_scheme(show, report, scheme):
    page = show(report, color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == {"light": "rgb(253, 252, 249)", "dark": "rgb(22, 24, 28)"}[scheme]


def test_document_text_runs_no_script_and_the_policy_stops_what_would(show):
    document = make_document("A </script><script>document.title='owned'</script><img src=x onerror=alert(1)> ship.")
    page = show(html.render([Verdict("A ship.", "supported", 0.9, (cite(document, "ship", 0, 7),))], [document]))
    assert page.title() == "Claims checked"
    assert page.problems == []
    page.evaluate(
        "() => { const s = document.createElement('script'); s.text = 'window.x = 1'; document.body.append(s) }"
    )
    assert page.evaluate("window.x") is None


def test_without_scripts_the_links_lead_to_the_evidence(show, report):
    page = show(report, java_script_enabled=False)
    page.locator("a.cite").first.click()
    assert page.url.endswith("#c0")


def test_a_document_of_a_hundred_thousand_words_answers_at_once(show):
    text = "\n\n".join(f"Item {n} of the long list. " + "Many words stand here. " * 10 for n in range(2500))
    document = make_document(text)
    parts = [("First.", "supported", ["Item 3 "]), ("Last.", "supported", ["Item 2490 "])]
    page = show(html.render(make_answer(document, parts), [document]), viewport={"width": 1300, "height": 800})
    for number in (1, 0, 1):
        spent = page.evaluate(
            "n => { const t = performance.now(); document.querySelectorAll('.statement')[n].click(); "
            "document.body.offsetHeight; return performance.now() - t }",
            number,
        )
        assert spent < 500  # milliseconds; laying out everything would take seconds
        assert in_view(page, f"#c{number}")


def test_the_words_that_differ_are_shown_together_on_hover_and_by_keyboard(show):
    document = make_document(LONG)
    place = Place(document.id, start := document.text.index("number 580 "), start + 10)
    reason = Reason("number", 10, 14, place, "says five; the evidence says 580")
    answer = make_answer(document, PARTS[:1])
    changed = replace(answer, statements=(replace(answer.statements[0], label="contradicted", reasons=(reason,)),))
    page = show(html.render(changed, [document]), viewport={"width": 1300, "height": 800})
    paired = "all => all.map(one => one.textContent)"
    page.hover("main .fault")
    assert "number 580" in page.eval_on_selector_all(".fault.paired", paired)
    page.mouse.move(1290, 790)
    assert page.eval_on_selector_all(".fault.paired", paired) == []
    page.focus(".reasons li")
    page.keyboard.press("Enter")
    assert in_view(page, ".documents .fault")
    assert len(page.eval_on_selector_all(".paired", paired)) == 3
    assert page.problems == []


def test_every_copied_span_is_a_button_that_shows_its_own_source_on_the_left(show):
    document = make_document(LONG)
    text = "Ships: words follow words, they say."
    answer = make_answer(document, [(text, "partially_supported", [])])
    places = [("words follow", "Words follow", 40), ("they", "the", 80)]
    method = "hidden-states(layer=19, token_layer=5)"
    citations = []
    for result, quote, line in places:
        at = document.text.index(quote, document.text.index(f"number {line} "))
        start = text.index(result)
        segment = document.segment_at(at)
        citations.append(document.cite(Span(at, at + len(quote)), segment.id, Span(start, start + len(result)),
                                       granularity="window", score=0.9, method=method))  # fmt: skip
    reason = Reason("missing", text.index("follow"), text.index("follow") + 6, None, "a word differs")
    (statement,) = answer.statements
    statement = replace(statement, citations=(0, 1), reasons=(reason,))
    page = show(html.render(replace(answer, statements=(statement,), citations=tuple(citations)), [document]))
    assert page.locator(".documents").bounding_box()["x"] < page.locator("main").bounding_box()["x"]
    assert page.locator(".how dd").all_text_contents() == ["hidden-states", "19", "5", "windows of tokens"]
    buttons = page.locator(".copied[role=button]")
    assert buttons.count() == 2
    assert page.locator(".statement[role=button]").count() == 0
    for number, (_, quote, _) in enumerate(places):
        buttons.nth(number).click()
        assert page.locator("mark.lit").all_text_contents() == [quote]
        assert page.locator("mark.lit").first.bounding_box()["y"] < 800
        assert [buttons.nth(n).get_attribute("aria-pressed") for n in range(2)] == [
            str(n == number).lower() for n in range(2)
        ]
    page.keyboard.press("k")
    assert page.locator("mark.lit").all_text_contents() == ["Words follow"]
    page.locator(".copied .fault").click()  # a word that differs still opens the source of its span
    assert page.locator("mark.lit").all_text_contents() == ["Words follow"]
    page.locator("mark").nth(1).click()
    assert page.locator(".copied.lit").all_text_contents() == ["they"]
    assert page.problems == []


@pytest.mark.parametrize("width", [360, 1280])
def test_a_wide_table_moves_inside_its_box_and_the_cited_cell_comes_into_view(show, width):
    years = [str(year) for year in range(2024, 2000, -1)]
    heads = "".join(f"<th>{year}</th>" for year in years)
    cells = "".join(f"<td>{number},{number}00.5</td>" for number in range(10, 10 + len(years)))
    rows = f"<tr><th>(in thousands)</th>{heads}</tr>"
    rows += "".join(f"<tr><td>{item}</td>{cells}</tr>" for item in ("Fares", "Net income"))
    document = read(
        f"<html><body><h1>Terns</h1><p>{LONG}</p><table>{rows}</table></body></html>".encode(), name="a.html"
    )
    quote = document.text.rsplit(" | ", 3)[1]
    heads = tuple(
        Span(document.text.index(text), document.text.index(text) + len(text)) for text in ("Net income", "2002")
    )
    cell = CellPath(("Net income",), ("2002",), float(quote.replace(",", "")), "", 1, "2002", headers=heads)
    answer = make_answer(
        document, [("It was much.", "supported", [f"Net income{document.text.split('Net income')[1]}"])]
    )
    start = document.text.rindex(quote)
    exact = replace(
        answer.citations[0], granularity="cell", quote=quote, start=start, end=start + len(quote), cell=cell
    )
    statement = replace(answer.statements[0], citations=(0, 1))
    answer = replace(answer, statements=(statement,), citations=(*answer.citations, exact))
    page = show(html.render(answer, [document]), viewport={"width": width, "height": 780})
    page.click(".statement")
    page.wait_for_function("document.querySelector('.scroll').scrollLeft > 0")
    assert page.inner_text("mark.cell.lit") == quote
    assert in_view(page, "mark.cell.lit")
    assert page.locator("table").count() == 1
    assert {"2002", "Net income"} <= set(page.locator("mark.lit:not(.cell)").all_inner_texts())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    heights = page.evaluate(
        "[...document.querySelectorAll('td.figure')].map((cell) => cell.getBoundingClientRect().height)"
    )
    assert max(heights) < 100  # no figure stands letter under letter
    assert page.problems == []


@pytest.mark.parametrize("layout", ["corner", "ended", "wrapped"])
def test_a_statement_of_a_pdf_is_one_table_with_its_cells_in_their_columns(show, layout):
    document = read(make(LAYOUTS[layout])[0], name="a.pdf")
    answer = citewell.ask(document, "What was impairment of goodwill in 2022?")
    page = show(html.render(answer, [document]), viewport={"width": 360, "height": 780})
    assert page.locator("table").count() == 1
    table = page.inner_text("table")
    assert "(75.0)" in table
    right = "[...document.querySelectorAll('td')].find((cell) => cell.innerText.includes('%s')).getBoundingClientRect().right"
    assert page.evaluate(right % "(75.0)") == page.evaluate(right % "4,991.3")
    section = "[...document.querySelectorAll('td')].find((cell) => cell.innerText === 'Revenue:').colSpan"
    assert page.evaluate(section) == 4


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_word_of_a_report_is_torn_and_no_page_scrolls_sideways(show, width):
    document = read(make(LAYOUTS["ended"])[0], name="a.pdf")
    page = show(
        html.render(citewell.ask(document, "What was impairment of goodwill in 2022?"), [document]),
        viewport={"width": width, "height": 780},
    )
    assert page.evaluate("document.documentElement.scrollWidth") == width
    torn = page.evaluate("""() => {
      const torn = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (node.parentElement.closest('style, script')) continue;
        for (const word of node.data.matchAll(/[\\w,.$()]+/g)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const tops = [...range.getClientRects()].map((rect) => Math.round(rect.top));
          if (new Set(tops).size > 1) torn.push(word[0]);
        }
      }
      return torn;
    }""")
    assert torn == []
