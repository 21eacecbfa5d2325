"""What a response is read as, and what is named where it is damaged."""

import pytest

import citewell
from citewell.audit import wire_read
from citewell.errors import AnswerFormatError


def test_an_answer_of_ours_is_read_as_such():
    answer = citewell.ask(citewell.Document.from_text("Revenue rose in 2022."), "When did revenue rise?")
    response = wire_read.read(answer.to_dict())
    assert (response.form, response.text) == ("citewell", answer.text)
    assert [claim.quotes for claim in response.claims] == [(cited.quote,) for cited in answer.citations]


@pytest.mark.parametrize(
    ("citation", "message"),
    [
        ({"cited_text": 5}, "cited_text is a number, not a text"),
        ({"cited_text": "x", "start_char_index": []}, "start_char_index is a list, not a whole number"),
    ],
)
def test_the_damaged_field_is_named_with_its_type(citation, message):
    response = {"content": [{"type": "text", "text": None, "citations": [citation]}]}
    with pytest.raises(AnswerFormatError) as error:
        wire_read.read(response)
    assert str(error.value) == f"the response is damaged: content[0].citations[0].{message}"
