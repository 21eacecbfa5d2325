"""`citewell bench prompts`: where the instruction stands and how many examples help, as one command."""

from __future__ import annotations

import sys
from typing import Any

import click

from citewell.cli.options import data_option, echo, json_option, limit_option, out_option, quiet_option, split_option


@click.command("prompts")
@click.argument("task", metavar="TASK")
@data_option
@split_option("A development split.")
@click.option("--llm", metavar="SPEC", required=True, help="The language model.")
@click.option("--approach", metavar="NAME", default="citation", show_default=True, help="How it answers.")
@click.option("--checker", metavar="SPEC", help="What judges attributability; lexical.")
@limit_option("Items of each.", 100)
@out_option
@json_option
@quiet_option
def prompts(*, task: str, as_json: bool, quiet: bool, **given: Any) -> None:
    """Answer TASK with six settings of the prompt, beside LAB's table 14."""
    from citewell.papers.lab import prompting

    settings = []
    for setting in prompting.experiments(task, progress=not quiet and sys.stderr.isatty(), **given):
        settings.append(setting)
        if not quiet:
            click.echo(f"{setting.name}: n {setting.result.n}, failed {setting.result.failed}", err=True)
    figures = {"settings": [{"name": setting.name, **setting.result.to_dict()} for setting in settings]}
    echo(figures, prompting.table(task, settings).text(), as_json=as_json)
