"""Document sets: their sizes by hand, random sets of other questions, sets retrieved from a corpus of any kind."""

import json

import pytest

from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell_lab.papers.lfqa import documents
from citewell_lab.papers.lfqa.load import load
from papers.lfqadata import document, study


def sets(_generator, number):
    mine = (document(f"Item {number} is red. It is old."), document("One two three."))
    return {"documents": {"mine": mine, "few": (document("A b."),)} if number else {"mine": mine}}


def test_sizes_are_means_over_the_questions_that_have_the_set():
    rows = documents.sizes(study(3, sets))
    assert rows == [("mine", 3, 2.0, 3.0, 10.0), ("few", 2, 1.0, 1.0, 2.0)]


def test_sufficiency_is_counted_where_it_was_judged():
    def judged(_generator, number):
        return {"documents": {"mine": (document("A."),)}, "sufficient": {"mine": number < 2} if number < 3 else {}}

    assert documents.sufficient(study(4, judged)) == [("mine", 3, 2, 2 / 3)]
    assert documents.sufficient(study(2, sets)) == []


def test_a_random_set_is_another_questions_and_the_same_again():
    before = study(6, sets)
    after = documents.at_random(before, "mine")
    assert after == documents.at_random(before, "mine")
    for number, question in enumerate(after.questions):
        assert question.documents["mine"] == before.questions[number].documents["mine"]
        assert question.documents["random"][0].text != question.documents["mine"][0].text
        assert question.documents["random"] in [question.documents["mine"] for question in before.questions]
    with pytest.raises(UsageError, match="1 have it"):
        documents.at_random(study(1, sets), "mine")


def test_a_corpus_is_read_in_runs_of_words_of_which_the_best_are_taken():
    page = document(
        " ".join(f"filler{n}" for n in range(7)) + " item 2 stands here " + " ".join("zzz" for _ in range(5))
    )
    assert [segment.text.split()[0] for segment in documents.segmented(page, 4)] == ["filler0", "filler4", "2", "zzz"]
    result = documents.retrieved(study(3, sets), [page, document("Item 1 is blue.")], "own", words=4, top=2)
    assert result.questions[1].documents["own"][0].text == "Item 1 is blue."
    assert all(len(item.text.split()) <= 4 for question in result.questions for item in question.documents["own"])
    with pytest.raises(UsageError, match="no words"):
        documents.retrieved(study(1, sets), [], "own")


def test_a_corpus_is_lines_a_document_or_a_folder(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.jsonl").write_text('{"title": "T", "text": "One."}\n{"text": "Two."}\n')
    (tmp_path / "pages" / "b.txt").write_text("Three.")
    read = documents.corpus(tmp_path / "pages")
    assert [(result.title, result.text.strip()) for result in read][:2] == [("T", "One."), (None, "Two.")]
    assert read[2].text.strip() == "Three."
    (tmp_path / "bad.jsonl").write_text('{"title": "T"}\n')
    with pytest.raises(InputError, match="without text"):
        documents.corpus(tmp_path / "bad.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no documents"):
        documents.corpus(tmp_path / "empty")


def test_the_command_writes_sets_that_are_read_beside_the_questions(tmp_path, capsys):
    rows = [
        {"id": f"q{n}", "question": f"Why is item {n} red?", "sufficient": {"mine": n == 1},
         "documents": {"mine": [{"title": None, "text": f"Item {n} is red."}]}}
        for n in range(3)
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["papers", "lfqa-documents", "--data", str(tmp_path / "a.jsonl")]
    assert main([*command, "--random", "mine", "--out", str(tmp_path / "b.jsonl")]) == 0
    assert "the set random for 3 of 3 questions" in capsys.readouterr().out
    corpus = tmp_path / "corpus" / "page.txt"
    corpus.parent.mkdir()
    corpus.write_text("Item 2 is red since it rusts.")
    assert main([*command, "--corpus", str(corpus), "--name", "own", "--out", str(tmp_path / "c.jsonl")]) == 0
    whole = load(tmp_path)
    assert whole.sets == ("mine", "random", "own")
    assert whole.questions[1].sufficient == {"mine": True}
    assert main([*command, "--out", str(tmp_path / "d.jsonl")]) == 2
    assert "say --random SET or --corpus PATH" in capsys.readouterr().err
