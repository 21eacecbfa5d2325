"""`citewell train`: fine-tune a language model on answers with evidence, refit the checker's weights."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import echo, json_option, quiet_option, shared
from citewell.errors import InputError, UsageError
from citewell_lab.cli.train_attention import combine_methods, learn_at2, select_heads
from citewell_lab.cli.train_judge import base, judge
from citewell_lab.cli.train_package import package
from citewell_lab.train.settings import Settings

if TYPE_CHECKING:
    from citewell_lab.train.data import Example
    from citewell_lab.train.lora import Report

_POSITIVE = click.IntRange(min=1)


def _option(setting: Field[Any]) -> Callable[[Any], Any]:
    """The option of a setting, with its meaning, limits and default."""
    says, least, choices = map(setting.metadata.get, ("says", "least", "choices"))
    flag = f"--{setting.name.replace('_', '-')}"
    if setting.default is MISSING:
        return click.option(flag, metavar="NAME", required=True, help=says)
    if setting.default is False:
        return click.option(flag, is_flag=True, help=says)
    kind: Any = click.Choice(choices) if choices else None if least is None else click.IntRange(min=least)
    metavar = "NAME" if isinstance(setting.default, str | None) and not choices else None
    has_default = setting.default is not None
    return click.option(flag, type=kind, metavar=metavar, default=setting.default, show_default=has_default, help=says)


@click.group()
def train() -> None:
    """Fine-tune models, fit the shipped weights, choose attention heads."""


train.add_command(select_heads)
train.add_command(learn_at2)
train.add_command(combine_methods)
train.add_command(judge)
train.add_command(base)
train.add_command(package)


@train.command("lora")
@click.option("--examples", "files", metavar="FILE", multiple=True,
              help="JSON lines of examples with prompt (a text or turns) and target; repeatable.")  # fmt: skip
@click.option("--dev", "dev_files", metavar="FILE", multiple=True,
              help="Examples for the development score; by default a tenth of the others is held out.")  # fmt: skip
@click.option("--task", "tasks", metavar="TASK", multiple=True, help="Use the examples of this task; repeatable.")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets, for --task.")
@click.option("--split", metavar="NAME", default="train", show_default=True, help="The split of the task to train on.")
@click.option("--dev-split", metavar="NAME", help="The split of the task for the development score.")
@click.option("--citations/--no-citations", default=True, show_default=True,
              help="Whether the task's replies cite their evidence.")  # fmt: skip
@click.option("--limit", metavar="N", type=_POSITIVE, help="Only the first N examples of each task or file.")
@click.option("--out", metavar="RUN", required=True,
              help="The run's folder; an existing run resumes where it stopped.")  # fmt: skip
@shared(*(_option(setting) for setting in fields(Settings)))
@click.option("--write-examples", metavar="FILE", help="Write the training examples to FILE and stop.")
@json_option
@quiet_option
def lora(
    *,
    files: tuple[str, ...],
    dev_files: tuple[str, ...],
    tasks: tuple[str, ...],
    data: str | None,
    split: str,
    dev_split: str | None,
    citations: bool,
    limit: int | None,
    out: str,
    write_examples: str | None,
    as_json: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Fine-tune a model with LoRA matrices, by default with LAB's recipe.

    The adapter is then in RUN/adapter: --llm "transformers(model=NAME, adapter=RUN/adapter)".

    \b
    citewell train lora --examples examples.jsonl --model google/flan-t5-small --out runs/small
    citewell train lora --task wice --data data --model google/flan-t5-xl --out runs/wice
    """  # noqa: D301  (click keeps the lines after this character as they are)
    settings = Settings(**chosen)
    if bool(files) == bool(tasks):
        raise UsageError("give either --examples or --task")
    if files:
        examples, dev = _from_files(files, limit), _from_files(dev_files, None)
    else:
        if dev_files:
            raise UsageError("--dev goes with --examples; with --task give --dev-split")
        examples, dev = _from_tasks(
            tasks, data, (split, dev_split), settings, citations=citations, limit=limit, quiet=quiet
        )
    if write_examples:
        from citewell_lab.train import data as rows

        rows.write(Path(write_examples), examples)
        return
    if not dev:
        from citewell_lab.train.data import hold_out

        examples, dev = hold_out(examples, settings.seed)
    from citewell_lab.train.lora import train as start

    sources: dict[str, Any] = {"examples": files, "dev": dev_files, "tasks": tasks, "data": data, "limit": limit}
    if tasks:
        from citewell.generators.prompted import templates
        from citewell_lab.train.tasks import prompt

        prompts = {task: templates.load(prompt(task)).sha256 for task in tasks}
        sources |= {"split": split, "dev_split": dev_split, "citations": citations, "prompts": prompts}
    report = start(examples, dev, settings, out, arguments=sources, progress=not quiet and sys.stderr.isatty())
    echo(report.to_dict(), _text(report, settings), as_json=as_json)


