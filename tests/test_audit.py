"""Responses of each provider, with planted faults: what exists, what supports, what is missing, and the fixed version."""

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import cli
from citewell.audit import wire_write
from citewell.audit.scores import audit
from citewell.audit.wire_read import read
from citewell.document import Document
from citewell.errors import AnswerFormatError, CitewellError, UsageError
from citewell.pipeline import Pipeline
from citewell.types import Place, Reason, Verdict

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025 – a record. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours.",
    title="Report",
    source="report.pdf",
)
# Three statements, a café to make bytes differ from characters: well cited, cited wrongly and by an invention, not cited.
PARTS = [
    "The company employs 640 people in cafés and harbours.",
    "The Aurora was built in Turku.",
    "Fares rose by 3 percent.",
]
TEXT = " ".join(PARTS)
RIGHT, WRONG, INVENTED = (
    "The company employs 640 people in three harbours.",
    "Fuel costs fell to 18 million euros.",
    "She sails at dawn.",
)
STARTS = [TEXT.index(part) for part in PARTS]


def place(quote):
    start = REPORT.text.find(quote)
    return {"start_char_index": start, "end_char_index": start + len(quote)}


def anthropic():
    def citation(quote, **more):
        return {
            "type": "char_location",
            "cited_text": quote,
            "document_index": 0,
            "document_title": "Report",
            **place(quote),
            **more,
        }

    blocks = [
        {"type": "text", "text": PARTS[0], "citations": [citation(RIGHT)]},
        {"type": "text", "text": " ", "citations": None},
        {
            "type": "text",
            "text": PARTS[1],
            "citations": [citation(WRONG), citation(INVENTED, start_char_index=9, end_char_index=20)],
        },
        {"type": "text", "text": " " + PARTS[2]},
    ]
    return {"type": "message", "role": "assistant", "content": blocks}


def chat():
    def annotation(part, quote):
        start = STARTS[part]
        inner = {
            "url": "https://files.example/report.pdf",
            "title": "report.pdf",
            "start_index": start,
            "end_index": start + len(PARTS[part]),
            "quote": quote,
        }
        return {"type": "url_citation", "url_citation": inner}

    annotations = [annotation(0, RIGHT), annotation(1, WRONG), annotation(1, INVENTED)]
    return {"choices": [{"message": {"role": "assistant", "content": TEXT, "annotations": annotations}}]}


def responses():
    def annotation(part, file):
        return {
            "type": "file_citation",
            "index": STARTS[part] + len(PARTS[part]),
            "file_id": file,
            "filename": "report.pdf",
        }

    results = [
        {"file_id": name, "filename": "report.pdf", "score": 0.5, "text": quote}
        for name, quote in (("a", RIGHT), ("b", WRONG), ("c", INVENTED))
    ]
    message = {
        "type": "message",
        "content": [
            {
                "type": "output_text",
                "text": TEXT,
                "annotations": [annotation(0, "a"), annotation(1, "b"), annotation(1, "c")],
            }
        ],
    }
    return {"object": "response", "output": [{"type": "file_search_call", "results": results}, message]}


def gemini():
    def support(part, *chunks):
        start = len(TEXT[: STARTS[part]].encode())
        segment = {"startIndex": start, "endIndex": start + len(PARTS[part].encode()), "text": PARTS[part]}
        return {"segment": segment, "groundingChunkIndices": list(chunks)}

    chunks = [{"retrievedContext": {"title": "report.pdf", "text": quote}} for quote in (RIGHT, WRONG, INVENTED)]
    grounding = {"groundingChunks": chunks, "groundingSupports": [support(0, 0), support(1, 1, 2)]}
    return {"candidates": [{"content": {"parts": [{"text": TEXT}]}, "groundingMetadata": grounding}]}


def cohere():
    def citation(part, quote):
        source = {"type": "document", "id": "doc:0", "document": {"id": "doc:0", "title": "Report", "text": quote}}
        return {"start": STARTS[part], "end": STARTS[part] + len(PARTS[part]), "text": PARTS[part], "sources": [source]}

    return {
        "message": {
            "content": [{"type": "text", "text": TEXT}],
            "citations": [citation(0, RIGHT), citation(1, WRONG), citation(1, INVENTED)],
        }
    }


