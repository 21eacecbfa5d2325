"""Markdown: footnotes that a Markdown reader finds, and document text that stays text."""

import html
import re
from dataclasses import replace

import mistune
from hypothesis import given
from hypothesis import strategies as st

from citewell.export import markdown
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
    shown = mistune.create_markdown(escape=True, plugins=["footnotes", "strikethrough", "table"])(
        markdown.escape(words)
    )
    assert " ".join(html.unescape(re.sub(r"</?p>", "", shown)).split()) == words


def test_an_abstention_says_why_and_quotes_the_nearest_passages():
    document = make_document()
    answer = make_answer(document, [("x", "supported", ["five ships"])])
    text = markdown.render(replace(answer, statements=(), abstention=Abstention("low_confidence", 0.3)), [document])
    assert "*No answer.* An answer was found, but it is too uncertain to give. The best passage scored 0.30." in text
    assert "> The fleet has five ships." in text


def test_claims_are_a_list_with_labels():
    document = make_document()
    verdict = Verdict("Five *ships*.", "supported", 0.9, (cite(document, "five ships", 0, 4),))
    assert "- **✓ supported (0.90)** Five \\*ships\\*.[^1]" in markdown.render([verdict], [document])
