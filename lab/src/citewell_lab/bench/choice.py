"""Selects the back ends of a run from arguments and task defaults, builds them, and records them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from citewell import registry
from citewell.abstain.declining import POLICIES
from citewell.errors import UsageError
from citewell.errors.arguments import parameters as parameters_of
from citewell.generators.prompted.generator import Prompted
from citewell_lab.bench import answering, presets, quoted, spec
from citewell_lab.bench.kinds.base import Backends, Task, reads_sentences

_FLAGS = {"approach": "--approach", "attributor": "--method", "checker": "--checker"}
_DEFAULTS = {"approach": answering.EXTRACTIVE, "checker": "lexical", "attributor": "lexical"}
FAMILIES = ("approach", "llm", "retriever", "checker", "judge", "attributor")  # in the order of a run's name


class Built(NamedTuple):
    """The back ends as a task gets them, and all parameters of each for the record."""

    backends: Backends
    parameters: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a run uses: specs or objects, None for what it does not use.

    Attributes:
        seed: of what the language model draws.
    """

    approach: Any = None
    llm: Any = None
    retriever: str | None = None
    checker: Any = None
    attributor: Any = None
    judge: Any = None
    seed: int | None = None

    def resolved(self) -> dict[str, str]:
        """The choices in their canonical form, defaults left out; an object by its name."""
        return {name: _canonical(name, value) for name in FAMILIES if (value := getattr(self, name)) is not None}

    def build(self, task: Task[Any], store: Path | None = None) -> Built:
        """The back ends, the language model's replies kept in `store`.

        Raises:
            UsageError: an approach without its model, or one that is not known.
            SpecError: a back end is not known.
        """
        specs = {"checker": self.checker, "judge": self.judge, "attributor": self.attributor}
        back_ends = {name: registry.build(_family(name), value) for name, value in specs.items() if value is not None}
        parameters = {name: spec.parameters(backend) for name, backend in back_ends.items()}
        if self.approach is not None:
            parts = {"llm": self.llm, "retriever": self.retriever, "seed": self.seed}
            system = back_ends["approach"] = answering.build(task, self.approach, store=store, **parts)
            parameters["approach"] = dict(system.settings)
        return Built(Backends(**back_ends, framed=reads_sentences(self.checker)), parameters)


def choose(
    task: Task[Any],
    *,
    approach: Any = None,
    llm: Any = None,
    retriever: str | None = None,
    checker: Any = None,
    method: Any = None,
    judge: Any = None,
    seed: int | None = None,
    preset: str | None = None,
    declining: str | None = None,
) -> Choice:
    """What a run uses, with the preset's settings and the defaults filled in; the papers' checker by its name.

    Raises:
        UsageError: an argument that the task does not use.
    """
    method = quoted.worded(method)
    if llm is not None and approach is None:
        approach = "citation"
    if declining is not None:
        if declining not in POLICIES:
            raise UsageError(f"--declining is one of {', '.join(POLICIES)}, not {declining!r}")
        rule = {} if task.promptable else {"declining": declining}  # where answers are labels none declines
        approach = presets.with_defaults(approach, rule)
    if preset is not None:
        approach, checker = presets.applied(preset, task, approach, llm, checker)
    specs = {"attributor": method, "checker": checker, "approach": approach}
    needs = task.needs
    if specs["approach"] is not None and task.promptable:
        needs = ("approach",)
        if task.retrieval is None:
            raise UsageError(f"the task {task.name!r} has no prompt: it takes --checker and --method")
        if specs["approach"] == answering.EXTRACTIVE:
            raise UsageError(f"the task {task.name!r} asks for labels: --approach needs --llm, or leave both out")
    for family, value in specs.items():
        if value is not None and family not in needs:
            wanted = ", ".join(_FLAGS[name] for name in needs)
            raise UsageError(f"the task {task.name!r} does not use {_FLAGS[family]}: it takes {wanted}")
    if judge is not None and not task.takes_judge:
        raise UsageError(f"the task {task.name!r} does not use --judge")
    if checker == "paper":
        specs["checker"] = task.paper_checker
        if task.paper_checker is None:
            raise UsageError(f"no paper names a checker for the task {task.name!r}: give --checker a spec")
    if retriever is not None and "approach" not in needs:
        raise UsageError(f"the task {task.name!r} does not use --retriever; `retrieval(retriever=...)` is a --method")
    if seed is not None and llm is None:
        raise UsageError("--seed is of a sample and of what a language model draws: it goes with --sample or --llm")
    chosen = {family: _DEFAULTS[family] if specs[family] is None else specs[family] for family in needs}
    return Choice(**chosen, judge=judge, llm=llm, retriever=retriever, seed=seed)


def _canonical(family: str, value: Any) -> str:
    if not isinstance(value, str):
        return str(getattr(value, "name", type(value).__name__))
    if family == "approach":
        parsed = registry.parse(value)
        if parsed.name == answering.EXTRACTIVE:
            return registry.canonical("generator", value)
        usual = parameters_of(Prompted)
        return str(parsed._replace(params=tuple(param for param in parsed.params if param[1] != usual.get(param[0]))))
    return registry.canonical(_family(family), value)


def _family(name: str) -> str:
    """The family of back ends that a choice is of: a judge of responses is a checker too."""
    return "checker" if name == "judge" else name