def plain():
    return f"{PARTS[0]} [3] {PARTS[1]} [1] [12] {PARTS[2]}"


MAKERS = {
    "anthropic": anthropic,
    "openai-chat": chat,
    "openai-responses": responses,
    "gemini": gemini,
    "cohere": cohere,
    "plain": plain,
}


@pytest.mark.parametrize("form", MAKERS)
def test_planted_faults_are_found_in_each_format(form):
    audit_result = audit(MAKERS[form](), [REPORT])
    assert audit_result.form == form
    assert audit_result.text == TEXT
    assert [(entry.statement, entry.located.exists, entry.supports) for entry in audit_result.citations] == [
        (0, True, True),
        (1, True, False),
        (1, False, False),
    ]
    assert [(statement.label == "not_supported", statement.missing) for statement in audit_result.statements] == [
        (False, False),
        (True, True),
        (True, True),
    ]
    assert audit_result.precision == pytest.approx(1 / 3)
    assert audit_result.to_dict()["counts"]["missing"] == 2
    assert [statement.quote for statement in audit_result.statements[1].suggested] == [
        "The ferry Aurora was built in Turku."
    ]
    assert any("citation 3" in warning for warning in audit_result.warnings)


@pytest.mark.parametrize("form", [form for form in MAKERS if form != "openai-responses"])
def test_the_fixed_version_passes_its_own_audit(form):
    fixed = audit(MAKERS[form](), [REPORT]).fixed
    assert fixed.text == TEXT
    for citation in fixed.citations:
        assert REPORT.text[citation.start : citation.end] == citation.quote
    written = wire_write.write(fixed, form)
    if form == "plain":
        assert "[1]" in written
        return
    again = audit(json.loads(json.dumps(written)), [REPORT])
    assert again.form == form
    assert again.precision == 1.0
    assert again.recall >= 2 / 3
    assert len(again.citations) == len(fixed.citations)


def test_a_statement_that_its_citation_supports_in_part_lacks_none():
    other = Document.from_text("The tram to the airport runs every ten minutes.")
    text = (
        "The company employs 640 people in three harbours and an office in Oslo. [1] The bridge is shut at night. [2]"
    )
    audit_result = audit(text, [REPORT, other])
    assert [entry.label for entry in audit_result.citations] == ["partially_supported", "not_supported"]
    assert not any(entry.supports for entry in audit_result.citations)
    assert [statement.missing for statement in audit_result.statements] == [False, True]


def test_our_own_answers_are_audited_too():
    fixed = audit(anthropic(), [REPORT]).fixed
    assert audit(fixed.to_dict(), [REPORT]).precision == 1.0


def test_offsets_are_never_trusted():
    data = anthropic()
    data["content"][0]["citations"][0] |= {"start_char_index": 3, "end_char_index": 9}
    entry = audit(data, [REPORT]).citations[0]
    assert entry.located.citation.quote == RIGHT
    assert "stands at" in entry.located.remark


def test_words_are_found_without_regard_to_blanks_and_marks():
    data = anthropic()
    data["content"][0]["citations"][0]["cited_text"] = "carried  4.1 million passengers in 2025 - a RECORD"
    assert (
        audit(data, [REPORT]).citations[0].located.citation.quote == "carried 4.1 million passengers in 2025 – a record"
    )


def test_a_document_that_was_not_given_is_told():
    data = anthropic()
    data["content"][0]["citations"][0]["document_index"] = 4
    assert "not given" in audit(data, [REPORT]).citations[0].located.problem


def test_a_citation_of_a_whole_file_is_judged_by_the_file():
    data = responses()
    del data["output"][0]
    audit_result = audit(data, [REPORT])
    assert [(entry.located.exists, entry.located.citation) for entry in audit_result.citations] == [(True, None)] * 3
    assert audit_result.citations[1].supports
    assert audit_result.fixed.statements[1].citations


def test_pages_are_counted_from_one_and_the_last_is_left_out():
    data = anthropic()
    data["content"][0]["citations"] = [
        {
            "type": "page_location",
            "cited_text": RIGHT,
            "document_index": 0,
            "start_page_number": 2,
            "end_page_number": 3,
        }
    ]
    assert read(data).claims[0].pages == (2, 2)


