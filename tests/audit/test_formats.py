"""The formats of clouds, frameworks and streams: the same three statements in each, with the same faults."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell import cli
from citewell.audit import wire_write
from citewell.audit.scores import audit
from citewell.document import Document
from citewell.errors import AnswerFormatError, CitewellError
from citewell.types import Page
from helpers import calls
from response_formats import FORMATS, INVENTED, PARTS, REPORT, RIGHT, TEXT, WRONG


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_the_same_faults_are_found_in_every_format(make):
    audit_result = audit(make(), [REPORT])
    assert audit_result.form == FORMATS[make]
    assert audit_result.text.split() == TEXT.split()
    result = [(entry.statement, entry.located.exists, entry.supports) for entry in audit_result.citations]
    assert result == [(0, True, True), (1, True, False), (2, False, False)]
    assert [entry.located.citation.quote for entry in audit_result.citations[:2]] == [RIGHT, WRONG]
    assert audit_result.precision == pytest.approx(1 / 3)


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_the_fixed_version_of_every_format_passes_its_own_audit(make):
    audit_result = audit(make(), [REPORT])
    written = wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data)
    again = audit(written if isinstance(written, str) else json.loads(json.dumps(written)), [REPORT])
    assert again.form == audit_result.form
    assert again.text.split() == TEXT.split()
    kept = [(entry.statement, entry.located.citation.quote) for entry in again.citations if entry.supports]
    assert kept[:2] == [(0, RIGHT), (1, "The ferry Aurora was built in Turku.")]
    assert len(kept) == len(again.citations)


SHAPED = [make for make in FORMATS if isinstance(make(), dict)]


@pytest.mark.parametrize("make", SHAPED, ids=lambda make: make.__name__)
def test_the_fixed_version_has_the_shape_of_the_response(make):
    response = make()
    audit_result = audit(response, [REPORT])
    written = json.loads(
        json.dumps(wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data))
    )
    assert _names(written) <= _names(response) | ADDED
    text = json.dumps(written, ensure_ascii=False)
    assert RIGHT in text
    assert audit_result.payloads[0] is not None
    assert make() == response  # the response itself is as it was


ADDED = {
    "page_label",
    "page_number",
    "snippet",
    "finish_reason",
    "index",
    "start_index",
    "end_index",
    "source",
    "quote",
}


def _names(value):
    """The names of all fields of JSON data."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    names = {name for name in value if not name.isdecimal()} if isinstance(value, dict) else set()
    return names.union(*map(_names, inside))


def test_every_format_is_read_from_a_file(tmp_path, capsys):
    report = tmp_path / "report.txt"
    report.write_text(REPORT.text, encoding="utf-8")
    for make, form in FORMATS.items():
        response = make()
        path = tmp_path / f"{make.__name__}.json"
        path.write_bytes((response if isinstance(response, str) else json.dumps(response)).encode())
        assert cli.main(["audit", str(path), str(report), "--quiet"]) == 0, make.__name__
        out = capsys.readouterr().out
        assert out.startswith(f"{form}: 3 citations, 2 exist, 1 support"), out


def url_citation(url, title=None, text="Fares rose by 3 percent."):
    inner = {"url": url, "title": title, "start_index": 0, "end_index": len(text)}
    note = {"type": "url_citation", "url_citation": inner}
    return {"choices": [{"message": {"role": "assistant", "content": text, "annotations": [note]}}]}


PAGE = Document.from_text(REPORT.text, title="Northwater in figures", source="https://www.northwater.example/figures/")


@pytest.mark.parametrize(
    ("document", "url", "title", "arguments"),
    [
        (REPORT, "https://files.example/a/report.pdf?sig=1", None, True),
        (REPORT, "https://files.example/REPORT.pdf", None, True),
        (REPORT, "https://files.example/report", None, True),
        (REPORT, "https://files.example/x", "Report", True),
        (REPORT, "https://files.example/report.html", None, False),
        (REPORT, "https://files.example/annual.pdf", None, False),
        (REPORT, "https://en.wikipedia.org/wiki/Ferry", "Ferry", False),
        (PAGE, "https://northwater.example/figures", None, True),
        (PAGE, "http://www.northwater.example/figures/#top", None, True),
        (PAGE, "https://northwater.example/figures?year=2020", None, False),
        (PAGE, "https://northwater.example/", None, False),
        (PAGE, "https://other.example/figures", None, False),
        (PAGE, "https://other.example/x", "Northwater in figures", True),
    ],
)
def test_an_address_is_a_document_by_its_source_or_it_was_not_given(document, url, title, arguments):
    (entry,) = audit(url_citation(url, title), [document]).citations
    assert entry.located.exists is arguments
    assert arguments or "was not given" in entry.located.problem


