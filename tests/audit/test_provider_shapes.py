"""Thirty-two shapes of services' replies: read, audited, mended; what is not read is refused and never passed over."""

import json

import pytest

import citewell
from citewell.audit.edit import edited
from citewell.errors import AnswerFormatError
from provider_shapes import FIRST, SECOND, SHAPES

UNREAD = {"exa", "kagi", "mistral_conversation", "vectara"}
READ = sorted(SHAPES.keys() - UNREAD)


def test_there_are_thirty_two():
    assert len(SHAPES) == 32
    assert SHAPES.keys() > UNREAD


@pytest.mark.parametrize("name", READ)
def test_right_citations_are_right_and_swapped_ones_wrong(name):
    make, documents = SHAPES[name]
    right, wrong = (citewell.audit(make(*quotes), documents) for quotes in ((FIRST, SECOND), (SECOND, FIRST)))
    assert len(right.citations) >= 2
    assert (right.precision, right.recall) == (1.0, 1.0)
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)


@pytest.mark.parametrize("name", READ)
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


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_a_shape_that_is_not_read_is_refused(name):
    make, documents = SHAPES[name]
    with pytest.raises(AnswerFormatError, match="none of the known formats"):
        citewell.audit(make(FIRST, SECOND), documents)
