"""Markdown: footnotes that a Markdown reader finds, and document text that stays text."""

import html
import json
import re
from dataclasses import replace

import mistune
from hypothesis import given
from hypothesis import strategies as st

from citewell.export import as_json, markdown, terminal
from citewell.types import Abstention, Verdict
from helpers import cite, make_answer, make_document


def test_each_mark_has_its_footnote_with_place_and_quote():
    document = make_document()
    answer = make_answer(document, [("Revenue was 41.3 million.", "supported", ["41.3 million"])])
    rendered = mistune.create_markdown(plugins=["footnotes"])(markdown.render(answer, [document]))
    assert rendered.count('class="footnote-ref"') == 1
    assert re.search(r"<section.*<blockquote>\s*<p>Revenue rose to 41.3 million in 2025.", rendered, re.DOTALL)


def test_a_label_that_is_not_supported_is_said_in_words():
    document = make_document()
    answer = make_answer(document, [("The boss is rich.", "not_supported", [])])
    assert "The boss is rich. *(✗ not supported)*" in markdown.render(answer, [document])


@given(st.text(alphabet="ab12 *_`#<>[]()!|\\~-+=.:&$^\n\u00e9", min_size=1, max_size=80))
def test_escaped_text_is_shown_as_it_is(text):
    words = " ".join(text.split())
    rendered = mistune.create_markdown(escape=True, plugins=["footnotes", "strikethrough", "table"])(
        markdown.escape(words)
    )
    assert " ".join(html.unescape(re.sub(r"</?p>", "", rendered)).split()) == words


def test_an_abstention_says_why_and_quotes_the_nearest_passages():
    document = make_document()
    answer = make_answer(document, [("x", "supported", ["five ships"])])
    text = markdown.render(replace(answer, statements=(), abstention=Abstention("low_confidence", 0.3)), [document])
    assert (
        "*No answer.* An answer was found, but it is too uncertain to give. The best passage is 30% likely to answer."
        in text
    )
    assert "> The fleet has five ships." in text


def test_claims_are_a_list_with_labels():
    document = make_document()
    verdict = Verdict("Five *ships*.", "supported", 0.9, (cite(document, "five ships", 0, 4),))
    assert "- **✓ supported (0.90)** Five \\*ships\\*.[^1]" in markdown.render([verdict], [document])


RENDERED = mistune.create_markdown(escape=True, plugins=["footnotes", "strikethrough", "table", "url"])
PIECES = ["a", "1", " ", "    ", "\t", "\n", "\r", "\r\n", "- ", "1. ", "# ", "> ", "http://a.bc", "www.a.bc", "x@a.bc", "|", "\x1b[1m",
          "\x9b", "\u202e", "HTTPS://A.BC/d?e", "mailto:x@a.bc", "ftp://a.bc", "==", "---", "``", "<b>", "\u2028", "\x0b"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_nothing_of_a_text_becomes_structure_or_a_link_or_reaches_the_reader_as_control(text):
    escaped = markdown.escape(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e]", escaped)
    rendered = RENDERED(escaped)
    assert set(re.findall(r"</?(\w+)", rendered)) <= {"p", "br"}
    result = re.sub(r"[\x00-\x08\x0b\x1b\x9b\u202e\u2028]", "\ufffd", text)
    assert html.unescape(re.sub(r"</?p>|<br />", " ", rendered)).split() == result.split()


def test_controls_in_a_documents_name_and_warnings_reach_no_output():
    bad = "a\x1b]0;x\x07\x9b31m\u202egnp.exe"
    document = replace(make_document(), title=bad, warnings=(bad,))
    answer = make_answer(document, [("Revenue was 41.3 million.", "supported", ["41.3 million"])])
    answer = replace(answer, warnings=(bad,), question=bad)
    for text in (
        markdown.render(answer, [document]),
        terminal.render(answer, [document]),
        as_json.render(answer, [document]),
        as_json.render(answer, [document], indent=1),
    ):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert json.loads(as_json.render(answer, [document]))["question"] == bad
