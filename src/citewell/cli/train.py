"""`citewell train lora`: fine-tune a language model on answers with evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import quiet_option
from citewell.errors import InputError, UsageError

if TYPE_CHECKING:
    from citewell.train.data import Example
    from citewell.train.lora import Report
    from citewell.train.settings import Settings

_POSITIVE = click.IntRange(min=1)


@click.group()
def train() -> None:
    """Fine-tune models."""


@train.command("lora")
@click.option("--examples", "files", metavar="FILE", multiple=True,
              help="Examples: a JSON object a line, prompt (a text or turns) and target; repeatable.")  # fmt: skip
@click.option("--dev", "dev_files", metavar="FILE", multiple=True,
              help="Examples for the development score; without any a tenth of the others is held out.")  # fmt: skip
@click.option("--task", "tasks", metavar="TASK", multiple=True, help="Or the examples of this task; repeatable.")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets, for --task.")
@click.option("--split", metavar="NAME", default="train", show_default=True, help="What of the task to train on.")
@click.option("--dev-split", metavar="NAME", help="What of the task to take the development score on.")
@click.option("--citations/--no-citations", default=True, show_default=True,
              help="Whether the task's replies name their evidence.")  # fmt: skip
@click.option("--limit", metavar="N", type=_POSITIVE, help="Only the first N examples of each task or file.")
@click.option("--model", metavar="NAME", required=True, help="A hub id or a path: encoder-decoder or causal.")
@click.option("--revision", metavar="NAME", help="A branch, tag or commit of the model on the hub.")
@click.option("--out", metavar="RUN", required=True,
              help="The run's folder; a run that lies there goes on where it stopped.")  # fmt: skip
@click.option("--steps", type=_POSITIVE, default=1000, show_default=True, help="Updates of the weights.")
@click.option("--rank", type=_POSITIVE, default=64, show_default=True, help="Of the LoRA matrices.")
@click.option("--alpha", type=_POSITIVE, default=16, show_default=True, help="Scale of the LoRA matrices.")
@click.option("--dropout", type=float, default=0.1, show_default=True, help="In the LoRA matrices.")
@click.option("--learning-rate", type=float, default=1e-4, show_default=True, help="At the first step; falls to 0.")
@click.option("--batch", type=_POSITIVE, default=8, show_default=True, help="Examples of one update.")
@click.option("--device-batch", type=_POSITIVE, default=1, show_default=True,
              help="Examples computed at once; divides --batch. More is faster and takes more memory.")  # fmt: skip
@click.option("--targets", metavar="NAMES", default="default", show_default=True,
              help="Layers that get matrices: default (PEFT's choice), all-linear, or names with commas.")  # fmt: skip
@click.option("--max-input", type=_POSITIVE, default=16384, show_default=True, help="Most tokens of a prompt.")
@click.option("--max-target", type=_POSITIVE, default=1024, show_default=True, help="Most tokens of a reply.")
@click.option("--dev-every", type=_POSITIVE, default=100, show_default=True,
              help="Steps between development scores and checkpoints.")  # fmt: skip
@click.option("--dev-most", type=click.IntRange(min=0), default=100, show_default=True,
              help="Most development examples that are scored.")  # fmt: skip
@click.option("--keep", type=click.Choice(["last", "best"]), default="last", show_default=True,
              help="The weights that become the adapter: the last, or the best by development loss.")  # fmt: skip
@click.option("--checkpoints", type=_POSITIVE, default=2, show_default=True, help="How many of the latest are kept.")
@click.option("--save-memory", is_flag=True, help="Compute activations twice instead of keeping them.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--dtype", type=click.Choice(["auto", "float32", "bfloat16"]), default="auto", show_default=True)
@click.option("--write-examples", metavar="FILE", help="Write the training examples to FILE and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
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
    """Fine-tune a model with LoRA matrices, by LAB's recipe unless told otherwise.

    The adapter lies in RUN/adapter afterwards: --llm "transformers(model=NAME, adapter=RUN/adapter)".

    \b
    citewell train lora --examples examples.jsonl --model google/flan-t5-small --out runs/small
    citewell train lora --task wice --data data --model google/flan-t5-xl --out runs/wice
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.train.settings import Settings

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
        from citewell.train import data as rows

        rows.write(Path(write_examples), examples)
        return
    if not dev:
        from citewell.train.data import hold_out

        examples, dev = hold_out(examples, settings.seed)
    from citewell.train.lora import train as start

    given: dict[str, Any] = {"examples": files, "dev": dev_files, "tasks": tasks, "data": data, "limit": limit}
    if tasks:
        from citewell.generators.prompted import templates
        from citewell.train.tasks import prompt

        prompts = {task: templates.load(prompt(task)).sha256 for task in tasks}
        given |= {"split": split, "dev_split": dev_split, "citations": citations, "prompts": prompts}
    report = start(examples, dev, settings, out, given=given, progress=not quiet and sys.stderr.isatty())
    if as_json:
        from citewell.export.as_json import dumps

        click.echo(dumps(report.to_dict()))
    else:
        click.echo(_text(report, settings))


def _from_files(files: tuple[str, ...], limit: int | None) -> list[Example]:
    from citewell.train import data

    return [one for file in files for one in data.read(file)[:limit]]


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
    from citewell.train.lora import measure
    from citewell.train.tasks import examples

    if data is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    count, room = measure(settings)
    found: list[list[Example]] = []
    for split in splits:
        made: list[Example] = []
        for task in tasks if split else ():
            some, failed = examples(
                task, Path(data), str(split), count=count, room=room, citations=citations, limit=limit
            )
            if failed and not quiet:
                items = f"{len(failed)} item{'s' * (len(failed) > 1)}"
                click.echo(f"{task}, {split}: {items} left out, the first: {failed[0]}", err=True)
            made.extend(some)
        found.append(made)
    if not found[0]:
        raise InputError(f"the split {splits[0]!r} has no examples for {', '.join(tasks)}")
    return found[0], found[1]


def _text(report: Report, settings: Settings) -> str:
    first, last = report.loss
    lines = [
        f"adapter   {report.adapter}",
        f"examples  {report.train} for training, {report.dev_size} for the development score"
        + (f", {report.left_out} left out as too long" if report.left_out else ""),
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
