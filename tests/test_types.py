import copy
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.errors import AnswerFormatError
from citewell.types import (
    LABELS,
    Abstention,
    Answer,
    Citation,
    DocumentInfo,
    Nearest,
    Place,
    Reason,
    Rect,
    Span,
    Statement,
    Value,
    Verdict,
)

texts = st.text(max_size=20)
offsets = st.integers(0, 10**6)
scores = st.integers(0, 10**6).map(lambda value: value / 10**6)
rects = st.builds(Rect, st.integers(1, 99), *[st.integers(0, 900).map(float)] * 4)
ordered = st.tuples(offsets, st.integers(0, 99)).map(lambda pair: (pair[0], pair[0] + pair[1]))
pages = st.none() | st.integers(1, 99)
numbers = st.floats(allow_nan=False, allow_infinity=False)
citations = st.builds(
    lambda span, message, **rest: Citation(
        start=span[0], end=span[1], answer_start=message[0], answer_end=message[1], **rest
    ),
    ordered,
    ordered,
    document_id=texts,
    segment_id=texts,
    granularity=st.sampled_from(["sentence", "paragraph", "token"]),
    quote=texts,
    page=pages,
    rects=st.lists(rects, max_size=2).map(tuple),
    score=numbers,
    method=texts,
)
places = st.builds(lambda name, span, page: Place(name, *span, page), texts, ordered, pages)
reasons = st.lists(
    st.builds(
        lambda kind, span, place, message: Reason(kind, *span, place, message),
        texts,
        ordered,
        st.none() | places,
        texts,
    ),
    max_size=2,
).map(tuple)
statements = st.builds(
    lambda text, span, *rest: Statement(text, *span, *rest),
    texts,
    ordered,
    st.sampled_from(LABELS),
    numbers,
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
    reasons,
)
nearest = st.lists(st.builds(Nearest, citations, texts), max_size=2).map(tuple)
some_texts, some_numbers = st.none() | texts, st.none() | numbers


def fitting(answer: Answer) -> Answer:
    """The answer with offsets and numbers of citations that point at something in it."""
    size, count = len(answer.text), len(answer.citations)

    def within(numbers):
        return tuple(number for number in numbers if number < count)

    return replace(
        answer,
        statements=tuple(
            replace(
                statement,
                start=min(statement.start, size),
                end=min(statement.end, size),
                citations=within(statement.citations),
            )
            for statement in answer.statements
        ),
        citations=tuple(
            replace(
                statement, answer_start=min(statement.answer_start, size), answer_end=min(statement.answer_end, size)
            )
            for statement in answer.citations
        ),
        value=answer.value and replace(answer.value, citations=within(answer.value.citations)),
    )


answers = st.builds(
    Answer,
    text=texts,
    statements=st.lists(statements, max_size=2).map(tuple),
    citations=st.lists(citations, max_size=2).map(tuple),
    documents=st.lists(
        st.builds(DocumentInfo, texts, some_texts, texts, some_texts, st.none() | offsets), max_size=2
    ).map(tuple),
    question=some_texts,
    abstention=st.none() | st.builds(Abstention, st.just("no_evidence"), some_numbers, some_numbers, texts, nearest),
    method=texts,
    usage=st.dictionaries(texts, scores, max_size=2),
    warnings=st.lists(texts, max_size=2).map(tuple),
    confidence=st.none() | scores,
    value=st.none() | st.builds(Value, texts, texts, some_numbers, some_texts, some_numbers, some_texts),
).map(fitting)
verdicts = st.builds(
    Verdict,
    texts,
    st.sampled_from(LABELS),
    numbers,
    st.lists(citations, max_size=2).map(tuple),
    st.lists(ordered.map(lambda span: Span(*span)), max_size=2).map(tuple),
    texts,
    st.lists(texts, max_size=2).map(tuple),
    some_texts,
    reasons,
)

PLAIN = Answer(
    text="Revenue rose. Costs fell.",
    statements=(
        Statement("Revenue rose.", 0, 13, "supported", 0.97, (0,)),
        Statement("Costs fell.", 14, 25, citations=()),
    ),
    citations=(
        Citation(
            "d",
            "p1.0",
            "sentence",
            "Revenue rose.",
            3,
            16,
            0,
            13,
            3,
            (Rect(3, 72.0, 540.1, 523.2, 552.0),),
            0.94,
            "lexical",
        ),
    ),
    documents=(DocumentInfo("d", "Report", "ab" * 32, "report.pdf", 12),),
    question="What rose?",
    method="lexical",
    usage={"seconds": 0.1},
)


@given(answers)
def test_an_answer_survives_json(answer):
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


@given(verdicts)
def test_a_verdict_survives_json(verdict):
    assert Verdict.from_dict(json.loads(json.dumps(verdict.to_dict()))) == verdict


def test_the_json_form_has_exactly_the_fields_of_the_schema():
    data = PLAIN.to_dict()
    assert list(data) == [
        "schema_version", "question", "text", "abstained", "abstention", "confidence", "value",
        "statements", "citations", "documents", "method", "usage", "warnings",
    ]  # fmt: skip
    assert data["schema_version"] == 2
    assert data["abstained"] is False
    assert list(data["statements"][0]) == ["text", "start", "end", "label", "score", "citations", "reasons"]
    assert list(data["citations"][0]) == [
        "document_id", "segment_id", "granularity", "quote", "start", "end", "answer_start", "answer_end", "page", "rects", "score", "method",
    ]  # fmt: skip
    assert data["citations"][0]["rects"] == [[3, 72.0, 540.1, 523.2, 552.0]]
    assert list(data["documents"][0]) == ["id", "title", "sha256", "source", "pages"]


