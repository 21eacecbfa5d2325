"""What is written in each format, to the letter: offsets in its own unit, one entry for evidence that is cited twice.

And what a list of sources is read as.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citewell.audit import wire_write
from citewell.audit.wire_declared import LISTINGS
from citewell.errors import AnswerFormatError
from citewell.types import Answer, Citation, DocumentInfo, Statement

# Letters of two bytes: characters and bytes differ from the first statement on.
TEXT = "Größe zählt. Sie kam 1926. Nichts."
ANSWER = Answer(
    TEXT,
    (
        Statement(TEXT[:12], 0, 12, "supported", 0.9, (0,)),
        Statement(TEXT[13:26], 13, 26, "supported", 0.8, (1, 0)),
        Statement(TEXT[27:], 27, 34),
    ),
    (
        Citation("d1", "s0", "sentence", "Size counts.", 0, 12, 0, 12, 1, (), 0.9, "lexical"),
        Citation("d1", "s1", "sentence", "She came in 1926.", 13, 30, 13, 26, 2, (), 0.75, "lexical"),
    ),
    (DocumentInfo("d1", "The ferry", "ab" * 32, "ferry.pdf", 2),),
)
WRITTEN = json.loads(Path(__file__).with_name("written.json").read_text("utf-8"))


def test_every_format_is_compared():
    assert {*WRITTEN, "citewell", "langchain"} == set(wire_write.FORMS)


@pytest.mark.parametrize("form", WRITTEN)
def test_an_answer_in_a_format_is_exactly_this(form):
    assert wire_write.write(ANSWER, form) == WRITTEN[form]


def test_our_own_format_is_the_saved_answer():
    assert Answer.from_dict(wire_write.write(ANSWER, "citewell")) == ANSWER


def test_a_chain_needs_the_response_that_it_completes():
    with pytest.raises(AnswerFormatError):
        wire_write.write(ANSWER, "langchain")


def test_a_list_of_sources_is_read_with_names_words_and_addresses():
    answer = "Built in Turku. ([Ferry](https://a.example/1)) Sold. ([Other](https://b.example/9))"
    source = {"title": "Ferry", "text": "It was built in Turku.", "url": "https://a.example/1"}
    response = next(listing for listing in LISTINGS if listing.form == "exa").read(
        {"answer": answer, "citations": [source]}
    )
    assert (response.form, response.text) == ("exa", "Built in Turku. Sold.")
    first, second = response.claims
    assert (first.document, first.quotes, first.address) == ("Ferry", (source["text"],), source["url"])
    assert (second.document, second.quotes) == (None, ())
    assert second.problem == "[2] does not exist: there are 1 sources"


def test_a_retrieved_reference_that_is_added_lies_where_the_document_s_others_do():
    known = {"location": {"type": "S3", "s3Location": {"uri": "s3://a/ferry.pdf"}}, "metadata": {
        "owner": "port", "x-amz-bedrock-kb-document-page-number": 1}}  # fmt: skip
    written = wire_write.write(ANSWER, "bedrock-retrieve-and-generate", [known])
    first, second = (citation["retrievedReferences"] for citation in written["citations"])
    assert first == [known]
    assert second == [
        {
            "content": {"text": "She came in 1926.", "type": "TEXT"},
            "location": known["location"],
            "metadata": {
                "x-amz-bedrock-kb-source-uri": "ferry.pdf",
                "owner": "port",
                "x-amz-bedrock-kb-document-page-number": 2,
            },
        },
        known,
    ]


def test_an_answer_of_a_search_keeps_the_shape_of_the_response():
    inside = WRITTEN["vertex-answer"]["answer"]
    assert wire_write.write(ANSWER, "vertex-answer", data={"answer": {}}) == {"answer": inside}
    assert wire_write.write(ANSWER, "vertex-answer", data={"answerText": "x"}) == inside


def test_a_search_result_is_added_only_where_each_address_has_one():
    message = {"choices": [{"message": {"role": "assistant", "content": ""}}]}
    known = {"url": "https://a.example/1", "title": "A", "snippet": "a"}
    for results in ([known], []):
        data = {**message, "citations": ["https://a.example/1"], "search_results": results}
        written = wire_write.write(ANSWER, "perplexity", data=data)
        assert written["citations"] == ["https://a.example/1", "ferry.pdf"]
        assert [row["url"] for row in written["search_results"]] == ["https://a.example/1", "ferry.pdf"][
            : 2 * len(results)
        ]
        assert written["choices"][0]["message"]["content"] == "Größe zählt. [2] Sie kam 1926. [2] Nichts."


def test_azure_s_older_shape_keeps_its_citations_in_the_message_of_the_tool():
    tool = {"role": "tool", "content": json.dumps({"citations": [], "intent": "ferries"})}
    for messages in ("choice", "context"):
        reply = {"role": "assistant", "content": ""}
        choice = {"messages": [tool, reply]} if messages == "choice" else {
            "message": {**reply, "context": {"messages": [tool]}}}  # fmt: skip
        written = wire_write.write(ANSWER, "azure", data={"choices": [choice]})["choices"][0]
        listed = written["messages"] if messages == "choice" else written["message"]["context"]["messages"]
        inner = json.loads(listed[0]["content"])
        assert inner["intent"] == "ferries"
        assert [entry["content"] for entry in inner["citations"]] == ["Size counts.", "She came in 1926."]
