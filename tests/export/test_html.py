"""The HTML report: it holds what it claims, needs nothing from elsewhere, and shows the document's text as text."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.export import html
from citewell.export.html_text import pieces
from citewell.types import Abstention, Block, Page, Span, Verdict
from helpers import cite, make_answer, make_document

NASTY = """</script><script>alert(1)</script> "quoted" & 'so' <!-- {{title}} --> \x00 \u202eabc العربية"""


class Reader(HTMLParser):
    """Elements with their attributes and their text, without the parts that are not document or answer."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        self.elements.append(element)
        if tag not in ("meta", "br"):
            self.open.append(element)

    def handle_endtag(self, tag):
        while self.open and self.open.pop()["tag"] != tag:
            pass

    def handle_data(self, data):
        if not any(element.get("class") == "page" or element["tag"] == "button" for element in self.open):
            for element in self.open:
                element["text"] += data

    def all(self, tag, **attributes):
        return [e for e in self.elements if e["tag"] == tag and all(e.get(k) == v for k, v in attributes.items())]


def report(parts, document=None, **changes):
    document = document or make_document()
    return html.render(replace(make_answer(document, parts), **changes), [document])


FIVE = [("There are five ships.", "supported", ["five ships"])]


def test_the_marked_words_are_the_quotes():
    document = make_document()
    answer = make_answer(document, [*FIVE, ("It runs on batteries.", "supported", ["batteries"])])
    page = Reader(html.render(answer, [document]))
    for index, citation in enumerate(answer.citations):
        marks = [mark["text"] for mark in page.all("mark") if str(index) in mark["data-c"].split()]
        assert "".join(marks) == citation.quote
        assert len(page.all("button", id=f"c{index}")) == 1


def test_the_words_that_a_citation_covers_are_marked_in_the_answer():
    document = make_document()
    answer = make_answer(document, FIVE)
    covered = replace(answer.citations[0], answer_start=10, answer_end=20)
    page = Reader(html.render(replace(answer, citations=(covered,)), [document]))
    assert [element["text"] for element in page.all("span", **{"class": "covered"})] == ["five ships"]


def test_document_text_and_answer_are_escaped():
    document = make_document(NASTY, title=NASTY)
    answer = make_answer(document, [(NASTY, "supported", ["alert"])], question=NASTY)
    text = html.render(answer, [document])
    page = Reader(text)
    assert len(page.all("script")) == 1
    assert "\x00" not in text
    assert "\u202e" not in text
    result = page.all("article")[0]["text"]
    assert "</script><script>alert(1)</script> \"quoted\" & 'so' <!-- {{title}} --> \ufffd \ufffdabc العربية" in result


@given(st.text(alphabet="ab <>&\"'/{}!-\n.é漢\U0001f6a2", min_size=1, max_size=120).filter(str.strip))
def test_the_whole_text_of_a_document_is_in_the_page(text):
    document = make_document(f"Start. {text}", title=None, source=None)
    answer = make_answer(document, [("Start.", "supported", ["Start"])])
    [article] = Reader(html.render(answer, [document])).all("article")
    assert "".join(f"{document.id}Start. {text}".split()) == "".join(article["text"].split())


