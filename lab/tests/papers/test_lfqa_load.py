"""Reading studies: both layouts, what is left out is said, what is wrong is told."""

import json

import pytest

from citewell.errors import InputError
from citewell_lab.papers.lfqa.data import Setting
from citewell_lab.papers.lfqa.load import load

DOCS = [
    {"doc_id": "d:0", "title": "A title", "text": "One is here. Two is here."},
    {"doc_id": "d:1", "title": "", "text": " "},
]


def published(folder, labels=("supported", "supported", "partially")):
    (folder / "docs").mkdir(parents=True)
    (folder / "annotations").mkdir()
    row = {
        "question_id": 7,
        "question": "Why?",
        "gpt3_answer": " Because.</s>",
        "gpt3_wdoc_answer": "So. And so.",
        "human_answer": "",
    }
    (folder / "answers.json").write_text(json.dumps([row]))
    for name in ("webgpt", "random"):
        (folder / "docs" / f"docs-{name}.json").write_text(
            json.dumps([{"question_id": 7, "question": "Why?", "docs": DOCS}])
        )
    sentences = [{"labels": list(labels), "answer": "Because.</s>"}]
    annotations = [{"question_id": 7, "question": "Why?", "answers": ["Because.</s>"], "annotations": sentences}]
    (folder / "annotations" / "annotations-gpt3.json").write_text(json.dumps(annotations))


def test_the_published_layout_is_read_from_its_folder_or_the_one_above(tmp_path):
    published(tmp_path / "salad")
    loaded = load(tmp_path)
    assert loaded == load(tmp_path / "salad")
    (question,) = loaded.questions
    assert loaded.layout == "salad"
    assert loaded.settings == (Setting("gpt3"), Setting("gpt3", "webgpt"))
    assert question.responses[0].samples == ("Because.",)
    assert [document.text for document in question.documents["webgpt"]] == [DOCS[0]["text"]]
    assert question.annotated[0].against == "webgpt"
    assert question.annotated[0].sentences[0].text == "Because."
    assert question.annotated[0].sentences[0].majority == "supported"


def test_an_empty_answer_is_left_out_and_said(tmp_path):
    published(tmp_path)
    assert load(tmp_path).warnings == ("question 7: the answer of human+human is empty and was left out",)


def test_an_unknown_label_is_told(tmp_path):
    published(tmp_path, ("supported", "perhaps", "supported"))
    with pytest.raises(InputError, match="unknown label 'perhaps'"):
        load(tmp_path)


ROW = {
    "id": "q1",
    "question": "Why?",
    "documents": {"mine": [{"title": "T", "text": "One is here. Two is here."}]},
    "answers": [
        {"model": "m", "evidence": "mine", "samples": ["One. Two.", "Two."]},
        {"model": "m", "samples": ["Three."]},
    ],
    "annotations": [
        {
            "model": "m",
            "evidence": "mine",
            "against": "mine",
            "sentences": [{"text": "One.", "labels": ["supported"], "support": [[0, 0]], "errors": ["hallucination"]}],
        }
    ],
}


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_json_lines_hold_a_question_a_line(tmp_path):
    loaded = load(lines(tmp_path / "mine.jsonl", ROW))
    (question,) = loaded.questions
    assert [str(setting) for setting in loaded.settings] == ["m+mine", "m"]
    assert question.responses[0].samples == ("One. Two.", "Two.")
    (sentence,) = question.annotated[0].sentences
    assert sentence.support == ((0, 0),)
    assert sentence.errors == ("hallucination",)


def test_files_of_a_folder_are_put_together(tmp_path):
    lines(tmp_path / "a.jsonl", ROW)
    lines(tmp_path / "b.jsonl", {"id": "q1", "question": "Why?", "answers": [{"model": "m", "samples": ["Four."]}]})
    (question,) = load(tmp_path).questions
    assert {str(response.setting): response.samples for response in question.responses}["m"] == ("Three.", "Four.")
    assert list(question.documents) == ["mine"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "q1"}, "KeyError 'question'"),
        ({**ROW, "answers": [{"model": "m", "evidence": "other", "samples": ["x"]}]}, "no document set 'other'"),
        ({**ROW, "answers": [{"model": "m", "samples": 3}]}, "TypeError"),
        ([1], "not a JSON object"),
    ],
)
def test_a_line_that_is_not_as_described_is_told(tmp_path, row, message):
    with pytest.raises(InputError, match=message):
        load(lines(tmp_path / "mine.jsonl", row))


def test_a_damaged_line_is_told_by_its_number(tmp_path):
    path = lines(tmp_path / "mine.jsonl", ROW)
    path.write_text(path.read_text() + "{\n")
    with pytest.raises(InputError, match=r"mine.jsonl, line 2 is not JSON"):
        load(path)


def test_a_folder_without_a_study_is_told(tmp_path):
    with pytest.raises(InputError, match="holds no study"):
        load(tmp_path)
    with pytest.raises(InputError, match="holds no study"):
        load(tmp_path / "absent")


def test_a_limit_keeps_the_first_questions(tmp_path):
    path = lines(tmp_path / "mine.jsonl", ROW, {**ROW, "id": "q2"})
    assert [question.id for question in load(path, 1).questions] == ["q1"]
