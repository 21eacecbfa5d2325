"""Against the real DSPy, with its own dummy model."""

import asyncio

import pytest

pytestmark = pytest.mark.slow
dspy = pytest.importorskip("dspy")

from dspy.utils import DummyLM

from citewell.adapters.dspy import CitewellMetric, CitewellModule
from citewell.errors import UsageError
from harbour import DOCUMENT, QUESTION, WRITTEN, cut, in_both

PASSAGES = [{"text": text, "id": name, "source": "harbour", "start_index": start} for name, text, start in cut()]
TEXTS = [passage["text"] for passage in PASSAGES]
PASSING = "Revenue rose to $5.9 million in 2025."


def program(*answers):
    class Rag(dspy.Module):
        def __init__(self):
            super().__init__()
            self.write = dspy.Predict("context: list[str], question -> answer")

        def forward(self, context, question):
            return self.write(context=[str(result) for result in context], question=question)

        async def aforward(self, context, question):
            return await self.write.acall(context=[str(result) for result in context], question=question)

    return Rag(), DummyLM([{"answer": answer} for answer in answers])


def test_a_program_gets_citations_that_are_ranges_of_its_passages_and_of_the_whole():
    rag, model = program(WRITTEN)
    ours = CitewellModule(rag, sources={"harbour": DOCUMENT})
    with dspy.context(lm=model):
        prediction = ours(context=PASSAGES, question=QUESTION)
    assert prediction.answer == WRITTEN
    assert (
        prediction.marked
        == "Revenue rose to $5.9 million in 2025. [2] Three ferries were sold in March. (⊗ contradicted: says Three; the evidence says Two)"
    )
    assert [statement["label"] for statement in prediction.cited["statements"]] == ["supported", "contradicted"]
    assert all(in_both(place, TEXTS) for place in prediction.citations)
    assert [name for name, _ in ours.named_predictors()] == ["program.write"]  # which optimizers look for


def test_a_program_that_is_awaited_gets_the_same():
    rag, model = program(WRITTEN)

    async def run():
        with dspy.context(lm=model):
            return await CitewellModule(rag).acall(context=TEXTS, question=QUESTION)

    prediction = asyncio.run(run())
    assert [place["chunk"] for place in prediction.citations] == [1]


def test_the_metric_serves_an_evaluation():
    rag, model = program(PASSING, WRITTEN)
    examples = [dspy.Example(context=TEXTS, question=QUESTION).with_inputs("context", "question") for _ in range(2)]
    with dspy.context(lm=model):
        result = dspy.Evaluate(devset=examples, metric=CitewellMetric(), num_threads=1, display_progress=False)(rag)
    assert result.score == 75.0


def test_the_metric_passes_or_not_while_bootstrapping_and_gives_feedback_where_it_is_asked_for():
    metric, example = CitewellMetric(), dspy.Example(context=TEXTS, question=QUESTION)
    good, half = dspy.Prediction(answer=PASSING), dspy.Prediction(answer=WRITTEN)
    assert (metric(example, good), metric(example, half)) == (1.0, 0.5)
    assert (metric(example, good, trace=[]), metric(example, half, trace=[])) == (True, False)
    score = metric(example, half, None, "write", None)
    assert score.score == 0.5
    assert score.feedback.startswith("contradicted: Three ferries")
    assert CitewellMetric(silent=0.3)(example, dspy.Prediction(answer="Thank you!")) == 0.3


def test_passages_that_are_given_stand_in_for_those_that_a_prediction_leaves_empty():
    example = dspy.Example(context=TEXTS, question=QUESTION)
    assert CitewellMetric()(example, dspy.Prediction(answer=PASSING, context=None)) == 1.0


def test_an_optimizer_bootstraps_demonstrations_from_what_passes_through_the_module():
    rag, model = program(PASSING, WRITTEN)
    examples = [dspy.Example(context=TEXTS, question=QUESTION).with_inputs("context", "question") for _ in range(2)]
    optimizer = dspy.BootstrapFewShot(
        metric=CitewellMetric(), max_bootstrapped_demos=2, max_labeled_demos=0, max_rounds=1
    )
    with dspy.context(lm=model):
        better = optimizer.compile(CitewellModule(rag, sources=[DOCUMENT]), trainset=examples)
    (predictor,) = better.predictors()
    assert [demo.answer for demo in predictor.demos] == [PASSING]


def test_what_is_missing_is_named():
    with pytest.raises(UsageError, match="no text in its field 'answer'"):
        CitewellMetric()(dspy.Example(context=TEXTS), dspy.Prediction(reply="a"))
    gold = dspy.Example(context=TEXTS, answer=PASSING)  # which is not what the program predicted
    with pytest.raises(UsageError, match="no text in its field 'answer'"):
        CitewellMetric()(gold, dspy.Prediction(reply="Whales sing."))
    with pytest.raises(UsageError, match="has the field 'passages'"):
        CitewellMetric(context="passages")(dspy.Example(context=TEXTS), dspy.Prediction(answer="a"))