# docs.perplexity.ai/api-reference/chat-completions-post: citations are addresses, search_results tell of each
def perplexity(*addresses, text="Fares rose by 3 percent.[1] The Aurora was built in Turku.[2][3]"):
    results = [
        {"title": f"Page {n}", "url": address, "date": None, "snippet": "…"} for n, address in enumerate(addresses)
    ]
    message = {"role": "assistant", "content": text}
    return {"choices": [{"message": message}], "citations": list(addresses), "search_results": results}


def test_perplexitys_numbers_are_addresses():
    audit_result = audit(
        perplexity("https://files.example/report.pdf", "https://en.wikipedia.org/wiki/Turku"), [REPORT]
    )
    assert (audit_result.form, audit_result.text) == (
        "perplexity",
        "Fares rose by 3 percent. The Aurora was built in Turku.",
    )
    assert [(entry.statement, entry.located.exists, entry.supports) for entry in audit_result.citations] == [
        (0, True, True),
        (1, False, False),
        (1, False, False),
    ]
    assert "wikipedia" in audit_result.citations[1].located.problem
    assert "there are 2 sources" in audit_result.citations[2].located.problem


def test_a_fixed_response_of_perplexity_names_the_address_of_what_supports():
    wrong = perplexity("https://en.wikipedia.org/wiki/Fare", "https://northwater.example/figures")
    audit_result = audit(wrong, [PAGE])
    fixed = wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data)
    assert (
        fixed["choices"][0]["message"]["content"] == "Fares rose by 3 percent. [3] The Aurora was built in Turku. [3]"
    )
    assert fixed["citations"] == [*wrong["citations"], PAGE.source]
    assert [search_result["url"] for search_result in fixed["search_results"]] == fixed["citations"]
    assert all(entry.supports for entry in audit(fixed, [PAGE]).citations)


@pytest.mark.parametrize(
    ("entry", "exists", "says"),
    [
        ("report.pdf", True, ""),
        ("Report", True, ""),
        ("Wikipedia", False, "not in the document"),
        ("report.pdf, p. 1", True, ""),
        ("Report, page 9", False, "page 9"),
        ("https://files.example/report.pdf", True, ""),
        ("[Ferry](https://en.wikipedia.org/wiki/Ferry)", False, "was not given"),
        ("“She is powered by batteries and a small diesel engine.”", True, ""),
        ('Report, "She is powered by steam alone."', False, "not in the document"),
        ("Fares rose by 3 percent in spring.", True, ""),
    ],
)
def test_a_plain_answers_own_list_says_what_its_numbers_are(entry, exists, says):
    document = Document(REPORT.text, "Report", "report.pdf", pages=(Page(1, 0, len(REPORT.text), 595.0, 842.0),))
    (citation,) = audit(f"Fares rose by 3 percent in spring [7].\n\nReferences\n[7] {entry}\n", [document]).citations
    assert citation.located.exists is exists
    assert says in (citation.located.problem or "")


def test_without_marks_every_statement_is_held_against_all_that_was_retrieved():
    documents = [{"page_content": part, "metadata": {}} for part in REPORT.text.split("\n\n")]
    audit_result = audit({"query": "What?", "result": TEXT, "source_documents": documents}, [REPORT])
    assert len(audit_result.citations) == 9
    assert [part.label for part in audit_result.statements][1:] == ["supported", "supported"]
    assert audit_result.precision is None
    assert audit_result.recall == pytest.approx(2 / 3) or audit_result.recall == 1


REFUSALS = [
    "I'm sorry, but the document does not mention who owns the ferry.",
    "Leider kann ich diese Frage nicht beantworten.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_reply_that_declines_claims_nothing(text):
    audit_result = audit(text, [REPORT])
    assert audit_result.declined
    assert (audit_result.precision, audit_result.recall) == (None, None)
    assert audit_result.to_dict()["counts"]["statements"] == 0
    assert audit_result.to_dict()["declined"] is True
    assert audit_result.warnings == ()


@pytest.mark.parametrize("form", ["chat", "responses"])
def test_a_services_refusal_is_no_claim_whatever_its_words(form):
    text = "That is nothing to talk about."
    part = {"type": "refusal", "refusal": text}
    settings = (
        {"choices": [{"message": {"content": None, "refusal": text}}]}
        if form == "chat"
        else {"output": [{"content": [part]}]}
    )
    assert audit(settings, [REPORT]).declined


def test_a_refusal_with_a_mark_does_not_count_against_its_citations(tmp_path, capsys, monkeypatch):
    path = tmp_path / "report.txt"
    path.write_text(REPORT.text, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"The report does not mention the owner. [1]")))
    assert cli.main(["audit", "-", str(path), "--require", "0.9/0.9"]) == 0
    assert "declines to answer" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["data: one two\n\ndata: [DONE]\n\n", 'data: {"a": 1}\n\n'])
