"""DSPy: a module that cites another module's output, and a metric for how far its passages support it.

program = CitewellModule(dspy.ChainOfThought("context, question -> answer"))
program(context=passages, question="What was revenue in 2025?").citations

Passages are texts, or mappings with `text` and what is known of them (`id`, `source`, `start_index`): see `Chunk.read`.
"""

from __future__ import annotations

from typing import Any

from citewell.adapters.chunks import Chunks, Cited, by_id
from citewell.errors import UsageError, needing

with needing("citewell.adapters.dspy", "dspy", "dspy"):
    import dspy


class CitewellModule(dspy.Module):
    """A program whose predictions have `citations` (places), `marked` (the answer with marks) and `cited` (all of it).

    Fields of these names that the program predicts itself are replaced.

    Args:
        program: what writes the answer.
        answer: the field of its answer.
        context: the field of its passages, among what it is given or what it predicts.
        question: the field of the question, which need not be there.
        sources: the whole documents, where they are at hand: citations then have their pages and rectangles.
        settings: those of `citewell.attribute`.
    """

    def __init__(
        self,
        program: dspy.Module,
        answer: str = "answer",
        context: str = "context",
        question: str = "question",
        sources: Any = (),
        **settings: Any,
    ) -> None:
        super().__init__()
        self.program = program
        self.fields = (answer, context, question)
        self.sources, self.settings = by_id(sources), settings

    def forward(self, **arguments: Any) -> dspy.Prediction:
        """The program's prediction with its citations."""
        return self._with_citations(self.program(**arguments), arguments)

    async def aforward(self, **arguments: Any) -> dspy.Prediction:
        """The same for programs that are called asynchronously."""
        return self._with_citations(await self.program.acall(**arguments), arguments)

    def _with_citations(self, prediction: dspy.Prediction, arguments: Any) -> dspy.Prediction:
        cited = _cited((prediction, arguments), self.fields, self.sources, self.settings)
        prediction.citations = [place.to_dict() for place in cited.supporting]
        prediction.marked, prediction.cited = cited.marked, cited.to_dict()
        return prediction


class CitewellMetric:
    """The share of an answer's claims that its passages support; for `dspy.Evaluate` and for optimizers.

    While an optimizer bootstraps (`trace` is given), it says whether the share reaches the threshold; where it asks for
    feedback on a predictor (GEPA), it names the claims that are not supported.

    Args:
        threshold: the least share that passes.
        silent: the score of an answer that claims nothing.
        answer: the field of the prediction's answer.
        context: the field of the passages, in the prediction or the example.
        question: the field of the question, likewise.
        settings: those of `citewell.attribute`.
    """

    def __init__(
        self,
        threshold: float = 1.0,
        silent: float = 0.0,
        answer: str = "answer",
        context: str = "context",
        question: str = "question",
        **settings: Any,
    ) -> None:
        self.threshold, self.silent = threshold, silent
        self.fields, self.settings = (answer, context, question), settings

    def __call__(
        self, example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None
    ) -> Any:
        """The score, or what the optimizer asks for."""
        cited = _cited((prediction, example), self.fields, {}, self.settings)
        score = self.silent if cited.support is None else cited.support
        if pred_name is not None:
            return dspy.Prediction(score=score, feedback=cited.faults or "Every claim is supported by the passages.")
        return score if trace is None else score >= self.threshold


def _cited(holders: tuple[Any, Any], fields: tuple[str, str, str], sources: Any, settings: dict[str, Any]) -> Cited:
    prediction = holders[0]
    answer = prediction.get(fields[0])  # an example's own would be the gold answer
    if not isinstance(answer, str):
        raise UsageError(f"the prediction has no text in its field {fields[0]!r}")
    context, question = (
        next((holder[name] for holder in holders if name in holder and holder[name] is not None), None)
        for name in fields[1:]
    )
    if context is None:
        raise UsageError(f"there are no passages: neither prediction nor input has the field {fields[1]!r}")
    request = question if isinstance(question, str) else None
    return Chunks.read(context, sources).attribute(answer, request, **settings)
