"""Against the real inspect-ai, with its own mock model."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # its own, which make a run fail
pytest.importorskip("inspect_ai")

import anyio
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState, generate

from citewell.adapters.inspect_ai import supported
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, TEXT, WRITTEN, cut, in_both

PASSAGES = [{"text": text, "id": name, "source": "harbour", "start_index": start} for name, text, start in cut()]


def run(tmp_path, answers, metadata, **settings):
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage()  # else it fetches a vocabulary to estimate it
    samples = [Sample(input=QUESTION, id=str(number), metadata=metadata) for number in range(len(answers))]
    task = Task(dataset=samples, solver=generate(), scorer=supported(**settings))
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = evaluate(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1)
    return log


def test_answers_are_scored_by_the_share_of_their_claims_that_is_supported(tmp_path):
    log = run(tmp_path, [WRITTEN, "Revenue rose to $5.9 million in 2025."], {"context": PASSAGES})
    assert log.status == "success"
    scores = [sample.scores["supported"] for sample in log.samples]
    assert [score.value for score in scores] == [0.5, 1.0]
    assert scores[0].explanation.startswith("contradicted: Three ferries")
    citewell = scores[0].metadata["citewell"]
    assert all(in_both(place, [passage["text"] for passage in PASSAGES]) for place in citewell["citations"])
    assert log.results.scores[0].metrics["mean"].value == 0.75


@pytest.fixture
def harbour(tmp_path):
    path = tmp_path / "harbour.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_documents_may_be_the_same_for_all_samples_and_the_log_keeps_their_paths_alone(tmp_path, harbour):
    log = run(tmp_path, [WRITTEN], {}, documents=harbour)
    assert log.eval.scorers[0].options == {"documents": harbour}
    for read in (DOCUMENT, [DOCUMENT]):
        with pytest.raises(UsageError, match="pass the paths of documents"):
            supported(documents=read)
    citewell = log.samples[0].scores["supported"].metadata["citewell"]
    assert all(
        DOCUMENT.text[citation["start"] : citation["end"]] == citation["quote"] for citation in citewell["citations"]
    )
    assert len(citewell["citations"]) == 2


def test_an_answer_that_claims_nothing_is_left_out_of_the_mean(tmp_path):
    log = run(tmp_path, [WRITTEN, "Thank you!"], {"context": PASSAGES})
    assert log.results.scores[0].metrics["mean"].value == 0.5
    assert log.results.scores[0].unscored_samples == 1


def test_an_answer_without_words_is_left_out_whatever_it_is_held_against(tmp_path, harbour):
    for arguments, metadata in (({"documents": [harbour]}, {}), ({}, {"context": PASSAGES})):
        (sample,) = run(tmp_path, [" "], metadata, **arguments).samples
        assert sample.scores["supported"].metadata["citewell"]["statements"] == []


def test_the_scorer_runs_on_the_other_loop_that_inspect_knows():
    state = TaskState(
        "m", "s", 1, QUESTION, [], output=ModelOutput.from_content("m", WRITTEN), metadata={"context": PASSAGES}
    )
    assert anyio.run(supported(), state, Target(""), backend="trio").value == 0.5


def test_a_sample_without_passages_is_an_error_that_names_it(tmp_path):
    log = run(tmp_path, [WRITTEN], {})
    assert log.status == "error"
    assert "sample 0 has no 'context' in its metadata" in log.error.message
