"""The approaches (LAB's five, and quoting) as settings of the same stages.

Source: Buchmann et al., Attribute or Abstain (2024), sections 3 and 4.4, appendix F: retrievers by approach and task,
2 segments of evidence (5 for WiCE), 10 for a reduced document. What it chose for each task stands with the task.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from citewell import registry
from citewell.errors import SpecError, UsageError
from citewell.generators.reducers import default


class Approach(NamedTuple):
    """How answer and evidence come about: what a model may cite (no model where None), and how many segments it reads.

    `reads` says that these are the evidence: the model reads nothing else. `generator` is what asks the model.
    """

    cite: str | None
    reduce: int | None = None
    reads: bool = False
    generator: str = "prompted"


class Retrieval(NamedTuple):
    """The retrievers of a task by what they are for, and how many segments are evidence."""

    read: str
    reduce: str
    attribute: str
    k: int = 2


EXTRACTIVE = Approach(None)
POST_HOC = Approach("none")
RETRIEVE_THEN_READ = Approach("all", 2, reads=True)
CITATION = Approach("marks")
REDUCED_POST_HOC = Approach("none", 10)
REDUCED_CITATION = Approach("marks", 10)
TOOLS = Approach("marks", generator="tools")


def approach(name: str) -> Approach:
    """An approach by its name.

    Raises:
        UsageError: it is not known.
    """
    try:
        return cast("Approach", registry.factory("approach", name))
    except SpecError as error:
        raise UsageError(str(error)) from error


def settings(
    spec: str, llm: Any = None, *, prompt: str = "question", retrieval: Retrieval | None = None, **overrides: Any
) -> dict[str, Any]:
    """The fields of a pipeline that make an approach.

    Args:
        spec: its name, with parameters of its generator as in `citation(examples=1)` or `extractive(threshold=0.5)`;
            `declining` among them is the pipeline's.
        llm: the spec of a language model, or a ready client; None for `extractive`.
        prompt: the name or path of a prompt.
        retrieval: what the paper chose for a task, for its retrievers, numbers and its evidence without repair.
        overrides: further parameters of the `prompted` generator, such as `max_input`; those in `spec` have the
            last word.

    Raises:
        UsageError: the approach is not known.
        SpecError: a parameter is not known.
    """
    name, params = registry.parse(spec)
    how = approach(name)
    if how.cite is None:
        return {"generator": spec}
    parameters = {
        "llm": llm,
        "prompt": prompt,
        "cite": how.cite,
        **({"overlong": "cut"} if retrieval else {}),
        **overrides,
    }
    if how.reduce is not None:
        retriever = (retrieval.read if how.reads else retrieval.reduce) if retrieval else default(prompt)
        size = retrieval.k if retrieval and how.reads else how.reduce
        reduced = registry.Spec("top", (("retriever", retriever), ("k", size)))
        parameters["reduce"] = overrides.get("reduce") or str(reduced)
    parameters |= dict(params)
    if retrieval and parameters["prompt"] != prompt:
        parameters.setdefault("basis", prompt)  # a prompt of one's own for a task keeps the task's form and examples
    declining = parameters.pop("declining", None)
    generator = registry.build("generator", registry.Spec(how.generator, tuple(parameters.items())))
    fields: dict[str, Any] = {"generator": generator} | ({} if declining is None else {"declining": declining})
    if retrieval:
        query = (("retriever", retrieval.attribute), ("query", "question"), ("k", retrieval.k))
        fields |= {"attributor": str(registry.Spec("retrieval", query)), "granularity": generator.unit, "verify": False}
    return fields


def chosen(llm: Any, spec: str | None, *, vocabulary: str | None = None, **overrides: Any) -> dict[str, Any]:
    """The fields of a pipeline that answers with a language model or without one; see `settings`.

    `vocabulary` is the path of a file of expressions for the extractive reader.

    Raises:
        UsageError: an approach that needs a language model has none, or the other way round; a vocabulary with one.
        VocabularyError: the vocabulary cannot be read.
    """
    spec = spec or ("extractive" if llm is None else "citation")
    alone = approach(registry.parse(spec).name).cite is None
    if llm is None and not alone:
        raise UsageError(f"the approach {spec!r} needs a language model: say which with llm")
    if llm is not None and alone:
        raise UsageError(f"the approach {spec!r} quotes sentences and uses no language model: leave out llm")
    if vocabulary is not None:
        if llm is not None:
            raise UsageError("a vocabulary is for answers without a language model: leave out llm")
        name, params = registry.parse(spec)
        return {"generator": registry.build("generator", registry.Spec(name, (*params, ("vocabulary", vocabulary))))}
    return settings(spec, llm, **overrides)
