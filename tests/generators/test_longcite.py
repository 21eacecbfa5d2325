"""LongCite: the prompt that its models were trained with, and their replies as statements with exact citations."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.document import Document
from citewell.errors import ReplyError, UsageError
from citewell.generators.longcite import LongCite, Run, chunks, parse
from citewell.llm.scripted import Scripted
from citewell.pipeline import Pipeline
from citewell.protocols import Completion
from citewell.types import Span

REPORT = Document.from_text(
    "The aorta 😀 is large. Revenue rose to 41 million.\n\nCosts fell. The board met in Zürich."
)
NOTE = Document.from_text("Ann founded the firm. It was 1990.")
TEN = tuple(range(10))


def statements_of(reply):
    return [(reply.text[span.start : span.end], runs) for span, runs in reply.statements]


def test_the_prompt_is_the_one_of_the_models_with_every_sentence_numbered():
    requests = []
    LongCite(llm=Scripted(replies=lambda request: requests.append(request) or "Yes.")).generate("Who?", [REPORT, NOTE])
    (message,) = requests[0].messages
    assert (message.role, requests[0].max_tokens) == ("user", 1024)
    assert message.content == (
        "Please answer the user's question based on the following document. When a sentence S in your response uses "
        "information from some chunks in the document (i.e., <C{s1}>-<C_{e1}>, <C{s2}>-<C{e2}>, ...), please append these "
        'chunk numbers to S in the format "<statement>{S}<cite>[{s1}-{e1}][{s2}-{e2}]...</cite></statement>". You must '
        "answer in the same language as the user's question.\n\n[Document Start]\n"
        "<C0>The aorta 😀 is large. <C1>Revenue rose to 41 million.\n\n<C2>Costs fell. <C3>The board met in Zürich.\n\n"
        "<C4>Ann founded the firm. <C5>It was 1990.\n[Document End]\n\nWho?"
    )
    assert "".join(chunk.text for chunk in chunks([REPORT])) == REPORT.text


def test_statements_cite_runs_of_sentences_of_which_neighbours_are_joined_and_three_kept():
    reply = parse(
        "<statement>A b.<cite>[0-1][2-4][6-6]</cite></statement> <statement>C d.<cite></cite></statement>", TEN
    )
    assert reply.text == "A b. C d."
    assert statements_of(reply) == [("A b.", (Run(0, 4), Run(6, 6))), ("C d.", ())]
    many = "<statement>A.<cite>[1-1][3-3][5-5][7-7]</cite></statement>"
    assert statements_of(parse(many, TEN)) == [("A.", (Run(1, 1), Run(3, 3), Run(5, 5)))]
    assert len(parse(many, TEN, None).statements[0][1]) == 4


def test_words_between_statements_are_statements_without_citations():
    reply = parse(
        "Here it is. So:\n<statement>A b.<cite>[1]</cite></statement>\n- <statement>C.</statement> Done.", TEN
    )
    assert reply.text == "Here it is. So:\nA b.\n- C. Done."
    assert statements_of(reply) == [("Here it is.", ()), ("So:", ()), ("A b.", (Run(1, 1),)), ("C.", ()), ("Done.", ())]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("statement>A b.<cite>[1-2]</cite></statement>", [("A b.", (Run(1, 2),))]),
        ("<statement>A b.<cite>[1-2]", [("A b.", (Run(1, 2),))]),
        ("<statement>A b.<cite>[1-2]<statement>C d.", [("A b.", (Run(1, 2),)), ("C d.", ())]),
        ("<statement>A b.<cite>[1-2]</statement><statement>C d.</statement>", [("A b.", (Run(1, 2),)), ("C d.", ())]),
        ("<STATEMENT>A b.<cite>[1–2]</cite></STATEMENT>", [("A b.", (Run(1, 2),))]),
        ("<statement> <cite>[1-2]</cite></statement>", []),
        ("", []),
        ("1 < 2 <b>bold</b> [3-4]", [("1 < 2 <b>bold</b> [3-4]", ())]),
    ],
)  # fmt: skip
def test_a_reply_that_is_not_closed_or_not_quite_in_the_form_is_read(text, wanted):
    assert statements_of(parse(text, TEN)) == wanted


def test_what_was_not_shown_is_not_cited_and_told():
    reply = parse("<statement>A.<cite>[8-20][30-31][5-3]</cite></statement>", TEN)
    assert statements_of(reply) == [("A.", (Run(8, 9),))]
    assert reply.warnings == (
        "of the sentences [8-20], which the model cites, it was shown 2",
        "the model cites the sentences [30-31], which it was not shown; they were left out",
        "the model cites the sentences [5-3], which it was not shown; they were left out",
    )
    gap = parse("<statement>A.<cite>[1-8]</cite></statement>", (0, 1, 2, 7, 8, 9))
    assert statements_of(gap) == [("A.", (Run(1, 2), Run(7, 8)))]
    assert gap.warnings == ("of the sentences [1-8], which the model cites, it was shown 4",)


def test_citations_quote_the_documents_for_the_words_of_the_answer():
    text = "<statement>Revenue rose 😀 and costs fell.<cite>[1-2]</cite></statement> <statement>Ann.<cite>[3-5]</cite></statement>"
    draft = LongCite(llm=Scripted(reply=text)).generate("Who?", [REPORT, NOTE])
    assert draft.text == "Revenue rose 😀 and costs fell. Ann."
    assert draft.statements == (Span(0, 30), Span(31, 35))
    assert (draft.origin, draft.cites) == ("written", True)
    by_id = {document.id: document for document in (REPORT, NOTE)}
    assert [(source.quote, source.granularity, source.answer_start) for source in draft.sources] == [
        ("Revenue rose to 41 million.\n\nCosts fell.", "window", 0),
        ("The board met in Zürich.", "sentence", 31),
        ("Ann founded the firm. It was 1990.", "window", 31),
    ]
    for cited in draft.sources:
        assert by_id[cited.document_id].text[cited.start : cited.end] == cited.quote


def test_of_what_is_too_long_the_middle_is_left_out_and_numbers_stay():
    document = Document.from_text(" ".join(f"Boat {number} sailed." for number in range(100)))
    requests = []
    method = LongCite(llm=Scripted(replies=lambda request: requests.append(request.messages[0].content) or "Yes."),
                      max_input=400)  # fmt: skip
    draft = method.generate("Who?", [document])
    assert "<C0>Boat 0 sailed." in requests[0]
    assert "<C99>Boat 99 sailed." in requests[0]
    assert "<C50>" not in requests[0]
    assert "sentences in the middle were not read" in draft.warnings[0]
    with pytest.raises(UsageError, match="not one sentence fits"):
        LongCite(llm=Scripted(reply="Yes."), max_input=1).generate("Who?", [document])


def test_a_reply_that_says_nothing_is_an_abstention_or_an_error_where_it_was_cut_off():
    for finish, message in (("stop", "the model's reply is empty"), ("refused", "the model refuses to answer")):
        draft = LongCite(llm=Scripted(replies=[Completion("<statement></statement>", "m", finish=finish)])).generate(
            "Who?", [REPORT]
        )
        assert (draft.abstention.reason, draft.abstention.message) == ("declined", message)
    with pytest.raises(ReplyError, match="cut off before it said anything"):
        LongCite(llm=Scripted(replies=[Completion(" ", "m", finish="length")])).generate("Who?", [REPORT])
    with pytest.raises(ValueError, match="at least 1"):
        LongCite(llm=Scripted(reply=""), snippets=0)


@given(st.text(alphabet="ab.😀 \n<>/[]0129-", max_size=40), st.lists(st.sampled_from(
    ["<statement>", "</statement>", "<cite>", "</cite>", "[0-1]", "[2-9]", "Costs fell. ", "é"]), max_size=12))  # fmt: skip
def test_whatever_a_reply_says_its_statements_stand_in_its_text(noise, parts):
    reply = parse(noise.join(parts) or noise, (0, 1, 2, 3))
    ends = 0
    for span, runs in reply.statements:
        assert ends <= span.start < span.end <= len(reply.text)
        assert reply.text[span.start : span.end].strip() == reply.text[span.start : span.end]
        assert all(0 <= run.first <= run.last <= 3 for run in runs)
        ends = span.end


def test_an_answer_over_a_service_has_located_citations(monkeypatch):
    pytest.importorskip("openai", reason="needs the OpenAI SDK: pip install 'citewell[llm]'")
    from openai_server import KEY, serving

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("openai", "<statement>Revenue rose to 41 million.<cite>[1-1]</cite></statement>") as server:
        spec = registry.Spec("longcite", (("llm", f"openai(model=tiny, base_url={json.dumps(server.url)})"),))
        answer = Pipeline(generator=str(spec)).run(REPORT, "How much was revenue?")
    assert answer.text == "Revenue rose to 41 million."
    assert [cited.quote for cited in answer.citations] == ["Revenue rose to 41 million."]
    assert server.requests[0][2]["messages"][0]["content"].endswith("[Document End]\n\nHow much was revenue?")