def test_the_policy_allows_only_the_pages_own_style_and_script():
    page = Reader(report(FIVE))
    policy = next(e["content"] for e in page.all("meta") if e.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        [element] = page.all(tag)
        digest = base64.b64encode(hashlib.sha256(element["text"].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_nothing_comes_from_elsewhere_and_nothing_is_inline():
    page = Reader(report(FIVE))
    for element in page.elements:
        assert not {"src", "srcset", "style", "onclick", "onload", "action"} & element.keys()
        assert element.get("href", "#").startswith("#")
    assert not re.search(r"url\(|@import|https?:", report(FIVE))


def test_links_point_at_places_that_exist_and_ids_are_unique():
    page = Reader(report([*FIVE, ("Costs fell, five ships.", "supported", ["Costs fell", "five ships"])]))
    ids = [element["id"] for element in page.elements if "id" in element]
    assert len(ids) == len(set(ids))
    assert {e["href"][1:] for e in page.elements if "href" in e} <= set(ids)


def test_each_statement_is_a_button_whose_name_holds_its_label():
    page = Reader(report([*FIVE, ("It sank.", "not_supported", []), ("Half.", "partially_supported", ["Eider"])]))
    buttons = page.all("span", role="button")
    assert [button["text"] for button in buttons] == [
        "There are five ships.✓ supported", "It sank.✗ not supported", "Half.◐ partially supported",
    ]  # fmt: skip
    assert [button["tabindex"] for button in buttons] == ["0", "-1", "-1"]
    assert buttons[1]["data-said"] == "Not supported (0.87), no evidence"


def test_headings_lists_and_tables_are_elements_of_their_kind():
    text = "Fleet\n\nShip | Built\n\nAlder | 1998\n\n2025 | 2024\n\nRevenue | 7 | 6\n\none\n\ntwo"
    kinds = [("heading", 1), *[("table_row", 0)] * 2, ("paragraph", 0), ("table_row", 0), *[("list_item", 0)] * 2]
    starts = [0, 7, 21, 35, 48, 65, 70]
    ends = [5, 19, 33, 46, 63, 68, 73]
    blocks = tuple(Block(s, e, *kind) for s, e, kind in zip(starts, ends, kinds, strict=True))
    document = Document(text, blocks=blocks)
    page = Reader(report([("Alder.", "supported", ["Alder"])], document))
    assert [e["text"] for e in page.all("h3")] == ["Fleet"]
    assert [e["text"] for e in page.all("td")] == ["Ship", "Built", "Alder", "1998", "Revenue", "7", "6"]
    assert [e["text"] for e in page.all("td", **{"class": "figure"})] == ["Built", "1998", "7", "6"]
    assert "".join(mark["text"] for mark in page.all("mark")) == "Alder1998"
    assert [e["text"] for e in page.all("li", dir="auto")] == ["one", "two"]


def test_page_numbers_stand_where_pages_begin_even_inside_a_paragraph():
    text = "First page goes on to the second."
    document = Document(text, pages=(Page(1, 0, 11, 300, 400), Page(2, 11, len(text), 300, 400)))
    page = report([("It goes on.", "supported", ["goes on"])], document)
    assert re.search(r'aria-label="page 2">2</span><mark data-c="0">goes on', page)
    assert "pages 1–2" in page


def test_an_abstention_has_its_page():
    page = Reader(report(FIVE, statements=(), text="", abstention=Abstention("no_evidence", 0.2, 0.5)))
    [box] = page.all("div", **{"class": "abstained"})
    assert box["text"] == (
        "∅ No answerNothing in the document answers this question.The best passage is 20% likely to answer; 50% is asked for."
    )
    assert "The nearest passages" in page.all("main")[0]["text"]


def test_verdicts_have_their_page_with_the_words_that_the_evidence_lacks():
    document = make_document()
    verdicts = [
        Verdict("Five ships.", "supported", 0.9, (cite(document, "five ships", 0, 4),)),
        Verdict("Six boats.", "contradicted", 0.1, (cite(document, "five ships", 0, 3),), (Span(4, 9),)),
    ]
    page = Reader(html.render(verdicts, [document]))
    assert [e["text"] for e in page.all("span", **{"class": "missing"})] == ["boats"]
    assert [e["text"] for e in page.all("span", role="button")] == [
        "Five ships.✓ supported 0.90", "Six boats.⊗ contradicted 0.10",
    ]  # fmt: skip


def test_several_documents_are_sections_with_links():
    first, second = make_document(), make_document("Other words.", title="Second")
    answer = replace(make_answer(first, FIVE), documents=(first.info, second.info))
    page = Reader(html.render(answer, [first, second]))
    assert [link["text"] for link in page.all("nav")[0:1]] == ["ReportSecond"]
    assert len(page.all("article")) == 2


@given(st.integers(0, 20), st.integers(1, 20), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50))))
def test_pieces_cover_a_range_once_and_know_what_is_around_them(start, length, bounds):
    spans = [(min(pair), max(pair), number) for number, pair in enumerate(bounds)]
    result = list(pieces(start, start + length, spans))
    assert [position for a, b, _ in result for position in range(a, b)] == list(range(start, start + length))
    for left, right, inside in result:
        for position in range(left, right):
            assert inside == [number for a, b, number in spans if a <= position < b]


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, other):
    light, dark = sorted((luminance(first), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "grounds"),
    [
        ("ink", ["paper", "panel", "card"]),
        ("soft", ["paper", "panel", "card"]),
        ("link", ["paper", "panel", "card"]),
        ("mark-ink", ["mark"]),
        ("lit-ink", ["lit"]),
        ("supported", ["panel", "card"]),
        ("partial", ["panel", "card"]),
        ("unsupported", ["panel", "card"]),
        ("none", ["panel", "card"]),
    ],
)
def test_text_has_the_contrast_of_wcag_aa(scheme, ink, grounds):
    style = resources.files("citewell.export").joinpath("html_report.css").read_text(encoding="utf-8")
    light, dark = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part)) for part in style.split(":root")[1:]]
    colors = (light, dark)[scheme]
    for ground in grounds:
        assert contrast(colors[ink], colors[ground]) >= 4.5, f"{ink} on {ground}"


def test_a_row_in_the_answer_has_no_pipes_and_each_figure_its_header():
    table = b"# Oriel\n\n| EUR million | 2025 | 2024 |\n|---|---|---|\n| Revenue | 41.3 | 38.4 |\n"
    document = citewell.read(table, name="oriel.md")
    answer = citewell.ask(document, "What was revenue in 2025?")
    page = html.render(answer, [document])
    shown = re.sub(r"<[^>]*>", "", page[page.index('<div class="text"') :].partition('<span class="label')[0])
    assert " ".join(shown.split()) == "Revenue · 41.3 (2025) · 38.4 (2024)"
    assert answer.text == "Revenue | 41.3 | 38.4"


def test_a_statement_in_other_words_gets_no_headers_of_the_row_that_it_cites():
    document = citewell.read(
        b"# Oriel\n\n| EUR million | 2025 | 2024 |\n|---|---|---|\n| Revenue | 41.3 | 38.4 |\n", name="a.md"
    )
    answer = citewell.ask(document, "What was revenue in 2025?")
    (statement,) = answer.statements
    other = "Sales a | b were 41.3."
    assert len(other) == len(answer.text) + 1
    changed = replace(answer, text=other[:-1], statements=(replace(statement, text=other[:-1]),))
    page = html.render(changed, [document])
    assert "Sales a | " in page
    assert "(2025)" not in page[page.index('<div class="text"') :].partition('<span class="label')[0]
