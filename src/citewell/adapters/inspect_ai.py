"""Inspect: a scorer for the share of an answer's claims that the sample's documents support.

Task(dataset=[Sample(input=question, metadata={"context": passages})], solver=generate(), scorer=supported())
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from citewell.adapters.chunks import Chunks, Cited
from citewell.errors import UsageError, needing
from citewell.pipeline import attribute
from citewell.pipeline.sources import opened

with needing("citewell.adapters.inspect_ai", "inspect-ai", "inspect"):
    from anyio import to_thread  # Inspect runs on asyncio or on trio
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState


@scorer(metrics=[mean(), stderr()])
def supported(
    documents: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
    context: str = "context",
    **settings: Any,
) -> Scorer:
    """Scores how far an answer is supported: `metadata["citewell"]` of a score has statements, labels and places.

    An answer that claims nothing has no score; Inspect leaves it out of the mean and counts it apart.

    Args:
        documents: the path of what all samples rest on, or several; else
        context: the field of a sample's metadata that holds its passages (texts, or mappings: see `Chunk.read`).
        settings: those of `citewell.attribute`.

    Raises:
        UsageError: documents are given that were read: Inspect would write them into its log whole, and could not read
            them from there where it scores again.
    """
    several = isinstance(documents, list | tuple)
    paths: Any = documents if several else [] if documents is None else [documents]
    if not all(isinstance(path, str | os.PathLike) for path in paths):
        raise UsageError("Inspect stores the arguments of a scorer in its log: pass the paths of documents")
    values = None if documents is None else opened(paths)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001  (theirs)
        return await to_thread.run_sync(_score, state)

    def _score(state: TaskState) -> Score:
        answer, question = state.output.completion, state.input_text
        if values is None:
            if context not in state.metadata:
                raise UsageError(
                    f"sample {state.sample_id} has no {context!r} in its metadata, and no documents are given"
                )
            cited = Chunks.read(state.metadata[context]).attribute(answer, question, **settings)
            payload = cited.to_dict()
        elif answer.strip():
            whole = attribute(values, answer, question, **settings)
            cited, payload = Cited(whole), whole.to_dict()
        else:
            cited = Cited.nothing(answer, question)
            payload = cited.answer.to_dict()
        if cited.support is None:
            return Score.unscored(reason="claims nothing", answer=answer, metadata={"citewell": payload})
        return Score(
            value=cited.support, answer=answer, explanation=cited.faults or None, metadata={"citewell": payload}
        )

    return score
