"""Thirty-two shapes of services' replies: read, audited, mended; what is none of them is refused, never passed over."""

import json

import pytest

import citewell
from citewell.audit.edit import edited
from citewell.errors import AnswerFormatError
from provider_shapes import FIRST, SECOND, SHAPES


def test_there_are_thirty_two():
    assert len(SHAPES) == 32


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_right_citations_are_right_and_swapped_ones_wrong(name):
    make, documents = SHAPES[name]
    right, wrong = (citewell.audit(make(*quotes), documents) for quotes in ((FIRST, SECOND), (SECOND, FIRST)))
    assert len(right.citations) >= 2
    assert (right.precision, right.recall) == (1.0, 1.0)
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)


@pytest.mark.parametrize("name", sorted(SHAPES))
@pytest.mark.parametrize("quotes", [(FIRST, SECOND), (SECOND, FIRST)], ids=["right", "swapped"])
def test_right_ones_are_kept_and_wrong_ones_mended(name, quotes):
    make, documents = SHAPES[name]
    mended = edited(citewell.audit(make(*quotes), documents))
    again = citewell.audit(mended if isinstance(mended, str) else json.loads(json.dumps(mended)), documents)
    assert (again.precision, again.recall) == (1.0, 1.0)
    assert [statement.text.strip() for statement in again.statements if statement.label != "no_claim"] == [
        FIRST,
        SECOND,
    ]


@pytest.mark.parametrize(
    "reply",
    [
        {"answer": "Yes.", "citations": ["https://example.org"]},
        {"data": {"output": "Yes.", "references": {"title": "x"}}},
        {"outputs": [{"type": "tool.execution"}]},
        {"summary": "Yes.", "search_results": None},
    ],
)
def test_a_shape_that_is_only_alike_is_refused(reply):
    with pytest.raises(AnswerFormatError, match="none of the known formats"):
        citewell.audit(reply, SHAPES["exa"][1])


def test_what_the_mended_reply_holds_beside_its_text_is_as_it_came():
    make, documents = SHAPES["mistral_conversation"]
    reply = make(SECOND, FIRST)
    mended = edited(citewell.audit(reply, documents))
    assert {**mended, "outputs": mended["outputs"][:1]} == {**reply, "outputs": reply["outputs"][:1]}
    make, documents = SHAPES["kagi"]
    reply = make(SECOND, FIRST)
    mended = edited(citewell.audit(reply, documents))
    assert mended["meta"] == reply["meta"]
    assert mended["data"]["references"][:2] == reply["data"]["references"]


def test_a_link_to_no_source_of_the_list_is_a_citation_that_does_not_exist():
    make, documents = SHAPES["exa"]
    reply = make(FIRST, SECOND)
    reply["answer"] += " It rains. ([Elsewhere](https://elsewhere.example/page))"
    last = citewell.audit(reply, documents).citations[-1]
    assert not last.supports
    assert "does not exist" in last.located.problem
