"""Other programs' result files, checked statement by statement."""

import json

import pytest

from bench import benchdata
from citewell.audit import results
from citewell.audit.scores import audit
from citewell.cli import main
from citewell.document import Document
from citewell.errors import InputError
from citewell.pipeline import Pipeline
from citewell.types import Verdict


def written(tmp_path, data, name="f.json"):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


RAGCHECKER = {"results": [{"query_id": "q7", "query": "what fell", "gt_answer": "rain", "response": "Rain fell. Dogs flew.",
                           "retrieved_context": [{"doc_id": "d1", "text": "Rain fell on the town."}]}]}  # fmt: skip
ALCE = {"data": [{"question": "what", "output": "Rain fell [1][2]. Snow melted [2]. Dogs flew.",
                  "docs": [{"title": "A", "text": "Rain fell."}, {"title": "B", "text": "Suns rise."}]}]}  # fmt: skip


def test_ragchecker_answers_are_checked_against_all_their_passages(tmp_path):
    (result,) = results.load(written(tmp_path, RAGCHECKER))
    assert (result.id, result.reference, [statements for statements, _ in result.statements]) == (
        "q7",
        "rain",
        ["Rain fell.", "Dogs flew."],
    )
    verdicts = results.check([result], benchdata.Share())
    assert (verdicts["statements"], verdicts["recall"], verdicts["precision"]) == (2, 0.5, None)


@pytest.mark.parametrize("new", [True, False])
def test_ragas_samples_are_read_with_new_and_old_names(tmp_path, new):
    names = ("user_input", "response", "retrieved_contexts") if new else ("question", "answer", "contexts")
    rows = [dict(zip(names, ("q", "Rain fell.", ["Rain fell here."]), strict=True)) for _ in range(2)]
    path = written(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), "f.jsonl")
    verdicts = results.check(results.load(path), benchdata.Share())
    assert (verdicts["n"], verdicts["recall"]) == (2, 1)


def test_marks_of_alce_are_judged_one_by_one(tmp_path):
    (result,) = results.load(written(tmp_path, ALCE))
    assert result.text == "Rain fell. Snow melted. Dogs flew."
    verdicts = results.check([result], benchdata.Share())
    assert verdicts["recall"] == pytest.approx(1 / 3)
    assert (verdicts["marks"], verdicts["precision"]) == (3, pytest.approx(1 / 3))
    assert [statement["good"] for statement in verdicts["answers"][0]["statements"]] == [[1], [], []]


def test_marks_that_support_only_together_are_all_to_the_point(tmp_path):
    docs = [{"title": "", "text": "Rain"}, {"title": "", "text": "fell"}, {"title": "", "text": "Suns"}]
    data = {"data": [{"question": "q", "output": "Rain fell [1][2].", "docs": docs}]}
    verdicts = results.check(results.load(written(tmp_path, data)), benchdata.Share())
    assert (verdicts["recall"], verdicts["precision"]) == (1, 1)


def test_an_answer_that_declines_needs_no_evidence(tmp_path):
    data = {"results": [{**RAGCHECKER["results"][0], "response": "The documents do not mention this."}]}
    verdicts = results.check(results.load(written(tmp_path, data)), benchdata.Share())
    assert (verdicts["declined"], verdicts["statements"], verdicts["recall"]) == (1, 0, None)


@pytest.mark.parametrize("data", ["{", {"x": 1}, [], [{"text": "y"}], {"results": [{"query": "q"}]}, {"results": 3}])
def test_what_is_no_result_file_says_so(tmp_path, data):
    with pytest.raises(InputError):
        results.load(written(tmp_path, data))
    with pytest.raises(InputError):
        results.load(tmp_path / "none.json")


def test_the_command_prints_figures_and_what_is_not_supported(tmp_path, capsys):
    path = str(written(tmp_path, ALCE))
    assert main(["bench", "import", path]) == 0
    out = capsys.readouterr().out
    assert "precision" in out
    assert "Dogs flew." in out
    assert main(["bench", "import", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["marks"] == 3


def test_one_definition_of_precision_serves_audits_and_result_files(tmp_path):
    """[1] supports alone, [2] adds nothing: of the two marks one is to the point, whoever asks."""
    passages = ["The ferry Aurora was built in Turku.", "Trees grow in the park."]
    reply = "The ferry Aurora was built in Turku [1][2]."
    docs = [{"title": "", "text": text} for text in passages]
    data = {"data": [{"question": "where was it built", "output": reply, "docs": docs}]}
    verdicts = results.check(results.load(written(tmp_path, data)), "lexical")
    assert verdicts["precision"] == 0.5
    assert audit(reply, [Document.from_text(text) for text in passages]).precision == 0.5


def test_a_citation_counts_only_where_its_statement_is_supported():
    class Partly(benchdata.Share):
        def check(self, pairs):
            return [Verdict(claim, "partially_supported", 0.5) for claim, *_ in pairs]

    audit_result = audit("Rain fell [1].", [Document.from_text("Rain fell.")], pipeline=Pipeline(checker=Partly()))
    assert audit_result.statements[0].label == "partially_supported"
    assert (audit_result.precision, audit_result.statements[0].missing) == (0, False)
