"""LAQuer: what is asked about a part of an answer, and where the spans of the reply stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.attributors.laquer import LAQuer
from citewell.document import Document
from citewell.errors import BackendError, notes
from citewell.llm.scripted import Scripted
from citewell.types import Draft, Span

REPORT = Document.from_text(
    "The aorta 😀 is large. Blood leaves the heart in Zürich.\n\n"
    "Revenue rose to 41 million; it had been 39. Costs fell, too.\n\nThe board met. Revenue rose to 41 million."
)
ANSWER = "It rose to 41 million, and costs fell."
HIGHLIGHT = Span(0, 21)  # It rose to 41 million
DRAFT = Draft(ANSWER, "What of revenue?", (Span(0, len(ANSWER)),), targets=(HIGHLIGHT,))


def cite(reply, granularity="window", draft=DRAFT, documents=(REPORT,), k=None, **settings):
    replies = reply if isinstance(reply, list) else [reply]
    method = LAQuer(llm=Scripted(replies=replies), **{"standalone": False, **settings})
    with notes.collect() as noted:
        citations = method.attribute(draft, documents, granularity, k)
    for cited in citations:
        assert REPORT.text[cited.start : cited.end] == cited.quote
        assert (cited.answer_start, cited.answer_end) in draft.targets
    return [cited.quote for cited in citations], tuple(noted.warnings)


def test_spans_between_semicolons_are_cited_where_they_stand_in_the_order_of_the_reply():
    assert cite("Costs fell; Revenue rose to 41") == (["Costs fell", "Revenue rose to 41"], ())
    assert cite("Costs fell\n\nRevenue rose to 41")[0] == ["Costs fell", "Revenue rose to 41"]


def test_a_span_with_a_semicolon_of_its_own_is_one():
    assert cite("41 million; it had been 39; Costs fell") == (["41 million; it had been 39", "Costs fell"], ())


def test_case_blanks_and_marks_may_differ_and_quotation_marks_and_numbers_go():
    assert cite("“REVENUE rose   to 41 million”; [1] - the aorta is large.") == (
        ["Revenue rose to 41 million", "The aorta 😀 is large"], (),
    )  # fmt: skip


def test_a_span_that_is_nearly_copied_is_found_by_its_words():
    assert cite("Blood that leaves the heart in Zürich")[0] == ["Blood leaves the heart in Zürich"]


def test_what_no_passage_has_is_left_out_and_told():
    quotes, warnings = cite("Costs fell; profits doubled overnight")
    assert quotes == ["Costs fell"]
    assert warnings == ("the model copied text that is in no passage: 'profits doubled overnight'; it was left out",)


@pytest.mark.parametrize("reply", ["none", "None.", "", " ; ; "])
def test_no_spans_are_no_citations(reply):
    assert cite(reply) == ([], ())


def test_segments_are_cited_once_where_whole_ones_are_wanted():
    assert cite("Revenue rose; it had been 39; Costs fell", "sentence")[0] == [
        "Revenue rose to 41 million; it had been 39.", "Costs fell, too.",
    ]  # fmt: skip
    paragraph = "Revenue rose to 41 million; it had been 39. Costs fell, too."
    assert cite("Revenue rose; Costs fell", "paragraph")[0] == [paragraph]
    assert cite("Revenue rose; Costs fell", "window", k=1)[0] == ["Revenue rose"]


def test_a_part_is_freed_of_its_context_before_its_sources_are_asked_for():
    requests = []

    def reply(request):
        requests.append(request.messages[-1].content)
        return "Revenue rose to 41 million." if len(requests) == 1 else "Revenue rose"

    method = LAQuer(llm=Scripted(replies=reply))
    (cited,) = method.attribute(DRAFT, [REPORT], "window")
    assert cited.quote == "Revenue rose"
    assert "Question: What of revenue?\n" in requests[0]
    assert f"Answer: {ANSWER}\nPart: It rose to 41 million\n" in requests[0]
    assert "\nStatement: Revenue rose to 41 million.\n" in requests[1]
    assert "[2] Revenue rose to 41 million; it had been 39. Costs fell, too.\n" in requests[1]
    assert [prompt.name for prompt in method.prompts] == ["attributors/standalone", "attributors/spans"]


def test_a_coarser_attributor_says_where_to_look_and_stays_where_no_span_is_found():
    requests = []

    def reply(request):
        requests.append(request.messages[-1].content)
        return "The aorta" if len(requests) == 1 else "costs fell"

    draft = Draft(ANSWER, DRAFT.question, DRAFT.statements, targets=(HIGHLIGHT, Span(27, 37)))
    method = LAQuer(
        llm=Scripted(replies=reply), base="retrieval(retriever=bm25, query=target)", pool=1, standalone=False
    )
    with notes.collect() as noted:
        citations = method.attribute(draft, [REPORT], "window")
    assert all(text.rpartition("\nPassages:")[2].count("\n[") == 1 for text in requests)
    first, second = (
        next(citation for citation in citations if citation.answer_start == target.start) for target in draft.targets
    )
    paragraph = "Revenue rose to 41 million; it had been 39. Costs fell, too."
    assert (first.granularity, first.quote) == ("paragraph", paragraph)
    assert second.quote == "Costs fell"
    assert any("no span was found for 'It rose to 41 million'" in warning for warning in noted.warnings)


def test_a_failing_model_is_told():
    with pytest.raises(BackendError):
        LAQuer(llm=Scripted(replies=[]), standalone=False).attribute(DRAFT, [REPORT])
    with pytest.raises(ValueError, match="pool is at least 1"):
        LAQuer(llm=Scripted(reply=""), pool=0)


@given(st.text(alphabet="abcé ;😀\n[]1“-", max_size=40))
def test_whatever_a_reply_says_every_citation_is_a_part_of_the_document(reply):
    document = Document.from_text("ab cé a; b 😀 c.\n\nbc a é; cc b.")
    citations = LAQuer(llm=Scripted(replies=[reply]), standalone=False).attribute(
        Draft("a b c", None, (Span(0, 5),)), [document], "token"
    )
    for cited in citations:
        assert cited.start < cited.end
        assert document.text[cited.start : cited.end] == cited.quote


def test_it_works_over_a_service(monkeypatch):
    pytest.importorskip("openai", reason="needs the OpenAI SDK: pip install 'citewell[llm]'")
    from openai_server import KEY, serving

    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def reply(content):
        text = content["messages"][-1]["content"]
        return "Revenue rose to 41 million." if text.endswith("Sentence:") else "Revenue rose to 41 million; Costs fell"

    with serving("openai", reply) as server:
        method = LAQuer(llm=f"openai(model=tiny, base_url={json.dumps(server.url)})")
        citations = method.attribute(DRAFT, [REPORT], "window")
    assert [cited.quote for cited in citations] == ["Revenue rose to 41 million", "Costs fell"]
    assert len(server.requests) == 2
