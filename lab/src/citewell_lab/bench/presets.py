"""Presets: one name for all settings of a paper's experiments; explicit settings take precedence.

    applied("lab", task, "citation(examples=1)", "openai(model=gpt-4o-mini)", None)
    # the approach "citation(examples=1, instruct=before, max_input=16000, temperature=0.0, declining=lab)", its checker

`lab(prompt=FILE, examples=FILE)` is the preset with other parameters of the approach. What depends on the task stands
with the task: retrievers, how many segments are evidence, the judge of attributability.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from citewell import registry
from citewell.errors import UsageError
from citewell.pipeline.approaches import approach as how
from citewell.registry import Spec
from citewell_lab.bench.kinds.base import Task

# Attribute or Abstain (LAB), sections 4.2.4 and 4.3, appendices C.4, E.2 and G: greedy decoding, the instruction before
# the input, three examples, 16K tokens, the key phrases of tables 26 and 27.
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "lab": {"instruct": "before", "examples": 3, "max_input": 16_000, "temperature": 0.0, "declining": "lab"}
}


class Applied(NamedTuple):
    """The approach's spec with all that the preset sets, and the checker, None where the task needs none."""

    approach: str
    checker: Any


def applied(preset: str, task: Task[Any], approach: Any, llm: Any, checker: Any) -> Applied:
    """What a preset makes of the approach and the checker that were asked for.

    Raises:
        UsageError: no such preset, the task is none of the paper's, or no language model is asked.
    """
    spec = registry.parse(preset)
    if spec.name not in PRESETS:
        raise UsageError(f"no preset {spec.name!r}; there are: {', '.join(PRESETS)}")
    if task.retrieval is None:
        raise UsageError(f"the task {task.name!r} is none of those that the preset {spec.name!r} has settings for")
    if llm is None:
        raise UsageError(f"the preset {spec.name!r} sets how a language model is asked: give --llm SPEC")
    settings = {**PRESETS[spec.name], **dict(spec.params)}
    if task.promptable:  # where answers are labels none declines
        del settings["declining"]
    judged = checker is None and "checker" in task.needs and not task.promptable
    return Applied(with_defaults(approach or "citation", settings), task.paper_checker if judged else checker)


def shortened(approach: str, preset: str) -> str:
    """The spec of an approach without what the preset gives it."""
    approach_spec, spec = registry.parse(approach), registry.parse(preset)
    settings = {**PRESETS.get(spec.name, {}), **dict(spec.params)}
    return str(
        Spec(
            approach_spec.name,
            tuple((name, value) for name, value in approach_spec.params if settings.get(name) != value),
        )
    )


def with_defaults(approach: Any, settings: Mapping[str, Any]) -> str:
    """The spec of an approach with the settings that it does not give itself.

    Raises:
        UsageError: it is an object, or asks no language model.
    """
    if not isinstance(approach, str) or how(registry.parse(approach).name).cite is None:
        label = registry.name(approach) if approach else "without --llm a run"
        raise UsageError(f"{label} asks no language model, for which there would be {_listed(settings)}")
    spec = registry.parse(approach)
    return str(Spec(spec.name, tuple({**settings, **dict(spec.params)}.items())))


def _listed(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())
