"""What an audit is given and reads: objects of packages, JSON as text, more shapes; and what it mends in place."""

import copy
import json

import pytest

import citewell
from citewell.audit.edit import edited
from citewell.errors import UsageError

TEXT = "Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold in March.\n\nThe harbour froze in January 2021."
DOCUMENT = citewell.Document.from_text(TEXT, title="Harbour", source="harbour.txt")
REVENUE, FERRIES = "Revenue rose to $5.9bn in 2022.", "Two ferries were sold in March."


def place(quote, **more):
    start = TEXT.index(quote)
    end = start + len(quote)
    named = {"document_index": 0, "document_title": "Harbour", "file_id": None}
    return {
        "type": "char_location",
        "cited_text": quote,
        "start_char_index": start,
        "end_char_index": end,
        **named,
        **more,
    }


def message(*blocks):
    return {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 7, "output_tokens": 5}, "content": list(blocks),
    }  # fmt: skip


def text(said, *citations):
    return {"type": "text", "text": said, "citations": list(citations) or None}


RIGHT = message(text(REVENUE, place(REVENUE)), text(" "), text(FERRIES, place(FERRIES)))


def test_json_as_text_paths_and_objects_are_the_same(tmp_path):
    anthropic = pytest.importorskip("anthropic")
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(RIGHT))
    for given in (RIGHT, json.dumps(RIGHT), path, anthropic.types.Message.model_validate(RIGHT)):
        found = citewell.audit(given, DOCUMENT)
        assert (found.form, found.precision, found.recall) == ("anthropic", 1.0, 1.0)
    with pytest.raises(UsageError, match="is the name of a file"):
        citewell.audit("reply.json", DOCUMENT)
    with pytest.raises(UsageError, match="model_dump"):
        citewell.audit(object(), DOCUMENT)


