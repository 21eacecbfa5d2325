"""Against the real datasets."""

import pytest

pytestmark = pytest.mark.slow
hf = pytest.importorskip("datasets")

import citewell
from citewell.adapters.datasets import answers_of, to_dataset, verdicts_of
from citewell.errors import AnswerFormatError, UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN


def test_answers_and_verdicts_become_rows_and_come_back_the_same(tmp_path):
    answers = [citewell.attribute(DOCUMENT, WRITTEN), citewell.ask(DOCUMENT, "Who is the captain of the airship?")]
    dataset = to_dataset(answers)
    assert answers_of(dataset) == answers
    assert list(dataset["abstained"]) == [False, True]
    first = dataset[0]
    assert [statement["label"] for statement in first["statements"]] == ["supported", "contradicted"]
    for cited in first["citations"]:
        assert TEXT[cited["start"] : cited["end"]] == cited["quote"]
    dataset.save_to_disk(str(tmp_path / "saved"))
    assert answers_of(hf.load_from_disk(str(tmp_path / "saved"))) == answers
    verdicts = citewell.check(DOCUMENT, ["Two ferries were sold in March.", "Three ferries were sold in March."])
    result = to_dataset(verdicts)
    assert verdicts_of(result) == verdicts
    assert list(result["label"]) == ["supported", "contradicted"]
    assert result[1]["reasons"] == ["says Three; the evidence says Two"]


def test_one_answer_is_a_row_and_nothing_or_something_else_is_refused():
    answer = citewell.attribute(DOCUMENT, WRITTEN)
    assert len(to_dataset(answer)) == 1
    for arguments in ([], ["text"], [answer, citewell.check(DOCUMENT, ["It froze."])[0]]):
        with pytest.raises(UsageError, match="made of answers, or of verdicts"):
            to_dataset(arguments)


def test_what_to_dataset_did_not_make_is_refused():
    with pytest.raises(UsageError, match="no column 'json'"):
        answers_of(hf.Dataset.from_list([{"question": QUESTION}]))
    verdicts = to_dataset(citewell.check(DOCUMENT, ["It froze."]))
    with pytest.raises(AnswerFormatError):
        answers_of(verdicts)
    with pytest.raises(AnswerFormatError):
        verdicts_of(hf.Dataset.from_list([{"json": "{"}]))