def test_an_abstention_shows_in_the_json_form():
    data = Answer("", abstention=Abstention("no_evidence", 0.1, 0.5, "nothing found")).to_dict()
    assert data["abstained"] is True
    assert data["abstention"] == {
        "reason": "no_evidence",
        "score": 0.1,
        "threshold": 0.5,
        "message": "nothing found",
        "nearest": [],
    }


def test_printing_marks_each_statement_with_its_citations():
    assert str(PLAIN) == PLAIN.marked == "Revenue rose. [1] Costs fell. (✗ not supported)"


@pytest.mark.parametrize(
    "missing", ["text", "statements", "citations", "documents", "question", "abstention", "method", "usage", "warnings"]
)
def test_a_missing_field_is_a_format_error(missing):
    data = PLAIN.to_dict()
    del data[missing]
    with pytest.raises(AnswerFormatError, match=missing):
        Answer.from_dict(data)


FULL = Answer(
    text="Revenue was 41 million.",
    statements=(
        Statement(
            "Revenue was 41 million.", 0, 23, "contradicted", 0.1, (0,),
            (Reason("number", 12, 22, Place("d", 15, 25, 3), "says 41 million; the evidence says 40 million"),),
        ),
    ),
    citations=(Citation("d", "p1.0", "sentence", "Revenue was 40 million.", 3, 26, 0, 23, 3, (Rect(3, 1.0, 2.0, 3.0, 4.0),)),),
    documents=(DocumentInfo("d", None, "ab" * 32, None, 12),),
    confidence=0.4,
    value=Value("40 million", "money", 40.0, "EUR", 1e6, "2020", (0,)),
)  # fmt: skip
ABSTAINED = Answer("", abstention=Abstention("low_confidence", 0.2, 0.3, "", (Nearest(FULL.citations[0], "the year"),)))


def test_the_fields_of_reasons_and_of_what_comes_nearest_stand_in_the_order_of_the_schema():
    (reason,) = FULL.to_dict()["statements"][0]["reasons"]
    assert list(reason) == ["kind", "start", "end", "evidence", "message"]
    assert reason["evidence"] == {"document_id": "d", "start": 15, "end": 25, "page": 3, "rects": []}
    assert list(FULL.to_dict()["value"]) == [
        "text",
        "kind",
        "number",
        "unit",
        "scale",
        "period",
        "citations",
        "formula",
    ]
    (near,) = ABSTAINED.to_dict()["abstention"]["nearest"]
    assert near == {**FULL.citations[0].to_dict(), "lacks": "the year"}
    assert Answer.from_dict(ABSTAINED.to_dict()) == ABSTAINED
    assert Answer.from_dict(FULL.to_dict()) == FULL


def test_the_first_version_of_the_schema_is_read_with_defaults():
    data = copy.deepcopy(PLAIN.to_dict())
    del data["confidence"], data["value"], data["statements"][0]["reasons"], data["statements"][1]["reasons"]
    assert Answer.from_dict({**data, "schema_version": 1}) == PLAIN
    gone = Answer("", abstention=Abstention("no_evidence", 0.1, 0.5, "nothing found")).to_dict()
    del gone["confidence"], gone["value"], gone["abstention"]["nearest"]
    assert Answer.from_dict({**gone, "schema_version": 1}).abstention.nearest == ()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema_version", 3),
        ("schema_version", "2"),
        ("schema_version", [2]),
        ("schema_version", True),
        ("text", ["Revenue"]),
        ("text", "\ud800"),
        ("statements", 3),
        ("statements", "abc"),
        ("statements", {"0": {}}),
        ("statements[0]", None),
        ("statements[0].label", "certain"),
        ("statements[0].label", ["supported"]),
        ("statements[0].score", float("nan")),
        ("statements[0].score", float("inf")),
        ("statements[0].score", 10**400),
        ("statements[0].score", "0.5"),
        ("statements[0].score", True),
        ("statements[0].end", -1),
        ("statements[0].citations[0]", 0.0),
        ("statements[0].citations[0]", -1),
        ("statements[0].reasons[0].end", 3),
        ("statements[0].reasons[0].kind", None),
        ("statements[0].reasons[0].evidence", "page 3"),
        ("statements[0].reasons[0].evidence.end", 2),
        ("citations[0]", {}),
        ("citations[0].start", 2.5),
        ("citations[0].start", False),
        ("citations[0].end", 1),
        ("citations[0].answer_end", None),
        ("citations[0].page", 0),
        ("citations[0].rects[0]", [3, 1, 2, 3]),
        ("citations[0].rects[0][1]", "1"),
        ("citations[0].granularity", "word"),
        ("documents[0].pages", "12"),
        ("documents[0].title", 7),
        ("abstention", {"reason": "tired", "score": None, "threshold": None, "message": ""}),
        ("usage", []),
        ("warnings[0]", 3),
        ("confidence", "high"),
        ("value.citations", "0"),
        ("statements[0].citations[0]", 9),
        ("statements[0].end", 900),
        ("citations[0].answer_end", 900),
        ("value.citations", [4]),
        ("value.number", float("-inf")),
    ],
)
def test_a_wrong_field_is_a_format_error_that_names_its_path(path, value):
    data = copy.deepcopy(FULL.to_dict())
    data["warnings"] = ["a warning"]
    *way, last = re.findall(r"[a-z_]+|\d+", path)
    inner = data
    for name in way:
        inner = inner[int(name) if name.isdigit() else name]
    inner[int(last) if last.isdigit() else last] = value
    with pytest.raises(AnswerFormatError) as caught:
        Answer.from_dict(data)
    assert str(caught.value).startswith(path)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_what_is_no_object_is_a_format_error(value):
    with pytest.raises(AnswerFormatError, match="JSON object"):
        Answer.from_dict(value)
