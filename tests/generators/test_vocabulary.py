"""A vocabulary of one's own: questions are understood by it, and what is wrong with a file is named by line and field."""

import json

import pytest
from tests.filings import report

from citewell import ask
from citewell.errors import UsageError, VocabularyError


@pytest.fixture(scope="module")
def acme():
    return report()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("words.json", json.dumps({"expressions": {"headcount": "full-time equivalents", "GrossP": "gross profit"}})),
        ("words.tsv", "# ours\nheadcount\tfull-time equivalents\n\nGrossP\tgross profit\n"),
    ],
)
def test_expressions_of_a_file_are_understood(acme, tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert ask(acme, "What was the GrossP in 2022?").abstained
    answer = ask(acme, "What was the grossp in 2022?", vocabulary=str(path))
    assert answer.value is not None
    assert answer.value.text == "340"
    assert answer.question == "What was the grossp in 2022?"
    assert ask(acme, "What was the headcount in 2023?", vocabulary=str(path)).value.text == "1,240"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "revenue\tsales\nheadcount\n", "line 2: 1 fields"),
        ("a.tsv", "revenue\tsales\n\tstaff\n", "line 2, field expression: empty"),
        ("a.tsv", "revenue\t\n", "line 1, field wording: empty"),
        ("a.tsv", "a b\tc\nA B\td\n", "line 2, field expression: “A B” stands there twice"),
        ("a.tsv", "# nothing\n", "no expression in it"),
        ("a.json", '{"expressions":\n {"a" "b"}}', "line 2: no JSON"),
        ("a.json", '{"words": {}}', 'field "expressions" is missing'),
        ("a.json", '{"expressions": {"arr": 3}}', 'field expressions["arr"]'),
        ("a.json", '{"expressions": {"arr": " "}}', 'field expressions["arr"]'),
    ],
)
def test_a_wrong_file_is_named_by_line_and_field(acme, tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(VocabularyError) as error:
        ask(acme, "What was net income in 2023?", vocabulary=str(path))
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there_or_no_text_is_an_error_of_ours(acme, tmp_path):
    with pytest.raises(VocabularyError):
        ask(acme, "What was net income in 2023?", vocabulary=str(tmp_path / "none.tsv"))
    (tmp_path / "bytes.tsv").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(VocabularyError, match="not UTF-8"):
        ask(acme, "What was net income in 2023?", vocabulary=str(tmp_path / "bytes.tsv"))


def test_a_language_model_has_no_use_for_it(acme, tmp_path):
    with pytest.raises(UsageError):
        ask(acme, "What?", llm='scripted(reply="No [1]")', vocabulary=str(tmp_path / "none.tsv"))
