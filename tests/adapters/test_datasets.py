"""Against the real datasets."""

import json

import pytest

pytestmark = pytest.mark.slow
hf = pytest.importorskip("datasets")

import citewell
from citewell.adapters.datasets import answers_of, load, to_dataset, verdicts_of
from citewell.errors import AnswerFormatError, InputError, UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN


def test_answers_and_verdicts_become_rows_and_come_back_the_same(tmp_path):
    answers = [citewell.attribute(DOCUMENT, WRITTEN), citewell.ask(DOCUMENT, "Who is the captain of the airship?")]
    dataset = to_dataset(answers)
    assert answers_of(dataset) == answers
    assert list(dataset["abstained"]) == [False, True]
    first = dataset[0]
    assert [one["label"] for one in first["statements"]] == ["supported", "contradicted"]
    for cited in first["citations"]:
        assert TEXT[cited["start"] : cited["end"]] == cited["quote"]
    dataset.save_to_disk(str(tmp_path / "saved"))
    assert answers_of(hf.load_from_disk(str(tmp_path / "saved"))) == answers
    verdicts = citewell.check(DOCUMENT, ["Two ferries were sold in March.", "Three ferries were sold in March."])
    made = to_dataset(verdicts)
    assert verdicts_of(made) == verdicts
    assert list(made["label"]) == ["supported", "contradicted"]
    assert made[1]["reasons"] == ["says Three; the evidence says Two"]


def test_one_answer_is_a_row_and_nothing_or_something_else_is_refused():
    answer = citewell.attribute(DOCUMENT, WRITTEN)
    assert len(to_dataset(answer)) == 1
    for given in ([], ["text"], [answer, citewell.check(DOCUMENT, ["It froze."])[0]]):
        with pytest.raises(UsageError, match="made of answers, or of verdicts"):
            to_dataset(given)


def test_what_to_dataset_did_not_make_is_refused():
    with pytest.raises(UsageError, match="no column 'json'"):
        answers_of(hf.Dataset.from_list([{"question": QUESTION}]))
    verdicts = to_dataset(citewell.check(DOCUMENT, ["It froze."]))
    with pytest.raises(AnswerFormatError):
        answers_of(verdicts)
    with pytest.raises(AnswerFormatError):
        verdicts_of(hf.Dataset.from_list([{"json": "{"}]))


@pytest.fixture
def data(tmp_path):
    rows = [
        {
            "claim": "The harbour froze.",
            "references": [TEXT, " "],
            "attribution_label": "attributable",
            "src_dataset": "X",
        },
        {"claim": "It did not.", "references": [TEXT], "attribution_label": "perhaps", "src_dataset": "X"},
    ]
    folder = tmp_path / "attributionbench"
    folder.mkdir()
    (folder / "dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_a_task_is_loaded_as_rows_and_what_cannot_be_read_is_named(data):
    dataset = load("attributionbench", "dev", data=data)
    (row,) = list(dataset)
    assert (row["claim"], row["supported"], row["group"]) == ("The harbour froze.", True, "X")
    assert [one["text"] for one in row["documents"]] == [TEXT]
    assert row["documents"][0]["id"] == DOCUMENT.id
    assert "Left out, as they cannot be read" in dataset.info.description
    assert dataset.info.license


def test_gold_evidence_is_offsets_into_the_rows_own_document(tmp_path):
    sentences = ["The harbour froze.", "Two ferries were sold."]
    row = {
        "label": "supported",
        "supporting_sentences": [[1]],
        "claim": "Ferries were sold.",
        "evidence": sentences,
        "meta": {"id": "dev00001", "claim_title": "Harbour", "claim_section": "", "claim_context": ""},
    }
    folder = tmp_path / "wice" / "claim"
    folder.mkdir(parents=True)
    (folder / "dev.jsonl").write_text(json.dumps(row) + "\n")
    (row,) = list(load("wice", "dev", data=tmp_path))
    assert [row["document"]["text"][start:end] for start, end in row["segments"]] == sentences
    assert row["annotations"][0]["sets"] == [[1]]
    assert row["statements"][0]["value"] == "Ferries were sold."


def test_unknown_tasks_and_splits_are_refused(data):
    with pytest.raises(UsageError, match="no task 'attributionbenhc'"):
        load("attributionbenhc", data=data)
    with pytest.raises(InputError):
        load("attributionbench", "tset", data=data)
    with pytest.raises(UsageError, match="the limit is at least 1, not 0"):
        load("attributionbench", data=data, limit=0)
