"""Verification: it holds for what was just made, and names whatever was changed."""

import json
from dataclasses import replace

import pytest

from citewell.audit.verify import load, verify
from citewell.errors import AnswerFormatError
from citewell.export import as_json
from citewell.types import Page, Rect, Verdict
from helpers import TEXT, cite, make_answer, make_document


@pytest.fixture
def document():
    return make_document()


@pytest.fixture
def answer(document):
    parts = [("Revenue was 41.3 million.", "supported", ["41.3 million"]), ("Five ships.", "supported", ["five ships"])]
    return make_answer(document, parts)


def mismatches(report):
    return [(mismatch.where, mismatch.what) for mismatch in report.mismatches]


def test_everything_holds_for_an_answer_and_its_document(document, answer):
    report = verify(load(as_json.render(answer)), [document])
    assert report.ok
    assert report.to_dict() == {
        "schema_version": 2, "ok": True, "citations": 2, "statements": 2, "documents": 1, "mismatches": [],
    }  # fmt: skip


def test_a_changed_document_is_named_and_each_quote_that_moved(answer):
    changed = make_document("Preface. " + TEXT)
    report = verify(answer, [changed])
    assert mismatches(report) == [("documents[0]", "document"), ("citations[0]", "quote"), ("citations[1]", "quote")]
    assert f"it stands at {answer.citations[0].start + 9} now" in report.mismatches[1].message


def test_a_quote_that_is_gone_is_said_to_be_nowhere(answer):
    report = verify(answer, [make_document(TEXT.replace("five", "nine"))])
    assert mismatches(report) == [("documents[0]", "document"), ("citations[1]", "quote")]
    assert "nowhere in the text" in report.mismatches[1].message


@pytest.mark.parametrize(("score", "expected"), [(0.55, []), (0.54, [("statements[0]", "score")])])
def test_no_supported_statement_scores_below_one_that_is_not(document, score, expected):
    parts = [("Revenue rose.", "supported", ["Revenue"]), ("Ships sank.", "not_supported", ["five"])]
    answer = make_answer(document, parts)
    first, other = answer.statements
    scored = replace(answer, statements=(replace(first, score=score), replace(other, score=0.55)))
    assert mismatches(verify(scored, [document])) == expected


def test_a_missing_document_is_named_and_so_is_every_citation_into_it(document, answer):
    other = make_document("Something else.")
    answer = replace(answer, documents=(other.info, document.info))
    report = verify(answer, [other])
    assert mismatches(report) == [
        ("documents[1]", "document"),
        ("citations[0]", "document"),
        ("citations[1]", "document"),
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"end": 10_000}, ("citations[0]", "offsets")),
        ({"start": 30, "end": 20}, ("citations[0]", "offsets")),
        ({"quote": "Revenue fell."}, ("citations[0]", "quote")),
        ({"answer_end": 500}, ("citations[0]", "offsets")),
        ({"page": 2}, ("citations[0]", "page")),
    ],
)
def test_a_changed_citation_is_named(document, answer, change, expected):
    changed = replace(answer, citations=(replace(answer.citations[0], **change), answer.citations[1]))
    assert mismatches(verify(changed, [document])) == [expected]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"text": "Revenue was 14.3 million."}, ("statements[0]", "statement")),
        ({"end": 900}, ("statements[0]", "offsets")),
        ({"citations": (0, 7)}, ("statements[0]", "index")),
        ({"citations": (-1,)}, ("statements[0]", "index")),
        ({"label": "sure"}, ("statements[0]", "label")),
    ],
)
def test_a_changed_statement_is_named(document, answer, change, expected):
    changed = replace(answer, statements=(replace(answer.statements[0], **change), answer.statements[1]))
    assert mismatches(verify(changed, [document])) == [expected]


class Fixed:
    """A locator that knows one place."""

    def locate(self, start, end):
        return (Rect(1, 10.0, 10.0, 100.0, 20.0),)


@pytest.mark.parametrize(
    ("rect", "problem"),
    [
        (Rect(1, 10.2, 10.0, 100.0, 20.0), None),
        (Rect(2, 10.0, 10.0, 100.0, 20.0), "there is no page 2"),
        (Rect(1, 10.0, 10.0, 400.0, 20.0), "not inside page 1"),
        (Rect(1, 50.0, 10.0, 40.0, 20.0), "not inside page 1"),
        (Rect(1, 10.0, 50.0, 100.0, 60.0), "not where it stands"),
    ],
)
def test_rectangles_must_lie_on_the_page_where_the_quote_stands(document, rect, problem):
    paged = replace(document, pages=(Page(1, 0, len(TEXT), 300.0, 400.0),), locator=Fixed())
    answer = make_answer(paged, [("Five ships.", "supported", ["five ships"])])
    report = verify(replace(answer, citations=(replace(answer.citations[0], rects=(rect,)),)), [paged])
    assert [problem in mismatch.message for mismatch in report.mismatches] == ([True] if problem else [])


def test_saved_verdicts_are_verified_like_answers(document):
    verdicts = [
        Verdict("Five ships.", "supported", 0.9, (cite(document, "five ships", 0, 11),)),
        Verdict("Costs fell.", "supported", 0.9, (cite(document, "Costs fell", 0, 11),)),
    ]
    text = as_json.render(verdicts, [document])
    report = verify(load(text), [document])
    assert (report.ok, report.citations, report.statements) == (True, 2, 2)
    assert mismatches(verify(load(text.replace("has five", "has nine")), [document])) == [
        ("citations[0]", "quote"),
        ("usage.digest", "digest"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", "nothing", '{"schema_version": 3}', '{"verdicts": 3}',
        '{"verdicts": [{}]}', "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_one_line(text):
    with pytest.raises(AnswerFormatError) as caught:
        load(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("field", "value"), [("start", "3"), ("end", 2.5), ("quote", None), ("page", True)])
def test_a_field_of_the_wrong_type_is_refused_by_name(answer, field, value):
    data = json.loads(as_json.render(answer))
    data["citations"][1][field] = value
    with pytest.raises(AnswerFormatError, match=rf"citations\[1\]\.{field}"):
        load(json.dumps(data))
