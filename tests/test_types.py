import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.errors import AnswerFormatError
from citewell.types import LABELS, Abstention, Answer, Citation, DocumentInfo, Rect, Statement

texts = st.text(max_size=20)
offsets = st.integers(0, 10**6)
scores = st.integers(0, 10**6).map(lambda value: value / 10**6)
rects = st.builds(Rect, st.integers(1, 99), *[st.integers(0, 900).map(float)] * 4)
citations = st.builds(
    Citation,
    document_id=texts,
    segment_id=texts,
    granularity=st.sampled_from(["sentence", "paragraph", "token"]),
    quote=texts,
    start=offsets,
    end=offsets,
    answer_start=offsets,
    answer_end=offsets,
    page=st.none() | st.integers(1, 99),
    rects=st.lists(rects, max_size=2).map(tuple),
    score=scores,
    method=texts,
)
statements = st.builds(
    Statement,
    texts,
    offsets,
    offsets,
    st.sampled_from(LABELS),
    scores,
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
)
answers = st.builds(
    Answer,
    text=texts,
    statements=st.lists(statements, max_size=2).map(tuple),
    citations=st.lists(citations, max_size=2).map(tuple),
    documents=st.lists(
        st.builds(DocumentInfo, texts, st.none() | texts, texts, st.none() | texts, st.none() | offsets), max_size=2
    ).map(tuple),
    question=st.none() | texts,
    abstention=st.none() | st.builds(Abstention, st.just("no_evidence"), st.none() | scores, st.none() | scores, texts),
    method=texts,
    usage=st.dictionaries(texts, scores, max_size=2),
    warnings=st.lists(texts, max_size=2).map(tuple),
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


def test_the_json_form_has_exactly_the_fields_of_the_schema():
    data = PLAIN.to_dict()
    assert list(data) == [
        "schema_version", "question", "text", "abstained", "abstention", "statements", "citations", "documents", "method", "usage", "warnings",
    ]  # fmt: skip
    assert data["schema_version"] == 1
    assert data["abstained"] is False
    assert list(data["statements"][0]) == ["text", "start", "end", "label", "score", "citations"]
    assert list(data["citations"][0]) == [
        "document_id", "segment_id", "granularity", "quote", "start", "end", "answer_start", "answer_end", "page", "rects", "score", "method",
    ]  # fmt: skip
    assert data["citations"][0]["rects"] == [[3, 72.0, 540.1, 523.2, 552.0]]
    assert list(data["documents"][0]) == ["id", "title", "sha256", "source", "pages"]


def test_an_abstention_shows_in_the_json_form():
    data = Answer("", abstention=Abstention("no_evidence", 0.1, 0.5, "nothing found")).to_dict()
    assert data["abstained"] is True
    assert data["abstention"] == {"reason": "no_evidence", "score": 0.1, "threshold": 0.5, "message": "nothing found"}


def test_printing_marks_each_statement_with_its_citations():
    assert str(PLAIN) == "Revenue rose. [1] Costs fell."


@pytest.mark.parametrize(
    "missing", ["text", "statements", "citations", "documents", "question", "abstention", "method", "usage", "warnings"]
)
def test_a_missing_field_is_a_format_error(missing):
    data = PLAIN.to_dict()
    del data[missing]
    with pytest.raises(AnswerFormatError, match=missing):
        Answer.from_dict(data)


@pytest.mark.parametrize(
    "damage",
    [{"schema_version": 2}, {"statements": 3}, {"citations": [{}]}, {"documents": [{"id": 1}]}, {"citations": [None]}],
)
def test_damaged_fields_are_format_errors(damage):
    with pytest.raises(AnswerFormatError):
        Answer.from_dict({**copy.deepcopy(PLAIN.to_dict()), **damage})


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_what_is_no_object_is_a_format_error(value):
    with pytest.raises(AnswerFormatError, match="JSON object"):
        Answer.from_dict(value)
