"""The JSON form: what goes out comes back."""

import json

from citewell.export import as_json
from citewell.types import Answer, Verdict
from helpers import cite, make_answer, make_document


def test_an_answer_comes_back_as_it_was():
    document = make_document()
    answer = make_answer(document, [("Batteries drive “Eider”.", "supported", ["batteries"])])
    text = as_json.render(answer, [document])
    assert "“Eider”" in text
    assert "\n" not in text
    assert Answer.from_dict(json.loads(text)) == answer


def test_verdicts_come_with_their_documents_and_the_warnings_of_reading():
    document = make_document()
    verdict = Verdict("Five ships.", "supported", 0.9, (cite(document, "five ships", 0, 11),), method="lexical")
    data = json.loads(as_json.render([verdict], [document], {"origin": "checked"}))
    assert len(data["usage"].pop("digest")) == 16
    assert data == {
        "schema_version": 2,
        "verdicts": [verdict.to_dict()],
        "documents": [document.info.to_dict()],
        "warnings": [],
        "usage": {"pipeline": {"origin": "checked"}},
    }


def test_a_lone_surrogate_does_not_break_the_output():
    document = make_document("Half a pair: \ud83d here.")
    answer = make_answer(document, [("A \ud83d.", "supported", ["Half"])])
    text = as_json.render(answer, [document])
    assert json.loads(text.encode("utf-8"))["text"] == "A \ud83d."