def test_a_stream_of_something_else_is_told(text):
    with pytest.raises(AnswerFormatError, match="stream"):
        audit(text, [REPORT])


@pytest.mark.parametrize("text", ["Data: fares rose by 3 percent.", "event: the fares rose.\nThat is all."])
def test_prose_that_begins_like_a_stream_is_prose(text):
    assert audit(text, [REPORT]).form == "plain"


def _wrong(value, path, put):
    """The same JSON with another value at one place."""
    built = copy.deepcopy(value)
    inside = built
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = put
    return built


def _paths(value, path=()):
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, step)
            yield from _paths(inner, (*path, step))


JSON_FORMATS = [make for make in FORMATS if isinstance(make(), dict | list)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(JSON_FORMATS), st.data())
def test_wrong_types_give_a_result_or_one_of_our_errors(make, data):
    response = make()
    path = data.draw(st.sampled_from(list(_paths(response))))
    put = data.draw(st.sampled_from([None, 1, -1, 1e999, True, "x", "9" * 40, [], {}, [None], [[]], {"a": 1}, ["x"]]))
    with contextlib.suppress(CitewellError):
        audit_result = audit(_wrong(response, path, put), [REPORT])
        audit_result.to_dict()
        wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data)


@pytest.mark.parametrize("listed", [False, True])
def test_marks_take_linear_time(listed):
    def work(count):
        text = " ".join(f"Fares rose by 3 percent in spring. [{n % 3 + 1}]" for n in range(count))
        nodes = [{"node": {"text": quote}} for quote in (RIGHT, WRONG, INVENTED)]
        return calls(lambda: audit({"response": text, "source_nodes": nodes} if listed else text, [REPORT]))

    work(1)
    assert work(120) < 4.5 * work(30)


@pytest.mark.parametrize("page", [1, 2])
def test_a_page_of_converse_stays_a_page_and_is_put_right(page):
    paged = replace(REPORT, pages=(Page(1, 0, 98, 595.0, 842.0), Page(2, 98, len(REPORT.text), 595.0, 842.0)))
    place = {"documentIndex": 0, "start": page, "end": page + 1}
    cited = {"title": "Report", "sourceContent": [{"text": RIGHT}], "location": {"documentPage": place}}
    text = [{"citationsContent": {"content": [{"text": PARTS[0]}], "citations": [cited]}}, {"text": f" {PARTS[1]}"}]
    audit_result = audit({"output": {"message": {"content": text}}}, [paged])
    fixed = wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data)
    right, added = (block["citationsContent"]["citations"][0] for block in fixed["output"]["message"]["content"][::2])
    assert right == {**cited, "location": {"documentPage": {"documentIndex": 0, "start": 2, "end": 3}}}
    assert added["location"] == right["location"]
    assert added["sourceContent"] == [{"text": "The ferry Aurora was built in Turku."}]


@pytest.mark.parametrize("right", [False, True])
def test_an_extracted_answer_gets_the_passage_that_supports_it(right):
    quote = "The ferry Aurora was built in Turku." if right else WRONG
    document = {"content": quote, "meta": {"file_path": "report.pdf"}}
    answer = {
        "data": PARTS[1],
        "query": "Where?",
        "document": document,
        "document_offset": {"start": 0, "end": len(quote)},
    }
    audit_result = audit({"reader": {"answers": [answer]}}, [REPORT])
    (fixed,) = wire_write.write(audit_result.fixed, audit_result.form, audit_result.payloads, audit_result.data)[
        "reader"
    ]["answers"]
    assert fixed["document"]["content"] == "The ferry Aurora was built in Turku."
    assert (fixed == answer) is right


def test_all_parts_of_the_cases_are_there():
    assert INVENTED not in REPORT.text
    assert len(PARTS) == 3
