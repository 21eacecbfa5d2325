"""The prompts of the papers in their authors' words, from `quoted.toml`, which records where each is printed.

`citation(prompt=paper)`, `lab(prompt=paper)`, `hidden-states(prompt=paper)` and `papers lfqa --prompt-alone paper` ask
with them. What a paper does not print is ours: worked examples, and what the document looks like inside its input.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from citewell import registry
from citewell.errors import UsageError
from citewell.generators.prompted import templates
from citewell.llm import prompts
from citewell.text.data import read_text

PAPER = "paper"  # stands for a prompt file in a spec
TASKS = ("qasper", "natural-questions", "evidence-inference", "wice", "contract-nli", "govreport")  # of LAB


@cache
def quotations() -> dict[str, dict[str, Any]]:
    """What `quoted.toml` holds, by paper."""
    return tomllib.loads(read_text("citewell_lab.bench", "quoted.toml"))


def prompt_file(task: str, *, cite: bool) -> str:
    """LAB's prompt for a task as the text of a prompt file, for models that cite or for others.

    Raises:
        UsageError: it is none of LAB's six tasks.
    """
    if task not in TASKS:
        raise UsageError(f"no paper prints a prompt for {task}; LAB does for {', '.join(TASKS)}")
    lab = quotations()["lab"]
    ours, theirs = templates.load(task), lab[task]
    explained = f"{theirs['explanation']} {theirs['citing']}" if cite else theirs["explanation"]
    form = lab["format"]["single" if ours.single else "multi"].strip() if cite else ""
    single, declines = ("yes" if value else "no" for value in (ours.single, ours.declines))
    return (
        f"unit: {ours.unit}\nsingle: {single}\ndeclines: {declines}\nmax_tokens: {ours.max_tokens}\n\n"
        f"=== instruction\n{explained}\n\n=== cite\n{form}\n\n=== plain\n\n=== input\n{theirs['input']}\n"
    )


def template(task: str, *, cite: bool) -> templates.Template:
    """LAB's prompt for a task with our worked examples, which the paper does not print.

    Raises:
        UsageError: it is none of LAB's six tasks.
    """
    name = f"{PAPER}/{task}.{'citing' if cite else 'plain'}"
    return templates.parse(name, prompt_file(task, cite=cite)).showing(task)


def asked(approach: str, task: str, *, cite: bool) -> tuple[templates.Template | None, str]:
    """The template of an approach with `prompt=paper`, and its spec without that; None for any other.

    Raises:
        UsageError: no paper prints a prompt for the task.
    """
    spec = registry.parse(approach)
    if dict(spec.params).get("prompt") != PAPER:
        return None, approach
    others = tuple(param for param in spec.params if param[0] != "prompt")
    return template(task, cite=cite), str(spec._replace(params=others))


def called(spec: str) -> str:
    """A spec as a row of a table is called: the words of a paper as `prompt=paper`, other texts on one line."""
    if "prompt=" in spec:
        parsed = registry.parse(spec)
        words = quotations().get(parsed.name, {}).get("prompt", "").strip()
        pairs = ((key, PAPER if value == words else value) for key, value in parsed.params)
        spec = str(parsed._replace(params=tuple(pairs)))
    return " ".join(spec.split())


def study_prompt(name: str) -> prompts.Prompt:
    """The prompt of the long-form study: `alone` or with `documents`."""
    return prompts.parse(f"{PAPER}/lfqa.{name}", quotations()["lfqa"][name].strip())


def worded(method: Any) -> Any:
    """The spec of an attributor, `prompt=paper` replaced by the words of its paper; anything else as it is.

    Raises:
        UsageError: no paper prints a prompt of this method.
    """
    if not isinstance(method, str):
        return method
    spec = registry.parse(method)
    if dict(spec.params).get("prompt") != PAPER:
        return method
    if "prompt" not in quotations().get(spec.name, {}):
        raise UsageError(f"no paper prints a prompt of {spec.name}: prompt={PAPER} is of hidden-states")
    text = quotations()[spec.name]["prompt"].strip()
    return str(spec._replace(params=tuple((key, text if key == "prompt" else value) for key, value in spec.params)))
