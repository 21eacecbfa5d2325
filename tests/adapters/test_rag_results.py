"""The forms of ragas, RAGChecker, ALCE and TRUE, by small files of their shape."""

import csv
import json

import pytest

from citewell.adapters.chunks import Cited
from citewell.adapters.rag_results import read, samples, scored, write
from citewell.errors import UsageError
from harbour import QUESTION, WRITTEN, cut

TEXTS = [text for _, text, _ in cut()]
RAGAS = {
    "user_input": QUESTION,
    "retrieved_contexts": TEXTS,
    "response": WRITTEN,
    "reference": "It was $5.9 million.",
    "rubrics": {"a": "b"},
    "retrieved_context_ids": [7, "b", "c"],
}
RAGCHECKER = {
    "query_id": "q7",
    "query": QUESTION,
    "gt_answer": "$5.9 million",
    "response": WRITTEN,
    "retrieved_context": [{"doc_id": f"00{n}", "text": text} for n, text in enumerate(TEXTS)],
    "metrics": {},
}
ALCE = {
    "question": QUESTION,
    "answer": "$5.9 million",
    "docs": [{"id": str(n), "title": f"Part {n}", "text": text, "score": 0.5} for n, text in enumerate(TEXTS)],
    "output": "Revenue rose to $5.9 million in 2025 [2]. Three ferries were sold in March [1][3].",
    "qa_pairs": None,
}
TRUE = {"grounding": TEXTS[1], "generated_text": "Revenue rose to $5.9 million in 2025.", "label": "1", "dataset": "x"}
DATA = {"ragas": [RAGAS], "ragchecker": {"results": [RAGCHECKER]}, "alce": {"args": {}, "data": [ALCE]}, "true": [TRUE]}


@pytest.mark.parametrize("form", DATA)
def test_each_form_is_told_from_its_fields_and_keeps_the_row(form):
    (sample,) = samples(DATA[form])
    assert sample.form == form
    assert [chunk.text for chunk in sample.chunks] == (TEXTS[1:2] if form == "true" else TEXTS)
    rows = (
        DATA[form]
        if isinstance(DATA[form], list)
        else next(value for value in DATA[form].values() if isinstance(value, list))
    )
    assert sample.row == rows[0]
    assert samples(DATA[form], form) == [sample]


def test_ids_questions_and_references_are_where_each_form_has_them():
    ids = {
        form: (sample.id, sample.question, sample.reference, sample.chunks[0].id)
        for form in DATA
        for sample in samples(DATA[form])
    }
    assert ids == {
        "ragas": ("0", QUESTION, "It was $5.9 million.", "7"),
        "ragchecker": ("q7", QUESTION, "$5.9 million", "000"),
        "alce": ("0", QUESTION, "$5.9 million", "0"),
        "true": ("0", None, None, None),
    }


@pytest.mark.parametrize("form", DATA)
def test_what_is_written_is_read_again_with_its_scores(form, tmp_path):
    result = samples(DATA[form])
    cited = [sample.attribute() for sample in result]
    path = tmp_path / "scored"
    write(path, result, cited)
    (again,) = read(path)
    assert again.form == form
    assert float(again.row["citewell_support"]) == (1.0 if form == "true" else 0.5)
    citewell = again.row["citewell"]
    citewell = json.loads(citewell) if form == "true" else citewell
    for place in citewell["citations"]:
        assert again.chunks[place["chunk"]].text[place["chunk_start"] : place["chunk_end"]] == place["quote"]
    kept = {"ragas": "rubrics", "ragchecker": "gt_answer", "alce": "qa_pairs", "true": "label"}[form]
    assert again.row[kept] == result[0].row[kept]


def test_ragas_is_written_as_lines_and_read_as_lines_or_a_list(tmp_path):
    result = samples([RAGAS, RAGAS])
    write(tmp_path / "a.jsonl", result, [sample.attribute() for sample in result])
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 2
    (tmp_path / "b.json").write_text(json.dumps([RAGAS]))
    assert len(read(tmp_path / "a.jsonl")) == 2
    assert read(tmp_path / "b.json") == samples([RAGAS])


def test_ragchecker_gets_claims_and_what_each_passage_says_of_them():
    result = samples(DATA["ragchecker"])
    (row,) = scored(result, [result[0].attribute()])["results"]
    assert row["response_claims"] == [["Revenue rose to $5.9 million in 2025."], ["Three ferries were sold in March."]]
    assert row["retrieved2response"][0] == ["Neutral", "Entailment", "Neutral"]
    assert row["retrieved2response"][1][2] == "Neutral"
    assert set(row["retrieved2response"][1][:2]) == {"Contradiction"}


def test_alce_marks_stand_before_the_full_stop_and_count_docs_from_1():
    (sample,) = samples(DATA["alce"])
    assert sample.unmarked == WRITTEN
    (row,) = scored([sample], [sample.attribute()])["data"]
    assert row["output"] == "Revenue rose to $5.9 million in 2025 [2]. Three ferries were sold in March."


def test_the_marks_of_alce_are_audited():
    (sample,) = samples(DATA["alce"])
    audited = sample.audit()
    assert [statement.label for statement in audited.statements] == ["supported", "contradicted"]
    assert audited.recall == 0.5
    empty = samples({"data": [ALCE | {"docs": [{"title": "a", "text": " "}]}]})[0]
    with pytest.raises(UsageError, match="sample 0: a passage without words"):
        empty.audit()


def test_true_gets_the_score_of_its_weakest_claim_and_1_where_nothing_is_claimed(tmp_path):
    wrong, none = TRUE | {"generated_text": WRITTEN}, TRUE | {"generated_text": "Thank you!"}
    result = samples([TRUE, wrong, none])
    write(tmp_path / "true.csv", result, [sample.attribute() for sample in result])
    with (tmp_path / "true.csv").open(newline="") as file:
        good, bad, silent = (float(row["citewell_score"]) for row in csv.DictReader(file))
    assert 0 <= bad < 0.5 < good <= 1 == silent


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("text", "no rows of results"),
        ([1], "no rows of results"),
        ([{"question": "a"}], "of none of the forms"),
        ([RAGAS | {"response": 3}], r"row 1\.response is a number, not a text"),
        ([RAGAS | {"retrieved_contexts": "a"}], r"row 1\.retrieved_contexts is a text, not a list"),
        (
            {"results": [RAGCHECKER | {"retrieved_context": ["a"]}]},
            r"retrieved_context\[0\] is a text, not a JSON object",
        ),
        ({"data": [ALCE | {"output": None}]}, r"row 1\.output is null, not a text"),
    ],
)
def test_what_has_another_shape_is_refused_by_its_field(data, message):
    with pytest.raises(UsageError, match=message):
        samples(data)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(UsageError, match="cannot read .*none"):
        read(tmp_path / "none")
    (tmp_path / "bad.jsonl").write_text("{\n{")
    with pytest.raises(UsageError, match="bad.jsonl: this is neither JSON nor JSON lines"):
        read(tmp_path / "bad.jsonl")
    (tmp_path / "empty.csv").write_text("")
    assert read(tmp_path / "empty.csv") == []
    assert scored([], []) == []
    with pytest.raises(UsageError, match="every sample has its result"):
        scored(samples([RAGAS]), [])
    with pytest.raises(UsageError, match="of one form"):
        scored(samples([RAGAS]) + samples([TRUE]), [Cited.nothing(""), Cited.nothing("")])
