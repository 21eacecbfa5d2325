"""Against the real inspect-ai, with its own mock model."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # its own, which make a run fail
pytest.importorskip("inspect_ai")

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from citewell.adapters.inspect_ai import supported
from harbour import DOCUMENT, QUESTION, WRITTEN, cut, in_both

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
    told = scores[0].metadata["citewell"]
    assert all(in_both(place, [one["text"] for one in PASSAGES]) for place in told["citations"])
    assert log.results.scores[0].metrics["mean"].value == 0.75


def test_documents_may_be_the_same_for_all_samples(tmp_path):
    log = run(tmp_path, [WRITTEN], {}, documents=[DOCUMENT])
    told = log.samples[0].scores["supported"].metadata["citewell"]
    assert all(DOCUMENT.text[one["start"] : one["end"]] == one["quote"] for one in told["citations"])
    assert len(told["citations"]) == 2


def test_an_answer_that_claims_nothing_is_left_out_of_the_mean(tmp_path):
    log = run(tmp_path, [WRITTEN, "Thank you!"], {"context": PASSAGES})
    assert log.results.scores[0].metrics["mean"].value == 0.5
    assert log.results.scores[0].unscored_samples == 1


def test_a_sample_without_passages_is_an_error_that_names_it(tmp_path):
    log = run(tmp_path, [WRITTEN], {})
    assert log.status == "error"
    assert "sample 0 has no 'context' in its metadata" in log.error.message
