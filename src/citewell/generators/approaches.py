"""LAB's five approaches as settings of the same stages, and what it chose for each of its tasks.

Source: Buchmann et al., Attribute or Abstain (2024), sections 3 and 4.4, appendix F: retrievers by approach and task,
2 segments of evidence (5 for WiCE), 10 for a reduced document.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from citewell import registry
from citewell.errors import UsageError


class Approach(NamedTuple):
    """How answer and evidence come about: what a model may cite, and the retriever's role and number, if it reduces."""

    cite: str
    reduce: int | None
    summary: str


class Task(NamedTuple):
    """What LAB uses for one task: the retrievers, and how many segments are evidence."""

    read: str
    reduce: str
    attribute: str
    k: int = 2


APPROACHES = {
    "post-hoc": Approach("none", None, "the model answers, evidence is found for what it said"),
    "retrieve-then-read": Approach("all", 2, "evidence is found for the question, the model reads nothing else"),
    "citation": Approach("marks", None, "the model answers and cites what it read"),
    "reduced-post-hoc": Approach("none", 10, "post-hoc on the segments that fit the question best"),
    "reduced-citation": Approach("marks", 10, "citation on the segments that fit the question best"),
}
TASKS = {
    "qasper": Task("dragon", "contriever", "dragon"),
    "natural-questions": Task("sbert", "dragon", "contriever"),
    "evidence-inference": Task("contriever", "gtr", "dragon"),
    "wice": Task("sbert", "bm25", "dragon", 5),
    "contract-nli": Task("gtr", "dragon", "gtr"),
    "govreport": Task("self-similarity(retriever=sbert)", "self-similarity(retriever=sbert)", "bm25"),
}


def settings(
    approach: str, llm: Any, *, prompt: str = "question", task: str | None = None, **asked: Any
) -> dict[str, Any]:
    """The fields of a pipeline that make an approach.

    Args:
        approach: its name.
        llm: the spec of a language model, or a ready client.
        prompt: the name or path of a prompt.
        task: one of LAB's tasks, for the paper's retrievers, numbers and its evidence without repair.
        asked: further parameters of the `prompted` generator, such as `max_input`.

    Raises:
        UsageError: the approach or the task is not known.
    """
    if approach not in APPROACHES:
        raise UsageError(f"no approach {approach!r}; there are: extractive, {', '.join(APPROACHES)}")
    if task is not None and task not in TASKS:
        raise UsageError(f"no task {task!r} of LAB; there are: {', '.join(TASKS)}")
    made_by, lab = APPROACHES[approach], TASKS.get(task or "")
    params = {"llm": llm, "prompt": task or prompt, "cite": made_by.cite, **asked}
    made: dict[str, Any] = {"generator": registry.build("generator", registry.Spec("prompted", tuple(params.items())))}
    reads = approach == "retrieve-then-read"
    if made_by.reduce is not None:
        retriever = (lab.read if reads else lab.reduce) if lab else _default(prompt)
        size = lab.k if lab and reads else made_by.reduce
        made["reducer"] = str(registry.Spec("top", (("retriever", retriever), ("k", size))))
    if lab:
        unit = "sentence" if task == "wice" else "paragraph"
        query = (("retriever", lab.attribute), ("query", "question"), ("k", lab.k))
        made |= {"attributor": str(registry.Spec("retrieval", query)), "granularity": unit, "verify": False}
    return made


def chosen(llm: Any, approach: str | None, **asked: Any) -> dict[str, Any]:
    """The fields of a pipeline that answers with a language model or without one; see `settings`.

    Raises:
        UsageError: an approach that needs a language model has none, or the other way round.
    """
    if llm is None and approach in (None, "extractive"):
        return {}
    if llm is None:
        raise UsageError(f"the approach {approach!r} needs a language model: say which with llm")
    if approach == "extractive":
        raise UsageError("the approach 'extractive' quotes sentences and uses no language model: leave out llm")
    return settings(approach or "citation", llm, **asked)


def _default(prompt: str) -> str:
    """A summary's request says nothing about what matters in the text: there the segments are asked themselves."""
    return "self-similarity" if prompt in ("summary", "govreport") else "bm25"