SHAPES = {
    "langchain": {"type": "ai", "content": [{"type": "text", "text": REVENUE, "citations": [place(REVENUE)]}]},
    "litellm": {
        "choices": [{"message": {"role": "assistant", "content": f"{REVENUE} {FERRIES}", "provider_specific_fields": {
            "citations": [[place(REVENUE, supported_text=REVENUE)], [place(FERRIES, supported_text=FERRIES)]]}}}]
    },
    "mistral": {
        "choices": [{"message": {"content": [{"type": "text", "text": REVENUE}, {"type": "reference", "reference_ids": [0]}]}}]
    },
    "gemini-thoughts": {"candidates": [{
        "content": {"parts": [{"text": "I think of ferries.", "thought": True}, {"text": REVENUE}]},
        "groundingMetadata": {
            "groundingChunks": [{"retrievedContext": {"title": "Harbour", "text": REVENUE}}],
            "groundingSupports": [{"segment": {"endIndex": len(REVENUE), "text": REVENUE}, "groundingChunkIndices": [0]}],
        },
    }]},
    "gemini-redirect": {"candidates": [{
        "content": {"parts": [{"text": REVENUE}]},
        "groundingMetadata": {
            "groundingChunks": [{"web": {"title": "harbour.txt",
                                         "uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC"}}],
            "groundingSupports": [{"segment": {"endIndex": len(REVENUE), "text": REVENUE}, "groundingChunkIndices": [0]}],
        },
    }]},
    "gemini-citations": {"candidates": [{
        "content": {"parts": [{"text": REVENUE}]},
        "citationMetadata": {"citationSources": [{"startIndex": 0, "endIndex": len(REVENUE), "title": "Harbour"}]},
    }]},
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read(name):
    found = citewell.audit(SHAPES[name], DOCUMENT)
    assert found.citations
    assert (found.precision, found.recall) == (1.0, 1.0), found
    assert "thinks" not in found.text


def test_a_field_that_was_not_read_is_a_warning():
    odd = {"choices": [{"message": {"content": REVENUE, "our_own": {"citations": [{"page": 3}]}}}]}
    found = citewell.audit(odd, DOCUMENT)
    assert "the field choices[].message.our_own.citations looks like citations and was not read" in found.warnings
    assert not any("not read" in warning for warning in citewell.audit(RIGHT, DOCUMENT).warnings)


def test_two_citations_swapped_inside_a_sentence_are_two_errors():
    first, second = "Revenue rose to $5.9bn in 2022", " while two ferries were sold in March."
    right = message(text(first, place(REVENUE)), text(second, place(FERRIES)))
    swapped = message(text(first, place(FERRIES)), text(second, place(REVENUE)))
    assert citewell.audit(right, DOCUMENT).precision == 1.0
    assert citewell.audit(swapped, DOCUMENT).precision == 0.0


def test_what_is_right_stays_byte_for_byte():
    for given in (RIGHT, json.loads(json.dumps(RIGHT))):
        before = copy.deepcopy(given)
        assert edited(citewell.audit(given, DOCUMENT)) == before == given


def test_only_what_is_wrong_changes_and_the_packages_types_still_hold():
    anthropic, openai = pytest.importorskip("anthropic"), pytest.importorskip("openai")
    search = {"type": "server_tool_use", "id": "t", "name": "web_search", "input": {"query": "ferries"}}
    wrong = message(search, text(REVENUE, place(FERRIES), place(REVENUE)), text(" "), text(FERRIES))
    mended = edited(citewell.audit(wrong, DOCUMENT))
    anthropic.types.Message.model_validate(mended)
    assert {**mended, "content": 0} == {**wrong, "content": 0}
    assert mended["content"][0] == search
    assert mended["content"][1]["citations"] == [place(REVENUE)]
    assert [one["cited_text"] for one in mended["content"][3]["citations"]] == [FERRIES]

    link = "([harbour.txt](https://a.example/harbour.txt))"
    said = f"{REVENUE[:-1]} {link}. {FERRIES}"
    note = {"url": "https://a.example/harbour.txt", "title": "harbour.txt"}
    at = said.index(link)
    chat = {
        "id": "c", "object": "chat.completion", "created": 1, "model": "gpt-x", "usage": None,
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": {
            "role": "assistant", "content": said, "refusal": None,
            "annotations": [{"type": "url_citation", "url_citation": {**note, "start_index": at, "end_index": at + len(link)}}]}}],
    }  # fmt: skip
    mended = edited(citewell.audit(chat, DOCUMENT))
    openai.types.chat.ChatCompletion.model_validate(mended)
    first, *added = mended["choices"][0]["message"]["annotations"]
    assert first == chat["choices"][0]["message"]["annotations"][0]
    assert [said[one["url_citation"]["start_index"] : one["url_citation"]["end_index"]] for one in added] == [
        FERRIES[:-1]
    ]
    assert (mended["id"], mended["model"]) == ("c", "gpt-x")

    call = {"id": "fs", "type": "file_search_call", "status": "completed", "queries": ["x"], "results": None}
    part = {"type": "output_text", "text": f"{REVENUE} {FERRIES}", "annotations": [
        {"type": "file_citation", "file_id": "f", "filename": "harbour.txt", "index": len(REVENUE) - 1}]}  # fmt: skip
    output = [call, {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}]
    whole = {"id": "r", "object": "response", "created_at": 1.0, "model": "gpt-x", "output": output, "parallel_tool_calls": False,
             "tool_choice": "none", "tools": []}  # fmt: skip
    mended = edited(citewell.audit(whole, DOCUMENT))
    openai.types.responses.Response.model_validate(mended)
    assert mended["output"][0] == call
    notes = mended["output"][1]["content"][0]["annotations"]
    assert notes[0] == part["annotations"][0]
    assert len(notes) == 2


def test_a_grounded_reply_is_mended_in_place():
    said = f"{REVENUE} {FERRIES}"
    reply = {"responseId": "x", "candidates": [{
        "content": {"parts": [{"text": said}]},
        "groundingMetadata": {
            "webSearchQueries": ["q"],
            "groundingChunks": [{"retrievedContext": {"title": "Harbour", "text": FERRIES}}],
            "groundingSupports": [{"segment": {"endIndex": len(REVENUE), "text": REVENUE}, "groundingChunkIndices": [0]}],
        },
    }]}  # fmt: skip
    mended = edited(citewell.audit(reply, DOCUMENT))
    found = citewell.audit(mended, DOCUMENT)
    assert (found.precision, found.recall) == (1.0, 1.0)
    assert (mended["responseId"], mended["candidates"][0]["groundingMetadata"]["webSearchQueries"]) == ("x", ["q"])