@train.command("checker")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets.")
@click.option("--corrections", metavar="FILE", multiple=True,
              help="Human corrections, one JSON object per line, as exported by the service; repeatable.")  # fmt: skip
@click.option("--out", metavar="FILE", default="checker.json", show_default=True, help="Where to write the weights.")
@click.option("--device", type=click.Choice(["cpu"]), default="cpu", show_default=True, help="The device for fitting.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the samples from the sets.")
@quiet_option
def checker(
    *,
    data: str | None,
    corrections: tuple[str, ...],
    out: str,
    device: str,  # noqa: ARG001  (there is one device)
    seed: int,
    quiet: bool,
) -> None:
    """Fit the checker's weights on people's labels and on claims with one fact changed.

    All sets in DIR are used, and the file records them. The same data gives the same bytes. Corrections count as one
    more set, or are used alone without a DIR. FILE can then be used as a checker: --checker "lexical(weights=FILE)".
    """
    from citewell_lab.train.checker.weights import train as fit
    from citewell_lab.train.checker.weights import write
    from citewell_lab.train.corrections import read

    if data is None and not corrections:
        raise UsageError("give --data DIR, --corrections FILE, or both")
    if data is not None and not Path(data).is_dir():
        raise UsageError(f"{data} is not a folder")
    tell: Callable[[str], None] = (lambda _: None) if quiet else partial(click.echo, err=True)
    correction_sets = [read(file) for file in corrections]
    for file, some in zip(corrections, correction_sets, strict=True):
        tell(f"{file}: {len(some.rows)} corrections" + (f", {some.unused} lines judge no evidence" * bool(some.unused)))
    corrected = [row for some in correction_sets for row in some.rows]
    weights = fit(Path(data) if data else None, corrected=corrected, seed=seed, tell=tell)
    write(weights, Path(out))
    click.echo(f"{out}: {Path(out).stat().st_size:,} bytes, fitted on {', '.join(weights.about['sets'])}")


def _from_files(files: tuple[str, ...], limit: int | None) -> list[Example]:
    from citewell_lab.train import data

    return [example for file in files for example in data.read(file)[:limit]]


def _from_tasks(
    tasks: tuple[str, ...],
    data: str | None,
    splits: tuple[str, str | None],
    settings: Settings,
    *,
    citations: bool,
    limit: int | None,
    quiet: bool,
) -> tuple[list[Example], list[Example]]:
    from citewell_lab.train.lora import measure
    from citewell_lab.train.tasks import examples

    if data is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    count, room = measure(settings)
    drawn: list[list[Example]] = []
    for split in splits:
        all_examples: list[Example] = []
        for task in tasks if split else ():
            some, failed = examples(
                task, Path(data), str(split), count=count, room=room, citations=citations, limit=limit
            )
            if failed and not quiet:
                items = f"{len(failed)} item{'s' * (len(failed) > 1)}"
                click.echo(f"{task}, {split}: {items} left out, the first: {failed[0]}", err=True)
            all_examples.extend(some)
        drawn.append(all_examples)
    if not drawn[0]:
        raise InputError(f"the split {splits[0]!r} has no examples for {', '.join(tasks)}")
    return drawn[0], drawn[1]


def _text(report: Report, settings: Settings) -> str:
    first, last = report.loss
    lines = [
        f"adapter   {report.adapter}",
        f"examples  {report.train} for training, {report.dev_size} for the development score"
        + (f", {report.left_out} left out as longer than --max-input or --max-target" if report.left_out else ""),
        f"steps     {report.steps}" + (f", went on from {report.resumed}" if report.resumed else ""),
        f"loss      {first:.4f} at first, {last:.4f} at last",
    ]
    if report.dev:
        lines += [
            f"{name:<9} {before:.4f} before, {report.dev[1][key]:.4f} after"
            for name, key in (("dev loss", "dev_loss"), ("match", "dev_exact_match"), ("answers", "dev_answer_match"))
            if (before := report.dev[0][key]) is not None
        ]
    lines.append(f'use       --llm "transformers(model={settings.model}, adapter={report.adapter})"')
    return "\n".join(lines)
