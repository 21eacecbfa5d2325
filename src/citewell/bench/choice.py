"""Which back ends a run uses: arguments and defaults by task, built, and told in the run's record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citewell import registry
from citewell.bench import answering, record
from citewell.bench.kinds.base import Backends, Task
from citewell.errors import UsageError

_FLAGS = {"approach": "--approach", "attributor": "--method", "checker": "--checker"}


def choose(task: Task, **given: Any) -> dict[str, Any]:
    """What a run uses, by family, with the defaults filled in; the papers' checker by its name.

    Raises:
        UsageError: an argument that the task does not use.
    """
    asked = {"attributor": given.get("method"), "checker": given.get("checker"), "approach": given.get("approach")}
    needs = task.needs
    if given.get("llm") is not None and asked["approach"] is None:
        asked["approach"] = "citation"
    if asked["approach"] is not None and task.promptable:
        needs = ("approach",)
        if asked["approach"] == answering.EXTRACTIVE:
            raise UsageError(f"the task {task.name!r} asks for labels: --approach needs --llm, or leave both out")
    for family, value in asked.items():
        if value is not None and family not in needs:
            wanted = ", ".join(_FLAGS[one] for one in needs)
            raise UsageError(f"the task {task.name!r} does not use {_FLAGS[family]}: it takes {wanted}")
    if asked["checker"] == "paper":
        asked["checker"] = task.paper_checker
        if asked["checker"] is None:
            raise UsageError(f"no paper names a checker for the task {task.name!r}: give --checker a spec")
    if given.get("retriever") is not None and "approach" not in needs:
        raise UsageError(f"the task {task.name!r} does not use --retriever; `retrieval(retriever=...)` is a --method")
    default = {"approach": "extractive", "checker": "lexical", "attributor": "lexical"}
    chosen = {family: asked[family] if asked[family] is not None else default[family] for family in needs}
    return chosen | {name: given[name] for name in ("llm", "retriever") if given.get(name) is not None}


def build(task: Task, chosen: Mapping[str, Any], store: Path | None = None) -> dict[str, Any]:
    """The back ends of a run by family; the language model and the retriever are parts of the approach.

    Raises:
        UsageError: an approach without its model, or one that is not known.
        SpecError: a back end is not known.
    """
    made = {family: registry.build(family, chosen[family]) for family in ("checker", "attributor") if family in chosen}
    if "approach" in chosen:
        parts = {name: chosen.get(name) for name in ("llm", "retriever")}
        made["approach"] = answering.build(task, chosen["approach"], store=store, **parts)
    return made


def backends(chosen: Mapping[str, Any], built: Mapping[str, Any]) -> Backends:
    """The back ends as a task gets them."""
    checker = chosen.get("checker")
    words = isinstance(checker, str) and registry.parse(checker).name == "lexical"
    return Backends(**built, framed=not words)


def canonical(family: str, value: Any) -> str:
    """A choice in its canonical form, defaults left out; an object by its name."""
    if family == "approach" and isinstance(value, str):
        parsed = registry.parse(value)
        return registry.canonical("generator", value) if parsed.name == answering.EXTRACTIVE else str(parsed)
    if isinstance(value, str):
        return registry.canonical(family, value)
    return str(getattr(value, "name", type(value).__name__))


def parameters(built: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is known of each back end: all its parameters; of an approach the prompt, by name and hash."""
    found = {}
    for family, one in built.items():
        if family == "approach":
            found[family] = {} if one.prompt is None else dict(zip(("prompt", "sha256"), one.prompt, strict=True))
        else:
            found[family] = record.parameters(one)
    return found