def test_marks_of_several_documents_count_documents():
    other = Document.from_text("The tram to the airport runs every ten minutes.")
    audit_result = audit("The tram runs every ten minutes. [2] The Aurora was built in Turku. [2]", [REPORT, other])
    assert [entry.supports for entry in audit_result.citations] == [True, False]


@pytest.mark.parametrize(
    "data", [{}, [], 3, {"content": [{"type": "text"}]}, {"choices": [{}]}, {"candidates": [{}]}, {"schema_version": 9}]
)
def test_what_is_no_response_is_told(data):
    with pytest.raises(AnswerFormatError):
        audit(data, [REPORT])


def test_an_empty_response_is_told():
    with pytest.raises(UsageError, match="no text"):
        audit(" ", [REPORT])
    with pytest.raises(UsageError, match="document"):
        audit("x", [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=9),
    lambda kids: st.lists(kids, max_size=3) | st.dictionaries(st.text(max_size=9), kids, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([anthropic, chat, responses, gemini, cohere]), st.data())
def test_damaged_responses_give_a_result_or_one_of_our_errors(make, data):
    response = make()
    spots = list(_spots(response))
    holder, key = data.draw(st.sampled_from(spots))
    holder[key] = data.draw(JSON)
    try:
        audit_result = audit(response, [REPORT])
    except CitewellError:
        return
    for entry in audit_result.citations:
        cited = entry.located.citation
        assert cited is None or REPORT.text[cited.start : cited.end] == cited.quote


def _spots(value):
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield value, key
        yield from _spots(inner)


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = cli.main(list(args))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def files(tmp_path):
    (tmp_path / "report.txt").write_text(REPORT.text, encoding="utf-8")
    (tmp_path / "response.json").write_text(json.dumps(anthropic()), encoding="utf-8")
    return tmp_path


def test_the_command_tells_each_fault_and_writes_the_fixed_version(run, files):
    code, out, err = run(
        "audit", str(files / "response.json"), str(files / "report.txt"), "--fixed", str(files / "fixed.json")
    )
    assert code == 0
    assert "3 citations, 2 exist, 1 support" in out
    assert "does not exist" in out
    assert "better: “The ferry Aurora was built in Turku.”" in out
    assert "wrote" in err
    code, out, _ = run("audit", str(files / "fixed.json"), str(files / "report.txt"), "--json")
    assert json.loads(out)["precision"] == 1.0


def test_the_command_reads_plain_text_from_standard_input(run, files):
    code, out, _ = run("audit", "-", str(files / "report.txt"), stdin=plain().encode())
    assert code == 0
    assert "[12] does not exist" in out


@pytest.mark.parametrize(
    ("name", "says"), [("gone.json", "cannot read"), ("bad.json", "neither JSON"), ("empty.json", "known formats")]
)
def test_the_command_tells_bad_input_in_one_line(run, files, name, says):
    (files / "bad.json").write_text("{nonsense", encoding="utf-8")
    (files / "empty.json").write_text("{}", encoding="utf-8")
    code, _, err = run("audit", str(files / name), str(files / "report.txt"))
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


class Faulting:
    """A checker that finds the last word of every claim at odds with the first five characters of its evidence."""

    name = "faulting"

    def check(self, pairs):
        return [self._verdict(pair.claim, pair.citations) for pair in pairs]

    def _verdict(self, claim, citations):
        home, start = citations[0].document_id, citations[0].start
        reason = Reason("number", len(claim) - 3, len(claim), Place(home, start, start + 5), "no")
        return Verdict(claim, "contradicted", 0.1, citations, method=self.name, reasons=(reason,))


def test_reasons_stand_in_the_response_and_in_the_document_that_is_cited():
    audit_result = audit(anthropic(), [REPORT], pipeline=Pipeline(checker=Faulting()))
    first, _, uncited = audit_result.statements
    (reason,) = first.reasons
    assert (reason.start, reason.end) == (first.end - 3, first.end)
    assert REPORT.text[reason.evidence.start : reason.evidence.end] == RIGHT[:5]
    assert first.to_dict()["reasons"] == [reason.to_dict()]
    assert (uncited.label, uncited.reasons[0].kind, uncited.reasons[0].start) == (
        "not_supported",
        "missing",
        uncited.start,
    )
