"""Tasks as Hugging Face datasets, against the real library."""

import json

import pytest

pytestmark = pytest.mark.slow
hf = pytest.importorskip("datasets")

from citewell.errors import InputError, UsageError
from citewell_lab.datasets import load
from harbour import DOCUMENT, TEXT


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
    assert [result["text"] for result in row["documents"]] == [TEXT]
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
